#include "ingot/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "ingot/base/error.h"

namespace ingot {

namespace {

constexpr size_t kBufferBytes = 1 << 16;
constexpr size_t kLargestWrite = size_t{1} << 30;  // some systems refuse 2^31 and more at once

// Makes the rename itself durable. Not every file system can do it, and the file is already in place, so failing is no
// error.
void sync_folder_of(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (fd < 0) return;
  static_cast<void>(::fsync(fd));
  ::close(fd);
}

}  // namespace

void AtomicFile::fail_errno(const char* doing, int code) const {
  fail(ErrorKind::kIo, quoted(path_, 400), cat("cannot ", doing, ": ", std::generic_category().message(code)));
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.find('\0') != std::string::npos) fail_errno("create", EINVAL);
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000 && fd_ < 0; attempt++) {
    temporary_ = cat(path_, ".tmp-", static_cast<long long>(::getpid()), "-", counter++);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && errno != EEXIST) fail_errno("create", errno);
  }
  if (fd_ < 0) fail_errno("create", EEXIST);
  struct stat old;
  if (::stat(path_.c_str(), &old) == 0 && S_ISREG(old.st_mode)) static_cast<void>(::fchmod(fd_, old.st_mode & 07777));
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write_through(const char* data, size_t size) {
  while (size > 0) {
    ssize_t done = ::write(fd_, data, std::min(size, kLargestWrite));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_errno("write", errno);
    data += done;
    size -= static_cast<size_t>(done);
  }
}

void AtomicFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write(const void* data, size_t size) {
  if (fd_ < 0) fail(ErrorKind::kState, quoted(path_, 400), "written to after commit");
  if (size == 0) return;
  written_ += size;
  if (buffer_.size() + size > kBufferBytes) flush();
  if (size > kBufferBytes) return write_through(static_cast<const char*>(data), size);
  buffer_.append(static_cast<const char*>(data), size);
}

void AtomicFile::write_zeros(size_t count) {
  static constexpr char kZeros[256] = {};
  for (; count > 0; count -= std::min(count, sizeof kZeros)) write(kZeros, std::min(count, sizeof kZeros));
}

void AtomicFile::commit() {
  if (fd_ < 0) fail(ErrorKind::kState, quoted(path_, 400), "committed twice");
  flush();
  if (::fsync(fd_) != 0 && errno != EINVAL) fail_errno("flush to disk", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail_errno("rename into place", errno);
  // From here on the temporary name is gone; the destructor must not touch it.
  int closed = ::close(fd_), code = errno;
  fd_ = -1;
  if (closed != 0 && code != EINTR) fail_errno("close", code);
  sync_folder_of(path_);
}

void write_file_atomically(const std::string& path, std::string_view contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace ingot
