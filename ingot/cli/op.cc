// ingot op: any operator from the shell, for bug reports and comparisons.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/io/tensor_io.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_table.h"

namespace ingot::cli {

namespace {

struct Options {
  std::string name, inputs, args = "{}", out, device = "cpu";
  bool list = false;
  int threads = 0;
};

OpArgs::Value value_of(const std::string& key, const nlohmann::json& j) {
  if (j.is_null()) return std::monostate{};
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<int64_t>();
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) return j.get<std::string>();
  if (j.is_array()) {
    bool integers = true, numbers = true;
    for (const auto& item : j) {
      integers = integers && item.is_number_integer();
      numbers = numbers && item.is_number();
    }
    if (integers) return j.get<std::vector<int64_t>>();
    if (numbers) return j.get<std::vector<double>>();
  }
  fail(ErrorKind::kArgument, "--args",
       cat("argument ", ingot::quoted(key), ": expected a number, text, true, false, null or a list of numbers"));
}

OpArgs parse_args(const std::string& text) {
  nlohmann::json j = nlohmann::json::parse(text, nullptr, false);
  if (j.is_discarded() || !j.is_object())
    fail(ErrorKind::kArgument, "--args", cat("expected a JSON object, got ", ingot::quoted(text)));
  OpArgs args;
  for (const auto& [key, value] : j.items()) args.set(key, value_of(key, value));
  return args;
}

int run(const Options& o) {
  if (o.list) {
    for (const auto& [key, entry] : op_table().all()) {
      printf("%s(", key.c_str());
      for (size_t i = 0; i < entry.arguments.size(); i++) printf("%s%s", i ? ", " : "", entry.arguments[i].c_str());
      puts(")");
    }
    return kOk;
  }
  if (o.name.empty() || o.inputs.empty() || o.out.empty())
    fail(ErrorKind::kArgument, "op", "give NAME, --inputs and --out, or --list");
  check_device(o.device);
  apply_threads(o.threads);
  SafetensorsFile file = SafetensorsFile::open(o.inputs);
  std::vector<Tensor> inputs;
  Device device = device_from_name(o.device);
  while (file.find(cat("in", inputs.size()))) inputs.push_back(to(load_tensor(file, cat("in", inputs.size())), device));
  std::vector<Tensor> outputs = call_op(o.name, inputs, parse_args(o.args));
  NamedTensors named;
  for (size_t i = 0; i < outputs.size(); i++) named.emplace_back(cat("out", i), to(outputs[i], kCpu));
  write_safetensors(o.out, named);
  return kOk;
}

}  // namespace

void add_op(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("op", "Run one operator on tensors from a file");
  c->add_option("name", o->name, "the operator, named as in PyTorch");
  c->add_option("--inputs", o->inputs, "safetensors file with in0, in1, ...");
  c->add_option("--args", o->args, "JSON object of arguments")->capture_default_str();
  c->add_option("-o,--out", o->out, "safetensors file for out0, out1, ...");
  c->add_flag("--list", o->list, "list the operators and their arguments");
  add_device_option(*c, o->device);
  add_threads_option(*c, o->threads);
  c->footer("Example:\n  ingot op softmax --inputs x.safetensors --args '{\"dim\": -1}' --out y.safetensors");
  c->callback([&work, o] { work = [o] { return run(*o); }; });
}

}  // namespace ingot::cli
