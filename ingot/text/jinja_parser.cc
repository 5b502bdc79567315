#include "ingot/text/jinja_parser.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "ingot/text/jinja_lexer.h"
#include "ingot/text/jinja_names.h"
#include "ingot/text/jinja_object.h"

namespace ingot::jinja {

namespace {

using Type = Token::Type;
using Kind = Expr::Kind;
using Words = std::initializer_list<std::string_view>;

// A level of brackets costs a dozen stack frames here; a server thread on macOS has 512 KiB in all.
constexpr int kMaxNesting = 48;
constexpr int kMaxHeight = 200;  // of an expression's tree: long chains of operators or filters

class Parser {
 public:
  explicit Parser(std::string_view source) : tokens_(tokenize(source)) {}

  Block run() {
    Block block = body({});
    if (!at_end()) error("unexpected {% ", now().text, " %}");
    return block;
  }

 private:
  // --- tokens
  const Token& now() const { return tokens_[at_]; }
  const Token& next_token() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool at_end() const { return now().type == Type::kEnd; }
  bool is(Type type) const { return now().type == type; }
  bool is_op(std::string_view op) const { return is(Type::kOperator) && now().text == op; }
  bool is_word(std::string_view word) const { return is(Type::kName) && now().text == word; }
  bool is_word_of(Words words) const {
    return is(Type::kName) && std::find(words.begin(), words.end(), now().text) != words.end();
  }
  void advance() {
    if (!at_end()) at_++;
  }
  bool take_op(std::string_view op) {
    bool found = is_op(op);
    if (found) advance();
    return found;
  }
  bool take_word(std::string_view word) {
    bool found = is_word(word);
    if (found) advance();
    return found;
  }
  void expect_op(std::string_view op) {
    if (!take_op(op)) error("expected '", op, "', got ", quoted(now().text));
  }
  void expect_word(std::string_view word) {
    if (!take_word(word)) error("expected '", word, "', got ", quoted(now().text));
  }
  void expect(Type type, std::string_view what) {
    if (!is(type)) error("expected ", what, ", got ", quoted(now().text));
    advance();
  }
  std::string name() {
    std::string text = now().text;
    expect(Type::kName, "a name");
    return text;
  }
  template <class... Parts>
  [[noreturn]] void error(const Parts&... parts) {
    refuse("line ", now().line, ": ", parts...);
  }
  template <class... Parts>
  [[noreturn]] void unsupported(const Parts&... parts) {
    throw TemplateError{ErrorKind::kUnsupported, cat("line ", now().line, ": ", parts..., " is not supported")};
  }

  struct Nest {
    explicit Nest(Parser& parser) : p(parser) {
      if (++p.nesting_ > kMaxNesting) p.error("nests deeper than ", kMaxNesting, " levels");
    }
    ~Nest() { p.nesting_--; }
    Parser& p;
  };

  // --- statements
  // Up to a block tag that starts with one of `ends`; that tag's "{%" is consumed, its name is not.
  Block body(Words ends) {
    Nest nest(*this);
    Block block;
    while (!at_end()) {
      if (is(Type::kData)) {
        block.push_back(statement(Stmt::Kind::kText));
        block.back().text = now().text;
        advance();
      } else if (is(Type::kVariableBegin)) {
        block.push_back(statement(Stmt::Kind::kOutput));
        advance();
        block.back().expr = tuple(true, {}, false);
        expect(Type::kVariableEnd, "'}}'");
      } else {
        expect(Type::kBlockBegin, "a tag");
        if (is_word_of(ends)) return block;
        if (!is(Type::kName)) error("expected the name of a tag, got ", quoted(now().text));
        block_tag(block);
        expect(Type::kBlockEnd, "'%}'");
      }
    }
    return block;
  }

  // The rest of an opening tag, then its body up to one of `ends`.
  Block inner(Words ends) {
    take_op(":");
    expect(Type::kBlockEnd, "'%}'");
    Block block = body(ends);
    if (at_end()) error("the template ends where {% ", *ends.begin(), " %} is missing");
    return block;
  }

  Stmt statement(Stmt::Kind kind) const {
    Stmt stmt;
    stmt.kind = kind;
    stmt.line = now().line;
    return stmt;
  }

  void block_tag(Block& block) {
    std::string tag = now().text;
    if (tag == "if") return block.push_back(if_tag());
    if (tag == "for") return block.push_back(for_tag());
    if (tag == "set") return block.push_back(set_tag());
    if (tag == "macro") return block.push_back(macro_tag());
    if (tag == "call") return block.push_back(call_tag());
    if (tag == "filter") return block.push_back(filter_tag());
    if (tag == "with") return block.push_back(with_tag());
    if (tag == "print") return print_tag(block);
    if (tag == "generation") {
      Stmt stmt = statement(Stmt::Kind::kScope);
      advance();
      stmt.body = inner({"endgeneration"});
      advance();
      return block.push_back(std::move(stmt));
    }
    if (tag == "break" || tag == "continue") {
      if (loops_ == 0) error("'", tag, "' outside a loop");
      block.push_back(statement(tag == "break" ? Stmt::Kind::kBreak : Stmt::Kind::kContinue));
      return advance();
    }
    if (tag.starts_with("end") || tag == "else" || tag == "elif") error("unexpected {% ", tag, " %}");
    unsupported("the tag {% ", tag, " %}");
  }

