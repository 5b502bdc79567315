#include <gtest/gtest.h>

#include <limits>

#include "ingot/base/error.h"
#include "ingot/text/byte_map.h"
#include "ingot/text/tokenizer.h"

namespace ingot {
namespace {

using Ids = std::vector<int32_t>;

GgufVocab gpt2() {
  GgufVocab v;
  v.model = "gpt2";
  v.pre = "qwen35";
  for (int b = 0; b < 256; b++) v.tokens.push_back(tok::mapped_of_bytes(std::string(1, static_cast<char>(b))));
  v.tokens.insert(v.tokens.end(), {"he", "ll", "hell", "<|im_end|>", "<think>", "\u00E9 x", "[PAD]", "[PAD]"});
  v.merges = {"h e", "l l", "he ll"};
  v.token_types.assign(v.tokens.size(), 1);
  v.token_types[259] = 3;
  v.token_types[260] = v.token_types[261] = 4;
  v.token_types[262] = v.token_types[263] = 5;
  v.eos = 259;
  return v;
}

TEST(GgufTokenizer, Gpt2) {
  Tokenizer t = Tokenizer::from_gguf(gpt2());
  EXPECT_EQ(t.size(), 264);
  EXPECT_EQ(t.encode("hello<|im_end|><think>"), (Ids{258, 'o', 259, 260}));
  EXPECT_EQ(t.decode(Ids{258, 'o', 259, 260}), "hello<|im_end|><think>");
  EXPECT_EQ(t.decode(Ids{258, 'o', 259, 260}, true), "hello<think>");
  EXPECT_EQ(t.token_bytes(261), "\u00E9 x");  // user-defined: its text, not the byte that the character maps to
  EXPECT_EQ(t.encode("\u00E9 x"), Ids{261});
  EXPECT_EQ(t.eos(), 259);
  EXPECT_EQ(t.eos_token(), "<|im_end|>");
  EXPECT_EQ(t.id_of("[PAD]"), 262);
  EXPECT_EQ(t.encode("e\u0301").size(), 2u);  // composed first: one character of two bytes
}

TEST(GgufTokenizer, BosAndEosAreAddedOnRequest) {
  GgufVocab v = gpt2();
  v.bos = 256;
  v.add_bos = v.add_eos = true;
  Tokenizer t = Tokenizer::from_gguf(v);
  EncodeOptions options;
  options.add_special_tokens = true;
  EXPECT_EQ(t.encode("a", options), (Ids{256, 'a', 259}));
  EXPECT_EQ(t.encode("a"), Ids{'a'});
  EXPECT_TRUE(t.is_special(256));  // named as bos, though its type says normal
}

TEST(GgufTokenizer, LlamaBpeTakesWholePieces) {
  GgufVocab v = gpt2();
  v.tokens.push_back("xyz");
  v.token_types.push_back(1);
  v.pre = "llama-bpe";
  EXPECT_EQ(Tokenizer::from_gguf(v).encode("xyz"), Ids{264});
  v.pre = "gpt-2";
  EXPECT_EQ(Tokenizer::from_gguf(v).encode("xyz"), (Ids{'x', 'y', 'z'}));
}

// 0 <unk>, 1 <s>, 2 </s>, 3.. bytes.
GgufVocab llama() {
  GgufVocab v;
  v.model = "llama";
  v.tokens = {"<unk>", "<s>", "</s>"};
  v.token_types = {2, 3, 3};
  v.scores = {0, 0, 0};
  constexpr const char* kHex = "0123456789ABCDEF";
  for (int b = 0; b < 256; b++) {
    v.tokens.push_back(std::string("<0x") + kHex[b >> 4] + kHex[b & 15] + ">");
    v.token_types.push_back(6);
    v.scores.push_back(0);
  }
  v.bos = 1, v.eos = 2, v.unk = 0;
  return v;
}
void add(GgufVocab& v, const char* text, float score, int32_t type = 1) {
  v.tokens.emplace_back(text);
  v.scores.push_back(score);
  v.token_types.push_back(type);
}

TEST(GgufTokenizer, SpmMergesTheBestScoreFirst) {
  GgufVocab v = llama();
  for (const char* c : {"\u2581", "a", "b", "c"}) add(v, c, -10);
  add(v, "ab", -2);            // 263
  add(v, "bc", -1);            // 264
  add(v, "\u2581a", -3);       // 265
  add(v, "\u2581\u2581", -4);  // 266
  Tokenizer t = Tokenizer::from_gguf(v);
  EXPECT_EQ(t.encode("abc"), (Ids{265, 264}));
  EXPECT_EQ(t.encode("ab"), (Ids{259, 263}));
  EXPECT_EQ(t.encode("  a"), (Ids{266, 265}));
  EXPECT_EQ(t.encode(""), Ids{});
  EXPECT_EQ(t.decode(Ids{265, 264}), "abc");
  EXPECT_EQ(t.decode(Ids{1, 265, 264}), "<s> abc");
  EXPECT_EQ(t.decode(Ids{1, 265, 264}, true), "abc");
  std::string text = "  a\u6771 \nabc\xF0\x9F\x98\x8A ab";
  EXPECT_EQ(t.decode(t.encode(text)), text);
}

TEST(GgufTokenizer, SpmTiesGoToTheLeft) {
  GgufVocab v = llama();
  for (const char* c : {"a", "\u2581"}) add(v, c, -10);
  add(v, "aa", -1);  // 261
  v.add_space_prefix = false;
  Tokenizer t = Tokenizer::from_gguf(v);
  EXPECT_EQ(t.encode("aaa"), (Ids{261, 259}));
  EXPECT_EQ(t.encode("a"), Ids{259});
  EXPECT_EQ(t.decode(t.encode(" a")), " a");
}

TEST(GgufTokenizer, SpmCharactersThatAreNoTokensStillMerge) {
  GgufVocab v = llama();
  add(v, "\u2581", -10);   // 259
  add(v, "x\u00E9", -1);   // 260: neither x nor the other is a token
  add(v, "x\u00E9y", -2);  // 261
  Tokenizer t = Tokenizer::from_gguf(v);
  EXPECT_EQ(t.encode("x\u00E9yx"), (Ids{259, 261, 'x' + 3}));
  EXPECT_EQ(t.encode("\u00E9"), (Ids{259, 0xC3 + 3, 0xA9 + 3}));
}

// The text of control and byte tokens, typed by a user, is only text.
TEST(GgufTokenizer, SpmTextNeverBecomesControlTokens) {
  GgufVocab v = llama();
  for (const char* c : {"\u2581", "<", "s", ">", "<s", "s>", "0"}) add(v, c, -1);
  Tokenizer t = Tokenizer::from_gguf(v);
  EncodeOptions off;
  off.added_tokens = false;
  EXPECT_EQ(t.encode("<s>"), Ids{1});
  for (const char* text : {"<s>", "</s>", "<0x41>", "<unk>"}) {
    Ids ids = t.encode(text, off);
    EXPECT_EQ(t.decode(ids), text);
    for (int32_t id : ids) EXPECT_FALSE(t.is_special(id)) << text;
  }
}

TEST(GgufTokenizer, WordRightAfterAUserDefinedToken) {
  GgufVocab v = llama();
  for (const char* c : {"\u2581", "u", "\u2581u"}) add(v, c, -1);
  add(v, "<|im_start|>", 0, 4);
  v.add_bos = true;
  Tokenizer t = Tokenizer::from_gguf(v);
  EncodeOptions options;
  options.add_special_tokens = true;
  EXPECT_EQ(t.encode("<|im_start|>u", options), (Ids{1, 262, 261}));
  EXPECT_FALSE(t.is_special(262));
}

TEST(GgufTokenizer, BrokenVocabulariesAreErrors) {
  auto broken = [](GgufVocab v, auto change) {
    change(v);
    EXPECT_THROW(Tokenizer::from_gguf(v), Error);
  };
  broken(gpt2(), [](GgufVocab& v) { v.model = "bert"; });
  broken(gpt2(), [](GgufVocab& v) { v.pre = "unheard-of"; });
  broken(gpt2(), [](GgufVocab& v) { v.tokens.clear(); });
  broken(gpt2(), [](GgufVocab& v) { v.token_types.pop_back(); });
  broken(gpt2(), [](GgufVocab& v) { v.merges.push_back("no-space"); });
  broken(gpt2(), [](GgufVocab& v) { v.merges.push_back("q zz"); });
  broken(gpt2(), [](GgufVocab& v) { v.tokens[3] = "\xFF"; });
  broken(gpt2(), [](GgufVocab& v) { v.eos = 264; });
  broken(gpt2(), [](GgufVocab& v) { v.bos = -1; });
  broken(gpt2(), [](GgufVocab& v) { v.add_bos = true; });
  broken(llama(), [](GgufVocab& v) { v.scores.pop_back(); });
  broken(llama(), [](GgufVocab& v) { v.scores[5] = std::numeric_limits<float>::quiet_NaN(); });
  broken(llama(), [](GgufVocab& v) { v.tokens[7] = "byte"; });
  broken(llama(), [](GgufVocab& v) { add(v, std::string(2000, 'a').c_str(), 0); });
}

}  // namespace
}  // namespace ingot
