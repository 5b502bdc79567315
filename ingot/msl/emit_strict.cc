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
    for (size_t k = 0; visible && k < other.variables.size(); k++)
      sum += cat(sum.empty() ? "" : " + ", "sizeof(", other.variables[k].name, ")");
  }
  return cat("static_assert(", sum, " <= 32768, \"rule 15: threadgroup variables of a kernel have 32 KiB at most\");");
}

// float4 -> "::metal::make_<float, 4>::of"; empty for any other word.
std::string constructor_of(std::string_view word) {
  constexpr std::string_view kElements[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                            "uint", "long", "ulong", "half",  "bfloat", "float"};
  const char length = word.empty() ? '\0' : word.back();
  if (length != '2' && length != '3' && length != '4') return "";
  for (const std::string_view element : kElements) {
    if (word.size() == element.size() + 1 && word.starts_with(element))
      return cat("::metal::make_<", element, ", ", length, ">::of");
  }
  return "";
}

// clang has no constructors for its vector types, so that float4(...) calls a function instead.
void call_constructors(const Tokens& tokens, size_t offset, Edits& edits) {
  for (size_t i = 0; i + 1 < tokens.size(); i++) {
    const bool called = tokens[i].is_name() && tokens[i + 1].is("(") && (i == 0 || !tokens[i - 1].is("operator"));
    std::string constructor = called ? constructor_of(tokens[i].text) : "";
    if (!constructor.empty()) edits.replace(offset + tokens[i].begin, offset + tokens[i].end(), std::move(constructor));
  }
}

std::string rewritten(const ParsedModule& module) {
  Edits edits;
  call_constructors(module.tokens, 0, edits);
  for (const Token& token : module.tokens) {
    const Tokens words = token.kind == TokenKind::kDirective ? tokenize(token.text.substr(1)) : Tokens();
    if (words.size() > 2 && words[0].is("define")) call_constructors(words, token.begin + 1, edits);
  }
  for (const AttributeGroup& group : module.attributes) replace_tokens(module, group.range, "", edits);
  for (const ProgramConstant& constant : module.constants) {
    if (constant.function_constant >= 0)
      replace_tokens(module, {constant.begin, constant.end},
                     cat("constant ", constant.type, " ", constant.name, " = ::msl_strict::AnyConstant();"), edits);
  }
  for (size_t i = 0; i < module.threadgroups.size(); i++) {
    const Range tokens = module.threadgroups[i].tokens;
    std::string text;
    for (const ThreadgroupDeclaration::Variable& variable : module.threadgroups[i].variables)
      text += cat("auto& ", variable.name, " = ::msl_strict::threadgroup_variable<threadgroup ",
                  module.spelled(module.threadgroups[i].type), module.spelled(variable.dimensions), ">(); ");
    replace_tokens(module, tokens, text + memory_assertion(module, i), edits);
  }
  return edits.apply(module.source.text());
}

// The dialect's rules count what literals tell; the rest is clang's.
bool has_named_length(const ParsedModule& module, const Struct& record) {
  for (const Member& member : record.members) {
    if (!element_count(module, member.dimensions)) return true;
  }
  return false;
}

std::string size_assertions(const ParsedModule& module) {
  std::string text;
  std::set<std::string_view> done;
  for (const Function& function : module.functions) {
    if (!function.is_kernel || function.scope != Scope::kProgram) continue;
    for (const Parameter& parameter : function.parameters) {
      if (parameter.type.space != "constant" || !parameter.type.reference ||
          !done.insert(parameter.type.element).second)
        continue;
      for (const Struct& record : module.structs) {
        if (record.name != parameter.type.element || record.is_template || !has_named_length(module, record)) continue;
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
