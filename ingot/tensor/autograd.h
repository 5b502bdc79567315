// The tape: what an operator leaves behind so that gradients can be computed later.
//   return record(y, {x}, save(output(0)), [dim](const Grads& g, const Saved& s) { return Grads{softmax_backward(g[0],
//   s[0], dim)}; });
// record does nothing unless a gradient is wanted. What it saves is held apart from the node: an output is saved
// without its own node, so nothing owns itself in a circle; each saved tensor remembers its storage's version, so one
// changed in place since is an Error, not a wrong gradient. A backward function is made of tensor operators: it runs on
// every device and can be recorded again.
#pragma once
#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include "ingot/tensor/tensor.h"

namespace ingot {

using Grads = std::vector<Tensor>;  // one per output or input; undefined where none
using Saved = std::vector<Tensor>;
using BackwardFunction = std::function<Grads(const Grads& output_grads, const Saved& saved)>;

struct Node;
struct AutogradMeta {
  bool requires_grad = false;  // a leaf that wants a gradient
  std::shared_ptr<Node> node;  // what computed the tensor; null for a leaf
  int output_index = 0;
  Tensor grad;  // of a leaf, after backward
};

// One entry of what to save: a tensor, or the operator's own output by number.
struct SaveEntry {
  Tensor tensor;
  int output_index = -1;
};
inline SaveEntry output(int index) { return {Tensor(), index}; }
inline SaveEntry input(const Tensor& t) { return {t, -1}; }
template <class... Entries>
std::vector<SaveEntry> save(const Entries&... entries) {
  return {entries...};
}

struct INGOT_API Node {
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();  // of a chain of any length without recursion

  struct SavedEntry {
    Tensor tensor;  // detached if it is an output of this node
    uint64_t version;
    int output_index;  // -1: not an output
  };
  std::vector<Tensor> inputs;  // handles with their own metadata: the edges of the graph
  std::vector<SavedEntry> saved;
  BackwardFunction backward;

  Saved unpack(const std::shared_ptr<Node>& self) const;  // Error kState if a saved tensor was written since
};

INGOT_API bool requires_grad(const Tensor& t);
INGOT_API Tensor set_requires_grad(Tensor t, bool on = true);  // Error unless floating and not float8

// No gradients are recorded on this thread while one of these lives.
class INGOT_API NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};
INGOT_API bool grad_enabled();

// Is there anything to record for these inputs? Lets an operator skip work that only a gradient would need.
INGOT_API bool wants_grad(std::initializer_list<Tensor> inputs);

INGOT_API std::vector<Tensor> record(std::vector<Tensor> outputs, std::initializer_list<Tensor> inputs,
                                     std::vector<SaveEntry> saves, BackwardFunction backward);
template <class F>
Tensor record(Tensor y, std::initializer_list<Tensor> inputs, std::vector<SaveEntry> saves, F&& backward) {
  if (!wants_grad(inputs)) return y;
  return record(std::vector<Tensor>{std::move(y)}, inputs, std::move(saves),
                BackwardFunction(std::forward<F>(backward)))[0];
}

}  // namespace ingot
