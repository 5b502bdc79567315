#include <gtest/gtest.h>

#include <random>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer.h"
#include "ingot/text/tokenizer_decode.h"
#include "ingot/text/tokenizer_testing.h"

namespace ingot {
namespace {

TEST(Utf8, MaximalIllFormedSubparts) {
  auto valid = [](std::string_view bytes) {
    std::string out;
    tok::append_valid(out, bytes, true);
    return out;
  };
  const std::string r = "\uFFFD";
  EXPECT_EQ(valid("\xF0\x9F\x98"), r);
  EXPECT_EQ(valid("\xF0\x9F\x98"
                  "a"),
            r + "a");
  EXPECT_EQ(valid("\xE0\x80\x80"), r + r + r);  // overlong: no part of it is the start of a character
  EXPECT_EQ(valid("\xED\xA0\x80"), r + r + r);  // a surrogate
  EXPECT_EQ(valid("\xF4\x90\x80\x80"), r + r + r + r);
  EXPECT_EQ(valid("\xF1\x80\x80\xE1\x80\xC2\x62\x80"), r + r + r + "b" + r);
  EXPECT_EQ(valid("\xC0\xAF\xFE\xFF"), r + r + r + r);
  EXPECT_EQ(valid("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF");
}

// A character in several tokens comes out once, whole, and nothing before it.
TEST(StreamDecoder, CharacterOverSeveralTokens) {
  tok::TestJson json = tok::byte_level_json();
  json.add_word(tok::mapped_of_bytes("\xF0"), tok::mapped_of_bytes("\x9F"));
  Tokenizer tokenizer = Tokenizer::from_json(json.text());
  StreamDecoder stream(tokenizer);
  EXPECT_EQ(stream.push(256), "");
  EXPECT_EQ(stream.push(0x98), "");
  EXPECT_EQ(stream.push(0x8A), "\U0001F60A");
  EXPECT_EQ(stream.push('!'), "!");
  EXPECT_EQ(stream.finish(), "");
  EXPECT_EQ(tokenizer.token_bytes(256), "\xF0\x9F");
}

TEST(StreamDecoder, CyrillicInBytesOfASentencePieceVocabulary) {
  Tokenizer tokenizer = Tokenizer::from_json(tok::sentencepiece_json().text());
  std::vector<int32_t> ids = tokenizer.encode("\u041F\u0440");
  EXPECT_EQ(ids, (std::vector<int32_t>{0xE2 + 3, 0x96 + 3, 0x81 + 3, 0xD0 + 3, 0x9F + 3, 0xD1 + 3, 0x80 + 3}));
  StreamDecoder stream(tokenizer);
  EXPECT_EQ(stream.push(0xD0 + 3), "");
  EXPECT_EQ(stream.push(0x9F + 3), "\u041F");
  EXPECT_EQ(stream.push(0xD1 + 3), "");
  EXPECT_EQ(stream.finish(), "\uFFFD");
}

TEST(StreamDecoder, BrokenBytesBecomeReplacementsOnceCertain) {
  Tokenizer tokenizer = Tokenizer::from_json(tok::byte_level_json().text());
  StreamDecoder stream(tokenizer);
  EXPECT_EQ(stream.push(0xE6), "");
  EXPECT_EQ(stream.push('a'),
            "\uFFFD"
            "a");
  EXPECT_EQ(stream.push(0x80), "\uFFFD");
  EXPECT_EQ(stream.push(0xF0), "");
  EXPECT_EQ(stream.push(0x9F), "");
  EXPECT_EQ(stream.finish(), "\uFFFD");
  EXPECT_EQ(stream.finish(), "");
  EXPECT_EQ(stream.push('b'), "b");
}

TEST(StreamDecoder, LeadingSpaceOfSentencePiece) {
  tok::TestJson json = tok::sentencepiece_json();
  json.vocab.insert(json.vocab.end(), {"\u2581", "a", "\u2581a"});
  json.merges.emplace_back("\u2581", "a");
  Tokenizer tokenizer = Tokenizer::from_json(json.text());
  int32_t space_a = *tokenizer.id_of("\u2581a"), space = *tokenizer.id_of("\u2581");
  StreamDecoder stream(tokenizer, true);
  EXPECT_EQ(stream.push(1), "");
  EXPECT_EQ(stream.push(space_a), "a");
  EXPECT_EQ(stream.push(space_a), " a");
  EXPECT_EQ(stream.finish(), "");
  EXPECT_EQ(stream.push(space), "");  // as new: the leading space goes again
  EXPECT_EQ(tokenizer.decode(std::vector<int32_t>{1, space_a, space_a}), "<s> a a");
  EXPECT_EQ(tokenizer.decode(std::vector<int32_t>{1, space_a, space_a}, true), "a a");
  EXPECT_EQ(tokenizer.decode(std::vector<int32_t>{space, space}), " ");
}

TEST(StreamDecoder, IdsOutOfRangeAreErrorsAndChangeNothing) {
  Tokenizer tokenizer = Tokenizer::from_json(tok::byte_level_json().text());
  StreamDecoder stream(tokenizer);
  EXPECT_EQ(stream.push(0xC3), "");
  EXPECT_THROW(stream.push(256), Error);
  EXPECT_THROW(stream.push(-1), Error);
  EXPECT_EQ(stream.push(0xA9), "\u00E9");
  EXPECT_THROW(tokenizer.decode(std::vector<int32_t>{1 << 30}), Error);
  EXPECT_THROW(tokenizer.token_bytes(256), Error);
  EXPECT_FALSE(tokenizer.is_special(1 << 30));
}

TEST(StreamDecoder, JoinedPushesAreDecode) {
  Tokenizer bytes = Tokenizer::from_json(tok::byte_level_json().text());
  Tokenizer pieces = Tokenizer::from_json(tok::sentencepiece_json().text());
  std::mt19937 random(11);
  for (const Tokenizer& tokenizer : {bytes, pieces}) {
    for (int round = 0; round < 200; round++) {
      std::vector<int32_t> ids(random() % 20);
      for (int32_t& id : ids) id = static_cast<int32_t>(random() % static_cast<unsigned>(tokenizer.size()));
      StreamDecoder stream(tokenizer);
      std::string joined;
      for (int32_t id : ids) {
        std::string part = stream.push(id);
        std::string again;
        EXPECT_EQ(tok::append_valid(again, part, true), part.size());
        EXPECT_EQ(again, part);  // each part is valid UTF-8 on its own
        joined += part;
      }
      joined += stream.finish();
      EXPECT_EQ(joined, tokenizer.decode(ids));
    }
  }
}

}  // namespace
}  // namespace ingot
