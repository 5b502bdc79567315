// ingot bench: how fast, and how close to what the memory allows.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/device/cpu/isa.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/models/load.h"
#include "ingot/ops/linear/bandwidth.h"
#include "ingot/tensor/autograd.h"

namespace ingot::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model, config, dtype = "bf16", device = "cpu";
  bool random_weights = false, json = false;
  int threads = 0;
  int64_t tokens = 48, rounds = 5, context = 0, prompt = 256;
  double seconds = 1;
  uint64_t seed = 1;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Spread {
  double median, min, max;
};
Spread spread(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  size_t n = v.size();
  return {n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2, v.front(), v.back()};
}
Json to_json(const Spread& s) { return {{"median", s.median}, {"min", s.min}, {"max", s.max}}; }

WeightFormat format_of(const std::string& dtype) {
  std::string lower = dtype;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "q8_0") return WeightFormat::kQ8_0;
  if (lower == "q4_0") return WeightFormat::kQ4_0;
  auto f = weight_format_of(dtype_from_name(lower));
  if (!f) fail_argument("bench", "--dtype", "f32, bf16, f16, f8e4m3, q8_0 or q4_0", ingot::quoted(dtype));
  return *f;
}

LanguageModel open(const Options& o) {
  if (o.random_weights == o.config.empty())
    fail(ErrorKind::kArgument, "bench", "--config and --random-weights go together");
  if (o.model.empty() == o.config.empty())
    fail(ErrorKind::kArgument, "bench", "give either --model PATH or --config FILE.json --random-weights");
  const Device device = device_from_name(o.device);
  return o.model.empty() ? random_model(o.config, format_of(o.dtype), o.seed, device) : load_model(o.model, device);
}

// Random ids: one repeated token would touch few experts.
std::vector<int32_t> random_ids(int64_t n, int64_t vocab, uint64_t& state) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < n; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    ids.push_back(int32_t((state >> 33) % uint64_t(vocab)));
  }
  return ids;
}

Json machine() {
  return {{"cpu", cpu_info().model},
          {"isa", name(cpu_isa())},
          {"threads", num_threads()},
          {"cores", cpu_info().logical_cores}};
}

