#include "ingot/msl/body_parser.h"

#include <algorithm>

#include "ingot/base/strings.h"
#include "ingot/msl/module.h"

namespace ingot::msl {
namespace {

constexpr size_t kMostThreadgroupDeclarations = 256;

class BodyParser {
 public:
  BodyParser(ParsedModule& module, size_t function)
      : m_(module), t_(module.tokens), function_(function), body_(module.functions[function].body) {}

  void run() {
    std::vector<size_t> blocks;
    for (size_t i = body_.begin; i < body_.end; i++) {
      if (t_[i].is("{")) blocks.push_back(i);
      if (t_[i].is("}")) blocks.pop_back();
      if (t_[i].is("threadgroup") && !is_attribute(i) && !qualifies_pointer(i)) i = declaration(i, blocks.back());
    }
  }

 private:
  void problem(size_t token, std::string message) { m_.problems.push_back({m_.place(token), 15, std::move(message)}); }
  bool is(size_t i, std::string_view what) const { return i < t_.size() && t_[i].is(what); }
  bool is_attribute(size_t i) const { return is(i + 1, "("); }

  // threadgroup T* or threadgroup T&: a pointer's address space, not a variable's.
  bool qualifies_pointer(size_t i) const {
    const size_t limit = std::min(body_.end, i + 64);
    for (i++; i < limit; i++) {
      if (is(i, "*") || is(i, "&")) return true;
      if (is(i, "<")) {
        const size_t close = match_angle(m_, i, body_.end);
        if (close == body_.end) return false;
        i = close;
      } else if (!t_[i].is_name() && !is(i, "::")) {
        return is(i, ")") || is(i, ">");  // a cast or template argument that names the space last: float threadgroup*
      }
    }
    return false;
  }

  size_t declaration(size_t i, size_t block) {
    const size_t before = i - 1;
    size_t stop = i;
    while (stop < body_.end && !is(stop, ";")) {
      const bool opens = is(stop, "(") || is(stop, "[") || is(stop, "{");
      if (is(stop, "}") || is(stop, ")")) break;
      stop = opens ? m_.partners[stop] + 1 : stop + 1;
    }
    if ((!is(before, "{") && !is(before, "}") && !is(before, ";")) || !is(stop, ";")) {
      problem(i, "a threadgroup variable is a statement of its own: threadgroup float s[32];");
      return stop - 1;
    }
    ThreadgroupDeclaration found{{i, stop + 1}, {}, function_, block, {}};
    for (Range part : split_commas(m_, {i + 1, stop})) {
      size_t name = part.begin;
      while (name < part.end && !is(name, "[") && !is(name, "=") && !is(name, "{")) {
        const size_t close = is(name, "<") ? match_angle(m_, name, part.end) : part.end;
        name = close != part.end ? close + 1 : name + 1;
      }
      const size_t after = name--;
      if (after == part.begin || !t_[name].is_name() || (found.variables.empty() && name == part.begin)) {
        problem(i, "a threadgroup variable reads: threadgroup float s[32];");
        return stop;
      }
      Range dimensions{after, after};
      while (dimensions.end < part.end && is(dimensions.end, "[")) dimensions.end = m_.partners[dimensions.end] + 1;
      if (dimensions.end != part.end) problem(i, "a threadgroup variable has no initialiser: write it, then a barrier");
      if (found.variables.empty()) found.type = {part.begin, name};
      found.variables.push_back({t_[name].text, dimensions});
    }
    if (!m_.functions[function_].is_kernel)
      problem(i, "threadgroup variables stand in kernel bodies only: pass helpers a threadgroup pointer");
    if (m_.threadgroups.size() == kMostThreadgroupDeclarations)
      problem(i, "too many threadgroup declarations");
    else if (!found.variables.empty())
      m_.threadgroups.push_back(std::move(found));
    return stop;
  }

  ParsedModule& m_;
  const Tokens& t_;
  size_t function_;
  Range body_;
};

}  // namespace

void parse_body(ParsedModule& module, size_t function) { BodyParser(module, function).run(); }

}  // namespace ingot::msl
