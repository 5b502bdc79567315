// Splitting a strided loop over the threads: rows go to threads in ranges, and a long row is cut into pieces.
#pragma once
#include <algorithm>
#include <array>

#include "ingot/base/strided_loop.h"
#include "ingot/device/cpu/thread_pool.h"

namespace ingot {

// Calls body(offsets, n): n elements from the offsets on, at the loop's inner strides. `grain`: elements a thread takes
// at least.
template <class F>
void for_pieces(const StridedLoop& loop, int64_t grain, F&& body) {
  constexpr int64_t kLongPiece = 1 << 16;
  using Offsets = std::array<int64_t, kMaxOperands>;
  auto shifted = [&](Offsets offset, int64_t by) {
    for (int i = 0; i < loop.operands; i++) offset[size_t(i)] += by * loop.inner_stride(i);
    return offset;
  };
  if (loop.rows == 1) {
    parallel_for(loop.inner, grain, [&](int64_t begin, int64_t end) { body(shifted(Offsets{}, begin), end - begin); });
    return;
  }
  if (loop.inner <= kLongPiece) {
    parallel_for(loop.rows, std::max<int64_t>(grain / std::max<int64_t>(loop.inner, 1), 1),
                 [&](int64_t begin, int64_t end) {
                   loop.for_rows(begin, end, [&](const Offsets& offset) { body(offset, loop.inner); });
                 });
    return;
  }
  int64_t per_row = (loop.inner + kLongPiece - 1) / kLongPiece;
  parallel_for(loop.rows * per_row, 1, [&](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end;) {
      int64_t row = piece / per_row, first = piece % per_row, count = std::min(per_row - first, end - piece);
      int64_t at = first * kLongPiece, n = std::min(count * kLongPiece, loop.inner - at);
      loop.for_rows(row, row + 1, [&](const Offsets& offset) { body(shifted(offset, at), n); });
      piece += count;
    }
  });
}

// n elements of `item` bytes from one place to another; strides in elements.
void move_row(const char* from, int64_t from_stride, char* to, int64_t to_stride, int64_t n, int64_t item);

}  // namespace ingot
