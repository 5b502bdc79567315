// ingot generate: one prompt, one answer on standard output.
#include "ingot/generate/generate.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/cli/progress.h"
#include "ingot/cli/sampling_options.h"
#include "ingot/device/cpu/memory.h"

namespace ingot::cli {

namespace {

struct Options {
  std::string model, prompt, file, system, device = "cpu";
  bool raw = false, json = false, quiet = false;
  int threads = 0;
  SamplingFlags sampling;
};

std::string read_prompt(const Options& o) {
  if (!o.prompt.empty()) return o.prompt;
  if (!o.file.empty()) return read_text_file(o.file);
  if (isatty(STDIN_FILENO))
    fail(ErrorKind::kArgument, "generate", "no prompt: give --prompt TEXT, --file FILE, or text on standard input");
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

std::vector<int32_t> encode(const Options& o, const LanguageModel& model, const std::string& prompt) {
  if (o.raw) return encode_raw(model, prompt);
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (!o.system.empty()) messages.push_back({{"role", "system"}, {"content", o.system}});
  messages.push_back({{"role", "user"}, {"content", prompt}});
  return encode_chat(model,
                     jinja::Value::from_json(messages.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)),
                     jinja::Value::from_json(R"({"add_generation_prompt": true})"));
}

int run(const Options& o) {
  check_device(o.device);
  apply_threads(o.threads);
  catch_interrupts();
  LanguageModel model = load_model(o.model, device_from_name(o.device));
  GenerateOptions options = o.sampling.options(model);
  std::vector<int32_t> ids = encode(o, model, read_prompt(o));
  Session session(model);
  Progress bar("reading the prompt");
  Generated out = session.generate(
      ids, options,
      [&](std::string_view text) {
        bar.clear();
        if (!o.json) {
          fwrite(text.data(), 1, text.size(), stdout);
          fflush(stdout);
        }
        return !interrupted();
      },
      [&](int64_t done, int64_t total) { bar.update(done, total); });
  if (o.json) {
    const GenerateStats& s = out.stats;
    nlohmann::ordered_json j = {{"text", out.text},
                                {"ids", out.ids},
                                {"stop_reason", name(out.reason)},
                                {"prompt_tokens", s.prompt_tokens},
                                {"new_tokens", s.new_tokens},
                                {"prefill_seconds", s.prefill_seconds},
                                {"decode_seconds", s.decode_seconds},
                                {"peak_memory_bytes", process_memory().peak_resident}};
    puts(j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else {
    putchar('\n');
  }
  fflush(stdout);
  if (!o.quiet) print_stats(out.stats);
  return out.reason == StopReason::kCancelled ? kInterrupted : kOk;
}

}  // namespace

void add_generate(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("generate", "Answer one prompt");
  c->add_option("-m,--model", o->model, "model folder (config.json, safetensors, tokenizer.json) or .gguf file")
      ->required();
  auto* prompt = c->add_option("-p,--prompt", o->prompt, "the prompt");
  c->add_option("-f,--file", o->file, "read the prompt from a file; without --prompt and --file: from standard input")
      ->excludes(prompt);
  c->add_option("--system", o->system, "system message, for models with a chat template");
  c->add_flag("--raw", o->raw, "continue the text as it is, without the model's chat template");
  c->add_flag("--json", o->json, "print one JSON object: text, ids, stop_reason, counts and times");
  c->add_flag("-q,--quiet", o->quiet, "no statistics on standard error");
  o->sampling.add(*c);
  add_device_option(*c, o->device);
  add_threads_option(*c, o->threads);
  c->footer(
      "Only the answer goes to standard output. Ctrl-C ends the answer cleanly.\n"
      "Examples:\n"
      "  ingot generate -m models/SmolLM2-135M-Instruct.Q4_1.gguf -p \"Name three metals.\" --temperature 0.7 --seed "
      "1\n"
      "  ingot generate -m models/SmolLM2-135M-Instruct.Q4_1.gguf --raw -p \"Once upon a time\" -n 100\n"
      "  git diff | ingot generate -m DIR --system \"Write a commit message.\"");
  c->callback([&work, o] { work = [o] { return run(*o); }; });
}

}  // namespace ingot::cli
