#include "ingot/msl/msl.h"

#include <algorithm>
#include <tuple>

#include "ingot/base/error.h"
#include "ingot/msl/include_inliner.h"
#include "ingot/msl/module.h"
#include "ingot/msl/rules.h"

namespace ingot::msl {
namespace {

// What can stand between the quotes of a #line directive.
std::string name_in_directives(std::string_view name) {
  std::string safe(name);
  for (char& c : safe) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  }
  return safe;
}

}  // namespace

Module read(std::string_view name, std::string_view text, const IncludeReader& reader) {
  auto module = std::make_shared<ParsedModule>();
  module->name = name_in_directives(name);
  module->source = inline_includes(module->name, text, reader);
  parse(*module);
  build_signatures(*module);
  return Module(std::move(module));
}

std::vector<Diagnostic> check(const Module& module, Rules rules) {
  const ParsedModule& parsed = module.parsed();
  Findings findings(parsed);
  check_words(parsed, findings);
  check_directives(parsed, findings);
  check_pointers(parsed, findings);
  check_functions(parsed, findings);
  check_kernels(parsed, findings);
  std::vector<Diagnostic> all = findings.take();
  all.insert(all.end(), parsed.problems.begin(), parsed.problems.end());
  if (rules == Rules::kPortable) std::erase_if(all, [](const Diagnostic& diagnostic) { return diagnostic.house; });
  std::stable_sort(all.begin(), all.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    // The file itself before its headers, each in the order of lines.
    const bool a_header = a.place.file != parsed.name;
    const bool b_header = b.place.file != parsed.name;
    if (a_header != b_header) return b_header;
    return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
  });
  return all;
}

const std::vector<KernelSignature>& signatures(const Module& module) { return module.parsed().signatures; }

std::string identifier_of(std::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!kept) c = '_';
  }
  return identifier;
}

}  // namespace ingot::msl
