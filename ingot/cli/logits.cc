// ingot logits: the raw numbers, for comparing with other programs.
#include <algorithm>
#include <cstdio>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/io/tensor_io.h"
#include "ingot/models/load.h"
#include "ingot/tensor/autograd.h"

namespace ingot::cli {

namespace {

struct Options {
  std::string model, out, device = "cpu";
  std::vector<int32_t> ids;
  int64_t decode = 0, chunk = 0;
  int threads = 0;
};

int32_t argmax_row(const float* p, int64_t n) { return static_cast<int32_t>(std::max_element(p, p + n) - p); }

int run(const Options& o) {
  check_device(o.device);
  apply_threads(o.threads);
  if (o.decode < 0) fail_argument("logits", "--decode", "at least 0", cat(o.decode));
  NoGrad no_grad;
  LanguageModel model = load_model(o.model, device_from_name(o.device));
  auto state = model.decoder.new_state();
  int64_t vocab = model.decoder.head.rows, total = int64_t(o.ids.size());
  Tensor prefill = empty({total, vocab}, DType::kF32);
  for (int64_t at = 0; at < total;) {
    int64_t count = o.chunk > 0 ? std::min(o.chunk, total - at) : total - at;
    Tensor part = model.decoder.forward({o.ids.data() + at, size_t(count)}, *state, LogitsOf::kAll).cpu();
    std::copy_n(part.data<float>(), part.numel(), prefill.data<float>() + at * vocab);
    at += count;
  }
  Tensor ids = empty({o.decode}, DType::kI64), decode = empty({o.decode, vocab}, DType::kF32);
  int32_t next = argmax_row(prefill.data<float>() + (total - 1) * vocab, vocab);
  for (int64_t i = 0; i < o.decode; i++) {
    ids.data<int64_t>()[i] = next;
    Tensor row = model.decoder.forward({&next, 1}, *state).cpu();
    std::copy_n(row.data<float>(), vocab, decode.data<float>() + i * vocab);
    next = argmax_row(row.data<float>(), vocab);
  }
  write_safetensors(o.out, NamedTensors{{"prefill_logits", prefill}, {"decode_ids", ids}, {"decode_logits", decode}});
  return kOk;
}

}  // namespace

void add_logits(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("logits", "Write a model's logits to a safetensors file");
  c->add_option("model", o->model, "model folder or .gguf file")->required();
  c->add_option("--ids", o->ids, "token ids of the prompt, separated by commas")->delimiter(',')->required();
  c->add_option("--decode", o->decode, "then feed the likeliest token this many times")->capture_default_str();
  c->add_option("--chunk", o->chunk, "feed the prompt in pieces of this many tokens; 0: at once")
      ->capture_default_str();
  c->add_option("-o,--out", o->out, "prefill_logits [T, V], decode_ids [N], decode_logits [N, V]")->required();
  add_device_option(*c, o->device);
  add_threads_option(*c, o->threads);
  c->footer("Example:\n  ingot logits DIR --ids 1,2,3 --decode 8 --out logits.safetensors");
  c->callback([&work, o] { work = [o] { return run(*o); }; });
}

}  // namespace ingot::cli
