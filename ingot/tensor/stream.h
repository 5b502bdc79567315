// The CPU's stream. Operator bodies go through it: they run at once, or inside a capture are recorded and run at each
// replay. A body holds its tensors and asks for their pointers when it runs, so a program needs no second
// implementation of anything.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "ingot/tensor/tensor.h"

namespace ingot {

class INGOT_API CpuStream {
 public:
  // One operator call that a capture recorded.
  struct INGOT_API Call {
    std::string name;
    std::vector<Tensor> inputs, outputs;
    std::function<void()> body;
    void run() const;  // counts the outputs' versions up, as the call itself would have, and runs the body
  };

  // The calling thread's view of the one CPU stream; a capture belongs to the thread that began it.
  static CpuStream& current();

  // `outputs` are written by the body: their versions are counted up when it runs. Error, in a capture too, if one of
  // them is read-only memory.
  template <class F>
  void run(const char* name, std::initializer_list<Tensor> inputs, std::initializer_list<Tensor> outputs, F&& body) {
    check_writable(name, outputs);
    if (captured_) {
      captured_->push_back(
          {name, {inputs.begin(), inputs.end()}, {outputs.begin(), outputs.end()}, std::forward<F>(body)});
      return;
    }
    note_writes(outputs.begin(), outputs.size());
    body();
  }

  // The calls that `record` makes on this thread, in order, without running them. Error if a capture is under way. If
  // `record` throws, nothing stays recorded and the stream works on.
  std::vector<Call> capture(const std::function<void()>& record);
  bool capturing() const { return captured_ != nullptr; }

 private:
  static void check_writable(const char* name, std::initializer_list<Tensor> outputs);
  static void note_writes(const Tensor* outputs, size_t count);
  std::vector<Call>* captured_ = nullptr;
};

inline CpuStream& cpu_stream() { return CpuStream::current(); }

// Runs captured calls in order.
INGOT_API void replay(const std::vector<CpuStream::Call>& calls);

}  // namespace ingot
