#include "ingot/ops/copy/copy_gpu.h"

#include "ingot/ops/elementwise_gpu.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

void copy_gpu(const char* op, const Tensor& src, const Tensor& dst, Float8Overflow overflow) {
  if (dst.numel() == 0) return;
  gpu::Stream& stream = gpu::stream(dst.device());
  DType from = src.dtype(), to = dst.dtype();
  if (from == to) {
    if (src.sizes() == dst.sizes() && src.is_contiguous() && dst.is_contiguous()) return stream.copy(src, dst);
    from = to = moved_as(to);
  }
  bool unusual = (to == DType::kF8E4M3 && overflow == Float8Overflow::kNonSaturating) ||
                 (to == DType::kF8E5M2 && overflow == Float8Overflow::kSaturate);
  ElementwiseLaunch l =
      elementwise_launch(dst.sizes(), {dst.strides(), broadcast_strides(src.sizes(), src.strides(), dst.sizes())});
  stream.launch("copy_elements", {l.index},
                {{0, element_type(op, from)}, {1, element_type(op, to)}, {2, double(unusual)}}, l.groups, l.threads,
                src, dst, l.params);
}

}  // namespace ingot
