// Read by C++ and by kernels: one expression for both.
#pragma once
#ifndef __METAL_VERSION__
#include <cmath>
using std::exp;
#endif

inline float silu(float x) { return x / (1.0f + exp(-x)); }
