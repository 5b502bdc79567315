#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "ingot/base/error.h"
#include "ingot/text/tokenizer.h"
#include "ingot/text/tokenizer_testing.h"

namespace ingot {
namespace {

using Ids = std::vector<int32_t>;

std::string error_of(const std::string& json, const std::string& config = {}) {
  try {
    Tokenizer::from_json(json, config);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(TokenizerJson, UnsupportedTypesAreNamed) {
  struct Case {
    std::string tok::TestJson::*part;
    const char* value;
    const char* named;
  };
  const Case cases[] = {
      {&tok::TestJson::normalizer, R"({"type":"BertNormalizer"})", "normalizer: type \"BertNormalizer\""},
      {&tok::TestJson::normalizer, R"({"type":"Precompiled"})", "Precompiled"},
      {&tok::TestJson::normalizer, R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Nmt"}]})",
       "normalizers[1]: type \"Nmt\""},
      {&tok::TestJson::pre_tokenizer, R"({"type":"BertPreTokenizer"})", "BertPreTokenizer"},
      {&tok::TestJson::pre_tokenizer, R"({"type":"UnicodeScripts"})", "UnicodeScripts"},
      {&tok::TestJson::pre_tokenizer, R"({"type":"Split","pattern":{"Regex":"a"},"behavior":"Sideways"})", "Sideways"},
      {&tok::TestJson::pre_tokenizer, R"({"type":"Split","pattern":{"Regex":"[a&&b]"},"behavior":"Isolated"})", "&&"},
      {&tok::TestJson::pre_tokenizer, R"({"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Digits"}]})",
       "after ByteLevel"},
      {&tok::TestJson::post_processor, R"({"type":"Nope"})", "Nope"},
      {&tok::TestJson::decoder, R"({"type":"WordPiece"})", "WordPiece"},
      {&tok::TestJson::decoder, R"({"type":"CTC"})", "CTC"},
      {&tok::TestJson::decoder,
       R"({"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"Replace","pattern":{"String":"a"},"content":""}]})",
       "Replace"},
      {&tok::TestJson::model, R"("end_of_word_suffix":"</w>",)", "end_of_word_suffix"},
      {&tok::TestJson::model, R"("continuing_subword_prefix":"##",)", "continuing_subword_prefix"},
      {&tok::TestJson::model, R"("dropout":0.1,)", "dropout"},
      {&tok::TestJson::model, R"("unk_token":"<gone>",)", "<gone>"},
  };
  for (const Case& c : cases) {
    tok::TestJson json = tok::byte_level_json();
    json.*c.part = c.value;
    EXPECT_NE(error_of(json.text()).find(c.named), std::string::npos) << c.value << "\n" << error_of(json.text());
  }
  EXPECT_NE(error_of(R"({"model":{"type":"Unigram","vocab":[]}})").find("Unigram"), std::string::npos);
  EXPECT_NE(error_of(R"({"model":{"type":"WordPiece","vocab":{}}})").find("WordPiece"), std::string::npos);
}

TEST(TokenizerJson, BrokenFilesAreErrors) {
  const char* texts[] = {
      "",
      "{",
      "[]",
      "1",
      "{}",
      "{\"model\":1}",
      "\xFF",
      "{\"model\":{\"type\":\"BPE\"}}",
      R"({"model":{"type":"BPE","vocab":[],"merges":[]}})",
      R"({"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}})",
      R"({"model":{"type":"BPE","vocab":{"a":1048576},"merges":[]}})",
      R"({"model":{"type":"BPE","vocab":{"a":1e3},"merges":[]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0,"a":1},"merges":[]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a a"]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0,"aa":1},"merges":["aa"]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0,"aa":1},"merges":["a a a"]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0,"aa":1},"merges":[["a"]]}})",
      R"({"model":{"type":"BPE","vocab":{"a":0,"aa":1},"merges":[["a",1]]}})",
      R"({"model":{"type":"BPE","vocab":{"\ud800":0},"merges":[]}})",
      R"({"added_tokens":[{"id":0}],"model":{"type":"BPE","vocab":{},"merges":[]}})",
      R"({"added_tokens":[{"id":0,"content":"b"}],"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})",
      R"({"post_processor":{"type":"BertProcessing","cls":["a",9],"sep":["a",0]},"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})"};
  for (const char* text : texts) EXPECT_NE(error_of(text), "") << text;
  std::string deep;
  for (int i = 0; i < 40; i++) deep += R"({"type":"Sequence","normalizers":[)";
  deep += R"({"type":"NFC"})";
  for (int i = 0; i < 40; i++) deep += "]}";
  tok::TestJson json = tok::byte_level_json();
  json.normalizer = deep;
  EXPECT_NE(error_of(json.text()).find("deep"), std::string::npos);
  json.normalizer = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_NE(error_of(json.text()), "");
  EXPECT_NE(error_of(tok::byte_level_json().text(), "nonsense").find("tokenizer_config.json"), std::string::npos);
}

