#include <algorithm>
#include <iterator>
#include <string_view>

#include "ingot/base/strings.h"
#include "ingot/msl/numbers.h"
#include "ingot/msl/rules.h"

namespace ingot::msl {
namespace {

struct ForbiddenWord {
  std::string_view word;
  int rule;
  std::string_view instead;
};

constexpr ForbiddenWord kForbidden[] = {
    {"virtual", 1, "no virtual functions: use a template parameter"},
    {"new", 1, "no dynamic memory: use a fixed array or a buffer"},
    {"delete", 1, "no dynamic memory: use a fixed array or a buffer"},
    {"throw", 1, "no exceptions: report_error() of ingot/msl/errors.h"},
    {"try", 1, "no exceptions: report_error() of ingot/msl/errors.h"},
    {"catch", 1, "no exceptions: report_error() of ingot/msl/errors.h"},
    {"goto", 1, "no goto: use a loop or a helper"},
    {"asm", 1, "no assembly"},
    {"typeid", 1, "no run-time type information"},
    {"dynamic_cast", 1, "no run-time type information"},
    {"thread_local", 1, "no thread_local: locals are private to a thread"},
    {"double", 3, "no double in Metal: write float"},
    {"long", 3, "'long' has 32 bits for some CUDA compilers: write int64_t or ulong"},
    {"thread_elements", 19, "which elements a lane holds differs between devices: use tile.h"},
    {"atomic_thread_fence", 20, "groups are not ordered through memory: launch a second kernel"},
    {"atomic_bool", 20, "only atomic_uint, atomic_int and (device, fetch_add) atomic_float"},
    {"atomic_ulong", 20, "only atomic_uint, atomic_int and (device, fetch_add) atomic_float"},
    {"atomic", 20, "only atomic_uint, atomic_int and (device, fetch_add) atomic_float"},
};

// Beside all pairs of x, y, z, w.
constexpr std::string_view kLongSwizzles[] = {"xyz",  "yzx",  "zxy",  "zyx",  "yzw",  "wzy",  "xyzw", "wzyx",
                                              "yxwz", "zwxy", "zwzw", "xyxy", "xxxx", "yyyy", "zzzz", "wwww"};

bool looks_like_swizzle(std::string_view name) {
  return name.size() >= 2 && name.size() <= 4 &&
         (name.find_first_not_of("xyzw") == name.npos || name.find_first_not_of("rgba") == name.npos);
}

bool is_inside_tile_header(const ParsedModule& module, size_t offset) {
  const std::string file = module.source.at(offset).file;
  constexpr std::string_view kTile = "ingot/msl/tile.h";
  return file == kTile || file.ends_with(cat("/", kTile));
}

class WordCheck {
 public:
  // `tokens` begin at `offset` of the module's text: 0 for all of it, else a macro's body.
  WordCheck(const ParsedModule& module, const Tokens& tokens, size_t offset,
            const std::vector<std::string_view>& members, Findings& findings)
      : m_(module), t_(tokens), offset_(offset), members_(members), findings_(findings) {}

  void run() {
    for (size_t i = 0; i < t_.size(); i++) {
      switch (t_[i].kind) {
        case TokenKind::kName:
          name(i);
          break;
        case TokenKind::kNumber:
          number(i);
          break;
        case TokenKind::kPunctuation:
          punctuation(i);
          break;
        default:
          break;
      }
    }
  }

 private:
  void refuse(size_t i, int rule, std::string message) {
    findings_.add_at(offset_ + t_[i].begin, rule, std::move(message), false);
  }
  void house(size_t i, int rule, std::string message) {
    findings_.add_at(offset_ + t_[i].begin, rule, std::move(message), true);
  }
  bool is(size_t i, std::string_view what) const { return i < t_.size() && t_[i].is(what); }
  bool before(size_t i, std::string_view what) const { return i > 0 && t_[i - 1].is(what); }

