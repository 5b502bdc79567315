#include "ingot/ops/attention/attention.h"

#include <cmath>

#include "ingot/base/error.h"
#include "ingot/ops/attention/attention_cpu.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/row_walk.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

constexpr const char* kOp = "scaled_dot_product_attention";
constexpr int64_t kMaxDim = 16384;  // of a head; keeps a thread's blocks within some tens of MiB

void check(const char* what, const Tensor& t) {
  if (!t.defined()) fail_argument(kOp, what, "a tensor", "none");
  if (!t.device().is_cpu()) fail(ErrorKind::kUnsupported, kOp, cat("not done on ", t.device(), " yet"));
  if (is_float8(t.dtype()))
    fail_argument(kOp, cat(what, " dtype"), "f16, bf16, f32 or f64 (cast float8 first)", cat(t.dtype()));
  if (!is_floating(t.dtype())) fail_argument(kOp, cat(what, " dtype"), "a floating dtype", cat(t.dtype()));
  if (t.dim() < 2) fail_argument(kOp, what, "at least two dimensions, [.., heads, length, E]", cat(t.sizes()));
}

// Leading sizes equal q's but for the head axis, which divides it.
void check_heads(const char* what, const Tensor& q, const Tensor& t, bool enable_gqa) {
  bool fits = t.dim() == q.dim();
  for (int d = 0; fits && d < q.dim() - 3; d++) fits = t.sizes()[d] == q.sizes()[d];
  if (fits && q.dim() >= 3) {
    int64_t hq = q.size(-3), hk = t.size(-3);
    fits = hq == hk || (enable_gqa && hk > 0 && hq % hk == 0);
  }
  if (!fits)
    fail_argument(kOp, what,
                  cat("the leading sizes of q, ", q.sizes(),
                      enable_gqa ? ", with a number of heads that divides q's" : " (enable_gqa is off)"),
                  cat(t.sizes()));
}

Tensor rows_together(const Tensor& x) { return inner_contiguous(x, 1) ? x : contiguous(x); }

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& attn_mask,
                                    CausalMode causal, std::optional<double> scale, bool enable_gqa) {
  check("q", q);
  check("k", k);
  check("v", v);
  if (k.dtype() != q.dtype() || v.dtype() != q.dtype())
    fail_argument(kOp, "dtypes", cat("k and v of q's dtype, ", q.dtype()), cat(k.dtype(), " and ", v.dtype()));
  check_heads("k", q, k, enable_gqa);
  check_heads("v", q, v, enable_gqa);
  if (k.size(-1) != q.size(-1)) fail_argument(kOp, "k", cat("last size ", q.size(-1), " as q"), cat(k.sizes()));
  if (v.size(-2) != k.size(-2) || (q.dim() >= 3 && v.size(-3) != k.size(-3)))
    fail_argument(kOp, "v", cat("the heads and length of k, ", k.sizes()), cat(v.sizes()));
  if (q.size(-1) > kMaxDim || v.size(-1) > kMaxDim)
    fail_argument(kOp, "head size", cat("at most ", kMaxDim), cat(q.size(-1), " and ", v.size(-1)));
  Dims score_sizes = q.sizes(), sizes = q.sizes();
  score_sizes[q.dim() - 1] = k.size(-2);
  sizes[q.dim() - 1] = v.size(-1);
  Tensor mask;
  if (attn_mask.defined()) {
    if (!attn_mask.device().is_cpu()) fail_argument(kOp, "attn_mask", "on the cpu, as q", cat(attn_mask.device()));
    if (attn_mask.dtype() != DType::kBool && (!is_floating(attn_mask.dtype()) || is_float8(attn_mask.dtype())))
      fail_argument(kOp, "attn_mask dtype", "bool, f16, bf16, f32 or f64", cat(attn_mask.dtype()));
    if (broadcast_shapes(kOp, attn_mask.sizes(), score_sizes) != score_sizes)
      fail_argument(kOp, "attn_mask", cat("sizes that broadcast to ", score_sizes), cat(attn_mask.sizes()));
    mask = attn_mask.expand(score_sizes);
  }
  Tensor y = empty(sizes, q.dtype());
  if (y.numel() == 0) return y;
  double factor = scale ? *scale : q.size(-1) > 0 ? 1 / std::sqrt(static_cast<double>(q.size(-1))) : 1;
  Tensor a = rows_together(q), b = rows_together(k), c = rows_together(v);
  cpu_stream().run(kOp, {a, b, c, mask}, {y}, [=] { attention_cpu(a, b, c, mask, causal, factor, y); });
  return y;
}

}  // namespace ingot