TEST(TokenizerJson, EmptyVocabulary) {
  Tokenizer t = Tokenizer::from_json(R"({"model":{"type":"BPE","vocab":{},"merges":[]}})");
  EXPECT_EQ(t.size(), 0);
  EXPECT_EQ(t.encode("abc"), Ids{});
  EXPECT_EQ(t.decode({}), "");
}

TEST(TokenizerJson, BothFormsOfMergesAndIdsWithHoles) {
  for (const char* merges : {R"(["a b","ab c"])", R"([["a","b"],["ab","c"]])"}) {
    Tokenizer t = Tokenizer::from_json(
        std::string(R"({"model":{"vocab":{"a":0,"b":1,"c":2,"ab":7,"abc":5},"merges":)") + merges + "}}");
    EXPECT_EQ(t.encode("abcab"), (Ids{5, 7}));
    EXPECT_EQ(t.size(), 8);
    EXPECT_EQ(t.decode(Ids{5, 6, 3, 7}), "abcab");  // ids without a token give nothing
    EXPECT_EQ(t.token_text(6), "");
  }
}

// A normalizer that finds nothing changes nothing.
TEST(TokenizerJson, ReplaceThatMatchesNothing) {
  tok::TestJson json = tok::byte_level_json();
  std::string word = "m";
  for (const char* next : {"e", "t", "a", "s", "y", "s"}) {
    json.add_word(word, next);
    word += next;
  }
  json.normalizer = R"({"type":"Replace","pattern":{"Regex":"\\p{S}"},"content":""})";
  Tokenizer t = Tokenizer::from_json(json.text());
  EXPECT_EQ(t.encode("metasys"), Ids{*t.id_of("metasys")});
  EXPECT_EQ(t.encode("meta+sys$"), Ids{*t.id_of("metasys")});
}

TEST(TokenizerJson, ByteLevelKeepsEveryByte) {
  Tokenizer t = Tokenizer::from_json(tok::byte_level_json().text());
  std::string all;
  for (int c = 1; c < 0x3000; c++) {
    if (c < 0x80)
      all += static_cast<char>(c);
    else if (c < 0x800)
      all += static_cast<char>(0xC0 | c >> 6), all += static_cast<char>(0x80 | (c & 63));
    else
      all += static_cast<char>(0xE0 | c >> 12), all += static_cast<char>(0x80 | (c >> 6 & 63)),
          all += static_cast<char>(0x80 | (c & 63));
  }
  all += '\0';
  EXPECT_EQ(t.encode(all).size(), all.size());
  EXPECT_EQ(t.decode(t.encode(all)), all);
}

TEST(TokenizerJson, TokensOutsideTheByteMapStandForThemselves) {
  tok::TestJson json = tok::byte_level_json();
  json.vocab.push_back("a b\u4E2D");
  EXPECT_EQ(Tokenizer::from_json(json.text()).token_bytes(256), "a b\u4E2D");
}

TEST(TokenizerJson, PostProcessors) {
  tok::TestJson json = tok::byte_level_json();
  EncodeOptions options;
  options.add_special_tokens = true;
  auto ids = [&](const char* post) {
    json.post_processor = post;
    return Tokenizer::from_json(json.text()).encode("a", options);
  };
  EXPECT_EQ(ids(R"({"type":"ByteLevel"})"), Ids{'a'});
  EXPECT_EQ(ids(R"({"type":"RobertaProcessing","cls":["x",1],"sep":["y",2]})"), (Ids{1, 'a', 2}));
  const char* one =
      R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"s","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
                       {"SpecialToken":{"id":"e","type_id":0}}],"special_tokens":{"s":{"ids":[3]},"e":{"ids":[4,5]}}})";
  EXPECT_EQ(ids(one), (Ids{3, 'a', 4, 5}));
  std::string two = std::string(R"({"type":"Sequence","processors":[)") + one +
                    R"(,{"type":"BertProcessing","cls":["x",1],"sep":["y",2]}]})";
  EXPECT_EQ(ids(two.c_str()), (Ids{1, 3, 'a', 4, 5, 2}));
  EXPECT_THROW(ids(R"({"type":"TemplateProcessing","single":[],"special_tokens":{}})"), Error);
  EXPECT_THROW(ids(R"({"type":"TemplateProcessing","single":[{"Sequence":{"id":"B"}}],"special_tokens":{}})"), Error);
}

