// What the padding kernel is given. Read by C++ and by the kernel.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
#endif

struct PadParams {
  int64_t rows;    // of the result: all axes but the last
  int64_t pieces;  // that a row is cut into, each some lanes' work
  int64_t piece;   // words of one
  int64_t row;     // words of a row: kPack elements each
  // Axes, the last one fastest, as PadAxis.
  int64_t in[8], out[8], before[8], stride[8];
  uint32_t fill[4];  // an element, repeated
  int rank;
  int lanes;  // that do a piece: a power of two up to 32
};
