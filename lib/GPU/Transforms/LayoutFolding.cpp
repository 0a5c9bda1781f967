//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LayoutFolding.h.
//
//===----------------------------------------------------------------------===//

#include "LayoutFolding.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/Layout.h"

using namespace mlir;
using namespace mlir::top;

/// Whether all the op does is to give its one input in another order.
static bool isMove(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.hasPureTensorSemantics())
    return false;
  auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  return yield.getOperand(0) == op.getBlock()->getArgument(0);
}

Value top::getPermutedSource(Value value, ArrayRef<int64_t> order) {
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    return transpose.getPermutation() == order ? transpose.getInput() : Value();
  auto move = value.getDefiningOp<linalg::GenericOp>();
  if (!move || !isMove(move))
    return nullptr;
  AffineMap from = move.getMatchingIndexingMap(move.getDpsInputOperand(0));
  AffineMap to = move.getMatchingIndexingMap(move.getDpsInitOperand(0));
  if (!from.isPermutation() || !to.isPermutation() ||
      from.getNumResults() != order.size())
    return nullptr;
  for (auto [d, source] : llvm::enumerate(order))
    if (from.getResult(source) != to.getResult(d))
      return nullptr;
  return move.getDpsInputs()[0];
}

Value top::getChannelsLastSource(RewriterBase &rewriter, Value image) {
  if (Value source = getPermutedSource(image, kChannelsLastPositions))
    return source;
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value padding = pad ? pad.getConstantPaddingValue() : Value();
  if (!padding)
    return nullptr;
  Value source = getPermutedSource(pad.getSource(), kChannelsLastPositions);
  if (!source)
    return nullptr;
  auto type = cast<RankedTensorType>(pad.getType());
  return tensor::PadOp::create(
      rewriter, pad.getLoc(),
      RankedTensorType::get(toChannelsLast(type.getShape()),
                            type.getElementType()),
      source, toChannelsLast<OpFoldResult>(pad.getMixedLowPad()),
      toChannelsLast<OpFoldResult>(pad.getMixedHighPad()), padding,
      pad.getNofold());
}

/// The op that moves `value`, of which it is the only user, to N, H, W, C.
static linalg::LinalgOp getMove(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  auto user = dyn_cast<linalg::LinalgOp>(*value.getUsers().begin());
  if (user && user->getNumResults() == 1 &&
      getPermutedSource(user->getResult(0), kChannelsLastOrder) == value)
    return user;
  return nullptr;
}

/// Whether `op` computes each element of its one result, of rank 4, from the
/// element of `sums` at the same place, and from others.
static bool isEpilogue(linalg::GenericOp op, Value sums) {
  if (op.getNumLoops() != 4 || op.getNumParallelLoops() != 4 ||
      op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      op.hasIndexSemantics())
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return op.getMatchingIndexingMap(init).isIdentity() &&
         !op.payloadUsesValueFromOperand(init) &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return input->get() != sums ||
                  op.getMatchingIndexingMap(input).isIdentity();
         });
}

std::optional<ChannelsLastResult> top::matchChannelsLastResult(Value sums) {
  if (linalg::LinalgOp move = getMove(sums))
    return ChannelsLastResult{nullptr, move};
  if (!sums.hasOneUse())
    return std::nullopt;
  auto epilogue = dyn_cast<linalg::GenericOp>(*sums.getUsers().begin());
  if (!epilogue || !isEpilogue(epilogue, sums))
    return std::nullopt;
  if (linalg::LinalgOp move = getMove(epilogue.getResult(0)))
    return ChannelsLastResult{epilogue, move};
  return std::nullopt;
}

/// The map by which a tensor N x H x W x C is read that `map` reads the
/// N x C x H x W of.
static AffineMap readLast(AffineMap map) {
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                        toChannelsLast(map.getResults()), map.getContext());
}

/// `op`, elementwise over n, c, h, w, as one over n, h, w, c that writes
/// `init`. It reads `lastSums` in place of `sums`, both of which may be null.
static linalg::GenericOp createChannelsLast(RewriterBase &rewriter,
                                            linalg::GenericOp op, Value init,
                                            Value sums, Value lastSums) {
  // The loops n, c, h, w over the new ones, n, h, w, c.
  SmallVector<unsigned> positions(kChannelsLastPositions.begin(),
                                  kChannelsLastPositions.end());
  AffineMap loops =
      AffineMap::getPermutationMap(positions, rewriter.getContext());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input).compose(loops);
    Value value = input->get();
    Value last = sums && value == sums
                     ? lastSums
                     : getPermutedSource(value, kChannelsLastPositions);
    inputs.push_back(last ? last : value);
    maps.push_back(last ? readLast(map) : map);
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(4));
  auto created =
      linalg::GenericOp::create(rewriter, op.getLoc(), init.getType(), inputs,
                                init, maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), created.getRegion(),
                             created.getRegion().begin());
  created->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return created;
}

Value top::rewriteChannelsLastResult(RewriterBase &rewriter, Value sums,
                                     const ChannelsLastResult &result,
                                     Value lastSums) {
  OpBuilder::InsertionGuard guard(rewriter);
  linalg::LinalgOp move = result.move;
  rewriter.setInsertionPoint(move);
  linalg::GenericOp epilogue = result.epilogue;
  if (!epilogue) {
    rewriter.replaceOp(move, lastSums);
    return lastSums;
  }
  linalg::GenericOp rewritten = createChannelsLast(
      rewriter, epilogue, move.getDpsInits()[0], sums, lastSums);
  rewriter.replaceOp(move, rewritten);
  rewriter.eraseOp(epilogue);
  return rewritten.getResult(0);
}

void top::writeChannelsLast(RewriterBase &rewriter, linalg::GenericOp generic) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  Location loc = generic.getLoc();
  auto type = cast<RankedTensorType>(generic.getResult(0).getType());
  // Not tensor.empty: those of two ops may be equal and become one.
  Value init = bufferization::AllocTensorOp::create(
      rewriter, loc,
      RankedTensorType::get(toChannelsLast(type.getShape()),
                            type.getElementType()),
      ValueRange());
  linalg::GenericOp last =
      createChannelsLast(rewriter, generic, init, Value(), Value());
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  auto transpose = linalg::TransposeOp::create(rewriter, loc, last.getResult(0),
                                               empty, kChannelsLastPositions);
  rewriter.replaceOp(generic, transpose->getResults());
}

bool top::foldPermutedInputs(RewriterBase &rewriter,
                             linalg::GenericOp generic) {
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  SmallVector<std::pair<OpOperand *, Value>> folded;
  for (OpOperand *input : generic.getDpsInputOperands())
    if (Value source =
            getPermutedSource(input->get(), kChannelsLastPositions)) {
      AffineMap &map = maps[input->getOperandNumber()];
      map = readLast(map);
      folded.push_back({input, source});
    }
  if (folded.empty())
    return false;
  rewriter.modifyOpInPlace(generic, [&] {
    for (auto [input, source] : folded)
      input->set(source);
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  return true;
}
