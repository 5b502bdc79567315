#include "ingot/text/jinja_expressions.h"

#include <algorithm>
#include <charconv>

#include "ingot/text/jinja_names.h"

namespace ingot::jinja {

ExprPtr ExpressionParser::node(Kind kind) const {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->line = now().line;
  return expr;
}

void ExpressionParser::add(Expr& parent, ExprPtr child) {
  if (child) grow(parent, *child);
  parent.items.push_back(std::move(child));
}

void ExpressionParser::grow(Expr& parent, const Expr& child) {
  parent.height = std::max(parent.height, child.height + 1);
  if (parent.height > kMaxHeight) error("an expression chains more than ", kMaxHeight, " operations");
}

ExprPtr ExpressionParser::join(Kind kind, char op, ExprPtr left, ExprPtr right) {
  ExprPtr expr = node(kind);
  expr->op = op;
  expr->line = left->line;
  add(*expr, std::move(left));
  add(*expr, std::move(right));
  return expr;
}

ExprPtr ExpressionParser::expression(bool with_if) {
  Nest nest(*this);
  ExprPtr left = or_expression();
  while (with_if && take_word("if")) {
    ExprPtr test = or_expression();
    ExprPtr other = take_word("else") ? expression() : nullptr;
    left = join(Kind::kIf, 0, std::move(left), std::move(test));
    add(*left, std::move(other));
  }
  return left;
}

ExprPtr ExpressionParser::or_expression() {
  ExprPtr left = and_expression();
  while (take_word("or")) left = join(Kind::kOr, 0, std::move(left), and_expression());
  return left;
}

ExprPtr ExpressionParser::and_expression() {
  ExprPtr left = not_expression();
  while (take_word("and")) left = join(Kind::kAnd, 0, std::move(left), not_expression());
  return left;
}

ExprPtr ExpressionParser::not_expression() {
  if (!is_word("not")) return comparison();
  Nest nest(*this);
  ExprPtr expr = node(Kind::kUnary);
  expr->op = '!';
  advance();
  add(*expr, not_expression());
  return expr;
}

char ExpressionParser::comparison_operator() {
  static constexpr std::pair<std::string_view, char> kOperators[] = {{"==", '='}, {"!=", '!'}, {"<", '<'},
                                                                     {">", '>'},  {"<=", 'l'}, {">=", 'g'}};
  for (const auto& entry : kOperators) {
    if (take_op(entry.first)) return entry.second;
  }
  if (take_word("in")) return 'i';
  if (is_word("not") && next_token().type == Type::kName && next_token().text == "in") {
    advance();
    advance();
    return 'n';
  }
  return 0;
}

ExprPtr ExpressionParser::comparison() {
  ExprPtr left = sum();
  ExprPtr chain;
  while (char op = comparison_operator()) {
    if (!chain) {
      chain = node(Kind::kCompare);
      chain->line = left->line;
      add(*chain, std::move(left));
    }
    chain->name += op;
    add(*chain, sum());
  }
  return chain ? std::move(chain) : std::move(left);
}

ExprPtr ExpressionParser::sum() {
  ExprPtr left = concatenation();
  while (is_op("+") || is_op("-")) {
    char op = now().text[0];
    advance();
    left = join(Kind::kBinary, op, std::move(left), concatenation());
  }
  return left;
}

ExprPtr ExpressionParser::concatenation() {
  ExprPtr left = product();
  if (!is_op("~")) return left;
  ExprPtr expr = node(Kind::kConcat);
  expr->line = left->line;
  add(*expr, std::move(left));
  while (take_op("~")) add(*expr, product());
  return expr;
}

ExprPtr ExpressionParser::product() {
  ExprPtr left = power();
  while (is_op("*") || is_op("/") || is_op("//") || is_op("%")) {
    char op = now().text == "//" ? 'f' : now().text[0];
    advance();
    left = join(Kind::kBinary, op, std::move(left), power());
  }
  return left;
}

ExprPtr ExpressionParser::power() {
  ExprPtr left = unary(true);
  while (take_op("**")) left = join(Kind::kBinary, 'p', std::move(left), unary(true));
  return left;
}

ExprPtr ExpressionParser::unary(bool with_filter) {
  ExprPtr expr;
  if (is_op("-") || is_op("+")) {
    Nest nest(*this);
    expr = node(Kind::kUnary);
    expr->op = now().text[0];
    advance();
    add(*expr, unary(false));
  } else {
    expr = primary();
  }
  expr = postfix(std::move(expr));
  return with_filter ? filters_and_tests(std::move(expr)) : std::move(expr);
}

ExprPtr ExpressionParser::primary() {
  if (is(Type::kName)) return name_or_constant();
  ExprPtr expr = node(Kind::kConstant);
  if (is(Type::kString)) {
    std::string text;
    for (; is(Type::kString); advance()) text += now().text;
    expr->value = Value(text);
    return expr;
  }
  if (is(Type::kInteger) || is(Type::kFloat)) {
    expr->value = number();
    return expr;
  }
  if (take_op("(")) {
    expr = tuple(true, {}, false, true);
    expect_op(")");
    return expr;
  }
  if (is_op("[")) return sequence_literal(Kind::kList, "]");
  if (is_op("{")) return sequence_literal(Kind::kDict, "}");
  error("unexpected ", quoted(now().text));
}

Value ExpressionParser::number() {
  const std::string text = now().text;
  if (is(Type::kFloat)) {
    double v = 0;
    auto result = std::from_chars(text.data(), text.data() + text.size(), v);
    if (result.ec != std::errc()) error("the number ", quoted(text), " is out of range");
    advance();
    return v;
  }
  int64_t v = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), v);
  if (result.ec != std::errc()) error("the number ", quoted(text), " is beyond 64 bits");
  advance();
  return v;
}

