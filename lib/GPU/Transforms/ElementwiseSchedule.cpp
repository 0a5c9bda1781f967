//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of kernels that multiply nothing. They are bound by memory: what
// counts is that a warp's accesses are wide and side by side, and that enough
// of them are under way.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Target/GPUTarget.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

static constexpr int64_t maxWarps = 8;
/// Lanes side by side, at least, where there are as many columns: 8 accesses of
/// 16 bytes are a line of 128.
static constexpr int64_t minLanesN = 8;
/// A second piece for a thread is worth it from so many threads on: what the
/// SMs of an H200 hold, 132 x 2048.
static constexpr int64_t threadsBeforePieces = 132 * 2048;

/// The least power of two that is not less than `value`, or `most`, one itself.
static int64_t roundUp(int64_t value, int64_t most) {
  return value >= most ? most : int64_t(llvm::PowerOf2Ceil(value));
}

ScheduleAttr top::getElementwiseSchedule(MLIRContext *context, int64_t batch,
                                         int64_t rows, int64_t cols,
                                         int64_t width, int64_t pieces) {
  // Lanes along N: the least idle of them in the last block of a row, and then
  // the most.
  const int64_t perRow = llvm::divideCeil(cols, width);
  int64_t lanesN = roundUp(perRow, kThreadsPerWarp);
  for (int64_t lanes = lanesN / 2; lanes >= minLanesN; lanes /= 2)
    if (llvm::alignTo(perRow, lanes) < llvm::alignTo(perRow, lanesN))
      lanesN = lanes;
  const int64_t lanesM = kThreadsPerWarp / lanesN;

  const int64_t blocksM = llvm::divideCeil(rows, lanesM);
  int64_t threadM = roundUp(blocksM, pieces);
  // In double: the product may pass 64 bits.
  while (threadM > 1 &&
         double(batch) * rows * perRow / threadM < threadsBeforePieces)
    threadM /= 2;
  const int64_t warpsM = roundUp(llvm::divideCeil(blocksM, threadM), maxWarps);
  const int64_t warpsN =
      roundUp(llvm::divideCeil(perRow, lanesN), maxWarps / warpsM);

  ScheduleFields fields;
  fields.thread = {threadM, width};
  fields.warp = {lanesM * threadM, lanesN * width};
  fields.block = {warpsM * fields.warp[0], warpsN * fields.warp[1], 1};
  fields.stages = 1;
  return fields.get(context);
}

int64_t top::getElementwiseWidth(linalg::LinalgOp op) {
  const int64_t bytes = getElementBytes(getElementTypeOrSelf(op->getResult(0)));
  int64_t widest = bytes;
  for (OpOperand *input : op.getDpsInputOperands())
    if (auto type = dyn_cast<RankedTensorType>(input->get().getType());
        type && type.getElementType().isIntOrFloat())
      widest = std::max<int64_t>(
          widest, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  // What is written may be a part of something wider.
  Value init = op.getDpsInits()[0];
  if (auto part = init.getDefiningOp<tensor::ExtractSliceOp>())
    init = part.getSource();
  const int64_t pitch =
      cast<RankedTensorType>(init.getType()).getShape().back();
  int64_t width = std::max<int64_t>(kWidestAccessBytes / widest, 1);
  while (width > 1 && (ShapedType::isDynamic(pitch) || pitch % width != 0))
    width /= 2;
  return width;
}
