// Runs of elements are brought to the type that is computed in, a piece at a time, unless they lie there densely
// already.
#include "ingot/ops/pointwise/pointwise_cpu.h"

#include "ingot/ops/copy/copy_cpu.h"
#include "ingot/ops/copy/strided_pieces.h"

namespace ingot {

namespace {

constexpr int64_t kGrain = 16384;  // elements a thread takes at least
constexpr int64_t kPiece = 1024;   // elements that are gathered and converted at a time

template <class T>
const PointwiseKernels<T>& kernels() {
  if constexpr (std::is_same_v<T, float>) {
    static const PointwiseKernels<float>& k = simd_pick(INGOT_SIMD_LEVELS(pointwise_kernels));
    return k;
  } else if constexpr (std::is_same_v<T, double>) {
    return pointwise_f64_kernels();
  } else {
    return pointwise_i64_kernels();
  }
}

// A thread's memory for pieces of one operand.
template <class T>
struct Piece {
  alignas(64) T values[kPiece];
  int64_t repeated_from = -1, repeats = 0;  // what a piece of one repeated element holds already
};

// Brings runs of one operand to dense T.
template <class T>
class Source {
 public:
  void set(const Operand& operand, int64_t stride) {
    stride_ = operand.tensor.defined() ? stride : 0;
    if (operand.tensor.defined()) {
      base_ = static_cast<const char*>(operand.tensor.raw_data());
      dense_ = stride == 1 && operand.tensor.dtype() == dtype_of<T>;
      conversion_ = row_conversion(operand.tensor.dtype(), dtype_of<T>);
    } else {
      number_ = static_cast<T>(operand.value);
    }
  }
  bool dense() const { return dense_; }
  const T* at(int64_t offset) const { return reinterpret_cast<const T*>(base_) + offset; }

  // Elements i .. i+n of the run from `offset` on; n <= kPiece.
  const T* fetch(int64_t offset, int64_t i, int64_t n, Piece<T>& piece) const {
    if (dense_) return at(offset + i);
    if (stride_ == 0) return repeat(base_ ? offset : 0, n, piece);
    const char* from = base_ + (offset + i * stride_) * conversion_.from_item;
    char* to = reinterpret_cast<char*>(piece.values);
    if (stride_ == 1) {
      conversion_.run(from, to, n);
    } else {
      alignas(64) char gathered[kPiece * 8];
      move_row(from, stride_, gathered, 1, n, conversion_.from_item);
      conversion_.run(gathered, to, n);
    }
    return piece.values;
  }

 private:
  const T* repeat(int64_t offset, int64_t n, Piece<T>& piece) const {
    if (piece.repeated_from == offset && piece.repeats >= n) return piece.values;
    T value = number_;
    if (base_) conversion_.run(base_ + offset * conversion_.from_item, reinterpret_cast<char*>(&value), 1);
    for (int64_t k = 0; k < n; k++) piece.values[k] = value;
    piece.repeated_from = offset;
    piece.repeats = n;
    return piece.values;
  }

