//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DirectPlan.h.
//
//===----------------------------------------------------------------------===//

#include "DirectPlan.h"
#include "BlockPlan.h"
#include "ConvPlan.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::top;

/// `value` before tensor.expand_shape has split its channels, if it has, in a
/// group and a channel of that; it has `rank` dimensions then.
static Value skipExpand(Value value, int64_t rank) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  return expand && expand.getSrcType().getRank() == rank ? expand.getSrc()
                                                         : value;
}

/// Reads which op it is, its operands and its numbers.
static LogicalResult readConvolution(RewriterBase &b, DirectPlan &plan) {
  linalg::LinalgOp op = plan.conv;
  auto error = [&]() -> InFlightDiagnostic {
    return op.emitOpError("cannot be cut into block tiles: ");
  };
  if (!op.hasPureTensorSemantics())
    return error() << "expected tensors";
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType());
        !type || !type.hasStaticShape())
      return error() << "expected static shapes, got " << operand.getType()
                     << "; GPU kernels are made for static sizes";
  Value input = op->getOperand(0), filter = op->getOperand(1);
  ConvShape &shape = plan.shape;
  int64_t groupInputs = 1, groupOutputs = 1;
  auto readWindow = [&](auto conv) {
    llvm::copy(conv.getStrides().template getValues<int64_t>(),
               shape.strides.begin());
    llvm::copy(conv.getDilations().template getValues<int64_t>(),
               shape.dilations.begin());
  };
  plan.sums = op->getResult(0);
  auto filterType = cast<RankedTensorType>(filter.getType());
  const bool isKnown = llvm::TypeSwitch<Operation *, bool>(op)
                           .Case([&](linalg::Conv2DNchwFchwOp conv) {
                             readWindow(conv);
                             groupOutputs = filterType.getDimSize(0);
                             groupInputs = filterType.getDimSize(1);
                             return true;
                           })
                           .Case([&](linalg::DepthwiseConv2DNchwChwOp conv) {
                             readWindow(conv);
                             shape.group = filterType.getDimSize(0);
                             return true;
                           })
                           .Case([&](linalg::Conv2DNgchwGfchwOp conv) {
                             readWindow(conv);
                             shape.group = filterType.getDimSize(0);
                             groupOutputs = filterType.getDimSize(1);
                             groupInputs = filterType.getDimSize(2);
                             input = skipExpand(input, 4);
                             filter = skipExpand(filter, 4);
                             return true;
                           })
                           .Default([](Operation *) { return false; });
  if (!isKnown)
    return error() << "engine 'direct' takes linalg.conv_2d_nchw_fchw, "
                      "linalg.conv_2d_ngchw_gfchw and "
                      "linalg.depthwise_conv_2d_nchw_chw";

  Type elementType = getElementTypeOrSelf(input);
  if (elementType != getElementTypeOrSelf(filter) ||
      !isTileElementType(elementType) || elementType.isInteger(32))
    return error() << "expected operands of one type f64, f32, f16, bf16, "
                      "f8E4M3FN, f8E5M2 or i8, got "
                   << elementType << " and " << getElementTypeOrSelf(filter);
  if (getElementTypeOrSelf(plan.sums) != getAccumulatorType(elementType))
    return error() << "expected sums in " << getAccumulatorType(elementType)
                   << ", got " << getElementTypeOrSelf(plan.sums);
  if (!isZeroFill(op.getDpsInits()[0]))
    return error() << "expected 'outs' to be filled with 0";

  OpBuilder::InsertionGuard guard(b);
  if (cast<RankedTensorType>(plan.sums.getType()).getRank() == 5) {
    plan.sums = collapseGroups(b, plan.sums, /*first=*/1);
  }
  if (cast<RankedTensorType>(input.getType()).getRank() == 5) {
    b.setInsertionPoint(op);
    const SmallVector<ReassociationIndices> groups = {{0}, {1, 2}, {3}, {4}};
    input = tensor::CollapseShapeOp::create(b, op.getLoc(), input, groups);
  }
  plan.input = input;
  plan.filter = filter;
  ArrayRef<int64_t> sums =
      cast<RankedTensorType>(plan.sums.getType()).getShape();
  shape.n = sums[0];
  shape.c = groupInputs * shape.group;
  shape.f = groupOutputs * shape.group;
  shape.kh = filterType.getShape().take_back(2)[0];
  shape.kw = filterType.getShape().back();
  shape.oh = sums[2];
  shape.ow = sums[3];
  return success();
}

