// Threadgroup memory of the group that runs: one heap block of exact size per variable, so that AddressSanitizer sees
// an overrun, filled with 0xFF bytes (NaN, or a huge index) for each group, so that reading before writing shows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot::sim {

class ThreadgroupMemory {
 public:
  static constexpr size_t kLimit = 32 << 10;  // bytes, on every Apple GPU

  ThreadgroupMemory() = default;
  ~ThreadgroupMemory();
  ThreadgroupMemory(const ThreadgroupMemory&) = delete;
  ThreadgroupMemory& operator=(const ThreadgroupMemory&) = delete;

  void begin_dispatch();
  void begin_group() { ++group_; }
  // The block of variable `id`, at its first use in a group freshly filled. Null where the dispatch's blocks would
  // exceed kLimit; used() then tells by how much.
  void* get(int id, size_t bytes, size_t alignment);
  size_t used() const { return used_; }

 private:
  struct Block {
    void* data = nullptr;
    size_t bytes = 0;
    uint64_t group = 0, dispatch = 0;  // where it was used last
  };
  std::vector<Block> blocks_;
  uint64_t group_ = 0, dispatch_ = 0;
  size_t used_ = 0;
};

}  // namespace ingot::sim
