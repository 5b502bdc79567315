#include "ingot/text/jinja_runtime.h"

#include <algorithm>

namespace ingot::jinja {

Bound::Bound(std::string_view function, const Arguments& arguments, std::initializer_list<std::string_view> names,
             size_t required)
    : function_(function), names_(names), values_(names.size()), given_(names.size(), false) {
  if (arguments.positional.size() > names_.size()) {
    refuse(function_, "() takes at most ", names_.size(), " arguments, got ", arguments.positional.size());
  }
  for (size_t i = 0; i < arguments.positional.size(); i++) {
    values_[i] = arguments.positional[i];
    given_[i] = true;
  }
  for (const auto& argument : arguments.named) {
    size_t i = std::find(names_.begin(), names_.end(), argument.first) - names_.begin();
    if (i == names_.size()) refuse(function_, "() takes no argument ", quoted(argument.first));
    if (given_[i]) refuse(function_, "() gets the argument '", argument.first, "' twice");
    values_[i] = argument.second;
    given_[i] = true;
  }
  for (size_t i = 0; i < required; i++) {
    if (!given_[i]) refuse(function_, "() needs the argument '", names_[i], "'");
  }
}

int64_t Bound::integer(size_t i, int64_t fallback) const {
  if (!given(i)) return fallback;
  const Value& v = values_[i];
  if (v.is_undefined()) refuse(v.missing());
  if (!v.is_int() && !v.is_bool())
    refuse(function_, "(): ", names_[i], ": expected an integer, got '", type_name(v), "'");
  return v.as_int();
}

Text Bound::text(size_t i, std::string_view fallback) const {
  return given(i) ? to_text(values_[i]) : Text{std::string(fallback), {}};
}

// --- namespace

Namespace::Namespace(const Arguments& arguments) {
  if (arguments.positional.size() > 1) refuse("namespace() takes at most one dict");
  if (!arguments.positional.empty()) {
    const Value& first = arguments.positional[0];
    if (!first.is_dict()) refuse("namespace() takes a dict, got '", type_name(first), "'");
    for (const auto& entry : first.dict().entries()) {
      if (entry.first.is_string()) set(entry.first.string(), entry.second);
    }
  }
  for (const auto& argument : arguments.named) set(argument.first, argument.second);
}

Value Namespace::attribute(const std::string& name) {
  for (const auto& entry : attributes_) {
    if (entry.first == name) return entry.second;
  }
  return Value::undefined(cat("the namespace has no attribute ", quoted(name)));
}

void Namespace::set(const std::string& name, Value value) {
  for (auto& entry : attributes_) {
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  }
  if (attributes_.size() >= 1000) refuse("a namespace holds more than 1000 names");
  attributes_.emplace_back(name, std::move(value));
}

// --- loop

namespace {

class LoopFunction : public Object {
 public:
  LoopFunction(std::weak_ptr<Loop> loop, bool cycles) : loop_(std::move(loop)), cycles_(cycles) {}
  const char* type() const override { return cycles_ ? "loop.cycle" : "loop.changed"; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override {
    if (!arguments.named.empty()) refuse(type(), "() takes no named arguments");
    std::shared_ptr<Loop> loop = loop_.lock();
    if (!loop) refuse(type(), "() is called outside its loop");
    if (!cycles_) return loop->changed(interpreter.budget(), arguments.positional);
    if (arguments.positional.empty()) refuse("loop.cycle() needs a value");
    return arguments.positional[loop->index() % arguments.positional.size()];
  }

 private:
  std::weak_ptr<Loop> loop_;
  bool cycles_;
};

}  // namespace

Loop::Loop(std::shared_ptr<const List> items) : items_(std::move(items)) {
  for (const Value& item : *items_) depth_ = std::max(depth_, item.depth() + 1);
}

bool Loop::changed(Budget& budget, const List& values) {
  for (const Value& value : values) budget.charge(value.weight());
  bool same =
      last_ && last_->size() == values.size() && std::equal(values.begin(), values.end(), last_->begin(), equal);
  if (!same) last_ = std::make_shared<const List>(values);
  return !same;
}

Value Loop::attribute(const std::string& name) {
  size_t count = items_->size();
  if (name == "index") return index_ + 1;
  if (name == "index0") return index_;
  if (name == "revindex") return count - index_;
  if (name == "revindex0") return count - index_ - 1;
  if (name == "first") return index_ == 0;
  if (name == "last") return index_ + 1 == count;
  if (name == "length") return count;
  if (name == "depth") return 1;
  if (name == "depth0") return 0;
  if (name == "previtem") return index_ > 0 ? (*items_)[index_ - 1] : Value::undefined("there is no previous item");
  if (name == "nextitem") return index_ + 1 < count ? (*items_)[index_ + 1] : Value::undefined("there is no next item");
  if (name == "cycle" || name == "changed") {
    return Value(std::shared_ptr<Object>(std::make_shared<LoopFunction>(weak_from_this(), name == "cycle")));
  }
  return Value::undefined(cat("'loop' has no attribute ", quoted(name)));
}

// --- macros

Value Macro::call(Interpreter& interpreter, const Arguments& arguments) {
  std::shared_ptr<Scope> scope = scope_.lock();
  if (!scope) refuse("macro '", stmt_.text, "' is called outside the block that defines it");
  return interpreter.call_macro(stmt_, std::move(scope), arguments);
}

Value Macro::attribute(const std::string& name) {
  if (name == "name") return Value(stmt_.text);
  if (name == "caller") return stmt_.uses_caller;
  if (name == "catch_varargs") return stmt_.uses_varargs;
  if (name == "catch_kwargs") return stmt_.uses_kwargs;
  return Value::undefined(cat("'macro' has no attribute ", quoted(name)));
}

// --- global functions

namespace {

using Function = Value (*)(Interpreter&, const Arguments&);

class NativeFunction : public Object {
 public:
  explicit NativeFunction(Function function) : function_(function) {}
  const char* type() const override { return "function"; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override {
    return function_(interpreter, arguments);
  }

 private:
  Function function_;
};

Value range(Interpreter& interpreter, const Arguments& arguments) {
  constexpr int64_t kMaxRange = 100'000;  // Jinja's sandbox has the same limit
  Bound a("range", arguments, {"start", "stop", "step"}, 1);
  bool only_stop = !a.given(1);
  int64_t start = only_stop ? 0 : a.integer(0, 0);
  int64_t stop = only_stop ? a.integer(0, 0) : a.integer(1, 0);
  int64_t step = a.integer(2, 1);
  if (step == 0) refuse("range(): the step is 0");
  List items;
  for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (items.size() == kMaxRange) refuse("range() gives more than ", kMaxRange, " items");
    items.push_back(i);
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  interpreter.budget().charge(Budget::kItemCost * items.size());
  return Value(std::move(items), SequenceKind::kRange);
}

Value make_dict(Interpreter& interpreter, const Arguments& arguments) {
  Dict dict;
  if (arguments.positional.size() > 1) refuse("dict() takes at most one value");
  if (!arguments.positional.empty()) {
    const Value& first = arguments.positional[0];
    if (first.is_dict()) {
      dict = first.dict();
    } else {
      for (const Value& entry : iterate(interpreter.budget(), first)) {
        List pair = iterate(interpreter.budget(), entry);
        if (pair.size() != 2) refuse("dict() takes a dict or pairs");
        dict.set(pair[0], pair[1]);
      }
    }
    interpreter.budget().charge(Budget::kTextCost * dict.size());
  }
  for (const auto& argument : arguments.named) dict.set(Value(argument.first), argument.second);
  return dict;
}

Value make_namespace(Interpreter& interpreter, const Arguments& arguments) {
  return interpreter.new_namespace(arguments);
}

Value raise_exception(Interpreter&, const Arguments& arguments) {
  Bound a("raise_exception", arguments, {"message"}, 1);
  throw TemplateError{ErrorKind::kArgument, to_text(a[0]).bytes, true};
}

Value strftime_now(Interpreter& interpreter, const Arguments& arguments) {
  Bound a("strftime_now", arguments, {"format"}, 1);
  return Value(format_time(interpreter.now(), a.text(0, "").bytes));
}

}  // namespace

Value global_function(const std::string& name) {
  static constexpr std::pair<std::string_view, Function> kFunctions[] = {{"range", range},
                                                                         {"dict", make_dict},
                                                                         {"namespace", make_namespace},
                                                                         {"raise_exception", raise_exception},
                                                                         {"strftime_now", strftime_now}};
  for (const auto& entry : kFunctions) {
    if (entry.first == name) return Value(std::shared_ptr<Object>(std::make_shared<NativeFunction>(entry.second)));
  }
  if (name == "cycler" || name == "joiner" || name == "lipsum") {
    throw TemplateError{ErrorKind::kUnsupported, cat("the function ", name, "() is not supported")};
  }
  return {};
}

}  // namespace ingot::jinja
