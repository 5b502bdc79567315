// One kernel for each number of operands; the operation and all dtypes are its function constants, so nothing is
// converted beforehand.
#include "ingot/ops/pointwise/pointwise_gpu.h"

#include "ingot/ops/elementwise_gpu.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

namespace {

// Integers saturate, so that an infinite bound does not bound.
int64_t saturated(double v) { return v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : static_cast<int64_t>(v); }

void set_numbers(ElementwiseParams& p, double a, double b) {
  p.a = float(a);
  p.b = float(b);
  p.int_a = saturated(a);
  p.int_b = saturated(b);
}

Dims seen_as(const Tensor& x, const Tensor& y) { return broadcast_strides(x.sizes(), x.strides(), y.sizes()); }

// A number takes no memory; its strides are never used.
Dims strides_of(const Operand& x, const Tensor& y) { return x.tensor.defined() ? seen_as(x.tensor, y) : y.strides(); }
double type_of(const char* name, const Operand& x) {
  return x.tensor.defined() ? element_type(name, x.tensor.dtype()) : double(kElementNumber);
}
// Some memory stands in for the tensor that a number is not.
const Tensor& memory_of(const Operand& x, const Tensor& other) { return x.tensor.defined() ? x.tensor : other; }

double is_integer_compute(DType compute) { return compute == DType::kI64; }

}  // namespace

void unary_gpu(const char* name, Unary op, DType compute, const Tensor& x, const Tensor& y, double a, double b) {
  if (y.numel() == 0) return;
  ElementwiseLaunch l = elementwise_launch(y.sizes(), {y.strides(), seen_as(x, y)});
  set_numbers(l.params, a, b);
  gpu::stream(y.device())
      .launch("pointwise_unary", {l.index},
              {{0, double(int(op))},
               {1, is_integer_compute(compute)},
               {2, element_type(name, x.dtype())},
               {3, element_type(name, y.dtype())}},
              l.groups, l.threads, x, y, l.params);
}

void binary_gpu(const char* name, Binary op, DType compute, const Tensor& x, const Operand& z, const Tensor& y) {
  if (y.numel() == 0) return;
  ElementwiseLaunch l = elementwise_launch(y.sizes(), {y.strides(), seen_as(x, y), strides_of(z, y)});
  set_numbers(l.params, z.value, 0);
  gpu::stream(y.device())
      .launch("pointwise_binary", {l.index},
              {{0, double(int(op))},
               {1, is_integer_compute(compute)},
               {2, element_type(name, x.dtype())},
               {3, type_of(name, z)},
               {4, element_type(name, y.dtype())}},
              l.groups, l.threads, x, memory_of(z, x), y, l.params);
}

void ternary_gpu(const char* name, Ternary op, DType compute, const Tensor& x, const Tensor& z, const Operand& w,
                 const Tensor& y, double a) {
  if (y.numel() == 0) return;
  ElementwiseLaunch l = elementwise_launch(y.sizes(), {y.strides(), seen_as(x, y), seen_as(z, y), strides_of(w, y)});
  set_numbers(l.params, w.value, a);
  gpu::stream(y.device())
      .launch("pointwise_ternary", {l.index},
              {{0, double(int(op))},
               {1, is_integer_compute(compute)},
               {2, element_type(name, x.dtype())},
               {3, element_type(name, z.dtype())},
               {4, type_of(name, w)},
               {5, element_type(name, y.dtype())}},
              l.groups, l.threads, x, z, memory_of(w, x), y, l.params);
}

}  // namespace ingot
