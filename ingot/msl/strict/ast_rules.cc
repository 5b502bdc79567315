#include "ingot/msl/strict/ast_rules.h"

#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "ingot/base/error.h"

namespace ingot::msl {
namespace {

using simdjson::dom::element;

// From offsets in the strict text to places in the kernel's files, by its #line directives.
class LineMap {
 public:
  explicit LineMap(std::string_view text) {
    Place place{"", 1};
    size_t begin = 0;
    while (begin <= text.size()) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = text.substr(begin, end - begin);
      begins_.push_back(begin);
      places_.push_back(place);
      place.line++;
      if (line.starts_with("#line ")) {
        const size_t quote = line.find('"');
        place = {std::string(line.substr(quote + 1, line.rfind('"') - quote - 1)),
                 std::stoi(std::string(line.substr(6)))};
      }
      begin = end + 1;
    }
  }

  Place at(size_t offset) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
    return places_[static_cast<size_t>(after - begins_.begin()) - 1];
  }

 private:
  std::vector<size_t> begins_;
  std::vector<Place> places_;
};

std::string_view text_of(element node, const char* key) {
  std::string_view value;
  return node[key].get(value) == simdjson::SUCCESS ? value : std::string_view();
}

std::string_view type_of(element node, const char* key = "type") {
  element type;
  if (node[key].get(type) != simdjson::SUCCESS) return {};
  const std::string_view desugared = text_of(type, "desugaredQualType");
  return desugared.empty() ? text_of(type, "qualType") : desugared;
}

bool is_bfloat(std::string_view type) {
  return type.find("__bf16") != type.npos && type.find("vector") == type.npos && type.find('*') == type.npos;
}

class TreeCheck {
 public:
  explicit TreeCheck(const LineMap& lines) : lines_(lines) {}

  void walk(element node, size_t offset, std::string_view function) {
    offset = begin_of(node, offset);
    const std::string_view kind = text_of(node, "kind");
    if (kind == "FunctionDecl" || kind == "CXXMethodDecl") {
      function = text_of(node, "id");
      names_[function] = text_of(node, "name");
      const std::string_view earlier = text_of(node, "previousDecl");
      if (!earlier.empty()) first_[function] = earlier;
    }
    cast(node, kind, offset);
    if (kind == "CompoundAssignOperator" && is_bfloat(type_of(node)) && !is_bfloat(type_of(node, "computeResultType")))
      implicit_bfloat(offset);
    called(node, kind, offset, function);
    simdjson::dom::array inner;
    if (node["inner"].get(inner) != simdjson::SUCCESS) return;
    for (element child : inner) walk(child, offset, function);
  }

  std::vector<Diagnostic> take() {
    find_recursion();
    std::vector<Diagnostic> diagnostics;
    for (const auto& [file, line, rule, message] : found_) diagnostics.push_back({{file, line}, rule, message});
    return diagnostics;
  }

 private:
  struct Call {
    std::string_view callee;
    size_t offset;
    bool operator<(const Call& other) const { return std::tie(offset, callee) < std::tie(other.offset, other.callee); }
  };

  void found(size_t offset, int rule, std::string message) {
    const Place place = lines_.at(offset);
    found_.insert({place.file, place.line, rule, std::move(message)});
  }

  void implicit_bfloat(size_t offset) {
    found(offset, 4, "implicit conversion to bfloat, which Metal refuses: write bfloat(x)");
  }

  // Where the node begins in the main file; what comes from a macro begins where that is used.
  static size_t begin_of(element node, size_t fallback) {
    element begin, expansion;
    if (node["range"]["begin"].get(begin) != simdjson::SUCCESS) return fallback;
    if (begin["expansionLoc"].get(expansion) == simdjson::SUCCESS) begin = expansion;
    uint64_t offset = 0;
    return begin["offset"].get(offset) == simdjson::SUCCESS ? offset : fallback;
  }

  void cast(element node, std::string_view kind, size_t offset) {
    const std::string_view cast = text_of(node, "castKind");
    if (cast.empty()) return;
    const bool implicit = kind == "ImplicitCastExpr";
    bool part_of_explicit = false;
    if (node["isPartOfExplicitCast"].get(part_of_explicit) != simdjson::SUCCESS) part_of_explicit = false;
    if (implicit && !part_of_explicit && (cast == "FloatingCast" || cast == "IntegralToFloating") &&
        is_bfloat(type_of(node)))
      implicit_bfloat(offset);
    if (!implicit && cast == "AddressSpaceConversion")
      found(offset, 2, "cast between address spaces: copy the value through a variable instead");
  }

  void called(element node, std::string_view kind, size_t offset, std::string_view function) {
    if (function.empty()) return;
    if (kind == "MemberExpr") calls_[function].insert({text_of(node, "referencedMemberDecl"), offset});
    element declaration;
    if (kind != "DeclRefExpr" || node["referencedDecl"].get(declaration) != simdjson::SUCCESS) return;
    const std::string_view declared = text_of(declaration, "kind");
    if (declared == "FunctionDecl" || declared == "CXXMethodDecl")
      calls_[function].insert({text_of(declaration, "id"), offset});
  }

  // A function's first declaration stands for all of them.
  std::string_view first_declaration(std::string_view id) const {
    for (auto earlier = first_.find(id); earlier != first_.end(); earlier = first_.find(id)) id = earlier->second;
    return id;
  }

  void find_recursion() {
    std::map<std::string_view, std::set<Call>> merged;
    for (const auto& [function, calls] : calls_) {
      for (const Call& call : calls)
        merged[first_declaration(function)].insert({first_declaration(call.callee), call.offset});
    }
    calls_ = std::move(merged);
    for (const auto& [function, calls] : calls_) {
      std::set<std::string_view> seen;
      if (reaches(function, function, seen))
        found(calls.begin()->offset, 1, cat("recursion through '", names_[function], "': use a loop"));
    }
  }

  bool reaches(std::string_view from, std::string_view target, std::set<std::string_view>& seen) const {
    const auto calls = calls_.find(from);
    if (calls == calls_.end()) return false;
    for (const Call& call : calls->second) {
      if (call.callee == target) return true;
      if (seen.insert(call.callee).second && reaches(call.callee, target, seen)) return true;
    }
    return false;
  }

  const LineMap& lines_;
  std::set<std::tuple<std::string, int, int, std::string>> found_;
  std::map<std::string_view, std::set<Call>> calls_;
  std::map<std::string_view, std::string_view> names_;
  std::map<std::string_view, std::string_view> first_;  // id -> id of the declaration before
};

}  // namespace

std::vector<Diagnostic> check_syntax_tree(std::string_view strict_text, std::string_view tree) {
  const LineMap lines(strict_text);
  TreeCheck check(lines);
  // clang prints "Dumping checked_kernels:" before the one namespace of that name.
  const simdjson::padded_string document(tree.substr(std::min(tree.find('{'), tree.size())));
  simdjson::dom::parser parser;  // owns the text that the check's views point into
  if (parser.allocate(document.size(), 8192) != simdjson::SUCCESS)
    fail(ErrorKind::kMemory, "metal-check", "syntax tree too large");
  element root;
  if (parser.parse(document).get(root) != simdjson::SUCCESS)
    fail(ErrorKind::kFormat, "metal-check", "clang's syntax tree cannot be read");
  check.walk(root, 0, {});
  return check.take();
}

}  // namespace ingot::msl
