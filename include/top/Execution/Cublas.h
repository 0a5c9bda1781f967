//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One matrix product as cuBLAS computes it, to time ours against: the call that
// a user of cuBLAS would write for a `top.MatMul`, with the algorithm left to
// the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_CUBLAS_H
#define TOP_EXECUTION_CUBLAS_H

#include "top/Execution/Baseline.h"
#include "top/Execution/CublasFunctions.h"
#include "top/Execution/CudaDriver.h"

namespace mlir::top {

/// There is no cuBLAS on this machine: not a fault of the program.
class NoCublasError : public llvm::ErrorInfo<NoCublasError> {
public:
  static char ID;
  explicit NoCublasError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

private:
  std::string text;
};

/// The functions of libcublas.so.13, .12 or the libcublas.so that the dynamic
/// loader finds, which stays loaded. Fails with NoCublasError, which lists what
/// was tried, where there is none, or it is too old.
llvm::Expected<const CublasFunctions *> loadCublasFunctions();

/// The arguments of cublasGemmEx or, with a batch above 1, of
/// cublasGemmStridedBatchedEx. What is row-major for us is the transpose for
/// cuBLAS, so that C = A * B is asked for as C^T = B^T * A^T: its operand A is
/// our `rhs`, its m our N.
struct CublasGemm {
  int transA, transB; ///< cublas::kOp...
  int m, n, k;
  int operandType, resultType; ///< cublas::kR...
  int lda, ldb, ldc;
  long long strideA = 0, strideB = 0, strideC = 0; ///< elements
  int batch = 1;
  int compute; ///< cublas::kCompute...

  /// 16-bit operands are accumulated in f32, f64 in f64, i8 in i32. f32 may be
  /// rounded to tf32 where the op allows that, and only there. The batch of a
  /// shared `rhs` is taken as more rows where `lhs` is not transposed, as its
  /// rows follow each other. Fails for what these functions cannot do: no
  /// element or no K, extents of 2^31 or more, f8 operands.
  static llvm::Expected<CublasGemm> create(const BaselineProduct &product);
};

/// A product on a device. `functions` and `context` must outlive it.
class CublasProduct : public Baseline {
public:
  /// Makes a handle and a workspace of `workspaceBytes`. Fails where the
  /// library or the device refuses.
  static llvm::Expected<std::unique_ptr<CublasProduct>>
  create(const CublasFunctions &functions, CudaContext &context,
         const BaselineProduct &product);
  ~CublasProduct() override;
  CublasProduct(const CublasProduct &) = delete;

  StringRef getName() const override { return "cublas"; }
  /// As cublasGetVersion: 130100 for 13.1.0.
  std::string getVersion() const override { return std::to_string(version); }
  const CublasGemm &getGemm() const { return gemm; }

  llvm::Error begin(const CudaStream &stream) override;
  void end() override;
  llvm::Error enqueue(ArrayRef<CudaAddress> arguments,
                      CudaAddress result) override;

  /// More than the 32 MiB that the manual recommends for sm_90.
  static constexpr int64_t workspaceBytes = 64 << 20;

private:
  CublasProduct(const CublasFunctions &functions, CudaContext &context,
                const BaselineProduct &product, const CublasGemm &gemm)
      : functions(functions), context(context), lhs(product.lhs),
        rhs(product.rhs), gemm(gemm) {}

  const CublasFunctions &functions;
  CudaContext &context;
  unsigned lhs, rhs;
  CublasGemm gemm;
  CublasHandle handle = nullptr;
  CudaMemory workspace;
  int version = 0;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_CUBLAS_H
