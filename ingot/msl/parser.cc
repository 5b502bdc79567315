// Declarations: functions, structs, program-scope constants, instantiations. Bodies are left to body_parser.cc.
#include <algorithm>
#include <map>

#include "ingot/base/error.h"
#include "ingot/msl/body_parser.h"
#include "ingot/msl/module.h"
#include "ingot/msl/numbers.h"

namespace ingot::msl {
namespace {

constexpr int kDeepestScopes = 64;

[[noreturn]] void refuse(const ParsedModule& module, size_t token, std::string_view message) {
  const Place place = module.place(token);
  throw Error(ErrorKind::kFormat, cat(place.file, ":", place.line, ": error: ", message));
}

void match_brackets(ParsedModule& module) {
  const Tokens& tokens = module.tokens;
  module.partners.assign(tokens.size(), 0);
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens[i].kind != TokenKind::kPunctuation) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if (c != ')' && c != ']' && c != '}') continue;
    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (open.empty() || tokens[open.back()].text[0] != wanted)
      refuse(module, i, cat("'", c, "' closes nothing here (each branch of an #if has to be complete)"));
    module.partners[i] = open.back();
    module.partners[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) refuse(module, open.back(), cat("'", tokens[open.back()].text, "' is never closed"));
}

class Parser {
 public:
  explicit Parser(ParsedModule& module) : m_(module), t_(module.tokens) {}

  void run() {
    find_attributes();
    declarations({0, t_.size()}, Scope::kProgram, 0);
  }

 private:
  void problem(size_t token, int rule, std::string message) {
    m_.problems.push_back({m_.place(token), rule, std::move(message)});
  }
  bool is(size_t i, std::string_view what) const { return i < t_.size() && t_[i].is(what); }
  bool opens(size_t i) const { return is(i, "(") || is(i, "[") || is(i, "{"); }
  bool opens_attribute(size_t i) const { return is(i, "[") && is(i + 1, "[") && t_[i].end() == t_[i + 1].begin; }

  void find_attributes() {
    for (size_t i = 0; i < t_.size(); i++) {
      if (!opens_attribute(i)) continue;
      AttributeGroup group{{i, m_.partners[i] + 1}, {}};
      for (Range part : split_commas(m_, {i + 2, m_.partners[i + 1]})) {
        if (part.empty()) continue;
        Attribute attribute{t_[part.begin].text, "", part.begin};
        if (part.end - part.begin >= 3 && is(part.begin + 1, "("))
          attribute.argument = m_.spelled({part.begin + 2, m_.partners[part.begin + 1]});
        group.attributes.push_back(std::move(attribute));
      }
      i = group.range.end - 1;
      attribute_at_[group.range.begin] = m_.attributes.size();
      m_.attributes.push_back(std::move(group));
    }
  }

  // The index after a whole bracket group or single token.
  size_t after(size_t i) const { return opens(i) ? m_.partners[i] + 1 : i + 1; }
  size_t semicolon(size_t i, size_t end) const {
    while (i < end && !is(i, ";")) i = after(i);
    return i;
  }

  void declarations(Range range, Scope scope, int depth) {
    if (depth > kDeepestScopes) refuse(m_, range.begin, "scopes nested too deep");
    const int scope_id = next_scope_++;
    size_t i = range.begin;
    while (i < range.end) {
      const size_t next = declaration(i, range.end, scope, scope_id, depth);
      i = next > i ? next : i + 1;
    }
  }

