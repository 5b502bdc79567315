#include "ingot/device/gpu/allocator.h"

#include <algorithm>
#include <bit>

#include "ingot/base/error.h"

namespace ingot::gpu {

namespace {

constexpr size_t kGranule = 512;            // sizes and places of blocks are multiples of it
constexpr size_t kSmall = size_t(1) << 20;  // blocks up to here have segments of their own, so that they do not
                                            // scatter over those of large ones
constexpr size_t kSmallSegment = size_t(4) << 20;
constexpr size_t kMedium = size_t(8) << 20;  // blocks up to here are cut from segments that hold several
constexpr size_t kMediumSegment = size_t(32) << 20;
constexpr size_t kLargeStep = size_t(2) << 20;  // larger ones start with a segment each, a multiple of this

size_t round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }

// Eight sizes to each power of two: like sizes fit each other's blocks, and at most an eighth is lost.
size_t size_class(size_t bytes) {
  size_t step = std::bit_floor(bytes) / 8;
  return round_up(bytes, std::max(step, kGranule));
}
size_t segment_for(size_t block_bytes) {
  if (block_bytes <= kSmall) return kSmallSegment;
  if (block_bytes <= kMedium) return kMediumSegment;
  return round_up(block_bytes, kLargeStep);
}

}  // namespace

// Blocks of a segment form a list in the order of their places; two free ones never stand side by side.
struct Allocation::Block {
  Allocator::Segment* segment;
  size_t offset, bytes;
  bool free = false;
  Block *before = nullptr, *after = nullptr;
};

struct Allocator::Segment {
  std::unique_ptr<Memory> memory;
  size_t bytes;
  bool small;
  std::list<Segment>::iterator self;
};

Allocation::~Allocation() {
  if (block_) owner_->free(block_);
}

Slice Allocation::slice() const { return block_ ? Slice{block_->segment->memory.get(), block_->offset} : Slice{}; }

bool Allocator::BySize::operator()(const Block* a, const Block* b) const {
  if (a->bytes != b->bytes) return a->bytes < b->bytes;
  if (a->segment != b->segment) return a->segment < b->segment;
  return a->offset < b->offset;
}

Allocator::Allocator(Driver& driver, Blocks blocks) : driver_(driver), blocks_(blocks) {}

Allocator::~Allocator() {
  std::lock_guard lock(mutex_);
  trim_locked();
}

Allocator::FreeBlocks& Allocator::pool_of(size_t block_bytes) { return block_bytes <= kSmall ? small_ : large_; }

bool Allocator::fits_limit(size_t more) const { return limit_ == 0 || (held_ <= limit_ && more <= limit_ - held_); }

Allocation Allocator::allocate(size_t asked) {
  if (asked == 0) return {};
  std::lock_guard lock(mutex_);
  if (asked > SIZE_MAX / 2) refuse(asked, "the address space");
  const bool exact = blocks_ == Blocks::kExact;
  size_t bytes = exact ? asked : size_class(asked);
  Block* block = exact ? nullptr : take_cached(bytes);
  if (!block) {
    size_t segment = exact ? asked : segment_for(bytes);
    if (!fits_limit(segment)) trim_locked();
    if (!fits_limit(segment)) segment = bytes;  // no room for what more blocks would be cut from
    if (!fits_limit(segment)) refuse(asked, "the limit");
    block = take_fresh(bytes, segment);
    if (!block) refuse(asked, "the driver");
  }
  in_use_ += block->bytes;
  peak_ = std::max(peak_, in_use_);
  return Allocation(this, block, asked);
}

// The smallest free block that is large enough; the first of these in its segment.
Allocator::Block* Allocator::take_cached(size_t bytes) {
  FreeBlocks& pool = pool_of(bytes);
  Block wanted{nullptr, 0, bytes};
  auto it = pool.lower_bound(&wanted);
  if (it == pool.end()) return nullptr;
  Block* block = *it;
  pool.erase(it);
  return cut(block, bytes);
}

// Null if the driver has no memory even after all that is cached went back.
Allocator::Block* Allocator::take_fresh(size_t bytes, size_t segment_bytes) {
  std::unique_ptr<Memory> memory;
  for (int attempt = 0; !memory; attempt++) {
    try {
      memory = driver_.allocate(segment_bytes);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kMemory) throw;
      if (attempt == 2) return nullptr;
      attempt == 0 ? trim_locked() : void(segment_bytes = bytes);
    }
  }
  segments_.push_front({std::move(memory), segment_bytes, bytes <= kSmall, {}});
  Segment& segment = segments_.front();
  segment.self = segments_.begin();
  held_ += segment_bytes;
  return cut(new Block{&segment, 0, segment_bytes}, bytes);
}

// The block's first `bytes`, not free; what is left of it stays in the pool.
Allocator::Block* Allocator::cut(Block* block, size_t bytes) {
  block->free = false;
  if (block->bytes > bytes) {
    Block* rest = new Block{block->segment, block->offset + bytes, block->bytes - bytes, true, block, block->after};
    if (rest->after) rest->after->before = rest;
    block->after = rest;
    block->bytes = bytes;
    (block->segment->small ? small_ : large_).insert(rest);
  }
  return block;
}

void Allocator::free(Block* block) {
  std::lock_guard lock(mutex_);
  in_use_ -= block->bytes;
  if (blocks_ == Blocks::kExact) {
    held_ -= block->bytes;
    segments_.erase(block->segment->self);
    delete block;
    return;
  }
  FreeBlocks& pool = block->segment->small ? small_ : large_;
  auto swallow = [](Block* first, Block* second) {
    first->bytes += second->bytes;
    first->after = second->after;
    if (second->after) second->after->before = first;
    delete second;
  };
  if (Block* next = block->after; next && next->free) {
    pool.erase(next);
    swallow(block, next);
  }
  if (Block* previous = block->before; previous && previous->free) {
    pool.erase(previous);
    swallow(previous, block);
    block = previous;
  }
  block->free = true;
  pool.insert(block);
}

void Allocator::trim_locked() {
  for (FreeBlocks* pool : {&small_, &large_}) {
    for (auto it = pool->begin(); it != pool->end();) {
      Block* block = *it;
      if (block->bytes != block->segment->bytes) {
        ++it;
        continue;
      }
      it = pool->erase(it);
      held_ -= block->bytes;
      segments_.erase(block->segment->self);
      delete block;
    }
  }
}

void Allocator::trim() {
  std::lock_guard lock(mutex_);
  trim_locked();
}

void Allocator::set_limit(size_t bytes) {
  std::lock_guard lock(mutex_);
  limit_ = bytes;
  if (!fits_limit(0)) trim_locked();
}

MemoryUse Allocator::use() const {
  std::lock_guard lock(mutex_);
  return {in_use_, peak_, held_ - in_use_, held_, limit_};
}

void Allocator::reset_peak() {
  std::lock_guard lock(mutex_);
  peak_ = in_use_;
}

void Allocator::refuse(size_t asked, const char* by) const {
  auto text = [](size_t bytes) { return human_bytes(double(bytes)); };
  fail(ErrorKind::kMemory, name(driver_.device()),
       cat("refused by ", by, ": asked for ", text(asked), ", in use ", text(in_use_), ", cached ",
           text(held_ - in_use_), ", limit ", limit_ ? text(limit_) : "none", ", free on the device ",
           text(driver_.counters().free_bytes)));
}

}  // namespace ingot::gpu