void print(const Options& o, const Json& j) {
  if (o.json) {
    puts(j.dump().c_str());
    return;
  }
  for (const auto& [key, value] : j.items()) {
    if (value.is_object() && value.contains("median"))
      printf("%-20s %.4g median, %.4g min, %.4g max\n", key.c_str(), value["median"].get<double>(),
             value["min"].get<double>(), value["max"].get<double>());
    else if (value.is_number_float())
      printf("%-20s %.4g\n", key.c_str(), value.get<double>());
    else
      printf("%-20s %s\n", key.c_str(), value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
  }
}

int decode(const Options& o) {
  LanguageModel m = open(o);
  NoGrad no_grad;
  auto state = m.decoder.new_state();
  uint64_t random = o.seed;
  int64_t vocab = m.decoder.embedding.rows;
  if (o.context > 0) m.decoder.forward(random_ids(o.context, vocab, random), *state);
  for (int32_t id : random_ids(4, vocab, random)) m.decoder.forward({&id, 1}, *state);
  double bytes = double(m.decoder.bytes_per_token());
  std::vector<double> rates, ceilings, shares;
  double before = read_bandwidth_gb_s(num_threads(), o.seconds / 2);
  for (int64_t r = 0; r < o.rounds; r++) {
    std::vector<int32_t> ids = random_ids(o.tokens, vocab, random);
    double kv = 0, t = now();
    for (int32_t id : ids) {
      m.decoder.forward({&id, 1}, *state);
      kv += double(state->length() * state->bytes_per_token());
    }
    double seconds = now() - t;
    double after = read_bandwidth_gb_s(num_threads(), o.seconds / 2);
    double ceiling = (before + after) / 2;
    before = after;
    rates.push_back(double(o.tokens) / seconds);
    ceilings.push_back(ceiling);
    shares.push_back((bytes * double(o.tokens) + kv) / seconds / 1e9 / ceiling);
  }
  print(o, {{"bench", "decode"},
            {"model", m.path},
            {"weights", o.model.empty() ? o.dtype : "file"},
            {"machine", machine()},
            {"context", state->length()},
            {"rounds", o.rounds},
            {"tokens_per_round", o.tokens},
            {"tokens_per_s", to_json(spread(rates))},
            {"bytes_per_token", m.decoder.bytes_per_token()},
            {"ceiling_gb_s", spread(ceilings).median},
            {"share_of_ceiling", spread(shares).median},
            {"shares", shares},
            {"peak_memory_bytes", process_memory().peak_resident}});
  return kOk;
}

int prefill(const Options& o) {
  LanguageModel m = open(o);
  NoGrad no_grad;
  uint64_t random = o.seed;
  std::vector<double> rates;
  for (int64_t r = -1; r < o.rounds; r++) {
    auto state = m.decoder.new_state();
    std::vector<int32_t> ids = random_ids(o.prompt, m.decoder.embedding.rows, random);
    double t = now();
    m.decoder.forward(ids, *state);
    if (r >= 0) rates.push_back(double(o.prompt) / (now() - t));
  }
  print(o, {{"bench", "prefill"},
            {"model", m.path},
            {"weights", o.model.empty() ? o.dtype : "file"},
            {"machine", machine()},
            {"prompt_tokens", o.prompt},
            {"rounds", o.rounds},
            {"tokens_per_s", to_json(spread(rates))},
            {"bytes_per_token", m.decoder.bytes_per_token()},
            {"peak_memory_bytes", process_memory().peak_resident}});
  return kOk;
}

int bandwidth(const Options& o) {
  std::vector<double> rates;
  for (int64_t r = 0; r < o.rounds; r++) rates.push_back(read_bandwidth_gb_s(num_threads(), o.seconds));
  print(o, {{"bench", "bandwidth"},
            {"machine", machine()},
            {"read_gb_s", to_json(spread(rates))},
            {"ceiling_gb_s", spread(rates).max}});
  return kOk;
}

int load(const Options& o) {
  std::vector<double> seconds;
  int64_t bytes = 0;
  for (int64_t r = 0; r < o.rounds; r++) {
    double t = now();
    LanguageModel m = load_model(o.model, device_from_name(o.device));
    seconds.push_back(now() - t);
    bytes = m.decoder.weight_bytes();
  }
  print(o, {{"bench", "load"}, {"model", o.model}, {"weight_bytes", bytes}, {"seconds", to_json(spread(seconds))}});
  return kOk;
}

void model_options(CLI::App* c, Options& o) {
  c->add_option("-m,--model", o.model, "model folder or .gguf file");
  c->add_option("--config", o.config, "config.json of a model to build from random weights (see bench/configs)");
  c->add_flag("--random-weights", o.random_weights, "with --config");
  c->add_option("--dtype", o.dtype, "of random weights: bf16, f16, f32, f8e4m3, q8_0, q4_0")->capture_default_str();
  c->add_option("--seed", o.seed, "of weights and tokens")->capture_default_str();
}

}  // namespace

void add_bench(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("bench", "Measure speed: decode, prefill, load, bandwidth");
  c->require_subcommand(1);
  auto add = [&](const char* name, const char* text, int (*run)(const Options&)) {
    CLI::App* sub = c->add_subcommand(name, text);
    add_device_option(*sub, o->device);
    add_threads_option(*sub, o->threads);
    sub->add_option("--rounds", o->rounds, "rounds measured")->check(CLI::Range(1, 10000))->capture_default_str();
    sub->add_flag("--json", o->json, "one JSON object");
    sub->callback([&work, o, run] {
      work = [o, run] {
        check_device(o->device);
        apply_threads(o->threads);
        return run(*o);
      };
    });
    return sub;
  };
  CLI::App* d =
      add("decode", "Tokens per second one at a time, and the share of the read bandwidth measured between the rounds",
          decode);
  model_options(d, *o);
  d->add_option("--tokens", o->tokens, "tokens a round")->check(CLI::Range(1, 1000000))->capture_default_str();
  d->add_option("--context", o->context, "random tokens put into the cache first")
      ->check(CLI::Range(0, 10000000))
      ->capture_default_str();
  CLI::App* p = add("prefill", "Tokens per second of a prompt", prefill);
  model_options(p, *o);
  p->add_option("--prompt", o->prompt, "tokens of the prompt")->check(CLI::Range(1, 10000000))->capture_default_str();
  CLI::App* b = add("bandwidth", "The read ceiling of main memory: the best of several access patterns", bandwidth);
  b->add_option("--seconds", o->seconds, "per round")->capture_default_str();
  CLI::App* l = add("load", "Seconds to open a model", load);
  l->add_option("-m,--model", o->model, "model folder or .gguf file")->required();
  c->footer(
      "Example:\n  ingot bench decode --config bench/configs/moe-1.4b.json --random-weights --dtype bf16 --threads 2 "
      "--json");
}

}  // namespace ingot::cli
