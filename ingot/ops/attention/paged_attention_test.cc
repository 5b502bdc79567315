#include "ingot/ops/attention/paged_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/base/quick_test.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/attention/attention.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_check.h"

namespace ingot {
namespace {

// A cache of its own: pages poisoned with NaN, the layer's part at an odd place.
struct Cache {
  std::vector<std::vector<char>> memory;
  std::vector<void*> pages;
  PagedKv kv;
  Cache(int64_t tokens, int page_tokens, int heads, int head_dim, DType dtype) {
    int64_t part = int64_t(heads) * page_tokens * head_dim * int64_t(itemsize(dtype));
    for (int64_t t = 0; t < tokens; t += page_tokens) memory.emplace_back(size_t(64 + 2 * part + 64), char(0xFF));
    for (auto& m : memory) pages.push_back(m.data());
    kv = {pages, 64, 64 + part, page_tokens, heads, head_dim, dtype};
  }
};

struct Sequence {
  int64_t tokens;
  int q_heads, heads, dim;
  Tensor q, k, v;  // [tokens][heads][dim]
  Sequence(int64_t n, int hq, int hk, int d)
      : tokens(n),
        q_heads(hq),
        heads(hk),
        dim(d),
        q(make_input({{n, hq, d}}, DType::kF32, 1)),
        k(make_input({{n, hk, d}}, DType::kF32, 2)),
        v(make_input({{n, hk, d}}, DType::kF32, 3)) {}
  void write(const Cache& c, int64_t begin, int64_t end) const {
    int64_t stride = int64_t(heads) * dim;
    kv_write(c.kv, begin, k.data<float>() + begin * stride, v.data<float>() + begin * stride, end - begin, stride);
  }
  void attend(const Cache& c, int64_t begin, int64_t end, float* out) const {
    int64_t stride = int64_t(q_heads) * dim;
    paged_attention(q.data<float>() + begin * stride, stride, q_heads, c.kv, begin, end - begin,
                    1 / std::sqrt(float(dim)), out + begin * stride, stride);
  }
  // Rows `begin` on.
  Tensor expected(DType dtype, int64_t begin = 0) const {
    auto heads_first = [](const Tensor& x) { return to(x, DType::kF64).transpose(0, 1); };
    Tensor y = scaled_dot_product_attention(heads_first(q.slice(0, begin, tokens)), heads_first(to(k, dtype)),
                                            heads_first(to(v, dtype)), {}, CausalMode::kBottomRight, {}, true);
    return contiguous(y.transpose(0, 1));
  }
};

TEST(PagedAttention, MatchesTheTensorOperator) {
  for (DType dtype : {DType::kF32, DType::kF16, DType::kBF16, DType::kF8E4M3})
    for (auto [tokens, page, hq, hk, dim] : {std::tuple{100, 16, 9, 3, 64},
                                             {70, 7, 4, 1, 20},
                                             {600, 256, 2, 2, 128},
                                             {130, 64, 16, 2, 256},
                                             {3, 32, 1, 1, 1}}) {
      if (quick_tests() && tokens > 100) continue;
      Sequence s(tokens, hq, hk, dim);
      Cache c(tokens, page, hk, dim, dtype);
      s.write(c, 0, tokens);
      Tensor y = empty({tokens, hq, dim}, DType::kF32);
      s.attend(c, 0, tokens, y.data<float>());
      EXPECT_LT(relative_error(y, s.expected(dtype)), 2e-6) << name(dtype) << " " << tokens << " " << dim;
    }
}

// One by one, in pieces, at once; with any number of threads: the same bits. Pages not yet written hold NaN all the
// while.
TEST(PagedAttention, ChunkingAndThreadsDoNotMatter) {
  int before = num_threads();
  for (DType dtype : {DType::kF32, DType::kBF16, DType::kF8E4M3})
    for (auto [tokens, page, hq, hk, dim] : {std::tuple{700, 32, 9, 3, 64}, {130, 16, 8, 2, 128}, {90, 10, 7, 1, 40}}) {
      if (quick_tests() && tokens > 100) continue;
      Sequence s(tokens, hq, hk, dim);
      Cache whole(tokens, page, hk, dim, dtype);
      s.write(whole, 0, tokens);
      Tensor y = empty({tokens, hq, dim}, DType::kF32);
      set_num_threads(1);
      s.attend(whole, 0, tokens, y.data<float>());
      for (int64_t piece : {1, 2, 5, 17, 64, 333})
        for (int threads : {1, 3, 8}) {
          if (piece == 1 && threads == 8) continue;
          set_num_threads(threads);
          Cache c(tokens, page, hk, dim, dtype);
          Tensor z = empty({tokens, hq, dim}, DType::kF32);
          for (int64_t t = 0; t < tokens; t += piece) {
            int64_t end = std::min<int64_t>(tokens, t + piece);
            s.write(c, t, end);
            s.attend(c, t, end, z.data<float>());
          }
          EXPECT_EQ(memcmp(y.raw_data(), z.raw_data(), size_t(y.nbytes())), 0)
              << name(dtype) << " " << dim << " piece " << piece << " threads " << threads;
        }
    }
  set_num_threads(before);
}

TEST(PagedAttention, LongContextIsSplitOverThreads) {
  int before = num_threads();
  Sequence s(5000, 4, 1, 64);
  Cache c(5000, 128, 1, 64, DType::kBF16);
  s.write(c, 0, 5000);
  std::vector<std::vector<float>> results;
  for (int threads : {1, 2, 7}) {
    set_num_threads(threads);
    std::vector<float> all(5000 * 4 * 64);
    s.attend(c, 4999, 5000, all.data());
    results.emplace_back(all.end() - 256, all.end());
  }
  set_num_threads(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  Tensor want = s.expected(DType::kBF16, 4999);
  EXPECT_LT(relative_error(tensor_of(results[0], {1, 4, 64}), want), 2e-6);
}

TEST(PagedAttention, WritesRoundAndStayInPlace) {
  Cache c(4, 2, 1, 2, DType::kF8E4M3);
  float k[] = {1.0625f, 1000, -1000, NAN}, v[] = {0, 0, 464, -0.0f};
  kv_write(c.kv, 1, k, v, 2, 2);
  EXPECT_EQ(uint8_t(c.memory[0][64 + 2]), 0x38);
  EXPECT_EQ(uint8_t(c.memory[0][64 + 3]), 0x7E);
  EXPECT_EQ(uint8_t(c.memory[1][64 + 0]), 0xFE);
  EXPECT_EQ(uint8_t(c.memory[1][64 + 1]) & 0x7F, 0x7F);
  EXPECT_EQ(uint8_t(c.memory[1][64 + 4 + 0]), 0x7E);
  EXPECT_EQ(uint8_t(c.memory[1][64 + 4 + 1]), 0x80);
  EXPECT_EQ(uint8_t(c.memory[0][64 + 0]), 0xFF);
  EXPECT_EQ(uint8_t(c.memory[1][64 + 2]), 0xFF);
}

TEST(PagedAttention, Errors) {
  Cache c(4, 2, 2, 2, DType::kF32);
  float x[64] = {};
  EXPECT_THROW(kv_write(c.kv, 3, x, x, 2, 4), Error);
  EXPECT_THROW(kv_write(c.kv, -1, x, x, 1, 4), Error);
  EXPECT_THROW(kv_write(c.kv, INT64_MAX, x, x, 2, 4), Error);
  EXPECT_THROW(paged_attention(x, 4, 2, c.kv, 4, 1, 1, x, 4), Error);
  EXPECT_THROW(paged_attention(x, 6, 3, c.kv, 0, 1, 1, x, 6), Error);
  PagedKv wrong = c.kv;
  wrong.dtype = DType::kI8;
  EXPECT_THROW(kv_write(wrong, 0, x, x, 1, 4), Error);
  EXPECT_NO_THROW(paged_attention(x, 4, 2, c.kv, 4, 0, 1, x, 4));
}

}  // namespace
}  // namespace ingot
