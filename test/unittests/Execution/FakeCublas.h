//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLAS and NVML for tests. The products of f32 are computed, column-major, on
// the memory of FakeCuda; calls of all types are written down.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UNITTESTS_EXECUTION_FAKECUBLAS_H
#define TOP_UNITTESTS_EXECUTION_FAKECUBLAS_H

#include "FakeCuda.h"
#include "top/Execution/CublasFunctions.h"
#include "top/Execution/NvmlFunctions.h"

namespace mlir::top {

/// One at a time, beside the FakeCuda that it puts its work into.
class FakeCublas {
public:
  struct Gemm {
    int transA, transB, m, n, k;
    double alpha, beta;
    int typeA, lda, typeB, ldb, typeC, ldc;
    long long strideA, strideB, strideC;
    int batch, compute, algorithm;
    bool isBatched;
  };

  explicit FakeCublas(FakeCuda &cuda);
  FakeCublas(const FakeCublas &) = delete;
  ~FakeCublas();
  const CublasFunctions &getFunctions() const { return functions; }

  std::map<std::string, CublasStatus> failures; ///< by the name of the function
  bool isWrong = false;                         ///< products come out doubled

  std::vector<std::string> calls;
  std::vector<Gemm> gemms;
  size_t workspaceBytes = 0;
  int numHandles = 0;

private:
  struct Functions;
  CublasStatus enter(const char *call);
  CublasStatus run(const Gemm &gemm, const void *a, const void *b, void *c);

  FakeCuda &cuda;
  CublasFunctions functions;
};

/// Tells 1755 MHz, 3201 MHz, 45 C and 650 W; its power can be made to fail.
class FakeNvml {
public:
  FakeNvml();
  FakeNvml(const FakeNvml &) = delete;
  ~FakeNvml();
  const NvmlFunctions &getFunctions() const { return functions; }

  bool isDeviceKnown = true, hasPower = true;
  std::string busId;
  int numReads = 0, numOpen = 0;

private:
  struct Functions;
  NvmlFunctions functions;
};

} // namespace mlir::top

#endif // TOP_UNITTESTS_EXECUTION_FAKECUBLAS_H
