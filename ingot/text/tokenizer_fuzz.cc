// First byte even: the first half of the rest is a tokenizer.json, the second half a text. Odd: the rest is a text for
// fixed tokenizers, which must keep every byte of valid UTF-8.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer.h"
#include "ingot/text/tokenizer_testing.h"
#include "ingot/text/tokenizer_unicode.h"

namespace {

using ingot::Tokenizer;

const std::vector<Tokenizer>& fixed_tokenizers() {
  static const std::vector<Tokenizer> tokenizers = [] {
    ingot::tok::TestJson bytes = ingot::tok::byte_level_json();
    bytes.add_word("a", "b");
    bytes.add_word("ab", "ab");
    bytes.added =
        R"({"id":258,"content":"<|x|>","special":true,"normalized":false},{"id":259,"content":"yy","normalized":true})";
    ingot::tok::TestJson pieces = ingot::tok::sentencepiece_json();
    pieces.decoder = R"({"type":"ByteFallback"})";
    pieces.normalizer = "null";
    for (const char* c : {"a", "b"}) pieces.vocab.push_back(c);
    pieces.add_word("a", "b");
    return std::vector{Tokenizer::from_json(bytes.text()), Tokenizer::from_json(pieces.text())};
  }();
  return tokenizers;
}

void check(bool right) {
  if (!right) abort();
}

void encode_and_decode(const Tokenizer& tokenizer, std::string_view text, bool keeps_text) {
  ingot::TextRange range{text.size() / 3, text.size() - text.size() / 3};
  for (int i = 0; i < 3; i++) {
    ingot::EncodeOptions options;
    options.added_tokens = i != 1;
    options.add_special_tokens = i == 0;
    if (i == 2) options.plain = {&range, 1};
    std::vector<int32_t> ids = tokenizer.encode(text, options);
    std::string decoded = tokenizer.decode(ids);
    check(ingot::tok::valid_prefix(decoded) == decoded.size());
    ingot::StreamDecoder stream(tokenizer);
    std::string joined;
    for (int32_t id : ids) joined += stream.push(id);
    check(joined + stream.finish() == decoded);
    if (keeps_text && i != 0 && ingot::tok::valid_prefix(text) == text.size()) check(decoded == text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] & 1) {
    for (const Tokenizer& tokenizer : fixed_tokenizers()) encode_and_decode(tokenizer, rest, true);
    return 0;
  }
  try {
    Tokenizer tokenizer = Tokenizer::from_json(rest.substr(0, rest.size() / 2));
    encode_and_decode(tokenizer, rest.substr(rest.size() / 2), false);
  } catch (const ingot::Error&) {
  }
  return 0;
}
