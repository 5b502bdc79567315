#include "ingot/cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace ingot::cli {

namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
}  // namespace

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(stderr_is_terminal()), started_(now()) {}

void Progress::update(int64_t done, int64_t total) {
  double t = now();
  if (!terminal_ || total <= 0 || t - drawn_ < 0.1) return;
  drawn_ = t;
  visible_ = true;
  constexpr int kWidth = 30;
  int filled = int(double(done) / double(total) * kWidth);
  std::string bar(size_t(filled), '=');
  bar.resize(kWidth, ' ');
  double left = done > 0 ? (t - started_) / double(done) * double(total - done) : 0;
  fprintf(stderr, "\r%s [%s] %lld/%lld, %.0f s left \033[K", what_.c_str(), bar.c_str(), (long long)done,
          (long long)total, left);
  fflush(stderr);
}

void Progress::clear() {
  if (visible_) fprintf(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace ingot::cli
