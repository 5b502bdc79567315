// Whether `*` and `&` belong to a type is told from their neighbours: kernels are C++, but with types that are seldom
// elaborate.
#include <vector>

#include "ingot/base/strings.h"
#include "ingot/msl/rules.h"

namespace ingot::msl {
namespace {

bool names_space(std::string_view word) {
  return word == "device" || word == "constant" || word == "threadgroup" || word == "thread";
}

constexpr size_t kLongestType = 64;  // in tokens; keeps the walk back short in any text

class PointerCheck {
 public:
  PointerCheck(const ParsedModule& module, Findings& findings) : m_(module), t_(module.tokens), findings_(findings) {}

  void run() {
    find_blocks();
    parameter_.assign(t_.size(), false);
    for (const Function& function : m_.functions) {
      for (const Parameter& parameter : function.parameters) {
        declared(parameter.type, parameter.token, parameter.name);
        for (size_t i = parameter.type.tokens.begin; i < parameter.type.tokens.end; i++) parameter_[i] = true;
      }
      declared(read_type(m_, function.result), function.token, function.name);
    }
    for (const Struct& record : m_.structs) {
      for (const Member& member : record.members) declared(member.type, member.token, member.name);
    }
    for (size_t i = 1; i + 1 < t_.size(); i++) {
      if (t_[i].is("*") || t_[i].is("&")) star(i);
      if (t_[i].is("(")) function_pointer(i);
    }
  }

 private:
  bool is(size_t i, std::string_view what) const { return i < t_.size() && t_[i].is(what); }

  void missing(size_t token, std::string_view name) {
    std::string what = name.empty() ? std::string("pointer or reference") : cat("pointer or reference '", name, "'");
    findings_.add(token, 2, what + " has no address space: device, constant, threadgroup or, for locals, thread");
  }

  void declared(const DeclaredType& type, size_t token, std::string_view name) {
    if ((type.stars > 0 || type.reference) && type.space.empty() && !type.is_auto) missing(token, name);
  }

  // Which braces hold statements rather than the values of an initialiser.
  void find_blocks() {
    block_.assign(t_.size(), false);
    for (const Function& function : m_.functions) {
      if (!function.body.empty()) block_[function.body.begin] = true;
    }
    for (size_t i = 1; i < t_.size(); i++) {
      if (!t_[i].is("{") || block_[i]) continue;
      const Token& last = t_[i - 1];
      block_[i] = last.is(")") || last.is(";") || last.is("}") || last.is("else") || last.is("do") || last.is(":") ||
                  (last.is("{") && block_[i - 1]);
    }
  }

  // The first token of what may be a type that ends before token i.
  size_t type_begin(size_t i) const {
    const size_t limit = i > kLongestType ? i - kLongestType : 0;
    while (i > limit) {
      const Token& last = t_[i - 1];
      if (last.is_name() || last.is("::") || last.is("*") || last.is("&")) {
        i--;
      } else if (last.is(">")) {
        const size_t open = angle_begin(i - 1);
        if (open == i - 1) return i;
        i = open;
      } else {
        return i;
      }
    }
    return i;
  }

  // Where the < of this > stands, if only what types are made of stands between them; otherwise the > itself.
  size_t angle_begin(size_t close) const {
    int depth = 0;
    for (size_t i = close;; i--) {
      if (t_[i].is(">")) depth++;
      if (t_[i].is("<") && --depth == 0) return i;
      const bool type_like = t_[i].is_name() || t_[i].kind == TokenKind::kNumber || t_[i].is("::") || t_[i].is(",") ||
                             t_[i].is("*") || t_[i].is("<") || t_[i].is(">");
      if (!type_like || i == 0 || close - i > kLongestType) return close;
    }
  }

  bool in_declared_place(size_t begin) const {
    if (begin == 0) return false;
    const Token& last = t_[begin - 1];
    if (last.is(";") || last.is("}")) return true;
    if (last.is("{")) return block_[begin - 1];
    return last.is("(") && begin >= 2 && t_[begin - 2].is("for");
  }

  void star(size_t i) {
    const Token& last = t_[i - 1];
    const Token& next = t_[i + 1];
    if (last.is("operator") || (!last.is_name() && !last.is(">") && !last.is("*"))) return;
    if (last.is("return") || last.is("case") || last.is("else") || last.is("auto")) return;
    const size_t begin = type_begin(i);
    if (begin == i || t_[begin].is("return") || t_[begin].is("else") || t_[begin].is("using") ||
        t_[begin].is("operator"))
      return;
    // A star that nothing can be multiplied with ends a type: a cast, a template argument, sizeof.
    const bool ends_type = next.is(")") || next.is(">") || next.is("const");
    const bool declares = next.is_name() && in_declared_place(begin) && i + 2 < t_.size() &&
                          (is(i + 2, "=") || is(i + 2, ";") || is(i + 2, ",") || is(i + 2, "[") || is(i + 2, "{"));
    const bool aliases = next.is(";") || t_[begin].is("typedef");
    if (!ends_type && !declares && !aliases) return;
    for (size_t k = begin; k < i; k++) {
      if (names_space(t_[k].text) || t_[k].is("auto")) return;
    }
    if (parameter_[i]) return;
    missing(i, declares ? next.text : std::string_view());
  }

  // float (*f)(float)
  void function_pointer(size_t open) {
    size_t i = open + 1;
    while (i < t_.size() && names_space(t_[i].text)) i++;
    if (!is(i, "*") || !is(i + 2, ")") || !is(i + 3, "(") || open == 0) return;
    if (t_[open - 1].is_name() || t_[open - 1].is(">"))
      findings_.add(open, 1, "no function pointers: pass the function's type as a template parameter");
  }

  const ParsedModule& m_;
  const Tokens& t_;
  Findings& findings_;
  std::vector<bool> block_;      // braces that hold statements
  std::vector<bool> parameter_;  // tokens of parameters' types, which have been looked at as a whole
};

}  // namespace

void check_pointers(const ParsedModule& module, Findings& findings) { PointerCheck(module, findings).run(); }

}  // namespace ingot::msl
