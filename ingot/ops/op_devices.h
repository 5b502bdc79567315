// Where an operator's operands are.
#pragma once
#include <initializer_list>

#include "ingot/base/error.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// Error kArgument if two of them are on different devices; undefined ones count as absent.
inline void check_one_device(const char* op, std::initializer_list<const Tensor*> tensors) {
  const Tensor* first = nullptr;
  for (const Tensor* t : tensors) {
    if (!t->defined()) continue;
    if (!first) first = t;
    if (t->device() != first->device())
      fail(ErrorKind::kArgument, op,
           cat("tensors on ", first->device(), " and on ", t->device(), ": move one of them"));
  }
}

// Error kUnsupported for a tensor that is not on the CPU: the operator has no body elsewhere.
inline void need_cpu(const char* op, const Tensor& x) {
  if (!x.device().is_cpu()) fail(ErrorKind::kUnsupported, op, cat("not done on device ", x.device(), " by this build"));
}

}  // namespace ingot
