// Compiled kernels on disk, shared by all processes of a user. A cache never makes anything fail: what cannot be read,
// is damaged or was not written by it counts as absent and is written anew; a folder that cannot be written means that
// nothing is kept.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingot/device/cuda/sha256.h"

namespace ingot::cuda {

class CubinCache {
 public:
  static constexpr uint64_t kDefaultLimit = uint64_t{256} << 20;

  // An empty folder keeps nothing. The folder and those above it are made when something is first stored, and only this
  // user may enter what was made.
  explicit CubinCache(std::string folder, uint64_t limit_bytes = kDefaultLimit);

  // INGOT_CACHE_DIR/cuda, else XDG_CACHE_HOME/ingot/cuda, else ~/.cache/ingot/cuda; empty if none of them is set.
  static std::string default_folder();

  const std::string& folder() const { return folder_; }

  // What was stored under the key, if all of it is there. A file that others could have written is not trusted.
  std::optional<std::string> load(const Sha256::Digest& key) const;

  // Written beside and renamed, so that a reader sees all or nothing. If the folder then holds more than the limit,
  // what was used longest ago goes.
  void store(const Sha256::Digest& key, std::string_view image) const;

 private:
  std::string path(const Sha256::Digest& key) const;
  void trim() const;

  std::string folder_;
  uint64_t limit_;
};

}  // namespace ingot::cuda
