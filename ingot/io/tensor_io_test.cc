#include "ingot/io/tensor_io.h"

#include "ingot/io/gguf_writer.h"
#include "ingot/io/test_support.h"

namespace ingot {
namespace {

using namespace testing_io;

// B47: the header length moves the data to every address modulo 8; what is read must not depend on it.
TEST(TensorIo, UnalignedDataReadsAsAligned) {
  std::string data = raw<int64_t>(-5) + raw(1.5f) + raw(-2.5f) + raw<uint16_t>(0x3FC0) + raw<uint16_t>(0xC020);
  for (size_t spaces = 0; spaces < 8; spaces++) {
    for (size_t shift = 0; shift < 2; shift++) {
      std::string header =
          R"({"i":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},"f":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"b":{"dtype":"BF16","shape":[2,1],"data_offsets":[16,20]}})" +
          std::string(spaces, ' ');
      HeapBytes heap = on_heap(raw<uint64_t>(header.size()) + header + data, shift);
      SafetensorsFile file = SafetensorsFile::from_bytes(heap.bytes, heap.owner, "x");
      EXPECT_EQ(to_int64s(load_tensor(file, "i")), std::vector<int64_t>{-5});
      EXPECT_EQ(to_doubles(load_tensor(file, "f")), (std::vector<double>{1.5, -2.5}));
      Tensor b = load_tensor(file, "b");
      EXPECT_EQ(to_doubles(b), (std::vector<double>{1.5, -2.5}));
      EXPECT_EQ(b.sizes(), (Dims{2, 1}));
    }
  }
}

TEST(TensorIo, BorrowsTheMappingAndKeepsIt) {
  ScratchFolder folder;
  Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  write_safetensors(folder.path("model.safetensors"), {{"x", x}}, {{"format", "pt"}});
  Tensor back;
  {
    SafetensorsFile file = SafetensorsFile::open(folder.path("model.safetensors"));
    back = load_tensor(file, "x");
    EXPECT_EQ(back.raw_data(), static_cast<const void*>(file.get("x").data));
    EXPECT_TRUE(back.storage()->read_only());
  }
  EXPECT_EQ(to_doubles(back), to_doubles(x));
  EXPECT_EQ(to_doubles(load_tensor(SafetensorsFolder::open(folder.path()), "x")), to_doubles(x));
}

TEST(TensorIo, StridedTensorsArePacked) {
  ScratchFolder folder;
  Tensor x = tensor_of<int32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {2, 3, 2});
  NamedTensors tensors = {{"t", x.transpose(0, 2)},
                          {"s", x.slice(1, 0, 3, 2)},
                          {"e", x.select(0, 1).select(0, 0).unsqueeze(0).expand({3, 2})},
                          {"scalar", x.select(0, 1).select(0, 1).select(0, 1)},
                          {"none", x.slice(0, 0, 0)}};
  write_safetensors(folder.path("x"), tensors);
  SafetensorsFile file = SafetensorsFile::open(folder.path("x"));
  for (const auto& [name, t] : tensors) {
    Tensor back = load_tensor(file, name);
    EXPECT_EQ(back.sizes(), t.sizes()) << name;
    EXPECT_EQ(to_int64s(back), to_int64s(t)) << name;
  }
  error_of([&] { write_safetensors(folder.path("x"), {{"u", Tensor()}}); }, ErrorKind::kArgument);
}

TEST(TensorIo, EveryDTypeRoundTrips) {
  ScratchFolder folder;
  NamedTensors tensors;
  for (int i = 0; i < kNumDTypes; i++) {
    DType dtype = static_cast<DType>(i);
    std::vector<uint8_t> bytes(3 * itemsize(dtype), 1);
    tensors.emplace_back(name(dtype), tensor_from_bytes(bytes.data(), {3}, dtype));
  }
  write_safetensors(folder.path("x"), tensors);
  SafetensorsFile file = SafetensorsFile::open(folder.path("x"));
  for (const auto& [name, t] : tensors) {
    Tensor back = load_tensor(file, name);
    EXPECT_EQ(back.dtype(), t.dtype());
    EXPECT_EQ(memcmp(back.raw_data(), t.raw_data(), static_cast<size_t>(t.nbytes())), 0) << name;
  }
}

#ifdef INGOT_SOURCE_DIR
// The golden file was written by the format's own library; what is read from it and written again must be the same
// bytes.
TEST(TensorIo, WritesTheBytesOfTheReferenceWriter) {
  std::string path = INGOT_SOURCE_DIR "/tests/golden/ops.safetensors";
  SafetensorsFile file = SafetensorsFile::open(path);
  NamedTensors tensors;
  for (const std::string& name : file.names()) tensors.emplace_back(name, load_tensor(file, name));
  ScratchFolder folder;
  write_safetensors(folder.path("again"), tensors, file.metadata());
  EXPECT_TRUE(read_file(folder.path("again")) == read_file(path));
}
#endif

TEST(TensorIo, Refusals) {
  std::string header =
      R"({"flag":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"u":{"dtype":"U16","shape":[1],"data_offsets":[2,4]},"deep":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[4,5]}})";
  HeapBytes heap = on_heap(raw<uint64_t>(header.size()) + header + "\x01\x02uux");
  SafetensorsFile file = SafetensorsFile::from_bytes(heap.bytes, heap.owner, "x");
  EXPECT_TRUE(has(error_of([&] { load_tensor(file, "flag"); }), "\"flag\""));
  EXPECT_TRUE(has(error_of([&] { load_tensor(file, "u"); }, ErrorKind::kUnsupported), "U16"));
  error_of([&] { load_tensor(file, "nothing"); }, ErrorKind::kArgument);
  EXPECT_THROW(load_tensor(file, "deep"), Error);
}

TEST(TensorIo, GgufTensors) {
  std::vector<float> x(64);
  for (size_t i = 0; i < 64; i++) x[i] = static_cast<float>(i) - 31;
  std::vector<uint8_t> q(68);
  quantize_row(WeightFormat::kQ8_0, x.data(), q.data(), 64);
  GgufWriter w;
  w.add_tensor("f", WeightFormat::kF32, {2, 32}, x.data());
  w.add_tensor("q", WeightFormat::kQ8_0, {2, 32}, q.data());
  std::string bytes = w.bytes();
  for (size_t shift = 0; shift < 5; shift++) {
    HeapBytes heap = on_heap(bytes, shift);
    GgufFile file = GgufFile::from_bytes(heap.bytes, heap.owner, "x.gguf");
    Tensor f = load_tensor(file, "f");
    EXPECT_EQ(f.sizes(), (Dims{2, 32}));
    EXPECT_EQ(to_doubles(f), std::vector<double>(x.begin(), x.end()));
    Tensor d = load_dequantized(file, "q");
    EXPECT_EQ(d.sizes(), (Dims{2, 32}));
    EXPECT_NEAR(to_doubles(d)[63], 32, 0.2);
    EXPECT_TRUE(has(error_of([&] { load_tensor(file, "q"); }, ErrorKind::kUnsupported), "Q8_0"));
  }
}

}  // namespace
}  // namespace ingot
