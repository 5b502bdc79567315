// For the tests of this folder: scratch folders, file images built by hand, and what an Error said.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ingot/base/error.h"

namespace ingot::testing_io {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ingot-io-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) fail(ErrorKind::kIo, name, "cannot make a scratch folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path(std::string_view name = "") const { return name.empty() ? path_.string() : (path_ / name).string(); }
  std::string put(std::string_view name, std::string_view contents) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << contents;
    return path(name);
  }
  size_t count() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text in a heap block of exactly its size, `shift` bytes after a 16-aligned address: a sanitizer sees every byte
// read too many.
struct HeapBytes {
  std::shared_ptr<std::byte[]> owner;
  std::span<const std::byte> bytes;
};
inline HeapBytes on_heap(std::string_view text, size_t shift = 0) {
  std::shared_ptr<std::byte[]> memory(new std::byte[text.size() + shift]);
  if (!text.empty()) memcpy(memory.get() + shift, text.data(), text.size());
  return {memory, {memory.get() + shift, text.size()}};
}

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
inline std::string raw_string(std::string_view text) { return raw<uint64_t>(text.size()) + std::string(text); }

// The message of the Error that f throws; a test failure, and "", if it throws none.
template <class F>
std::string error_of(F&& f, ErrorKind kind = ErrorKind::kFormat) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(static_cast<int>(e.kind()), static_cast<int>(kind)) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace ingot::testing_io
