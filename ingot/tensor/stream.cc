#include "ingot/tensor/stream.h"

#include "ingot/base/error.h"

namespace ingot {

CpuStream& CpuStream::current() {
  thread_local CpuStream stream;
  return stream;
}

void CpuStream::note_writes(const char* name, std::initializer_list<Tensor> outputs) {
  for (const Tensor& y : outputs) {
    if (!y.defined()) continue;
    if (y.storage()->read_only()) fail(ErrorKind::kArgument, name, "the output is read-only memory (a mapped file)");
    y.storage()->bump_version();
  }
}

void CpuStream::begin_capture() {
  if (capturing_) fail(ErrorKind::kState, "begin_capture", "a capture is under way on this thread");
  capturing_ = true;
}

std::vector<CpuStream::Call> CpuStream::end_capture() {
  if (!capturing_) fail(ErrorKind::kState, "end_capture", "no capture is under way on this thread");
  capturing_ = false;
  return std::exchange(captured_, {});
}

}  // namespace ingot