ExprPtr ExpressionParser::name_or_constant() {
  const std::string text = now().text;
  ExprPtr expr = node(Kind::kConstant);
  if (text == "true" || text == "True" || text == "false" || text == "False") {
    expr->value = Value(text == "true" || text == "True");
  } else if (text == "none" || text == "None") {
    expr->value = Value(nullptr);
  } else {
    expr->kind = Kind::kName;
    expr->name = text;
    if (macro_) {
      macro_->uses_varargs |= text == "varargs";
      macro_->uses_kwargs |= text == "kwargs";
      macro_->uses_caller |= text == "caller";
    }
  }
  advance();
  return expr;
}

ExprPtr ExpressionParser::sequence_literal(Kind kind, std::string_view end) {
  ExprPtr expr = node(kind);
  advance();
  while (!is_op(end)) {
    if (!expr->items.empty()) expect_op(",");
    if (is_op(end)) break;
    add(*expr, expression());
    if (kind == Kind::kDict) {
      expect_op(":");
      add(*expr, expression());
    }
  }
  expect_op(end);
  return expr;
}

ExprPtr ExpressionParser::tuple(bool with_if, Words ends, bool names_only, bool in_brackets) {
  ExprPtr many = node(Kind::kTuple);
  bool has_comma = false;
  while (true) {
    if (is(Type::kVariableEnd) || is(Type::kBlockEnd) || is_op(")") || is_word_of(ends)) break;
    add(*many, names_only ? primary() : expression(with_if));
    if (!is_op(",")) break;
    has_comma = true;
    advance();
  }
  if (!has_comma && !many->items.empty()) return std::move(many->items[0]);
  if (many->items.empty() && !in_brackets) error("expected an expression, got ", quoted(now().text));
  return many;
}

ExprPtr ExpressionParser::postfix(ExprPtr expr) {
  while (true) {
    if (is_op(".")) {
      expr = attribute(std::move(expr));
    } else if (is_op("[")) {
      expr = subscript(std::move(expr));
    } else if (is_op("(")) {
      expr = call(std::move(expr));
    } else {
      return expr;
    }
  }
}

ExprPtr ExpressionParser::attribute(ExprPtr object) {
  ExprPtr expr = node(Kind::kAttribute);
  advance();
  add(*expr, std::move(object));
  if (is(Type::kInteger)) {
    expr->kind = Kind::kItem;
    ExprPtr index = node(Kind::kConstant);
    index->value = number();
    add(*expr, std::move(index));
  } else {
    expr->name = name();
  }
  return expr;
}

ExprPtr ExpressionParser::subscript(ExprPtr object) {
  ExprPtr expr = node(Kind::kItem);
  advance();
  add(*expr, std::move(object));
  ExprPtr first = is_op(":") ? nullptr : expression();
  if (is_op(":")) {
    expr->kind = Kind::kSlice;
    add(*expr, std::move(first));
    for (int part = 0; part < 2; part++) {
      bool present = take_op(":") && !is_op(":") && !is_op("]");
      add(*expr, present ? expression() : nullptr);
    }
  } else {
    add(*expr, std::move(first));
  }
  if (is_op(",")) unsupported("a subscript with a comma");
  expect_op("]");
  return expr;
}

