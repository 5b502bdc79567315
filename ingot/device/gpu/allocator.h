// The caching allocator that stands between tensors and a driver's memory. The queue of a device is in order, so a
// block is handed out again as soon as it is freed: whoever gets it is enqueued later. Nothing waits.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <set>

#include "ingot/device/gpu/driver.h"

namespace ingot::gpu {

class Allocator;

// A block of device memory; freed with this object.
class INGOT_API Allocation {
 public:
  Allocation() = default;  // no memory, 0 bytes
  Allocation(Allocation&& other) noexcept { swap(other); }
  Allocation& operator=(Allocation&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Allocation();
  Slice slice() const;
  size_t bytes() const { return bytes_; }  // as asked for

 private:
  friend class Allocator;
  struct Block;
  Allocation(Allocator* owner, Block* block, size_t bytes) : owner_(owner), block_(block), bytes_(bytes) {}
  void swap(Allocation& other) {
    std::swap(owner_, other.owner_);
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
  }
  Allocator* owner_ = nullptr;
  Block* block_ = nullptr;
  size_t bytes_ = 0;
};

struct MemoryUse {
  size_t in_use;  // in blocks handed out, with what rounding up adds
  size_t peak;    // highest in_use since the last reset_peak()
  size_t cached;  // freed, kept for reuse
  size_t driver;  // in_use + cached: what the driver has given
  size_t limit;   // of `driver`; 0: none
};

class INGOT_API Allocator {
 public:
  enum class Blocks {
    kCut,    // sizes rounded up by at most an eighth, cut from larger memory, kept when freed
    kExact,  // each its own Memory of just its size, given back when freed: for the simulator, where sanitizers then
             // see accesses beyond a tensor
  };
  // Blocks are at least 256-byte aligned and must not outlive the allocator, nor that the driver.
  explicit Allocator(Driver& driver, Blocks blocks = Blocks::kCut);
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  // Contents undefined. Cached memory goes back to the driver before it, or the limit, refuses; then Error kMemory that
  // names what was asked, in use, cached and the limit.
  Allocation allocate(size_t bytes);
  void trim();  // gives cached memory that no block in use shares back to the driver
  void set_limit(size_t bytes);
  MemoryUse use() const;
  void reset_peak();

 private:
  friend class Allocation;
  using Block = Allocation::Block;
  struct Segment;
  struct BySize {
    bool operator()(const Block* a, const Block* b) const;
  };
  using FreeBlocks = std::set<Block*, BySize>;

  FreeBlocks& pool_of(size_t block_bytes);
  Block* take_cached(size_t bytes);
  Block* take_fresh(size_t bytes, size_t segment_bytes);
  Block* cut(Block* block, size_t bytes);
  bool fits_limit(size_t more) const;
  void trim_locked();
  void free(Block* block);
  [[noreturn]] void refuse(size_t asked, const char* by) const;

  Driver& driver_;
  const Blocks blocks_;
  mutable std::mutex mutex_;
  std::list<Segment> segments_;
  FreeBlocks small_, large_;
  size_t in_use_ = 0, peak_ = 0, held_ = 0, limit_ = 0;
};

// The allocator of a device's driver, kept with it. Errors as driver().
INGOT_API Allocator& allocator(Device device);

}  // namespace ingot::gpu
