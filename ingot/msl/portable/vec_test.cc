// Vectors: layout, constructors, swizzles, operators with defined integer arithmetic.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2")  // as kernels are: what a compiler assumes of memory shows only then
#endif
#include <gtest/gtest.h>

#include <climits>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "ingot/msl/portable/msl_types.h"

namespace {

using namespace metal;

template <class T, int N>
void expect_equal(const vec<T, N>& v, std::initializer_list<std::type_identity_t<T>> expected) {
  int i = 0;
  for (T e : expected) EXPECT_EQ(v.d[i++], e) << "element " << i - 1;
}

TEST(PortableVec, LayoutIsMetals) {
  static_assert(sizeof(float2) == 8 && alignof(float2) == 8);
  static_assert(sizeof(float3) == 16 && alignof(float3) == 16);
  static_assert(sizeof(half4) == 8 && alignof(half4) == 8);
  static_assert(sizeof(uchar3) == 4 && alignof(uchar3) == 4);
  static_assert(sizeof(long4) == 32 && alignof(long4) == 32);
  static_assert(sizeof(packed_float3) == 12 && alignof(packed_float3) == 4);
  static_assert(std::is_trivially_default_constructible_v<float4>);  // threadgroup arrays of it
}

TEST(PortableVec, Constructors) {
  expect_equal(float4(1, 2, 3, 4), {1, 2, 3, 4});
  expect_equal(float4(2.5f), {2.5f, 2.5f, 2.5f, 2.5f});
  float2 a(1, 2);
  expect_equal(float4(a, a), {1, 2, 1, 2});
  expect_equal(float4(a, 3, 4), {1, 2, 3, 4});
  expect_equal(float4(0, a, 4), {0, 1, 2, 4});
  expect_equal(float4(float3(a, 3), 4), {1, 2, 3, 4});
  expect_equal(float3(float4(1, 2, 3, 4).zyx), {3, 2, 1});
  expect_equal(int4(float4(1.9f, -1.9f, 0, 7)), {1, -1, 0, 7});
  expect_equal(float4(half4(float4(1, 2, 3, 4))), {1, 2, 3, 4});
  static constexpr float4 constant(1, 2, 3, 4);
  expect_equal(constant, {1, 2, 3, 4});
  float4 unpacked = packed_float4(float4(4, 3, 2, 1));
  expect_equal(unpacked, {4, 3, 2, 1});
}

TEST(PortableVec, Swizzles) {
  float4 v(1, 2, 3, 4), w(5, 6, 7, 8);
  expect_equal(float4(v.wzyx), {4, 3, 2, 1});
  v.xy = w.xy;  // the same swizzle on both sides moves two elements, not the vector
  expect_equal(v, {5, 6, 3, 4});
  v.zw = v.wz;
  expect_equal(v, {5, 6, 4, 3});
  v.xy += float2(1, 1);
  v.zw *= 2.0f;
  expect_equal(v, {6, 7, 8, 6});
  expect_equal(v.xy + w.zw, {13, 15});
  expect_equal(v.xyz * 2, {12, 14, 16});
  expect_equal(1.0f - v.xx, {-5, -5});
  float4 copy = v;
  v = w;
  expect_equal(copy, {6, 7, 8, 6});
  EXPECT_EQ(v.a, 8);
  EXPECT_EQ(v[2], 7);
}

TEST(PortableVec, Operators) {
  float4 v(1, 2, 3, 4);
  expect_equal(v * 2 + 1.0f, {3, 5, 7, 9});
  expect_equal(-v, {-1, -2, -3, -4});
  expect_equal(v > 2.0f, {false, false, true, true});
  EXPECT_TRUE(any(v == 3.0f));
  EXPECT_FALSE(all(v == 3.0f));
  v /= float4(1, 2, 3, 4);
  expect_equal(v, {1, 1, 1, 1});
  expect_equal(uint4(1, 2, 3, 4) & 1u, {1, 0, 1, 0});
  expect_equal(~uint2(0u), {UINT_MAX, UINT_MAX});
  expect_equal(half2(1.0f) + half2(2048.0f), {half(2048.0f), half(2048.0f)});
  expect_equal(as_type<uint4>(float4(1.0f)), {0x3F800000u, 0x3F800000u, 0x3F800000u, 0x3F800000u});
}

TEST(PortableVec, IntegersWrapAndShiftsAreMasked) {
  expect_equal(int2(INT_MAX) + 1, {INT_MIN, INT_MIN});
  expect_equal(int2(INT_MIN) - 1, {INT_MAX, INT_MAX});
  expect_equal(int2(INT_MAX) * 2, {-2, -2});
  expect_equal(-int2(INT_MIN), {INT_MIN, INT_MIN});
  expect_equal(int2(INT_MIN) / -1, {INT_MIN, INT_MIN});
  expect_equal(int2(INT_MIN) % -1, {0, 0});
  expect_equal(int2(1) << 33, {2, 2});
  expect_equal(int2(-8) >> 33, {-4, -4});
  expect_equal(ushort2(0xFFFF) * ushort2(0xFFFF), {ushort(1), ushort(1)});
  expect_equal(char2(127) + char2(1), {char(-128), char(-128)});
}

}  // namespace
