//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Problem.h.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Problem.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::top;

static FailureOr<NumericType> getNumericType(Type type, std::string &reason) {
  if (type.isF64())
    return NumericType::f64;
  if (type.isF32())
    return NumericType::f32;
  if (type.isF16())
    return NumericType::f16;
  if (type.isBF16())
    return NumericType::bf16;
  if (isFloat8(type))
    return NumericType::f8;
  if (type.isSignlessInteger(8))
    return NumericType::i8;
  llvm::raw_string_ostream(reason)
      << "has operands of type '" << type
      << "', expected f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8 for a GPU "
         "kernel";
  return failure();
}

/// One extent with its name in diagnostics.
struct Extent {
  StringRef name;
  int64_t value;
};

/// The product of `extents`; fails for a dynamic one and on overflow.
static FailureOr<int64_t> multiply(ArrayRef<Extent> extents,
                                   std::string &reason) {
  std::optional<int64_t> product = 1;
  for (const Extent &extent : extents) {
    if (ShapedType::isDynamic(extent.value)) {
      reason = ("has a dynamic size " + extent.name +
                ", expected static sizes for a GPU kernel")
                   .str();
      return failure();
    }
    if (product)
      product = llvm::checkedMul(*product, extent.value);
  }
  if (!product) {
    reason = "has sizes whose product passes 64 bits";
    return failure();
  }
  return *product;
}

/// Bytes of the last dimension of a static shape of rank 1 or more.
static int64_t getRowBytes(ShapedType type) {
  return type.getShape().back() * (type.getElementTypeBitWidth() / 8);
}

static LogicalResult setTypes(ProductProblem &problem, ShapedType lhs,
                              ShapedType rhs, ShapedType result,
                              std::string &reason) {
  FailureOr<NumericType> type = getNumericType(lhs.getElementType(), reason);
  if (failed(type))
    return failure();
  const bool isInteger = *type == NumericType::i8;
  const bool isResult = isInteger ? result.getElementType().isInteger(32)
                                  : isa<FloatType>(result.getElementType());
  if (lhs.getElementType() != rhs.getElementType() || !isResult) {
    llvm::raw_string_ostream(reason)
        << "multiplies '" << lhs.getElementType() << "' by '"
        << rhs.getElementType() << "' to '" << result.getElementType()
        << "', expected operands of one type and a result of "
        << (isInteger ? "i32" : "floats") << " for a GPU kernel";
    return failure();
  }
  problem.type = *type;
  problem.resultBytes = result.getElementTypeBitWidth() / 8;
  problem.lhsRowBytes = getRowBytes(lhs);
  problem.rhsRowBytes = getRowBytes(rhs);
  problem.resultRowBytes = getRowBytes(result);
  return success();
}

static LogicalResult setExtents(ProductProblem &problem, ArrayRef<Extent> batch,
                                ArrayRef<Extent> m, ArrayRef<Extent> n,
                                ArrayRef<Extent> k, std::string &reason) {
  const std::pair<ArrayRef<Extent>, int64_t *> axes[] = {
      {batch, &problem.batch},
      {m, &problem.m},
      {n, &problem.n},
      {k, &problem.k}};
  for (auto [extents, value] : axes) {
    FailureOr<int64_t> product = multiply(extents, reason);
    if (failed(product))
      return failure();
    *value = *product;
  }
  return success();
}

static FailureOr<ProductProblem> getMatMulProblem(MatMulOp op,
                                                  std::string &reason) {
  ProductProblem problem;
  RankedTensorType lhs = op.getLhsType(), rhs = op.getRhsType();
  SmallVector<Extent> batch;
  if (op.isBatched())
    batch.push_back({"B", op.getResultType().getDimSize(0)});
  if (failed(setExtents(problem, batch,
                        {{"M", lhs.getDimSize(op.getLhsDimM())}},
                        {{"N", rhs.getDimSize(op.getRhsDimN())}},
                        {{"K", lhs.getDimSize(op.getLhsDimK())}}, reason)) ||
      failed(setTypes(problem, lhs, rhs, op.getResultType(), reason)))
    return failure();
  problem.allowTF32 = op.getAllowTf32();
  problem.isRhsShared = op.isBatched() && rhs.getRank() == 2;
  problem.isLhsKContiguous = !op.getTransposeA();
  problem.isRhsKContiguous = op.getTransposeB();
  return problem;
}

