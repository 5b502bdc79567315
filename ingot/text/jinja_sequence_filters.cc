// Filters on lists and dicts.
#include <algorithm>

#include "ingot/text/jinja_filters.h"

namespace ingot::jinja {

namespace {

Value generator(List items) { return Value(std::move(items), SequenceKind::kGenerator); }
Value pair(Value a, Value b) { return Value(List{std::move(a), std::move(b)}, SequenceKind::kTuple); }
Value ignore_case(const Value& v) { return v.is_string() ? Value(change_case(v.text(), Case::kLower)) : v; }

// What map and select work on: anything false (none, 0) counts as empty.
List iterate_if_true(Interpreter& in, const Value& value) {
  return truth(value) ? iterate(in.budget(), value) : List{};
}

Value count(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound("length", arguments, {});
  return length(value);
}

Value to_list(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound("list", arguments, {});
  return iterate(in.budget(), value);
}

Value items(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound("items", arguments, {});
  List pairs;
  if (value.is_undefined()) return generator({});
  if (!value.is_dict()) refuse("items(): expected a dict, got '", type_name(value), "'");
  in.budget().charge(Budget::kTextCost * value.dict().size());
  for (const auto& entry : value.dict().entries()) pairs.push_back(pair(entry.first, entry.second));
  return generator(std::move(pairs));
}

Value join(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("join", arguments, {"d", "attribute"});
  Text separator = a.text(0, "");
  TextBuilder out;
  bool first = true;
  for (const Value& item : iterate(in.budget(), value)) {
    if (!first) out.append(separator);
    first = false;
    out.append(to_text(a.given(1) && !a[1].is_none() ? attribute_path(in.budget(), item, a[1]) : item));
  }
  in.budget().charge(out.size());
  return out.take();
}

Value first(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound("first", arguments, {});
  if (value.is_string() && !value.string().empty())
    return slice(value.text(), 0, character_at(value.string(), 0).length);
  List all = iterate(in.budget(), value);
  return all.empty() ? Value::undefined("first: the sequence is empty") : all.front();
}

Value last(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound("last", arguments, {});
  if (value.is_sequence() && value.sequence().kind == SequenceKind::kGenerator) {
    refuse("last: a generator has no last item; make it a list first (x | list | last)");
  }
  List all = iterate(in.budget(), value);
  return all.empty() ? Value::undefined("last: the sequence is empty") : all.back();
}

Value reverse(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound("reverse", arguments, {});
  List all = iterate(in.budget(), value);
  std::reverse(all.begin(), all.end());
  return value.is_string() ? concat(in.budget(), all) : generator(std::move(all));
}

// Sorts by keys; with `reverse` equal items keep their order too.
List sorted(Interpreter& in, const List& all, const List& keys, bool reversed) {
  std::vector<size_t> order(all.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    in.budget().charge(std::min(keys[x].weight(), keys[y].weight()));
    return reversed ? less(keys[y], keys[x]) : less(keys[x], keys[y]);
  });
  List result;
  for (size_t i : order) result.push_back(all[i]);
  return result;
}

Value sort(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("sort", arguments, {"reverse", "case_sensitive", "attribute"});
  List all = iterate(in.budget(), value), keys;
  for (const Value& item : all) {
    List parts;
    if (a.given(2) && a[2].is_string()) {
      const std::string& paths = a[2].string();
      for (size_t begin = 0; begin <= paths.size();) {
        size_t end = std::min(paths.find(',', begin), paths.size());
        parts.push_back(attribute_path(in.budget(), item, Value(paths.substr(begin, end - begin))));
        begin = end + 1;
      }
    } else {
      parts.push_back(a.given(2) ? attribute_path(in.budget(), item, a[2]) : item);
    }
    in.budget().charge(item.weight());
    if (!a.flag(1, false)) std::transform(parts.begin(), parts.end(), parts.begin(), ignore_case);
    keys.push_back(parts.size() == 1 ? parts[0] : Value(std::move(parts)));
  }
  return sorted(in, all, keys, a.flag(0, false));
}

Value dictsort(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("dictsort", arguments, {"case_sensitive", "by", "reverse"});
  if (value.is_undefined()) refuse(value.missing());
  if (!value.is_dict()) refuse("dictsort(): expected a dict, got '", type_name(value), "'");
  std::string by = a.text(1, "key").bytes;
  if (by != "key" && by != "value") refuse("dictsort(): by: expected 'key' or 'value', got ", quoted(by));
  List all, keys;
  for (const auto& entry : value.dict().entries()) {
    const Value& key = by == "key" ? entry.first : entry.second;
    in.budget().charge(Budget::kTextCost + key.weight());
    keys.push_back(a.flag(0, false) ? key : ignore_case(key));
    all.push_back(pair(entry.first, entry.second));
  }
  return sorted(in, all, keys, a.flag(2, false));
}

Value unique(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("unique", arguments, {"case_sensitive", "attribute"});
  List kept, keys;
  for (const Value& item : iterate(in.budget(), value)) {
    Value key = a.given(1) ? attribute_path(in.budget(), item, a[1]) : item;
    bool hashable = !key.is_dict() && !(key.is_sequence() && key.sequence().kind == SequenceKind::kList);
    if (!hashable) refuse("unique(): a '", type_name(key), "' cannot be told apart from others");
    if (!a.flag(0, false)) key = ignore_case(key);
    in.budget().charge(Budget::kItemCost * (1 + keys.size()) + key.weight());
    if (std::any_of(keys.begin(), keys.end(), [&](const Value& other) { return equal(other, key); })) continue;
    keys.push_back(key);
    kept.push_back(item);
  }
  return generator(std::move(kept));
}

template <bool largest>
Value extreme(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("min", arguments, {"case_sensitive", "attribute"});
  Value best = Value::undefined("min or max: the sequence is empty"), best_key;
  bool any = false;
  for (const Value& item : iterate(in.budget(), value)) {
    Value key = a.given(1) ? attribute_path(in.budget(), item, a[1]) : item;
    if (!a.flag(0, false)) key = ignore_case(key);
    in.budget().charge(key.weight());
    if (!any || (largest ? less(best_key, key) : less(key, best_key))) {
      best = item;
      best_key = key;
    }
    any = true;
  }
  return best;
}

Value sum(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("sum", arguments, {"attribute", "start"});
  Value total = a.given(1) ? a[1] : Value(0);
  for (const Value& item : iterate(in.budget(), value)) {
    if (item.is_string()) refuse("sum(): cannot add strings");
    total = binary(in.budget(), '+', total, a.given(0) ? attribute_path(in.budget(), item, a[0]) : item);
  }
  return total;
}

Value map(Interpreter& in, const Value& value, const Arguments& arguments) {
  List results;
  if (arguments.positional.empty()) {
    Bound a("map", arguments, {"attribute", "default"}, 1);
    bool has_default = a.given(1) && !a[1].is_none();
    for (const Value& item : iterate_if_true(in, value)) {
      Value found = attribute_path(in.budget(), item, a[0]);
      results.push_back(found.is_undefined() && has_default ? a[1] : found);
    }
    return generator(std::move(results));
  }
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  const std::string name = to_text(arguments.positional[0]).bytes;
  for (const Value& item : iterate_if_true(in, value)) {
    in.budget().charge(Budget::kNodeCost + item.weight());
    results.push_back(in.apply_filter(name, item, rest));
  }
  return generator(std::move(results));
}

template <bool of_attribute, bool wanted>
Value select(Interpreter& in, const Value& value, const Arguments& arguments) {
  size_t test_at = of_attribute ? 1 : 0;
  if (arguments.positional.size() < test_at) refuse("selectattr() and rejectattr() need the name of an attribute");
  bool has_test = arguments.positional.size() > test_at;
  std::string test = has_test ? to_text(arguments.positional[test_at]).bytes : "";
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin(), rest.positional.begin() + test_at + has_test);
  List kept;
  for (const Value& item : iterate_if_true(in, value)) {
    Value subject = of_attribute ? attribute_path(in.budget(), item, arguments.positional[0]) : item;
    in.budget().charge(Budget::kNodeCost + subject.weight());
    bool passes = has_test ? in.apply_test(test, subject, rest) : truth(subject);
    if (passes == wanted) kept.push_back(item);
  }
  return generator(std::move(kept));
}

