#include "ingot/device/cuda/library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace ingot::cuda {

Library::Library(std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) {
      path_ = path;
      error_.clear();
      return;
    }
    const char* why = dlerror();
    error_ += (error_.empty() ? "" : "; ") + std::string(why ? why : path + ": cannot be opened");
  }
}

void* Library::symbol(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

std::vector<std::string> library_paths(const char* variable, std::vector<std::string> names) {
  const char* named = std::getenv(variable);
  if (named && *named) return {named};
  return names;
}

}  // namespace ingot::cuda
