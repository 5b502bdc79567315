#include "ingot/io/gguf.h"

#include <random>

#include "ingot/io/ggml_types.h"
#include "ingot/io/gguf_writer.h"
#include "ingot/io/test_support.h"

namespace ingot {
namespace {

using namespace testing_io;

GgufFile parse(std::string_view bytes) {
  HeapBytes heap = on_heap(bytes);
  return GgufFile::from_bytes(heap.bytes, heap.owner, "test.gguf");
}

std::string refusal(std::string_view bytes, ErrorKind kind = ErrorKind::kFormat) {
  std::string message = error_of([&] { parse(bytes); }, kind);
  EXPECT_TRUE(has(message, "test.gguf: ")) << message;
  return message;
}

std::string head(uint64_t tensors, uint64_t keys, uint32_t version = 3) {
  return "GGUF" + raw(version) + raw(tensors) + raw(keys);
}
std::string key(std::string_view name, uint32_t type, std::string_view value) {
  return raw_string(name) + raw(type) + std::string(value);
}
std::string tensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type, uint64_t offset) {
  std::string out = raw_string(name) + raw(static_cast<uint32_t>(dims.size()));
  for (uint64_t d : dims) out += raw(d);
  return out + raw(type) + raw(offset);
}
std::string padded(std::string text, size_t alignment = 32) {
  text.resize((text.size() + alignment - 1) / alignment * alignment, '\0');
  return text;
}

GgufWriter sample_writer() {
  static const float values[6] = {1, 2, 3, 4, 5, 6};
  static const BlockQ8_0 blocks[2] = {};
  GgufWriter w;
  w.add("general.architecture", "llama");
  w.add("u", uint32_t{7});
  w.add("flag", true);
  w.add_array("tokens", std::vector<std::string>{"a", "", "\xC4\xA0x"});
  w.add_array("scores", std::vector<float>{0.5f, -1.0f});
  w.add_tensor("f", WeightFormat::kF32, {2, 3}, values);
  w.add_tensor("q", WeightFormat::kQ8_0, {2, 1, 32}, blocks);
  return w;
}

TEST(Gguf, KeysOfEveryType) {
  GgufWriter w;
  w.add("u8", uint8_t{255});
  w.add("i8", int8_t{-128});
  w.add("u16", uint16_t{65535});
  w.add("i16", int16_t{-32768});
  w.add("u32", uint32_t{4294967295});
  w.add("i32", int32_t{-5});
  w.add("u64", UINT64_MAX);
  w.add("i64", INT64_MIN);
  w.add("f32", 1.5f);
  w.add("f64", 0.1);
  w.add("bool", false);
  w.add("string", "text");
  w.add("empty", "");
  GgufFile file = parse(w.bytes());
  EXPECT_EQ(file.keys().front(), "u8");
  EXPECT_EQ(file.get<uint8_t>("u8"), 255);
  EXPECT_EQ(file.get<int8_t>("i8"), -128);
  EXPECT_EQ(file.get<uint16_t>("u16"), 65535);
  EXPECT_EQ(file.get<int16_t>("i16"), -32768);
  EXPECT_EQ(file.get<uint32_t>("u32"), 4294967295u);
  EXPECT_EQ(file.get<int32_t>("i32"), -5);
  EXPECT_EQ(file.get<uint64_t>("u64"), UINT64_MAX);
  EXPECT_EQ(file.get<int64_t>("i64"), INT64_MIN);
  EXPECT_EQ(file.get<float>("f32"), 1.5f);
  EXPECT_EQ(file.get<double>("f32"), 1.5);
  EXPECT_EQ(file.get<double>("f64"), 0.1);
  EXPECT_EQ(file.get<float>("f64"), 0.1f);
  EXPECT_FALSE(file.get<bool>("bool"));
  EXPECT_EQ(file.get<std::string>("string"), "text");
  EXPECT_EQ(file.get<std::string_view>("empty"), "");
  // Any integer type serves, as long as the value fits.
  EXPECT_EQ(file.get<int64_t>("u8"), 255);
  EXPECT_EQ(file.get<uint8_t>("u8"), 255);
  EXPECT_EQ(file.find<int>("absent"), std::nullopt);
  EXPECT_EQ(file.get_or<int>("absent", 9), 9);
  EXPECT_EQ(file.get_or<int>("i32", 9), -5);
}

TEST(Gguf, WrongTypesNameKeyExpectedAndFound) {
  GgufFile file = parse(sample_writer().bytes());
  EXPECT_TRUE(has(error_of([&] { file.get<uint32_t>("general.architecture"); }),
                  "test.gguf: key \"general.architecture\": expected u32, got string"));
  EXPECT_TRUE(has(error_of([&] { file.get<std::string>("u"); }), "expected string, got u32"));
  EXPECT_TRUE(has(error_of([&] { file.get<float>("u"); }), "expected f32 or f64, got u32"));
  EXPECT_TRUE(has(error_of([&] { file.get<bool>("u"); }), "expected bool, got u32"));
  EXPECT_TRUE(has(error_of([&] { file.get<uint32_t>("flag"); }), "expected u32, got bool"));
  EXPECT_TRUE(has(error_of([&] { file.get<uint32_t>("tokens"); }), "expected u32, got array of string"));
  EXPECT_TRUE(has(error_of([&] { file.get<std::vector<int32_t>>("u"); }), "expected array of i32, got u32"));
  EXPECT_TRUE(
      has(error_of([&] { file.get<std::vector<int32_t>>("scores"); }), "expected array of i32, got array of f32"));
  EXPECT_TRUE(has(error_of([&] { file.find<bool>("u"); }), "expected bool"));
  EXPECT_TRUE(has(error_of([&] { file.get_or<bool>("u", true); }), "expected bool"));
  EXPECT_TRUE(has(error_of([&] { file.get<bool>("absent"); }), "\"absent\" is missing"));

  GgufWriter w;
  w.add("big", uint64_t{1} << 40);
  w.add("negative", -1);
  w.add_array("list", std::vector<int32_t>{1, 300});
  GgufFile numbers = parse(w.bytes());
  EXPECT_TRUE(has(error_of([&] { numbers.get<uint32_t>("big"); }), "got u64 outside of its range"));
  EXPECT_TRUE(has(error_of([&] { numbers.get<uint32_t>("negative"); }), "got i32 outside of its range"));
  EXPECT_TRUE(has(error_of([&] { numbers.get<std::vector<uint8_t>>("list"); }), "outside of its range"));
}

TEST(Gguf, Arrays) {
  GgufFile file = parse(sample_writer().bytes());
  EXPECT_EQ(file.get<std::vector<std::string>>("tokens"), (std::vector<std::string>{"a", "", "\xC4\xA0x"}));
  EXPECT_EQ(file.get<std::vector<std::string_view>>("tokens")[2], "\xC4\xA0x");
  EXPECT_EQ(file.get<std::vector<float>>("scores"), (std::vector<float>{0.5f, -1.0f}));
  EXPECT_EQ(file.find_value("tokens")->count(), 3u);
  EXPECT_EQ(file.find_value("tokens")->elements()[2].as<std::string>("", ""), "\xC4\xA0x");
  EXPECT_EQ(file.find_value("u")->elements()[0].as<int>("", ""), 7);

  GgufWriter w;
  w.add_array("bools", std::vector<bool>{true, false});
  w.add_array("none", std::vector<std::string>{});
  w.add_array("i16", std::vector<int16_t>{-3, 4});
  GgufFile more = parse(w.bytes());
  EXPECT_EQ(more.get<std::vector<bool>>("bools"), (std::vector<bool>{true, false}));
  EXPECT_TRUE(more.get<std::vector<std::string>>("none").empty());
  EXPECT_EQ(more.get<std::vector<int64_t>>("i16"), (std::vector<int64_t>{-3, 4}));
}

TEST(Gguf, NestedArraysAreReadToABoundedDepth) {
  std::string inner = raw<uint32_t>(4) + raw<uint64_t>(2) + raw<uint32_t>(5) + raw<uint32_t>(6);
  std::string nested =
      raw<uint32_t>(9) + raw<uint64_t>(2) + inner + raw<uint32_t>(8) + raw<uint64_t>(1) + raw_string("x");
  GgufFile file = parse(head(0, 1) + key("n", 9, nested));
  std::vector<GgufValue> elements = file.find_value("n")->elements();
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(elements[0].as<std::vector<int>>("", ""), (std::vector<int>{5, 6}));
  EXPECT_EQ(elements[1].as<std::vector<std::string>>("", ""), std::vector<std::string>{"x"});
  EXPECT_TRUE(has(error_of([&] { file.get<std::vector<int>>("n"); }), "array of array"));

  std::string deep;
  for (int i = 0; i < 100000; i++) deep += raw<uint32_t>(9) + raw<uint64_t>(1);
  EXPECT_TRUE(has(refusal(head(0, 1) + key("n", 9, deep)), "nested deeper"));
}

TEST(Gguf, TensorsHaveTorchShapes) {
  GgufFile file = parse(sample_writer().bytes());
  ASSERT_EQ(file.tensors().size(), 2u);
  const GgufTensor& f = file.get_tensor("f");
  EXPECT_EQ(f.format, WeightFormat::kF32);
  EXPECT_EQ(f.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(f.nbytes, 24u);
  float values[6];
  dequantize_row(*f.format, f.data, values, 6);
  EXPECT_EQ(values[5], 6.0f);
  const GgufTensor& q = file.get_tensor("q");
  EXPECT_EQ(q.shape, (std::vector<int64_t>{2, 1, 32}));
  EXPECT_EQ(q.nbytes, 68u);
  EXPECT_EQ((q.data - f.data) % 32, 0);
  EXPECT_EQ(file.find_tensor("x"), nullptr);
  EXPECT_TRUE(has(error_of([&] { file.get_tensor("x"); }, ErrorKind::kArgument), "\"x\""));
}

TEST(Gguf, VersionsAndByteOrder) {
  EXPECT_EQ(parse(head(0, 0, 2)).version(), 2u);
  EXPECT_EQ(parse(head(0, 0, 3)).version(), 3u);
  EXPECT_TRUE(has(refusal(head(0, 0, 1), ErrorKind::kUnsupported), "expected 2 or 3, got 1"));
  EXPECT_TRUE(has(refusal(head(0, 0, 4), ErrorKind::kUnsupported), "got 4"));
  EXPECT_TRUE(has(refusal(head(0, 0, 0), ErrorKind::kUnsupported), "got 0"));
  EXPECT_TRUE(has(refusal(head(0, 0, 0x03000000), ErrorKind::kUnsupported), "big-endian"));
  EXPECT_TRUE(has(refusal("GGML" + head(0, 0).substr(4)), "not a GGUF file"));
  EXPECT_TRUE(has(refusal(""), "magic"));
}

TEST(Gguf, Alignment) {
  float one = 1;
  for (uint32_t alignment : {1u, 8u, 32u, 4096u}) {
    GgufWriter w(alignment);
    w.add_tensor("a", WeightFormat::kF32, {1}, &one);
    w.add_tensor("b", WeightFormat::kF32, {1}, &one);
    std::string bytes = w.bytes();
    GgufFile file = parse(bytes);
    EXPECT_EQ(memcmp(file.get_tensor("b").data, &one, 4), 0) << alignment;
    EXPECT_EQ(file.has("general.alignment"), alignment != 32);
  }
  for (uint32_t bad : {0u, 3u, 48u}) {
    EXPECT_TRUE(has(refusal(head(0, 1) + key("general.alignment", 4, raw(bad))), "power of two")) << bad;
  }
  EXPECT_TRUE(has(refusal(head(0, 1) + key("general.alignment", 8, raw_string("32"))), "expected u32, got string"));
  EXPECT_TRUE(
      has(refusal(padded(head(1, 0) + tensor("t", {1}, 24, 8)) + std::string(64, 'x')), "multiple of 32, got 8"));
  // The largest alignment there is, in a file far smaller.
  parse(head(0, 1) + key("general.alignment", 4, raw(uint32_t{1} << 31)));
  EXPECT_THROW(
      parse(head(1, 1) + key("general.alignment", 4, raw(uint32_t{1} << 31)) + tensor("t", {1}, 24, 0) + "xxxx"),
      Error);
}

// B45: sizes and counts whose arithmetic wraps.
TEST(Gguf, SizesThatWrap) {
  uint64_t huge = (uint64_t{1} << 42) + 1;
  // 1152 * (2^42 + 1) f32 elements stay below 2^63 bytes but wrap in 32 bits; with more axes they wrap in 64.
  EXPECT_TRUE(has(refusal(padded(head(1, 0) + tensor("w", {1152, huge}, 0, 0))), "\"w\""));
  EXPECT_TRUE(has(refusal(padded(head(1, 0) + tensor("w", {1152, huge, 1 << 20}, 0, 0))), "overflows"));
  EXPECT_TRUE(
      has(refusal(padded(head(1, 0) + tensor("w", {uint64_t{1} << 32, uint64_t{1} << 32}, 0, 0))), "overflows"));
  EXPECT_TRUE(has(refusal(padded(head(1, 0) + tensor("w", {uint64_t{1} << 62, 2}, 24, 0))), "overflows"));
  EXPECT_TRUE(has(refusal(padded(head(1, 0) + tensor("w", {uint64_t{1} << 61}, 0, 0))), "overflows"));
  EXPECT_TRUE(has(refusal(padded(head(1, 0) + tensor("w", {UINT64_MAX}, 24, 0))), "2^63"));
  EXPECT_TRUE(has(refusal(head(UINT64_MAX / 64 - 1, 0) + std::string(64, '\0')), "tensor count is 288230376151711742"));
  EXPECT_TRUE(has(refusal(head(UINT64_MAX, 0)), "tensor count"));
  EXPECT_TRUE(has(refusal(head(0, UINT64_MAX)), "key count"));
  EXPECT_TRUE(has(refusal(head(0, 5) + std::string(64, '\0')), "key count is 5"));
  for (size_t axes : {size_t{0}, size_t{5}, size_t{9}}) {
    std::string message =
        refusal(padded(head(1, 0) + tensor("w", std::vector<uint64_t>(axes, 1), 0, 0)) + std::string(99, 'x'));
    EXPECT_TRUE(has(message, cat("expected 1 to 4, got ", axes))) << message;
  }
}

// B46: offsets and lengths that point outside.
TEST(Gguf, OffsetsAndLengthsOutsideTheFile) {
  auto with_offset = [](uint64_t offset) {
    return padded(head(1, 0) + tensor("w", {4}, 0, offset)) + std::string(16, 'x');
  };
  EXPECT_EQ(parse(with_offset(0)).get_tensor("w").nbytes, 16u);
  for (uint64_t offset : {uint64_t{1} << 40, UINT64_MAX - 31, UINT64_MAX - 63, uint64_t{1} << 63, uint64_t{32}}) {
    std::string message = refusal(with_offset(offset));
    EXPECT_TRUE(has(message, "\"w\"") && has(message, cat(offset))) << message;
  }
  // A 4 MiB string in a file of 60 bytes, as a name and as a value, and counts beyond the file in arrays of each kind.
  EXPECT_TRUE(has(refusal(head(0, 1) + raw<uint64_t>(4 << 20) + std::string(28, 'x')), "name of key 0"));
  EXPECT_TRUE(has(refusal(head(0, 1) + key("k", 8, raw<uint64_t>(4 << 20)) + std::string(15, 'x')), "key \"k\""));
  for (uint32_t type = 0; type < kNumGgufTypes; type++) {
    for (uint64_t count : {uint64_t{4 << 20}, uint64_t{1} << 32, uint64_t{1} << 61, UINT64_MAX}) {
      std::string message = refusal(head(0, 1) + key("k", 9, raw(type) + raw(count) + std::string(64, '\0')));
      EXPECT_TRUE(has(message, "key \"k\"")) << message;
    }
  }
  EXPECT_TRUE(has(refusal(head(1, 0) + raw<uint64_t>(UINT64_MAX) + std::string(64, 'x')), "name of tensor 0"));
}

TEST(Gguf, OtherRefusals) {
  EXPECT_TRUE(has(refusal(head(0, 1) + key("k", 13, std::string(8, '\0'))), "value type 13 does not exist"));
  EXPECT_TRUE(has(refusal(head(0, 1) + key("k", 7, "\x02")), "bool"));
  EXPECT_TRUE(
      has(refusal(head(0, 1) + key("k", 9, raw<uint32_t>(7) + raw<uint64_t>(2) + std::string("\x01\x02"))), "bools"));
  EXPECT_TRUE(has(refusal(head(0, 2) + key("k", 0, "a") + key("k", 0, "b")), "duplicate key \"k\""));
  EXPECT_TRUE(has(refusal(padded(head(2, 0) + tensor("t", {1}, 24, 0) + tensor("t", {1}, 24, 0)) + "x"),
                  "duplicate tensor \"t\""));
  EXPECT_TRUE(has(refusal(padded(head(1, 0) + tensor("t", {33}, 8, 0)) + std::string(99, 'x')), "whole blocks of 32"));
  EXPECT_TRUE(
      has(refusal(padded(head(1, 0) + tensor("t", {128, 2}, 12, 0)) + std::string(999, 'x')), "whole blocks of 256"));
}

TEST(Gguf, UnreadableTypesAreErrorsOfTheirTensorAlone) {
  std::string bytes =
      padded(head(3, 0) + tensor("iq", {256}, 16, 0) + tensor("new", {256}, 77, 0) + tensor("ok", {1}, 24, 96));
  GgufFile file = parse(bytes + std::string(97, 'x'));
  EXPECT_EQ(file.get_tensor("ok").require_format(), WeightFormat::kI8);
  EXPECT_EQ(file.get_tensor("iq").nbytes, 66u);
  EXPECT_TRUE(has(error_of([&] { file.get_tensor("iq").require_format(); }, ErrorKind::kUnsupported),
                  "\"iq\" has the type IQ2_XXS"));
  EXPECT_EQ(file.get_tensor("new").data, nullptr);
  EXPECT_TRUE(has(error_of([&] { file.get_tensor("new").require_format(); }, ErrorKind::kUnsupported), "number 77"));
}

TEST(Gguf, EmptyTensorsNeedNoData) {
  // The file ends before the padding of the data section does.
  GgufFile file = parse(head(1, 0) + tensor("e", {32, 0, 3}, 8, 0));
  EXPECT_EQ(file.get_tensor("e").nbytes, 0u);
  EXPECT_EQ(file.get_tensor("e").shape, (std::vector<int64_t>{3, 0, 32}));
}

TEST(Gguf, TruncatedAtEveryByte) {
  std::string whole = sample_writer().bytes();
  size_t data_end = whole.size() - 28;  // 68 bytes of blocks in 96
  for (size_t size = 0; size < data_end; size++) EXPECT_THROW(parse(whole.substr(0, size)), Error) << size;
  parse(whole.substr(0, data_end));
}

void touch_everything(const GgufFile& file) {
  unsigned sum = 0;
  for (const std::string& k : file.keys()) {
    for (const GgufValue& v : file.find_value(k)->elements()) sum += static_cast<unsigned>(v.type_name().size());
  }
  for (const GgufTensor& t : file.tensors()) {
    for (uint64_t i = 0; i < t.nbytes; i++) sum += static_cast<unsigned>(t.data[i]);
  }
  EXPECT_GE(sum, 0u);
}

TEST(Gguf, FlippedBitsNeverCrash) {
  std::string whole = sample_writer().bytes();
  for (size_t bit = 0; bit < whole.size() * 8; bit++) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    try {
      touch_everything(parse(damaged));
    } catch (const Error&) {
    }
  }
}

TEST(Gguf, GgmlTypesAndWeightFormatsAgree) {
  for (int i = 0; i < kNumWeightFormats; i++) {
    WeightFormat format = static_cast<WeightFormat>(i);
    const GgmlType* type = find_ggml_type(format);
    if (type == nullptr) {
      EXPECT_TRUE(format == WeightFormat::kF8E4M3 || format == WeightFormat::kF8E5M2) << name(format);
      continue;
    }
    EXPECT_EQ(type->block_elements, block_elements(format)) << name(format);
    EXPECT_EQ(type->block_bytes, block_bytes(format)) << name(format);
    EXPECT_EQ(find_ggml_type(type->id), type);
  }
  for (uint32_t removed : {4u, 5u, 31u, 33u, 36u, 38u, 43u}) EXPECT_EQ(find_ggml_type(removed), nullptr);
}

TEST(GgufWriter, WritesEveryFormatAndRefusesTheRest) {
  std::vector<uint8_t> data(2 * 512 * 8, 1);
  GgufWriter w;
  for (int i = 0; i < kNumWeightFormats; i++) {
    WeightFormat format = static_cast<WeightFormat>(i);
    auto add = [&] { w.add_tensor(name(format), format, {2, 512}, data.data()); };
    if (find_ggml_type(format) == nullptr) {
      EXPECT_TRUE(has(error_of(add, ErrorKind::kArgument), name(format)));
    } else {
      add();
    }
  }
  ScratchFolder folder;
  w.write(folder.path("all.gguf"));
  EXPECT_EQ(read_file(folder.path("all.gguf")), w.bytes());
  GgufFile file = GgufFile::open(folder.path("all.gguf"));
  EXPECT_EQ(file.tensors().size(), static_cast<size_t>(kNumWeightFormats - 2));
  for (const GgufTensor& t : file.tensors()) {
    EXPECT_EQ(t.name, name(*t.format));
    EXPECT_EQ(t.nbytes, static_cast<uint64_t>(row_bytes(*t.format, 1024)));
    EXPECT_EQ(memcmp(t.data, data.data(), t.nbytes), 0);
  }
  auto refuse = [&](auto&& f) { error_of(f, ErrorKind::kArgument); };
  refuse([&] { w.add_tensor("f32", WeightFormat::kF32, {1}, data.data()); });
  refuse([&] { w.add_tensor("x", WeightFormat::kQ4_K, {2, 128}, data.data()); });
  refuse([&] { w.add_tensor("x", WeightFormat::kF32, {}, data.data()); });
  refuse([&] { w.add_tensor("x", WeightFormat::kF32, {1, 1, 1, 1, 1}, data.data()); });
  refuse([&] { w.add_tensor("x", WeightFormat::kF32, {-1}, data.data()); });
  refuse([&] { w.add_tensor("x", WeightFormat::kF32, {1}, nullptr); });
  w.add("k", 1);
  refuse([&] { w.add("k", 2); });
  refuse([&] { GgufWriter(24); });
}

}  // namespace
}  // namespace ingot
