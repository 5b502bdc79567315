// Small tokenizer.json texts for tests and fuzzers.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/text/byte_map.h"

namespace ingot::tok {

inline std::string json_string(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

struct TestJson {
  std::vector<std::string> vocab;  // ids in this order
  std::vector<std::pair<std::string, std::string>> merges;
  std::string added;  // members of the list added_tokens
  std::string normalizer = "null";
  std::string pre_tokenizer = "null";
  std::string post_processor = "null";
  std::string decoder = "null";
  std::string model;  // more members of the model, each followed by a comma

  // Adds a token and the merges that make it from its characters, left to right, with the tokens between.
  void add_word(std::string_view left, std::string_view right) {
    merges.emplace_back(left, right);
    vocab.push_back(std::string(left) + std::string(right));
  }
  int id(std::string_view token) const {
    for (size_t i = 0; i < vocab.size(); i++)
      if (vocab[i] == token) return static_cast<int>(i);
    return -1;
  }

  std::string text() const {
    std::string v, m;
    for (size_t i = 0; i < vocab.size(); i++) v += (i ? "," : "") + json_string(vocab[i]) + ":" + std::to_string(i);
    for (size_t i = 0; i < merges.size(); i++) {
      m += (i ? ",[" : "[") + json_string(merges[i].first) + "," + json_string(merges[i].second) + "]";
    }
    return "{\"version\":\"1.0\",\"added_tokens\":[" + added + "],\"normalizer\":" + normalizer +
           ",\"pre_tokenizer\":" + pre_tokenizer + ",\"post_processor\":" + post_processor + ",\"decoder\":" + decoder +
           ",\"model\":{\"type\":\"BPE\"," + model + "\"vocab\":{" + v + "},\"merges\":[" + m + "]}}";
  }
};

// Byte-level: token n is byte n.
inline TestJson byte_level_json() {
  TestJson json;
  for (int b = 0; b < 256; b++) json.vocab.push_back(mapped_of_bytes(std::string(1, static_cast<char>(b))));
  json.pre_tokenizer = R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":true})";
  json.decoder = R"({"type":"ByteLevel"})";
  return json;
}

// The kind of Llama 2: 0 <unk>, 1 <s>, 2 </s>, then <0x00> ... <0xFF> (3 to 258), then what the caller adds.
inline TestJson sentencepiece_json() {
  TestJson json;
  json.vocab = {"<unk>", "<s>", "</s>"};
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (size_t b = 0; b < 256; b++) json.vocab.push_back(std::string("<0x") + kHex[b >> 4] + kHex[b & 15] + ">");
  json.added =
      R"({"id":0,"content":"<unk>","normalized":false,"special":true},{"id":1,"content":"<s>","normalized":false,"special":true},
                  {"id":2,"content":"</s>","normalized":false,"special":true})";
  json.normalizer = R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
                        {"type":"Replace","pattern":{"String":" "},"content":"▁"}]})";
  json.post_processor =
      R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
                            "pair":[],"special_tokens":{"<s>":{"id":"<s>","ids":[1],"tokens":["<s>"]}}})";
  json.decoder =
      R"({"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},
                     {"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]})";
  json.model = R"("unk_token":"<unk>","fuse_unk":true,"byte_fallback":true,)";
  return json;
}

}  // namespace ingot::tok
