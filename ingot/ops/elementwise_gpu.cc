#include "ingot/ops/elementwise_gpu.h"

#include <cstdlib>

#include "ingot/base/error.h"

namespace ingot {

static_assert(kElementBool == int(DType::kBool) && kElementU8 == int(DType::kU8) && kElementI8 == int(DType::kI8) &&
              kElementI16 == int(DType::kI16) && kElementI32 == int(DType::kI32) && kElementI64 == int(DType::kI64) &&
              kElementF8E4M3 == int(DType::kF8E4M3) && kElementF8E5M2 == int(DType::kF8E5M2) &&
              kElementF8E8M0 == int(DType::kF8E8M0) && kElementF16 == int(DType::kF16) &&
              kElementBF16 == int(DType::kBF16) && kElementF32 == int(DType::kF32));

ElementwiseLaunch elementwise_launch(const Dims& sizes, std::initializer_list<Dims> strides) {
  StridedLoop loop = make_strided_loop(sizes, strides);
  ElementwiseLaunch l{};
  l.params.rank = loop.sizes.size();
  l.params.count = numel(loop.sizes);
  constexpr int64_t kGroup = kElementwiseThreads * kElementsPerThread;
  // A group's last elements are counted before they are found to be too many.
  bool small = l.params.count <= INT32_MAX - kGroup;
  for (int k = 0; k < loop.operands; k++) {
    __int128 reach = 0;
    for (int d = 0; d < l.params.rank; d++) {
      l.params.strides[k * kMaxRank + d] = loop.strides[size_t(k)][d];
      reach += static_cast<__int128>(std::abs(loop.strides[size_t(k)][d])) * (loop.sizes[d] - 1);
    }
    small = small && reach <= INT32_MAX;
  }
  for (int d = 0; d < l.params.rank; d++) l.params.sizes[d] = loop.sizes[d];
  l.index = small ? DType::kI32 : DType::kI64;
  l.groups = {uint32_t((l.params.count + kGroup - 1) / kGroup)};
  l.threads = {kElementwiseThreads};
  return l;
}

double element_type(const char* op, DType dtype) {
  if (dtype == DType::kF64) fail(ErrorKind::kUnsupported, op, "f64 is done on the cpu only");
  return double(int(dtype));
}

DType moved_as(DType dtype) {
  switch (itemsize(dtype)) {
    case 1:
      return DType::kU8;
    case 2:
      return DType::kI16;
    case 4:
      return DType::kI32;
    default:
      return DType::kI64;
  }
}

}  // namespace ingot
