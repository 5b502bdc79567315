#include "ingot/text/tokenizer_normalize.h"

#include <gtest/gtest.h>

namespace ingot::tok {
namespace {

std::string run(const Normalizer& normalizer, std::string text) {
  MarkedText t{std::move(text), {}};
  normalizer(t);
  return t.bytes;
}

// The marked characters in brackets, before and after.
std::string run_marked(const Normalizer& normalizer, std::string_view text) {
  MarkedText t;
  bool on = false;
  for (char c : text) {
    if (c == '[' || c == ']') {
      on = c == '[';
      continue;
    }
    t.bytes += c;
    t.marks += on ? '\1' : '\0';
  }
  normalizer(t);
  EXPECT_EQ(t.bytes.size(), t.marks.size());
  std::string out;
  on = false;
  for (size_t i = 0; i < t.bytes.size(); i++) {
    if ((t.marks[i] != 0) != on) out += on ? ']' : '[', on = !on;
    out += t.bytes[i];
  }
  return out + (on ? "]" : "");
}

TEST(Normalize, UnicodeForms) {
  auto nfc = normalize_unicode(UnicodeForm::kNfc), nfd = normalize_unicode(UnicodeForm::kNfd);
  auto nfkc = normalize_unicode(UnicodeForm::kNfkc), nfkd = normalize_unicode(UnicodeForm::kNfkd);
  EXPECT_EQ(run(nfc, "abc"), "abc");
  EXPECT_EQ(run(nfc, "e\u0301x"), "\u00E9x");
  EXPECT_EQ(run(nfc, "q\u0307\u0323"), "q\u0323\u0307");
  EXPECT_EQ(run(nfc, "\u212B \uFB01 \u00BD"), "\u00C5 \uFB01 \u00BD");
  EXPECT_EQ(run(nfc, "\u1100\u1161\u11A8"), "\uAC01");
  EXPECT_EQ(run(nfc, "\uAC00\u11A8"), "\uAC01");
  EXPECT_EQ(run(nfc, "\u0958"), "\u0915\u093C");  // excluded from composition
  EXPECT_EQ(run(nfc, "\u0344"), "\u0308\u0301");
  EXPECT_EQ(run(nfd, "\u00E9\uAC01"), "e\u0301\u1100\u1161\u11A8");
  EXPECT_EQ(run(nfkc, "\uFB01\u00B2\u2460\uFF21"), "fi21A");
  EXPECT_EQ(run(nfkd, "\u00E9\uFDFA").substr(0, 3), "e\u0301");
  EXPECT_EQ(run(nfc, ""), "");
}

TEST(Normalize, AMillionMarksOnOneLetter) {
  std::string text = "a";
  for (int i = 0; i < 500'000; i++) text += i % 2 ? "\u0323" : "\u0307";
  std::string made = run(normalize_unicode(UnicodeForm::kNfc), text);
  EXPECT_TRUE(made.starts_with("\u1EA1\u0323"));
  EXPECT_TRUE(made.ends_with("\u0307\u0307"));
}

TEST(Normalize, OtherSteps) {
  EXPECT_EQ(run(normalize_lowercase(), "A\u0130\u01C5\u03A3"), "ai\u0307\u01C6\u03C3");
  EXPECT_EQ(run(normalize_strip(true, true), " \u3000a b\n"), "a b");
  EXPECT_EQ(run(normalize_strip(true, false), " a "), "a ");
  EXPECT_EQ(run(normalize_strip(false, true), "  "), "");
  EXPECT_EQ(run(normalize_prepend("_"), ""), "");
  EXPECT_EQ(run(normalize_prepend("_"), "a"), "_a");
  EXPECT_EQ(run(normalize_replace(Regex("a+"), "b"), "aaxa"), "bxb");
  EXPECT_EQ(run(normalize_replace(Regex("x*"), "-"), "ab"), "-a-b-");
}

TEST(Normalize, MarksStayWithTheirText) {
  auto nfc = normalize_unicode(UnicodeForm::kNfc);
  EXPECT_EQ(run_marked(nfc, "ae[\u0301]b"), "a[\u00E9]b");
  EXPECT_EQ(run_marked(nfc, "[a]e\u0301b"), "[a]\u00E9b");
  EXPECT_EQ(run_marked(normalize_lowercase(), "A[B]C"), "a[b]c");
  EXPECT_EQ(run_marked(normalize_replace(Pattern(std::string(" ")), "__"), "a[ ] b"), "a[__]__b");
  EXPECT_EQ(run_marked(normalize_replace(Regex("b*"), "-"), "[ac]"), "[-a-c-]");
  EXPECT_EQ(run_marked(normalize_prepend("_"), "[a]"), "_[a]");
  EXPECT_EQ(run_marked(normalize_strip(true, true), " [ a] "), "[a]");
}

}  // namespace
}  // namespace ingot::tok
