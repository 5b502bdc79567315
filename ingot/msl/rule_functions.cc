#include <algorithm>
#include <map>

#include "ingot/base/strings.h"
#include "ingot/msl/rules.h"

namespace ingot::msl {
namespace {

// The parameter types, once with and once without address spaces.
struct Overload {
  std::string with_spaces;
  std::string without;
};

Overload overload_of(const ParsedModule& module, const Function& function) {
  // Template parameters count by their place: their names tell no overloads apart.
  Replacements places;
  for (const std::string_view name : template_names(module, function.template_parameters))
    places.emplace(name, cat("template_", places.size()));
  const std::string templates = cat(places.size(), "(");
  Overload overload{templates, templates};
  for (const Parameter& parameter : function.parameters) {
    const DeclaredType& type = parameter.type;
    const bool indirect = type.stars > 0 || type.reference;
    const bool is_const = indirect && (type.const_element || type.space == "constant");
    const std::string shape = cat(is_const ? "const " : "", substitute(type.element, places),
                                  std::string(static_cast<size_t>(type.stars), '*'), type.reference ? "&" : "", ",");
    overload.with_spaces += cat(type.space, " ", shape);
    overload.without += shape;
  }
  return overload;
}

void check_overloads(const ParsedModule& module, Findings& findings) {
  std::map<std::string, std::string> seen;
  for (const Function& function : module.functions) {
    const Overload overload = overload_of(module, function);
    const auto [place, added] =
        seen.emplace(cat(function.scope_id, " ", function.name, overload.without), overload.with_spaces);
    if (!added && place->second != overload.with_spaces)
      findings.add(function.token, 7,
                   cat("overloads of '", function.name,
                       "' differ in address spaces only, which the simulator and CUDA do not see: make the pointer "
                       "type a template parameter"));
  }
}

// `constant float x = 1.0f;` in a body, but not `constant T* p`.
bool declares_constant(const ParsedModule& module, size_t i, size_t end) {
  const Token& last = module.tokens[i - 1];
  if (!last.is("{") && !last.is(";") && !last.is("}")) return false;
  for (i++; i < end; i++) {
    const Token& token = module.tokens[i];
    if (token.is("=") || token.is(";") || token.is("[")) return true;
    if (!token.is_name() && !token.is("::")) return false;
  }
  return false;
}

void check_locals(const ParsedModule& module, Findings& findings) {
  for (const Function& function : module.functions) {
    for (size_t i = function.body.begin; i < function.body.end; i++) {
      if (module.tokens[i].is("static"))
        findings.add(i, 9, "no static locals: a program-scope `constant`, or a plain local");
      else if (module.tokens[i].is("constant") && declares_constant(module, i, std::min(i + 16, function.body.end)))
        findings.add(i, 9, "`constant` variables stand at program scope: a plain const local here");
    }
  }
}

}  // namespace

void check_functions(const ParsedModule& module, Findings& findings) {
  check_overloads(module, findings);
  check_locals(module, findings);
}

}  // namespace ingot::msl
