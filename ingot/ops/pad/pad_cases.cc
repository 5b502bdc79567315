#include <cstring>

#include "ingot/ops/op_table.h"
#include "ingot/ops/pad/pad.h"

namespace ingot {

namespace {

PadMode mode_of(const OpArgs& args) { return pad_mode_from_name(args.get_string("mode", "constant")); }

std::vector<Tensor> call(const std::vector<Tensor>& in, const OpArgs& args) {
  return {pad(in.at(0), args.get_ints("pad"), mode_of(args), args.get_double("value", 0))};
}

// One element after the other, from where its indices say.
std::vector<Tensor> reference(const std::vector<Tensor>& in, const OpArgs& args) {
  const Tensor& x = in[0];
  std::vector<int64_t> counts = args.get_ints("pad");
  counts.resize(size_t(2 * x.dim()), 0);
  Dims sizes = x.sizes();
  for (int d = 0; d < x.dim(); d++) {
    const size_t from_end = size_t(x.dim() - 1 - d);
    sizes[d] += counts[2 * from_end] + counts[2 * from_end + 1];
  }
  const bool whole = x.dtype() != DType::kF64;  // integers come as they are
  Tensor y = full(sizes, args.get_double("value", 0), x.dtype());
  for (int64_t flat = 0; flat < y.numel(); flat++) {
    int64_t rest = flat, at = 0;
    bool inside = true;
    for (int d = x.dim() - 1; d >= 0; d--) {
      const int64_t n = x.sizes()[d];
      int64_t i = rest % sizes[d] - counts[size_t(2 * (x.dim() - 1 - d))];
      rest /= sizes[d];
      if (i < 0 || i >= n) switch (mode_of(args)) {
          case PadMode::kConstant:
            inside = false;
            break;
          case PadMode::kReflect:
            i = i < 0 ? -i : 2 * n - 2 - i;
            break;
          case PadMode::kReplicate:
            i = i < 0 ? 0 : n - 1;
            break;
          case PadMode::kCircular:
            i = (i + n) % n;
        }
      at += i * x.strides()[d];
    }
    if (!inside) continue;
    const size_t item = itemsize(x.dtype());
    if (whole) {
      memcpy(static_cast<char*>(y.raw_data()) + size_t(flat) * item,
             static_cast<const char*>(x.raw_data()) + size_t(at) * item, item);
    } else {
      y.data<double>()[flat] = x.data<double>()[at];
    }
  }
  return {y};
}

}  // namespace

void register_pad(OpTable& table) {
  using Ints = std::vector<int64_t>;
  std::vector<OpCase> cases;
  auto add = [&](const Dims& sizes, const Ints& counts, const char* mode, double value = 0) {
    cases.push_back({{{sizes}}, {{"pad", counts}, {"mode", std::string(mode)}, {"value", value}}});
  };
  // Rows short and long, odd and even, of whole 16 bytes and not; one axis, several, a middle one alone.
  add({2, 3, 4, 5, 8}, {1, 2}, "constant", 1);
  add({2, 3, 4, 5, 8}, {0, 0, 0, 0, 2, 0}, "constant", 1);
  add({2, 3, 4, 6, 16}, {0, 0, 1, 1, 2, 0}, "constant");
  add({2, 3, 4, 5, 8}, {-1, 2, 0, -1, 1, 1}, "constant", 1);
  add({3, 5, 300}, {1, 1, 1, 1}, "constant", 1);
  add({2, 2, 1000}, {8, 16}, "constant");
  add({7}, {-3, -4}, "constant");
  add({7}, {-9, 4}, "constant", 1);
  add({}, {}, "constant");
  add({0, 3}, {1, 0, 2, 1}, "constant", 1);
  add({3, 0}, {0, 0}, "constant");
  add({2, 1, 2, 1, 2, 1, 2, 3}, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, "constant", 1);
  for (const char* mode : {"reflect", "replicate", "circular"}) {
    add({2, 3, 9}, {2, 1}, mode);
    add({2, 3, 5, 8}, {1, 1, 2, 0}, mode);
    add({2, 3, 4, 5, 8}, {3, 2, 1, 1, 2, 3}, mode);
    add({2, 3, 4, 5, 16}, {0, 0, -1, 2, 1, -1}, mode);
    add({2, 140}, {30, 37}, mode);
    add({0, 4}, {1, 1}, mode);
    add({2, 4}, {0, 0}, mode);
  }
  add({2, 3}, {40, 0}, "replicate");
  add({2, 3}, {3, 3}, "circular");
  table.add({"pad",
             {"pad", "mode", "value"},
             call,
             reference,
             {DType::kBool, DType::kU8, DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kF8E4M3,
              DType::kF8E5M2, DType::kF16, DType::kBF16, DType::kF32, DType::kF64},
             cases,
             true});
}

}  // namespace ingot
