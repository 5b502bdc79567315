// The expert part of a mixture-of-experts layer: out[t] = sum over slots s of weights[t, s] * down_e(silu(gate_e x[t])
// * up_e x[t]), e = ids[t, s]. Routing is moe_router's business.
#pragma once
#include <vector>

#include "ingot/ops/linear/weight.h"

namespace ingot {

struct Experts {
  std::vector<Weight> gate, up;  // [M, H] each
  std::vector<Weight> down;      // [H, M] each
  int64_t count() const { return static_cast<int64_t>(down.size()); }
  Experts to(Device device) const;
};

// x [T, H] f32; ids [T, k] i32 in [0, E); weights [T, k] f32. The result is [T, H] f32. An expert named twice by one
// token counts in each slot; experts that nobody names are not read. A row's result does not depend on the other rows
// (bit-equal for up to 16 rows per expert). Error kIndex for an id outside.
INGOT_API Tensor moe_experts(const Tensor& x, const Tensor& ids, const Tensor& weights, const Experts& experts);

}  // namespace ingot
