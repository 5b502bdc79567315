// CUDA text for NVRTC; ingot/msl/emitted.md shows the form.
#include <map>

#include "ingot/base/strings.h"
#include "ingot/msl/emit.h"

namespace ingot::msl {
namespace {

std::string rewritten(const ParsedModule& module) {
  Edits edits;
  // Before erase_metal, since the first of two edits of one word holds.
  for (const ThreadgroupDeclaration& declaration : module.threadgroups)
    replace_tokens(module, {declaration.tokens.begin, declaration.tokens.begin + 1}, "__shared__", edits);
  erase_metal(module, edits);
  for (const ProgramConstant& constant : module.constants) {
    if (constant.function_constant >= 0)
      replace_tokens(module, {constant.begin, constant.end},
                     cat("MSL_FC(", constant.function_constant, ", ", constant.type, ", ", constant.name, ")"), edits);
  }
  return edits.apply(module.source.text());
}

// The entry's own names: a parameter may be called what a kernel or a type is called.
std::string buffer_name(const KernelParameter& parameter) { return cat("b", parameter.index, "_"); }

std::string argument(const KernelParameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kBuiltin:
      return builtin_expression(parameter);
    case ParameterKind::kThreadgroup:
      return cat("(", pointee(parameter), "*)(msl_dyn_smem + off", parameter.index, ")");
    default:
      return cat(parameter.reference && parameter.kind == ParameterKind::kPointer ? "*" : "", buffer_name(parameter));
  }
}

std::string wrapper(const KernelSignature& kernel, const std::string& id) {
  std::map<int, std::string> buffers;
  std::map<int, std::string> offsets;
  std::string arguments;
  for (const KernelParameter& parameter : kernel.parameters) {
    arguments += cat(arguments.empty() ? "" : ", ", argument(parameter));
    if (parameter.kind == ParameterKind::kPointer)
      buffers[parameter.index] = cat(pointee(parameter), "* ", buffer_name(parameter));
    if (parameter.kind == ParameterKind::kValue)
      buffers[parameter.index] = cat("const __grid_constant__ ", parameter.element, " ", buffer_name(parameter));
    if (parameter.kind == ParameterKind::kThreadgroup) offsets[parameter.index] = cat("unsigned off", parameter.index);
  }
  std::string declared;
  for (const auto& list : {buffers, offsets}) {
    for (const auto& [index, text] : list) declared += cat(declared.empty() ? "" : ", ", text);
  }
  const std::string bounds = kernel.max_threads == 0 ? "" : cat("__launch_bounds__(", kernel.max_threads, ") ");
  const char* shared = offsets.empty() ? "" : "extern __shared__ __align__(16) unsigned char msl_dyn_smem[]; ";
  return cat("extern \"C\" __global__ void ", bounds, kernel.host_name, "(", declared, ") {\n  ", shared,
             "msl_cuda::Builtins bi_; (void)bi_; ", "msl_", id, "::", kernel.function, "(", arguments, "); }\n");
}

}  // namespace

std::string emit_cuda(const Module& module) {
  require_portable(module);
  const ParsedModule& parsed = module.parsed();
  const std::string id = identifier_of(parsed.name);
  const std::string open = cat("namespace metal { namespace msl_", id, " {");
  std::string text = cat("#include \"msl_cuda.h\"\n#include \"msl_names.h\"\nMSL_TEXT_BEGIN\n", open, "\n#line 1 \"",
                         parsed.name, "\"\n", rewritten(parsed), "}}\nMSL_TEXT_END\n", open,
                         " namespace entries {\n#line 1 \"", id, ".wrappers\"\n");
  for (const KernelSignature& kernel : parsed.signatures) text += wrapper(kernel, id);
  return text + "}}}\n";
}

}  // namespace ingot::msl
