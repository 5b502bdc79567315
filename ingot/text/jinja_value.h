// What a template computes with: Python's None, bool, int, float, str, list, tuple and dict as far as chat templates
// use them. Values are immutable and cheap to copy. A value from JSON keeps the order of its keys.
//
//   jinja::Dict message;
//   message.set("role", "user");
//   message.set("content", "Hello");
//   jinja::Value messages(jinja::List{message});
#pragma once
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/base/export.h"
#include "ingot/text/jinja_text.h"

namespace ingot::jinja {

class Value;
class Dict;
class Object;
using List = std::vector<Value>;

// How a sequence behaves; the items are held alike. (Python: list, tuple, generator, dict view, range.)
enum class SequenceKind : uint8_t { kList, kTuple, kGenerator, kView, kRange };
struct Sequence;

// Lists and dicts may nest this deep and hold this many bytes and items in all, shared parts counted each time; more is
// an Error. So nothing that walks a value can run away.
inline constexpr int kMaxValueDepth = 64;
inline constexpr size_t kMaxValueWeight = size_t{1} << 26;

class INGOT_API Value {
 public:
  enum class Kind : uint8_t { kUndefined, kNone, kBool, kInt, kDouble, kString, kSequence, kDict, kObject };

  Value() = default;  // undefined
  Value(std::nullptr_t) : data_(None{}) {}
  template <std::same_as<bool> T>
  Value(T v) : data_(v) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T v) : data_(static_cast<int64_t>(v)) {}
  Value(double v) : data_(v) {}
  Value(const char* v) : Value(std::string_view(v)) {}
  Value(std::string_view v) : Value(Text{std::string(v), {}}) {}
  Value(const std::string& v) : Value(std::string_view(v)) {}
  Value(Text v) : data_(std::make_shared<const Text>(std::move(v))) {}
  Value(List items, SequenceKind kind = SequenceKind::kList);  // Error when too deep or heavy
  Value(Dict dict);                                            // Error when too deep or heavy
  Value(std::shared_ptr<Object> object) : data_(std::move(object)) {}
  // An undefined value that says, when used, what was missing.
  static Value undefined(std::string what);

  // Reads one JSON document; object keys keep their order, and of equal keys the last value wins, as Python's json has
  // it. Integers beyond int64 become doubles. Error (kFormat) on anything that is not JSON or nests deeper than
  // kMaxValueDepth.
  static Value from_json(std::string_view json);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_undefined() const { return kind() == Kind::kUndefined; }
  bool is_none() const { return kind() == Kind::kNone; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_int() const { return kind() == Kind::kInt; }
  bool is_double() const { return kind() == Kind::kDouble; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_sequence() const { return kind() == Kind::kSequence; }
  bool is_dict() const { return kind() == Kind::kDict; }
  bool is_object() const { return kind() == Kind::kObject; }
  bool is_number() const { return is_bool() || is_int() || is_double(); }

  // These expect the kind to be right (std::bad_variant_access otherwise).
  bool as_bool() const { return std::get<bool>(data_); }
  int64_t as_int() const { return is_bool() ? as_bool() : std::get<int64_t>(data_); }  // of a bool: 0 or 1
  double as_double() const { return is_double() ? std::get<double>(data_) : static_cast<double>(as_int()); }
  const Text& text() const { return *std::get<std::shared_ptr<const Text>>(data_); }
  const std::string& string() const { return text().bytes; }
  const Sequence& sequence() const { return *std::get<std::shared_ptr<const Sequence>>(data_); }
  const List& items() const;
  const Dict& dict() const { return *std::get<std::shared_ptr<const Dict>>(data_); }
  const std::shared_ptr<Object>& object() const { return std::get<std::shared_ptr<Object>>(data_); }
  const std::string& missing() const;  // of an undefined value: what was missing

  int depth() const;      // 0 for a scalar
  size_t weight() const;  // 1 for a scalar, 1 + bytes for a string, 1 + the sum for the others

 private:
  struct Undefined {
    std::shared_ptr<const std::string> what;
  };
  struct None {};
  std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const Text>, std::shared_ptr<const Sequence>,
               std::shared_ptr<const Dict>, std::shared_ptr<Object>>
      data_;
};

struct Sequence {
  List items;
  SequenceKind kind = SequenceKind::kList;
  int depth = 1;
  size_t weight = 1;
  mutable bool consumed = false;  // a generator gives its items once
};

inline const List& Value::items() const { return sequence().items; }

// Keys in the order of their first insertion.
class INGOT_API Dict {
 public:
  void set(Value key, Value value);  // replaces the value of an equal key; Error if the key is a list or dict
  const Value* find(std::string_view key) const;  // null when absent
  const Value* find(const char* key) const { return find(std::string_view(key)); }
  const Value* find(const std::string& key) const { return find(std::string_view(key)); }
  const Value* find(const Value& key) const;  // 1, 1.0 and true are equal keys
  const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }
  size_t size() const { return entries_.size(); }
  int depth() const { return depth_; }
  size_t weight() const { return weight_; }

 private:
  size_t index_of(const Value& key) const;
  std::vector<std::pair<Value, Value>> entries_;
  std::unordered_map<std::string, size_t> strings_;  // used once the dict is not small
  int depth_ = 1;
  size_t weight_ = 1;
};

// Python's ==, truth, str(), repr() and json.dumps.
bool equal(const Value& a, const Value& b);
bool truth(const Value& value);
Text to_text(const Value& value);
void append_text(TextBuilder& out, const Value& value);
Text representation(const Value& value);
std::string python_float(double v);
INGOT_API const char* type_name(const Value& value);  // "str", "dict", ... as messages show it

// A copy in which every string, keys included, is marked as the caller's data.
INGOT_API Value mark_user(const Value& value);

}  // namespace ingot::jinja
