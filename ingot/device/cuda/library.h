// A shared library opened at run time: nothing of CUDA is linked, so one binary runs with and without it.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace ingot::cuda {

class Library {
 public:
  Library() = default;  // nothing opened
  // The first of `paths` that opens stays open until the process ends: libraries of CUDA keep threads and exit
  // handlers. Where none does, opened() is false and error() holds the loader's words about each.
  explicit Library(std::span<const std::string> paths);

  bool opened() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

  // Fills in a function pointer. A symbol that is not there makes it null, and is named in missing() if it is needed.
  template <class F>
  void bind(F*& function, const char* name) {
    function = reinterpret_cast<F*>(symbol(name));
    if (!function) missing_ += (missing_.empty() ? "" : ", ") + std::string(name);
  }
  template <class F>
  void bind_if_there(F*& function, const char* name) {
    function = reinterpret_cast<F*>(symbol(name));
  }
  const std::string& missing() const { return missing_; }  // names, by commas

 private:
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string path_, error_, missing_;
};

// `names`, or only what the environment variable says if it is set and not empty.
std::vector<std::string> library_paths(const char* variable, std::vector<std::string> names);

}  // namespace ingot::cuda