CallArguments ExpressionParser::call_arguments(Expr& owner) {
  CallArguments arguments;
  expect_op("(");
  bool first = true;
  while (!is_op(")")) {
    if (!first) expect_op(",");
    first = false;
    if (is_op(")")) break;
    bool is_double = is_op("**");
    if (is_double || is_op("*")) {
      ExprPtr& star = is_double ? arguments.double_star : arguments.star;
      if (star || arguments.double_star) error("invalid syntax in the arguments of a call");
      advance();
      star = expression();
      grow(owner, *star);
    } else if (is(Type::kName) && next_token().type == Type::kOperator && next_token().text == "=") {
      if (arguments.double_star) error("invalid syntax in the arguments of a call");
      std::string key = name();
      advance();
      for (const auto& other : arguments.named) {
        if (other.first == key) error("the argument '", key, "' is given twice");
      }
      arguments.named.emplace_back(std::move(key), expression());
      grow(owner, *arguments.named.back().second);
    } else {
      if (arguments.star || arguments.double_star || !arguments.named.empty()) {
        error("an argument without a name follows one with a name");
      }
      arguments.positional.push_back(expression());
      grow(owner, *arguments.positional.back());
    }
  }
  expect_op(")");
  return arguments;
}

ExprPtr ExpressionParser::call(ExprPtr callee) {
  ExprPtr expr = node(Kind::kCall);
  add(*expr, std::move(callee));
  expr->arguments = call_arguments(*expr);
  return expr;
}

ExprPtr ExpressionParser::filters_and_tests(ExprPtr expr) {
  while (true) {
    if (is_op("|")) {
      expr = filters(std::move(expr));
    } else if (is_word("is")) {
      expr = test(std::move(expr));
    } else if (is_op("(")) {
      expr = call(std::move(expr));
    } else {
      return expr;
    }
  }
}

ExprPtr ExpressionParser::filters(ExprPtr expr) {
  while (take_op("|")) expr = one_filter(std::move(expr));
  return expr;
}

ExprPtr ExpressionParser::one_filter(ExprPtr operand) {
  ExprPtr expr = node(Kind::kFilter);
  expr->name = now().text;
  if (is(Type::kName) && is_other_filter(expr->name)) unsupported("the filter '", expr->name, "'");
  if (is(Type::kName) && !is_filter(expr->name)) error("there is no filter named '", expr->name, "'");
  expect(Type::kName, "the name of a filter");
  add(*expr, std::move(operand));
  if (is_op("(")) expr->arguments = call_arguments(*expr);
  return expr;
}

ExprPtr ExpressionParser::test(ExprPtr operand) {
  ExprPtr expr = node(Kind::kTest);
  advance();
  bool negated = take_word("not");
  expr->name = now().text;
  if (is(Type::kName) && !is_test(expr->name)) error("there is no test named '", expr->name, "'");
  expect(Type::kName, "the name of a test");
  add(*expr, std::move(operand));
  bool operand_follows = is(Type::kString) || is(Type::kInteger) || is(Type::kFloat) || is_op("[") || is_op("{") ||
                         (is(Type::kName) && !is_word_of({"else", "or", "and"}));
  if (is_op("(")) {
    expr->arguments = call_arguments(*expr);
  } else if (operand_follows) {
    if (is_word("is")) error("tests cannot be chained with 'is'");
    expr->arguments.positional.push_back(postfix(primary()));
    grow(*expr, *expr->arguments.positional.back());
  }
  if (!negated) return expr;
  ExprPtr outer = node(Kind::kUnary);
  outer->op = '!';
  outer->line = expr->line;
  add(*outer, std::move(expr));
  return outer;
}

ExprPtr ExpressionParser::target(Words ends) {
  ExprPtr expr = tuple(false, ends, true);
  check_target(*expr);
  return expr;
}

void ExpressionParser::check_target(const Expr& expr) {
  if (expr.kind != Kind::kName && expr.kind != Kind::kTuple) error("this cannot be assigned to");
  for (const ExprPtr& item : expr.items) check_target(*item);
}

}  // namespace ingot::jinja
