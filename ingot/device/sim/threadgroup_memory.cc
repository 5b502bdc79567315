#include "ingot/device/sim/threadgroup_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "ingot/device/sim/sanitizers.h"

namespace ingot::sim {

ThreadgroupMemory::~ThreadgroupMemory() {
  for (Block& block : blocks_) std::free(block.data);
}

void ThreadgroupMemory::begin_dispatch() {
  ++dispatch_;
  used_ = 0;
}

void* ThreadgroupMemory::get(int id, size_t bytes, size_t alignment) {
  if (size_t(id) >= blocks_.size()) blocks_.resize(size_t(id) + 1);
  Block& block = blocks_[size_t(id)];
  if (block.dispatch != dispatch_) {
    block.dispatch = dispatch_;
    used_ += bytes;
  }
  if (used_ > kLimit) return nullptr;
  if (block.group != group_) {
    block.group = group_;
    // For the race detector each group's block is a new one: groups share nothing.
    if (block.bytes != bytes || kRaceDetector) {
      std::free(block.data);
      block.data = nullptr;
      if (posix_memalign(&block.data, std::max<size_t>(16, alignment), bytes) != 0) throw std::bad_alloc();
      block.bytes = bytes;
    }
    std::memset(block.data, 0xFF, bytes);
  }
  return block.data;
}

}  // namespace ingot::sim
