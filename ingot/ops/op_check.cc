#include "ingot/ops/op_check.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "ingot/base/error.h"
#include "ingot/base/strided_loop.h"

namespace ingot {

namespace {

// splitmix64; the same stream everywhere.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  double uniform() { return double(next() >> 11) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }
};

double draw(const InputSpec& spec, Random& random) {
  switch (spec.fill) {
    case Fill::kNormal:
      return random.normal();
    case Fill::kUniform:
      return random.uniform();
    case Fill::kPositive:
      return 0.5 + 1.5 * random.uniform();
    case Fill::kIndex:
      return std::floor(spec.low + (spec.high - spec.low) * random.uniform());
    case Fill::kTies:
      return std::floor(5 * random.uniform()) - 2;
    case Fill::kValue:
      return spec.low;
    case Fill::kSpecial: {
      constexpr double kInf = std::numeric_limits<double>::infinity();
      const double special[] = {NAN, kInf, -kInf, 0.0, -0.0, 6e4, -6e4, 1e-7};
      uint64_t pick = random.next() % 40;
      return pick < 8 ? special[pick] : random.normal();
    }
  }
  return 0;
}

void set_element(Tensor& t, int64_t i, double v) {
  visit_dtype(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* p = static_cast<T*>(t.raw_data()) + i;
    if constexpr (std::is_same_v<T, bool>) {
      *p = v != 0 && std::fmod(std::fabs(v), 2.0) >= 0.5;
    } else if constexpr (std::is_integral_v<T>) {
      *p = static_cast<T>(static_cast<int64_t>(v * (std::fabs(v) < 1e3 ? 1 : 0)));
    } else if constexpr (std::is_floating_point_v<T>) {
      *p = static_cast<T>(v);
    } else {
      *p = T(static_cast<float>(v));
    }
  });
}

Tensor to_double(const Tensor& x) {
  if (!is_floating(x.dtype())) {
    Tensor y = empty(x.sizes(), x.dtype());
    std::vector<int64_t> v = to_int64s(x);
    for (int64_t i = 0; i < y.numel(); i++)
      visit_dtype(y.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) static_cast<T*>(y.raw_data())[i] = static_cast<T>(v[size_t(i)]);
      });
    return y;
  }
  return tensor_of(to_doubles(x), x.sizes());
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes() || a.dtype() != b.dtype()) return false;
  if (!is_floating(a.dtype())) return to_int64s(a) == to_int64s(b);
  std::vector<double> x = to_doubles(a), y = to_doubles(b);
  return x.empty() || memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
}

}  // namespace

const char* name(Layout layout) {
  constexpr const char* kNames[] = {"contiguous", "transposed", "strided", "offset", "expanded"};
  return kNames[static_cast<int>(layout)];
}

Tensor make_input(const InputSpec& spec, DType dtype, uint64_t seed) {
  Tensor t = empty(spec.sizes, spec.dtype.value_or(dtype));
  Random random{seed * 0x2545F4914F6CDD1Dull + 1};
  for (int64_t i = 0; i < t.numel(); i++) set_element(t, i, draw(spec, random));
  return t;
}

Tensor lay_out(const Tensor& x, Layout layout, uint8_t poison) {
  int64_t item = int64_t(itemsize(x.dtype()));
  int rank = x.dim();
  Dims strides = contiguous_strides(x.sizes());
  if (layout == Layout::kTransposed) {
    int64_t step = 1;
    for (int d = 0; d < rank; d++) strides[d] = step, step *= x.sizes()[d] > 0 ? x.sizes()[d] : 1;
  } else if (layout == Layout::kStrided) {
    int64_t step = 2;
    for (int d = rank - 1; d >= 0; d--) strides[d] = step, step = step * (x.sizes()[d] > 0 ? x.sizes()[d] : 1) + 3;
  } else if (layout == Layout::kExpanded && rank > 0) {
    strides[0] = 0;
  }
  int64_t reach = 1;
  for (int d = 0; d < rank; d++) reach += x.numel() ? strides[d] * (x.sizes()[d] - 1) : 0;
  constexpr int64_t kGuard = 64;
  int64_t shift = layout == Layout::kOffset ? item : 0;
  auto storage = Storage::allocate(size_t(reach * item + 2 * kGuard + shift));
  memset(storage->data(), poison, storage->bytes());
  Tensor y(storage, kGuard + shift, x.sizes(), strides, x.dtype());
  StridedLoop loop = make_strided_loop(x.sizes(), {x.strides(), y.strides()}, true);
  const char* from = static_cast<const char*>(x.raw_data());
  char* to = static_cast<char*>(y.raw_data());
  loop.for_rows(0, loop.rows, [&](const auto& offset) {
    for (int64_t i = 0; i < loop.inner; i++)
      memcpy(to + (offset[1] + i * loop.inner_stride(1)) * item, from + (offset[0] + i * loop.inner_stride(0)) * item,
             size_t(item));
  });
  return y;
}

double relative_error(const Tensor& a, const Tensor& b) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (a.sizes() != b.sizes()) return kInf;
  if (!is_floating(a.dtype()) && !is_floating(b.dtype())) return to_int64s(a) == to_int64s(b) ? 0 : kInf;
  std::vector<double> x = to_doubles(a), y = to_doubles(b);
  double largest = 0, worst = 0;
  for (double v : y)
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  if (largest == 0) largest = 1;
  for (size_t i = 0; i < x.size(); i++) {
    if (std::isnan(x[i]) != std::isnan(y[i])) return kInf;
    if (std::isnan(y[i])) continue;
    // A value past the dtype's range may have become infinite there.
    if (std::isinf(x[i]) || std::isinf(y[i])) {
      if (x[i] == y[i] || (std::isinf(x[i]) && x[i] * y[i] > 0 && a.dtype() == DType::kF16 && std::fabs(y[i]) > 65000))
        continue;
      return kInf;
    }
    worst = std::max(worst, std::fabs(x[i] - y[i]));
  }
  return worst / largest;
}

