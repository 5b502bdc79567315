// For the tests of this folder: file images built by hand, and what an Error said.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ingot/base/error.h"
#include "ingot/base/scratch_folder_test.h"

namespace ingot::testing_io {

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
