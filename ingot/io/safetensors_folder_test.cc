#include "ingot/io/safetensors_folder.h"

#include "ingot/io/test_support.h"

namespace ingot {
namespace {

using namespace testing_io;

void put_shard(const ScratchFolder& folder, const std::string& file, const std::vector<std::string>& names) {
  uint8_t value = static_cast<uint8_t>(names[0][0]);  // tells the shards apart
  std::vector<SafetensorsEntry> entries;
  for (const std::string& n : names) entries.push_back({n, DType::kU8, {1}, &value});
  write_safetensors(folder.path(file), entries);
}

void put_three_shards(const ScratchFolder& folder) {
  put_shard(folder, "model-00001-of-00003.safetensors", {"a", "b"});
  put_shard(folder, "model-00002-of-00003.safetensors", {"c"});
  put_shard(folder, "mtp.safetensors", {"m", "not in the index"});
  folder.put("model.safetensors.index.json",
             R"({"metadata":{"total_size":4},"weight_map":{"a":"model-00001-of-00003.safetensors",
    "b":"model-00001-of-00003.safetensors","c":"model-00002-of-00003.safetensors","m":"mtp.safetensors"}})");
}

TEST(SafetensorsFolder, SingleFileBothNames) {
  for (const char* file : {"model.safetensors", "diffusion_pytorch_model.safetensors"}) {
    ScratchFolder folder;
    put_shard(folder, file, {"w"});
    SafetensorsFolder opened = SafetensorsFolder::open(folder.path());
    EXPECT_EQ(opened.names(), std::vector<std::string>{"w"});
    EXPECT_EQ(opened.get("w").nbytes, 1u);
    EXPECT_EQ(opened.find("v"), nullptr);
    error_of([&] { opened.get("v"); }, ErrorKind::kArgument);
  }
}

TEST(SafetensorsFolder, IndexAndShards) {
  ScratchFolder folder;
  put_three_shards(folder);
  SafetensorsFolder opened = SafetensorsFolder::open(folder.path());
  EXPECT_EQ(opened.names(), (std::vector<std::string>{"a", "b", "c", "m"}));
  EXPECT_EQ(opened.files().size(), 3u);
  EXPECT_NE(*opened.get("a").data, *opened.get("c").data);
  EXPECT_EQ(opened.file_of("m").label(), folder.path("mtp.safetensors"));
  // Handles taken out of the folder outlive it.
  SafetensorsFile file = opened.file_of("c");
  opened = SafetensorsFolder();
  EXPECT_EQ(file.get("c").nbytes, 1u);
}

// B50: an index whose shard is not there.
TEST(SafetensorsFolder, MissingShardsAreNamed) {
  ScratchFolder folder;
  put_three_shards(folder);
  std::filesystem::remove(folder.path("model-00002-of-00003.safetensors"));
  // The shards that are there are not opened: this one would fail.
  folder.put("model-00001-of-00003.safetensors", "garbage");
  std::string one = error_of([&] { SafetensorsFolder::open(folder.path()); }, ErrorKind::kIo);
  EXPECT_TRUE(has(one, "missing 1 of the 3") && has(one, "model-00002-of-00003.safetensors")) << one;
  EXPECT_FALSE(has(one, "\n"));
  std::filesystem::remove(folder.path("mtp.safetensors"));
  std::string two = error_of([&] { SafetensorsFolder::open(folder.path()); }, ErrorKind::kIo);
  EXPECT_TRUE(has(two, "model-00002-of-00003.safetensors") && has(two, "mtp.safetensors")) << two;
}

TEST(SafetensorsFolder, EmptyOrMissingFolder) {
  ScratchFolder folder;
  EXPECT_TRUE(has(error_of([&] { SafetensorsFolder::open(folder.path()); }, ErrorKind::kIo), "model.safetensors"));
  EXPECT_TRUE(has(error_of([&] { SafetensorsFolder::open(folder.path("no")); }, ErrorKind::kIo), "No such file"));
  put_shard(folder, "adapter.safetensors", {"w"});
  EXPECT_TRUE(has(error_of([&] { SafetensorsFolder::open(folder.path()); }, ErrorKind::kIo), "adapter.safetensors"));
}