double tolerance_of(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return 1e-12;
    case DType::kF32:
      return 2e-6;
    case DType::kF16:
      return 1e-3;
    case DType::kBF16:
      return 8e-3;
    case DType::kF8E4M3:
      return 7e-2;
    case DType::kF8E5M2:
      return 14e-2;
    case DType::kF8E8M0:
      return 0.5;
    default:
      return 0;
  }
}

namespace {

// A tensor with the whole of its storage, on another device.
Tensor with_surroundings(const Tensor& x, Device device) {
  if (device.is_cpu()) return x;
  int64_t bytes = int64_t(x.storage()->bytes());
  Tensor whole = tensor_from_bytes(x.storage()->data(), {bytes}, DType::kU8, device);
  return Tensor(whole.storage(), x.byte_offset(), x.sizes(), x.strides(), x.dtype());
}

bool storage_unchanged(const Tensor& x, const Tensor& before) {
  int64_t bytes = int64_t(x.storage()->bytes());
  Tensor now = Tensor(x.storage(), 0, {bytes}, {1}, DType::kU8).cpu();
  return memcmp(now.raw_data(), before.storage()->data(), size_t(bytes)) == 0;
}

// What is wrong with the outputs of two runs; empty if nothing is.
std::string compare(const std::vector<Tensor>& got, const std::vector<Tensor>& again, const std::vector<Tensor>& want,
                    double tolerance, Device device) {
  if (got.size() != want.size()) return cat(got.size(), " outputs, expected ", want.size());
  for (size_t i = 0; i < got.size(); i++) {
    if (got[i].device() != device) return cat("output ", i, " is on ", got[i].device());
    if (got[i].sizes() != want[i].sizes())
      return cat("output ", i, " has sizes ", got[i].sizes(), ", expected ", want[i].sizes());
    if (is_floating(got[i].dtype()) != is_floating(want[i].dtype()))
      return cat("output ", i, " is ", got[i].dtype(), ", reference ", want[i].dtype());
    Tensor y = got[i].cpu();
    double error = relative_error(y, want[i]), limit = tolerance_of(y.dtype()) * tolerance;
    if (!(error <= limit)) return cat("output ", i, " is off by ", error, " of the largest value, limit ", limit);
    if (!same_bits(y, again[i].cpu())) return cat("output ", i, " differs between two runs");
  }
  return "";
}

}  // namespace

CaseResult run_case(const OpEntry& entry, const OpCase& c, DType dtype, Layout layout, Device device) {
  std::vector<Tensor> inputs, before, exact;
  uint64_t seed = 1;
  for (const InputSpec& spec : c.inputs) {
    Tensor x = make_input(spec, dtype, seed++);
    // Stride 0 along the first axis needs equal values along it: repeat the first.
    if (layout == Layout::kExpanded && x.dim() > 0 && x.size(0) > 0) {
      x = lay_out(x.narrow(0, 0, 1).expand(x.sizes()), Layout::kContiguous, 0);
    }
    Tensor laid = lay_out(x, layout, 0xFF);
    inputs.push_back(with_surroundings(laid, device));
    before.push_back(device.is_cpu()
                         ? tensor_from_bytes(laid.storage()->data(), {int64_t(laid.storage()->bytes())}, DType::kU8)
                         : laid);
    exact.push_back(to_double(x));
  }
  auto where = [&] {
    std::string s = cat(entry.name, " ", c.args, " ", dtype, " ", name(layout), " sizes");
    for (const Tensor& x : inputs) s += cat(" ", x.sizes());
    return s + ": ";
  };
  std::string wrong;
  try {
    std::vector<Tensor> got = entry.call(inputs, c.args), again = entry.call(inputs, c.args);
    wrong = compare(got, again, entry.reference(exact, c.args), c.tolerance, device);
    for (size_t i = 0; i < inputs.size() && wrong.empty(); i++)
      if (!storage_unchanged(inputs[i], before[i])) wrong = cat("input ", i, " or the memory around it was changed");
  } catch (const Error& e) {
    return {e.kind() == ErrorKind::kUnsupported ? Outcome::kUnsupported : Outcome::kFails, where() + e.what()};
  }
  return wrong.empty() ? CaseResult{Outcome::kHolds, ""} : CaseResult{Outcome::kFails, where() + wrong};
}

std::string check_case(const OpEntry& entry, const OpCase& c, DType dtype, Layout layout, Device device) {
  return run_case(entry, c, dtype, layout, device).text;
}

OperatorReport check_operator(const OpEntry& entry, Device device, int every) {
  OperatorReport report;
  int64_t number = 0;
  for (const OpCase& c : entry.cases) {
    bool to_f64 = c.args.has("dtype") && c.args.get_dtype("dtype") == DType::kF64;
    for (DType dtype : entry.dtypes) {
      if (!device.is_cpu() && (dtype == DType::kF64 || to_f64)) {
        report.left_out += std::size(kLayouts);
        continue;
      }
      for (Layout layout : kLayouts) {
        if (number++ % every != 0) continue;
        CaseResult r = run_case(entry, c, dtype, layout, device);
        if (r.outcome == Outcome::kHolds) {
          report.held++;
        } else if (r.outcome == Outcome::kUnsupported && report.held == 0 && report.failures.empty()) {
          report.unsupported = r.text;
          return report;
        } else {
          report.failures.push_back(r.text);
        }
      }
    }
  }
  return report;
}

}  // namespace ingot
