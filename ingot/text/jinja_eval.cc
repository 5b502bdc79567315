#include "ingot/text/jinja_eval.h"

#include <algorithm>

#include "ingot/text/jinja_runtime.h"

namespace ingot::jinja {

namespace {
// A level is a call of eval or run_block; the deepest of templates (macros that call themselves on nested schemas) stay
// far below.
constexpr int kMaxLevel = 400;
}  // namespace

Value* Scope::find(std::string_view name) {
  for (auto& variable : variables) {
    if (variable.first == name) return &variable.second;
  }
  return nullptr;
}

void Scope::set(const std::string& name, Value value) {
  if (Value* found = find(name)) {
    *found = std::move(value);
  } else {
    variables.emplace_back(name, std::move(value));
  }
}

struct Interpreter::Level {
  explicit Level(Interpreter& interpreter) : in(interpreter) {
    if (++in.level_ > kMaxLevel) {
      in.level_--;
      refuse("macros and blocks call each other more than ", kMaxLevel, " levels deep");
    }
  }
  ~Level() { in.level_--; }
  Interpreter& in;
};

struct Interpreter::ScopeGuard {
  ScopeGuard(Interpreter& interpreter, std::shared_ptr<Scope> parent) : in(interpreter), saved(in.scope_) {
    in.scope_ = std::make_shared<Scope>();
    in.scope_->parent = std::move(parent);
  }
  explicit ScopeGuard(Interpreter& interpreter) : ScopeGuard(interpreter, interpreter.scope_) {}
  ~ScopeGuard() { in.scope_ = std::move(saved); }
  Interpreter& in;
  std::shared_ptr<Scope> saved;
};

struct Interpreter::Capture {
  explicit Capture(Interpreter& interpreter) : in(interpreter), saved(std::exchange(in.out_, &text)) {}
  ~Capture() { in.out_ = saved; }
  Interpreter& in;
  TextBuilder text;
  TextBuilder* saved;
};

Interpreter::~Interpreter() {
  for (auto& ns : namespaces_) ns->clear();
}

Value Interpreter::new_namespace(const Arguments& arguments) {
  if (namespaces_.size() >= 10'000) refuse("the template makes more than 10000 namespaces");
  namespaces_.push_back(std::make_shared<Namespace>(arguments));
  return Value(std::shared_ptr<Object>(namespaces_.back()));
}

Text Interpreter::run(const Block& block, const Dict& globals) {
  constexpr std::string_view kWhere = "chat template";
  try {
    globals_ = &globals;
    scope_ = std::make_shared<Scope>();
    TextBuilder out;
    out_ = &out;
    run_block(block);
    return out.take();
  } catch (const TemplateError& e) {
    fail(e.kind, kWhere, e.from_template ? e.message : cat("line ", line_, ": ", e.message));
  } catch (const Error& e) {
    fail(e.kind(), kWhere, cat("line ", line_, ": ", e.what()));
  }
}

// --- statements

Interpreter::Flow Interpreter::run_block(const Block& block) {
  Level level(*this);
  for (const Stmt& stmt : block) {
    budget_.charge(Budget::kNodeCost);
    line_ = stmt.line;
    if (stmt.kind == Stmt::Kind::kText) {
      out_->append(stmt.text);
      budget_.charge(stmt.text.size());
    } else if (stmt.kind == Stmt::Kind::kOutput) {
      size_t before = out_->size();
      append_text(*out_, eval(*stmt.expr));
      budget_.charge(out_->size() - before);
    } else if (Flow flow = run_statement(stmt); flow != Flow::kNext) {
      return flow;
    }
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::run_statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case Stmt::Kind::kIf:
      return run_if(stmt);
    case Stmt::Kind::kFor:
      return run_for(stmt);
    case Stmt::Kind::kBreak:
      return Flow::kBreak;
    case Stmt::Kind::kContinue:
      return Flow::kContinue;
    case Stmt::Kind::kWith:
      return run_with(stmt);
    case Stmt::Kind::kScope: {
      ScopeGuard scope(*this);
      return run_block(stmt.body);
    }
    case Stmt::Kind::kSet:
      assign(*stmt.target, eval(*stmt.expr));
      break;
    case Stmt::Kind::kSetBlock:
      run_set_block(stmt);
      break;
    case Stmt::Kind::kCallBlock:
      run_call_block(stmt);
      break;
    case Stmt::Kind::kMacro:
      scope_->set(stmt.text, Value(std::shared_ptr<Object>(std::make_shared<Macro>(stmt, scope_))));
      break;
    case Stmt::Kind::kFilterBlock: {
      Value filtered = eval_filter(*stmt.expr, captured(stmt.body));
      append_text(*out_, filtered);
      break;
    }
    default:
      break;
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::run_if(const Stmt& stmt) {
  for (const auto& branch : stmt.branches) {
    if (truth(eval(*branch.first))) return run_block(branch.second);
  }
  return run_block(stmt.body);
}

Text Interpreter::captured(const Block& block) {
  Capture capture(*this);
  ScopeGuard scope(*this);
  run_block(block);
  return capture.text.take();
}

void Interpreter::run_set_block(const Stmt& stmt) {
  Value text = captured(stmt.body);
  assign(*stmt.target, stmt.expr ? eval_filter(*stmt.expr, text) : text);
}

Interpreter::Flow Interpreter::run_with(const Stmt& stmt) {
  List values;
  for (const ExprPtr& value : stmt.values) values.push_back(eval(*value));
  ScopeGuard scope(*this);
  for (size_t i = 0; i < values.size(); i++) assign(*stmt.targets[i], values[i]);
  return run_block(stmt.body);
}

void Interpreter::run_call_block(const Stmt& stmt) {
  Arguments arguments = eval_arguments(stmt.expr->arguments);
  arguments.named.emplace_back("caller", Value(std::shared_ptr<Object>(std::make_shared<Macro>(stmt, scope_))));
  Value callee = eval(*stmt.expr->items[0]);
  if (!callee.is_object() || !callee.object()->callable())
    refuse("{% call %} needs a macro, got '", type_name(callee), "'");
  Value text = callee.object()->call(*this, arguments);
  append_text(*out_, text);
}

// The items of a loop that pass its `if`.
List Interpreter::filtered_items(const Stmt& stmt) {
  List items = iterate(budget_, eval(*stmt.expr));
  if (!stmt.test) return items;
  List kept;
  ScopeGuard scope(*this);
  for (Value& item : items) {
    budget_.charge(Budget::kNodeCost);
    assign(*stmt.target, item);
    if (truth(eval(*stmt.test))) kept.push_back(std::move(item));
  }
  return kept;
}

Interpreter::Flow Interpreter::run_for(const Stmt& stmt) {
  auto items = std::make_shared<const List>(filtered_items(stmt));
  if (items->empty()) {
    ScopeGuard scope(*this);
    return run_block(stmt.other);
  }
  auto loop = std::make_shared<Loop>(items);
  Value loop_value{std::shared_ptr<Object>(loop)};
  struct End {
    Loop& loop;
    ~End() { loop.end(); }
  } end{*loop};
  for (size_t i = 0; i < items->size(); i++) {
    budget_.charge(Budget::kTextCost);
    loop->advance(i);
    ScopeGuard scope(*this);
    scope_->set("loop", loop_value);
    assign(*stmt.target, (*items)[i]);
    if (run_block(stmt.body) == Flow::kBreak) break;
  }
  return Flow::kNext;
}

void Interpreter::assign(const Expr& target, const Value& value) {
  if (target.kind == Expr::Kind::kName) return scope_->set(target.name, value);
  if (target.kind == Expr::Kind::kAttribute) {
    Value object = eval_name(*target.items[0]);
    auto* ns = object.is_object() ? dynamic_cast<Namespace*>(object.object().get()) : nullptr;
    if (!ns) refuse("cannot assign to an attribute of a '", type_name(object), "': it is no namespace");
    return ns->set(target.name, value);
  }
  List parts = iterate(budget_, value);
  if (parts.size() != target.items.size()) {
    refuse("cannot unpack ", parts.size(), " values into ", target.items.size(), " names");
  }
  for (size_t i = 0; i < parts.size(); i++) assign(*target.items[i], parts[i]);
}

// --- macros

Value Interpreter::call_macro(const Stmt& macro, std::shared_ptr<Scope> parent, const Arguments& arguments) {
  std::string_view name = macro.text;
  size_t count = macro.parameters.size();
  if (arguments.positional.size() > count && !macro.uses_varargs) {
    refuse("macro '", name, "' takes not more than ", count, " arguments, got ", arguments.positional.size());
  }
  List values(count), varargs;
  std::vector<bool> given(count, false);
  for (size_t i = 0; i < arguments.positional.size(); i++) {
    if (i < count) {
      values[i] = arguments.positional[i];
      given[i] = true;
    } else {
      varargs.push_back(arguments.positional[i]);
    }
  }
  Dict kwargs;
  Value caller;
  bool has_caller = false;
  for (const auto& argument : arguments.named) {
    size_t i = 0;
    while (i < count && macro.parameters[i].name != argument.first) i++;
    if (i < count) {
      if (given[i]) refuse("macro '", name, "' gets the argument '", argument.first, "' twice");
      values[i] = argument.second;
      given[i] = true;
    } else if (argument.first == "caller" && macro.uses_caller) {
      caller = argument.second;
      has_caller = true;
    } else if (macro.uses_kwargs) {
      kwargs.set(Value(argument.first), argument.second);
    } else {
      refuse("macro '", name, "' takes no argument '", argument.first, "'");
    }
  }
  int line = line_;
  Capture capture(*this);
  ScopeGuard scope(*this, std::move(parent));
  if (macro.uses_varargs) scope_->set("varargs", Value(std::move(varargs), SequenceKind::kTuple));
  if (macro.uses_kwargs) scope_->set("kwargs", Value(std::move(kwargs)));
  if (macro.uses_caller && macro.kind == Stmt::Kind::kMacro) {
    scope_->set("caller", has_caller ? caller : Value::undefined("no caller is defined"));
  }
  for (size_t i = 0; i < count; i++) {
    const Parameter& parameter = macro.parameters[i];
    if (!given[i] && parameter.fallback) {
      values[i] = eval(*parameter.fallback);
    } else if (!given[i]) {
      values[i] = Value::undefined(cat("parameter '", parameter.name, "' was not provided"));
    }
    scope_->set(parameter.name, values[i]);
  }
  run_block(macro.body);
  line_ = line;
  return capture.text.take();
}

// --- expressions

Value Interpreter::eval(const Expr& expr) {
  if (expr.kind == Expr::Kind::kConstant) return expr.value;
  budget_.charge(Budget::kNodeCost);
  line_ = expr.line;
  if (expr.kind == Expr::Kind::kName) return eval_name(expr);
  Level level(*this);
  return eval_inner(expr);
}

Value Interpreter::eval_inner(const Expr& expr) {
  using Kind = Expr::Kind;
  switch (expr.kind) {
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kDict:
    case Kind::kConcat:
      return eval_sequence(expr);
    case Kind::kAttribute: {
      Value object = eval(*expr.items[0]);
      line_ = expr.line;
      return attribute(object, expr.name);
    }
    case Kind::kItem: {
      Value object = eval(*expr.items[0]);
      Value key = eval(*expr.items[1]);
      line_ = expr.line;
      return item(budget_, object, key);
    }
    case Kind::kSlice:
      return eval_slice(expr);
    case Kind::kCall:
      return eval_call(expr);
    case Kind::kFilter:
    case Kind::kTest:
      return eval_filter(expr, {});
    case Kind::kUnary:
      return eval_unary(expr);
    case Kind::kBinary: {
      Value a = eval(*expr.items[0]);
      Value b = eval(*expr.items[1]);
      line_ = expr.line;
      return binary(budget_, expr.op, a, b);
    }
    case Kind::kCompare:
      return eval_compare(expr);
    case Kind::kAnd:
    case Kind::kOr: {
      Value a = eval(*expr.items[0]);
      return truth(a) == (expr.kind == Kind::kOr) ? a : eval(*expr.items[1]);
    }
    case Kind::kIf:
      if (truth(eval(*expr.items[1]))) return eval(*expr.items[0]);
      if (expr.items[2]) return eval(*expr.items[2]);
      return Value::undefined("the inline if was false and has no else");
    default:
      return {};
  }
}

Value Interpreter::eval_name(const Expr& expr) {
  for (Scope* scope = scope_.get(); scope; scope = scope->parent.get()) {
    if (Value* found = scope->find(expr.name)) return *found;
  }
  if (const Value* found = globals_->find(expr.name)) return *found;
  Value function = global_function(expr.name);
  return function.is_undefined() ? Value::undefined(cat("'", expr.name, "' is undefined")) : function;
}

Value Interpreter::eval_sequence(const Expr& expr) {
  List values;
  values.reserve(expr.items.size());
  for (const ExprPtr& item : expr.items) values.push_back(eval(*item));
  if (expr.kind == Expr::Kind::kConcat) return concat(budget_, values);
  budget_.charge(Budget::kTextCost);
  if (expr.kind != Expr::Kind::kDict) {
    return Value(std::move(values), expr.kind == Expr::Kind::kList ? SequenceKind::kList : SequenceKind::kTuple);
  }
  Dict dict;
  for (size_t i = 0; i + 1 < values.size(); i += 2) dict.set(values[i], values[i + 1]);
  return dict;
}

Value Interpreter::eval_slice(const Expr& expr) {
  Value object = eval(*expr.items[0]);
  Value bounds[3];
  for (size_t i = 0; i < 3; i++) bounds[i] = expr.items[i + 1] ? eval(*expr.items[i + 1]) : Value(nullptr);
  return slice(budget_, object, bounds[0], bounds[1], bounds[2]);
}

Value Interpreter::eval_compare(const Expr& expr) {
  Value left = eval(*expr.items[0]);
  for (size_t i = 0; i < expr.name.size(); i++) {
    Value right = eval(*expr.items[i + 1]);
    line_ = expr.line;
    if (!compare(budget_, expr.name[i], left, right)) return false;
    left = std::move(right);
  }
  return true;
}

Value Interpreter::eval_unary(const Expr& expr) {
  Value value = eval(*expr.items[0]);
  if (expr.op == '!') return !truth(value);
  line_ = expr.line;
  if (expr.op == '-') return unary_minus(value);
  if (value.is_number()) return value.is_bool() ? Value(value.as_int()) : value;
  if (value.is_undefined()) refuse(value.missing());
  refuse("'+' does not work on '", type_name(value), "'");
}

Arguments Interpreter::eval_arguments(const CallArguments& arguments) {
  Arguments result;
  for (const ExprPtr& argument : arguments.positional) result.positional.push_back(eval(*argument));
  for (const auto& argument : arguments.named) result.named.emplace_back(argument.first, eval(*argument.second));
  if (arguments.star) {
    for (Value& value : iterate(budget_, eval(*arguments.star))) result.positional.push_back(std::move(value));
  }
  if (arguments.double_star) {
    Value dict = eval(*arguments.double_star);
    if (!dict.is_dict()) refuse("'**' needs a dict, got '", type_name(dict), "'");
    for (const auto& entry : dict.dict().entries()) {
      if (!entry.first.is_string()) refuse("'**' needs a dict whose keys are strings");
      for (const auto& other : result.named) {
        if (other.first == entry.first.string()) refuse("the argument ", quoted(other.first), " is given twice");
      }
      budget_.charge(Budget::kItemCost * (1 + result.named.size()));
      result.named.emplace_back(entry.first.string(), entry.second);
    }
  }
  return result;
}

Value Interpreter::eval_call(const Expr& expr) {
  Value callee = eval(*expr.items[0]);
  if (callee.is_undefined()) refuse(callee.missing());
  if (!callee.is_object() || !callee.object()->callable()) refuse("a '", type_name(callee), "' cannot be called");
  Arguments arguments = eval_arguments(expr.arguments);
  line_ = expr.line;
  return callee.object()->call(*this, arguments);
}

// Filters and tests. The innermost operand of a filter block's chain is null: then it is `value`.
Value Interpreter::eval_filter(const Expr& expr, const Value& value) {
  Value operand = value;
  if (const Expr* inner = expr.items[0].get()) {
    bool chained = inner->kind == Expr::Kind::kFilter && !value.is_undefined();
    operand = chained ? eval_filter(*inner, value) : eval(*inner);
  }
  Arguments arguments = eval_arguments(expr.arguments);
  line_ = expr.line;
  budget_.charge(operand.is_string() ? operand.weight() : 1);
  if (expr.kind == Expr::Kind::kTest) return apply_test(expr.name, operand, arguments);
  Value result = apply_filter(expr.name, operand, arguments);
  if (result.is_string()) budget_.charge(result.weight());
  return result;
}

}  // namespace ingot::jinja
