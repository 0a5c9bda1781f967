//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-lower-layouts: channels-last tensors become plain tensors of their
// memory.
//
// All ops are checked, then those that speak of dimensions are rewritten, and
// at last all types are replaced at once. Until then a value that is to be
// N x H x W x C keeps its encoded type of shape N, C, H, W, even where the op
// that makes it is new and counts dimensions as memory does: so each rewrite
// sees by the type of an operand what it will be.
//
//===----------------------------------------------------------------------===//

#include "LayoutConstants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPLOWERLAYOUTSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Types of operands, results and arguments of regions.
static SmallVector<Type> getTypes(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
  }
  return types;
}

/// Channels last, or plain, and of rank 4: what can be converted to each other.
static bool hasLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 4 &&
         (!tensor.getEncoding() || isChannelsLast(tensor));
}

/// Why the op, some of whose types are channels last, cannot be converted;
/// empty where it can.
static std::string whyNotConvertible(Operation *op) {
  auto needsRank4 = [&](Type type) -> std::string {
    if (hasLayout(type))
      return "";
    std::string text;
    llvm::raw_string_ostream(text)
        << "expected tensors of rank 4 that are plain or channels last, got "
        << type;
    return text;
  };
  return TypeSwitch<Operation *, std::string>(op)
      .Case<Conv2DOp, tensor::EmptyOp, tensor::ExtractOp, tensor::InsertOp,
            linalg::FillOp, func::FuncOp, func::CallOp, func::ReturnOp>(
          [](auto) { return ""; })
      .Case([&](linalg::GenericOp generic) -> std::string {
        for (Type type : generic->getOperandTypes())
          if (auto tensor = dyn_cast<RankedTensorType>(type);
              tensor && tensor.getEncoding() && !isChannelsLast(tensor))
            return needsRank4(type);
        return "";
      })
      .Case<tensor::CastOp, tensor::PadOp, tensor::ExtractSliceOp>(
          [&](auto move) {
            std::string reason = needsRank4(move.getSource().getType());
            return reason.empty() ? needsRank4(move.getResult().getType())
                                  : reason;
          })
      .Case<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
          [&](auto insert) {
            std::string reason = needsRank4(insert.getSource().getType());
            return reason.empty() ? needsRank4(insert.getDest().getType())
                                  : reason;
          })
      .Case([](tensor::DimOp dim) {
        std::optional<int64_t> index = dim.getConstantIndex();
        return index && *index >= 0 && *index < 4
                   ? ""
                   : "expected a constant dimension between 0 and 3";
      })
      .Case([](arith::ConstantOp constant) {
        return toMemoryOrder(cast<ElementsAttr>(constant.getValue()))
                   ? ""
                   : "expected elements of whole bytes that are there";
      })
      .Default([](Operation *op) -> std::string {
        if (isa_and_nonnull<scf::SCFDialect, cf::ControlFlowDialect>(
                op->getDialect()))
          return "";
        if (!OpTrait::hasElementwiseMappableTraits(op))
          return "it is not an op that top-lower-layouts knows";
        bool isUniform = llvm::all_of(getTypes(op), [](Type type) {
          return !isa<TensorType>(type) || isChannelsLast(type);
        });
        return isUniform ? "" : "expected all its tensors in one layout";
      });
}

static LogicalResult check(Operation *op) {
  std::string reason = whyNotConvertible(op);
  if (reason.empty())
    return success();
  return op->emitOpError("cannot be lowered from ")
         << getChannelsLast(op->getContext())
         << " to the layout of memory: " << reason;
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

/// The dynamic ones of the sizes of `value`, which are asked for in the order
/// of `dims`.
static SmallVector<Value> getDynamicSizes(OpBuilder &b, Location loc,
                                          Value value, ArrayRef<int64_t> dims,
                                          ArrayRef<int64_t> extents) {
  SmallVector<Value> sizes;
  for (auto [dim, extent] : llvm::zip_equal(dims, extents))
    if (ShapedType::isDynamic(extent))
      sizes.push_back(tensor::DimOp::create(b, loc, value, dim));
  return sizes;
}

/// `value`, which is channels last, as a plain tensor N x C x H x W.
static Value toChannelsFirst(OpBuilder &b, Location loc, Value value) {
  RankedTensorType type =
      cast<RankedTensorType>(value.getType()).dropEncoding();
  SmallVector<Value> sizes =
      getDynamicSizes(b, loc, value, kChannelsLastPositions, type.getShape());
  Value init = tensor::EmptyOp::create(b, loc, type.getShape(),
                                       type.getElementType(), sizes);
  return linalg::TransposeOp::create(b, loc, value, init,
                                     ArrayRef<int64_t>(kChannelsLastPositions))
      ->getResult(0);
}

/// `value`, a plain tensor N x C x H x W, as a channels-last one. Not a
/// linalg.transpose, see the description of the pass.
static Value toChannelsLast(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> sizes = getDynamicSizes(
      b, loc, value, kChannelsLastOrder, top::toChannelsLast(type.getShape()));
  Value init =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType(),
                              sizes, getChannelsLast(b.getContext()));
  SmallVector<unsigned> positions(kChannelsLastPositions.begin(),
                                  kChannelsLastPositions.end());
  AffineMap maps[] = {AffineMap::getPermutationMap(positions, b.getContext()),
                      b.getMultiDimIdentityMap(4)};
  SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, init.getType(), value, init, maps, iterators,
             [](OpBuilder &body, Location at, ValueRange arguments) {
               linalg::YieldOp::create(body, at, arguments[0]);
             })
      ->getResult(0);
}