/// Takes the padding in front of the convolution for what the load does anyway.
static LogicalResult absorbPad(DirectPlan &plan) {
  plan.lows.assign(4, 0);
  plan.pad = plan.input.getDefiningOp<tensor::PadOp>();
  if (!plan.pad)
    return success();
  auto error = [&]() -> InFlightDiagnostic {
    InFlightDiagnostic diagnostic = plan.conv.emitOpError(
        "cannot be cut into block tiles: expected the padding in front of it ");
    diagnostic.attachNote(plan.pad.getLoc()) << "padded here";
    return diagnostic;
  };
  Value padding = plan.pad.getConstantPaddingValue();
  if (!padding || (!matchPattern(padding, m_AnyZeroFloat()) &&
                   !matchPattern(padding, m_Zero())))
    return error() << "to have the value 0, which a load gives outside of an "
                      "image";
  for (auto [low, value] : llvm::zip(plan.lows, plan.pad.getMixedLowPad())) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 0)
      return error() << "to be of constant extents that are not negative";
    low = *constant;
  }
  plan.input = plan.pad.getSource();
  if (!cast<RankedTensorType>(plan.input.getType()).hasStaticShape())
    return error() << "to be round a static shape";
  return success();
}

FailureOr<DirectPlan> top::planDirect(RewriterBase &b, linalg::LinalgOp op,
                                      ScheduleAttr schedule) {
  DirectPlan plan;
  plan.conv = op;
  if (failed(readConvolution(b, plan)) || failed(absorbPad(plan)))
    return failure();
  auto error = [&]() -> InFlightDiagnostic {
    return op.emitOpError("cannot be cut into block tiles: ");
  };
  if (schedule.getClusterM() * schedule.getClusterN() != 1 ||
      schedule.getSplitK() != 1 || schedule.getRepack())
    return error() << "engine 'direct' takes 'cluster' = [1, 1], 'split_k' = 1 "
                      "and 'repack' = false";
  plan.epilogue = findEpilogue(plan.sums);
  ConvShape &shape = plan.shape;
  auto type = cast<RankedTensorType>(plan.input.getType());
  shape.h = type.getDimSize(2);
  shape.w = type.getDimSize(3);
  shape.pads = {plan.lows[2], plan.lows[3], 0, 0};
  std::string reason;
  FailureOr<DirectTiles> tiles = DirectTiles::get(
      schedule, shape, getElementBytes(type.getElementType()), reason);
  if (failed(tiles))
    return error() << reason;
  plan.tiles = *tiles;

  // A step that is never made may have any size.
  std::array<int64_t, 2> strides = shape.strides, dilations = shape.dilations;
  for (unsigned axis = 0; axis < 2; ++axis) {
    if ((axis == 0 ? plan.tiles.boxH : plan.tiles.boxW) == 1)
      strides[axis] = 1;
    if ((axis == 0 ? shape.kh : shape.kw) == 1)
      dilations[axis] = 1;
  }
  // Their verifiers know how large tiles may be.
  plan.window = WindowAttr::getChecked(
      error, b.getContext(),
      ArrayRef<int64_t>{plan.tiles.boxH, plan.tiles.boxW},
      ArrayRef<int64_t>{shape.kh, shape.kw}, ArrayRef<int64_t>(strides),
      ArrayRef<int64_t>(dilations), LayoutKind::channels_first);
  if (!plan.window)
    return failure();
  plan.loaded = TileDimsAttr::getChecked(
      error, b.getContext(),
      ArrayRef<int64_t>{1, plan.tiles.groups * plan.tiles.channels,
                        plan.tiles.spanH},
      ArrayRef<int64_t>{plan.tiles.cols}, ArrayRef<int64_t>{0, 1, 2, 3});
  if (!plan.loaded)
    return failure();
  return plan;
}
