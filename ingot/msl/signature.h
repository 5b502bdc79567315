// What a host must know to launch the kernels of a module.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ingot/base/export.h"

namespace ingot::msl {

enum class ParameterKind {
  kPointer,      // device T*, device T&, constant T*: a buffer
  kValue,        // constant T&: bytes of the launch itself
  kThreadgroup,  // threadgroup T*: dynamic threadgroup memory, its size given by the launch
  kBuiltin,      // a position or index that the device knows
};

struct KernelParameter {
  std::string name;
  ParameterKind kind = ParameterKind::kPointer;
  int index = -1;           // of [[buffer(n)]] or [[threadgroup(n)]]
  std::string space;        // device, constant, threadgroup; empty for builtins
  std::string element;      // T, template arguments put in: float, bfloat, SoftmaxParams, uint3
  bool reference = false;   // T& rather than T*
  bool written = false;     // device and not const
  std::string builtin;      // thread_position_in_grid, ...
  std::string optional_if;  // the function constant without which the buffer may be absent
};

struct FunctionConstant {
  int index = 0;
  std::string type;  // bool, int, uint, short, ushort, char, uchar, float
  std::string name;
};

struct KernelSignature {
  std::string host_name;
  std::string function;  // as it is called: softmax<float>
  std::string file;      // where the kernel is written
  int line = 0;
  int max_threads = 0;                               // [[max_total_threads_per_threadgroup(n)]]; 0 if not stated
  bool waits_for_inputs = false;                     // calls wait_inputs(), itself or through a helper
  std::vector<KernelParameter> parameters;           // in the order written
  std::vector<FunctionConstant> function_constants;  // all of the module
};

// {"kernels": [...]}, one kernel a line; keys as the fields above.
INGOT_API std::string to_json(const std::vector<KernelSignature>& signatures);

}  // namespace ingot::msl