  Stmt if_tag() {
    Stmt stmt = statement(Stmt::Kind::kIf);
    do {
      advance();
      ExprPtr test = tuple(false, {}, false);
      Block then = inner({"elif", "else", "endif"});
      stmt.branches.emplace_back(std::move(test), std::move(then));
    } while (is_word("elif"));
    if (take_word("else")) stmt.body = inner({"endif"});
    advance();
    return stmt;
  }

  Stmt for_tag() {
    Stmt stmt = statement(Stmt::Kind::kFor);
    advance();
    stmt.target = target({"in"});
    expect_word("in");
    stmt.expr = tuple(false, {"recursive"}, false);
    if (take_word("if")) stmt.test = expression();
    if (is_word("recursive")) unsupported("a recursive loop");
    loops_++;
    stmt.body = inner({"endfor", "else"});
    loops_--;
    if (take_word("else")) stmt.other = inner({"endfor"});
    advance();
    return stmt;
  }

  Stmt set_tag() {
    Stmt stmt = statement(Stmt::Kind::kSet);
    advance();
    if (is(Type::kName) && next_token().type == Type::kOperator && next_token().text == ".") {
      stmt.target = node(Kind::kAttribute);
      stmt.target->items.push_back(node(Kind::kName));
      stmt.target->items[0]->name = name();
      advance();
      stmt.target->name = name();
    } else {
      stmt.target = target({});
    }
    if (take_op("=")) {
      stmt.expr = tuple(true, {}, false);
      return stmt;
    }
    stmt.kind = Stmt::Kind::kSetBlock;
    if (is_op("|")) stmt.expr = filters(nullptr);
    captured_body(stmt, "endset");
    return stmt;
  }

  void parameters(Stmt& stmt) {
    expect_op("(");
    while (!is_op(")")) {
      if (!stmt.parameters.empty()) expect_op(",");
      Parameter parameter;
      parameter.name = name();
      if (take_op("=")) {
        parameter.fallback = expression();
      } else if (!stmt.parameters.empty() && stmt.parameters.back().fallback) {
        error("a parameter without a default follows one with a default");
      }
      stmt.parameters.push_back(std::move(parameter));
    }
    expect_op(")");
  }

  // The body of a macro or call block; notes which special names it uses.
  void macro_body(Stmt& stmt, std::string_view end) {
    Stmt* outer = std::exchange(macro_, &stmt);
    captured_body(stmt, end);
    macro_ = outer;
    if (outer) {
      outer->uses_varargs |= stmt.uses_varargs;
      outer->uses_kwargs |= stmt.uses_kwargs;
      outer->uses_caller |= stmt.uses_caller;
    }
  }

  // A body whose text is kept for itself: no loop around it can be left from within.
  void captured_body(Stmt& stmt, std::string_view end) {
    int outer_loops = std::exchange(loops_, 0);
    stmt.body = inner({end});
    loops_ = outer_loops;
    advance();
  }

  Stmt macro_tag() {
    Stmt stmt = statement(Stmt::Kind::kMacro);
    advance();
    stmt.text = name();
    parameters(stmt);
    macro_body(stmt, "endmacro");
    return stmt;
  }

  Stmt call_tag() {
    Stmt stmt = statement(Stmt::Kind::kCallBlock);
    advance();
    if (is_op("(")) parameters(stmt);
    stmt.text = "caller";
    stmt.expr = expression();
    if (stmt.expr->kind != Kind::kCall) error("{% call %} needs a call");
    macro_body(stmt, "endcall");
    return stmt;
  }

  Stmt filter_tag() {
    Stmt stmt = statement(Stmt::Kind::kFilterBlock);
    advance();
    stmt.expr = filters(one_filter(nullptr));
    captured_body(stmt, "endfilter");
    return stmt;
  }

  Stmt with_tag() {
    Stmt stmt = statement(Stmt::Kind::kWith);
    advance();
    while (!is(Type::kBlockEnd)) {
      if (!stmt.targets.empty()) expect_op(",");
      stmt.targets.push_back(target({}));
      expect_op("=");
      stmt.values.push_back(expression());
    }
    stmt.body = inner({"endwith"});
    advance();
    return stmt;
  }

  void print_tag(Block& block) {
    advance();
    do {
      block.push_back(statement(Stmt::Kind::kOutput));
      block.back().expr = expression();
    } while (take_op(","));
  }

