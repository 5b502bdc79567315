// The dialect's rules as far as they show in tokens and signatures; docs/kernels.md lists all 24 and who checks them.
#pragma once
#include <string>
#include <vector>

#include "ingot/msl/module.h"

namespace ingot::msl {

// Collects mistakes at tokens.
class Findings {
 public:
  explicit Findings(const ParsedModule& module) : module_(module) {}

  void add(size_t token, int rule, std::string message) {
    add_at(module_.tokens[token].begin, rule, std::move(message), false);
  }
  void add_house(size_t token, int rule, std::string message) {
    add_at(module_.tokens[token].begin, rule, std::move(message), true);
  }
  void add_at(size_t offset, int rule, std::string message, bool house) {
    found_.push_back({module_.source.at(offset), rule, std::move(message), house});
  }
  std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  const ParsedModule& module_;
  std::vector<Diagnostic> found_;
};

// Rules on single words and literals: 1, 3, 6, 9, 19, 20, 21, 24.
void check_words(const ParsedModule& module, Findings& findings);
// Rule 10 and what may be included.
void check_directives(const ParsedModule& module, Findings& findings);
// Rule 2: every pointer and reference names its address space; rule 1: no function pointers.
void check_pointers(const ParsedModule& module, Findings& findings);
// Rules on whole functions: 7 (overloads by address space), 9 (static locals).
void check_functions(const ParsedModule& module, Findings& findings);
// Rules on kernels and the structs they take: 13, 16, 20.
void check_kernels(const ParsedModule& module, Findings& findings);

// The two-, three- and four-letter swizzles that every compiler of kernels knows.
bool is_known_swizzle(std::string_view name);

}  // namespace ingot::msl
