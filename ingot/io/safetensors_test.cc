#include "ingot/io/safetensors.h"

#include <fcntl.h>

#include <random>

#include "ingot/io/safetensors_dtypes.h"
#include "ingot/io/test_support.h"

namespace ingot {
namespace {

using namespace testing_io;

std::string image(std::string_view header, std::string_view data = "") {
  return raw<uint64_t>(header.size()) + std::string(header) + std::string(data);
}

SafetensorsFile parse(std::string_view file, size_t shift = 0) {
  HeapBytes heap = on_heap(file, shift);
  return SafetensorsFile::from_bytes(heap.bytes, heap.owner, "test.safetensors");
}

std::string refusal(std::string_view header, std::string_view data = "") {
  std::string message = error_of([&] { parse(image(header, data)); });
  EXPECT_TRUE(has(message, "test.safetensors: ")) << message;
  return message;
}

#define EXPECT_REFUSAL(part, ...)            \
  do {                                       \
    std::string text = refusal(__VA_ARGS__); \
    EXPECT_TRUE(has(text, part)) << text;    \
  } while (false)

TEST(Safetensors, ReadsAFile) {
  SafetensorsFile file = parse(image(
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"I32","shape":[],"data_offsets":[8,12]},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}  )",
      raw(1.0f) + raw(2.0f) + raw<int32_t>(7)));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"a", "b"}));
  const SafetensorsTensor& a = file.get("a");
  EXPECT_EQ(a.dtype, DType::kF32);
  EXPECT_EQ(a.shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(a.nbytes, 8u);
  EXPECT_EQ(memcmp(a.data, (raw(1.0f) + raw(2.0f)).data(), 8), 0);
  EXPECT_TRUE(file.get("b").shape.empty());
  EXPECT_EQ(file.metadata().at("format"), "pt");
  EXPECT_EQ(file.find("c"), nullptr);
  EXPECT_TRUE(has(error_of([&] { file.get("c"); }, ErrorKind::kArgument), "\"c\""));
}

TEST(Safetensors, EmptyHeaderAndEmptyTensors) {
  EXPECT_TRUE(parse(image("{}")).tensors().empty());
  // Empty tensors share their offset with the tensor after them, whatever their order in the header.
  SafetensorsFile file = parse(image(
      R"({"x":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"e":{"dtype":"F64","shape":[4,0],"data_offsets":[0,0]},"f":{"dtype":"F32","shape":[0],"data_offsets":[3,3]}})",
      "abc"));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"e", "x", "f"}));
}

TEST(Safetensors, NamesAreUnescaped) {
  SafetensorsFile file =
      parse(image(R"({"a\"\\\u00e9\ud83d\ude00":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})", "x"));
  EXPECT_NE(file.find("a\"\\\u00e9\U0001F600"), nullptr);
}

// B43: a byte range smaller than shape and dtype say.
TEST(Safetensors, RangeSmallerThanTheShape) {
  std::string message = refusal(R"({"weight":{"dtype":"F32","shape":[1000,1000],"data_offsets":[0,4]}})", "abcd");
  EXPECT_TRUE(has(message, "\"weight\"") && has(message, "expected 4000000 bytes") && has(message, "got 4")) << message;
}

// B44: lengths and ranges that lie, each refused with its own message.
TEST(Safetensors, HostileHeaderLength) {
  for (size_t size = 0; size < 8; size++) {
    EXPECT_TRUE(has(error_of([&] { parse(std::string(size, '\0')); }), "at least 8 bytes"));
  }
  EXPECT_TRUE(has(error_of([&] { parse(std::string(8, '\xFF')); }), "18446744073709551615"));
  EXPECT_TRUE(has(error_of([&] { parse(std::string(8, '\xFF') + "{}"); }), "at most 100000000"));
  EXPECT_TRUE(has(error_of([&] { parse(raw<uint64_t>(100'000'001)); }), "at most 100000000"));
  EXPECT_TRUE(has(error_of([&] { parse(raw<uint64_t>(3) + "{}"); }), "only 2 bytes follow"));
}

TEST(Safetensors, HostileRanges) {
  EXPECT_REFUSAL("end lies before the beginning", R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[8,4]}})",
                 "01234567");
  EXPECT_REFUSAL("got -16", R"({"w":{"dtype":"U8","shape":[16],"data_offsets":[-16,0]}})");
  EXPECT_REFUSAL(
      "overlap tensor \"a\"",
      R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}})",
      "0123456789ab");
  EXPECT_REFUSAL("4 bytes belong to no tensor", R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "01234567");
  EXPECT_REFUSAL("expected to begin at 0, got 4", R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
                 "01234567");
  EXPECT_REFUSAL("past the end", R"({"w":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", "01234567");
  EXPECT_REFUSAL("past the end",
                 R"({"w":{"dtype":"U8","shape":[],"data_offsets":[9223372036854775807,9223372036854775808]}})", "x");
  EXPECT_REFUSAL("2^63", R"({"w":{"dtype":"U8","shape":[],"data_offsets":[0,9223372036854775809]}})", "x");
  EXPECT_REFUSAL("4 bytes belong to no tensor", "{}", "abcd");
}

