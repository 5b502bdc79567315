#include "ingot/text/jinja_parser.h"

#include <utility>

#include "ingot/text/jinja_expressions.h"

namespace ingot::jinja {

namespace {

class Parser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Block run() {
    Block block = body({});
    if (!at_end()) error("unexpected {% ", now().text, " %}");
    return block;
  }

 private:
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

  // The rest of an opening tag, then its body up to one of `ends`, of which the last closes the tag.
  Block inner(Words ends) {
    take_op(":");
    expect(Type::kBlockEnd, "'%}'");
    Block block = body(ends);
    if (at_end()) error("the template ends where {% ", *(ends.end() - 1), " %} is missing");
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
    stmt.body = inner({"else", "endfor"});
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

  int loops_ = 0;  // loops around this place, within the current macro
};

}  // namespace

Block parse_template(std::string_view source) { return Parser(source).run(); }

}  // namespace ingot::jinja
