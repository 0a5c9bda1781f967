//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-repack-operands: operands whose rows do not suit wide accesses are copied
// first, where the schedule says so.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPREPACKOPERANDSPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// An elementwise copy of `source` into the first columns of a tensor with rows
/// of `columns`, and that part of it.
static Value createRepacked(RewriterBase &b, Location loc, Value source,
                            int64_t columns) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = columns;
  const int64_t rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), type.getShape());
  // Not tensor.empty: those of two operands may be equal and become one, which
  // bufferization then copies.
  Value space = bufferization::AllocTensorOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()),
      ValueRange());
  Value part = tensor::ExtractSliceOp::create(b, loc, type, space, offsets,
                                              sizes, strides);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, b.getContext());
  auto copy = linalg::GenericOp::create(
      b, loc, TypeRange{type}, ValueRange{source}, ValueRange{part},
      ArrayRef<AffineMap>{identity, identity},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args[0]);
      });
  // It becomes a kernel of its own, which multiplies nothing.
  ScheduleAttr::get(b.getContext()).setOn(copy);
  Value whole = tensor::InsertSliceOp::create(b, loc, copy.getResult(0), space,
                                              offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(b, loc, type, whole, offsets, sizes,
                                        strides);
}

FailureOr<unsigned> top::repackOperands(RewriterBase &rewriter,
                                        linalg::LinalgOp op,
                                        ScheduleAttr schedule) {
  // Convolutions are packed by a pass of their own.
  if (!schedule.getRepack() || op.getNumReductionLoops() == 0 ||
      isConvolution(op) || !op.hasPureTensorSemantics())
    return 0;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  unsigned count = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type || type.getRank() < 2 ||
        !isTileElementType(type.getElementType()))
      continue;
    if (!type.hasStaticShape())
      return op.emitOpError("cannot have operand #")
             << operand->getOperandNumber() << " repacked: expected a static "
             << "shape, got " << type;
    const int64_t unit =
        kWidestAccessBytes / getElementBytes(type.getElementType());
    const int64_t columns = type.getShape().back();
    if (columns % unit == 0)
      continue;
    Value repacked = createRepacked(rewriter, op.getLoc(), operand->get(),
                                    llvm::alignTo(columns, unit));
    rewriter.modifyOpInPlace(op, [&] { operand->set(repacked); });
    ++count;
  }
  return count;
}

namespace {

struct TopRepackOperands
    : mlir::top::impl::TopRepackOperandsPassBase<TopRepackOperands> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (ScheduleAttr::getFrom(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    unsigned total = 0;
    for (linalg::LinalgOp op : ops) {
      FailureOr<unsigned> count =
          repackOperands(rewriter, op, ScheduleAttr::getFrom(op));
      if (failed(count))
        return signalPassFailure();
      total += *count;
      if (*count > 0)
        remark::passed(op.getLoc(), remark::RemarkOpts::name("Repacked")
                                        .category(getArgument())
                                        .function(getOperation().getName()))
            << remark::add("{0} operands copied to rows that begin at "
                           "multiples of {1} bytes",
                           *count, kWidestAccessBytes);
    }
    if (total == 0)
      remark::missed(getOperation().getLoc(),
                     remark::RemarkOpts::name("NothingToRepack")
                         .category(getArgument())
                         .function(getOperation().getName()))
          << remark::reason("no schedule asks for it for an operand of "
                            "unaligned rows");
  }
};

} // namespace