TEST(SafetensorsFolder, StaleIndex) {
  ScratchFolder folder;
  put_three_shards(folder);
  put_shard(folder, "model-00002-of-00003.safetensors", {"renamed"});
  std::string message = error_of([&] { SafetensorsFolder::open(folder.path()); });
  EXPECT_TRUE(has(message, "stale") && has(message, "\"c\"") && has(message, "model-00002-of-00003.safetensors"))
      << message;
}

TEST(SafetensorsFolder, FileNamesStayInsideTheFolder) {
  ScratchFolder folder;
  std::filesystem::create_directories(folder.path("inside/sub"));
  put_shard(folder, "outside.safetensors", {"w"});
  put_shard(folder, "inside/sub/ok.safetensors", {"w"});
  auto open_with = [&](std::string_view name) {
    folder.put("inside/model.safetensors.index.json", cat(R"({"weight_map":{"w":")", name, R"("}})"));
    return SafetensorsFolder::open(folder.path("inside"));
  };
  EXPECT_EQ(open_with("sub/ok.safetensors").names().size(), 1u);
  for (const std::string& name : {std::string("../outside.safetensors"), std::string("sub/../../outside.safetensors"),
                                  folder.path("outside.safetensors"), std::string(""), std::string(".."),
                                  std::string("sub/"), std::string("a\\u0000b")}) {
    EXPECT_TRUE(has(error_of([&] { open_with(name); }), "inside the folder")) << name;
  }
}

// B51, B52: a tied model may store the head, with or without scales, or only one of the two names. That is for the
// model to settle; here nothing is refused, and what is absent is told apart from what is there.
TEST(SafetensorsFolder, TiedNames) {
  ScratchFolder both;
  put_shard(both, "model.safetensors",
            {"model.embed_tokens.weight", "lm_head.weight", "lm_head.scales", "lm_head.biases"});
  SafetensorsFolder with_head = SafetensorsFolder::open(both.path());
  EXPECT_NE(with_head.find("model.embed_tokens.weight"), nullptr);
  EXPECT_NE(with_head.find("lm_head.weight"), nullptr);
  for (const char* only : {"lm_head.weight", "model.embed_tokens.weight"}) {
    ScratchFolder one;
    put_shard(one, "model.safetensors", {only});
    SafetensorsFolder folder = SafetensorsFolder::open(one.path());
    EXPECT_NE(folder.find(only), nullptr);
    EXPECT_EQ(folder.names().size(), 1u);
  }
}

// Download caches keep the files elsewhere and link to them.
TEST(SafetensorsFolder, LinkedShards) {
  ScratchFolder folder;
  put_shard(folder, "blob.safetensors", {"w"});
  folder.put("inside/model.safetensors.index.json", R"({"weight_map":{"w":"s.safetensors"}})");
  std::filesystem::create_symlink("../blob.safetensors", folder.path("inside/s.safetensors"));
  EXPECT_EQ(SafetensorsFolder::open(folder.path("inside")).names().size(), 1u);
}

TEST(SafetensorsFolder, BrokenIndex) {
  for (const char* text : {"", "{", "[]", "{}", R"({"weight_map":[]})", R"({"weight_map":{"w":1}})",
                           R"({"weight_map":{"w":"a.safetensors","w":"b.safetensors"}})"}) {
    ScratchFolder folder;
    std::string path = folder.put("model.safetensors.index.json", text);
    EXPECT_TRUE(has(error_of([&] { SafetensorsFolder::open(folder.path()); }), path)) << text;
  }
}

}  // namespace
}  // namespace ingot
