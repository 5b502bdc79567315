#include "ingot/base/strings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "ingot/base/dims.h"
#include "ingot/base/dtype.h"
#include "ingot/base/error.h"

namespace ingot {
namespace {

TEST(Cat, WritesEachType) {
  EXPECT_EQ(cat(), "");
  EXPECT_EQ(cat("a", std::string("b"), std::string_view("c"), 'd', true, false), "abcdtruefalse");
  EXPECT_EQ(cat(int8_t{-5}, " ", uint16_t{65535}, " ", INT64_MIN, " ", UINT64_MAX),
            "-5 65535 -9223372036854775808 18446744073709551615");
  EXPECT_EQ(cat(0.1, " ", 3.0, " ", -0.0, " ", HUGE_VAL), "0.1 3 -0 inf");
  EXPECT_EQ(cat(Dims{2, 3}, Dims{}, DType::kBF16), "[2, 3][]bf16");
}

TEST(Cat, DoublesReadBack) {
  for (double v : {0.1, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -123456789.123456789})
    EXPECT_EQ(std::strtod(cat(v).c_str(), nullptr), v);
}

TEST(HumanBytes, PicksTheUnit) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1.00 KiB");
  EXPECT_EQ(human_bytes(1234567), "1.18 MiB");
  EXPECT_EQ(human_bytes(0x1p60), "1024.00 PiB");
}

TEST(Quoted, LeavesTextAlone) {
  EXPECT_EQ(ingot::quoted(""), "\"\"");
  EXPECT_EQ(ingot::quoted("model.layers.0"), "\"model.layers.0\"");
  EXPECT_EQ(ingot::quoted("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80\"");
}

TEST(Quoted, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(ingot::quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(ingot::quoted("a\nb\x1B[2J\x7F"), "\"a\\nb\\x1B[2J\\x7F\"");
  EXPECT_EQ(ingot::quoted(std::string_view("\0x", 2)), "\"\\x00x\"");
  EXPECT_EQ(ingot::quoted("\xC2\x9B"), "\"\\xC2\\x9B\"");  // U+009B starts an escape sequence too
}

TEST(Quoted, EscapesInvalidUtf8) {
  EXPECT_EQ(ingot::quoted("\x80"), "\"\\x80\"");  // continuation alone
  EXPECT_EQ(ingot::quoted("\xC3"), "\"\\xC3\"");  // cut off
  EXPECT_EQ(ingot::quoted("\xE2\x82"), "\"\\xE2\\x82\"");
  EXPECT_EQ(ingot::quoted("\xC0\xAF"), "\"\\xC0\\xAF\"");                    // overlong, two bytes
  EXPECT_EQ(ingot::quoted("\xE0\x80\xAF"), "\"\\xE0\\x80\\xAF\"");           // overlong, three bytes
  EXPECT_EQ(ingot::quoted("\xF0\x80\x80\xAF"), "\"\\xF0\\x80\\x80\\xAF\"");  // overlong, four bytes
  EXPECT_EQ(ingot::quoted("\xED\xA0\x80"), "\"\\xED\\xA0\\x80\"");           // surrogate
  EXPECT_EQ(ingot::quoted("\xF4\x90\x80\x80"), "\"\\xF4\\x90\\x80\\x80\"");  // above U+10FFFF
  EXPECT_EQ(ingot::quoted("\xFF"), "\"\\xFF\"");
  EXPECT_EQ(ingot::quoted("\xE0\xA0\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF"),
            "\"\xE0\xA0\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF\"");  // edges, valid
}

TEST(Quoted, CutsLongText) {
  EXPECT_EQ(ingot::quoted(std::string(80, 'x')), "\"" + std::string(80, 'x') + "\"");
  EXPECT_EQ(ingot::quoted(std::string(81, 'x')), "\"" + std::string(80, 'x') + "...\"");
  EXPECT_EQ(ingot::quoted("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(ingot::quoted("ab\xE2\x82\xAC", 3), "\"ab\xE2\x82\xAC\"");  // a character is never cut in two
}

TEST(ErrorMessages, NameWhereWhatExpectedGot) {
  try {
    fail_argument("softmax", "dim", "a value in [-3, 3)", "5");
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "softmax: dim: expected a value in [-3, 3), got 5");
    EXPECT_EQ(e.kind(), ErrorKind::kArgument);
  }
  try {
    fail(ErrorKind::kIo, "open", "no such file");
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "open: no such file");
    EXPECT_EQ(dynamic_cast<const Error&>(e).kind(), ErrorKind::kIo);
  }
}

}  // namespace
}  // namespace ingot
