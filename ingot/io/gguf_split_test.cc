#include "ingot/io/gguf_split.h"

#include "ingot/io/gguf_writer.h"
#include "ingot/io/test_support.h"

namespace ingot {
namespace {

using namespace testing_io;

// Three parts of one tensor each; all general keys in the first.
std::string part(int number, int count = 3, int tensors = 3) {
  static const float values[] = {10, 20, 30, 40};
  GgufWriter w;
  if (number == 0) w.add("general.architecture", "llama");
  w.add("split.no", static_cast<uint16_t>(number));
  w.add("split.count", static_cast<uint16_t>(count));
  w.add("split.tensors.count", static_cast<int32_t>(tensors));
  w.add_tensor(cat("t", number), WeightFormat::kF32, {1}, &values[number]);
  return w.bytes();
}

void put_parts(const ScratchFolder& folder) {
  for (int i = 0; i < 3; i++) folder.put(cat("m-0000", i + 1, "-of-00003.gguf"), part(i));
}

TEST(GgufSplit, Names) {
  std::optional<GgufSplitName> name = parse_gguf_split_name("a/b-00002-of-00013.gguf");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->prefix, "a/b");
  EXPECT_EQ(name->number, 2u);
  EXPECT_EQ(name->count, 13u);
  EXPECT_EQ(gguf_split_path(*name, 11), "a/b-00011-of-00013.gguf");
  for (const char* no :
       {"m.gguf", "-00001-of-00002.gguf", "m-00003-of-00002.gguf", "m-00000-of-00002.gguf", "m-0001-of-00002.gguf",
        "m-0000x-of-00002.gguf", "m-00001-of-00002.ggux", "m-+0001-of-00002.gguf"}) {
    EXPECT_FALSE(parse_gguf_split_name(no)) << no;
  }
}

// B54: any part opens the whole set.
TEST(GgufSplit, AnyPartOpensTheSet) {
  ScratchFolder folder;
  put_parts(folder);
  for (int i = 1; i <= 3; i++) {
    GgufFile file = GgufFile::open(folder.path(cat("m-0000", i, "-of-00003.gguf")));
    ASSERT_EQ(file.tensors().size(), 3u);
    EXPECT_EQ(file.get<std::string>("general.architecture"), "llama");
    for (int k = 0; k < 3; k++) {
      float value;
      memcpy(&value, file.get_tensor(cat("t", k)).data, 4);
      EXPECT_EQ(value, static_cast<float>(10 * (k + 1)));
    }
  }
}

TEST(GgufSplit, MissingPartsAreNamed) {
  ScratchFolder folder;
  put_parts(folder);
  std::filesystem::remove(folder.path("m-00002-of-00003.gguf"));
  std::string one = error_of([&] { GgufFile::open(folder.path("m-00003-of-00003.gguf")); }, ErrorKind::kIo);
  EXPECT_TRUE(has(one, "missing 1 of the 3") && has(one, "\"m-00002-of-00003.gguf\"")) << one;
  std::filesystem::remove(folder.path("m-00001-of-00003.gguf"));
  std::string two = error_of([&] { GgufFile::open(folder.path("m-00003-of-00003.gguf")); }, ErrorKind::kIo);
  EXPECT_TRUE(has(two, "m-00001-of-00003.gguf") && has(two, "m-00002-of-00003.gguf")) << two;
}

TEST(GgufSplit, JoinedPartsAreExplained) {
  ScratchFolder folder;
  std::string joined = part(0) + part(1) + part(2);
  for (const char* name : {"m.gguf", "m-00001-of-00003.gguf"}) {
    std::string message = error_of([&] { GgufFile::open(folder.put(name, joined)); });
    EXPECT_TRUE(has(message, "joined end to end")) << message;
  }
  // A first part of keys alone, as some writers make it.
  GgufWriter w;
  w.add("split.no", uint16_t{0});
  w.add("split.count", uint16_t{3});
  EXPECT_TRUE(has(error_of([&] { GgufFile::open(folder.put("k.gguf", w.bytes() + part(1))); }), "joined end to end"));
}

TEST(GgufSplit, NameAndKeysMustAgree) {
  ScratchFolder folder;
  EXPECT_TRUE(
      has(error_of([&] { GgufFile::open(folder.put("renamed.gguf", part(1))); }), "<name>-00001-of-00003.gguf"));
  put_parts(folder);
  folder.put("m-00002-of-00003.gguf", part(2));
  std::string number = error_of([&] { GgufFile::open(folder.path("m-00001-of-00003.gguf")); });
  EXPECT_TRUE(has(number, "m-00002-of-00003.gguf") && has(number, "split.no: expected 1") && has(number, "got 2"))
      << number;
  folder.put("m-00002-of-00003.gguf", part(1, 4));
  EXPECT_TRUE(has(error_of([&] { GgufFile::open(folder.path("m-00001-of-00003.gguf")); }), "split.count: expected 3"));
  folder.put("m-00002-of-00003.gguf", part(0, 3));
  EXPECT_THROW(GgufFile::open(folder.path("m-00001-of-00003.gguf")), Error);
  folder.put("m-00002-of-00003.gguf", "garbage!");
  EXPECT_TRUE(has(error_of([&] { GgufFile::open(folder.path("m-00001-of-00003.gguf")); }), "m-00002-of-00003.gguf"));
}

TEST(GgufSplit, CountsAndDuplicatesAcrossParts) {
  ScratchFolder folder;
  put_parts(folder);
  folder.put("m-00001-of-00003.gguf", part(0, 3, 5));
  EXPECT_TRUE(
      has(error_of([&] { GgufFile::open(folder.path("m-00002-of-00003.gguf")); }), "expected 5 tensors, got 3"));
  put_parts(folder);
  float value = 0;
  GgufWriter w;
  w.add("split.no", uint16_t{1});
  w.add("split.count", uint16_t{3});
  w.add_tensor("t0", WeightFormat::kF32, {1}, &value);
  folder.put("m-00002-of-00003.gguf", w.bytes());
  EXPECT_TRUE(
      has(error_of([&] { GgufFile::open(folder.path("m-00002-of-00003.gguf")); }), "\"t0\" is in more than one part"));
}

TEST(GgufSplit, FilesThatAreNotSplit) {
  ScratchFolder folder;
  GgufWriter w;
  w.add("split.count", uint16_t{1});
  EXPECT_TRUE(GgufFile::open(folder.put("one-00001-of-00001.gguf", w.bytes())).tensors().empty());
  GgufWriter plain;
  GgufFile::open(folder.put("two-00001-of-00002.gguf", plain.bytes()));  // a name alone makes no set
  std::string bytes = part(0);
  HeapBytes heap = on_heap(bytes);
  EXPECT_TRUE(has(error_of([&] { GgufFile::from_bytes(heap.bytes, heap.owner, "memory"); }, ErrorKind::kUnsupported),
                  "3 parts"));
}

}  // namespace
}  // namespace ingot
