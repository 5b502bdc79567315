#include "ingot/msl/strict/strict_check.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ingot/base/error.h"
#include "ingot/msl/strict/ast_rules.h"

namespace ingot::msl {
namespace {

// What clang finds wrong is often better said in the dialect's terms.
struct Hint {
  std::string_view part;
  std::string_view advice;
};
constexpr Hint kHints[] = {
    {"but method is not marked",
     "rule 8: no member functions on device, constant or threadgroup objects, read their members"},
    {"cannot initialize object parameter",
     "rule 8: no member functions on device, constant or threadgroup objects, read their members"},
    {"no matching constructor for initialization",
     "rule 8: structs in device, constant or threadgroup memory are not copied whole, read their members"},
    {"no viable overloaded '='",
     "rule 8: structs in device, constant or threadgroup memory are not copied whole, assign their members"},
    {"changes address space", "rule 2: the pointer has to name the address space of what it points at"},
    {"with an rvalue of type", "rule 2 or 6: convert explicitly, keep the address space"},
    {"incompatible type", "rule 6: convert vectors by name: half4(x)"},
};

std::string shell_quoted(std::string_view text) {
  std::string quoted_text = "'";
  for (const char c : text) quoted_text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted_text + "'";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(ErrorKind::kIo, "metal-check", cat("cannot read ", quoted(path, 4096)));
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

// "file:3:5: error: ... 'checked_kernels::P'" without the column and the namespace that the author never wrote.
std::string tidied(std::string line) {
  constexpr std::string_view kNamespace = "checked_kernels::";
  for (size_t at = line.find(kNamespace); at != line.npos; at = line.find(kNamespace))
    line.erase(at, kNamespace.size());
  for (const Hint& hint : kHints) {
    if (line.find(" error: ") != line.npos && line.find(hint.part) != line.npos)
      return cat(line, " [", hint.advice, "]");
  }
  return line;
}

std::vector<std::string> mistakes_of(const std::string& messages) {
  std::vector<std::string> mistakes;
  size_t begin = 0;
  while (begin < messages.size()) {
    const size_t end = std::min(messages.find('\n', begin), messages.size());
    std::string line = messages.substr(begin, end - begin);
    const bool told = line.find(" error: ") != line.npos || line.find("note: in instantiation") != line.npos;
    if (told) mistakes.push_back(tidied(std::move(line)));
    begin = end + 1;
  }
  return mistakes;
}

}  // namespace

std::vector<std::string> strict_check(const StrictCheck& tools, const Module& module, std::string_view standard) {
  std::vector<std::string> mistakes;
  for (const Diagnostic& diagnostic : check(module)) mistakes.push_back(to_text(diagnostic));
  if (!check(module, Rules::kPortable).empty()) return mistakes;

  const std::string text = emit_strict(module);
  const std::string source = tools.scratch + "/kernel.strict.cc";
  const std::string tree = tools.scratch + "/tree.json";
  const std::string messages = tools.scratch + "/messages.txt";
  std::ofstream(source, std::ios::binary) << text;
  const std::string command = cat(
      shell_quoted(tools.clang), " -std=", standard,
      " -fsyntax-only -Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter -Wno-undefined-internal "
      "-Wno-undefined-inline"
      " -Wno-sign-compare -Wno-unknown-pragmas -Wc++17-extensions -fno-lax-vector-conversions -fno-exceptions -fno-rtti"
      " -ferror-limit=0 -Xclang -ast-dump=json -Xclang -ast-dump-filter=checked_kernels -isystem ",
      shell_quoted(tools.headers), " ", shell_quoted(source), " >", shell_quoted(tree), " 2>", shell_quoted(messages));
  const int status = std::system(command.c_str());
  const bool ran = WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 1);
  if (!ran) fail(ErrorKind::kIo, "metal-check", cat("clang did not run: ", read_file(messages)));
  for (std::string& line : mistakes_of(read_file(messages))) mistakes.push_back(std::move(line));
  if (WEXITSTATUS(status) == 1 && mistakes.empty())
    fail(ErrorKind::kIo, "metal-check", cat("clang failed: ", read_file(messages)));
  for (const Diagnostic& diagnostic : check_syntax_tree(text, read_file(tree))) mistakes.push_back(to_text(diagnostic));
  return mistakes;
}

}  // namespace ingot::msl
