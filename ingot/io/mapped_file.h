// A file mapped read-only into memory. What is read from it holds the shared_ptr, so the mapping outlives every tensor
// that borrows it. The file must not be shortened while it is mapped: the operating system then kills the process on
// access. Writers that replace a file by rename (AtomicFile does) are safe: the mapping keeps the old contents.
#pragma once
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "ingot/base/export.h"

namespace ingot {

class INGOT_API MappedFile {
 public:
  // Error kIo with the path and the system's reason; also for anything but a regular file. An empty file maps to no
  // bytes.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  size_t size() const { return size_; }
  const std::string& path() const { return path_; }

  // A hint about the bytes [offset, offset + length), cut to the file; never fails.
  enum class Advice { kNormal, kSequential, kRandom, kWillNeed, kDontNeed };
  void advise(Advice advice, size_t offset = 0, size_t length = std::numeric_limits<size_t>::max()) const;

 private:
  MappedFile(std::string path, const std::byte* data, size_t size) : path_(std::move(path)), data_(data), size_(size) {}

  std::string path_;
  const std::byte* data_;
  size_t size_;
};

}  // namespace ingot
