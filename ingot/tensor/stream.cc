#include "ingot/tensor/stream.h"

#include "ingot/base/error.h"

namespace ingot {

CpuStream& CpuStream::current() {
  thread_local CpuStream stream;
  return stream;
}

void CpuStream::check_writable(const char* name, std::initializer_list<Tensor> outputs) {
  for (const Tensor& y : outputs) {
    if (y.defined() && y.storage()->read_only())
      fail(ErrorKind::kArgument, name, "the output is read-only memory (a mapped file)");
  }
}

void CpuStream::note_writes(const Tensor* outputs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (outputs[i].defined()) outputs[i].storage()->bump_version();
  }
}

std::vector<CpuStream::Call> CpuStream::capture(const std::function<void()>& record) {
  if (capturing()) fail(ErrorKind::kState, "capture", "a capture is under way on this thread");
  std::vector<Call> calls;
  captured_ = &calls;
  struct End {
    CpuStream& stream;
    ~End() { stream.captured_ = nullptr; }
  } end{*this};
  record();
  return calls;
}

void CpuStream::Call::run() const {
  note_writes(outputs.data(), outputs.size());
  body();
}

void replay(const std::vector<CpuStream::Call>& calls) {
  for (const auto& call : calls) call.run();
}

}  // namespace ingot
