// C++ for the simulator; ingot/msl/emitted.md shows the form.
#include "ingot/base/strings.h"
#include "ingot/msl/emit.h"

namespace ingot::msl {
namespace {

std::string rewritten(const ParsedModule& module) {
  Edits edits;
  erase_metal(module, edits);
  for (const ProgramConstant& constant : module.constants) {
    if (constant.function_constant >= 0)
      replace_tokens(module, {constant.begin, constant.end}, cat("static ", constant.type, " ", constant.name, ";"),
                     edits);
  }
  int number = 0;
  for (const ThreadgroupDeclaration& declaration : module.threadgroups) {
    std::string text;
    for (const ThreadgroupDeclaration::Variable& variable : declaration.variables)
      text += cat(text.empty() ? "" : " ", "auto& ", variable.name, " = ::msl_sim::tg_var<::msl_sim::id_t<",
                  module.spelled(declaration.type), ">", module.spelled(variable.dimensions), ">(", number++, ");");
    replace_tokens(module, declaration.tokens, text, edits);
  }
  for (const Token& token : module.tokens) {
    const Tokens words = token.kind == TokenKind::kDirective ? tokenize(token.text.substr(1)) : Tokens();
    if (words.size() > 1 && words[0].is("pragma") && words[1].is("unroll")) edits.replace(token.begin, token.end(), "");
  }
  return edits.apply(module.source.text());
}

std::string argument(const KernelParameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kBuiltin:
      return builtin_expression(parameter);
    case ParameterKind::kThreadgroup:
      return cat("(", pointee(parameter), "*)bi_.tg_arg(", parameter.index, ")");
    default:
      return cat(parameter.reference ? "*" : "", "(", pointee(parameter), "*)a_.buf[", parameter.index, "]");
  }
}

std::string table_row(const KernelParameter& parameter) {
  const char* kind = parameter.kind == ParameterKind::kValue         ? "kValue"
                     : parameter.kind == ParameterKind::kThreadgroup ? "kThreadgroup"
                                                                     : "kPointer";
  const bool sized = parameter.element != "void";
  const std::string bytes = sized ? cat("sizeof(", parameter.element, "), alignof(", parameter.element, ")") : "1, 1";
  return cat("  {\"", parameter.name, "\", msl_sim::ParamKind::", kind, ", ", parameter.index, ", ", parameter.written,
             ", ", !parameter.optional_if.empty(), ", ", bytes, "},\n");
}

std::string wrapper(const KernelSignature& kernel) {
  const std::string& host = kernel.host_name;
  std::string arguments;
  std::string rows;
  int count = 0;
  for (const KernelParameter& parameter : kernel.parameters) {
    arguments += cat(arguments.empty() ? "" : ", ", argument(parameter));
    if (parameter.kind == ParameterKind::kBuiltin) continue;
    rows += table_row(parameter);
    count++;
  }
  std::string constants;
  for (const FunctionConstant& constant : kernel.function_constants)
    constants += cat(" if (a_.fc[", constant.index, "].set) ", constant.name, " = (", constant.type, ")a_.fc[",
                     constant.index, "].v;");
  const std::string table =
      count == 0 ? "" : cat("static const msl_sim::Param params_", host, "[] = {\n", rows, "};\n");
  return cat("static void call_", host,
             "(const msl_sim::Args& a_, const msl_sim::Builtins& bi_) { (void)a_; (void)bi_; ", kernel.function, "(",
             arguments, "); }\n", "static void fc_", host, "(const msl_sim::Args& a_) { (void)a_;", constants, " }\n",
             table, "static const msl_sim::Register reg_", host, "(\"", host, "\", call_", host, ", fc_", host, ", ",
             kernel.max_threads == 0 ? 1024 : kernel.max_threads, ", ", count == 0 ? "nullptr" : cat("params_", host),
             ", ", count, ");\n");
}

}  // namespace

std::string emit_sim(const Module& module) {
  require_portable(module);
  const ParsedModule& parsed = module.parsed();
  const std::string id = identifier_of(parsed.name);
  std::string text =
      cat("#include \"msl_cpu.h\"\n#include \"msl_names.h\"\n#define kernel static\n#define MSL_GCONST static\n",
          "namespace metal { namespace msl_", id, " {\n#line 1 \"", parsed.name, "\"\n", rewritten(parsed),
          "#line 1 \"", id, ".wrappers\"\n");
  for (const KernelSignature& kernel : parsed.signatures) text += wrapper(kernel);
  return text + cat("}}\nnamespace msl_sim { void link_", id, "(); void link_", id, "() {} }\n");
}

}  // namespace ingot::msl
