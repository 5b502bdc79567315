#include "ingot/ops/op_table.h"

#include <algorithm>

#include "ingot/base/error.h"

namespace ingot {

namespace {

const OpArgs::Value* lookup(const std::map<std::string, OpArgs::Value, std::less<>>& values, std::string_view key) {
  auto it = values.find(key);
  return it == values.end() || std::holds_alternative<std::monostate>(it->second) ? nullptr : &it->second;
}

template <class T>
T required(std::optional<T> fallback, std::string_view key) {
  if (!fallback) fail(ErrorKind::kArgument, "arguments", cat("argument ", quoted(key), " is missing"));
  return *fallback;
}

[[noreturn]] void wrong_type(std::string_view key, std::string_view expected) {
  fail(ErrorKind::kArgument, "arguments", cat("argument ", quoted(key), " must be ", expected));
}

}  // namespace

bool OpArgs::has(std::string_view key) const { return lookup(values_, key) != nullptr; }

int64_t OpArgs::get_int(std::string_view key, std::optional<int64_t> fallback) const {
  const Value* v = lookup(values_, key);
  if (!v) return required(fallback, key);
  if (auto* i = std::get_if<int64_t>(v)) return *i;
  wrong_type(key, "an integer");
}
double OpArgs::get_double(std::string_view key, std::optional<double> fallback) const {
  const Value* v = lookup(values_, key);
  if (!v) return required(fallback, key);
  if (auto* d = std::get_if<double>(v)) return *d;
  if (auto* i = std::get_if<int64_t>(v)) return static_cast<double>(*i);
  wrong_type(key, "a number");
}
bool OpArgs::get_bool(std::string_view key, bool fallback) const {
  const Value* v = lookup(values_, key);
  if (!v) return fallback;
  if (auto* b = std::get_if<bool>(v)) return *b;
  wrong_type(key, "true or false");
}
std::string OpArgs::get_string(std::string_view key, std::optional<std::string> fallback) const {
  const Value* v = lookup(values_, key);
  if (!v) return required(fallback, key);
  if (auto* s = std::get_if<std::string>(v)) return *s;
  wrong_type(key, "a string");
}
std::vector<int64_t> OpArgs::get_ints(std::string_view key, std::optional<std::vector<int64_t>> fallback) const {
  const Value* v = lookup(values_, key);
  if (!v) return required(fallback, key);
  if (auto* list = std::get_if<std::vector<int64_t>>(v)) return *list;
  if (auto* i = std::get_if<int64_t>(v)) return {*i};
  wrong_type(key, "a list of integers");
}
std::optional<DType> OpArgs::get_dtype(std::string_view key) const {
  if (!has(key)) return {};
  return dtype_from_name(get_string(key));
}

void append_to(std::string& s, const OpArgs& args) {
  s += '{';
  bool first = true;
  for (const auto& [key, value] : args.all()) {
    if (!first) s += ", ";
    first = false;
    s += key + ": ";
    std::visit(
        [&](const auto& v) {
          using T = std::decay_t<decltype(v)>;
          if constexpr (std::is_same_v<T, std::monostate>) {
            s += "null";
          } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
            append_to(s, std::span<const int64_t>(v));
          } else if constexpr (std::is_same_v<T, std::vector<double>>) {
            s += '[';
            for (double d : v) s += cat(d, " ");
            s += ']';
          } else {
            append_to(s, v);
          }
        },
        value);
  }
  s += '}';
}

void OpTable::add(OpEntry entry) {
  std::string key = entry.name;
  if (!entries_.emplace(key, std::move(entry)).second)
    fail(ErrorKind::kState, "operator table", cat(quoted(key), " is there twice"));
}

const OpEntry& OpTable::find(std::string_view name) const {
  auto it = entries_.find(name);
  if (it != entries_.end()) return it->second;
  std::string near;
  for (const auto& [key, entry] : entries_)
    if (key.find(name) != std::string::npos || name.find(key) != std::string_view::npos)
      near += cat(near.empty() ? "" : ", ", key);
  fail(ErrorKind::kUnsupported, "op", cat("no operator ", quoted(name), near.empty() ? "" : cat("; near: ", near)));
}

const OpTable& op_table() {
  static const OpTable* table = [] {
    auto* t = new OpTable;
    register_all_rooms(*t);
    return t;
  }();
  return *table;
}

std::vector<Tensor> call_op(std::string_view name, const std::vector<Tensor>& inputs, const OpArgs& args) {
  const OpEntry& entry = op_table().find(name);
  for (const auto& [key, value] : args.all())
    if (std::find(entry.arguments.begin(), entry.arguments.end(), key) == entry.arguments.end()) {
      std::string known;
      for (const std::string& a : entry.arguments) known += cat(known.empty() ? "" : ", ", a);
      fail(ErrorKind::kArgument, name,
           cat("unknown argument ", quoted(key), "; it takes: ", known.empty() ? "none" : known));
    }
  return entry.call(inputs, args);
}

}  // namespace ingot
