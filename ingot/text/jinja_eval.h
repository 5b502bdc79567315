// Runs a template: scopes, statements, expressions, macros and loops as Jinja has them.
#pragma once
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/text/jinja_ast.h"
#include "ingot/text/jinja_ops.h"

namespace ingot::jinja {

struct Scope {
  std::shared_ptr<Scope> parent;
  std::vector<std::pair<std::string, Value>> variables;
  Value* find(std::string_view name);
  void set(const std::string& name, Value value);
};

class Namespace;

struct RunOptions {
  uint64_t work = 500'000'000;  // what a run may spend; see Budget
  std::tm now{};                // for strftime_now
};

class Interpreter {
 public:
  explicit Interpreter(const RunOptions& options) : budget_(options.work), now_(options.now) {}
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // `globals` are the template's variables. ingot::Error with the line on any failure.
  Text run(const Block& block, const Dict& globals);

  Budget& budget() { return budget_; }
  const std::tm& now() const { return now_; }
  Value apply_filter(const std::string& name, const Value& value, const Arguments& arguments);
  bool apply_test(const std::string& name, const Value& value, const Arguments& arguments);
  Value new_namespace(const Arguments& arguments);
  // Runs a macro's body: see Macro.
  Value call_macro(const Stmt& macro, std::shared_ptr<Scope> scope, const Arguments& arguments);

 private:
  enum class Flow { kNext, kBreak, kContinue };
  struct Level;       // counts nested calls
  struct ScopeGuard;  // enters a scope below the current one
  struct Capture;     // redirects output

  Flow run_block(const Block& block);
  Flow run_statement(const Stmt& stmt);
  Flow run_if(const Stmt& stmt);
  Flow run_for(const Stmt& stmt);
  void run_set_block(const Stmt& stmt);
  void run_call_block(const Stmt& stmt);
  Flow run_with(const Stmt& stmt);
  List filtered_items(const Stmt& stmt);
  Text captured(const Block& block);
  void assign(const Expr& target, const Value& value);

  Value eval(const Expr& expr);
  Value eval_inner(const Expr& expr);
  Value eval_name(const Expr& expr);
  Value eval_sequence(const Expr& expr);
  Value eval_slice(const Expr& expr);
  Value eval_compare(const Expr& expr);
  Value eval_call(const Expr& expr);
  Value eval_filter(const Expr& expr, const Value& value);
  Value eval_unary(const Expr& expr);
  Arguments eval_arguments(const CallArguments& arguments);

  Budget budget_;
  std::tm now_;
  const Dict* globals_ = nullptr;
  std::shared_ptr<Scope> scope_;
  TextBuilder* out_ = nullptr;
  std::vector<std::shared_ptr<Namespace>> namespaces_;  // emptied at the end: they may hold each other in circles
  int line_ = 0;
  int level_ = 0;
};

// Functions every template knows: range, dict, namespace, raise_exception, strftime_now. Undefined for other names.
Value global_function(const std::string& name);

}  // namespace ingot::jinja
