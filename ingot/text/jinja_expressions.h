// The expression half of the template parser: precedence and forms as in Jinja's own parser.
#pragma once
#include <string_view>

#include "ingot/text/jinja_ast.h"
#include "ingot/text/jinja_token_stream.h"

namespace ingot::jinja {

class ExpressionParser : public TokenStream {
 public:
  using Kind = Expr::Kind;
  using TokenStream::TokenStream;

  ExprPtr expression(bool with_if = true);
  // One expression, or several with commas between them: a tuple.
  ExprPtr tuple(bool with_if, Words ends, bool names_only, bool in_brackets = false);
  ExprPtr filters(ExprPtr expr);
  ExprPtr one_filter(ExprPtr operand);
  // Names, or tuples of names, to assign to.
  ExprPtr target(Words ends);

 protected:
  ExprPtr node(Kind kind) const;
  Stmt* macro_ = nullptr;  // the macro or call block around this place

 private:
  static constexpr int kMaxHeight = 200;  // of a tree: long chains of operators or filters

  // Children are added through this, so that no tree is taller than what can be walked.
  void add(Expr& parent, ExprPtr child);
  void grow(Expr& parent, const Expr& child);
  ExprPtr join(Kind kind, char op, ExprPtr left, ExprPtr right);
  ExprPtr or_expression();
  ExprPtr and_expression();
  ExprPtr not_expression();
  char comparison_operator();
  ExprPtr comparison();
  ExprPtr sum();
  ExprPtr concatenation();
  ExprPtr product();
  ExprPtr power();
  ExprPtr unary(bool with_filter);
  ExprPtr primary();
  Value number();
  ExprPtr name_or_constant();
  ExprPtr sequence_literal(Kind kind, std::string_view end);
  ExprPtr postfix(ExprPtr expr);
  ExprPtr attribute(ExprPtr object);
  ExprPtr subscript(ExprPtr object);
  CallArguments call_arguments(Expr& owner);
  ExprPtr call(ExprPtr callee);
  ExprPtr filters_and_tests(ExprPtr expr);
  ExprPtr test(ExprPtr operand);
  void check_target(const Expr& expr);
};

}  // namespace ingot::jinja
