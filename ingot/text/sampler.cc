#include "ingot/text/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "ingot/base/error.h"

namespace ingot {

namespace {

constexpr std::string_view kWhere = "sampling";
constexpr float kMasked = -std::numeric_limits<float>::infinity();

void check_range(std::string_view name, float value, bool good, std::string_view expected) {
  if (!std::isfinite(value) || !good) fail_argument(kWhere, name, expected, cat(static_cast<double>(value)));
}
void check_count(std::string_view name, int64_t value) {
  if (value < 0) fail_argument(kWhere, name, "0 or more", cat(value));
}
void check_ids(std::string_view name, std::span<const int32_t> ids) {
  for (int32_t id : ids) {
    if (id < 0) fail_argument(kWhere, name, "token ids of 0 or more", cat(id));
  }
}

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

}  // namespace

void SamplingParams::validate() const {
  check_range("temperature", temperature, temperature >= 0, "a finite number of 0 or more");
  check_range("top_p", top_p, top_p >= 0 && top_p <= 1, "a number from 0 to 1");
  check_range("min_p", min_p, min_p >= 0 && min_p <= 1, "a number from 0 to 1");
  check_range("repetition_penalty", repetition_penalty, repetition_penalty > 0, "a finite number above 0");
  check_range("presence_penalty", presence_penalty, true, "a finite number");
  check_range("frequency_penalty", frequency_penalty, true, "a finite number");
  check_count("top_k", top_k);
  check_count("no_repeat_ngram", no_repeat_ngram);
  check_count("min_new_tokens", min_new_tokens);
  check_count("vocab_limit", vocab_limit);
  check_ids("eos", eos);
  check_ids("suppress", suppress);
  for (const auto& bias : logit_bias) {
    check_ids("logit_bias", {&bias.first, 1});
    check_range(cat("logit_bias[", bias.first, "]"), bias.second, true, "a finite number");
  }
}

Sampler::Sampler(SamplingParams params) : params_(std::move(params)) {
  params_.validate();
  reset();
}

void Sampler::reset() {
  random_state_ = params_.seed;
  history_.clear();
  output_begin_ = 0;
  seen_.clear();
  output_counts_.clear();
}

void Sampler::add_prompt(std::span<const int32_t> tokens) {
  check_ids("prompt", tokens);
  if (output_begin_ != history_.size())
    fail(ErrorKind::kState, kWhere, "the prompt is added after tokens were sampled");
  history_.insert(history_.end(), tokens.begin(), tokens.end());
  seen_.insert(tokens.begin(), tokens.end());
  output_begin_ = history_.size();
}

void Sampler::record(int32_t token) {
  check_ids("token", {&token, 1});
  history_.push_back(token);
  seen_.insert(token);
  output_counts_[token]++;
}

void Sampler::apply_penalties(std::span<const float> logits) {
  work_.assign(logits.begin(), logits.end());
  for (const auto& bias : params_.logit_bias) {
    if (static_cast<size_t>(bias.first) >= work_.size()) {
      fail_argument(kWhere, "logit_bias", cat("ids below ", work_.size()), cat(bias.first));
    }
    work_[bias.first] += bias.second;
  }
  const float penalty = params_.repetition_penalty;
  if (penalty != 1) {
    for (int32_t id : seen_) {
      if (static_cast<size_t>(id) >= work_.size()) continue;
      float& logit = work_[id];
      logit = logit < 0 ? logit * penalty : logit / penalty;
    }
  }
  if (params_.presence_penalty != 0 || params_.frequency_penalty != 0) {
    for (const auto& entry : output_counts_) {
      if (static_cast<size_t>(entry.first) >= work_.size()) continue;
      work_[entry.first] -= params_.presence_penalty + params_.frequency_penalty * static_cast<float>(entry.second);
    }
  }
}

void Sampler::apply_masks() {
  auto mask = [&](int32_t id) {
    if (static_cast<size_t>(id) < work_.size()) work_[id] = kMasked;
  };
  const size_t n = static_cast<size_t>(params_.no_repeat_ngram);
  if (n > 0 && history_.size() >= n) {
    // Where the last n - 1 tokens occurred before, what followed them is forbidden.
    const int32_t* tail = history_.data() + history_.size() - (n - 1);
    for (size_t i = 0; i + n <= history_.size(); i++) {
      if (std::equal(tail, tail + (n - 1), history_.data() + i)) mask(history_[i + n - 1]);
    }
  }
  if (history_.size() - output_begin_ < static_cast<size_t>(params_.min_new_tokens)) {
    for (int32_t id : params_.eos) mask(id);
  }
  for (int32_t id : params_.suppress) mask(id);
  if (params_.vocab_limit > 0 && static_cast<size_t>(params_.vocab_limit) < work_.size()) {
    std::fill(work_.begin() + params_.vocab_limit, work_.end(), kMasked);
  }
}

int32_t Sampler::sample(std::span<const float> logits) {
  if (logits.empty()) fail_argument(kWhere, "logits", "one or more", "none");
  for (size_t i = 0; i < logits.size(); i++) {
    if (std::isnan(logits[i])) fail_argument(kWhere, "logits", "numbers", cat("NaN for token ", i));
  }
  apply_penalties(logits);
  apply_masks();
  const auto top = std::max_element(work_.begin(), work_.end());  // the first of equals
  if (*top == kMasked) fail(ErrorKind::kState, kWhere, "every token is masked: all logits are -inf");
  int32_t chosen = static_cast<int32_t>(top - work_.begin());
  if (params_.temperature > 0) {
    // With the top at 0 no temperature can overflow; an infinite logit beats all finite ones.
    const float highest = *top;
    for (float& logit : work_) {
      logit = std::isinf(highest) ? (logit == highest ? 0 : kMasked) : (logit - highest) / params_.temperature;
    }
    keep_top_k();
    keep_top_p();
    keep_min_p();
    chosen = draw();
  }
  record(chosen);
  return chosen;
}

void Sampler::keep_top_k() {
  float lowest = kMasked;
  const size_t k = static_cast<size_t>(params_.top_k);
  if (k > 0 && k < work_.size()) {
    constexpr size_t kSmall = 1024;  // up to here a heap of k is faster than partitioning a copy of the row
    if (k <= kSmall) {
      selection_.resize(k);
      std::partial_sort_copy(work_.begin(), work_.end(), selection_.begin(), selection_.end(), std::greater<float>());
    } else {
      selection_ = work_;
      std::nth_element(selection_.begin(), selection_.begin() + (k - 1), selection_.end(), std::greater<float>());
    }
    lowest = selection_[k - 1];
  }
  candidates_.clear();
  for (size_t i = 0; i < work_.size(); i++) {
    if (work_[i] < lowest || work_[i] == kMasked) continue;
    candidates_.push_back({work_[i], static_cast<int32_t>(i), std::exp(static_cast<double>(work_[i]))});
  }
}

// Finds the last token that is kept without sorting the row: weights are summed in slices of the logit axis, and only
// the slice in which the sum reaches top_p is looked at token by token.
void Sampler::keep_top_p() {
  if (params_.top_p >= 1) return;
  constexpr int kPerUnit = 32, kSlices = 1024;  // logits are 0 and less; the last slice takes all that lies far below
  auto slice_of = [](const Candidate& c) {
    return static_cast<int>(std::min(-c.logit * kPerUnit, static_cast<float>(kSlices - 1)));
  };
  std::array<double, kSlices> sums{};
  double total = 0;
  for (const Candidate& candidate : candidates_) {
    sums[slice_of(candidate)] += candidate.weight;
    total += candidate.weight;
  }
  const double wanted = params_.top_p * total;
  double before = 0;
  int slice = 0;
  while (slice + 1 < kSlices && before + sums[slice] < wanted) before += sums[slice++];
  std::vector<Candidate> edge;
  for (const Candidate& candidate : candidates_) {
    if (slice_of(candidate) == slice) edge.push_back(candidate);
  }
  auto comes_first = [](const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
  };
  std::sort(edge.begin(), edge.end(), comes_first);
  // The slice of the top token is never empty, so an empty one comes only where rounding made the sums fall short: then
  // all stay.
  if (edge.empty()) return;
  size_t last = 0;
  before += edge[0].weight;
  while (last + 1 < edge.size() && before < wanted) before += edge[++last].weight;
  const Candidate cut = edge[last];
  std::erase_if(candidates_, [&](const Candidate& c) { return comes_first(cut, c); });
}

void Sampler::keep_min_p() {
  std::erase_if(candidates_, [&](const Candidate& c) { return c.weight < params_.min_p; });
}

int32_t Sampler::draw() {
  double total = 0;
  for (const Candidate& candidate : candidates_) total += candidate.weight;
  double target = static_cast<double>(next_random(random_state_) >> 11) * 0x1p-53 * total;
  int32_t chosen = 0;
  for (const Candidate& candidate : candidates_) {
    if (candidate.weight == 0) continue;
    chosen = candidate.id;  // if rounding leaves a crumb at the end, the last token with any weight gets it
    target -= candidate.weight;
    if (target < 0) break;
  }
  return chosen;
}

}  // namespace ingot
