#include "ingot/text/sampler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "ingot/base/error.h"

namespace ingot {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// How often each id comes in `n` draws of the same row, without history.
std::map<int32_t, int> frequencies(SamplingParams params, const std::vector<float>& logits, int n) {
  Sampler sampler(params);
  std::map<int32_t, int> counts;
  for (int i = 0; i < n; i++) counts[sampler.sample(logits)]++;
  return counts;
}
std::set<int32_t> support(SamplingParams params, const std::vector<float>& logits) {
  std::set<int32_t> ids;
  for (const auto& entry : frequencies(params, logits, 2000)) ids.insert(entry.first);
  return ids;
}

SamplingParams warm() {
  SamplingParams params;
  params.temperature = 1;
  params.seed = 1;
  return params;
}

std::vector<float> logs(std::initializer_list<double> probabilities) {
  std::vector<float> result;
  for (double p : probabilities) result.push_back(static_cast<float>(std::log(p)));
  return result;
}

TEST(Sampler, GreedyTakesTheLowestOfEquals) {
  Sampler sampler(SamplingParams{});
  EXPECT_EQ(sampler.sample(std::vector<float>{1, 3, 3, 2}), 1);
  EXPECT_EQ(sampler.sample(std::vector<float>{-kInf, -5, -kInf}), 1);
  EXPECT_EQ(sampler.sample(std::vector<float>{0, kInf, kInf}), 1);
}

TEST(Sampler, RefusesBrokenLogits) {
  for (float temperature : {0.0f, 1.0f}) {
    SamplingParams params;
    params.temperature = temperature;
    Sampler sampler(params);
    EXPECT_EQ(error_of([&] {
                sampler.sample(std::vector<float>{0, 1, kNan});
              }),
              "sampling: logits: expected numbers, got NaN for token 2");
    EXPECT_EQ(error_of([&] { sampler.sample({}); }), "sampling: logits: expected one or more, got none");
    EXPECT_EQ(error_of([&] {
                sampler.sample(std::vector<float>{-kInf, -kInf});
              }),
              "sampling: every token is masked: all logits are -inf");
    EXPECT_EQ(sampler.sample(std::vector<float>{-kInf, 0}), 1);
  }
}

// Pitfall B73.
TEST(Sampler, RefusesParametersThatAreNoNumbers) {
  auto refused = [](const std::function<void(SamplingParams&)>& change) {
    SamplingParams params;
    change(params);
    return error_of([&] { Sampler sampler(params); });
  };
  EXPECT_EQ(refused([](auto& p) {
              p.logit_bias = {{1, kInf}};
            }),
            "sampling: logit_bias[1]: expected a finite number, got inf");
  EXPECT_EQ(refused([](auto& p) {
              p.logit_bias = {{1, kNan}};
            }),
            "sampling: logit_bias[1]: expected a finite number, got nan");
  EXPECT_EQ(refused([](auto& p) {
              p.logit_bias = {{-1, 0}};
            }),
            "sampling: logit_bias: expected token ids of 0 or more, got -1");
  EXPECT_EQ(refused([](auto& p) { p.top_p = 5; }), "sampling: top_p: expected a number from 0 to 1, got 5");
  EXPECT_EQ(refused([](auto& p) { p.temperature = kNan; }),
            "sampling: temperature: expected a finite number of 0 or more, got nan");
  EXPECT_NE(refused([](auto& p) { p.temperature = -1; }), "");
  EXPECT_NE(refused([](auto& p) { p.min_p = 1.5; }), "");
  EXPECT_NE(refused([](auto& p) { p.top_k = -1; }), "");
  EXPECT_NE(refused([](auto& p) { p.repetition_penalty = 0; }), "");
  EXPECT_NE(refused([](auto& p) { p.presence_penalty = kInf; }), "");
  EXPECT_NE(refused([](auto& p) { p.frequency_penalty = kNan; }), "");
  EXPECT_NE(refused([](auto& p) { p.eos = {-2}; }), "");
  EXPECT_NE(refused([](auto& p) { p.suppress = {-2}; }), "");
  EXPECT_NE(refused([](auto& p) { p.vocab_limit = -2; }), "");
  EXPECT_NE(refused([](auto& p) { p.no_repeat_ngram = -2; }), "");
  EXPECT_NE(refused([](auto& p) { p.min_new_tokens = -2; }), "");
  EXPECT_EQ(refused([](auto& p) {}), "");
  SamplingParams beyond;
  beyond.logit_bias = {{9, 1}};
  EXPECT_EQ(error_of([&] {
              Sampler(beyond).sample(std::vector<float>{1, 2});
            }),
            "sampling: logit_bias: expected ids below 2, got 9");
}

TEST(Sampler, DistributionIsTheSoftmax) {
  const std::vector<double> p = {0.4, 0.3, 0.15, 0.1, 0.05};
  const int n = 20000;
  for (uint64_t seed : {1, 2, 3}) {
    SamplingParams params = warm();
    params.seed = seed;
    auto counts = frequencies(params, logs({0.4, 0.3, 0.15, 0.1, 0.05}), n);
    double chi = 0;
    for (int i = 0; i < 5; i++) chi += std::pow(counts[i] - n * p[i], 2) / (n * p[i]);
    EXPECT_LT(chi, 18.5) << seed;  // 4 degrees of freedom: one in a thousand
  }
  // Temperature 0.5 squares the probabilities.
  SamplingParams cool = warm();
  cool.temperature = 0.5f;
  auto counts = frequencies(cool, logs({0.8, 0.2}), n);
  EXPECT_NEAR(counts[1] / double(n), 0.04 / 0.68, 0.01);
}

TEST(Sampler, DrawsDoNotRepeatBetweenSteps) {
  // Consecutive draws are independent: each pair of two equal tokens comes a quarter of the time.
  Sampler sampler(warm());
  int pairs[4] = {};
  int last = sampler.sample(std::vector<float>{0, 0});
  for (int i = 0; i < 20000; i++) {
    int next = sampler.sample(std::vector<float>{0, 0});
    pairs[2 * last + next]++;
    last = next;
  }
  for (int count : pairs) EXPECT_NEAR(count, 5000, 250);
}

TEST(Sampler, TopKKeepsTiesAtItsEdge) {
  SamplingParams params = warm();
  params.top_k = 2;
  EXPECT_EQ(support(params, {1, 3, 2, 0}), (std::set<int32_t>{1, 2}));
  EXPECT_EQ(support(params, {2, 3, 2, 0}), (std::set<int32_t>{0, 1, 2}));
  params.top_k = 100;
  EXPECT_EQ(support(params, {1, 1, -kInf}), (std::set<int32_t>{0, 1}));
  params.top_k = 2;
  EXPECT_EQ(support(params, {-kInf, 1, -kInf}), (std::set<int32_t>{1}));
}

TEST(Sampler, TopPKeepsTheSmallestSetThatReachesIt) {
  SamplingParams params = warm();
  params.top_p = 0.6f;
  EXPECT_EQ(support(params, logs({0.1, 0.5, 0.3, 0.1})), (std::set<int32_t>{1, 2}));
  params.top_p = 0.45f;
  EXPECT_EQ(support(params, logs({0.1, 0.5, 0.3, 0.1})), (std::set<int32_t>{1}));
  params.top_p = 0;
  EXPECT_EQ(support(params, logs({0.1, 0.5, 0.3, 0.1})), (std::set<int32_t>{1}));
  // It sees what top_k left: 0.5 and 0.3 become 0.625 and 0.375.
  params.top_k = 2;
  params.top_p = 0.62f;
  EXPECT_EQ(support(params, logs({0.1, 0.5, 0.3, 0.1})), (std::set<int32_t>{1}));
}

TEST(Sampler, MinPIsRelativeToTheTop) {
  SamplingParams params = warm();
  params.min_p = 0.5f;
  EXPECT_EQ(support(params, logs({0.45, 0.25, 0.2, 0.1})), (std::set<int32_t>{0, 1}));
  params.min_p = 1;
  EXPECT_EQ(support(params, logs({0.45, 0.25, 0.2, 0.1})), (std::set<int32_t>{0}));
}

// Pitfall B77: some token survives every mix of filters, the largest always.
TEST(Sampler, TheTopTokenSurvivesEveryMix) {
  const std::vector<std::vector<float>> rows = {
      {1, 2, 3}, {0, 0, 0}, {-1e30f, 1e30f, 0}, {3e38f, -3e38f, 3e38f}, {-kInf, 5, kInf}};
  for (float temperature : {1e-38f, 0.01f, 1.0f, 1e30f}) {
    for (int top_k : {0, 1, 2, 50}) {
      for (float top_p : {0.0f, 1e-20f, 0.8f, 1.0f}) {
        for (float min_p : {0.0f, 0.5f, 1.0f}) {
          for (const auto& row : rows) {
            SamplingParams params;
            params.temperature = temperature;
            params.top_k = top_k;
            params.top_p = top_p;
            params.min_p = min_p;
            params.seed = 99;
            Sampler sampler(params);
            int32_t id = sampler.sample(row);
            ASSERT_TRUE(id >= 0 && id < 3);
            // At 1e30 all weights round to 1, and min_p cannot tell them apart.
            if (top_k == 1 || (min_p == 1 && temperature <= 1) || top_p < 0.1f) {
              EXPECT_EQ(row[id], *std::max_element(row.begin(), row.end()));
            }
          }
        }
      }
    }
  }
}

TEST(Sampler, PenaltiesFollowHuggingFaceAndOpenAi) {
  SamplingParams params;
  params.repetition_penalty = 2;
  Sampler sampler(params);
  sampler.add_prompt(std::vector<int32_t>{0, 0, 1, 77});
  // 4/2 = 2 and -1*2 = -2: token 2 with 2.5 wins; then it is seen too and 1.25 < 2.
  EXPECT_EQ(sampler.sample(std::vector<float>{4, -1, 2.5}), 2);
  EXPECT_EQ(sampler.sample(std::vector<float>{4, -1, 2.5}), 0);

  SamplingParams openai;
  openai.presence_penalty = 1;
  openai.frequency_penalty = 0.5f;
  Sampler output_only(openai);
  output_only.add_prompt(std::vector<int32_t>{0});
  EXPECT_EQ(output_only.sample(std::vector<float>{3, 2}), 0);  // the prompt does not count
  EXPECT_EQ(output_only.sample(std::vector<float>{3, 2}), 1);  // 3 - 1.5 < 2
  EXPECT_EQ(output_only.sample(std::vector<float>{3, 2}), 0);  // 1.5 against 0.5
  EXPECT_EQ(output_only.sample(std::vector<float>{3, 2}), 0);  // 3 - 2 = 1 against 0.5
  EXPECT_EQ(output_only.sample(std::vector<float>{3, 2}), 0) << "3 - 2.5 = 0.5 ties with 2 - 1.5: the lowest id";
}

TEST(Sampler, MasksComeBeforeTheChoice) {
  SamplingParams params;
  params.suppress = {3, 1000};
  params.vocab_limit = 5;
  params.eos = {2};
  params.min_new_tokens = 2;
  params.logit_bias = {{0, 2}};
  Sampler sampler(params);
  const std::vector<float> row = {0, 1, 5, 9, 0, 100};
  EXPECT_EQ(sampler.sample(row), 0);
  EXPECT_EQ(sampler.sample(row), 0);
  EXPECT_EQ(sampler.sample(row), 2);
  params.suppress = {0, 1, 3, 4};
  Sampler nothing(params);
  EXPECT_NE(error_of([&] { nothing.sample(row); }), "");
}

TEST(Sampler, NoNgramComesTwice) {
  SamplingParams params;
  params.no_repeat_ngram = 2;
  Sampler sampler(params);
  sampler.add_prompt(std::vector<int32_t>{0, 1, 0});
  EXPECT_EQ(sampler.sample(std::vector<float>{1, 3, 2}), 2);  // 0 1 was there
  EXPECT_EQ(sampler.sample(std::vector<float>{1, 3, 2}), 1);
  params.no_repeat_ngram = 1;
  Sampler single(params);
  single.add_prompt(std::vector<int32_t>{1});
  EXPECT_EQ(single.sample(std::vector<float>{1, 3, 2}), 2);
  EXPECT_EQ(single.sample(std::vector<float>{1, 3, 2}), 0);
  EXPECT_NE(error_of([&] { single.sample(std::vector<float>{1, 3, 2}); }), "");
}

// Pitfall B78.
TEST(Sampler, SameSeedSameText) {
  SamplingParams params = warm();
  params.top_k = 40;
  params.top_p = 0.95f;
  params.seed = 1234;
  auto text = [&](Sampler& sampler) {
    std::vector<int32_t> ids;
    std::vector<float> row(500);
    for (int step = 0; step < 50; step++) {
      for (size_t i = 0; i < row.size(); i++) row[i] = std::sin(static_cast<float>(i * (step + 3)) * 0.37f) * 4;
      ids.push_back(sampler.sample(row));
    }
    return ids;
  };
  Sampler first(params);
  const std::vector<int32_t> expected = text(first);
  for (int round = 0; round < 5; round++) {
    Sampler other(warm());
    text(other);  // another request in between
    Sampler again(params);
    EXPECT_EQ(text(again), expected);
  }
  first.reset();
  EXPECT_EQ(text(first), expected);
  params.seed = 1235;
  Sampler different(params);
  EXPECT_NE(text(different), expected);
}

TEST(Sampler, FirstNumbersOfTheGeneratorStay) {
  // splitmix64 from seed 0 begins 0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4: 0.8833, 0.4316 of the way.
  SamplingParams params = warm();
  params.seed = 0;
  Sampler sampler(params);
  const std::vector<float> flat(1000, 0.0f);
  EXPECT_EQ(sampler.sample(flat), 883);
  EXPECT_EQ(sampler.sample(flat), 431);
}

TEST(Sampler, IsFastEnoughForLargeVocabularies) {
  std::vector<float> row(150'000);
  for (size_t i = 0; i < row.size(); i++) row[i] = std::sin(static_cast<float>(i)) * 10;
  for (int top_k : {0, 50, 5000}) {
    SamplingParams params = warm();
    params.top_k = top_k;
    params.top_p = 0.95f;
    Sampler sampler(params);
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; i++) sampler.sample(row);
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / 20;
    RecordProperty(cat("ms_per_token_top_k_", top_k), cat(ms));
    EXPECT_LT(ms, 500) << top_k;  // a slow machine under sanitizers; a few ms in a release build
  }
}

TEST(Sampler, PromptRules) {
  Sampler sampler(SamplingParams{});
  EXPECT_NE(error_of([&] { sampler.add_prompt(std::vector<int32_t>{-1}); }), "");
  sampler.sample(std::vector<float>{1});
  EXPECT_NE(error_of([&] { sampler.add_prompt(std::vector<int32_t>{1}); }), "");
}

TEST(GenerationConfig, ReadsCheckpoints) {
  SamplingParams p = sampling_from_generation_config(
      R"({"do_sample": true, "temperature": 1.0, "top_k": 20, "top_p": 0.95, "eos_token_id": [248046, 248044],
          "pad_token_id": 248044, "bos_token_id": 248044, "transformers_version": "4.57.0"})");
  EXPECT_EQ(p.temperature, 1);
  EXPECT_EQ(p.top_k, 20);
  EXPECT_EQ(p.top_p, 0.95f);
  EXPECT_EQ(p.eos, (std::vector<int32_t>{248046, 248044}));

