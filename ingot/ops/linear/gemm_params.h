// What the matrix product's kernel is given. Read by C++ and by the kernel.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
#endif

// Rows and columns of the result that a group makes, and inner elements that it stages at a time.
enum { kGemmRows = 64, kGemmColumns = 64, kGemmInner = 32, kGemmThreads = 128 };

struct GemmParams {
  int64_t m, n, k;
  int64_t a_batch, a_row, a_inner;  // strides in elements
  int64_t b_batch, b_inner, b_column;
  int64_t scale_step;              // 1: a scale a column; 0: one for all
  int a_inner_fast, b_inner_fast;  // whether neighbours along the inner dimension lie closer than the others
};
