// A gather that reports an index out of range instead of reading there.
#include <metal_stdlib>
#include "ingot/msl/errors.h"
#include "ingot/msl/wait_inputs.h"
using namespace metal;

struct GatherParams {
    int64_t rows;
    uint length;
    uint count;
};

constant uint kIndexOutOfRange = 1;

template <typename Index>
[[kernel, max_total_threads_per_threadgroup(256)]]
void gather(device const float* x     [[buffer(0)]],
            device const Index* index [[buffer(1)]],
            device float* y           [[buffer(2)]],
            constant GatherParams& p  [[buffer(3)]],
            device ErrorSlot& errors  [[buffer(4)]],
            uint2 position            [[thread_position_in_grid]])
{
    wait_inputs();
    if (position.x >= p.length || position.y >= p.count) return;
    int64_t row = int64_t(index[position.y]);
    if (row < 0 || row >= p.rows) {
        report_error(errors, kIndexOutOfRange, row, p.rows);
        return;
    }
    y[ulong(position.y) * p.length + position.x] = x[ulong(row) * p.length + position.x];
}

template [[host_name("gather_i32")]] [[kernel]] decltype(gather<int>)     gather<int>;
template [[host_name("gather_i64")]] [[kernel]] decltype(gather<int64_t>) gather<int64_t>;
