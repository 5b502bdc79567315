#include "ingot/msl/lexer.h"

#include <gtest/gtest.h>

namespace ingot::msl {
namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> all;
  for (const Token& token : tokenize(source)) all.emplace_back(token.text);
  return all;
}

using Texts = std::vector<std::string>;

TEST(MslLexer, CutsNamesNumbersAndPunctuation) {
  EXPECT_EQ(texts("a->b::c += 0x1Fu*1.5e-3f;"),
            (Texts{"a", "->", "b", "::", "c", "+", "=", "0x1Fu", "*", "1.5e-3f", ";"}));
  EXPECT_EQ(texts("[[buffer(0)]]"), (Texts{"[", "[", "buffer", "(", "0", ")", "]", "]"}));
  EXPECT_EQ(texts(".5f 1'000"), (Texts{".5f", "1'000"}));
}

TEST(MslLexer, DropsCommentsAlsoContinuedOnes) {
  EXPECT_EQ(texts("a // b \\\n c\nd /* e\n */ f"), (Texts{"a", "d", "f"}));
}

TEST(MslLexer, TakesADirectiveWhole) {
  const Tokens tokens = tokenize("  #define X(a) \\\n  a /* over\n lines */ + 1\nint # y");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0].kind, TokenKind::kDirective);
  EXPECT_EQ(tokens[0].text, "#define X(a) \\\n  a /* over\n lines */ + 1");
  EXPECT_EQ(tokens[2].kind, TokenKind::kPunctuation);  // a # within a line is none
}

TEST(MslLexer, KeepsStringsTogether) {
  EXPECT_EQ(texts(R"(f("a \" // b", 'c'))"), (Texts{"f", "(", R"("a \" // b")", ",", "'c'", ")"}));
}

TEST(MslLexer, TellsWhereSomethingIsUnfinished) {
  size_t where = 99;
  tokenize("a b", &where);
  EXPECT_EQ(where, 99u);
  tokenize("ab /* c", &where);
  EXPECT_EQ(where, 3u);
  tokenize("x \"y\nz", &where);
  EXPECT_EQ(where, 2u);
  tokenize("#define A /*", &where);
  EXPECT_EQ(where, 10u);
}

}  // namespace
}  // namespace ingot::msl
