#include <array>
#include <string_view>

#include "ingot/base/error.h"
#include "ingot/text/pretokenize.h"

namespace ingot::tok {

namespace {

constexpr const char* kLlama3 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|"
    "\\s+(?!\\S)|\\s+";
constexpr const char* kQwen2 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|"
    "\\s+(?!\\S)|\\s+";
constexpr const char* kQwen35 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|"
    "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

struct Family {
  std::string_view name;
  const char* pattern;
  bool digits_first;
  bool ignore_merges;
  bool compose;
};

constexpr std::array<Family, 11> kFamilies{{{"", kGpt2Pattern, false, false, false},
                                            {"default", kGpt2Pattern, false, false, false},
                                            {"gpt-2", kGpt2Pattern, false, false, false},
                                            {"smollm", kGpt2Pattern, true, false, false},
                                            {"qwen2", kQwen2, false, false, true},
                                            {"deepseek-r1-qwen", kQwen2, false, false, true},
                                            {"qwen35", kQwen35, false, false, true},
                                            {"llama-bpe", kLlama3, false, true, false},
                                            {"llama3", kLlama3, false, true, false},
                                            {"llama-v3", kLlama3, false, true, false},
                                            {"lfm2", kLlama3, false, true, false}}};

}  // namespace

GgufPreTokenizer gguf_pre_tokenizer(std::string_view name) {
  for (const Family& family : kFamilies) {
    if (family.name != name) continue;
    GgufPreTokenizer made;
    made.ignore_merges = family.ignore_merges;
    made.compose = family.compose;
    if (family.digits_first) made.steps.add_digits(true);
    made.steps.add_split(Regex(family.pattern), SplitBehavior::kIsolated, false);
    return made;
  }
  std::string known;
  for (const Family& family : kFamilies)
    if (!family.name.empty()) known += cat(known.empty() ? "" : ", ", family.name);
  fail(ErrorKind::kUnsupported, "tokenizer",
       cat("GGUF pre-tokenizer ", quoted(name), " is not supported (known: ", known, ")"));
}

}  // namespace ingot::tok