TEST(Safetensors, HostileShapes) {
  EXPECT_REFUSAL("overflows", R"({"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("overflows", R"({"w":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("2^63", R"({"w":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("got -1", R"({"w":{"dtype":"U8","shape":[-1],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("whole number", R"({"w":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", "x");
  EXPECT_REFUSAL("whole number", R"({"w":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", "x");
  EXPECT_REFUSAL("whole bytes", R"({"w":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}})", "x");
}

TEST(Safetensors, HostileJson) {
  EXPECT_REFUSAL("starts with '{'", "");
  EXPECT_REFUSAL("starts with '{'", " {}");
  EXPECT_REFUSAL("starts with '{'", "[]");
  EXPECT_REFUSAL("not valid JSON", "{");
  EXPECT_REFUSAL("not valid JSON", "{}x");
  EXPECT_REFUSAL("not valid JSON", std::string_view("{}\0", 3));
  EXPECT_REFUSAL("not valid JSON", "{\"\xFF\":{}}");
  EXPECT_REFUSAL("not valid JSON", "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}");
  EXPECT_REFUSAL(
      "duplicate name \"w\"",
      R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL(
      "duplicate name \"w\"",
      R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"\u0077":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("duplicate field \"shape\"", R"({"w":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("expected an object", R"({"w":7})");
  EXPECT_REFUSAL("dtype is missing", R"({"w":{"shape":[0],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("shape is missing", R"({"w":{"dtype":"U8","data_offsets":[0,0]}})");
  EXPECT_REFUSAL("data_offsets is missing", R"({"w":{"dtype":"U8","shape":[0],"offsets":[0,0]}})");
  EXPECT_REFUSAL("expected 2 numbers, got 3", R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}})");
  EXPECT_REFUSAL("dtype: expected a string", R"({"w":{"dtype":8,"shape":[0],"data_offsets":[0,0]}})");
  EXPECT_REFUSAL("__metadata__: \"k\": expected a string", R"({"__metadata__":{"k":1}})");
  EXPECT_REFUSAL("__metadata__", R"({"__metadata__":null})");
  EXPECT_REFUSAL("duplicate key \"k\"", R"({"__metadata__":{"k":"1","k":"2"}})");
}

TEST(Safetensors, UnknownDTypeIsAnErrorOfThatTensorAlone) {
  SafetensorsFile file = parse(image(
      R"({"new":{"dtype":"F3_X","shape":[5],"data_offsets":[0,2]},"u":{"dtype":"U16","shape":[1],"data_offsets":[2,4]},"ok":{"dtype":"U8","shape":[1],"data_offsets":[4,5]}})",
      "01234"));
  EXPECT_EQ(file.get("ok").require_dtype(), DType::kU8);
  std::string unknown = error_of([&] { file.get("new").require_dtype(); }, ErrorKind::kUnsupported);
  EXPECT_TRUE(has(unknown, "\"new\"") && has(unknown, "F3_X") && has(unknown, "unknown")) << unknown;
  std::string foreign = error_of([&] { file.get("u").require_dtype(); }, ErrorKind::kUnsupported);
  EXPECT_TRUE(has(foreign, "\"u\"") && has(foreign, "U16")) << foreign;
}

TEST(Safetensors, EveryDTypeIsSized) {
  for (const SafetensorsDType& type : kSafetensorsDTypes) {
    std::string bytes(static_cast<size_t>(type.bits), 'x');  // 8 elements
    std::string header =
        cat(R"({"w":{"dtype":")", type.name, R"(","shape":[2,4],"data_offsets":[0,)", bytes.size(), "]}}");
    SafetensorsFile file = parse(image(header, bytes));
    EXPECT_EQ(file.get("w").dtype, type.dtype) << type.name;
    EXPECT_THROW(parse(image(header, bytes + "x")), Error) << type.name;
  }
  for (int i = 0; i < kNumDTypes; i++) {
    DType dtype = static_cast<DType>(i);
    EXPECT_EQ(safetensors_dtype_of(dtype).dtype, dtype) << name(dtype);
    EXPECT_EQ(static_cast<size_t>(safetensors_dtype_of(dtype).bits), itemsize(dtype) * 8) << name(dtype);
  }
}

std::string sample_file() {
  return image(
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"BF16","shape":[3,1],"data_offsets":[8,14]}})",
      "0123456789abcd");
}

TEST(Safetensors, TruncatedAtEveryByte) {
  std::string whole = sample_file();
  parse(whole);
  for (size_t size = 0; size < whole.size(); size++) {
    EXPECT_THROW(parse(std::string_view(whole).substr(0, size)), Error) << size;
  }
}

TEST(Safetensors, FlippedBitsNeverCrash) {
  std::string whole = sample_file();
  for (size_t bit = 0; bit < whole.size() * 8; bit++) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    try {
      SafetensorsFile file = parse(damaged);
      unsigned sum = 0;
      for (const SafetensorsTensor& t : file.tensors()) {
        for (uint64_t i = 0; i < t.nbytes; i++) sum += static_cast<unsigned>(t.data[i]);
      }
      EXPECT_GT(sum, 0u);
    } catch (const Error&) {
    }
  }
}

TEST(SafetensorsWriter, RoundTripInReferenceOrder) {
  ScratchFolder folder;
  float f[2] = {1, 2};
  uint16_t h[1] = {0x3C00};
  uint8_t u[3] = {1, 2, 3};
  int64_t l[1] = {-1};
  bool b[1] = {true};
  std::vector<SafetensorsEntry> entries = {{"u", DType::kU8, {3}, u},
                                           {"experts.2", DType::kF32, {2}, f},
                                           {"flag", DType::kBool, {}, b},
                                           {"experts.10", DType::kF32, {1, 2}, f},
                                           {"none", DType::kF64, {0, 3}, nullptr},
                                           {"h", DType::kF16, {1}, h},
                                           {"odd \"name\"\n\\\x01\u00e9", DType::kBF16, {1}, h},
                                           {"l", DType::kI64, {1}, l}};
  write_safetensors(folder.path("x.safetensors"), entries, {{"format", "pt"}, {"note", "a \"b\"\b\t\n\f\r\v"}});
  EXPECT_EQ(folder.count(), 1u);

  std::string bytes = read_file(folder.path("x.safetensors"));
  uint64_t header;
  memcpy(&header, bytes.data(), 8);
  EXPECT_EQ(header % 8, 0u);
  SafetensorsFile file = SafetensorsFile::open(folder.path("x.safetensors"));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"l", "none", "experts.10", "experts.2",
                                                    "odd \"name\"\n\\\x01\u00e9", "h", "u", "flag"}));
  EXPECT_EQ(file.metadata(), (std::map<std::string, std::string>{{"format", "pt"}, {"note", "a \"b\"\b\t\n\f\r\v"}}));
  for (const SafetensorsEntry& e : entries) {
    const SafetensorsTensor& t = file.get(e.name);
    EXPECT_EQ(t.dtype, e.dtype);
    EXPECT_EQ(t.shape, e.shape);
    if (t.nbytes > 0) {
      EXPECT_EQ(memcmp(t.data, e.data, t.nbytes), 0) << e.name;
    }
  }
}

TEST(SafetensorsWriter, ExactBytes) {
  ScratchFolder folder;
  uint8_t u[2] = {5, 6};
  write_safetensors(folder.path("x"), std::vector<SafetensorsEntry>{{"w", DType::kU8, {2}, u}}, {{"format", "pt"}});
  std::string header = R"({"__metadata__":{"format":"pt"},"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  header.resize(88, ' ');
  EXPECT_EQ(read_file(folder.path("x")), image(header, "\x05\x06"));
}

TEST(SafetensorsWriter, Refusals) {
  ScratchFolder folder;
  uint8_t u[2] = {};
  auto refuse = [&](std::vector<SafetensorsEntry> entries, std::map<std::string, std::string> metadata = {}) {
    error_of([&] { write_safetensors(folder.path("x"), entries, metadata); }, ErrorKind::kArgument);
    EXPECT_EQ(folder.count(), 0u);
  };
  refuse({{"w", DType::kU8, {1}, u}, {"w", DType::kU8, {1}, u}});
  refuse({{"__metadata__", DType::kU8, {1}, u}});
  refuse({{"w\xFF", DType::kU8, {1}, u}});
  refuse({{"w", DType::kU8, {-1}, u}});
  refuse({{"w", DType::kF32, {int64_t{1} << 62}, u}, {"v", DType::kF32, {int64_t{1} << 62}, u}});
  refuse({{"w", DType::kU8, {1}, nullptr}});
  refuse({{"w", DType::kU8, {1}, u}}, {{"k", "\xC0"}});
}

// A tensor beyond 4 GiB in a file that takes no room on disk.
TEST(Safetensors, OffsetsBeyond32Bits) {
  ScratchFolder folder;
  uint64_t big = (uint64_t{1} << 32) + 8;
  std::string header = cat(R"({"big":{"dtype":"U8","shape":[)", big, R"(],"data_offsets":[0,)", big,
                           R"(]},"end":{"dtype":"I32","shape":[1],"data_offsets":[)", big, ",", big + 4, "]}}");
  std::string path = folder.put("sparse.safetensors", image(header));
  int fd = open(path.c_str(), O_WRONLY);
  std::string value = raw<int32_t>(1234);
  ssize_t written = pwrite(fd, value.data(), 4, static_cast<off_t>(8 + header.size() + big));
  close(fd);
  if (written != 4) GTEST_SKIP() << "this file system does not take a sparse file of 4 GiB";
  SafetensorsFile file = SafetensorsFile::open(path);
  EXPECT_EQ(file.get("big").nbytes, big);
  EXPECT_EQ(memcmp(file.get("end").data, value.data(), 4), 0);
  std::filesystem::resize_file(path, 8 + header.size() + big + 3);
  EXPECT_TRUE(has(error_of([&] { SafetensorsFile::open(path); }), "cut short"));
}

}  // namespace
}  // namespace ingot