  const char* base_ = nullptr;
  T number_{};
  int64_t stride_ = 0;
  bool dense_ = false;
  RowConversion conversion_{};
};

// kernel(inputs, y, n) over dense runs.
template <class T, int N, class Kernel>
void run(const Operand* const (&operands)[N], const Tensor& y, Kernel&& kernel) {
  if (y.numel() == 0) return;
  auto strides = [&](int i) {
    const Tensor& t = operands[i < N ? i : 0]->tensor;
    return i < N && t.defined() ? broadcast_strides(t.sizes(), t.strides(), y.sizes()) : y.strides();
  };
  StridedLoop loop = N == 1   ? make_strided_loop(y.sizes(), {y.strides(), strides(0)})
                     : N == 2 ? make_strided_loop(y.sizes(), {y.strides(), strides(0), strides(1)})
                              : make_strided_loop(y.sizes(), {y.strides(), strides(0), strides(1), strides(2)});
  Source<T> sources[N];
  bool all_dense = loop.inner_stride(0) == 1 && y.dtype() == dtype_of<T>;
  for (int k = 0; k < N; k++) {
    sources[k].set(*operands[k], loop.inner_stride(k + 1));
    all_dense = all_dense && sources[k].dense();
  }
  char* base = static_cast<char*>(y.raw_data());
  if (all_dense) {
    for_pieces(loop, kGrain, [&](const auto& offset, int64_t n) {
      const T* in[N];
      for (int k = 0; k < N; k++) in[k] = sources[k].at(offset[size_t(k) + 1]);
      kernel(in, reinterpret_cast<T*>(base) + offset[0], n);
    });
    return;
  }
  RowConversion conversion = row_conversion(dtype_of<T>, y.dtype());
  int64_t item = conversion.to_item, stride = loop.inner_stride(0);
  bool dense_out = stride == 1 && y.dtype() == dtype_of<T>;
  struct Buffers {
    Piece<T> in[N];
    alignas(64) T out[kPiece];
    alignas(64) char converted[kPiece * 8];
  };
  auto run_piece = [&](const auto& offset, int64_t n, Buffers& buffers) {
    for (int64_t i = 0; i < n; i += kPiece) {
      int64_t m = std::min(kPiece, n - i);
      const T* in[N];
      for (int k = 0; k < N; k++) in[k] = sources[k].fetch(offset[size_t(k) + 1], i, m, buffers.in[k]);
      char* to = base + (offset[0] + i * stride) * item;
      T* out = dense_out ? reinterpret_cast<T*>(to) : buffers.out;
      kernel(in, out, m);
      if (dense_out) continue;
      char* converted = stride == 1 ? to : buffers.converted;
      conversion.run(reinterpret_cast<const char*>(out), converted, m);
      if (stride != 1) move_row(converted, 1, to, stride, m, item);
    }
  };
  // Short rows share a thread's buffers, so that a repeated operand is filled in once.
  if (loop.rows > 1 && loop.inner <= kPiece) {
    parallel_for(loop.rows, std::max<int64_t>(kGrain / loop.inner, 1), [&](int64_t begin, int64_t end) {
      Buffers buffers;
      loop.for_rows(begin, end, [&](const auto& offset) { run_piece(offset, loop.inner, buffers); });
    });
    return;
  }
  for_pieces(loop, kGrain, [&](const auto& offset, int64_t n) {
    Buffers buffers;
    run_piece(offset, n, buffers);
  });
}

// A parameter as T; integers saturate, so that an infinite bound does not bound.
template <class T>
T parameter(double v) {
  if constexpr (std::is_same_v<T, int64_t>)
    return v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : static_cast<int64_t>(v);
  return static_cast<T>(v);
}

// Calls f(T{}) with the type to compute in.
template <class F>
void visit_compute(DType compute, F&& f) {
  switch (compute) {
    case DType::kF32:
      return f(float{});
    case DType::kF64:
      return f(double{});
    default:
      return f(int64_t{});
  }
}

}  // namespace

DType compute_dtype(DType result) {
  return !is_floating(result) ? DType::kI64 : result == DType::kF64 ? DType::kF64 : DType::kF32;
}

void unary_cpu(Unary op, DType compute, const Tensor& x, const Tensor& y, double a, double b) {
  visit_compute(compute, [&](auto zero) {
    using T = decltype(zero);
    auto kernel = kernels<T>().unary[int(op)];
    Operand operand(x);
    run<T, 1>({&operand}, y,
              [&](const T* const* in, T* out, int64_t n) { kernel(in[0], out, n, parameter<T>(a), parameter<T>(b)); });
  });
}

void binary_cpu(Binary op, DType compute, const Operand& x, const Operand& z, const Tensor& y) {
  visit_compute(compute, [&](auto zero) {
    using T = decltype(zero);
    auto kernel = kernels<T>().binary[int(op)];
    run<T, 2>({&x, &z}, y, [&](const T* const* in, T* out, int64_t n) { kernel(in[0], in[1], out, n); });
  });
}

void ternary_cpu(Ternary op, DType compute, const Operand& x, const Operand& z, const Operand& w, const Tensor& y,
                 double a) {
  visit_compute(compute, [&](auto zero) {
    using T = decltype(zero);
    auto kernel = kernels<T>().ternary[int(op)];
    run<T, 3>({&x, &z, &w}, y,
              [&](const T* const* in, T* out, int64_t n) { kernel(in[0], in[1], in[2], out, n, parameter<T>(a)); });
  });
}

}  // namespace ingot
