// The tape itself; gradients of operators are checked where the operators are.
#include "ingot/tensor/autograd.h"

#include <gtest/gtest.h>

#include <thread>

#include "ingot/base/error.h"
#include "ingot/tensor/stream.h"

namespace ingot {
namespace {

Tensor leaf(double value = 2) { return set_requires_grad(full({2}, value, DType::kF32)); }

Grads pass(const Grads& g, const Saved&) { return g; }

TEST(RequiresGrad, IsForFloats) {
  for (DType t : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    EXPECT_TRUE(requires_grad(set_requires_grad(zeros({1}, t))));
  for (DType t : {DType::kI64, DType::kBool, DType::kF8E4M3, DType::kF8E5M2}) {
    EXPECT_THROW(set_requires_grad(zeros({1}, t)), Error) << name(t);
    EXPECT_FALSE(requires_grad(set_requires_grad(zeros({1}, t), false)));
  }
  Tensor x = zeros({1}, DType::kF32);
  Tensor y = set_requires_grad(x);
  EXPECT_FALSE(requires_grad(x)) << "only the returned handle";
  EXPECT_EQ(x.storage(), y.storage());
  EXPECT_FALSE(requires_grad(y.detach()));
  EXPECT_FALSE(requires_grad(set_requires_grad(y, false)));
}

TEST(Record, DoesNothingUnlessWanted) {
  Tensor y = record(zeros({2}, DType::kF32), {zeros({2}, DType::kF32), Tensor()}, {}, pass);
  EXPECT_EQ(y.autograd(), nullptr);
  Tensor z = record(zeros({2}, DType::kF32), {zeros({2}, DType::kF32), leaf()}, {}, pass);
  ASSERT_NE(z.autograd(), nullptr);
  EXPECT_TRUE(requires_grad(z));
  EXPECT_EQ(z.autograd()->node->inputs.size(), 2u);
  EXPECT_TRUE(wants_grad({z}));
  EXPECT_FALSE(wants_grad({z.detach(), Tensor()}));
}

TEST(Record, NothingUnderNoGrad) {
  Tensor x = leaf();
  {
    NoGrad outer;
    {
      NoGrad inner;
      EXPECT_FALSE(grad_enabled());
    }
    EXPECT_FALSE(grad_enabled()) << "the inner one gives back what it found";
    EXPECT_EQ(record(zeros({2}, DType::kF32), {x}, {}, pass).autograd(), nullptr);
    std::thread([] { EXPECT_TRUE(grad_enabled()); }).join();
  }
  EXPECT_TRUE(grad_enabled());
}

TEST(Record, SeveralOutputsShareANode) {
  Tensor x = leaf();
  auto out = record({zeros({2}, DType::kF32), zeros({2}, DType::kF32)}, {x}, {}, pass);
  EXPECT_EQ(out[0].autograd()->node, out[1].autograd()->node);
  EXPECT_EQ(out[0].autograd()->output_index, 0);
  EXPECT_EQ(out[1].autograd()->output_index, 1);
}

TEST(SavedTensors, ComeBackAsTheyWere) {
  Tensor x = leaf(), y = full({2}, 4, DType::kF32);
  Tensor z = record(y, {x}, save(input(x), output(0), input(Tensor())), pass);
  const auto& node = z.autograd()->node;
  Saved s = node->unpack(node);
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].autograd(), x.autograd()) << "an input keeps its place in the graph";
  EXPECT_EQ(s[1].storage(), z.storage());
  EXPECT_EQ(s[1].autograd()->node, node) << "so does an output, once it is unpacked";
  EXPECT_FALSE(s[2].defined());
}

TEST(SavedTensors, ChangedInPlaceIsAnError) {
  Tensor x = leaf();
  for (bool save_output : {false, true}) {
    Tensor y = full({2}, 4, DType::kF32);
    Tensor z = record(y, {x}, save_output ? save(output(0)) : save(input(x)), pass);
    auto node = z.autograd()->node;
    EXPECT_NO_THROW(node->unpack(node));
    // Through another view of the same storage.
    Tensor other = (save_output ? y : x).slice(0, 1, 2);
    uint64_t saved = other.version();
    cpu_stream().run("fill_", {}, {other}, [other] { *other.data<float>() = 0; });
    try {
      node->unpack(node);
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kState);
      EXPECT_EQ(e.what(),
                cat("backward: a tensor of sizes [2] saved for the gradient was changed in place since (version ",
                    saved, " saved, ", saved + 1, " now)"));
    }
  }
}

TEST(Graph, OwnsNothingInACircle) {
  std::weak_ptr<Storage> storage;
  std::weak_ptr<Node> node;
  {
    Tensor x = leaf();
    Tensor y = full({2}, 4, DType::kF32);
    storage = y.storage();
    Tensor z = record(std::move(y), {x}, save(output(0)), pass);
    node = z.autograd()->node;
    Saved s = z.autograd()->node->unpack(z.autograd()->node);
    EXPECT_FALSE(node.expired());
  }
  EXPECT_TRUE(node.expired());
  EXPECT_TRUE(storage.expired());
}

TEST(Graph, LongChainsAreFreedWithoutRecursion) {
  Tensor x = leaf();
  std::weak_ptr<AutogradMeta> first = x.autograd();
  Tensor value = zeros({2}, DType::kF32);
  for (int i = 0; i < 300000; i++) {
    // Edges through inputs, saved tensors and what a backward function holds.
    Tensor held = i % 3 == 0 ? x : Tensor();
    x = record(value.detach(), {i % 3 == 2 ? leaf() : x}, i % 3 == 2 ? save(input(x)) : save(),
               [held](const Grads& g, const Saved&) { return g; });
  }
  x = Tensor();
  EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace ingot
