#include <string_view>

#include "ingot/base/strings.h"
#include "ingot/msl/rules.h"

namespace ingot::msl {
namespace {

constexpr std::string_view kLibrary[] = {
    "metal_stdlib", "metal_atomic", "metal_common",    "metal_compute",          "metal_integer",
    "metal_limits", "metal_math",   "metal_simdgroup", "metal_simdgroup_matrix", "metal_type_traits"};

bool is_library_header(const Tokens& words) {
  if (words.size() != 4 || !words[1].is("<") || !words[3].is(">")) return false;
  for (const std::string_view header : kLibrary) {
    if (words[2].is(header)) return true;
  }
  return false;
}

// Macros may give names to numbers and expressions; they may not write what the translator has to see.
void check_define(size_t token, const Tokens& words, Findings& findings) {
  for (size_t i = 2; i < words.size(); i++) {
    const bool attribute = words[i].is("[") && i + 1 < words.size() && words[i + 1].is("[");
    if (attribute || words[i].is("kernel") || words[i].is("threadgroup") || words[i].is("template") ||
        words[i].is("host_name"))
      return findings.add(token, 10,
                          cat("macro '", words[1].text, "' writes a declaration ('", attribute ? "[[" : words[i].text,
                              "'): kernels, attributes, instantiations and threadgroup variables are written out"));
    if (words[i].is("#")) return findings.add(token, 10, cat("macro '", words[1].text, "' uses #: write the text out"));
  }
}

}  // namespace

void check_directives(const ParsedModule& module, Findings& findings) {
  for (size_t i = 0; i < module.tokens.size(); i++) {
    if (module.tokens[i].kind != TokenKind::kDirective) continue;
    const Tokens words = tokenize(module.tokens[i].text.substr(1));
    if (words.empty()) continue;
    if (words[0].is("include") && !is_library_header(words))
      findings.add(i, 10, "only Metal's own <metal_stdlib>, <metal_math>, ... and headers in quotes can be included");
    if (words[0].is("define") && words.size() > 1) check_define(i, words, findings);
  }
}

}  // namespace ingot::msl
