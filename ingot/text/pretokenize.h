// Pre-tokenizers: a text is cut into pieces, and merges never cross a cut. A chain of steps, each applied to the pieces
// of the one before; ByteLevel's byte map is not applied here, since the models work on bytes.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/text/pretokenize_match.h"

namespace ingot::tok {

// GPT-2's pattern, which ByteLevel uses too.
inline constexpr const char* kGpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };
enum class PrependScheme { kAlways, kFirst, kNever };

struct Piece {
  std::string_view text;  // valid only during the call it is given to
  bool at_start;          // begins where the whole text begins
};

class PreTokenizer {
 public:
  using Sink = std::function<void(Piece)>;

  // Steps, in the order in which they are applied.
  void add_split(Pattern pattern, SplitBehavior behavior, bool invert);
  void add_digits(bool individual);
  void add_byte_level(bool add_prefix_space, bool use_regex);  // the map of bytes is left to the model
  void add_metaspace(std::string replacement, PrependScheme scheme, bool split);

  // Gives the pieces, none of them empty, in order.
  void run(Piece piece, const Sink& sink) const { run_from(0, piece, sink); }
  // For tests and tools.
  std::vector<std::string> pieces(std::string_view text) const;

  bool empty() const { return steps_.empty(); }

 private:
  void run_from(size_t step, Piece piece, const Sink& sink) const;
  std::vector<std::function<void(Piece, const Sink&)>> steps_;
};

// The patterns of the families that GGUF files name, as their tokenizer.json files spell them.
struct GgufPreTokenizer {
  PreTokenizer steps;
  bool ignore_merges = false;  // a piece that is a token is taken whole
  bool compose = false;        // the text is normalised to NFC first
};
// `name` is tokenizer.ggml.pre; an unknown one is an Error that names it.
GgufPreTokenizer gguf_pre_tokenizer(std::string_view name);

}  // namespace ingot::tok