/// `value` in the layout of `like`.
static Value convertLayout(OpBuilder &b, Location loc, Value value, Type like) {
  if (isChannelsLast(value.getType()) == isChannelsLast(like))
    return value;
  return isChannelsLast(like) ? toChannelsLast(b, loc, value)
                              : toChannelsFirst(b, loc, value);
}

/// `type` in the layout of `like`.
static RankedTensorType inLayoutOf(Type type, Type like) {
  return cast<RankedTensorType>(type).cloneWithEncoding(
      cast<RankedTensorType>(like).getEncoding());
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

/// One number for each dimension of `tensor`, in the order of its memory.
static SmallVector<OpFoldResult> inMemoryOrder(Value tensor,
                                               ArrayRef<OpFoldResult> values) {
  if (isChannelsLast(tensor.getType()))
    return top::toChannelsLast(values);
  return llvm::to_vector(values);
}

static void rewrite(RewriterBase &b, Conv2DOp op) {
  Location loc = op.getLoc();
  auto plain = cast<Conv2DOp>(b.clone(*op));
  b.setInsertionPoint(plain);
  for (OpOperand &operand : plain->getOpOperands())
    if (isChannelsLast(operand.get().getType()))
      operand.set(toChannelsFirst(b, loc, operand.get()));
  b.setInsertionPointAfter(plain);
  plain.getResult().setType(op.getResultType().dropEncoding());
  b.replaceOp(op, convertLayout(b, loc, plain.getResult(), op.getType()));
}

static void rewrite(RewriterBase &b, tensor::EmptyOp op) {
  // The sizes that are not constants, in the order of memory.
  SmallVector<Value> sizes;
  for (int64_t d : kChannelsLastOrder)
    if (op.getType().isDynamicDim(d))
      sizes.push_back(op.getDynamicSize(d));
  op.getDynamicSizesMutable().assign(sizes);
}

static void rewrite(RewriterBase &b, tensor::CastOp op) {
  Value value = op.getSource();
  RankedTensorType type = inLayoutOf(op.getType(), value.getType());
  if (value.getType() != type)
    value = tensor::CastOp::create(b, op.getLoc(), type, value);
  b.replaceOp(op, convertLayout(b, op.getLoc(), value, op.getType()));
}

static void rewrite(RewriterBase &b, tensor::ExtractSliceOp op) {
  Value source = op.getSource();
  Value slice = tensor::ExtractSliceOp::create(
      b, op.getLoc(), inLayoutOf(op.getType(), source.getType()), source,
      inMemoryOrder(source, op.getMixedOffsets()),
      inMemoryOrder(source, op.getMixedSizes()),
      inMemoryOrder(source, op.getMixedStrides()));
  b.replaceOp(op, convertLayout(b, op.getLoc(), slice, op.getType()));
}

/// tensor.insert_slice and, in an scf.forall, tensor.parallel_insert_slice.
template <typename OpTy>
static void rewriteInsert(RewriterBase &b, OpTy op) {
  Value dest = op.getDest();
  if (isa<tensor::ParallelInsertSliceOp>(op))
    b.setInsertionPoint(op->getParentOp()); // holds nothing but such ops
  Value source = convertLayout(b, op.getLoc(), op.getSource(), dest.getType());
  b.setInsertionPoint(op);
  b.replaceOpWithNewOp<OpTy>(op, source, dest,
                             inMemoryOrder(dest, op.getMixedOffsets()),
                             inMemoryOrder(dest, op.getMixedSizes()),
                             inMemoryOrder(dest, op.getMixedStrides()));
}

static void rewrite(RewriterBase &b, tensor::PadOp op) {
  Value source = op.getSource();
  auto pad = tensor::PadOp::create(
      b, op.getLoc(), inLayoutOf(op.getType(), source.getType()), source,
      inMemoryOrder(source, op.getMixedLowPad()),
      inMemoryOrder(source, op.getMixedHighPad()), op.getNofold());
  pad.getRegion().takeBody(op.getRegion());
  if (isChannelsLast(source.getType())) {
    // Its arguments are the position of an element.
    Block &body = pad.getRegion().front();
    SmallVector<SmallVector<OpOperand *>> uses(4);
    for (int64_t d = 0; d < 4; ++d)
      for (OpOperand &use : body.getArgument(d).getUses())
        uses[d].push_back(&use);
    for (int64_t d = 0; d < 4; ++d)
      for (OpOperand *use : uses[d])
        use->set(body.getArgument(kChannelsLastPositions[d]));
  }
  b.setInsertionPointAfter(pad);
  b.replaceOp(op, convertLayout(b, op.getLoc(), pad.getResult(), op.getType()));
}

static void rewrite(RewriterBase &b, tensor::DimOp op) {
  const int64_t position = kChannelsLastPositions[*op.getConstantIndex()];
  op.getIndexMutable().assign(
      arith::ConstantIndexOp::create(b, op.getLoc(), position));
}

template <typename OpTy>
static void rewriteIndices(OpTy op) {
  SmallVector<Value> indices(op.getIndices());
  op.getIndicesMutable().assign(top::toChannelsLast(ArrayRef<Value>(indices)));
}

/// The maps of operands follow memory. Loops over a result do too, so that the
/// innermost runs along it.
static void rewrite(RewriterBase &b, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap loops; // of the loops as they are, over the new ones
  OpOperand *init = op.getDpsInitOperand(0);
  if (isChannelsLast(init->get().getType()) && !op.hasIndexSemantics() &&
      op.getNumParallelLoops() == 4 && op.getNumLoops() == 4 &&
      op.getMatchingIndexingMap(init).isIdentity()) {
    SmallVector<unsigned> positions(kChannelsLastPositions.begin(),
                                    kChannelsLastPositions.end());
    loops = AffineMap::getPermutationMap(positions, b.getContext());
  }
  for (auto [map, operand] : llvm::zip_equal(maps, op->getOpOperands())) {
    if (isChannelsLast(operand.get().getType()))
      map =
          AffineMap::get(map.getNumDims(), 0,
                         top::toChannelsLast(map.getResults()), b.getContext());
    if (loops)
      map = map.compose(loops);
  }
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
}

static void rewrite(RewriterBase &b, Operation *op) {
  b.setInsertionPoint(op);
  TypeSwitch<Operation *>(op)
      .Case<Conv2DOp, tensor::EmptyOp, tensor::CastOp, tensor::ExtractSliceOp,
            tensor::PadOp, tensor::DimOp, linalg::GenericOp>(
          [&](auto known) { rewrite(b, known); })
      .Case<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
          [&](auto insert) { rewriteInsert(b, insert); })
      .Case<tensor::ExtractOp, tensor::InsertOp>(
          [&](auto access) { rewriteIndices(access); })
      .Case([](func::FuncOp function) {
        LayoutAttr layout = getChannelsLast(function.getContext());
        for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
          if (isChannelsLast(type))
            function.setArgAttr(index, kLayoutAttrName, layout);
        for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
          if (isChannelsLast(type))
            function.setResultAttr(index, kLayoutAttrName, layout);
      });
}

static void replaceTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](RankedTensorType type) -> Type { return getMemoryType(type); });
  replacer.addReplacement(
      [](ElementsAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        Attribute replaced = attr;
        if (isChannelsLast(attr.getType()))
          if (ElementsAttr inOrder = toMemoryOrder(attr))
            replaced = inOrder;
        return std::make_pair(replaced, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult top::lowerLayouts(ModuleOp module) {
  SmallVector<Operation *> ops;
  WalkResult checked = module.walk([&](Operation *op) {
    if (llvm::none_of(getTypes(op), isChannelsLast))
      return WalkResult::advance();
    ops.push_back(op);
    return failed(check(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  if (ops.empty())
    return success();
  IRRewriter rewriter(module.getContext());
  for (Operation *op : ops)
    rewrite(rewriter, op);
  replaceTypes(module);
  return success();
}

namespace {

struct TopLowerLayoutsPass
    : top::impl::TopLowerLayoutsPassBase<TopLowerLayoutsPass> {
  void runOnOperation() override {
    if (failed(lowerLayouts(getOperation())))
      signalPassFailure();
  }
};

} // namespace
