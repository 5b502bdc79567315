#include "ingot/text/jinja_methods.h"

#include <algorithm>
#include <array>

#include "ingot/text/jinja_eval.h"

namespace ingot::jinja {

namespace {

using Method = Value (*)(Budget&, const Value& self, const Arguments&);

const Text& text_argument(std::string_view method, const Value& value) {
  if (value.is_undefined()) refuse(value.missing());
  if (!value.is_string()) refuse(method, "(): expected a string, got '", type_name(value), "'");
  return value.text();
}

void no_arguments(std::string_view method, const Arguments& arguments) { Bound(method, arguments, {}); }

template <Case how>
Value cased(Budget& budget, const Value& self, const Arguments& arguments) {
  no_arguments("upper", arguments);
  return change_case(self.text(), how);
}

template <bool left, bool right>
Value stripped(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("strip", arguments, {"chars"});
  bool all_space = !a.given(0) || a[0].is_none();
  Trimmed kept = strip(self.string(), all_space ? nullptr : &text_argument("strip", a[0]).bytes, left, right);
  return slice(self.text(), kept.begin, kept.end);
}

using Pieces = std::vector<std::pair<size_t, size_t>>;

Pieces split_on(const std::string& s, const std::string& separator, int64_t limit) {
  Pieces pieces;
  size_t begin = 0;
  while (limit != 0) {
    size_t found = s.find(separator, begin);
    if (found == s.npos) break;
    pieces.emplace_back(begin, found);
    begin = found + separator.size();
    limit--;
  }
  pieces.emplace_back(begin, s.size());
  return pieces;
}

Pieces split_on_from_right(const std::string& s, const std::string& separator, int64_t limit) {
  Pieces pieces;
  size_t end = s.size();
  while (limit != 0 && end >= separator.size()) {
    size_t found = s.rfind(separator, end - separator.size());
    if (found == s.npos) break;
    pieces.emplace_back(found + separator.size(), end);
    end = found;
    limit--;
  }
  pieces.emplace_back(0, end);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

Pieces split_on_space(std::string_view s, int64_t limit) {
  Pieces pieces;
  size_t at = strip(s, nullptr, true, false).begin;
  while (at < s.size() && limit != 0) {
    size_t end = at;
    while (end < s.size() && !is_space(character_at(s, end).code)) end += character_at(s, end).length;
    pieces.emplace_back(at, end);
    at = end + strip(s.substr(end), nullptr, true, false).begin;
    limit--;
  }
  if (at < s.size()) pieces.emplace_back(at, s.size());  // the limit is reached: the rest as it is
  return pieces;
}

Pieces split_on_space_from_right(std::string_view s, int64_t limit) {
  Pieces all = split_on_space(s, -1);
  if (limit < 0 || all.size() <= static_cast<size_t>(limit)) return all;
  size_t kept = all.size() - static_cast<size_t>(limit);
  Pieces pieces = {{0, all[kept - 1].second}};
  pieces.insert(pieces.end(), all.begin() + kept, all.end());
  return pieces;
}

template <bool from_right>
Value split(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("split", arguments, {"sep", "maxsplit"});
  int64_t limit = a.integer(1, -1);
  const std::string& s = self.string();
  Pieces pieces;
  if (!a.given(0) || a[0].is_none()) {
    pieces = from_right ? split_on_space_from_right(s, limit) : split_on_space(s, limit);
  } else {
    const std::string& separator = text_argument("split", a[0]).bytes;
    if (separator.empty()) refuse("split(): the separator is empty");
    pieces = from_right ? split_on_from_right(s, separator, limit) : split_on(s, separator, limit);
  }
  budget.charge(s.size() + Budget::kTextCost * pieces.size());
  List items;
  for (const auto& piece : pieces) items.push_back(slice(self.text(), piece.first, piece.second));
  return items;
}

Value split_into_lines(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("splitlines", arguments, {"keepends"});
  List items;
  for (const Line& line : split_lines(self.string())) {
    budget.charge(Budget::kTextCost);
    items.push_back(slice(self.text(), line.begin, a.flag(0, false) ? line.full_end : line.end));
  }
  return items;
}

// Start and end arguments of the search methods, as byte offsets. False when the start lies beyond the end of the
// string.
bool search_range(const Bound& a, size_t first, const std::string& s, size_t& begin, size_t& end) {
  begin = 0;
  end = s.size();
  int64_t count = a.given(first) || a.given(first + 1) ? static_cast<int64_t>(count_characters(s)) : 0;
  auto place = [&](size_t i, size_t fallback) {
    if (!a.given(i) || a[i].is_none()) return fallback;
    int64_t at = a.integer(i, 0);
    if (at < 0) at = std::max<int64_t>(at + count, 0);
    return at > count ? s.size() + 1 : character_offset(s, at);
  };
  begin = place(first, 0);
  end = std::min(place(first + 1, s.size()), s.size());
  return begin <= end;
}

template <bool at_end>
Value has_affix(Budget& budget, const Value& self, const Arguments& arguments) {
  std::string_view name = at_end ? "endswith" : "startswith";
  Bound a(name, arguments, {"prefix", "start", "end"}, 1);
  size_t begin = 0, end = 0;
  if (!search_range(a, 1, self.string(), begin, end)) return false;
  std::string_view s = std::string_view(self.string()).substr(begin, end - begin);
  auto matches = [&](const Value& affix) {
    const std::string& text = text_argument(name, affix).bytes;
    return at_end ? s.ends_with(text) : s.starts_with(text);
  };
  if (a[0].is_sequence() && a[0].sequence().kind == SequenceKind::kTuple) {
    return std::any_of(a[0].items().begin(), a[0].items().end(), matches);
  }
  return matches(a[0]);
}

template <bool from_right, bool required>
Value find(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("find", arguments, {"sub", "start", "end"}, 1);
  const std::string& wanted = text_argument("find", a[0]).bytes;
  budget.charge(self.weight());
  size_t begin = 0, end = 0;
  size_t found = std::string::npos;
  if (search_range(a, 1, self.string(), begin, end)) {
    std::string_view s = std::string_view(self.string()).substr(0, end);
    found = from_right ? s.rfind(wanted) : s.find(wanted, begin);
    if (found != s.npos && found < begin) found = s.npos;
  }
  if (found != std::string::npos) {
    return static_cast<int64_t>(count_characters(std::string_view(self.string()).substr(0, found)));
  }
  if (required) refuse("index(): the substring is not found");
  return -1;
}

Value count_text(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("count", arguments, {"sub", "start", "end"}, 1);
  const std::string& wanted = text_argument("count", a[0]).bytes;
  budget.charge(self.weight());
  size_t begin = 0, end = 0;
  if (!search_range(a, 1, self.string(), begin, end)) return 0;
  std::string_view s = std::string_view(self.string()).substr(begin, end - begin);
  if (wanted.empty()) return static_cast<int64_t>(count_characters(s)) + 1;
  int64_t count = 0;
  for (size_t at = s.find(wanted); at != s.npos; at = s.find(wanted, at + wanted.size())) count++;
  return count;
}

Value replace(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("replace", arguments, {"old", "new", "count"}, 2);
  return replace_text(budget, self.text(), text_argument("replace", a[0]), text_argument("replace", a[1]),
                      a.integer(2, -1));
}

Value join(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("join", arguments, {"iterable"}, 1);
  TextBuilder out;
  bool first = true;
  for (const Value& item : iterate(budget, a[0])) {
    if (!first) out.append(self.text());
    first = false;
    out.append(text_argument("join", item));
  }
  budget.charge(out.size());
  return out.take();
}

template <bool from_right>
Value partition(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("partition", arguments, {"sep"}, 1);
  const Text& separator = text_argument("partition", a[0]);
  if (separator.bytes.empty()) refuse("partition(): the separator is empty");
  const Text& text = self.text();
  size_t found = from_right ? text.bytes.rfind(separator.bytes) : text.bytes.find(separator.bytes);
  List parts;
  if (found == std::string::npos) {
    parts = from_right ? List{"", "", self} : List{self, "", ""};
  } else {
    size_t after = found + separator.bytes.size();
    parts = {slice(text, 0, found), slice(text, found, after), slice(text, after, text.bytes.size())};
  }
  return Value(std::move(parts), SequenceKind::kTuple);
}

template <bool at_end>
Value remove_affix(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("removeprefix", arguments, {"affix"}, 1);
  const std::string& affix = text_argument("removeprefix", a[0]).bytes;
  const std::string& s = self.string();
  if (at_end ? !s.ends_with(affix) : !s.starts_with(affix)) return self;
  return at_end ? slice(self.text(), 0, s.size() - affix.size()) : slice(self.text(), affix.size(), s.size());
}

// All characters pass `good`, and there is one at least.
template <bool (*good)(char32_t)>
Value all_characters(Budget& budget, const Value& self, const Arguments& arguments) {
  no_arguments("isalpha", arguments);
  const std::string& s = self.string();
  for (size_t i = 0; i < s.size();) {
    Character c = character_at(s, i);
    if (!good(c.code)) return false;
    i += c.length;
  }
  return !s.empty();
}
bool is_letter_or_digit(char32_t c) { return is_letter(c) || is_digit(c); }

template <bool upper>
Value all_cased(Budget& budget, const Value& self, const Arguments& arguments) {
  no_arguments("isupper", arguments);
  return is_all_cased(self.string(), upper);
}

template <int side>  // -1: text at the left, 0: centred, 1: at the right
Value padded(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("center", arguments, {"width", "fillchar"}, 1);
  Text fill = a.text(1, " ");
  int64_t width = a.integer(0, 0);
  if (side == 0) return center_text(self.text(), width, fill);
  if (count_characters(fill.bytes) != 1) refuse("the fill character must be one character");
  TextBuilder out;
  if (side < 0) out.append(self.text());
  out.append_repeated(fill, width - static_cast<int64_t>(count_characters(self.string())));
  if (side > 0) out.append(self.text());
  return out.take();
}

Value zero_filled(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("zfill", arguments, {"width"}, 1);
  bool sign = self.string().starts_with('-') || self.string().starts_with('+');
  TextBuilder out;
  out.append(self.text(), 0, sign);
  out.append_repeated(Text{"0", {}}, a.integer(0, 0) - static_cast<int64_t>(count_characters(self.string())));
  out.append(self.text(), sign, self.string().size());
  return out.take();
}

// --- dict

Value pair(const std::pair<Value, Value>& entry) {
  return Value(List{entry.first, entry.second}, SequenceKind::kTuple);
}

Value dict_get(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("get", arguments, {"key", "default"}, 1);
  const Value* found = self.dict().find(a[0]);
  return found ? *found : a.given(1) ? a[1] : Value(nullptr);
}

enum class View { kKeys, kValues, kItems };
template <View view>
Value dict_view(Budget& budget, const Value& self, const Arguments& arguments) {
  no_arguments("items", arguments);
  budget.charge(Budget::kTextCost * self.dict().size());
  List items;
  for (const auto& entry : self.dict().entries()) {
    items.push_back(view == View::kKeys ? entry.first : view == View::kValues ? entry.second : pair(entry));
  }
  return Value(std::move(items), SequenceKind::kView);
}

Value copy(Budget& budget, const Value& self, const Arguments& arguments) {
  no_arguments("copy", arguments);
  return self;
}

// --- list

Value list_index(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("index", arguments, {"value"}, 1);
  budget.charge(self.weight());
  for (size_t i = 0; i < self.items().size(); i++) {
    if (equal(self.items()[i], a[0])) return i;
  }
  refuse("index(): the value is not in the list");
}

Value list_count(Budget& budget, const Value& self, const Arguments& arguments) {
  Bound a("count", arguments, {"value"}, 1);
  budget.charge(self.weight());
  return std::count_if(self.items().begin(), self.items().end(), [&](const Value& v) { return equal(v, a[0]); });
}

struct Entry {
  std::string_view name;
  Method method;
};

constexpr Entry kStringMethods[] = {
    {"upper", cased<Case::kUpper>},
    {"lower", cased<Case::kLower>},
    {"title", cased<Case::kTitle>},
    {"capitalize", cased<Case::kCapitalize>},
    {"swapcase", cased<Case::kSwap>},
    {"strip", stripped<true, true>},
    {"lstrip", stripped<true, false>},
    {"rstrip", stripped<false, true>},
    {"split", split<false>},
    {"rsplit", split<true>},
    {"splitlines", split_into_lines},
    {"startswith", has_affix<false>},
    {"endswith", has_affix<true>},
    {"find", find<false, false>},
    {"rfind", find<true, false>},
    {"index", find<false, true>},
    {"rindex", find<true, true>},
    {"count", count_text},
    {"replace", replace},
    {"join", join},
    {"partition", partition<false>},
    {"rpartition", partition<true>},
    {"removeprefix", remove_affix<false>},
    {"removesuffix", remove_affix<true>},
    {"isspace", all_characters<is_space>},
    {"isdigit", all_characters<is_digit>},
    {"isdecimal", all_characters<is_digit>},
    {"isnumeric", all_characters<is_digit>},
    {"isalpha", all_characters<is_letter>},
    {"isalnum", all_characters<is_letter_or_digit>},
    {"isupper", all_cased<true>},
    {"islower", all_cased<false>},
    {"center", padded<0>},
    {"ljust", padded<-1>},
    {"rjust", padded<1>},
    {"zfill", zero_filled},
    {"casefold", nullptr},
    {"encode", nullptr},
    {"expandtabs", nullptr},
    {"format", nullptr},
    {"format_map", nullptr},
    {"isascii", nullptr},
    {"isidentifier", nullptr},
    {"isprintable", nullptr},
    {"istitle", nullptr},
    {"maketrans", nullptr},
    {"translate", nullptr},
};

// A null method that changes its object is refused by Jinja's sandbox too.
constexpr Entry kDictMethods[] = {
    {"get", dict_get},
    {"items", dict_view<View::kItems>},
    {"keys", dict_view<View::kKeys>},
    {"values", dict_view<View::kValues>},
    {"copy", copy},
    {"clear", nullptr},
    {"fromkeys", nullptr},
    {"pop", nullptr},
    {"popitem", nullptr},
    {"setdefault", nullptr},
    {"update", nullptr},
};
constexpr Entry kListMethods[] = {
    {"index", list_index}, {"count", list_count}, {"copy", copy},      {"append", nullptr},
    {"clear", nullptr},    {"extend", nullptr},   {"insert", nullptr}, {"pop", nullptr},
    {"remove", nullptr},   {"reverse", nullptr},  {"sort", nullptr},
};
constexpr Entry kTupleMethods[] = {{"index", list_index}, {"count", list_count}};

const Entry* method_of(const Value& object, std::string_view name) {
  auto in = [&](const auto& table) -> const Entry* {
    auto found =
        std::find_if(std::begin(table), std::end(table), [&](const Entry& entry) { return entry.name == name; });
    return found == std::end(table) ? nullptr : &*found;
  };
  if (object.is_string()) return in(kStringMethods);
  if (object.is_dict()) return in(kDictMethods);
  if (!object.is_sequence()) return nullptr;
  SequenceKind kind = object.sequence().kind;
  return kind == SequenceKind::kList ? in(kListMethods) : kind == SequenceKind::kTuple ? in(kTupleMethods) : nullptr;
}

class BoundMethod : public Object {
 public:
  BoundMethod(Value self, const Entry* entry) : self_(std::move(self)), entry_(entry) {}
  const char* type() const override { return "method"; }
  int depth() const override { return self_.depth() + 1; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override {
    interpreter.budget().charge(self_.is_string() ? self_.weight() : 1);
    if (entry_->method) {
      Value result = entry_->method(interpreter.budget(), self_, arguments);
      if (result.is_string()) interpreter.budget().charge(result.weight());
      return result;
    }
    throw TemplateError{ErrorKind::kUnsupported,
                        cat("the method ", type_name(self_), ".", entry_->name, "() is not supported")};
  }

 private:
  Value self_;
  const Entry* entry_;
};

}  // namespace

bool has_method(const Value& object, const std::string& name) { return method_of(object, name) != nullptr; }

Value bind_method(const Value& object, const std::string& name) {
  const Entry* entry = method_of(object, name);
  if (object.depth() >= kMaxValueDepth) refuse("methods of values nest deeper than ", kMaxValueDepth);
  return Value(std::shared_ptr<Object>(std::make_shared<BoundMethod>(object, entry)));
}

Value replace_text(Budget& budget, const Text& text, const Text& from, const Text& to, int64_t count) {
  const std::string& s = text.bytes;
  TextBuilder out;
  size_t at = 0;
  while (count != 0) {
    size_t found = s.find(from.bytes, at);
    if (found == s.npos) break;
    if (from.bytes.empty()) {
      // Before each character, and at the end.
      out.append(to);
      count--;
      if (at == s.size()) break;
      size_t next = at + character_at(s, at).length;
      out.append(text, at, next);
      at = next;
      continue;
    }
    out.append(text, at, found);
    out.append(to);
    at = found + from.bytes.size();
    count--;
  }
  out.append(text, at, s.size());
  budget.charge(s.size() + out.size());
  return out.take();
}

Value center_text(const Text& text, int64_t width, const Text& fill) {
  if (count_characters(fill.bytes) != 1) refuse("the fill character must be one character");
  int64_t count = static_cast<int64_t>(count_characters(text.bytes));
  int64_t missing = std::max<int64_t>(width - count, 0);
  int64_t left = missing / 2 + (missing & width & 1);  // as CPython rounds
  TextBuilder out;
  out.append_repeated(fill, left);
  out.append(text);
  out.append_repeated(fill, missing - left);
  return out.take();
}

}  // namespace ingot::jinja
