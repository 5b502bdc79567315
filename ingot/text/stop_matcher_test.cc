#include "ingot/text/stop_matcher.h"

#include <gtest/gtest.h>

#include <random>

#include "ingot/base/error.h"

namespace ingot {
namespace {

struct Streamed {
  std::string text;
  bool stopped = false;
};

Streamed stream(const std::vector<std::string>& stops, const std::vector<std::string>& pieces) {
  StopMatcher matcher(stops);
  Streamed result;
  for (const std::string& piece : pieces) {
    StopMatcher::Emit emit = matcher.push(piece);
    result.text += emit.text;
    result.stopped = emit.stopped;
  }
  result.text += matcher.finish();
  return result;
}

// Pitfall B63: a stop string over several tokens.
TEST(StopMatcher, FindsAStopAcrossTokens) {
  Streamed result = stream({"O P Q"}, {" L", " M", " N", " O", " P", " Q", " R"});
  EXPECT_EQ(result.text, " L M N ");
  EXPECT_TRUE(result.stopped);
}

TEST(StopMatcher, HoldsBackOnlyWhatMayBecomeAStop) {
  StopMatcher matcher({"stop"});
  EXPECT_EQ(matcher.push("abc").text, "abc");
  EXPECT_EQ(matcher.push("xs").text, "x");
  EXPECT_EQ(matcher.push("to").text, "");
  EXPECT_EQ(matcher.push("ss").text, "stos");
  EXPECT_EQ(matcher.push("t").text, "");
  EXPECT_EQ(matcher.finish(), "st");
  EXPECT_FALSE(matcher.stopped());
}

TEST(StopMatcher, OverlapsItself) {
  EXPECT_EQ(stream({"aab"}, {"a", "a", "a", "b", "c"}).text, "a");
  EXPECT_EQ(stream({"abab"}, {"abaabab"}).text, "aba");
  EXPECT_EQ(stream({std::string("\0x", 2)}, {std::string("a\0\0x", 4)}).text, std::string("a\0", 2));
}

TEST(StopMatcher, FirstToEndWins) {
  EXPECT_EQ(stream({"abcd", "bc"}, {"xabcd"}).text, "xa");
  EXPECT_EQ(stream({"c", "abc"}, {"xabc"}).text, "x");
  StopMatcher matcher({"c", "abc"});
  EXPECT_TRUE(matcher.push("xabc").stopped);
  EXPECT_EQ(matcher.matched(), "abc");
  EXPECT_EQ(matcher.push("more").text, "");
  EXPECT_TRUE(matcher.push("more").stopped);
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, NoStopsPassEverything) {
  EXPECT_EQ(stream({}, {"a", "", "b"}).text, "ab");
  EXPECT_THROW(StopMatcher({"a", ""}), Error);
}

TEST(StopMatcher, CutDoesNotDependOnTheBorders) {
  std::mt19937 random(7);
  const std::vector<std::string> stops = {"aba", "bb", "abcab", "cc"};
  for (int round = 0; round < 2000; round++) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; n--) text += static_cast<char>('a' + random() % 3);
    std::vector<std::string> pieces;
    for (size_t at = 0; at < text.size();) {
      size_t n = 1 + random() % 3;
      pieces.push_back(text.substr(at, n));
      at += n;
    }
    // By hand: the stop that ends first, the longest of those.
    std::string expected = text;
    bool stopped = false;
    for (size_t end = 1; end <= text.size() && !stopped; end++) {
      size_t longest = 0;
      for (const std::string& stop : stops) {
        if (std::string_view(text).substr(0, end).ends_with(stop)) longest = std::max(longest, stop.size());
      }
      if (longest > 0) {
        expected = text.substr(0, end - longest);
        stopped = true;
      }
    }
    EXPECT_EQ(stream(stops, pieces).text, expected) << text;
    EXPECT_EQ(stream(stops, {text}).text, expected) << text;
  }
}

}  // namespace
}  // namespace ingot
