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
  // The calling thread's view of the one CPU stream; a capture belongs to the thread that began it.
  static CpuStream& current();

  // `outputs` are written by the body: their versions are counted up. Error if one of them is read-only memory.
  template <class F>
  void run(const char* name, std::initializer_list<Tensor> inputs, std::initializer_list<Tensor> outputs, F&& body) {
    note_writes(name, outputs);
    if (capturing_) {
      captured_.push_back(
          {name, {inputs.begin(), inputs.end()}, {outputs.begin(), outputs.end()}, std::forward<F>(body)});
      return;
    }
    body();
  }

  struct Call {
    std::string name;
    std::vector<Tensor> inputs, outputs;
    std::function<void()> body;
  };
  void begin_capture();             // Error if one is under way
  std::vector<Call> end_capture();  // the calls in order; running their bodies in order is a replay
  bool capturing() const { return capturing_; }

 private:
  static void note_writes(const char* name, std::initializer_list<Tensor> outputs);
  bool capturing_ = false;
  std::vector<Call> captured_;
};

inline CpuStream& cpu_stream() { return CpuStream::current(); }

}  // namespace ingot
