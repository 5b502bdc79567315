// Byte-pair encoding: the characters of a piece become tokens, and the neighbours of lowest rank are merged, leftmost
// first, until none can be. Pieces are bytes (byte-level) or text, as `Alphabet` says.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingot/text/tokenizer_model.h"

namespace ingot::tok {

// Pairs of tokens -> rank and merged token. Open addressing: a lookup is one cache line in most cases.
class MergeTable {
 public:
  struct Merge {
    uint32_t rank;
    int32_t token;
  };
  void reserve(size_t count);                             // before the first insert
  void insert(int32_t left, int32_t right, Merge merge);  // a pair given again takes the later rank
  const Merge* find(int32_t left, int32_t right) const;

 private:
  struct Slot {
    uint64_t key;
    Merge merge;
  };
  size_t place(uint64_t key) const { return static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> shift_); }
  std::vector<Slot> slots_;
  int shift_ = 63;
};

class Bpe final : public Model {
 public:
  struct Options {
    bool byte_level = true;      // pieces are bytes, each with its own token
    bool byte_fallback = false;  // a character without a token becomes the tokens of its bytes
    bool fuse_unk = false;
    std::optional<int32_t> unk;  // for what has no token; without it such characters vanish
  };

  explicit Bpe(Options options);

  // Tokens a piece starts from. `byte_tokens` are <0x00>..<0xFF>, -1 where there is none.
  void set_byte(unsigned char byte, int32_t token) { bytes_[byte] = token; }
  void set_character(char32_t character, int32_t token) { characters_[character] = token; }
  void set_fallback(unsigned char byte, int32_t token) { fallback_[byte] = token; }
  // A piece that is taken whole, without merging (ignore_merges).
  void set_whole(std::string piece, int32_t token) { whole_.insert_or_assign(std::move(piece), token); }
  MergeTable& merges() { return merges_; }
  // Makes `token`, an id that no vocabulary has, stand for these in the result. All such ids follow one another and are
  // given in order.
  void set_stand_in(int32_t token, std::vector<int32_t> tokens);
  // The caller knows that no merge reaches across these.
  void set_cuts(Cuts cuts) { cuts_ = std::move(cuts); }

  void encode(std::string_view piece, Cache& cache, std::vector<int32_t>& out) const override;

 private:
  void append(const std::vector<int32_t>& tokens, std::vector<int32_t>& out) const;
  void encode_part(std::string_view part, Cache& cache, std::vector<int32_t>& out) const;
  void first_tokens(std::string_view part, std::vector<int32_t>& tokens) const;

  Options options_;
  std::array<int32_t, 256> bytes_, fallback_;
  std::unordered_map<char32_t, int32_t> characters_;
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> whole_;
  MergeTable merges_;
  int32_t first_stand_in_ = std::numeric_limits<int32_t>::max();
  std::vector<std::vector<int32_t>> stand_ins_;
  Cuts cuts_;
};

// Merges `tokens` in place. Both give the same; the first is quadratic and fast for short pieces, the second n log n.
void merge_by_scanning(const MergeTable& merges, std::vector<int32_t>& tokens);
void merge_by_queue(const MergeTable& merges, std::vector<int32_t>& tokens);

}  // namespace ingot::tok
