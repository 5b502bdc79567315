#include "ingot/tensor/gpu_fill.h"

#include <cstring>

#include "ingot/tensor/gpu_stream.h"

namespace ingot::gpu {

namespace {
struct FillParams {  // fill.metal
  int64_t bytes, word;
};
}  // namespace

void fill_pattern(const Tensor& t, const void* element) {
  if (t.numel() == 0) return;
  size_t item = itemsize(t.dtype());
  FillParams p{t.nbytes(), 0};
  for (size_t at = 0; at < sizeof p.word; at += item) memcpy(reinterpret_cast<char*>(&p.word) + at, element, item);
  uint32_t groups = uint32_t((p.bytes / 8 + 1 + 255) / 256);
  stream(t.device()).launch("fill_words", {}, {}, {groups}, {256}, t, p);
}

}  // namespace ingot::gpu
