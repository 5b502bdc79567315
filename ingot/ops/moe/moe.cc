#include "ingot/ops/moe/moe.h"

#include "ingot/base/error.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/ops/op_devices.h"
#include "ingot/ops/pointwise/pointwise.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

// (token, slot) pairs sorted by expert: pair p of the sorted order reads row token[p]; place[t * k + s] says where slot
// s of token t went.
struct Segments {
  std::vector<int64_t> begin;  // [E + 1]
  std::vector<int32_t> token;  // [T * k]
  std::vector<int32_t> place;  // [T * k]
};

Segments sort_by_expert(const int32_t* ids, int64_t tokens, int64_t slots, int64_t experts) {
  Segments s;
  s.begin.assign(size_t(experts) + 1, 0);
  int64_t pairs = tokens * slots;
  for (int64_t p = 0; p < pairs; p++) {
    if (ids[p] < 0 || ids[p] >= experts)
      throw Error(ErrorKind::kIndex, cat("moe_experts: ids: expert ", ids[p], " is outside [0, ", experts, ")"));
    s.begin[size_t(ids[p]) + 1]++;
  }
  for (int64_t e = 0; e < experts; e++) s.begin[size_t(e) + 1] += s.begin[size_t(e)];
  std::vector<int64_t> next(s.begin.begin(), s.begin.end() - 1);
  s.token.resize(size_t(pairs));
  s.place.resize(size_t(pairs));
  for (int64_t p = 0; p < pairs; p++) {
    int64_t at = next[size_t(ids[p])]++;
    s.token[size_t(at)] = static_cast<int32_t>(p / slots);
    s.place[size_t(p)] = static_cast<int32_t>(at);
  }
  return s;
}

void combine(const float* y, const Segments& s, const float* weights, int64_t tokens, int64_t slots, int64_t hidden,
             float* out) {
  parallel_for(tokens, std::max<int64_t>(1, 16384 / (hidden * slots + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      float* o = out + t * hidden;
      for (int64_t slot = 0; slot < slots; slot++) {
        const float* row = y + s.place[size_t(t * slots + slot)] * hidden;
        float w = weights[t * slots + slot];
        if (slot == 0) {
          for (int64_t i = 0; i < hidden; i++) o[i] = w * row[i];
        } else {
          for (int64_t i = 0; i < hidden; i++) o[i] += w * row[i];
        }
      }
    }
  });
}

void run(const Tensor& x, const Tensor& ids, const Tensor& weights, const Experts& experts, const Tensor& out) {
  int64_t tokens = x.size(0), hidden = x.size(1), slots = ids.size(1), width = experts.gate[0].rows,
          pairs = tokens * slots;
  Segments s = sort_by_expert(ids.data<int32_t>(), tokens, slots, experts.count());
  Tensor gate = empty({pairs, width}, DType::kF32), up = empty({pairs, width}, DType::kF32);
  std::vector<MatmulJob> jobs;
  for (int64_t e = 0; e < experts.count(); e++) {
    int64_t begin = s.begin[size_t(e)], rows = s.begin[size_t(e) + 1] - begin;
    if (rows == 0) continue;
    const int32_t* token = s.token.data() + begin;
    jobs.push_back({experts.gate[size_t(e)].view(), x.data<float>(), x.stride(0), token, rows,
                    gate.data<float>() + begin * width, width});
    jobs.push_back({experts.up[size_t(e)].view(), x.data<float>(), x.stride(0), token, rows,
                    up.data<float>() + begin * width, width});
  }
  weight_matmul(jobs);
  Tensor act = swiglu(gate, up);
  Tensor y = empty({pairs, hidden}, DType::kF32);
  jobs.clear();
  for (int64_t e = 0; e < experts.count(); e++) {
    int64_t begin = s.begin[size_t(e)], rows = s.begin[size_t(e) + 1] - begin;
    if (rows == 0) continue;
    jobs.push_back({experts.down[size_t(e)].view(), act.data<float>() + begin * width, width, nullptr, rows,
                    y.data<float>() + begin * hidden, hidden});
  }
  weight_matmul(jobs);
  combine(y.data<float>(), s, weights.data<float>(), tokens, slots, hidden, out.data<float>());
}

}  // namespace

Experts Experts::to(Device device) const {
  auto moved = [&](const std::vector<Weight>& weights) {
    std::vector<Weight> there;
    for (const Weight& w : weights) there.push_back(w.to(device));
    return there;
  };
  return {moved(gate), moved(up), moved(down)};
}

Tensor moe_experts(const Tensor& x, const Tensor& ids, const Tensor& weights, const Experts& experts) {
  need_cpu("moe_experts", x);
  check_one_device("moe_experts", {&x, &ids, &weights});
  if (x.dim() != 2 || x.dtype() != DType::kF32 || !x.is_contiguous())
    fail_argument("moe_experts", "x", "contiguous [T, H] f32", cat(x.sizes(), " of ", x.dtype()));
  if (ids.dim() != 2 || ids.size(0) != x.size(0) || ids.dtype() != DType::kI32 || !ids.is_contiguous())
    fail_argument("moe_experts", "ids", cat("contiguous [", x.size(0), ", k] i32"),
                  cat(ids.sizes(), " of ", ids.dtype()));
  if (weights.sizes() != ids.sizes() || weights.dtype() != DType::kF32 || !weights.is_contiguous())
    fail_argument("moe_experts", "weights", cat("contiguous ", ids.sizes(), " f32"),
                  cat(weights.sizes(), " of ", weights.dtype()));
  size_t count = experts.down.size();
  if (count == 0 || experts.gate.size() != count || experts.up.size() != count)
    fail_argument("moe_experts", "experts", "as many gate, up and down weights, at least one",
                  cat(experts.gate.size(), ", ", experts.up.size(), ", ", count));
  int64_t width = experts.gate[0].rows;
  for (size_t e = 0; e < count; e++) {
    const Weight &g = experts.gate[e], &u = experts.up[e], &d = experts.down[e];
    if (g.rows != width || u.rows != width || d.cols != width || g.cols != x.size(1) || u.cols != x.size(1) ||
        d.rows != x.size(1))
      fail(ErrorKind::kArgument, "moe_experts",
           cat("expert ", e, ": gate [", g.rows, ", ", g.cols, "], up [", u.rows, ", ", u.cols, "], down [", d.rows,
               ", ", d.cols, "] do not fit H = ", x.size(1), ", M = ", width));
  }
  Tensor out = ids.size(1) == 0 ? zeros(x.sizes(), DType::kF32) : empty(x.sizes(), DType::kF32);
  if (ids.numel() == 0) return out;
  const Experts* held = &experts;  // belongs to the module that calls, which outlives its programs
  cpu_stream().run("moe_experts", {x, ids, weights}, {out}, [=] { run(x, ids, weights, *held, out); });
  return out;
}

}  // namespace ingot
