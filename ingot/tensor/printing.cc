// Reading elements one by one, and to_string.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ingot/base/error.h"
#include "ingot/base/strided_loop.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

namespace {

template <class Out, class F>
std::vector<Out> collect(const Tensor& anywhere, F&& read) {
  Tensor x = anywhere.cpu();
  std::vector<Out> out;
  out.reserve(size_t(x.numel()));
  StridedLoop loop = make_strided_loop(x.sizes(), {x.strides()}, /*keep_order=*/true);
  const char* base = static_cast<const char*>(x.raw_data());
  int64_t item = int64_t(itemsize(x.dtype()));
  loop.for_rows(0, loop.rows, [&](const auto& offset) {
    for (int64_t i = 0; i < loop.inner; i++) out.push_back(read(base + (offset[0] + i * loop.inner_stride(0)) * item));
  });
  return out;
}

std::string format_value(double v, bool integer) {
  if (integer) return cat(static_cast<long long>(v));
  if (std::isnan(v)) return "nan";  // the sign of a NaN is of no interest to a reader
  char text[40];
  snprintf(text, sizeof text, "%.6g", v);
  return text;
}

void print(std::string& s, const Tensor& x, bool integer, int indent) {
  if (x.dim() == 0) {
    if (x.dtype() == DType::kBool) {
      s += x.item() != 0 ? "true" : "false";
    } else {
      s += x.dtype() == DType::kI64 ? cat(to_int64s(x)[0]) : format_value(x.item(), integer);
    }
    return;
  }
  constexpr int64_t kEdge = 3;
  int64_t n = x.size(0);
  s += '[';
  for (int64_t i = 0; i < n; i++) {
    if (i) s += x.dim() == 1 ? ", " : ",\n" + std::string(size_t(indent) + 1, ' ');
    if (n > 2 * kEdge + 2 && i == kEdge) {
      s += "...";
      i = n - kEdge - 1;
      continue;
    }
    print(s, x.select(0, i), integer, indent + 1);
  }
  s += ']';
}

}  // namespace

std::vector<double> to_doubles(const Tensor& x) {
  return visit_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return collect<double>(x, [](const char* p) {
      T v;
      memcpy(&v, p, sizeof v);
      if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(v);
      } else {
        return static_cast<double>(static_cast<float>(v));
      }
    });
  });
}

std::vector<int64_t> to_int64s(const Tensor& x) {
  if (is_floating(x.dtype())) fail_argument("to_int64s", "dtype", "an integer or bool", cat(x.dtype()));
  return visit_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return collect<int64_t>(x, [](const char* p) {
      T v;
      memcpy(&v, p, sizeof v);
      if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<int64_t>(v);
      } else {
        return int64_t{0};
      }
    });
  });
}

std::string to_string(const Tensor& x) {
  if (!x.defined()) return "tensor(undefined)";
  std::string s = "tensor(";
  if (x.numel() == 0) {
    s += cat("[], sizes ", x.sizes());
  } else {
    print(s, x.cpu(), !is_floating(x.dtype()), 7);
  }
  return s + cat(", ", x.dtype(), ", ", x.device(), ")");
}

}  // namespace ingot
