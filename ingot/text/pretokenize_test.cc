#include "ingot/text/pretokenize.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/text/pretokenize_pattern.h"

namespace ingot::tok {
namespace {

using Pieces = std::vector<std::string>;

Pieces family(const char* name, std::string_view text) { return gguf_pre_tokenizer(name).steps.pieces(text); }

struct Row {
  std::string text;
  Pieces qwen35, qwen2, llama3, gpt2;
};

// The table of pieces: each row tells families apart that ordinary text does not.
TEST(Pretokenize, PiecesOfTheFourFamilies) {
  const std::string nbsp = "\u00A0", acute = "e\u0301 x", wide = "\u200Bb";
  const Row rows[] = {
      {"WE'RE", {"WE", "'RE"}, {"WE", "'RE"}, {"WE", "'RE"}, {"WE", "'", "RE"}},
      {"'sx'Sx", {"'s", "x", "'S", "x"}, {"'s", "x", "'S", "x"}, {"'s", "x", "'S", "x"}, {"'s", "x", "'", "Sx"}},
      {"a 12345",
       {"a", " ", "1", "2", "3", "4", "5"},
       {"a", " ", "1", "2", "3", "4", "5"},
       {"a", " ", "123", "45"},
       {"a", " 12345"}},
      {acute, {"e\u0301", " x"}, {"e", "\u0301", " x"}, {"e", "\u0301", " x"}, {"e", "\u0301", " x"}},
      {"e\u0301x", {"e\u0301x"}, {"e", "\u0301x"}, {"e", "\u0301x"}, {"e", "\u0301", "x"}},
      {"x  y", {"x", " ", " y"}, {"x", " ", " y"}, {"x", " ", " y"}, {"x", " ", " y"}},
      {"x \n\n  y",
       {"x", " \n\n", " ", " y"},
       {"x", " \n\n", " ", " y"},
       {"x", " \n\n", " ", " y"},
       {"x", " \n\n ", " y"}},
      {"x\t\ty", {"x", "\t", "\ty"}, {"x", "\t", "\ty"}, {"x", "\t", "\ty"}, {"x", "\t", "\t", "y"}},
      {"!\n\nb", {"!\n\n", "b"}, {"!\n\n", "b"}, {"!\n\n", "b"}, {"!", "\n", "\n", "b"}},
      {"(a b", {"(a", " b"}, {"(a", " b"}, {"(a", " b"}, {"(", "a", " b"}},
      {nbsp + nbsp + "b", {nbsp, nbsp + "b"}, {nbsp, nbsp + "b"}, {nbsp, nbsp + "b"}, {nbsp, nbsp, "b"}},
      {wide, {wide}, {wide}, {wide}, {"\u200B", "b"}},
      {"\u00BD\u2460x",
       {"\u00BD", "\u2460", "x"},
       {"\u00BD", "\u2460", "x"},
       {"\u00BD\u2460", "x"},
       {"\u00BD\u2460", "x"}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(family("qwen35", row.text), row.qwen35) << row.text;
    EXPECT_EQ(family("qwen2", row.text), row.qwen2) << row.text;
    EXPECT_EQ(family("llama-bpe", row.text), row.llama3) << row.text;
    EXPECT_EQ(family("lfm2", row.text), row.llama3) << row.text;
    EXPECT_EQ(family("gpt-2", row.text), row.gpt2) << row.text;
  }
}

TEST(Pretokenize, SmollmSplitsDigitsOffFirst) {
  EXPECT_EQ(family("smollm", "a 12 \u00BDb"), (Pieces{"a", " ", "1", "2", " ", "\u00BD", "b"}));
}

TEST(Pretokenize, LongSInAContraction) { EXPECT_EQ(family("qwen2", "'\u017Fx"), (Pieces{"'\u017F", "x"})); }

TEST(Pretokenize, WhiteSpaceIsThePropertyWhiteSpace) {
  PreTokenizer steps;
  steps.add_split(Regex("\\s"), SplitBehavior::kRemoved, false);
  for (const char* space : {"\t", "\n", "\v", "\f", "\r", " ", "\u0085", "\u00A0", "\u1680", "\u2000", "\u2006",
                            "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"}) {
    EXPECT_EQ(steps.pieces(std::string("a") + space + "b"), (Pieces{"a", "b"}));
  }
  for (const char* other : {"\u180E", "\u200B", "\uFEFF", "\x1C", "\u2060"}) {
    EXPECT_EQ(steps.pieces(std::string("a") + other + "b").size(), 1u);
  }
}

TEST(Pretokenize, UnknownGgufNameIsNamed) {
  try {
    gguf_pre_tokenizer("no-such-pre");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(e.what()).find("no-such-pre"), std::string::npos);
  }
}

Pieces split(const char* text, Pattern pattern, SplitBehavior behavior, bool invert = false) {
  PreTokenizer steps;
  steps.add_split(std::move(pattern), behavior, invert);
  return steps.pieces(text);
}

TEST(Pretokenize, SplitBehaviors) {
  const char* text = " a  b c ";
  using B = SplitBehavior;
  Pattern space(std::string(" "));
  EXPECT_EQ(split(text, space, B::kRemoved), (Pieces{"a", "b", "c"}));
  EXPECT_EQ(split(text, space, B::kRemoved, true), (Pieces{" ", " ", " ", " ", " "}));
  EXPECT_EQ(split(text, space, B::kIsolated), (Pieces{" ", "a", " ", " ", "b", " ", "c", " "}));
  EXPECT_EQ(split(text, space, B::kMergedWithPrevious), (Pieces{" ", "a ", " ", "b ", "c "}));
  EXPECT_EQ(split(text, space, B::kMergedWithPrevious, true), (Pieces{" a", " ", " b", " c", " "}));
  EXPECT_EQ(split(text, space, B::kMergedWithNext), (Pieces{" a", " ", " b", " c", " "}));
  EXPECT_EQ(split(text, space, B::kMergedWithNext, true), (Pieces{" ", "a ", " ", "b ", "c "}));
  EXPECT_EQ(split(text, space, B::kContiguous), (Pieces{" ", "a", "  ", "b", " ", "c", " "}));
}

TEST(Pretokenize, EmptyMatchesGiveNoPieces) {
  EXPECT_EQ(split("12a3", Regex("\\d*"), SplitBehavior::kIsolated), (Pieces{"12", "a", "3"}));
  EXPECT_EQ(split("12a3", Regex("\\d*"), SplitBehavior::kMergedWithPrevious), (Pieces{"12", "a3"}));
  EXPECT_EQ(split("ab", Pattern(std::string()), SplitBehavior::kIsolated), (Pieces{"ab"}));
  EXPECT_EQ(split("", Regex("x*"), SplitBehavior::kIsolated), Pieces{});
}

TEST(Pretokenize, DigitsByteLevelAndMetaspace) {
  PreTokenizer digits;
  digits.add_digits(false);
  EXPECT_EQ(digits.pieces("a12\u00BD\u2167\u0663b"), (Pieces{"a", "12\u00BD\u2167\u0663", "b"}));
  PreTokenizer bytes;
  bytes.add_byte_level(true, true);
  EXPECT_EQ(bytes.pieces("a b"), (Pieces{" a", " b"}));
  EXPECT_EQ(bytes.pieces(" a"), (Pieces{" a"}));
  PreTokenizer first;
  first.add_split(Pattern(std::string("|")), SplitBehavior::kRemoved, false);
  first.add_metaspace("_", PrependScheme::kFirst, true);
  EXPECT_EQ(first.pieces("a  b|c"), (Pieces{"_a", "_", "_b", "c"}));
  PreTokenizer always;
  always.add_metaspace("_", PrependScheme::kAlways, false);
  EXPECT_EQ(always.pieces("a b"), (Pieces{"_a_b"}));
  EXPECT_EQ(always.pieces(" a"), (Pieces{"_a"}));
}

Pieces matches(const char* pattern, std::string_view text) {
  Pieces found;
  each_match(Pattern(Regex(pattern)), text,
             [&](size_t begin, size_t end) { found.emplace_back(text.substr(begin, end - begin)); });
  return found;
}

// Where Oniguruma and PCRE2 differ, Oniguruma's meaning counts (each line tried with it).
TEST(PretokenizePattern, MeansWhatOnigurumaMeans) {
  EXPECT_EQ(matches("\\h+", "12afg\t"), (Pieces{"12af"}));
  EXPECT_EQ(matches("\\p{N}{1,3}+", "12345"), (Pieces{"12345"}));
  EXPECT_EQ(matches("a{2}?", "aaa"), (Pieces{"aa", ""}));
  EXPECT_EQ(matches("a{,2}b", "aaab"), (Pieces{"aab"}));
  EXPECT_EQ(matches("\\v", "\x0B\n\u0085"), (Pieces{"\x0B"}));
  EXPECT_EQ(matches("\\w+", "a\u0301_\u203F\u00B2 \u2460"), (Pieces{"a\u0301_\u203F\u00B2"}));
  EXPECT_EQ(matches("\\p{Han}+", "\u30FC\u6F22"), (Pieces{"\u6F22"}));
  EXPECT_EQ(matches("\\p{Letter}|\\p{^L}", "a1"), (Pieces{"a", "1"}));
  EXPECT_EQ(matches("a$", "a\na"), (Pieces{"a", "a"}));
  EXPECT_EQ(matches("(?m)a.b", "a\nb"), (Pieces{"a\nb"}));
  EXPECT_EQ(matches(".+", "a\rb\nc"), (Pieces{"a\rb", "c"}));
  EXPECT_EQ(matches("\\u0041\\x{42}", "AB"), (Pieces{"AB"}));
  EXPECT_EQ(matches("[]a]+|{|}", "a]{}"), (Pieces{"a]", "{", "}"}));
  EXPECT_EQ(matches("[^\\S\\n]+", " \t\n "), (Pieces{" \t", " "}));
  EXPECT_EQ(matches("[[:alpha:]]+", "a1b"), (Pieces{"a", "b"}));
  EXPECT_EQ(matches("\\p{L}?+\\p{L}", "ab"), (Pieces{"ab"}));
  EXPECT_EQ(matches("(?:a|b){2}+c", "ababc"), (Pieces{"ababc"}));
}

TEST(PretokenizePattern, WhatCannotBeKeptIsAnError) {
  for (const char* pattern :
       {"[a&&b]", "[a[b]]",     "\\K",   "\\X",         "(?x)a", "a(?i)b", "(*UTF)a", "\\p{NoSuchProperty}",
        "\\Qa",   "[[:nope:]]", "\\xFF", "\\x{110000}", "\\u12", "(a",     "a)",      "[a",
        "\\",     "*a",         "\\p{",  "(?",          "(?i",   "{1}+",   "[z-a]",   "\\C",
        "\\g<1>", "\\uD800",    "[\\W]"}) {
    EXPECT_THROW(Regex{pattern}, Error) << pattern;
  }
  EXPECT_THROW(Regex{std::string(70000, 'a')}, Error);
  EXPECT_THROW(Regex{std::string(1000, '(') + std::string(1000, ')')}, Error);
}

TEST(PretokenizePattern, BacktrackingWithoutEndIsAnError) {
  EXPECT_THROW(matches("(?:a+)+\\d", std::string(60, 'a')), Error);
}

TEST(Pretokenize, MillionsOfSpacesAreNoTrouble) {
  std::string text = "x" + std::string(2'000'000, ' ') + "y";
  Pieces pieces = family("qwen35", text);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1].size(), 1'999'999u);
  EXPECT_EQ(pieces[2], " y");
  EXPECT_EQ(family("llama3", std::string(1'000'000, 'a')).size(), 1u);
  EXPECT_EQ(family("llama3", std::string(1'000'000, '!')).size(), 1u);
}

}  // namespace
}  // namespace ingot::tok
