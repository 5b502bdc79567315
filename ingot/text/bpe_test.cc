#include "ingot/text/bpe.h"

#include <gtest/gtest.h>

#include <random>

#include "ingot/text/byte_map.h"

namespace ingot::tok {
namespace {

TEST(ByteMap, AllBytes) {
  EXPECT_EQ(mapped_of_bytes(" \n!~"), "\u0120\u010A!~");
  EXPECT_EQ(mapped_of_bytes("\x7F\xAD\xA1"), "\u0121\u0143\u00A1");
  for (int b = 0; b < 256; b++) {
    std::string byte(1, static_cast<char>(b));
    EXPECT_EQ(bytes_of_mapped(mapped_of_bytes(byte)), byte);
  }
  EXPECT_EQ(bytes_of_mapped("a b"), std::nullopt);
  EXPECT_EQ(bytes_of_mapped("\u0144"), std::nullopt);
  EXPECT_EQ(bytes_of_mapped("\U0001F600"), std::nullopt);
}

// Merges by the definition: the lowest rank anywhere, the leftmost on ties, again and again.
std::vector<int32_t> merge_plainly(const MergeTable& merges, std::vector<int32_t> tokens) {
  while (true) {
    size_t best = 0;
    const MergeTable::Merge* merge = nullptr;
    for (size_t i = 0; i + 1 < tokens.size(); i++) {
      const auto* m = merges.find(tokens[i], tokens[i + 1]);
      if (m && (!merge || m->rank < merge->rank)) merge = m, best = i;
    }
    if (!merge) return tokens;
    tokens[best] = merge->token;
    tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(best) + 1);
  }
}

TEST(Bpe, BothWaysOfMergingFollowTheDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; round++) {
    MergeTable merges;
    merges.reserve(60);
    int32_t tokens_known = 4;
    bool shared_ranks = round % 3 == 0;  // scores may be equal, ranks of a list never
    for (uint32_t rank = 0; rank < 60; rank++) {
      auto left = static_cast<int32_t>(random() % static_cast<unsigned>(tokens_known));
      auto right = static_cast<int32_t>(random() % static_cast<unsigned>(tokens_known));
      merges.insert(left, right, {shared_ranks ? static_cast<uint32_t>(random() % 8) : rank, tokens_known++});
    }
    std::vector<int32_t> tokens(random() % 64 + (random() % 8 == 0 ? 0 : 1));
    for (int32_t& t : tokens) t = static_cast<int32_t>(random() % 4);
    std::vector<int32_t> expected = merge_plainly(merges, tokens);
    std::vector<int32_t> scanned = tokens, queued = tokens;
    merge_by_scanning(merges, scanned);
    merge_by_queue(merges, queued);
    EXPECT_EQ(scanned, expected);
    EXPECT_EQ(queued, expected);
  }
}

TEST(Bpe, LongPiecesAreNotQuadratic) {
  MergeTable merges;
  merges.reserve(19);
  for (int32_t i = 0; i < 19; i++) merges.insert(i, i, {static_cast<uint32_t>(i), i + 1});
  std::vector<int32_t> tokens(size_t{1} << 19, 0);
  merge_by_queue(merges, tokens);
  EXPECT_EQ(tokens, (std::vector<int32_t>{19}));
}

TEST(Cuts, BeforeMarksAndAroundNewlines) {
  auto parts = [](std::string_view text, const Cuts& cuts) {
    std::string joined;
    each_part(text, cuts, [&](std::string_view part) { joined += std::string(part) + "|"; });
    return joined;
  };
  EXPECT_EQ(parts("__a__b_", {"_", false}), "__a|__b|_|");
  EXPECT_EQ(parts("_a\n\n_b\n", {"_", true}), "_a|\n|\n|_b|\n|");
  EXPECT_EQ(parts("a_b", {}), "a_b|");
  EXPECT_EQ(parts("", {"_", true}), "");
}

}  // namespace
}  // namespace ingot::tok
