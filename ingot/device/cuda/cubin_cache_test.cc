#include "ingot/device/cuda/cubin_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "ingot/base/scratch_folder_test.h"

namespace ingot::cuda {
namespace {

namespace fs = std::filesystem;

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatterButFieldsDo) {
  const std::string text(300, 'x');
  Sha256 pieces;
  for (size_t i = 0; i < text.size(); i += 7) pieces.add(std::string_view(text).substr(i, 7));
  EXPECT_EQ(pieces.finish(), sha256(text));
  Sha256 a, b;
  a.add_field("ab"), a.add_field("c");
  b.add_field("a"), b.add_field("bc");
  EXPECT_NE(a.finish(), b.finish());
}

class CubinCacheTest : public ::testing::Test {
 protected:
  fs::path only_file() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    EXPECT_EQ(files.size(), 1u);
    return files.empty() ? fs::path() : files[0];
  }
  size_t files() const { return scratch_.count(); }

  ScratchFolder scratch_;
  std::string folder_ = scratch_.path();
  const Sha256::Digest key_ = sha256("key"), other_ = sha256("other");
  const std::string image_ = std::string("an image with a \0 in it", 23) + std::string(5000, 'i');
};

TEST_F(CubinCacheTest, GivesBackWhatWasStored) {
  const CubinCache cache(folder_);
  EXPECT_EQ(cache.load(key_), std::nullopt);
  cache.store(key_, image_);
  EXPECT_EQ(cache.load(key_), image_);
  EXPECT_EQ(cache.load(other_), std::nullopt);
  cache.store(key_, "another");
  EXPECT_EQ(CubinCache(folder_).load(key_), "another");
  only_file();  // nothing temporary is left
}

TEST_F(CubinCacheTest, MakesItsFolderForThisUserOnly) {
  const CubinCache cache(folder_ + "/deep/down/cuda");
  cache.store(key_, image_);
  EXPECT_EQ(cache.load(key_), image_);
  struct stat info {};
  ASSERT_EQ(stat(cache.folder().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(CubinCacheTest, EveryDamageIsSeen) {
  const CubinCache cache(folder_);
  cache.store(key_, image_);
  const fs::path path = only_file();
  std::string good(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(good.data(), std::streamsize(good.size()));
  const auto write = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(bytes.size()));
  };
  for (size_t i = 0; i < good.size(); i += i < 128 ? 1 : 501) {
    std::string bad = good;
    bad[i] ^= 0x20;
    write(bad);
    EXPECT_EQ(cache.load(key_), std::nullopt) << "byte " << i;
  }
  for (const size_t size : {size_t{0}, size_t{5}, size_t{79}, size_t{80}, good.size() - 1}) {
    write(good.substr(0, size));
    EXPECT_EQ(cache.load(key_), std::nullopt) << size << " bytes";
  }
  write(good + "x");
  EXPECT_EQ(cache.load(key_), std::nullopt);
  cache.store(key_, image_);  // a damaged file is written anew
  EXPECT_EQ(cache.load(key_), image_);
}

TEST_F(CubinCacheTest, WhatOthersCouldHaveWrittenIsNotTrusted) {
  const CubinCache cache(folder_);
  cache.store(key_, image_);
  const fs::path path = only_file();
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  EXPECT_EQ(cache.load(key_), std::nullopt);
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(cache.load(key_), image_);
  fs::rename(path, folder_ + "/moved");
  fs::create_symlink("moved", path);
  EXPECT_EQ(cache.load(key_), std::nullopt);
}

TEST_F(CubinCacheTest, NoFolderKeepsNothing) {
  for (const std::string& folder : {std::string(), folder_ + "/file/below", std::string("/proc/nowhere")}) {
    std::ofstream(folder_ + "/file") << "not a folder";
    const CubinCache cache(folder);
    cache.store(key_, image_);
    EXPECT_EQ(cache.load(key_), std::nullopt) << folder;
  }
}

TEST_F(CubinCacheTest, BeyondTheLimitTheOldestGo) {
  const CubinCache cache(folder_, 4 * 1100);
  std::ofstream(folder_ + "/something else") << std::string(5000, 'x');
  std::vector<Sha256::Digest> keys;
  for (int i = 0; i < 4; ++i) {
    keys.push_back(sha256(std::to_string(i)));
    cache.store(keys.back(), std::string(1000, char('a' + i)));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_NE(cache.load(keys[0]), std::nullopt);  // used now, so that 1 is the oldest
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  cache.store(key_, std::string(1000, 'z'));
  EXPECT_NE(cache.load(keys[0]), std::nullopt);
  EXPECT_EQ(cache.load(keys[1]), std::nullopt);
  EXPECT_NE(cache.load(keys[2]), std::nullopt);
  EXPECT_NE(cache.load(key_), std::nullopt);
  EXPECT_TRUE(fs::exists(folder_ + "/something else"));
}

TEST_F(CubinCacheTest, TemporaryFilesOfACrashGoAfterAnHour) {
  const std::string old = folder_ + "/abc.cubin.1.0.tmp", young = folder_ + "/abc.cubin.2.0.tmp";
  std::ofstream(old) << "half";
  std::ofstream(young) << "half";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  CubinCache(folder_).store(key_, image_);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

TEST_F(CubinCacheTest, ManyWritersAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const CubinCache cache(folder_);
      for (int i = 0; i < 50; ++i) {
        cache.store(key_, std::string(size_t(1000 + t), char('a' + t)));
        const std::optional<std::string> read = cache.load(key_);
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(*read, std::string(read->size(), (*read)[0]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files(), 1u);
}

TEST(CubinCacheFolder, FromTheEnvironment) {
  const auto with = [](const char* ingot, const char* xdg, const char* home) {
    setenv("INGOT_CACHE_DIR", ingot, 1);
    setenv("XDG_CACHE_HOME", xdg, 1);
    setenv("HOME", home, 1);
    return CubinCache::default_folder();
  };
  std::vector<std::pair<const char*, std::optional<std::string>>> before;
  for (const char* name : {"INGOT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
    const char* value = getenv(name);
    before.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
  }
  EXPECT_EQ(with("/a", "/b", "/c"), "/a/cuda");
  EXPECT_EQ(with("", "/b", "/c"), "/b/ingot/cuda");
  EXPECT_EQ(with("", "relative", "/c"), "/c/.cache/ingot/cuda");
  EXPECT_EQ(with("", "", ""), "");
  for (const auto& [name, value] : before) value ? setenv(name, value->c_str(), 1) : unsetenv(name);
}

}  // namespace
}  // namespace ingot::cuda
