#include "ingot/device/cuda/signature_json.h"

#include <charconv>

#include "ingot/base/error.h"

namespace ingot::cuda {
namespace {

using msl::FunctionConstant;
using msl::KernelParameter;
using msl::KernelSignature;
using msl::ParameterKind;

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // The values of an object, each read by member(key).
  template <class Member>
  void object(Member member) {
    expect('{');
    for (bool first = true; !accept('}'); first = false) {
      if (!first) expect(',');
      const std::string key = string();
      expect(':');
      member(key);
    }
  }
  template <class T, class Read>
  std::vector<T> list(Read read) {
    std::vector<T> values;
    expect('[');
    while (!accept(']')) {
      if (!values.empty()) expect(',');
      values.push_back(read());
    }
    return values;
  }
  std::string string() {
    expect('"');
    std::string value;
    while (true) {
      const char c = next();
      if (c == '"') return value;
      value += c == '\\' ? escaped() : c;
    }
  }
  int number() {
    skip_space();
    int value = 0;
    const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail_at("a number");
    rest_.remove_prefix(size_t(stop - rest_.data()));
    return value;
  }
  bool boolean() {
    skip_space();
    for (const std::string_view word : {"true", "false"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "true";
    }
    fail_at("true or false");
  }
  [[noreturn]] void fail_at(std::string_view expected) const {
    fail(ErrorKind::kFormat, "kernel signatures", cat("expected ", expected, " before ", quoted(rest_, 40)));
  }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }
  bool accept(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail_at(std::string_view(&c, 1));
  }
  char next() {
    if (rest_.empty()) fail_at("more text");
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }
  char escaped() {  // what stands after a backslash: " \ or u00XX
    const char c = next();
    if (c != 'u') return c;
    unsigned code = 0;
    const auto [stop, error] =
        std::from_chars(rest_.data(), rest_.data() + std::min<size_t>(4, rest_.size()), code, 16);
    if (error != std::errc{} || stop != rest_.data() + 4 || code > 0xff) fail_at("four digits");
    rest_.remove_prefix(4);
    return char(code);
  }

  std::string_view rest_;
};

ParameterKind kind_from(const std::string& name, const Reader& reader) {
  if (name == "pointer") return ParameterKind::kPointer;
  if (name == "value") return ParameterKind::kValue;
  if (name == "threadgroup") return ParameterKind::kThreadgroup;
  if (name == "builtin") return ParameterKind::kBuiltin;
  reader.fail_at("a kind of parameter");
}

KernelParameter read_parameter(Reader& reader) {
  KernelParameter parameter;
  reader.object([&](const std::string& key) {
    if (key == "name") return void(parameter.name = reader.string());
    if (key == "kind") return void(parameter.kind = kind_from(reader.string(), reader));
    if (key == "index") return void(parameter.index = reader.number());
    if (key == "space") return void(parameter.space = reader.string());
    if (key == "element") return void(parameter.element = reader.string());
    if (key == "reference") return void(parameter.reference = reader.boolean());
    if (key == "written") return void(parameter.written = reader.boolean());
    if (key == "builtin") return void(parameter.builtin = reader.string());
    if (key == "optional_if") return void(parameter.optional_if = reader.string());
    reader.fail_at("another key than " + key);
  });
  return parameter;
}

FunctionConstant read_constant(Reader& reader) {
  FunctionConstant constant;
  reader.object([&](const std::string& key) {
    if (key == "index") return void(constant.index = reader.number());
    if (key == "type") return void(constant.type = reader.string());
    if (key == "name") return void(constant.name = reader.string());
    reader.fail_at("another key than " + key);
  });
  return constant;
}

KernelSignature read_signature(Reader& reader) {
  KernelSignature kernel;
  reader.object([&](const std::string& key) {
    if (key == "host_name") return void(kernel.host_name = reader.string());
    if (key == "function") return void(kernel.function = reader.string());
    if (key == "file") return void(kernel.file = reader.string());
    if (key == "line") return void(kernel.line = reader.number());
    if (key == "max_threads") return void(kernel.max_threads = reader.number());
    if (key == "waits_for_inputs") return void(kernel.waits_for_inputs = reader.boolean());
    if (key == "parameters") {
      return void(kernel.parameters = reader.list<KernelParameter>([&] { return read_parameter(reader); }));
    }
    if (key == "function_constants") {
      return void(kernel.function_constants = reader.list<FunctionConstant>([&] { return read_constant(reader); }));
    }
    reader.fail_at("another key than " + key);
  });
  return kernel;
}

}  // namespace

std::vector<KernelSignature> signatures_from_json(std::string_view text) {
  Reader reader(text);
  std::vector<KernelSignature> kernels;
  reader.object([&](const std::string& key) {
    if (key != "kernels") reader.fail_at("kernels");
    kernels = reader.list<KernelSignature>([&] { return read_signature(reader); });
  });
  return kernels;
}

}  // namespace ingot::cuda
