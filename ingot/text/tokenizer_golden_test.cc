// Vocabularies and cases made with the reference library; tests/golden/tokenizers.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>

#include "ingot/text/tokenizer.h"

namespace ingot {
namespace {

class TokenizerGolden : public testing::TestWithParam<const char*> {
 protected:
  static std::string path(const std::string& end) {
    return std::string(INGOT_SOURCE_DIR) + "/tests/golden/tokenizers/tokenizer_" + GetParam() + end;
  }
};

TEST_P(TokenizerGolden, EncodesAndDecodes) {
  Tokenizer tokenizer = Tokenizer::from_directory(path(".json"));
  simdjson::dom::parser parser;
  simdjson::dom::element cases = parser.load(path(".cases.json"));
  size_t count = 0;
  for (simdjson::dom::element c : cases) {
    std::string text{std::string_view(c["text"])};
    std::vector<int32_t> ids;
    for (simdjson::dom::element id : c["ids"]) ids.push_back(static_cast<int32_t>(int64_t(id)));
    EXPECT_EQ(tokenizer.encode(text), ids) << text;
    EXPECT_EQ(tokenizer.decode(ids), std::string_view(c["decoded"])) << text;
    StreamDecoder stream(tokenizer);
    std::string joined;
    for (int32_t id : ids) joined += stream.push(id);
    EXPECT_EQ(joined + stream.finish(), std::string_view(c["decoded"])) << text;
    // As a user's text, control tokens are plain text; the text is kept.
    TextRange all{0, text.size()};
    EncodeOptions plain;
    plain.plain = {&all, 1};
    std::vector<int32_t> plain_ids = tokenizer.encode(text, plain);
    for (int32_t id : plain_ids) EXPECT_FALSE(tokenizer.is_special(id)) << text;
    EXPECT_EQ(tokenizer.decode(plain_ids), text);
    count++;
  }
  EXPECT_EQ(count, 42u);
}

INSTANTIATE_TEST_SUITE_P(Families, TokenizerGolden, testing::Values("gpt2", "llama3", "qwen"));

}  // namespace
}  // namespace ingot