  size_t declaration(size_t i, size_t end, Scope scope, int scope_id, int depth) {
    const Token& token = t_[i];
    if (token.kind == TokenKind::kDirective || token.is(";")) return i + 1;
    if (token.is("using") || token.is("typedef") || token.is("static_assert") || token.is("friend"))
      return semicolon(i, end) + 1;
    if ((token.is("public") || token.is("private") || token.is("protected")) && is(i + 1, ":")) return i + 2;
    if (token.is("extern") || token.is("asm")) {
      problem(i, 1, cat("'", token.text, "' is not in the dialect"));
      return semicolon(i, end) + 1;
    }
    if (token.is("namespace")) return namespace_(i, end, depth);
    if (token.is("template") && !is(i + 1, "<")) return instantiation(i, end);
    Range template_parameters;
    size_t first = i;
    if (token.is("template")) {
      const size_t close = match_angle(m_, i + 1, end);
      if (close == end) {
        problem(i, 0, "template parameters without an end");
        return semicolon(i, end) + 1;
      }
      template_parameters = {i + 1, close + 1};
      first = close + 1;
      if (is(first, "using")) return semicolon(first, end) + 1;
    }
    if (is(first, "struct") || is(first, "class") || is(first, "enum") || is(first, "union"))
      return record(i, first, end, !template_parameters.empty(), depth);
    return function_or_variable(i, first, end, template_parameters, scope, scope_id);
  }

  size_t namespace_(size_t i, size_t end, int depth) {
    while (i < end && !is(i, "{") && !is(i, ";")) i++;
    if (!is(i, "{")) return i + 1;
    declarations({i + 1, m_.partners[i]}, Scope::kNamespace, depth + 1);
    return m_.partners[i] + 1;
  }

  size_t record(size_t start, size_t i, size_t end, bool is_template, int depth) {
    const std::string_view keyword = t_[i].text;
    Struct found{{}, start, is_template, {}};
    size_t open = i + 1;
    while (open < end && !is(open, "{") && !is(open, ";")) {
      if (found.name.empty() && t_[open].is_name() && !is(open, "alignas")) found.name = t_[open].text;
      if (is(open, ":") && keyword != "enum") problem(open, 1, "no inheritance in MSL: make the base a member");
      open = opens(open) ? m_.partners[open] + 1 : open + 1;
    }
    if (keyword == "union") problem(i, 1, "no unions: convert bits with as_type<T>(x)");
    if (!is(open, "{")) return open + 1;
    if (keyword != "enum") {
      const size_t before = members_.size();
      declarations({open + 1, m_.partners[open]}, Scope::kStruct, depth + 1);
      found.members.assign(members_.begin() + static_cast<ptrdiff_t>(before), members_.end());
      members_.resize(before);
      m_.structs.push_back(std::move(found));
    }
    const size_t stop = semicolon(m_.partners[open] + 1, end);
    if (stop > m_.partners[open] + 1)
      problem(m_.partners[open], 9, "declare the struct alone, then variables of it where they are needed");
    return stop + 1;
  }

  size_t instantiation(size_t i, size_t end) {
    const size_t stop = semicolon(i, end);
    Instantiation found{{i, std::min(stop + 1, end)}, "", {}, {}};
    size_t k = i + 1;
    bool kernel = false;
    while (k < stop && opens_attribute(k)) {
      for (const Attribute& attribute : m_.attributes[attribute_at_[k]].attributes) {
        if (attribute.name == "host_name" && attribute.argument.size() > 2)
          found.host = attribute.argument.substr(1, attribute.argument.size() - 2);
        kernel = kernel || attribute.name == "kernel";
      }
      k = m_.partners[k] + 1;
    }
    if (is(k, "kernel")) kernel = true, k++;
    const bool shaped = is(k, "decltype") && is(k + 1, "(") && stop > k + 4;
    const size_t name = shaped ? m_.partners[k + 1] + 1 : stop;
    const size_t close = name + 1 < stop && is(name + 1, "<") ? match_angle(m_, name + 1, stop) : stop;
    if (!kernel || found.host.empty() || close + 1 != stop ||
        m_.spelled({k + 2, m_.partners[k + 1]}) != m_.spelled({name, stop})) {
      problem(i, 14,
              R"(an instantiation reads: template [[host_name("k_f32")]] [[kernel]] decltype(k<float>) k<float>;)");
      return found.tokens.end;
    }
    found.function = t_[name].text;
    for (Range argument : split_commas(m_, {name + 2, close})) found.arguments.push_back(m_.spelled(argument));
    m_.instantiations.push_back(std::move(found));
    return stop + 1;
  }

