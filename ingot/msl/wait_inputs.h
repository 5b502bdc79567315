// For kernels: wait_inputs() marks the first place that needs what the kernel launched before has written. Work that
// stands above it (index arithmetic, loading weights) may overlap the end of that kernel on devices that can do so;
// here, none.
#pragma once
#include <metal_stdlib>

inline void wait_inputs() {}
