// Stand-in for <metal_stdlib> for the strict check: declarations only, for clang -fsyntax-only, with address spaces as
// real as Metal's. Deliberately narrower than Apple's library: what passes here should pass there. Written from Metal's
// specification; it has not been held against Apple's headers.
#pragma once
#pragma clang system_header  // deleting with a reason is newer than C++14

#define __METAL_VERSION__ 310

// The dialect's words. `constant` is read-only by its nature.
#define device __attribute__((address_space(1)))
#define constant const __attribute__((address_space(2)))
#define threadgroup __attribute__((address_space(3)))
#define thread
#define kernel

#include "strict_types.h"

#include "strict_vectors.h"

#include "strict_math.h"

#include "strict_integers.h"

#include "strict_simdgroup.h"

#include "strict_atomics.h"

#include "strict_matrix.h"

namespace msl_strict {
// The value of a function constant: any, unknown while compiling.
struct AnyConstant {
  template <class T>
  operator T() const;
};

// What a threadgroup variable names. A plain declaration would ask a struct for constructors in its address space.
template <class T>
T& threadgroup_variable();
}  // namespace msl_strict
