#include "ingot/ops/reduce/reduce_gpu.h"

#include <algorithm>
#include <cstdlib>

#include "ingot/base/strided_loop.h"
#include "ingot/ops/elementwise_gpu.h"
#include "ingot/tensor/gpu_stream.h"

namespace ingot {

namespace {

constexpr int64_t kThreads = 256, kSimdgroups = kThreads / 32;
constexpr int64_t kSimdgroupLength = 1024;  // the most elements of an output that a simdgroup takes
constexpr int64_t kEnoughGroups = 512;      // keep any GPU busy
constexpr int64_t kChunk = 4096;            // the fewest elements that are worth a group
constexpr int64_t kChunkOfThread = 64;      // and a thread

// How the elements of x are dealt out; depends on shapes and strides alone.
struct Plan {
  ReduceParams params{};
  ReduceBy by;
  DType index;  // i32 where all offsets fit

  Plan(const Tensor& x, unsigned axes) {
    Dims kept, kept_strides, reduced, reduced_strides;
    for (int d = 0; d < x.dim(); d++) {
      bool is_reduced = axes >> d & 1u;
      (is_reduced ? reduced : kept).push_back(x.sizes()[d]);
      (is_reduced ? reduced_strides : kept_strides).push_back(x.strides()[d]);
    }
    StridedLoop outputs = make_strided_loop(kept, {kept_strides}, /*keep_order=*/true);
    StridedLoop elements = make_strided_loop(reduced, {reduced_strides});
    params.outputs = numel(kept);
    params.length = numel(reduced);
    params.kept_rank = set_axes(0, outputs);
    params.reduced_rank = set_axes(kMaxRank, elements);
    __int128 reach = params.length + kThreads;
    for (int d = 0; d < x.dim(); d++)
      reach += static_cast<__int128>(std::abs(x.strides()[d])) * std::max<int64_t>(x.sizes()[d] - 1, 0);
    index = reach <= INT32_MAX && params.outputs <= INT32_MAX - kThreads ? DType::kI32 : DType::kI64;
    bool columns = elements.inner_stride(0) != 1 && outputs.inner_stride(0) == 1 && outputs.inner >= 32;
    by = columns ? ReduceBy::kThread : params.length <= kSimdgroupLength ? ReduceBy::kSimdgroup : ReduceBy::kGroup;
    cut();
  }

  gpu::Size groups() const { return {uint32_t(groups_of_chunk() * params.chunks)}; }

 private:
  int set_axes(int first, const StridedLoop& loop) {
    int rank = loop.sizes.size();
    for (int d = 0; d < rank; d++) {
      params.sizes[first + d] = loop.sizes[d];
      params.strides[first + d] = loop.strides[0][d];
    }
    return rank;
  }
  int64_t groups_of_chunk() const {
    int64_t per_group = by == ReduceBy::kThread ? kThreads : by == ReduceBy::kSimdgroup ? kSimdgroups : 1;
    return (params.outputs + per_group - 1) / per_group;
  }
  void cut() {
    int64_t fewest = by == ReduceBy::kThread ? kChunkOfThread : kChunk;
    int64_t chunks = std::clamp<int64_t>(std::min(params.length / fewest, kEnoughGroups / groups_of_chunk()), 1, 1024);
    params.chunk_length = std::max<int64_t>((params.length + chunks - 1) / chunks, 1);
    params.chunks = int(std::max<int64_t>((params.length + params.chunk_length - 1) / params.chunk_length, 1));
  }
};

// One reduction of x; `centers` ([outputs] f32) for kDeviations and kExpSum.
void run(const char* name, const Tensor& x, const Plan& plan, Reduction op, Finish finish, const Tensor& centers,
         const Tensor& y) {
  const bool integer = !is_floating(x.dtype()), partial = plan.params.chunks > 1;
  gpu::Stream& stream = gpu::stream(y.device());
  const gpu::Constant kOp{0, double(int(op))}, kFinish{1, double(int(finish))}, kInteger{2, double(integer)},
      kX{3, element_type(name, x.dtype())}, kY{4, element_type(name, y.dtype())}, kBy{5, double(int(plan.by))},
      kCentred{7, double(centers.defined())};
  if (!partial) {
    stream.launch("reduce_elements", {plan.index}, {kOp, kFinish, kInteger, kX, kY, kBy, {6, 0}, kCentred},
                  plan.groups(), {uint32_t(kThreads)}, x, centers, y, plan.params);
    return;
  }
  Tensor states = empty({plan.params.outputs, plan.params.chunks, 8}, DType::kU8, y.device());
  stream.launch("reduce_elements", {plan.index}, {kOp, kFinish, kInteger, kX, kY, kBy, {6, 1}, kCentred}, plan.groups(),
                {uint32_t(kThreads)}, x, centers, states, plan.params);
  uint32_t groups = uint32_t((plan.params.outputs + kSimdgroups - 1) / kSimdgroups);
  stream.launch("reduce_join", {}, {kOp, kFinish, kInteger, kX, kY, kBy, {6, 0}, kCentred}, {groups},
                {uint32_t(kThreads)}, states, centers, y, plan.params);
}

}  // namespace

void reduce_gpu(const char* name, const Tensor& x, unsigned axes, Reduction op, Finish finish, double correction,
                const Tensor& y) {
  element_type(name, x.dtype());
  if (y.numel() == 0) return;
  Plan plan(x, axes);
  plan.params.correction = float(correction);
  if (finish == Finish::kNone || finish == Finish::kMean) return run(name, x, plan, op, finish, {}, y);
  Tensor centers = empty({plan.params.outputs}, DType::kF32, y.device());
  if (finish == Finish::kLogSumExp) {
    run(name, x, plan, Reduction::kMax, Finish::kNone, {}, centers);
    run(name, x, plan, Reduction::kExpSum, finish, centers, y);
  } else {
    run(name, x, plan, Reduction::kSum, Finish::kMean, {}, centers);
    run(name, x, plan, Reduction::kDeviations, finish, centers, y);
  }
}

}  // namespace ingot
