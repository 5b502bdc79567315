#include "ingot/tensor/autograd.h"

#include "ingot/base/error.h"

namespace ingot {

namespace {
thread_local bool enabled = true;
}

NoGrad::NoGrad() : before_(enabled) { enabled = false; }
NoGrad::~NoGrad() { enabled = before_; }
bool grad_enabled() { return enabled; }

bool requires_grad(const Tensor& t) { return t.autograd() && (t.autograd()->requires_grad || t.autograd()->node); }

Tensor set_requires_grad(Tensor t, bool on) {
  if (on && (!is_floating(t.dtype()) || is_float8(t.dtype())))
    fail_argument("set_requires_grad", "dtype", "f16, bf16, f32 or f64", cat(t.dtype()));
  auto meta = std::make_shared<AutogradMeta>();
  meta->requires_grad = on;
  t.set_autograd(std::move(meta));
  return t;
}

bool wants_grad(std::initializer_list<Tensor> inputs) {
  if (!enabled) return false;
  for (const Tensor& x : inputs)
    if (x.defined() && requires_grad(x)) return true;
  return false;
}

std::vector<Tensor> record(std::vector<Tensor> outputs, std::initializer_list<Tensor> inputs,
                           std::vector<SaveEntry> saves, BackwardFunction backward) {
  if (!wants_grad(inputs)) return outputs;
  auto node = std::make_shared<Node>();
  node->inputs.assign(inputs.begin(), inputs.end());
  node->backward = std::move(backward);
  for (SaveEntry& entry : saves) {
    Tensor t = entry.output_index >= 0 ? outputs.at(size_t(entry.output_index)).detach() : entry.tensor;
    uint64_t version = t.defined() ? t.version() : 0;
    node->saved.push_back({std::move(t), version, entry.output_index});
  }
  for (size_t i = 0; i < outputs.size(); i++) {
    auto meta = std::make_shared<AutogradMeta>();
    meta->node = node;
    meta->output_index = static_cast<int>(i);
    outputs[i].set_autograd(std::move(meta));
  }
  return outputs;
}

// The last handle of a long chain would otherwise destroy node after node, each inside the one before, and overflow the
// stack. So what a node holds is handed to the outermost destructor on this thread, which drops it piece by piece.
Node::~Node() {
  struct Rest {
    std::vector<Tensor> inputs;
    std::vector<SavedEntry> saved;
    BackwardFunction backward;
  };
  thread_local std::vector<Rest>* outermost = nullptr;
  Rest own{std::move(inputs), std::move(saved), std::move(backward)};
  if (outermost) {
    outermost->push_back(std::move(own));
    return;
  }
  std::vector<Rest> rests;
  outermost = &rests;
  { Rest dropped = std::move(own); }
  while (!rests.empty()) {
    Rest dropped = std::move(rests.back());
    rests.pop_back();
  }
  outermost = nullptr;
}

Saved Node::unpack(const std::shared_ptr<Node>& self) const {
  Saved out;
  for (const SavedEntry& entry : saved) {
    if (entry.tensor.defined() && entry.tensor.version() != entry.version)
      fail(ErrorKind::kState, "backward",
           cat("a tensor of sizes ", entry.tensor.sizes(),
               " saved for the gradient was changed in place since (version ", entry.version, " saved, ",
               entry.tensor.version(), " now)"));
    Tensor t = entry.tensor;
    if (entry.output_index >= 0) {
      auto meta = std::make_shared<AutogradMeta>();
      meta->node = self;
      meta->output_index = entry.output_index;
      t.set_autograd(std::move(meta));
    }
    out.push_back(std::move(t));
  }
  return out;
}

}  // namespace ingot
