#include "ingot/msl/signature.h"

#include <string_view>

#include "ingot/base/strings.h"

namespace ingot::msl {
namespace {

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += cat('\\', c);
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      constexpr std::string_view kHex = "0123456789abcdef";
      result += cat("\\u00", kHex[static_cast<unsigned char>(c) >> 4], kHex[static_cast<unsigned char>(c) & 15]);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string_view kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::kPointer:
      return "pointer";
    case ParameterKind::kValue:
      return "value";
    case ParameterKind::kThreadgroup:
      return "threadgroup";
    case ParameterKind::kBuiltin:
      return "builtin";
  }
  return "";
}

std::string to_json(const KernelParameter& parameter) {
  std::string text = cat("{\"name\": ", json_string(parameter.name), ", \"kind\": \"", kind_name(parameter.kind),
                         "\", \"element\": ", json_string(parameter.element));
  if (parameter.kind == ParameterKind::kBuiltin) return cat(text, ", \"builtin\": \"", parameter.builtin, "\"}");
  text += cat(", \"index\": ", parameter.index, ", \"space\": \"", parameter.space,
              "\", \"reference\": ", parameter.reference, ", \"written\": ", parameter.written);
  if (!parameter.optional_if.empty()) text += cat(", \"optional_if\": ", json_string(parameter.optional_if));
  return text + "}";
}

std::string to_json(const FunctionConstant& constant) {
  return cat("{\"index\": ", constant.index, ", \"type\": ", json_string(constant.type),
             ", \"name\": ", json_string(constant.name), "}");
}

template <class T>
std::string json_list(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += cat(&value == values.data() ? "" : ", ", to_json(value));
  return text + "]";
}

std::string to_json(const KernelSignature& kernel) {
  return cat("{\"host_name\": ", json_string(kernel.host_name), ", \"function\": ", json_string(kernel.function),
             ", \"file\": ", json_string(kernel.file), ", \"line\": ", kernel.line,
             ", \"max_threads\": ", kernel.max_threads, ", \"waits_for_inputs\": ", kernel.waits_for_inputs,
             ", \"parameters\": ", json_list(kernel.parameters),
             ", \"function_constants\": ", json_list(kernel.function_constants), "}");
}

}  // namespace

std::string to_json(const std::vector<KernelSignature>& signatures) {
  std::string text = "{\"kernels\": [";
  for (const KernelSignature& kernel : signatures)
    text += cat(&kernel == signatures.data() ? "\n" : ",\n", to_json(kernel));
  return text + "\n]}\n";
}

}  // namespace ingot::msl
