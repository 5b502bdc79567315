// The functions of cuBLASLt that Ingot uses, declared here so that no header of it is needed. Whether layouts and
// values agree with cublasLt.h is checked by cuda_api_test.cc where that header is installed.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ingot/device/cuda/cuda_api.h"

namespace ingot::cuda {

using LtHandle = struct LtHandleTag*;
using LtDesc = struct LtDescTag*;
using LtLayout = struct LtLayoutTag*;
using LtPreference = struct LtPreferenceTag*;

struct LtAlgo {  // cublasLtMatmulAlgo_t
  uint64_t data[8];
};

struct LtHeuristic {  // cublasLtMatmulHeuristicResult_t
  LtAlgo algo;
  size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
};

inline constexpr int kLtNotSupported = 15;                   // CUBLAS_STATUS_NOT_SUPPORTED
inline constexpr int kLtF32 = 0, kLtF16 = 2, kLtBF16 = 14;   // cudaDataType
inline constexpr int kLtCompute32F = 68;                     // CUBLAS_COMPUTE_32F
inline constexpr int kLtTranspose = 1;                       // CUBLAS_OP_T
inline constexpr int kLtTransposeA = 3, kLtTransposeB = 4;   // CUBLASLT_MATMUL_DESC_TRANSA, ...
inline constexpr int kLtBatchCount = 5, kLtBatchStride = 6;  // CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, ...
inline constexpr int kLtMaxWorkspace = 1;                    // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
inline constexpr int kLtAlignmentA = 5, kLtAlignmentB = 6;   // CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES
inline constexpr int kLtAlignmentC = 7, kLtAlignmentD = 8;

struct LtApi {
  const char* (*status_text)(int status);
  int (*create)(LtHandle* handle);
  int (*destroy)(LtHandle handle);
  int (*desc_create)(LtDesc* desc, int compute_type, int scale_type);
  int (*desc_destroy)(LtDesc desc);
  int (*desc_set)(LtDesc desc, int attribute, const void* value, size_t bytes);
  int (*layout_create)(LtLayout* layout, int type, uint64_t rows, uint64_t columns, int64_t leading_dimension);
  int (*layout_destroy)(LtLayout layout);
  int (*layout_set)(LtLayout layout, int attribute, const void* value, size_t bytes);
  int (*preference_create)(LtPreference* preference);
  int (*preference_destroy)(LtPreference preference);
  int (*preference_set)(LtPreference preference, int attribute, const void* value, size_t bytes);
  int (*heuristic)(LtHandle handle, LtDesc desc, LtLayout a, LtLayout b, LtLayout c, LtLayout d,
                   LtPreference preference, int wanted, LtHeuristic* results, int* found);
  int (*matmul)(LtHandle handle, LtDesc desc, const void* alpha, const void* a, LtLayout a_layout, const void* b,
                LtLayout b_layout, const void* beta, const void* c, LtLayout c_layout, void* d, LtLayout d_layout,
                const LtAlgo* algo, void* workspace, size_t workspace_bytes, Stream stream);
};

}  // namespace ingot::cuda
