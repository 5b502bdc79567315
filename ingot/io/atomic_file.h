// Writes a file so that readers see either the old contents or all of the new: into a temporary file beside it, flushed
// to disk, then renamed over the path. What is not committed leaves no trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingot/base/export.h"

namespace ingot {

class INGOT_API AtomicFile {
 public:
  // Creates the temporary file; Error kIo if the folder cannot be written. A file already at the path keeps its
  // permissions; a symbolic link there is replaced by the file.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends. Error kIo (disk full, ...); the file can then only be dropped.
  void write(const void* data, size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void write_zeros(size_t count);
  uint64_t written() const { return written_; }

  // Error kIo if flushing or renaming fails, kState if called twice.
  void commit();

 private:
  [[noreturn]] void fail_errno(const char* doing, int code) const;
  void flush();
  void write_through(const char* data, size_t size);

  std::string path_, temporary_;
  std::string buffer_;
  uint64_t written_ = 0;
  int fd_ = -1;
};

// The whole of `contents` at once, with the same promise.
INGOT_API void write_file_atomically(const std::string& path, std::string_view contents);

}  // namespace ingot
