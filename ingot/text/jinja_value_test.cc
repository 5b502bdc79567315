#include "ingot/text/jinja_value.h"

#include <gtest/gtest.h>

#include <limits>

#include "ingot/base/error.h"
#include "ingot/text/jinja_json.h"

namespace ingot::jinja {
namespace {

TEST(JinjaValue, ReadsJsonInOrder) {
  Value v = Value::from_json(R"({"z": 1, "a": [true, null, 2.5, "é\n"], "m": {}, "z": 3})");
  EXPECT_EQ(to_json(v, {}).bytes, R"({"z": 3, "a": [true, null, 2.5, "é\n"], "m": {}})");
  EXPECT_EQ(v.dict().find("a")->items()[2].as_double(), 2.5);
  EXPECT_EQ(v.dict().find("nosuch"), nullptr);
  EXPECT_EQ(Value::from_json("18446744073709551615").as_double(), 18446744073709551615.0);
  EXPECT_EQ(Value::from_json("-9223372036854775808").as_int(), std::numeric_limits<int64_t>::min());
}

TEST(JinjaValue, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "\"\xFF\"", "1 2", "\"\\ud800\"", "1e999"}) {
    EXPECT_THROW(Value::from_json(text), Error) << text;
  }
  for (int depth : {65, 100'000}) {
    EXPECT_THROW(Value::from_json(std::string(depth, '[') + std::string(depth, ']')), Error) << depth;
  }
  EXPECT_NO_THROW(Value::from_json(std::string(64, '[') + std::string(64, ']')));
}

TEST(JinjaValue, DictKeepsOneEntryPerKey) {
  Dict dict;
  for (int i = 0; i < 100; i++) dict.set(Value(cat("k", i % 50)), i);
  EXPECT_EQ(dict.size(), 50u);
  EXPECT_EQ(dict.find("k7")->as_int(), 57);
  EXPECT_EQ(dict.find("k50"), nullptr);
  dict.set(1, "one");
  dict.set(true, "true");
  EXPECT_EQ(dict.find(Value(1.0))->string(), "true");
  EXPECT_THROW(dict.set(List{}, 1), Error);
}

TEST(JinjaValue, CountsWeightAndDepth) {
  Value v = Value(List{"abc", List{1, 2}});
  EXPECT_EQ(v.depth(), 2);
  EXPECT_EQ(v.weight(), 1u + 4 + 3);
  Dict dict;
  dict.set("a", "bc");
  dict.set("a", "bcd");
  EXPECT_EQ(dict.weight(), 1u + 2 + 4);
  auto doubled = [](int times) {
    Value value(List{Value("x")});
    for (int i = 0; i < times; i++) value = Value(List{value, value});
    return value;
  };
  EXPECT_THROW(doubled(60), Error);
  EXPECT_NO_THROW(doubled(10));
}

TEST(JinjaValue, EqualityIsExact) {
  EXPECT_TRUE(equal(1, 1.0));
  EXPECT_TRUE(equal(true, 1));
  EXPECT_FALSE(equal(9007199254740993, 9007199254740992.0));
  EXPECT_FALSE(equal(std::numeric_limits<int64_t>::max(), 0x1p63));
  EXPECT_FALSE(equal(1, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(equal("1", 1));
}

TEST(JinjaValue, FloatsAreWrittenAsPythonWritesThem) {
  EXPECT_EQ(python_float(1), "1.0");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(python_float(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(0.00001), "1e-05");
  EXPECT_EQ(python_float(5e-324), "5e-324");
  EXPECT_EQ(python_float(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(python_float(std::numeric_limits<double>::infinity()), "inf");
}

TEST(JinjaText, BrokenUtf8PassesThrough) {
  std::string broken = "a\xC3(\xE2\x82z\xF0\x9F";
  Text text{broken, {}};
  EXPECT_EQ(change_case(text, Case::kUpper).bytes, "A\xC3(\xE2\x82Z\xF0\x9F");
  EXPECT_EQ(count_characters(broken), 8u);
  EXPECT_FALSE(is_valid_utf8(broken));
  Trimmed kept = strip(broken, nullptr, true, true);
  EXPECT_EQ(kept.end, broken.size());
  EXPECT_EQ(representation(Value(text)).bytes, "'a\\udcc3(\\udce2\\udc82z\\udcf0\\udc9f'");
}

TEST(JinjaText, RangesMergeAndCut) {
  TextBuilder builder;
  builder.append("ab", true);
  builder.append("cd", true);
  builder.append("ef", false);
  builder.append("", true);
  builder.append("gh", true);
  Text text = builder.take();
  EXPECT_EQ(text.user, (std::vector<TextRange>{{0, 4}, {6, 8}}));
  EXPECT_EQ(slice(text, 3, 7).user, (std::vector<TextRange>{{0, 1}, {3, 4}}));
  EXPECT_TRUE(slice(text, 4, 6).user.empty());
  EXPECT_TRUE(text.is_user(7));
  EXPECT_FALSE(text.is_user(5));
}

}  // namespace
}  // namespace ingot::jinja
