//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCublas.h"

using namespace mlir::top;

static FakeCublas *current = nullptr;
static FakeNvml *currentNvml = nullptr;

//===----------------------------------------------------------------------===//
// cuBLAS
//===----------------------------------------------------------------------===//

CublasStatus FakeCublas::enter(const char *call) {
  calls.push_back(call);
  auto failure = failures.find(call);
  return failure == failures.end() ? cublas::kSuccess : failure->second;
}

CublasStatus FakeCublas::run(const Gemm &gemm, const void *a, const void *b,
                             void *c) {
  gemms.push_back(gemm);
  if (gemm.typeA != cublas::kR32F || gemm.typeC != cublas::kR32F)
    return cublas::kSuccess;
  const float scale = isWrong ? 2 : 1;
  cuda.enqueue([=] {
    for (int batch = 0; batch < gemm.batch; ++batch) {
      auto *x = static_cast<const float *>(a) + batch * gemm.strideA;
      auto *y = static_cast<const float *>(b) + batch * gemm.strideB;
      auto *z = static_cast<float *>(c) + batch * gemm.strideC;
      for (int i = 0; i < gemm.m; ++i)
        for (int j = 0; j < gemm.n; ++j) {
          float sum = 0;
          for (int k = 0; k < gemm.k; ++k)
            sum += (gemm.transA ? x[k + i * gemm.lda] : x[i + k * gemm.lda]) *
                   (gemm.transB ? y[j + k * gemm.ldb] : y[k + j * gemm.ldb]);
          z[i + j * gemm.ldc] = scale * gemm.alpha * sum;
        }
    }
  });
  return cublas::kSuccess;
}

/// The scalar, which has the type that is accumulated in.
static double readScalar(const void *scalar, int compute) {
  switch (compute) {
  case cublas::kCompute64F:
    return *static_cast<const double *>(scalar);
  case cublas::kCompute32I:
    return *static_cast<const int32_t *>(scalar);
  default:
    return *static_cast<const float *>(scalar);
  }
}

struct FakeCublas::Functions {
  static CublasStatus cublasCreate_v2(CublasHandle *handle) {
    if (CublasStatus failure = current->enter("cublasCreate_v2"))
      return failure;
    ++current->numHandles;
    *handle = current;
    return cublas::kSuccess;
  }
  static CublasStatus cublasDestroy_v2(CublasHandle) {
    --current->numHandles;
    return current->enter("cublasDestroy_v2");
  }
  static CublasStatus cublasGetVersion_v2(CublasHandle, int *version) {
    *version = 130100;
    return current->enter("cublasGetVersion_v2");
  }
  static CublasStatus cublasSetStream_v2(CublasHandle, CudaHandle) {
    current->workspaceBytes = 0;
    return current->enter("cublasSetStream_v2");
  }
  static CublasStatus cublasSetWorkspace_v2(CublasHandle, void *,
                                            size_t bytes) {
    current->workspaceBytes = bytes;
    return current->enter("cublasSetWorkspace_v2");
  }
  static CublasStatus cublasGemmEx(CublasHandle, int transA, int transB, int m,
                                   int n, int k, const void *alpha,
                                   const void *a, int typeA, int lda,
                                   const void *b, int typeB, int ldb,
                                   const void *beta, void *c, int typeC,
                                   int ldc, int compute, int algorithm) {
    if (CublasStatus failure = current->enter("cublasGemmEx"))
      return failure;
    return current->run({transA,
                         transB,
                         m,
                         n,
                         k,
                         readScalar(alpha, compute),
                         readScalar(beta, compute),
                         typeA,
                         lda,
                         typeB,
                         ldb,
                         typeC,
                         ldc,
                         0,
                         0,
                         0,
                         1,
                         compute,
                         algorithm,
                         false},
                        a, b, c);
  }
  static CublasStatus cublasGemmStridedBatchedEx(
      CublasHandle, int transA, int transB, int m, int n, int k,
      const void *alpha, const void *a, int typeA, int lda, long long strideA,
      const void *b, int typeB, int ldb, long long strideB, const void *beta,
      void *c, int typeC, int ldc, long long strideC, int batch, int compute,
      int algorithm) {
    if (CublasStatus failure = current->enter("cublasGemmStridedBatchedEx"))
      return failure;
    return current->run({transA,
                         transB,
                         m,
                         n,
                         k,
                         readScalar(alpha, compute),
                         readScalar(beta, compute),
                         typeA,
                         lda,
                         typeB,
                         ldb,
                         typeC,
                         ldc,
                         strideA,
                         strideB,
                         strideC,
                         batch,
                         compute,
                         algorithm,
                         true},
                        a, b, c);
  }
};

FakeCublas::FakeCublas(FakeCuda &cuda) : cuda(cuda) {
#define FAKE_SET(name, parameters) functions.name = Functions::name;
  TOP_CUBLAS_FUNCTIONS(FAKE_SET)
#undef FAKE_SET
  current = this;
}

FakeCublas::~FakeCublas() { current = nullptr; }

//===----------------------------------------------------------------------===//
// NVML
//===----------------------------------------------------------------------===//

struct FakeNvml::Functions {
  static constexpr NvmlReturn kNotFound = 6, kNotSupported = 3;

  static NvmlReturn nvmlInit_v2() {
    ++currentNvml->numOpen;
    return nvml::kSuccess;
  }
  static NvmlReturn nvmlShutdown() {
    --currentNvml->numOpen;
    return nvml::kSuccess;
  }
  static NvmlReturn nvmlDeviceGetHandleByPciBusId_v2(const char *busId,
                                                     NvmlDevice *device) {
    currentNvml->busId = busId;
    *device = currentNvml;
    return currentNvml->isDeviceKnown ? nvml::kSuccess : kNotFound;
  }
  static NvmlReturn nvmlDeviceGetClockInfo(NvmlDevice, int clock,
                                           unsigned *megahertz) {
    ++currentNvml->numReads;
    *megahertz = clock == nvml::kClockSM ? 1755 : 3201;
    return nvml::kSuccess;
  }
  static NvmlReturn nvmlDeviceGetTemperature(NvmlDevice, int,
                                             unsigned *celsius) {
    *celsius = 45;
    return nvml::kSuccess;
  }
  static NvmlReturn nvmlDeviceGetPowerUsage(NvmlDevice, unsigned *milliwatts) {
    *milliwatts = 650400;
    return currentNvml->hasPower ? nvml::kSuccess : kNotSupported;
  }
};

FakeNvml::FakeNvml() {
#define FAKE_SET(name, parameters) functions.name = Functions::name;
  TOP_NVML_FUNCTIONS(FAKE_SET)
#undef FAKE_SET
  currentNvml = this;
}

FakeNvml::~FakeNvml() { currentNvml = nullptr; }
