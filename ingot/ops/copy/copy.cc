#include "ingot/ops/copy/copy.h"

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy_cpu.h"
#include "ingot/ops/copy/copy_gpu.h"
#include "ingot/tensor/stream.h"

namespace ingot {

namespace {

void check_defined(const char* op, const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kArgument, op, "undefined tensor");
}

// Do the byte sets of two tensors in one storage meet? Asks whether a sum of multiples of the strides of both can
// bridge the distance of their first bytes. The search is cut off after a fixed number of steps; it then answers yes.
class Meeting {
 public:
  static bool of(const Tensor& a, const Tensor& b) {
    if (a.storage() != b.storage() || a.numel() == 0 || b.numel() == 0) return false;
    Meeting m;
    // first byte of a + sum(i_k s_k) + u == first byte of b + sum(j_k t_k) + v, everything brought to non-negative
    // terms.
    int64_t distance = b.byte_offset() - a.byte_offset();
    distance += m.add(a, 1) + m.add(b, -1);
    std::sort(m.terms_, m.terms_ + m.count_, [](const Term& x, const Term& y) { return x.stride > y.stride; });
    return m.reaches(0, distance);
  }

 private:
  struct Term {
    int64_t stride, most;  // c * stride, 0 <= c <= most
  };
  // Returns what the target grows by when terms of negative sign are counted from their other end.
  int64_t add(const Tensor& t, int sign) {
    int64_t shift = 0, item = int64_t(itemsize(t.dtype()));
    auto term = [&](int64_t stride, int64_t most) {
      if (stride == 0 || most == 0) return;
      if (stride < 0) shift -= stride * most, stride = -stride;
      terms_[count_++] = {stride, most};
    };
    for (int d = 0; d < t.dim(); d++) term(sign * t.strides()[d] * item, t.sizes()[d] - 1);
    term(sign, item - 1);
    return shift;
  }
  bool reaches(int at, int64_t target) {
    if (target == 0) return true;
    if (at == count_ || target < 0 || ++steps_ > 20000) return steps_ > 20000;
    int64_t rest = 0;
    for (int i = at + 1; i < count_; i++) rest += terms_[i].stride * terms_[i].most;
    int64_t stride = terms_[at].stride;
    int64_t high = std::min(target / stride, terms_[at].most);
    int64_t low = target > rest ? (target - rest + stride - 1) / stride : 0;
    for (int64_t c = high; c >= low; c--)
      if (reaches(at + 1, target - c * stride)) return true;
    return false;
  }
  Term terms_[2 * kMaxRank + 2];
  int count_ = 0, steps_ = 0;
};

void run_copy(const char* op, const Tensor& src, const Tensor& dst, Float8Overflow overflow) {
  if (!dst.device().is_cpu()) return copy_gpu(op, src, dst, overflow);
  cpu_stream().run(op, {src}, {dst}, [=] { copy_cpu(src, dst, overflow); });
}

// The sizes with -1 resolved; Error unless they hold x's elements.
Dims resolve_sizes(const Tensor& x, const Dims& wanted) {
  Dims sizes = wanted;
  int hole = -1;
  for (int i = 0; i < sizes.size(); i++)
    if (sizes[i] == -1 && hole < 0) {
      hole = i;
      sizes[i] = 1;
    } else if (sizes[i] < 0) {
      fail_argument("reshape", "sizes", "no negative size but one -1", cat(wanted));
    }
  int64_t known = numel(sizes, "reshape");
  bool fits = hole < 0 ? known == x.numel() : known > 0 && x.numel() % known == 0;
  if (!fits)
    fail_argument("reshape", "sizes", cat("a shape of ", x.numel(), " elements (from ", x.sizes(), ")"), cat(wanted));
  if (hole >= 0) sizes[hole] = x.numel() / known;
  return sizes;
}

// Can x be seen with these sizes without a copy? Each run of old dimensions that lies evenly in memory must hold whole
// new ones.
bool viewable(const Tensor& x, const Dims& sizes) {
  int next = sizes.size() - 1;
  for (int old = x.dim() - 1; old >= 0; old--) {
    int64_t group = x.sizes()[old], base = x.strides()[old];
    while (old > 0 && (x.sizes()[old - 1] == 1 || x.strides()[old - 1] == base * group)) group *= x.sizes()[--old];
    int64_t done = 1;
    while (next >= 0 && (done < group || sizes[next] == 1)) done *= sizes[next--];
    if (done != group) return false;
  }
  return true;
}

}  // namespace

void copy_(const Tensor& dst, const Tensor& src) {
  check_defined("copy_", dst);
  check_defined("copy_", src);
  if (broadcast_shapes("copy_", dst.sizes(), src.sizes()) != dst.sizes())
    fail_argument("copy_", "src", cat("a shape that broadcasts to ", dst.sizes()), cat(src.sizes()));
  if (dst.numel() == 0) return;
  if (dst.device() != src.device()) return copy_(dst, to(src, dst.device()));
  for (int d = 0; d < dst.dim(); d++)
    if (dst.strides()[d] == 0 && dst.sizes()[d] > 1)
      fail(ErrorKind::kArgument, "copy_", cat("dst repeats its elements along axis ", d, " (stride 0)"));
  if (Meeting::of(dst, src)) fail(ErrorKind::kArgument, "copy_", "dst and src overlap in memory");
  run_copy("copy_", src, dst, Float8Overflow::kDefault);
}

Tensor clone(const Tensor& x) {
  check_defined("clone", x);
  Tensor y = empty_like(x);
  run_copy("clone", x, y, Float8Overflow::kDefault);
  return y;
}

Tensor contiguous(const Tensor& x) {
  check_defined("contiguous", x);
  if (x.is_contiguous()) return x;
  Tensor y = empty_like(x);
  run_copy("contiguous", x, y, Float8Overflow::kDefault);
  return y;
}

Tensor to(const Tensor& x, Device device) {
  check_defined("to", x);
  if (x.device() == device) return x;
  Tensor dense = contiguous(x);
  if (device.is_cpu()) return dense.cpu();
  dense = dense.cpu();  // between two GPUs by way of the CPU
  return tensor_from_bytes(dense.raw_data(), dense.sizes(), dense.dtype(), device);
}

Tensor to(const Tensor& x, DType dtype) { return to(x, dtype, Float8Overflow::kDefault); }

Tensor to(const Tensor& x, DType dtype, Float8Overflow overflow) {
  check_defined("to", x);
  if (x.dtype() == dtype) return x;
  Tensor y = empty(x.sizes(), dtype, x.device());
  run_copy("to", x, y, overflow);
  return y;
}

Tensor reshape(const Tensor& x, const Dims& wanted) {
  check_defined("reshape", x);
  Dims sizes = resolve_sizes(x, wanted);
  return (x.numel() == 0 || viewable(x, sizes) ? x : contiguous(x)).view(sizes);
}

}  // namespace ingot
