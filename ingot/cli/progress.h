// A progress bar on standard error: only where that is a terminal, gone when done.
#pragma once
#include <cstdint>
#include <string>

namespace ingot::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress() { clear(); }
  void update(int64_t done, int64_t total);  // draws at most ten times a second
  void clear();

 private:
  std::string what_;
  bool terminal_;
  double started_, drawn_ = 0;
  bool visible_ = false;
};

// Is standard error a terminal?
bool stderr_is_terminal();

}  // namespace ingot::cli