  // Names, or tuples of names, to assign to.
  ExprPtr target(Words ends) {
    ExprPtr expr = tuple(false, ends, true);
    check_target(*expr);
    return expr;
  }
  void check_target(const Expr& expr) {
    if (expr.kind != Kind::kName && expr.kind != Kind::kTuple) error("this cannot be assigned to");
    for (const ExprPtr& item : expr.items) check_target(*item);
  }

  // --- expressions
  ExprPtr node(Kind kind) const {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->line = now().line;
    return expr;
  }
  // Children are added through this, so that no tree is taller than what can be walked.
  void add(Expr& parent, ExprPtr child) {
    if (child) grow(parent, *child);
    parent.items.push_back(std::move(child));
  }
  void grow(Expr& parent, const Expr& child) {
    parent.height = std::max(parent.height, child.height + 1);
    if (parent.height > kMaxHeight) error("an expression chains more than ", kMaxHeight, " operations");
  }
  ExprPtr join(Kind kind, char op, ExprPtr left, ExprPtr right) {
    ExprPtr expr = node(kind);
    expr->op = op;
    expr->line = left->line;
    add(*expr, std::move(left));
    add(*expr, std::move(right));
    return expr;
  }

  ExprPtr expression(bool with_if = true) {
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

  ExprPtr or_expression() {
    ExprPtr left = and_expression();
    while (take_word("or")) left = join(Kind::kOr, 0, std::move(left), and_expression());
    return left;
  }
  ExprPtr and_expression() {
    ExprPtr left = not_expression();
    while (take_word("and")) left = join(Kind::kAnd, 0, std::move(left), not_expression());
    return left;
  }
  ExprPtr not_expression() {
    if (!is_word("not")) return comparison();
    Nest nest(*this);
    ExprPtr expr = node(Kind::kUnary);
    expr->op = '!';
    advance();
    add(*expr, not_expression());
    return expr;
  }

  char comparison_operator() {
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

  ExprPtr comparison() {
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

  ExprPtr sum() {
    ExprPtr left = concatenation();
    while (is_op("+") || is_op("-")) {
      char op = now().text[0];
      advance();
      left = join(Kind::kBinary, op, std::move(left), concatenation());
    }
    return left;
  }

  ExprPtr concatenation() {
    ExprPtr left = product();
    if (!is_op("~")) return left;
    ExprPtr expr = node(Kind::kConcat);
    expr->line = left->line;
    add(*expr, std::move(left));
    while (take_op("~")) add(*expr, product());
    return expr;
  }

  ExprPtr product() {
    ExprPtr left = power();
    while (is_op("*") || is_op("/") || is_op("//") || is_op("%")) {
      char op = now().text == "//" ? 'f' : now().text[0];
      advance();
      left = join(Kind::kBinary, op, std::move(left), power());
    }
    return left;
  }

  ExprPtr power() {
    ExprPtr left = unary(true);
    while (take_op("**")) left = join(Kind::kBinary, 'p', std::move(left), unary(true));
    return left;
  }

  ExprPtr unary(bool with_filter) {
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

  ExprPtr primary() {
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

  Value number() {
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

  ExprPtr name_or_constant() {
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

  ExprPtr sequence_literal(Kind kind, std::string_view end) {
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

  // One expression, or several with commas between them: a tuple.
  ExprPtr tuple(bool with_if, Words ends, bool names_only, bool in_brackets = false) {
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

  ExprPtr postfix(ExprPtr expr) {
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

  ExprPtr attribute(ExprPtr object) {
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

  ExprPtr subscript(ExprPtr object) {
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

  CallArguments call_arguments(Expr& owner) {
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

  ExprPtr call(ExprPtr callee) {
    ExprPtr expr = node(Kind::kCall);
    add(*expr, std::move(callee));
    expr->arguments = call_arguments(*expr);
    return expr;
  }

  ExprPtr filters_and_tests(ExprPtr expr) {
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

  ExprPtr filters(ExprPtr expr) {
    while (take_op("|")) expr = one_filter(std::move(expr));
    return expr;
  }

  ExprPtr one_filter(ExprPtr operand) {
    ExprPtr expr = node(Kind::kFilter);
    expr->name = now().text;
    if (is(Type::kName) && is_other_filter(expr->name)) unsupported("the filter '", expr->name, "'");
    if (is(Type::kName) && !is_filter(expr->name)) error("there is no filter named '", expr->name, "'");
    expect(Type::kName, "the name of a filter");
    add(*expr, std::move(operand));
    if (is_op("(")) expr->arguments = call_arguments(*expr);
    return expr;
  }

  ExprPtr test(ExprPtr operand) {
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

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nesting_ = 0;
  int loops_ = 0;          // loops around this place, within the current macro
  Stmt* macro_ = nullptr;  // the macro or call block around this place
};

}  // namespace

Block parse_template(std::string_view source) { return Parser(source).run(); }

}  // namespace ingot::jinja
