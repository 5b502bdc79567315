// C++ for the strict check: address spaces stay and are real, declared by ingot/msl/strict/msl_strict.h.
#include <set>

#include "ingot/base/strings.h"
#include "ingot/msl/emit.h"

namespace ingot::msl {
namespace {

// All threadgroup variables that can be named here together fit into what a threadgroup has.
std::string memory_assertion(const ParsedModule& module, size_t last) {
  const ThreadgroupDeclaration& here = module.threadgroups[last];
  std::string sum;
  for (size_t i = 0; i <= last; i++) {
    const ThreadgroupDeclaration& other = module.threadgroups[i];
    const bool visible = other.function == here.function && module.partners[other.block] > here.tokens.begin;
    for (size_t k = 0; visible && k < other.variables.size(); k++) sum += cat(sum.empty() ? "" : " + ", "sizeof(", other.variables[k].name, ")");
  }
  return cat(" static_assert(", sum, " <= 32768, \"rule 15: threadgroup variables of a kernel have 32 KiB at most\");");
}

std::string rewritten(const ParsedModule& module) {
  Edits edits;
  for (const AttributeGroup& group : module.attributes) replace_tokens(module, group.range, "", edits);
  for (const ProgramConstant& constant : module.constants) {
    if (constant.function_constant >= 0)
      replace_tokens(module, {constant.begin, constant.end},
                     cat("constant ", constant.type, " ", constant.name, " = ::msl_strict::AnyConstant();"), edits);
  }
  for (size_t i = 0; i < module.threadgroups.size(); i++) {
    const Range tokens = module.threadgroups[i].tokens;
    const size_t begin = module.tokens[tokens.begin].begin;
    const size_t end = module.tokens[tokens.end - 1].end();
    edits.replace(begin, begin, "static ");
    edits.replace(end, end, memory_assertion(module, i));
  }
  return edits.apply(module.source.text());
}

std::string size_assertions(const ParsedModule& module) {
  std::string text;
  std::set<std::string_view> done;
  for (const Function& function : module.functions) {
    if (!function.is_kernel || function.scope != Scope::kProgram) continue;
    for (const Parameter& parameter : function.parameters) {
      if (parameter.type.space != "constant" || !parameter.type.reference || !done.insert(parameter.type.element).second) continue;
      for (const Struct& record : module.structs) {
        if (record.name != parameter.type.element || record.is_template) continue;
        const Place place = module.place(record.token);
        text += cat("#line ", place.line, " \"", place.file, "\"\nstatic_assert(sizeof(", record.name, ") % 8 == 0, ",
                    "\"rule 13: pad the parameter struct to a multiple of 8 bytes\");\n");
        break;
      }
    }
  }
  return text;
}

}  // namespace

std::string emit_strict(const Module& module) {
  require_portable(module);
  const ParsedModule& parsed = module.parsed();
  return cat("#include <metal_stdlib>\nnamespace checked_kernels {\n#line 1 \"", parsed.name, "\"\n", rewritten(parsed),
             size_assertions(parsed), "}\n");
}

}  // namespace ingot::msl