  size_t function_or_variable(size_t start, size_t first, size_t end, Range template_parameters, Scope scope,
                              int scope_id) {
    std::vector<Attribute> attributes;
    bool kernel = false;
    size_t result = first;     // where the type begins: after leading attributes
    size_t stray = t_.size();  // attributes elsewhere, as constants have them
    size_t i = first;
    while (i < end) {
      if (opens_attribute(i)) {
        for (const Attribute& attribute : m_.attributes[attribute_at_[i]].attributes) attributes.push_back(attribute);
        if (result == i) result = m_.partners[i] + 1;
        if (result != m_.partners[i] + 1) stray = i;
        i = m_.partners[i] + 1;
      } else if ((is(i, "decltype") || is(i, "alignas") || is(i, "__attribute__")) && is(i + 1, "(")) {
        if (is(i, "__attribute__")) problem(i, 10, "no __attribute__: Metal's attributes are written [[...]]");
        i = m_.partners[i + 1] + 1;
      } else if (is(i, "operator")) {
        i++;
        if (is(i, "(") && is(i + 1, ")")) i += 2;
        while (i < end && !is(i, "(") && !is(i, ";") && !is(i, "{")) i = is(i, "[") ? m_.partners[i] + 1 : i + 1;
      } else if (is(i, "<") && i > first && t_[i - 1].is_name()) {
        const size_t close = match_angle(m_, i, end);
        i = close == end ? i + 1 : close + 1;
      } else if (is(i, "(") || is(i, ";") || is(i, "{") || is(i, "=") || is(i, "}")) {
        break;
      } else if (is(i, "[")) {
        i = m_.partners[i] + 1;
      } else {
        kernel = kernel || is(i, "kernel");
        i++;
      }
    }
    for (const Attribute& attribute : attributes) kernel = kernel || attribute.name == "kernel";
    if (is(i, "(") && stray != t_.size())
      problem(stray, 11,
              "a kernel's attributes stand first: [[kernel, max_total_threads_per_threadgroup(256)]] void k(...)");
    if (is(i, "("))
      return function(start, result, i, end, template_parameters, scope, scope_id, std::move(attributes), kernel);
    const size_t stop = semicolon(i, end);
    if (i > first) variable(start, {result, i}, stop, scope, attributes);
    return std::min(stop + 1, end);
  }

  size_t function(size_t start, size_t result, size_t open, size_t end, Range template_parameters, Scope scope,
                  int scope_id, std::vector<Attribute> attributes, bool kernel) {
    const size_t close = m_.partners[open];
    Function found;
    found.name = open > result ? t_[open - 1].text : std::string_view();
    found.token = start;
    found.scope = scope;
    found.scope_id = scope_id;
    found.is_kernel = kernel;
    found.result = {result, open > result ? open - 1 : result};
    found.template_parameters = template_parameters;
    found.attributes = std::move(attributes);
    for (Range part : split_commas(m_, {open + 1, close})) found.parameters.push_back(parameter(part));
    size_t i = close + 1;
    while (i < end && !is(i, ";") && !is(i, "{")) {
      if (is(i, "=") && scope != Scope::kStruct) break;
      i = after(i);
    }
    // In a constructor's initialisers braces may come before the body.
    while (i < end && is(i, "{") && t_[i - 1].is_name() && !is(i - 1, "const") &&
           (is(m_.partners[i] + 1, ",") || is(m_.partners[i] + 1, "{"))) {
      i = m_.partners[i] + 1;
      while (i < end && !is(i, ";") && !is(i, "{")) i = after(i);
    }
    if (scope == Scope::kProgram && found.result.empty() && !kernel && !is(i, "{")) {
      problem(
          start, 10,
          cat("'", found.name, "(...)' looks like a macro: kernels, instantiations and declarations are written out"));
      return close + 1;
    }
    if (is(i, "{")) found.body = {i, m_.partners[i] + 1};
    m_.functions.push_back(found);
    if (found.body.empty()) return semicolon(i, end) + 1;
    parse_body(m_, m_.functions.size() - 1);
    return found.body.end;
  }

