// The reduction kernels in f64 and i64: four accumulators, plain loops.
#include <cmath>
#include <limits>

#include "ingot/ops/reduce/reduce_kernels.h"

namespace ingot {

namespace {

template <class T>
struct Sum {
  static constexpr T start = 0;
  static T join(T a, T b) {
    if constexpr (std::is_integral_v<T>) return T(uint64_t(a) + uint64_t(b));
    return a + b;
  }
  static T term(T x, T) { return x; }
};
template <class T>
struct Product {
  static constexpr T start = 1;
  static T join(T a, T b) {
    if constexpr (std::is_integral_v<T>) return T(uint64_t(a) * uint64_t(b));
    return a * b;
  }
  static T term(T x, T) { return x; }
};
template <class T>
constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min();
}
template <class T>
constexpr T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
struct Max {
  static constexpr T start = lowest<T>();
  static T join(T a, T b) { return b > a || b != b ? b : a; }
  static T term(T x, T) { return x; }
};
template <class T>
struct Min {
  static constexpr T start = highest<T>();
  static T join(T a, T b) { return b < a || b != b ? b : a; }
  static T term(T x, T) { return x; }
};
struct Deviations : Sum<double> {
  static double term(double x, double c) { return (x - c) * (x - c); }
};
struct ExpSum : Sum<double> {
  static double term(double x, double c) { return std::exp(x - c); }
};

template <class T, class Op>
T row(const T* x, int64_t n, T c) {
  T acc[4] = {Op::start, Op::start, Op::start, Op::start};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) acc[k] = Op::join(acc[k], Op::term(x[i + k], c));
  for (; i < n; i++) acc[0] = Op::join(acc[0], Op::term(x[i], c));
  return Op::join(Op::join(acc[0], acc[1]), Op::join(acc[2], acc[3]));
}
template <class T, class Op>
void columns(const T* x, int64_t n, T* state, const T* c) {
  for (int64_t i = 0; i < n; i++) state[i] = Op::join(state[i], Op::term(x[i], c ? c[i] : T(0)));
}

using D = double;
using I = int64_t;
constexpr ReduceKernels<D, D> kF64 = {
    {row<D, Sum<D>>, row<D, Product<D>>, row<D, Max<D>>, row<D, Min<D>>, row<D, Deviations>, row<D, ExpSum>},
    {columns<D, Sum<D>>, columns<D, Product<D>>, columns<D, Max<D>>, columns<D, Min<D>>, columns<D, Deviations>,
     columns<D, ExpSum>}};
constexpr ReduceKernels<I, I> kI64 = {
    {row<I, Sum<I>>, row<I, Product<I>>, row<I, Max<I>>, row<I, Min<I>>, nullptr, nullptr},
    {columns<I, Sum<I>>, columns<I, Product<I>>, columns<I, Max<I>>, columns<I, Min<I>>, nullptr, nullptr}};

}  // namespace

const ReduceKernels<double, double>& reduce_f64_kernels() { return kF64; }
const ReduceKernels<int64_t, int64_t>& reduce_i64_kernels() { return kI64; }

}  // namespace ingot
