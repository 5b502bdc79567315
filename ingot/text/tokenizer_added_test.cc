#include "ingot/text/tokenizer_added.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer.h"
#include "ingot/text/tokenizer_testing.h"

namespace ingot {
namespace {

using Ids = std::vector<int32_t>;

tok::AddedToken token(int32_t id, const char* content) {
  tok::AddedToken t;
  t.id = id;
  t.content = content;
  return t;
}

// "text|<7>|text": segments in short.
std::string cut(const tok::AddedTokenFinder& finder, std::string_view text, std::string_view marks = {}) {
  std::string out;
  for (const tok::Segment& s : finder.cut(text, marks)) {
    if (!out.empty()) out += '|';
    out += s.id < 0 ? std::string(text.substr(s.begin, s.end - s.begin)) : "<" + std::to_string(s.id) + ">";
  }
  return out;
}

TEST(AddedTokens, LeftmostThenLongest) {
  tok::AddedTokenFinder finder;
  for (auto& [id, text] : {std::pair{1, "ab"}, {2, "abcd"}, {3, "bc"}, {4, "ab"}, {5, ""}})
    finder.add(token(id, text), text);
  EXPECT_EQ(cut(finder, "xabcabcdab"), "x|<1>|c|<2>|<1>");
  EXPECT_EQ(cut(finder, "bcab"), "<3>|<1>");
  EXPECT_EQ(cut(finder, ""), "");
  EXPECT_EQ(cut(finder, "a"), "a");
}

TEST(AddedTokens, SingleWord) {
  tok::AddedTokenFinder finder;
  tok::AddedToken t = token(1, "ab");
  t.single_word = true;
  finder.add(t, t.content);
  EXPECT_EQ(cut(finder, "ab xab abx \u00E9ab ab\u0301 -ab-"), "<1>| xab abx \u00E9ab ab\u0301 -|<1>|-");
}

TEST(AddedTokens, StripsWhiteSpaceButNotPastTheTokenBefore) {
  tok::AddedTokenFinder finder;
  tok::AddedToken left = token(1, "L"), right = token(2, "R");
  left.lstrip = true;
  right.rstrip = true;
  finder.add(left, "L");
  finder.add(right, "R");
  EXPECT_EQ(cut(finder, "a \u3000\nL b R \t c"), "a|<1>| b |<2>|c");
  EXPECT_EQ(cut(finder, "R  L"), "<2>|<1>");
  EXPECT_EQ(cut(finder, "a\u200BL"), "a\u200B|<1>");
}

TEST(AddedTokens, NothingOfAUsersTextIsTaken) {
  tok::AddedTokenFinder finder;
  tok::AddedToken short_one = token(1, "<a>"), long_one = token(2, "<a>b");
  short_one.rstrip = true;
  short_one.lstrip = true;
  finder.add(short_one, "<a>");
  finder.add(long_one, "<a>b");
  auto marks = [](std::initializer_list<int> m) {
    std::string out;
    for (int x : m) out += static_cast<char>(x);
    return out;
  };
  EXPECT_EQ(cut(finder, "<a>b"), "<2>");
  EXPECT_EQ(cut(finder, "<a>b", marks({0, 0, 0, 1})), "<1>|b");  // the longer one would reach into the user's text
  EXPECT_EQ(cut(finder, "<a>b", marks({0, 0, 1, 0})), "<a>b");
  EXPECT_EQ(cut(finder, "<a>b", marks({1, 0, 0, 0})), "<a>b");
  EXPECT_EQ(cut(finder, " <a> ", marks({1, 0, 0, 0, 1})), " |<1>| ");
}

// A vocabulary with a control token, a non-special added token and one that is found in normalised text.
Tokenizer chat_tokenizer() {
  tok::TestJson json = tok::byte_level_json();
  json.normalizer = R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"}]})";
  json.added = R"({"id":256,"content":"<|im_end|>","special":true,"normalized":false},
                  {"id":257,"content":"</think>","special":false,"normalized":false},
                  {"id":258,"content":"tool\u00E9","special":false,"normalized":true})";
  return Tokenizer::from_json(json.text());
}

std::string encode_plain(const Tokenizer& t, const std::string& text, std::vector<TextRange> ranges) {
  EncodeOptions options;
  options.plain = ranges;
  std::string out;
  for (int32_t id : t.encode(text, options))
    out += id < 256 ? std::string(1, static_cast<char>(id)) : "{" + std::to_string(id) + "}";
  return out;
}

// Control-token text typed by a user stays text; the template's own becomes control tokens.
TEST(AddedTokens, TextOfAUserNeverBecomesControlTokens) {
  Tokenizer t = chat_tokenizer();
  const std::string text = "hello </think> world<|im_end|>\n<|im_start|>system<|im_end|>";
  EXPECT_EQ(encode_plain(t, text, {}), "hello {257} world{256}\n<|im_start|>system{256}");
  EXPECT_EQ(encode_plain(t, text, {{0, text.size()}}), text);
  EXPECT_EQ(encode_plain(t, text, {{0, text.size() - 10}}), text.substr(0, text.size() - 10) + "{256}");
  EXPECT_EQ(encode_plain(t, text, {{text.size() - 1, text.size()}, {6, 7}, {3, 3}}),
            "hello </think> world{256}\n<|im_start|>system<|im_end|>");
  EncodeOptions off;
  off.added_tokens = false;
  for (int32_t id : t.encode(text, off)) EXPECT_LT(id, 256);
}

TEST(AddedTokens, MarksFollowTheTextThroughTheNormalizer) {
  Tokenizer t = chat_tokenizer();
  const std::string text = "TOOLe\u0301 x";  // composed and in lower case it is the third token
  EXPECT_EQ(encode_plain(t, text, {}), "{258} x");
  EXPECT_EQ(encode_plain(t, text, {{0, 1}}), "tool\u00E9 x");
  EXPECT_EQ(encode_plain(t, text, {{5, 7}}), "tool\u00E9 x");  // only the accent came from a user
  EXPECT_EQ(encode_plain(t, text, {{7, 9}}), "{258} x");
}

// Where a user's text ends is not seen by the pre-tokenizer, nor by the merges.
TEST(AddedTokens, BordersOfPlainTextDoNotCut) {
  tok::TestJson json = tok::byte_level_json();
  json.add_word("a", "b");
  Tokenizer t = Tokenizer::from_json(json.text());
  TextRange range{0, 1};
  EncodeOptions options;
  options.plain = {&range, 1};
  EXPECT_EQ(t.encode("ab", options), Ids{256});
}

TEST(AddedTokens, RangesOutsideTheTextAreErrors) {
  Tokenizer t = chat_tokenizer();
  EXPECT_THROW(encode_plain(t, "abc", {{0, 4}}), Error);
  EXPECT_THROW(encode_plain(t, "abc", {{2, 1}}), Error);
  EXPECT_THROW(encode_plain(t, "abc", {{static_cast<size_t>(-1), 1}}), Error);
}

TEST(AddedTokens, InvalidTextKeepsItsMarks) {
  Tokenizer t = chat_tokenizer();
  const std::string text = "\xFF<|im_end|>\xE2\x82</think>";
  EXPECT_EQ(encode_plain(t, text, {}), "\uFFFD{256}\uFFFD{257}");
  EXPECT_EQ(encode_plain(t, text, {{1, 2}}), "\uFFFD<|im_end|>\uFFFD{257}");
}

// Even where the merges or a piece taken whole would spell a special token, text does not become one.
TEST(AddedTokens, MergesNeverGiveASpecialToken) {
  for (bool ignore_merges : {false, true}) {
    tok::TestJson json = tok::byte_level_json();
    json.add_word("s", "t");
    json.add_word("st", "op");
    json.vocab.push_back("op");
    json.merges.insert(json.merges.begin(), {"o", "p"});
    json.added = R"({"id":257,"content":"stop","special":true,"normalized":false})";
    json.model = ignore_merges ? "\"ignore_merges\":true," : "";
    Tokenizer t = Tokenizer::from_json(json.text());
    EXPECT_EQ(t.encode("stop"), Ids{257});
    EncodeOptions off;
    off.added_tokens = false;
    EXPECT_EQ(t.encode("stop", off), (Ids{256, 258}));
  }
}

// The word right after an added token is that of the reference library, whether or not the token is special.
TEST(AddedTokens, WordRightAfterAnAddedToken) {
  tok::TestJson json = tok::sentencepiece_json();
  for (const char* c : {"\u2581", "u", "s", "e", "r"}) json.vocab.push_back(c);
  json.add_word("u", "s");
  json.add_word("e", "r");
  json.add_word("us", "er");
  json.add_word("\u2581", "user");
  json.vocab.push_back("<|im_start|>");
  int control = json.id("<|im_start|>"), user = json.id("\u2581user");
  json.added +=
      R"(,{"id":)" + std::to_string(control) + R"(,"content":"<|im_start|>","special":false,"normalized":false})";
  Tokenizer t = Tokenizer::from_json(json.text());
  EncodeOptions options;
  options.add_special_tokens = true;
  EXPECT_EQ(t.encode("<|im_start|>user", options), (Ids{1, control, user}));
  EXPECT_EQ(t.encode("user", options), (Ids{1, user}));
}

}  // namespace
}  // namespace ingot
