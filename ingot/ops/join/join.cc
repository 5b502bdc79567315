#include "ingot/ops/join/join.h"

#include <algorithm>

#include "ingot/base/error.h"
#include "ingot/ops/copy/copy.h"
#include "ingot/ops/op_devices.h"

namespace ingot {

namespace {

bool legacy_empty(const Tensor& t) { return t.dim() == 1 && t.size(0) == 0; }

void check_list(const char* op, const std::vector<Tensor>& tensors) {
  if (tensors.empty()) fail_argument(op, "tensors", "at least one", "none");
  for (size_t i = 0; i < tensors.size(); i++) {
    if (!tensors[i].defined()) fail_argument(op, ingot::cat("tensor ", i), "a tensor", "none");
    check_one_device(op, {&tensors[0], &tensors[i]});
  }
}

int axis_of(const char* op, const Tensor& x, int64_t dim) {
  if (!x.defined()) fail_argument(op, "x", "a tensor", "none");
  if (x.dim() == 0) fail_argument(op, "x", "at least one dimension", "a scalar");
  return normalize_dim(op, dim, x.dim());
}

}  // namespace

Tensor cat(const std::vector<Tensor>& tensors, int64_t dim) {
  constexpr const char* op = "cat";
  check_list(op, tensors);
  DType dtype = tensors[0].dtype();
  const Tensor* first = nullptr;
  for (const Tensor& t : tensors) {
    dtype = promote(dtype, t.dtype());
    if (t.dim() == 0) fail_argument(op, "tensors", "at least one dimension each (stack joins scalars)", "a scalar");
    if (!first && !legacy_empty(t)) first = &t;
  }
  if (!first) return empty({0}, dtype, tensors[0].device());
  int axis = normalize_dim(op, dim, first->dim());
  Dims sizes = first->sizes();
  int64_t total = 0;
  for (size_t i = 0; i < tensors.size(); i++) {
    const Tensor& t = tensors[i];
    if (legacy_empty(t)) continue;
    bool fits = t.dim() == first->dim();
    for (int d = 0; fits && d < t.dim(); d++) fits = d == axis || t.sizes()[d] == sizes[d];
    if (!fits)
      fail_argument(op, ingot::cat("tensor ", i), ingot::cat("sizes ", first->sizes(), " but along axis ", axis),
                    ingot::cat(t.sizes()));
    if (t.sizes()[axis] > INT64_MAX - total) fail_argument(op, "sizes", "a total below 2^63", "more");
    total += t.sizes()[axis];
  }
  sizes[axis] = total;
  Tensor y = empty(sizes, dtype, tensors[0].device());
  int64_t at = 0;
  for (const Tensor& t : tensors) {
    if (legacy_empty(t)) continue;
    int64_t length = t.sizes()[axis];
    if (t.numel() > 0) copy_(y.narrow(axis, at, length), t);
    at += length;
  }
  return y;
}

Tensor stack(const std::vector<Tensor>& tensors, int64_t dim) {
  constexpr const char* op = "stack";
  check_list(op, tensors);
  int axis = normalize_dim(op, dim, tensors[0].dim() + 1);
  DType dtype = tensors[0].dtype();
  for (size_t i = 0; i < tensors.size(); i++) {
    if (tensors[i].sizes() != tensors[0].sizes())
      fail_argument(op, ingot::cat("tensor ", i), ingot::cat("sizes ", tensors[0].sizes(), " as the first"),
                    ingot::cat(tensors[i].sizes()));
    dtype = promote(dtype, tensors[i].dtype());
  }
  Dims sizes = tensors[0].sizes();
  sizes.insert(axis, static_cast<int64_t>(tensors.size()));
  Tensor y = empty(sizes, dtype, tensors[0].device());
  if (y.numel() == 0) return y;
  for (size_t i = 0; i < tensors.size(); i++) copy_(y.select(axis, static_cast<int64_t>(i)), tensors[i]);
  return y;
}

std::vector<Tensor> split(const Tensor& x, int64_t size, int64_t dim) {
  int axis = axis_of("split", x, dim);
  int64_t length = x.sizes()[axis];
  if (size < 0 || (size == 0 && length > 0)) fail_argument("split", "size", "at least 1", ingot::cat(size));
  std::vector<Tensor> pieces;
  if (length == 0) pieces.push_back(x.narrow(axis, 0, 0));
  for (int64_t at = 0; at < length;) {
    int64_t n = std::min(size, length - at);
    pieces.push_back(x.narrow(axis, at, n));
    at += n;
  }
  return pieces;
}

std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, int64_t dim) {
  int axis = axis_of("split", x, dim);
  int64_t length = x.sizes()[axis], rest = length;
  for (int64_t n : sizes) {
    bool fits = n >= 0 && n <= rest;
    rest -= fits ? n : rest + 1;
    if (!fits) break;
  }
  if (rest != 0)
    fail_argument("split", "sizes", ingot::cat("none negative, of sum ", length, " (axis ", axis, ")"),
                  ingot::cat(std::span<const int64_t>(sizes)));
  std::vector<Tensor> pieces;
  int64_t at = 0;
  for (int64_t n : sizes) {
    pieces.push_back(x.narrow(axis, at, n));
    at += n;
  }
  return pieces;
}

std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim) {
  int axis = axis_of("chunk", x, dim);
  if (chunks < 1) fail_argument("chunk", "chunks", "at least 1", ingot::cat(chunks));
  int64_t length = x.sizes()[axis];
  // torch gives `chunks` empty views of an empty axis.
  if (length == 0) {
    if (chunks > 65536) fail_argument("chunk", "chunks", "at most 65536 of an empty axis", ingot::cat(chunks));
    return std::vector<Tensor>(size_t(chunks), x.narrow(axis, 0, 0));
  }
  return split(x, (length - 1) / chunks + 1, dim);
}

}  // namespace ingot