  void name(size_t i) {
    const std::string_view word = t_[i].text;
    const bool member = before(i, ".") || before(i, "->");
    for (const ForbiddenWord& forbidden : kForbidden) {
      if (word != forbidden.word || (member && word != "thread_elements") || (word == "delete" && before(i, "=")))
        continue;
      if (word == "long" && before(i, "long")) continue;  // `long long` is told once
      refuse(i, forbidden.rule, cat("'", word, "': ", forbidden.instead));
    }
    if (word == "std" && is(i + 1, "::")) refuse(i, 1, "no std:: in Metal: the same names stand in namespace metal");
    if (word == "if" && is(i + 1, "constexpr"))
      refuse(i, 1, "no 'if constexpr' (C++17) before Metal 4: a plain if on a constant, or an overload");
    if (word.starts_with("memory_order_") && word != "memory_order_relaxed")
      refuse(i, 20, cat("'", word, "': only memory_order_relaxed, and threadgroup_barrier for order"));
    if (member && looks_like_swizzle(word) && !is_known_swizzle(word) &&
        !std::binary_search(members_.begin(), members_.end(), word))
      refuse(i, 6,
             cat("swizzle '.", word,
                 "' is not one all compilers know: a pair of x y z w, or one of xyz yzx zxy zyx yzw wzy "
                 "xyzw wzyx yxwz zwxy zwzw xyxy xxxx yyyy zzzz wwww"));
    infinity_sentinel(i);
    matrix_word(i);
  }

  // float m = -INFINITY;
  void infinity_sentinel(size_t i) {
    if (!is(i, "INFINITY") || !is(i + 1, ";")) return;
    const size_t sign = before(i, "-") ? i - 1 : i;
    if (sign < 3 || !t_[sign - 1].is("=") || !t_[sign - 2].is_name() || !t_[sign - 3].is_name()) return;
    house(i, 21, "start a reduction from its first element or a finite sentinel (-3e38f): fast math knows no infinity");
  }

  void matrix_word(size_t i) {
    const std::string_view word = t_[i].text;
    const bool matrix = word.starts_with("simdgroup_matrix") || word == "make_filled_simdgroup_matrix" ||
                        word == "simdgroup_load" || word == "simdgroup_store" ||
                        word.starts_with("simdgroup_multiply") ||
                        ((word.starts_with("simdgroup_float") || word.starts_with("simdgroup_half") ||
                          word.starts_with("simdgroup_bfloat")) &&
                         word.ends_with("8x8"));
    if (matrix && !is_inside_tile_header(m_, offset_ + t_[i].begin))
      house(i, 24, cat("'", word, "': matrix products go through ingot/msl/tile.h"));
  }

  void number(size_t i) {
    const std::string_view text = t_[i].text;
    if (is_double_literal(text)) refuse(i, 3, cat("'", text, "' is a double, which Metal has not: write ", text, "f"));
  }

  void punctuation(size_t i) {
    const char c = t_[i].text[0];
    const bool in_macro = offset_ != 0;  // there a backslash continues the line, and rule 10 speaks of #
    const bool is_text = static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
    if (!is_text || c == '@' || c == '`' || c == '$' || (!in_macro && (c == '\\' || c == '#')))
      refuse(i, 0, cat("character ", quoted(t_[i].text), " has no meaning here"));
    if (c == '[') lambda(i);
  }

  // '[' that follows neither a value nor a declared name, and opens no attribute.
  void lambda(size_t i) {
    if (is(i + 1, "[") || before(i, "[") || i == 0) return;
    const Token& last = t_[i - 1];
    const bool value = (last.is_name() && !last.is("return")) || last.is(")") || last.is("]") || last.is(">") ||
                       last.is("}") || last.kind == TokenKind::kString || last.kind == TokenKind::kNumber;
    if (!value && !last.is("operator")) refuse(i, 1, "no lambdas: write a helper function");
  }

  const ParsedModule& m_;
  const Tokens& t_;
  size_t offset_;
  const std::vector<std::string_view>& members_;  // names of all structs' members, in order
  Findings& findings_;
};

}  // namespace

bool is_known_swizzle(std::string_view name) {
  if (name.size() == 2) return name.find_first_not_of("xyzw") == name.npos;
  return std::find(std::begin(kLongSwizzles), std::end(kLongSwizzles), name) != std::end(kLongSwizzles);
}

void check_words(const ParsedModule& module, Findings& findings) {
  std::vector<std::string_view> members;
  for (const Struct& record : module.structs) {
    for (const Member& member : record.members) members.push_back(member.name);
  }
  std::sort(members.begin(), members.end());
  WordCheck(module, module.tokens, 0, members, findings).run();
  for (const Token& token : module.tokens) {
    if (token.kind != TokenKind::kDirective) continue;
    const Tokens words = tokenize(token.text.substr(1));
    if (words.size() > 2 && words[0].is("define"))
      WordCheck(module, Tokens(words.begin() + 2, words.end()), token.begin + 1, members, findings).run();
  }
}

}  // namespace ingot::msl
