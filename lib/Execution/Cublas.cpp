//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading libcublas, and the call for one product.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Cublas.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::top;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

char NoCublasError::ID = 0;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Expected<const CublasFunctions *> top::loadCublasFunctions() {
  static CublasFunctions functions;
  static const std::string failure = [] {
    llvm::sys::DynamicLibrary library;
    SmallVector<std::string> errors;
    for (const char *name :
         {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
      std::string error;
      library = llvm::sys::DynamicLibrary::getPermanentLibrary(name, &error);
      if (library.isValid())
        break;
      errors.push_back(std::move(error));
    }
    if (!library.isValid())
      return "no cuBLAS: " + llvm::join(errors, "; ") +
             "; put its folder on LD_LIBRARY_PATH";
#define TOP_CUBLAS_FIND(name, parameters)                                      \
  functions.name = reinterpret_cast<CublasStatus(*) parameters>(               \
      library.getAddressOfSymbol(#name));                                      \
  if (!functions.name)                                                         \
    return std::string("cuBLAS has no '" #name "'; is it older than 11.0?");
    TOP_CUBLAS_FUNCTIONS(TOP_CUBLAS_FIND)
#undef TOP_CUBLAS_FIND
    return std::string();
  }();
  if (!failure.empty())
    return llvm::make_error<NoCublasError>(failure);
  return &functions;
}

/// The name that the manual gives a status; old libraries cannot tell it.
static std::string describe(CublasStatus status) {
  switch (status) {
  case 1:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case 3:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case 7:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case 8:
    return "CUBLAS_STATUS_ARCH_MISMATCH";
  case 11:
    return "CUBLAS_STATUS_MAPPING_ERROR";
  case 13:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case 14:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  case 15:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  case 16:
    return "CUBLAS_STATUS_LICENSE_ERROR";
  default:
    return "status " + std::to_string(status);
  }
}

static Error check(StringRef call, CublasStatus status) {
  if (status == cublas::kSuccess)
    return Error::success();
  return createStringError((call + " failed: " + describe(status)).str());
}

/// Calls a function of the library; an Error that names it.
#define TOP_CUBLAS_CALL(name, ...) check(#name, functions.name(__VA_ARGS__))

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// CUDA's type for elements of the result.
static std::optional<int> getResultType(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return cublas::kR64F;
  case ElementKind::F32:
    return cublas::kR32F;
  case ElementKind::F16:
    return cublas::kR16F;
  case ElementKind::BF16:
    return cublas::kR16BF;
  case ElementKind::I32:
    return cublas::kR32I;
  default:
    return std::nullopt;
  }
}

/// Operands of a type, and how they are multiplied.
static std::optional<std::pair<int, int>>
getOperandTypes(const ProductProblem &problem) {
  switch (problem.getMmaType()) {
  case NumericType::f64:
    return std::pair(cublas::kR64F, cublas::kCompute64F);
  case NumericType::f32:
    return std::pair(cublas::kR32F, cublas::kCompute32F);
  case NumericType::tf32:
    return std::pair(cublas::kR32F, cublas::kCompute32FFastTF32);
  case NumericType::f16:
    return std::pair(cublas::kR16F, cublas::kCompute32F);
  case NumericType::bf16:
    return std::pair(cublas::kR16BF, cublas::kCompute32F);
  case NumericType::i8:
    return std::pair(cublas::kR8I, cublas::kCompute32I);
  default:
    return std::nullopt;
  }
}

Expected<CublasGemm> CublasGemm::create(const BaselineProduct &product) {
  ProductProblem problem = product.problem;
  if (problem.isEmpty())
    return createStringError("a product without elements or with K of 0 has no "
                             "baseline: there is nothing to time");
  std::optional<std::pair<int, int>> operands = getOperandTypes(problem);
  std::optional<int> result = getResultType(product.result);
  if (!operands || !result)
    return createStringError(
        llvm::formatv("cublas has no product of {0} to {1} that can be timed",
                      stringifyNumericType(problem.type),
                      getFormat(product.result).name)
            .str());
  constexpr int64_t kMost = std::numeric_limits<int>::max();
  // Rows of a batch under one rhs are rows of one product.
  if (problem.isRhsShared && problem.isLhsKContiguous &&
      problem.batch <= kMost / problem.m) {
    problem.m *= problem.batch;
    problem.batch = 1;
  }
  for (int64_t extent : {problem.batch, problem.m, problem.n, problem.k})
    if (extent > kMost)
      return createStringError(
          llvm::formatv("cublas takes extents of at most {0}, got {1}", kMost,
                        extent)
              .str());

  CublasGemm gemm;
  gemm.m = problem.n;
  gemm.n = problem.m;
  gemm.k = problem.k;
  gemm.transA = problem.isRhsKContiguous ? cublas::kOpT : cublas::kOpN;
  gemm.transB = problem.isLhsKContiguous ? cublas::kOpN : cublas::kOpT;
  gemm.lda = problem.isRhsKContiguous ? problem.k : problem.n;
  gemm.ldb = problem.isLhsKContiguous ? problem.k : problem.m;
  gemm.ldc = problem.n;
  gemm.operandType = operands->first;
  gemm.resultType = *result;
  gemm.compute = operands->second;
  gemm.batch = problem.batch;
  if (problem.batch > 1) {
    gemm.strideA = problem.isRhsShared ? 0 : problem.n * problem.k;
    gemm.strideB = problem.m * problem.k;
    gemm.strideC = problem.m * problem.n;
  }
  return gemm;
}

Expected<std::unique_ptr<CublasProduct>>
CublasProduct::create(const CublasFunctions &functions, CudaContext &context,
                      const BaselineProduct &product) {
  Expected<CublasGemm> gemm = CublasGemm::create(product);
  if (!gemm)
    return gemm.takeError();
  std::unique_ptr<CublasProduct> made(
      new CublasProduct(functions, context, product, *gemm));
  if (Error error = TOP_CUBLAS_CALL(cublasCreate_v2, &made->handle)) {
    made->handle = nullptr;
    return std::move(error);
  }
  if (Error error =
          TOP_CUBLAS_CALL(cublasGetVersion_v2, made->handle, &made->version))
    return std::move(error);
  Expected<CudaMemory> workspace = context.allocate(workspaceBytes);
  if (!workspace)
    return workspace.takeError();
  made->workspace = std::move(*workspace);
  return made;
}

CublasProduct::~CublasProduct() {
  if (handle)
    (void)functions.cublasDestroy_v2(handle);
}

/// A pointer of the device, as cuBLAS takes it.
static void *asPointer(CudaAddress address) {
  return reinterpret_cast<void *>(address);
}

Error CublasProduct::begin(const CudaStream &stream) {
  // In this order: a new stream puts the library's own workspace back, and that
  // one is allocated as needed, which a stream that is captured cannot do.
  if (Error error = TOP_CUBLAS_CALL(cublasSetStream_v2, handle, stream.get()))
    return error;
  return TOP_CUBLAS_CALL(cublasSetWorkspace_v2, handle,
                         asPointer(workspace.get()), workspaceBytes);
}

void CublasProduct::end() {
  // The default one; there is nothing left to do in either.
  (void)functions.cublasSetStream_v2(handle, nullptr);
}

Error CublasProduct::enqueue(ArrayRef<CudaAddress> arguments,
                             CudaAddress result) {
  // Scalars have the type that is accumulated in; read before the call returns.
  struct Scalar {
    double f64;
    float f32;
    int32_t i32;
    const void *get(int compute) const {
      return compute == cublas::kCompute64F   ? static_cast<const void *>(&f64)
             : compute == cublas::kCompute32I ? static_cast<const void *>(&i32)
                                              : &f32;
    }
  };
  static constexpr Scalar kOne{1, 1, 1}, kZero{0, 0, 0};
  const void *alpha = kOne.get(gemm.compute), *beta = kZero.get(gemm.compute);
  const void *a = asPointer(arguments[rhs]), *b = asPointer(arguments[lhs]);
  void *c = asPointer(result);
  if (gemm.batch == 1)
    return TOP_CUBLAS_CALL(
        cublasGemmEx, handle, gemm.transA, gemm.transB, gemm.m, gemm.n, gemm.k,
        alpha, a, gemm.operandType, gemm.lda, b, gemm.operandType, gemm.ldb,
        beta, c, gemm.resultType, gemm.ldc, gemm.compute, cublas::kGemmDefault);
  return TOP_CUBLAS_CALL(
      cublasGemmStridedBatchedEx, handle, gemm.transA, gemm.transB, gemm.m,
      gemm.n, gemm.k, alpha, a, gemm.operandType, gemm.lda, gemm.strideA, b,
      gemm.operandType, gemm.ldb, gemm.strideB, beta, c, gemm.resultType,
      gemm.ldc, gemm.strideC, gemm.batch, gemm.compute, cublas::kGemmDefault);
}
