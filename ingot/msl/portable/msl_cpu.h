// Everything that the simulator's text of a kernel needs. See msl_sim.h for what stands behind it.
#pragma once
#include "msl_cpu_atomic.h"
#include "msl_cpu_matrix.h"
#include "msl_cpu_simd.h"
#include "msl_cpu_tile.h"
#include "msl_sim.h"
#include "msl_types.h"

static_assert(char(-1) < 0, "Metal's char is signed: compile kernels with -fsigned-char");

namespace metal {
inline void wait_inputs() {}  // dispatches follow one another
}  // namespace metal