TEST(TokenizerJson, Configuration) {
  tok::TestJson json = tok::byte_level_json();
  Tokenizer t = Tokenizer::from_json(
      json.text(), R"({"bos_token":{"content":"a"},"eos_token":"b","pad_token":null,"add_bos_token":true,
      "added_tokens_decoder":{"300":{"content":"<x>","special":true},"97":{"content":"wrong","special":true}}})");
  EXPECT_EQ(t.bos(), 'a');
  EXPECT_EQ(t.eos(), 'b');
  EXPECT_EQ(t.pad(), std::nullopt);
  EXPECT_EQ(t.bos_token(), "a");
  EXPECT_EQ(t.eos_token(), "b");
  EXPECT_EQ(t.size(), 301);
  EXPECT_TRUE(t.is_special(300));
  EXPECT_FALSE(t.is_special('a'));
  EXPECT_EQ(t.id_of("wrong"), std::nullopt);
  EncodeOptions options;
  options.add_special_tokens = true;
  EXPECT_EQ(t.encode("c<x>", options), (Ids{'a', 'c', 300}));
  EXPECT_EQ(t.decode(Ids{'c', 300}, true), "c");
  EXPECT_EQ(t.decode(Ids{'c', 300}), "c<x>");
}

TEST(TokenizerJson, SentencePieceKind) {
  tok::TestJson json = tok::sentencepiece_json();
  for (const char* c : {"\u2581", "h", "i"}) json.vocab.push_back(c);
  json.add_word("h", "i");
  json.add_word("\u2581", "hi");
  Tokenizer t = Tokenizer::from_json(json.text());
  int32_t mark = 259, hi = *t.id_of("\u2581hi");
  EXPECT_EQ(t.encode("hi hi"), (Ids{hi, hi}));
  EXPECT_EQ(t.decode(Ids{hi, hi}), "hi hi");
  EXPECT_EQ(t.encode("\u00E9"), (Ids{mark, 0xC3 + 3, 0xA9 + 3}));
  EXPECT_EQ(t.encode(""), Ids{});
  EXPECT_EQ(t.encode("  hi"), (Ids{mark, mark, hi}));
  EXPECT_EQ(t.decode(t.encode("  hi\n\u6771 hi  ")), "  hi\n\u6771 hi  ");
  EXPECT_EQ(t.token_bytes(3 + 0xFF), "\xFF");
  json.model = R"("unk_token":"<unk>","fuse_unk":true,"byte_fallback":false,)";
  EXPECT_EQ(Tokenizer::from_json(json.text()).encode("zz hi"), (Ids{mark, 0, hi}));
  json.model = R"("unk_token":"<unk>","fuse_unk":false,"byte_fallback":false,)";
  EXPECT_EQ(Tokenizer::from_json(json.text()).encode("zz hi"), (Ids{mark, 0, 0, hi}));
}

TEST(TokenizerJson, MetaspaceDecoderDropsTheFirstMark) {
  tok::TestJson json;
  json.vocab = {"\u2581", "a", "\u2581a"};
  json.merges = {{"\u2581", "a"}};
  json.pre_tokenizer = R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})";
  json.decoder = json.pre_tokenizer;
  Tokenizer t = Tokenizer::from_json(json.text());
  EXPECT_EQ(t.encode("a a"), (Ids{2, 2}));
  EXPECT_EQ(t.decode(Ids{2, 2, 0}), "a a ");
}

TEST(TokenizerJson, Folders) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() /
                    ("ingot_tokenizer_" + std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id())));
  fs::create_directories(folder);
  auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  EXPECT_THROW(Tokenizer::from_directory(folder.string()), Error);
  write("tokenizer.json", tok::byte_level_json().text());
  EXPECT_EQ(Tokenizer::from_directory(folder.string()).eos(), std::nullopt);
  write("special_tokens_map.json", R"({"bos_token":"<","eos_token":{"content":">"}})");
  write("tokenizer_config.json", R"({"bos_token":"!"})");
  for (const std::string& path : {folder.string(), (folder / "tokenizer.json").string()}) {
    Tokenizer t = Tokenizer::from_directory(path);
    EXPECT_EQ(t.bos(), '!');
    EXPECT_EQ(t.eos(), '>');
  }
  write("tokenizer.json", "{");
  EXPECT_THROW(Tokenizer::from_directory(folder.string()), Error);
  fs::remove_all(folder);
  EXPECT_THROW(Tokenizer::from_directory(folder.string()), Error);
}

TEST(TokenizerJson, ManyThreadsShareOne) {
  Tokenizer t = Tokenizer::from_json(tok::byte_level_json().text());
  std::string text;
  for (int i = 0; i < 2000; i++) text += "word" + std::to_string(i) + " ";
  Ids expected = t.encode(text);
  std::vector<std::thread> threads;
  std::vector<int> equal(4);
  for (size_t i = 0; i < equal.size(); i++) {
    threads.emplace_back(
        [&, i, copy = t] { equal[i] = copy.encode(text) == expected && copy.decode(expected) == text; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, (std::vector<int>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace ingot