  Parameter parameter(Range part) {
    Parameter found;
    found.token = part.begin;
    size_t end = part.begin;  // of type and name
    bool ended = false;
    for (size_t i = part.begin; i < part.end;) {
      if (opens_attribute(i)) {
        for (const Attribute& attribute : m_.attributes[attribute_at_[i]].attributes)
          found.attributes.push_back(attribute);
        ended = true;
      } else if (is(i, "=") || is(i, "[")) {
        ended = true;
      }
      i = after(i);
      if (!ended) end = i;
    }
    Range type{part.begin, end};
    // `float x` has a name, `float` has none.
    if (end > part.begin + 1 && t_[end - 1].is_name() && !is(end - 1, "const") && !is(end - 2, "::")) {
      found.name = t_[end - 1].text;
      type.end--;
    }
    found.type = read_type(m_, type);
    return found;
  }

  void variable(size_t start, Range declared, size_t stop, Scope scope, const std::vector<Attribute>& attributes) {
    // declared: from the type up to '=', '{' or ';', dimensions and attributes included
    size_t space = declared.end;
    size_t name = declared.begin;
    for (size_t i = declared.begin; i < declared.end;) {
      if (is(i, "constant") && space == declared.end) space = i;
      if (t_[i].is_name()) name = i;
      i = after(i);
    }
    Range dimensions{name + 1, name + 1};
    while (is(dimensions.end, "[") && !opens_attribute(dimensions.end) && dimensions.end < declared.end)
      dimensions.end = m_.partners[dimensions.end] + 1;
    if (scope == Scope::kStruct) {
      for (size_t k = declared.begin; k < declared.end; k++) {
        if (is(k, "static") && space == declared.end)
          problem(k, 9, "no static members: a program-scope constant instead");
      }
      return struct_members(declared, stop);
    }
    int constant = -1;
    for (const Attribute& attribute : attributes) {
      if (attribute.name == "function_constant") {
        constant = small_number(attribute.argument);
        if (constant < 0) problem(start, 11, "function_constant needs a number: [[function_constant(0)]]");
      } else if (attribute.name != "kernel" && attribute.name != "maybe_unused") {
        problem(start, 10, cat("unknown attribute [[", attribute.name, "]] on a declaration"));
      }
    }
    if (space == declared.end)
      return problem(start, 9, "program-scope variables live in the constant address space: constant float x = 1.0f;");
    if (split_commas(m_, declared).size() > 1) return problem(start, 9, "one program-scope constant a declaration");
    const Range type{space + 1, std::max(space + 1, name)};
    const bool initialised = is(declared.end, "=") || is(declared.end, "{");
    if (constant < 0 && attributes.empty() && !initialised)
      problem(start, 9, "a program-scope constant needs its value here, or [[function_constant(n)]]");
    if (constant >= 0 && (initialised || !dimensions.empty()))
      problem(start, 9, "a function constant is a single value without an initialiser");
    m_.constants.push_back(
        {start, std::min(stop + 1, t_.size()), space, constant, read_type(m_, type).element, t_[name].text});
  }

  void struct_members(Range declared, size_t stop) {
    Range whole{declared.begin, stop};
    DeclaredType type;
    bool first = true;
    for (Range part : split_commas(m_, whole)) {
      size_t end = part.begin;
      while (end < part.end && !is(end, "[") && !is(end, "=") && !is(end, "{") && !is(end, ":")) {
        const size_t close = is(end, "<") ? match_angle(m_, end, part.end) : part.end;
        end = close != part.end ? close + 1 : end + 1;
      }
      if (end == part.begin || !t_[end - 1].is_name()) continue;
      if (first) type = read_type(m_, {part.begin, end - 1});
      first = false;
      Member member{type, t_[end - 1].text, part.begin, {end, end}};
      while (is(member.dimensions.end, "[") && member.dimensions.end < part.end)
        member.dimensions.end = m_.partners[member.dimensions.end] + 1;
      members_.push_back(std::move(member));
    }
  }

  ParsedModule& m_;
  const Tokens& t_;
  std::map<size_t, size_t> attribute_at_;  // first token -> index in m_.attributes
  std::vector<Member> members_;            // of the structs being read, outer first
  int next_scope_ = 0;
};

}  // namespace

void parse(ParsedModule& module) {
  module.tokens = tokenize(module.source.text());
  match_brackets(module);
  Parser(module).run();
}

}  // namespace ingot::msl
