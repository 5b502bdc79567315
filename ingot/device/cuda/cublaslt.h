// Products of large matrices by NVIDIA's cuBLASLt, opened at run time. It is optional: without it, the kernels on
// ingot/msl/tile.h do the same work.
#pragma once
#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "ingot/base/dtype.h"
#include "ingot/device/cuda/cublaslt_api.h"
#include "ingot/device/cuda/device_context.h"
#include "ingot/device/device.h"

namespace ingot::cuda {

// c = alpha * a b + beta * c for each of `batch` matrices; sums are kept in f32. Matrices are stored by rows: row i of
// c begins at element i * ldc, matrix j of the batch at element j * stride_c. A transposed operand is stored as [k, m]
// (a) or [n, k] (b). Sizes at least 1; a leading dimension at least the length of a stored row.
struct Matmul {
  int64_t m, n, k;
  DType type;    // of a and b: f32, f16 or bf16
  DType result;  // of c: f32 or `type`
  bool transpose_a = false, transpose_b = false;
  int64_t lda, ldb, ldc;
  int64_t batch = 1, stride_a = 0, stride_b = 0, stride_c = 0;
  auto operator<=>(const Matmul&) const = default;
};

void check_problem(const Matmul& problem);  // Error kArgument for one that breaks this

struct MatmulOperands {
  Address a, b, c;
  float alpha = 1, beta = 0;
};

// libcublasLt.so.13 or .12, or what INGOT_CUBLASLT_LIBRARY names; opened on the first call. Null where there is none,
// and then `why` (if not null) says so.
const LtApi* cublaslt_api(std::string* why = nullptr);
Availability cublaslt_availability();

// One for each context. Thread-safe. The same problem on the same GPU with the same library always runs the same
// algorithm, so its result has the same bits.
class CublasLt {
 public:
  // The context must be current. Error kDevice with the library's words.
  CublasLt(const LtApi& api, const DeviceContext& device);
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  static constexpr size_t kWorkspaceBytes = size_t{32} << 20;

  // Enqueues. Error kArgument for a problem that breaks what Matmul says, kUnsupported for types or sizes that the
  // library has no algorithm for. `workspace` may be used by one product of the stream after the other.
  void matmul(const Matmul& problem, const MatmulOperands& operands, Address workspace, Stream stream);

 private:
  struct Plan;
  struct Key {
    Matmul problem;
    uint32_t alignments[3];
    auto operator<=>(const Key&) const = default;
  };
  std::shared_ptr<const Plan> plan(const Key& key);

  const LtApi& api_;
  const DeviceContext& device_;
  LtHandle handle_ = nullptr;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Plan>>
      plans_;  // a choice takes longer than many a product; a few hundred at most
};

}  // namespace ingot::cuda
