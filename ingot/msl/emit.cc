#include "ingot/msl/emit.h"

#include "ingot/base/error.h"
#include "ingot/msl/builtins.h"

namespace ingot::msl {
namespace {

// Headers whose names the portable headers define themselves.
bool is_given_by_portable_headers(std::string_view file) {
  for (const char* known : {"ingot/msl/tile.h", "ingot/msl/wait_inputs.h"}) {
    if (file == known || file.ends_with(cat("/", known))) return true;
  }
  return false;
}

bool has_kernel(const AttributeGroup& group) {
  for (const Attribute& attribute : group.attributes) {
    if (attribute.name == "kernel") return true;
  }
  return false;
}

// device, thread and threadgroup vanish; constant is const, unless that stands beside it.
void erase_spaces(const Tokens& tokens, size_t offset, Edits& edits) {
  for (size_t i = 0; i < tokens.size(); i++) {
    const Token& token = tokens[i];
    const bool vanishes = token.is("device") || token.is("thread") || token.is("threadgroup");
    if (!vanishes && !token.is("constant")) continue;
    const bool doubled = (i > 0 && tokens[i - 1].is("const")) || (i + 1 < tokens.size() && tokens[i + 1].is("const"));
    edits.replace(offset + token.begin, offset + token.end(), vanishes || doubled ? "" : "const");
  }
}

// 2.0h is a literal of Metal's own.
void replace_half_literals(const Tokens& tokens, size_t offset, Edits& edits) {
  for (const Token& token : tokens) {
    const char last = token.text.back();
    const bool half = token.kind == TokenKind::kNumber && (last == 'h' || last == 'H');
    if (half)
      edits.replace(offset + token.begin, offset + token.end(),
                    cat("half(", token.text.substr(0, token.text.size() - 1), "f)"));
  }
}

void erase_in_directive(const Token& directive, Edits& edits) {
  const Tokens words = tokenize(directive.text.substr(1));
  if (words.empty()) return;
  if (words[0].is("define")) {
    erase_spaces(words, directive.begin + 1, edits);
    replace_half_literals(words, directive.begin + 1, edits);
  }
  if (words[0].is("pragma") && words.size() > 1 && words[1].is("METAL"))
    edits.replace(directive.begin, directive.end(), "");
}

}  // namespace

void require_portable(const Module& module) {
  const std::vector<Diagnostic> found = check(module, Rules::kPortable);
  if (!found.empty()) throw Error(ErrorKind::kFormat, to_text(found.front()));
}

void replace_tokens(const ParsedModule& module, Range range, std::string text, Edits& edits) {
  edits.replace(module.tokens[range.begin].begin, module.tokens[range.end - 1].end(), std::move(text));
}

void erase_metal(const ParsedModule& module, Edits& edits) {
  for (const SourceText::Included& included : module.source.included()) {
    if (is_given_by_portable_headers(included.file)) edits.replace(included.begin, included.end, "");
  }
  for (const Instantiation& instantiation : module.instantiations)
    replace_tokens(module, instantiation.tokens, "", edits);
  for (const AttributeGroup& group : module.attributes)
    replace_tokens(module, group.range, has_kernel(group) ? "kernel" : "", edits);
  for (const ProgramConstant& constant : module.constants) {
    if (constant.function_constant >= 0) continue;
    const size_t begin = module.tokens[constant.begin].begin;
    edits.replace(begin, begin, "MSL_GCONST ");
    for (size_t i = constant.begin; i < constant.space; i++) {
      if (module.tokens[i].is("static")) replace_tokens(module, {i, i + 1}, "", edits);
    }
  }
  erase_spaces(module.tokens, 0, edits);
  replace_half_literals(module.tokens, 0, edits);
  for (const Token& token : module.tokens) {
    if (token.kind == TokenKind::kDirective) erase_in_directive(token, edits);
  }
}

std::string builtin_expression(const KernelParameter& parameter) {
  const Builtin& builtin = *find_builtin(parameter.builtin);
  const std::string call = cat("bi_.", builtin.call, "()");
  if (!builtin.is_position) return cat(parameter.element, "(", call, ")");
  std::string arguments = call + ".x";
  const int dimensions = position_dimensions(parameter.element);
  if (dimensions > 1) arguments += ", " + call + ".y";
  if (dimensions > 2) arguments += ", " + call + ".z";
  return cat(parameter.element, "(", arguments, ")");
}

std::string pointee(const KernelParameter& parameter) {
  return cat(parameter.written ? "" : "const ", parameter.element);
}

}  // namespace ingot::msl
