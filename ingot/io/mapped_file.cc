#include "ingot/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "ingot/base/error.h"

namespace ingot {

namespace {

[[noreturn]] void fail_errno(const std::string& path, const char* doing, int code) {
  fail(ErrorKind::kIo, quoted(path, 400), cat("cannot ", doing, ": ", std::generic_category().message(code)));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) fail_errno(path, "open", EINVAL);
  // O_NONBLOCK: opening a pipe that nobody writes must fail below, not wait here.
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) fail_errno(path, "open", errno);
  struct stat status;
  if (::fstat(fd.get(), &status) != 0) fail_errno(path, "read the size", errno);
  if (S_ISDIR(status.st_mode)) fail_errno(path, "read", EISDIR);
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::kIo, quoted(path, 400), "cannot map: not a regular file");
  size_t size = static_cast<size_t>(status.st_size);
  const std::byte* data = nullptr;
  if (size > 0) {
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (address == MAP_FAILED) fail_errno(path, "map", errno);
    data = static_cast<const std::byte*>(address);
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(path, data, size));
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::advise(Advice advice, size_t offset, size_t length) const {
  if (offset >= size_) return;
  length = std::min(length, size_ - offset);
  size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  size_t begin = offset / page * page;
  int hint = POSIX_MADV_NORMAL;
  switch (advice) {
    case Advice::kNormal:
      break;
    case Advice::kSequential:
      hint = POSIX_MADV_SEQUENTIAL;
      break;
    case Advice::kRandom:
      hint = POSIX_MADV_RANDOM;
      break;
    case Advice::kWillNeed:
      hint = POSIX_MADV_WILLNEED;
      break;
    case Advice::kDontNeed:
      hint = POSIX_MADV_DONTNEED;
      break;
  }
  ::posix_madvise(const_cast<std::byte*>(data_ + begin), offset - begin + length, hint);
}

}  // namespace ingot