  p = sampling_from_generation_config(R"({"eos_token_id": 2, "temperature": 0.2, "repetition_penalty": 1.05})");
  EXPECT_EQ(p.temperature, 0);
  EXPECT_EQ(p.repetition_penalty, 1.05f);
  EXPECT_EQ(p.eos, (std::vector<int32_t>{2}));

  p = sampling_from_generation_config(R"({"do_sample": true, "top_p": null, "min_p": 0.1, "no_repeat_ngram_size": 3,
                                          "suppress_tokens": [1, 2], "min_new_tokens": 4})");
  EXPECT_EQ(p.temperature, 1);
  EXPECT_EQ(p.top_k, 50);
  EXPECT_EQ(p.top_p, 1);
  EXPECT_EQ(p.min_p, 0.1f);
  EXPECT_EQ(p.no_repeat_ngram, 3);
  EXPECT_EQ(p.min_new_tokens, 4);
  EXPECT_EQ(p.suppress, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(sampling_from_generation_config("{}").temperature, 0);
}

TEST(GenerationConfig, NamesTheBrokenKey) {
  auto refused = [](const char* json) { return error_of([&] { sampling_from_generation_config(json); }); };
  EXPECT_EQ(refused(R"({"do_sample": 1})"), "generation_config.json: do_sample: expected true or false, got int");
  EXPECT_EQ(refused(R"({"do_sample": true, "temperature": "x"})"),
            "generation_config.json: temperature: expected a number, got str");
  EXPECT_EQ(refused(R"({"do_sample": true, "top_p": 5})"),
            "generation_config.json: sampling: top_p: expected a number from 0 to 1, got 5");
  EXPECT_EQ(refused(R"({"do_sample": true, "temperature": 1e300})"),
            "generation_config.json: sampling: temperature: expected a finite number of 0 or more, got inf");
  EXPECT_EQ(refused(R"({"eos_token_id": [1, true]})"),
            "generation_config.json: eos_token_id: expected an integer, got bool");
  EXPECT_EQ(refused(R"({"eos_token_id": 3000000000})"),
            "generation_config.json: eos_token_id: expected a 32-bit integer, got 3000000000");
  EXPECT_EQ(refused(R"([])"), "generation_config.json: expected an object, got list");
  EXPECT_NE(refused(R"({"do_sample": true, "typical_p": 0.5})"), "");
  EXPECT_NE(refused(R"({"do_sample": true, "temperature": 1e999})"), "");
  EXPECT_NE(refused("{"), "");
  EXPECT_NE(refused(""), "");
}

}  // namespace
}  // namespace ingot