Value batch(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("batch", arguments, {"linecount", "fill_with"}, 1);
  int64_t size = a.integer(0, 1);
  if (size < 1 || size > 100'000) refuse("batch(): linecount: expected 1 to 100000, got ", size);
  List batches, current;
  for (const Value& item : iterate(in.budget(), value)) {
    if (static_cast<int64_t>(current.size()) == size) batches.push_back(Value(std::exchange(current, {})));
    current.push_back(item);
  }
  if (!current.empty()) {
    if (a.given(1) && !a[1].is_none()) current.resize(size, a[1]);
    batches.push_back(Value(std::move(current)));
  }
  in.budget().charge(Budget::kTextCost * batches.size() + Budget::kItemCost * size);
  return generator(std::move(batches));
}

Value slice_into(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("slice", arguments, {"slices", "fill_with"}, 1);
  int64_t slices = a.integer(0, 1);
  if (slices < 1 || slices > 100'000) refuse("slice(): slices: expected 1 to 100000, got ", slices);
  List all = iterate(in.budget(), value), parts;
  in.budget().charge(Budget::kTextCost * slices);
  size_t each = all.size() / slices, longer = all.size() % slices, at = 0;
  for (size_t i = 0; i < static_cast<size_t>(slices); i++) {
    size_t end = at + each + (i < longer);
    List part(all.begin() + at, all.begin() + end);
    if (i >= longer && a.given(1) && !a[1].is_none()) part.push_back(a[1]);
    parts.push_back(Value(std::move(part)));
    at = end;
  }
  return generator(std::move(parts));
}

Value groupby(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("groupby", arguments, {"attribute", "default", "case_sensitive"}, 1);
  List all = iterate(in.budget(), value), keyed, keys;
  for (const Value& item : all) {
    Value key = attribute_path(in.budget(), item, a[0]);
    if (key.is_undefined() && a.given(1)) key = a[1];
    in.budget().charge(Budget::kTextCost + key.weight());
    keys.push_back(a.flag(2, false) ? key : ignore_case(key));
    keyed.push_back(Value(List{keys.back(), key, item}));
  }
  List groups, members;
  List order = sorted(in, keyed, keys, false);
  for (size_t i = 0; i < order.size(); i++) {
    members.push_back(order[i].items()[2]);
    if (i + 1 < order.size() && equal(order[i].items()[0], order[i + 1].items()[0])) continue;
    const Value& name = order[i + 1 - members.size()].items()[1];
    groups.push_back(pair(name, Value(std::exchange(members, {}))));
  }
  return groups;
}

Value attr(Interpreter& in, const Value& value, const Arguments& arguments) {
  Bound a("attr", arguments, {"name"}, 1);
  if (value.is_dict()) return Value::undefined("attr: a dict has no attributes");
  return attribute(value, a.text(0, "").bytes);
}

constexpr FilterEntry kFilters[] = {
    {"length", count},
    {"count", count},
    {"list", to_list},
    {"items", items},
    {"join", join},
    {"first", first},
    {"last", last},
    {"reverse", reverse},
    {"sort", sort},
    {"dictsort", dictsort},
    {"unique", unique},
    {"min", extreme<false>},
    {"max", extreme<true>},
    {"sum", sum},
    {"map", map},
    {"select", select<false, true>},
    {"reject", select<false, false>},
    {"selectattr", select<true, true>},
    {"rejectattr", select<true, false>},
    {"batch", batch},
    {"slice", slice_into},
    {"groupby", groupby},
    {"attr", attr},
};

}  // namespace

Filter find_sequence_filter(std::string_view name) {
  for (const FilterEntry& entry : kFilters) {
    if (entry.name == name) return entry.filter;
  }
  return nullptr;
}

}  // namespace ingot::jinja
