//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bias and the epilogue steps of a layer op as structured ops on tensors.
// Used where a layer op is lowered, and for a tile that lies wholly in padding
// and therefore is nothing but its epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_EPILOGUE_H
#define TOP_DIALECT_TOP_IR_EPILOGUE_H

#include "mlir/IR/Builders.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

/// What an epilogue needs besides the accumulators.
struct EpilogueSpec {
  Value bias; ///< null or one value per channel
  SmallVector<StepAttr> steps;
  SmallVector<Value> operands; ///< of the steps, in order
  Type accumulatorType;        ///< the steps are computed in this type
  RankedTensorType resultType;
  SmallVector<OpFoldResult> resultShape; ///< for the dynamic dimensions
  int64_t channelDim; ///< result dimension of bias and affine vectors
};

/// Returns steps(accumulator + bias) rounded once to the result type, as one
/// elementwise linalg.generic (a linalg.fill where nothing but zeros is left).
/// `accumulator` has the result's shape and `accumulatorType`; null stands for
/// zeros. Returns `accumulator` itself where there is nothing to do.
Value createEpilogue(OpBuilder &builder, Location loc, Value accumulator,
                     const EpilogueSpec &spec);

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_IR_EPILOGUE_H
