#include "ingot/device/cuda/cubin_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "ingot/base/strings.h"

namespace ingot::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".cubin", kTemporary = ".tmp";

// A file: this, then the image. Numbers as this machine writes them, since cubins do not travel to others either.
struct Header {
  char magic[8] = {'I', 'N', 'G', 'O', 'T', 'C', 'U', '1'};
  Sha256::Digest key{}, checksum{};
  uint64_t bytes = 0;
};
static_assert(sizeof(Header) == 80);

class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  bool read_all(void* data, size_t size) const {
    for (auto* next = static_cast<char*>(data); size > 0;) {
      const ssize_t got = read(fd_, next, size);
      if (got <= 0) return false;
      next += got, size -= size_t(got);
    }
    return true;
  }
  bool write_all(const void* data, size_t size) const {
    for (auto* next = static_cast<const char*>(data); size > 0;) {
      const ssize_t put = write(fd_, next, size);
      if (put <= 0) return false;
      next += put, size -= size_t(put);
    }
    return true;
  }

 private:
  int fd_;
};

// Code that will run on the GPU with this user's memory has to come from this user or from root.
bool trusted(const struct stat& info) {
  return S_ISREG(info.st_mode) && (info.st_uid == geteuid() || info.st_uid == 0) && !(info.st_mode & S_IWOTH);
}

bool make_folders(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return true;
  if (errno != ENOENT || !folder.has_parent_path() || folder.parent_path() == folder) return false;
  return make_folders(folder.parent_path()) && (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

}  // namespace

CubinCache::CubinCache(std::string folder, uint64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

std::string CubinCache::default_folder() {
  const auto set = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value ? std::string(value) : std::string();
  };
  if (const std::string own = set("INGOT_CACHE_DIR"); !own.empty()) return own + "/cuda";
  if (const std::string xdg = set("XDG_CACHE_HOME"); xdg.starts_with('/')) return xdg + "/ingot/cuda";
  if (const std::string home = set("HOME"); home.starts_with('/')) return home + "/.cache/ingot/cuda";
  return "";
}

std::string CubinCache::path(const Sha256::Digest& key) const {
  return cat(folder_, '/', hex(key).substr(0, 32), kEnding);
}

std::optional<std::string> CubinCache::load(const Sha256::Digest& key) const {
  if (folder_.empty()) return std::nullopt;
  const File file(path(key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat info {};
  if (!file || fstat(file.fd(), &info) != 0 || !trusted(info)) return std::nullopt;
  Header header;
  const Header expected;
  if (!file.read_all(&header, sizeof header) || std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 ||
      header.key != key || header.bytes != uint64_t(info.st_size) - sizeof header) {
    return std::nullopt;
  }
  std::string image(header.bytes, '\0');
  if (!file.read_all(image.data(), image.size()) || sha256(image) != header.checksum) return std::nullopt;
  futimens(file.fd(), nullptr);  // used now: trim() takes the oldest; a folder that cannot be written stays as it is
  return image;
}

void CubinCache::store(const Sha256::Digest& key, std::string_view image) const {
  if (folder_.empty() || !make_folders(folder_)) return;
  static std::atomic<unsigned> number{0};
  const std::string temporary = cat(path(key), '.', getpid(), '.', number++, kTemporary);
  bool written = false;
  {
    const File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file) return;
    Header header;
    header.key = key, header.checksum = sha256(image), header.bytes = image.size();
    // No fsync: after a crash the checksum tells.
    written = file.write_all(&header, sizeof header) && file.write_all(image.data(), image.size());
  }
  if (!written || std::rename(temporary.c_str(), path(key).c_str()) != 0) {
    unlink(temporary.c_str());
    return;
  }
  trim();
}

void CubinCache::trim() const {
  struct Entry {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    std::error_code gone;
    const auto used = it->last_write_time(gone);
    if (gone) continue;
    if (name.ends_with(kTemporary) && now - used > std::chrono::hours(1)) fs::remove(it->path(), gone);  // of a crash
    if (!name.ends_with(kEnding)) continue;
    const uint64_t bytes = it->file_size(gone);
    if (gone) continue;
    total += bytes;
    entries.push_back({used, bytes, it->path()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= limit_) return;
    std::error_code gone;
    fs::remove(entry.path, gone);
    total -= entry.bytes;
  }
}

}  // namespace ingot::cuda
