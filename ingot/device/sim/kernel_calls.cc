// What kernels call (ingot/msl/portable/msl_sim.h), handed to the worker that runs them.
#include "ingot/device/sim/worker.h"

namespace msl_sim {

using ingot::sim::Worker;

void* Builtins::tg_arg(int index) const { return Worker::of_this_thread().threadgroup_argument(index); }
void* tg_alloc(int id, size_t bytes, size_t alignment, Where where) {
  return Worker::of_this_thread().threadgroup_block(id, bytes, alignment, where);
}
void barrier(bool orders_memory, Where where) { Worker::of_this_thread().barrier(orders_memory, where); }
void simd_op(const char* what, bool orders_memory, void* data, Together together, Where where) {
  Worker::of_this_thread().simd_op(what, orders_memory, data, together, where);
}
uint32_t lane_id() { return Worker::of_this_thread().lane(); }
void fail(const char* message, Where where) { Worker::of_this_thread().fail(message, where); }

void multiply_tiles(void* const* lanes) {
  float a[16][16], b[16][16], c[16][16];
  for (int lane = 0; lane < 32; ++lane) {
    const TileLane& t = *static_cast<const TileLane*>(lanes[lane]);
    for (int i = 0; i < 8; ++i) {
      a[lane / 2][lane % 2 * 8 + i] = t.a[i];
      b[lane / 2][lane % 2 * 8 + i] = t.b[i];
      c[lane / 2][lane % 2 * 8 + i] = t.c[i];
    }
  }
  for (int row = 0; row < 16; ++row) {
    for (int k = 0; k < 16; ++k) {
      for (int column = 0; column < 16; ++column) c[row][column] += a[row][k] * b[k][column];
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const TileLane& t = *static_cast<const TileLane*>(lanes[lane]);
    for (int i = 0; i < 8; ++i) t.c[i] = c[lane / 2][lane % 2 * 8 + i];
  }
}

}  // namespace msl_sim
