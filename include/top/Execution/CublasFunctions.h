//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of cuBLAS' C interface that timing a product needs, declared here so
// that neither building nor testing needs its headers. The functions are found
// in libcublas at run time, or come from a test.
//
// Types, signatures and numbers are those of the cuBLAS manual
// (docs.nvidia.com/cuda/cublas), the same from cuBLAS 11 to 13. Strides of a
// batch are 64-bit, every other extent is an int.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_CUBLASFUNCTIONS_H
#define TOP_EXECUTION_CUBLASFUNCTIONS_H

#include "top/Execution/CudaFunctions.h"

namespace mlir::top {

/// cublasStatus_t; 0 is success.
using CublasStatus = int;
/// cublasHandle_t.
using CublasHandle = void *;

/// Values of enumerations, by the names that the manual gives them.
namespace cublas {
inline constexpr int kSuccess = 0; // CUBLAS_STATUS_SUCCESS

// cublasOperation_t: CUBLAS_OP_...
inline constexpr int kOpN = 0;
inline constexpr int kOpT = 1;

// cudaDataType_t: CUDA_R_...
inline constexpr int kR32F = 0;
inline constexpr int kR64F = 1;
inline constexpr int kR16F = 2;
inline constexpr int kR8I = 3;
inline constexpr int kR32I = 10;
inline constexpr int kR16BF = 14;

// cublasComputeType_t: CUBLAS_COMPUTE_...
inline constexpr int kCompute32F = 68;
inline constexpr int kCompute64F = 70;
inline constexpr int kCompute32I = 72;
inline constexpr int kCompute32FFastTF32 = 77;

// cublasGemmAlgo_t: CUBLAS_GEMM_DEFAULT
inline constexpr int kGemmDefault = -1;
} // namespace cublas

// clang-format off
/// The functions, by the names under which libcublas exports them: X(name,
/// parameters). All return CublasStatus. Scalars are in the host's memory,
/// matrices in the device's and column-major.
#define TOP_CUBLAS_FUNCTIONS(X)                                                \
  X(cublasCreate_v2, (CublasHandle *))                                         \
  X(cublasDestroy_v2, (CublasHandle))                                          \
  X(cublasGetVersion_v2, (CublasHandle, int *))                                \
  X(cublasSetStream_v2, (CublasHandle, CudaHandle stream))                     \
  X(cublasSetWorkspace_v2, (CublasHandle, void *workspace, size_t bytes))      \
  X(cublasGemmEx, (CublasHandle, int transA, int transB, int m, int n, int k,  \
                   const void *alpha, const void *a, int typeA, int lda,       \
                   const void *b, int typeB, int ldb, const void *beta,        \
                   void *c, int typeC, int ldc, int compute, int algorithm))   \
  X(cublasGemmStridedBatchedEx,                                                \
    (CublasHandle, int transA, int transB, int m, int n, int k,                \
     const void *alpha, const void *a, int typeA, int lda, long long strideA,  \
     const void *b, int typeB, int ldb, long long strideB, const void *beta,   \
     void *c, int typeC, int ldc, long long strideC, int batch, int compute,   \
     int algorithm))
// clang-format on

struct CublasFunctions {
#define TOP_CUBLAS_DECLARE(name, parameters) CublasStatus(*name) parameters;
  TOP_CUBLAS_FUNCTIONS(TOP_CUBLAS_DECLARE)
#undef TOP_CUBLAS_DECLARE
};

} // namespace mlir::top

#endif // TOP_EXECUTION_CUBLASFUNCTIONS_H
