// What the parser finds in kernel text. Token positions are indices into Module::tokens; nothing here owns text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/msl/diagnostic.h"
#include "ingot/msl/lexer.h"
#include "ingot/msl/signature.h"
#include "ingot/msl/source_text.h"

namespace ingot::msl {

// Tokens [begin, end).
struct Range {
  size_t begin = 0;
  size_t end = 0;
  bool empty() const { return begin == end; }
};

struct Attribute {
  std::string_view name;
  std::string argument;  // without the parentheses, blanks removed
  size_t token = 0;
};

// [[...]], perhaps with several attributes.
struct AttributeGroup {
  Range range;
  std::vector<Attribute> attributes;
};

// A type with its declarator's stars: `device const T* p`.
struct DeclaredType {
  Range tokens;
  std::string_view space;  // device, constant, threadgroup, thread or empty
  std::string element;     // without space, const, typename, * and &
  int stars = 0;
  bool reference = false;
  bool const_element = false;
  bool is_auto = false;
};

struct Parameter {
  DeclaredType type;
  std::string_view name;  // empty if it has none
  size_t token = 0;       // where it begins
  std::vector<Attribute> attributes;
};

enum class Scope { kProgram, kNamespace, kStruct };

struct Function {
  std::string_view name;
  size_t token = 0;  // where the declaration begins
  Scope scope = Scope::kProgram;
  int scope_id = 0;  // equal for what stands in the same namespace or struct
  bool is_kernel = false;
  Range result;               // tokens of the result type
  Range template_parameters;  // with < and >; empty if not a template
  std::vector<Parameter> parameters;
  std::vector<Attribute> attributes;
  Range body;  // with { and }; empty for a declaration
};

struct Member {
  DeclaredType type;
  std::string_view name;
  size_t token = 0;
  Range dimensions;  // [N][M]
};

struct Struct {
  std::string_view name;
  size_t token = 0;
  bool is_template = false;
  std::vector<Member> members;
};

// Program-scope constants; those with [[function_constant(n)]] get their value at compile time or launch.
struct ProgramConstant {
  size_t begin = 0;  // the first token of the declaration
  size_t end = 0;    // one past its semicolon
  size_t space = 0;  // the token `constant`
  int function_constant = -1;
  std::string type;
  std::string_view name;
};

// `threadgroup float a[32], b;` in a kernel's body.
struct ThreadgroupDeclaration {
  struct Variable {
    std::string_view name;
    Range dimensions;
  };
  Range tokens;     // with the semicolon
  Range type;       // after `threadgroup`
  size_t function;  // index in Module::functions
  size_t block;     // the { that encloses it
  std::vector<Variable> variables;
};

// template [[host_name("k_f32")]] [[kernel]] decltype(k<float>) k<float>;
struct Instantiation {
  Range tokens;
  std::string host;
  std::string_view function;
  std::vector<std::string> arguments;
};

struct ParsedModule {
  std::string name;
  SourceText source;
  Tokens tokens;                 // views into source.text()
  std::vector<size_t> partners;  // for each bracket the index of the one that matches it
  std::vector<AttributeGroup> attributes;
  std::vector<Function> functions;
  std::vector<Struct> structs;
  std::vector<ProgramConstant> constants;
  std::vector<ThreadgroupDeclaration> threadgroups;
  std::vector<Instantiation> instantiations;
  std::vector<KernelSignature> signatures;
  std::vector<Diagnostic> problems;  // found while parsing; a module with any cannot be emitted

  Place place(size_t token) const { return source.at(tokens[token].begin); }
  // The tokens' text with single blanks where two words meet.
  std::string spelled(Range range) const;
};

// Where an angle bracket group that opens at token `open` ends: the index of its `>`, or `end` if it is none.
size_t match_angle(const ParsedModule& module, size_t open, size_t end);
// Splits a range at its commas outside brackets and angle brackets.
std::vector<Range> split_commas(const ParsedModule& module, Range range);
// The number of elements of [2][3], 1 without dimensions; nullopt where one is not a literal.
std::optional<uint64_t> element_count(const ParsedModule& module, Range dimensions);
// The names of <typename T, uint N = 4>: T, N. A parameter without a name gives an empty one.
std::vector<std::string_view> template_names(const ParsedModule& module, Range template_parameters);
// `text` with whole words replaced: {T: float} makes `vec<T, 4>` `vec<float, 4>`.
using Replacements = std::map<std::string, std::string, std::less<>>;
std::string substitute(const std::string& text, const Replacements& replacements);
DeclaredType read_type(const ParsedModule& module, Range range);

// Fills everything but `signatures` from name and source. Error kFormat if brackets do not match; lesser mistakes
// become problems.
void parse(ParsedModule& module);
// Fills `signatures`, with problems of kernels' parameters.
void build_signatures(ParsedModule& module);

}  // namespace ingot::msl
