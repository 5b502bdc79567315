// What converts by itself, and vectors, swizzles, references.
#include <metal_stdlib>
using namespace metal;

struct Block {
    half scale;
    uchar quants[2];
};

[[kernel, max_total_threads_per_threadgroup(32)]]
void conversions(device const bfloat* a    [[buffer(0)]],
                 device const half* h      [[buffer(1)]],
                 device float* out         [[buffer(2)]],
                 device const Block* block [[buffer(3)]],
                 device bfloat* b          [[buffer(4)]],
                 uint i                    [[thread_position_in_grid]])
{
    float v = a[i];
    float w = h[i];
    half g = v;
    thread float* p = &v;
    device const Block& one = block[i];
    float4 f = float4(1.0f);
    f.xy = float2(v, w);
    f *= 2.0f;
    half4 narrow = half4(f);
    int4 whole = int4(1, 2, 3, 4);
    f += float4(narrow) + float4(whole);
    float m = max(v, 0.0f) + float(int(i)) + one.scale * 2.0f + float(one.quants[1]);
    out[i] = m + f.x + dot(f, float4(f.wzyx)) + *p + float(g) + (v > w ? 1.0f : 0.0f);
    b[i] = bfloat(v * w);
    b[i] = i > 3 ? a[i] : bfloat(0.0f);
    uint sum = 0;
    for (ushort lane = 0; lane < 4; ++lane) sum += simd_shuffle_xor(i, lane);
    const float table[3] = {v * w, v, w};
    out[i] += float(sum) + table[i % 3] + (v * w);
}
