#include "ingot/ops/copy/copy_cpu.h"

#include <algorithm>
#include <cstring>

#include "ingot/ops/copy/strided_pieces.h"

namespace ingot {

namespace {

const CopyKernels& kernels() {
  static const CopyKernels& k = simd_pick(INGOT_SIMD_LEVELS(copy_kernels));
  return k;
}

constexpr Wide kWideOf[kNumDTypes] = {kWideI32, kWideI32, kWideI32, kWideI32, kWideI32, kWideI64, kWideF32,
                                      kWideF32, kWideF32, kWideF32, kWideF32, kWideF32, kWideF64};
constexpr int64_t kWideItem[kNumWides] = {4, 8, 4, 8};

// Elements a strided piece is gathered or converted at a time; the buffers stay in the first-level cache.
constexpr int64_t kPiece = 512;
// Bytes below which another thread costs more than it saves.
constexpr int64_t kGrainBytes = 128 << 10;

template <class T>
void move_strided(const char* from, int64_t from_stride, char* to, int64_t to_stride, int64_t n) {
  const T* x = reinterpret_cast<const T*>(from);
  T* y = reinterpret_cast<T*>(to);
  if (from_stride == 0) {
    T v = *x;
    for (int64_t i = 0; i < n; i++) y[i * to_stride] = v;
  } else if (to_stride == 1) {
    for (int64_t i = 0; i < n; i++) y[i] = x[i * from_stride];
  } else {
    for (int64_t i = 0; i < n; i++) y[i * to_stride] = x[i * from_stride];
  }
}

// A transposition: the destination is dense along the last axis, the source along another. Square tiles keep both in
// cache.
template <class T>
void transpose_tiles(const StridedLoop& loop, int fast, const T* src, T* dst) {
  constexpr int64_t kTile = 32;
  int last = loop.sizes.size() - 1;
  int64_t rows = loop.sizes[fast], columns = loop.inner;
  int64_t dst_step = loop.strides[0][fast], src_step = loop.strides[1][last];
  StridedLoop outer = loop;
  outer.sizes[fast] = 1;
  outer.rows = loop.rows / rows;
  int64_t row_tiles = (rows + kTile - 1) / kTile;
  parallel_for(outer.rows * row_tiles, std::max<int64_t>(kGrainBytes / int64_t(sizeof(T)) / (kTile * columns), 1),
               [&](int64_t begin, int64_t end) {
                 for (int64_t t = begin; t < end; t++) {
                   int64_t r0 = t % row_tiles * kTile, r1 = std::min(r0 + kTile, rows);
                   outer.for_rows(t / row_tiles, t / row_tiles + 1, [&](const auto& offset) {
                     const T* x = src + offset[1];
                     T* y = dst + offset[0];
                     for (int64_t c0 = 0; c0 < columns; c0 += kTile) {
                       int64_t c1 = std::min(c0 + kTile, columns);
                       for (int64_t r = r0; r < r1; r++)
                         for (int64_t c = c0; c < c1; c++) y[r * dst_step + c] = x[r + c * src_step];
                     }
                   });
                 }
               });
}

bool copy_transposed(const StridedLoop& loop, int64_t item, const char* src, char* dst) {
  if (loop.inner_stride(0) != 1 || std::abs(loop.inner_stride(1)) <= 1 || loop.inner < 8) return false;
  int fast = -1;
  for (int d = 0; d + 1 < loop.sizes.size(); d++)
    if (loop.strides[1][d] == 1 && loop.sizes[d] >= 8) fast = d;
  if (fast < 0) return false;
  switch (item) {
    case 1:
      transpose_tiles(loop, fast, reinterpret_cast<const uint8_t*>(src), reinterpret_cast<uint8_t*>(dst));
      break;
    case 2:
      transpose_tiles(loop, fast, reinterpret_cast<const uint16_t*>(src), reinterpret_cast<uint16_t*>(dst));
      break;
    case 4:
      transpose_tiles(loop, fast, reinterpret_cast<const uint32_t*>(src), reinterpret_cast<uint32_t*>(dst));
      break;
    default:
      transpose_tiles(loop, fast, reinterpret_cast<const uint64_t*>(src), reinterpret_cast<uint64_t*>(dst));
  }
  return true;
}

void convert_piece(const RowConversion& c, const char* from, int64_t from_stride, char* to, int64_t to_stride,
                   int64_t n) {
  alignas(64) char gathered[kPiece * 8], converted[kPiece * 8];
  for (int64_t i = 0; i < n; i += kPiece) {
    int64_t m = std::min(kPiece, n - i);
    const char* x = from + i * from_stride * c.from_item;
    char* y = to + i * to_stride * c.to_item;
    if (from_stride != 1) {
      move_row(x, from_stride, gathered, 1, m, c.from_item);
      x = gathered;
    }
    if (to_stride == 1) {
      c.run(x, y, m);
    } else {
      c.run(x, converted, m);
      move_row(converted, 1, y, to_stride, m, c.to_item);
    }
  }
}

}  // namespace

void move_row(const char* from, int64_t from_stride, char* to, int64_t to_stride, int64_t n, int64_t item) {
  if (from_stride == 1 && to_stride == 1) {
    memcpy(to, from, size_t(n * item));
    return;
  }
  switch (item) {
    case 1:
      return move_strided<uint8_t>(from, from_stride, to, to_stride, n);
    case 2:
      return move_strided<uint16_t>(from, from_stride, to, to_stride, n);
    case 4:
      return move_strided<uint32_t>(from, from_stride, to, to_stride, n);
    default:
      return move_strided<uint64_t>(from, from_stride, to, to_stride, n);
  }
}

void RowConversion::run(const char* from, char* to, int64_t n) const {
  if (!load && !store) {
    memcpy(to, from, size_t(n * from_item));
  } else if (!store) {
    load(from, to, n);
  } else if (!load) {
    store(from, to, n);
  } else {
    alignas(64) char wide[kPiece * 8];
    for (int64_t i = 0; i < n; i += kPiece) {
      int64_t m = std::min(kPiece, n - i);
      load(from + i * from_item, wide, m);
      store(wide, to + i * to_item, m);
    }
  }
}

RowConversion row_conversion(DType from, DType to, Float8Overflow overflow) {
  RowConversion c{nullptr, nullptr, int64_t(itemsize(from)), int64_t(itemsize(to)), int64_t(itemsize(from))};
  if (from == to) return c;
  Wide wide = kWideOf[int(from)];
  int target = int(to);
  if (to == DType::kF8E4M3 && overflow == Float8Overflow::kNonSaturating) target = kStoreE4M3NonSaturating;
  if (to == DType::kF8E5M2 && overflow == Float8Overflow::kSaturate) target = kStoreE5M2Saturating;
  c.load = kernels().load[int(from)];
  c.store = kernels().store[wide][target];
  c.wide_item = kWideItem[wide];
  return c;
}

void copy_cpu(const Tensor& src, const Tensor& dst, Float8Overflow overflow) {
  if (dst.numel() == 0) return;
  Dims src_strides = broadcast_strides(src.sizes(), src.strides(), dst.sizes());
  StridedLoop loop = make_strided_loop(dst.sizes(), {dst.strides(), src_strides});
  RowConversion c = row_conversion(src.dtype(), dst.dtype(), overflow);
  const char* from = static_cast<const char*>(src.raw_data());
  char* to = static_cast<char*>(dst.raw_data());
  if (!c.load && !c.store) {
    if (copy_transposed(loop, c.to_item, from, to)) return;
    for_pieces(loop, kGrainBytes / c.to_item, [&](const auto& at, int64_t n) {
      move_row(from + at[1] * c.from_item, loop.inner_stride(1), to + at[0] * c.to_item, loop.inner_stride(0), n,
               c.to_item);
    });
    return;
  }
  bool dense = loop.inner_stride(0) == 1 && loop.inner_stride(1) == 1;
  for_pieces(loop, kGrainBytes / (c.from_item + c.to_item), [&](const auto& at, int64_t n) {
    const char* xs = from + at[1] * c.from_item;
    char* ys = to + at[0] * c.to_item;
    if (dense) {
      c.run(xs, ys, n);
    } else {
      convert_piece(c, xs, loop.inner_stride(1), ys, loop.inner_stride(0), n);
    }
  });
}

}  // namespace ingot
