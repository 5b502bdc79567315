// The frequencies of the known kinds of context extension.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ingot/base/error.h"
#include "ingot/ops/rope/rope.h"

namespace ingot {

namespace {

constexpr const char* kOp = "rope_inv_freq";
constexpr double kPi = std::numbers::pi;

void check_positive(const char* what, double value) {
  if (!(value > 0 && std::isfinite(value))) fail_argument(kOp, what, "a positive number", cat(value));
}

// llama3: long waves are stretched, short ones kept, those between blended.
void stretch_llama3(const RopeConfig& c, std::vector<double>& inv) {
  check_positive("low_freq_factor", c.low_freq_factor);
  check_positive("original_max_position", static_cast<double>(c.original_max_position));
  if (!(c.high_freq_factor > c.low_freq_factor && std::isfinite(c.high_freq_factor)))
    fail_argument(kOp, "high_freq_factor", "above low_freq_factor", cat(c.high_freq_factor));
  double context = static_cast<double>(c.original_max_position);
  for (double& f : inv) {
    double wave = 2 * kPi / f;
    if (wave < context / c.high_freq_factor) continue;
    if (wave > context / c.low_freq_factor) {
      f /= c.factor;
      continue;
    }
    double keep = (context / wave - c.low_freq_factor) / (c.high_freq_factor - c.low_freq_factor);
    f = (1 - keep) * f / c.factor + keep * f;
  }
}

// yarn: a ramp over the pairs, from those that turn beta_fast times within the context to those that turn beta_slow
// times.
void stretch_yarn(const RopeConfig& c, std::vector<double>& inv) {
  check_positive("beta_fast", c.beta_fast);
  check_positive("beta_slow", c.beta_slow);
  check_positive("original_max_position", static_cast<double>(c.original_max_position));
  if (c.theta <= 1) fail_argument(kOp, "theta", "above 1", cat(c.theta));
  double dim = static_cast<double>(c.dim);
  auto pair_turning = [&](double turns) {
    return dim * std::log(static_cast<double>(c.original_max_position) / (2 * kPi * turns)) / (2 * std::log(c.theta));
  };
  double low = std::max(std::floor(pair_turning(c.beta_fast)), 0.0);
  double high = std::min(std::ceil(pair_turning(c.beta_slow)), dim - 1);
  if (low == high) high += 0.001;
  for (size_t i = 0; i < inv.size(); i++) {
    double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    inv[i] = inv[i] / c.factor * ramp + inv[i] * (1 - ramp);
  }
}

}  // namespace

Tensor rope_inv_freq(const RopeConfig& c, int64_t length) {
  if (c.dim < 0 || c.dim % 2 != 0 || c.dim > (1 << 20))
    fail_argument(kOp, "dim", "an even number in [0, 2^20]", cat(c.dim));
  check_positive("theta", c.theta);
  bool extended = c.type == "linear" || c.type == "dynamic" || c.type == "llama3" || c.type == "yarn";
  if (!extended && c.type != "default")
    fail(ErrorKind::kUnsupported, kOp,
         cat("rope type ", quoted(c.type), "; known: default, linear, dynamic, llama3, yarn"));
  if (extended && !(c.factor >= 1 && std::isfinite(c.factor)))
    fail_argument(kOp, "factor", "at least 1", cat(c.factor));
  double theta = c.theta, dim = static_cast<double>(c.dim);
  if (c.type == "dynamic") {
    check_positive("max_position", static_cast<double>(c.max_position));
    double ratio = static_cast<double>(length) / static_cast<double>(c.max_position);
    if (length > c.max_position && c.dim > 2) theta *= std::pow(c.factor * ratio - (c.factor - 1), dim / (dim - 2));
  }
  std::vector<double> inv(size_t(c.dim / 2));
  for (size_t i = 0; i < inv.size(); i++) inv[i] = std::pow(theta, -2 * static_cast<double>(i) / dim);
  if (c.type == "linear")
    for (double& f : inv) f /= c.factor;
  if (c.type == "llama3") stretch_llama3(c, inv);
  if (c.type == "yarn") stretch_yarn(c, inv);
  std::vector<float> rounded(inv.begin(), inv.end());
  return tensor_of(rounded, {c.dim / 2});
}

double rope_attention_scale(const RopeConfig& c) {
  if (c.type != "yarn") return 1;
  if (c.attention_factor > 0) return c.attention_factor;
  return c.factor > 1 ? 0.1 * std::log(c.factor) + 1 : 1;
}

}  // namespace ingot
