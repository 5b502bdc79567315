// One value throughout a contiguous tensor, as 64-bit words; the last few bytes apart.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
using namespace metal;

struct FillParams {
    int64_t bytes;
    int64_t word;  // the value, repeated
};

[[kernel, max_total_threads_per_threadgroup(256)]]
void fill_words(device uchar* y           [[buffer(0)]],
                constant FillParams& p    [[buffer(1)]],
                uint group                [[threadgroup_position_in_grid]],
                uint tid               [[thread_position_in_threadgroup]])
{
    wait_inputs();
    ulong i = ulong(group) * 256 + tid;
    ulong words = ulong(p.bytes) / 8;
    if (i < words) {
        ((device int64_t*)y)[i] = p.word;
    } else if (i == words) {
        for (uint k = 0; k < uint(p.bytes & 7); ++k) y[i * 8 + k] = uchar(p.word >> (8 * k));
    }
}