static FailureOr<ProductProblem> getConv2DProblem(Conv2DOp op,
                                                  std::string &reason) {
  ProductProblem problem;
  RankedTensorType input = op.getInputType(), filter = op.getFilterType();
  RankedTensorType result = op.getResultType();
  // H and W decide OH and OW, and name what is dynamic.
  const int64_t group = op.getGroup();
  if (failed(multiply({{"H", input.getDimSize(2)}, {"W", input.getDimSize(3)}},
                      reason)) ||
      failed(setExtents(problem, {{"group", group}},
                        {{"F", result.getDimSize(1) / group}},
                        {{"N", result.getDimSize(0)},
                         {"OH", result.getDimSize(2)},
                         {"OW", result.getDimSize(3)}},
                        {{"C", filter.getDimSize(1)},
                         {"KH", filter.getDimSize(2)},
                         {"KW", filter.getDimSize(3)}},
                        reason)) ||
      failed(setTypes(problem, filter, input, result, reason)))
    return failure();
  problem.allowTF32 = op.getAllowTf32();
  problem.isConvolution = true;
  problem.conv.n = input.getDimSize(0);
  problem.conv.c = input.getDimSize(1);
  problem.conv.h = input.getDimSize(2);
  problem.conv.w = input.getDimSize(3);
  problem.conv.f = filter.getDimSize(0);
  problem.conv.kh = filter.getDimSize(2);
  problem.conv.kw = filter.getDimSize(3);
  problem.conv.oh = result.getDimSize(2);
  problem.conv.ow = result.getDimSize(3);
  llvm::copy(op.getStrides(), problem.conv.strides.begin());
  llvm::copy(op.getDilations(), problem.conv.dilations.begin());
  llvm::copy(op.getPads(), problem.conv.pads.begin());
  problem.conv.group = group;
  problem.isInputChannelsLast = isChannelsLast(input);
  problem.isResultChannelsLast = isChannelsLast(result);
  // A filter is contiguous along K, pixels of NCHW are themselves.
  problem.lhsRowBytes = problem.k * problem.getElementBytes();
  problem.isLhsKContiguous = true;
  problem.isRhsKContiguous = false;
  return problem;
}

/// A linalg op that a layer op has become.
static FailureOr<ProductProblem> getContractionProblem(linalg::LinalgOp op,
                                                       std::string &reason) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  // A vector as an operand leaves M or N without loops.
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty()) {
    reason = "is no product of two matrices";
    return failure();
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto extents = [&](StringRef name, ArrayRef<unsigned> loops) {
    return llvm::map_to_vector(
        loops, [&](unsigned loop) { return Extent{name, ranges[loop]}; });
  };
  auto typeOf = [&](OpOperand *operand) {
    return cast<ShapedType>(operand->get().getType());
  };
  OpOperand *lhs = op.getDpsInputOperand(0), *rhs = op.getDpsInputOperand(1);
  ProductProblem problem;
  if (failed(setExtents(problem, extents("B", dims->batch),
                        extents("M", dims->m), extents("N", dims->n),
                        extents("K", dims->k), reason)) ||
      failed(setTypes(problem, typeOf(lhs), typeOf(rhs),
                      typeOf(op.getDpsInitOperand(0)), reason)))
    return failure();
  problem.allowTF32 = op->hasAttr("top.allow_tf32");
  auto isKContiguous = [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    return last && llvm::is_contained(dims->k, last.getPosition());
  };
  problem.isLhsKContiguous = isKContiguous(lhs);
  problem.isRhsKContiguous = isKContiguous(rhs);
  return problem;
}

ProductProblem top::makeProduct(int64_t m, int64_t n, int64_t k,
                                NumericType type) {
  ProductProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.type = type;
  const int64_t bytes = getNumericTypeBytes(type);
  // Sums of 8-bit factors are stored as they are, in i32 or f32.
  problem.resultBytes = bytes == 1 ? 4 : bytes;
  problem.lhsRowBytes = k * bytes;
  problem.rhsRowBytes = n * bytes;
  problem.resultRowBytes = n * problem.resultBytes;
  return problem;
}

bool top::isScheduledOp(Operation *op) {
  if (isa<Conv2DOp, MatMulOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaContractionOpInterface(linalgOp);
}

FailureOr<ProductProblem> top::getProblem(Operation *op, std::string &reason) {
  if (auto matmul = dyn_cast<MatMulOp>(op))
    return getMatMulProblem(matmul, reason);
  if (auto conv = dyn_cast<Conv2DOp>(op))
    return getConv2DProblem(conv, reason);
  return getContractionProblem(cast<linalg::LinalgOp>(op), reason);
}
