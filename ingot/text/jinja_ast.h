// The syntax tree of a template. One struct each for expressions and statements; a comment per kind says which fields
// it uses.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ingot/text/jinja_value.h"

namespace ingot::jinja {

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct CallArguments {
  std::vector<ExprPtr> positional;
  std::vector<std::pair<std::string, ExprPtr>> named;
  ExprPtr star, double_star;  // *list and **dict, or null
};

struct Expr {
  enum class Kind : uint8_t {
    kConstant,   // value
    kName,       // name
    kTuple,      // items
    kList,       // items
    kDict,       // items: key, value, key, value, ...
    kAttribute,  // items[0] . name
    kItem,       // items[0] [ items[1] ]
    kSlice,      // items[0] [ items[1] : items[2] : items[3] ], each of the last three may be null
    kCall,       // items[0] ( arguments )
    kFilter,     // items[0] | name ( arguments ); items[0] is null in a filter block
    kTest,       // items[0] is name ( arguments )
    kUnary,      // op items[0], op in "-+!"
    kBinary,     // items[0] op items[1], op in "+-*/%" or 'f' (//), 'p' (**)
    kConcat,     // items joined by ~
    kCompare,    // items[0] name[0] items[1] name[1] items[2] ...; '<' '>' 'l' (<=) 'g' (>=) '=' '!' 'i' (in) 'n' (not
                 // in)
    kAnd,
    kOr,  // items[0], items[1]
    kIf,  // items[0] if items[1] else items[2], which may be null
  };
  Kind kind;
  char op = 0;
  int line = 0;
  int height = 1;
  std::string name;
  Value value;
  std::vector<ExprPtr> items;
  CallArguments arguments;
};

struct Stmt;
using Block = std::vector<Stmt>;

struct Parameter {
  std::string name;
  ExprPtr fallback;  // or null
};

struct Stmt {
  enum class Kind : uint8_t {
    kText,         // text
    kOutput,       // expr
    kIf,           // branches; body is the else part
    kFor,          // target in expr, test or null; body; other is the else part
    kSet,          // target = expr
    kSetBlock,     // target, body, expr (a kFilter chain) or null
    kMacro,        // name, parameters, body
    kCallBlock,    // expr (a kCall), parameters, body
    kFilterBlock,  // expr (a kFilter chain), body
    kWith,         // targets = values, all values read before; body
    kScope,        // body in a scope of its own: generation
    kBreak,
    kContinue,
  };
  Kind kind;
  int line = 0;
  std::string text;  // also the name of a macro
  ExprPtr target, expr, test;
  std::vector<ExprPtr> targets, values;
  std::vector<Parameter> parameters;
  bool uses_varargs = false, uses_kwargs = false, uses_caller = false;  // a macro's body names them
  std::vector<std::pair<ExprPtr, Block>> branches;
  Block body, other;
};

}  // namespace ingot::jinja
