// Padding. Some lanes of a simdgroup take a piece of one row of the result, a word each in turn, so that writes lie side
// by side. An element is 1 to 16 bytes of one dtype or of several that move together (pad_gpu.cc); elements below 4 bytes
// are written 4 bytes at a time where rows allow it.
#include <metal_stdlib>
#include "ingot/msl/wait_inputs.h"
#include "ingot/ops/pad/pad_params.h"
using namespace metal;

constant int kMode [[function_constant(0)]];  // PadMode
constant int kPack [[function_constant(1)]];  // elements of a word

// T: an element; I: int where all offsets fit, else int64_t, U its unsigned twin.
template <typename I>
I source_index(I i, I n) {
    if (i >= 0 && i < n) return i;
    if (kMode == 1) return i < 0 ? -i : 2 * (n - 1) - i;
    if (kMode == 2) return i < 0 ? I(0) : n - 1;
    if (kMode == 3) return i < 0 ? i + n : i - n;
    return I(-1);
}

template <typename T, typename I>
T element_at(device const T* x, constant PadParams& p, bool inside, I base, I o, T fill) {
    int last = p.rank - 1;
    I i = source_index<I>(o - I(p.before[last]), I(p.in[last]));
    if (!inside || i < 0) return fill;
    return x[base + i * I(p.stride[last])];
}

static inline uint bits_of(uchar v) { return v; }
static inline uint bits_of(ushort v) { return v; }
static inline uint bits_of(uint v) { return v; }
static inline uint bits_of(uint2 v) { return v.x; }
static inline uint bits_of(uint4 v) { return v.x; }

static inline void set(thread uchar& v, uint4 bits) { v = uchar(bits.x); }
static inline void set(thread ushort& v, uint4 bits) { v = ushort(bits.x); }
static inline void set(thread uint& v, uint4 bits) { v = bits.x; }
static inline void set(thread uint2& v, uint4 bits) { v = uint2(bits.x, bits.y); }
static inline void set(thread uint4& v, uint4 bits) { v = bits; }

template <typename T, typename I, typename U>
[[kernel, max_total_threads_per_threadgroup(256)]]
void pad_rows(device const T* x     [[buffer(0)]],
              device T* y           [[buffer(1)]],
              constant PadParams& p [[buffer(2)]],
              uint group            [[threadgroup_position_in_grid]],
              uint tid              [[thread_position_in_threadgroup]])
{
    wait_inputs();
    U unit = (U(group) * 256 + U(tid)) / U(p.lanes);
    I lane = I(tid % uint(p.lanes));
    U row = unit / U(p.pieces);
    if (row >= U(p.rows)) return;
    I from = I(unit - row * U(p.pieces)) * I(p.piece);
    I to = min(from + I(p.piece), I(p.row));
    I base = 0;
    bool inside = true;
    U rest = row;
    for (int d = p.rank - 2; d >= 0; --d) {
        U size = U(p.out[d]);
        U next = rest / size;
        I i = source_index<I>(I(rest - next * size) - I(p.before[d]), I(p.in[d]));
        inside = inside && i >= 0;
        base += i * I(p.stride[d]);
        rest = next;
    }
    T fill;
    set(fill, uint4(p.fill[0], p.fill[1], p.fill[2], p.fill[3]));
    device T* out = y + I(row) * I(p.row) * kPack;
    for (I w = from + lane; w < to; w += I(p.lanes)) {
        if (kPack == 1) {
            out[w] = element_at<T, I>(x, p, inside, base, w, fill);
        } else {
            uint word = 0;
            for (int k = 0; k < kPack; ++k) {
                uint v = bits_of(element_at<T, I>(x, p, inside, base, w * kPack + k, fill));
                word |= v << (uint(k) * (32 / uint(kPack)));
            }
            ((device uint*)out)[w] = word;
        }
    }
}

template [[host_name("pad_rows_1_i32")]] [[kernel]] decltype(pad_rows<uchar, int, uint>) pad_rows<uchar, int, uint>;
template [[host_name("pad_rows_1_i64")]] [[kernel]] decltype(pad_rows<uchar, int64_t, ulong>) pad_rows<uchar, int64_t, ulong>;
template [[host_name("pad_rows_2_i32")]] [[kernel]] decltype(pad_rows<ushort, int, uint>) pad_rows<ushort, int, uint>;
template [[host_name("pad_rows_2_i64")]] [[kernel]] decltype(pad_rows<ushort, int64_t, ulong>) pad_rows<ushort, int64_t, ulong>;
template [[host_name("pad_rows_4_i32")]] [[kernel]] decltype(pad_rows<uint, int, uint>) pad_rows<uint, int, uint>;
template [[host_name("pad_rows_4_i64")]] [[kernel]] decltype(pad_rows<uint, int64_t, ulong>) pad_rows<uint, int64_t, ulong>;
template [[host_name("pad_rows_8_i32")]] [[kernel]] decltype(pad_rows<uint2, int, uint>) pad_rows<uint2, int, uint>;
template [[host_name("pad_rows_8_i64")]] [[kernel]] decltype(pad_rows<uint2, int64_t, ulong>) pad_rows<uint2, int64_t, ulong>;
template [[host_name("pad_rows_16_i32")]] [[kernel]] decltype(pad_rows<uint4, int, uint>) pad_rows<uint4, int, uint>;
template [[host_name("pad_rows_16_i64")]] [[kernel]] decltype(pad_rows<uint4, int64_t, ulong>) pad_rows<uint4, int64_t, ulong>;
