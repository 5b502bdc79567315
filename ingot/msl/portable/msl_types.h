// All of Metal's language and library that needs no GPU: types, vectors, math. msl_cpu.h and msl_cuda.h add the rest.
#pragma once
#include "msl_base.h"
#include "msl_integer.h"
#include "msl_limits.h"
#include "msl_math.h"
#include "msl_small_floats.h"
#include "msl_vec.h"
