//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-outline-tiles: equal tiles share one function. What is compiled is then
// one kernel for each shape and a list of calls, whatever the number of tiles.
//
// The work is done before bufferization, so that a layer op is lowered once,
// and with buffers in the signature, so that no copy can appear at a call: the
// strides of a slice are those of the tensor that it is a slice of.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPOUTLINETILESPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using bufferization::MaterializeInDestinationOp;

static constexpr StringLiteral kCategory = "top-outline-tiles";

/// `type` at any offset, so that tiles that differ in where they lie agree.
static MemRefType withDynamicOffset(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(type.getShape(), type.getElementType(), layout,
                         type.getMemorySpace());
}

/// The buffer that bufferization will give `tensor`: dense, or a view where it
/// is a slice. Where it decides otherwise, it copies to this type.
static MemRefType getExpectedBufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return MemRefType::get(type.getShape(), type.getElementType());
  return withDynamicOffset(memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), getExpectedBufferType(slice.getSource()),
      slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides()));
}

namespace {

/// A layer op and the write of its result to a buffer, its only use.
struct Tile {
  Operation *layer;
  MaterializeInDestinationOp write;
  SmallVector<Type> argumentTypes; ///< buffers of the operands and the result
};

} // namespace

/// The layer op whose result `write` puts into a strided buffer, if it can be
/// moved away.
static std::optional<Tile> matchTile(MaterializeInDestinationOp write) {
  Operation *layer = write.getSource().getDefiningOp();
  auto destType = dyn_cast<MemRefType>(write.getDest().getType());
  if (!isa_and_nonnull<Conv2DOp, MatMulOp>(layer) || !destType ||
      !destType.isStrided() || !layer->hasOneUse() ||
      layer->getBlock() != write->getBlock() ||
      cast<RankedTensorType>(write.getSource().getType()).getEncoding())
    return std::nullopt;
  Tile tile{layer, write, {}};
  for (Value operand : layer->getOperands()) {
    if (cast<RankedTensorType>(operand.getType()).getEncoding())
      return std::nullopt;
    tile.argumentTypes.push_back(getExpectedBufferType(operand));
  }
  tile.argumentTypes.push_back(withDynamicOffset(destType));
  return tile;
}

/// Equal for tiles that can share a function.
static Attribute getKey(const Tile &tile) {
  Builder b(tile.layer->getContext());
  return b.getArrayAttr({b.getStringAttr(tile.layer->getName().getStringRef()),
                         tile.layer->getAttrDictionary(),
                         b.getTypeArrayAttr(tile.argumentTypes),
                         b.getTypeArrayAttr(tile.layer->getOperandTypes()),
                         b.getTypeArrayAttr(tile.layer->getResultTypes())});
}

/// A function that computes `tile` from buffers into a buffer.
static func::FuncOp createTileFunction(RewriterBase &rewriter, const Tile &tile,
                                       const Twine &name) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = tile.layer->getLoc();
  auto function = func::FuncOp::create(
      rewriter, loc, name.str(),
      rewriter.getFunctionType(tile.argumentTypes, TypeRange()));
  function.setPrivate();
  function.setNoInline(true);
  rewriter.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  for (auto [operand, argument] :
       llvm::zip(tile.layer->getOperands(), function.getArguments()))
    // Read only, so that it does not matter whether some of them overlap.
    mapping.map(operand, bufferization::ToTensorOp::create(
                             rewriter, loc, operand.getType(), argument,
                             /*restrict=*/true));
  Operation *layer = rewriter.clone(*tile.layer, mapping);
  MaterializeInDestinationOp::create(rewriter, loc, /*result=*/Type(),
                                     layer->getResult(0),
                                     function.getArguments().back(),
                                     /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(rewriter, loc);
  return function;
}

static void replaceByCall(RewriterBase &rewriter, Tile tile,
                          func::FuncOp function) {
  Location loc = tile.layer->getLoc();
  rewriter.setInsertionPoint(tile.write);
  SmallVector<Value> arguments;
  for (auto [operand, type] :
       llvm::zip(tile.layer->getOperands(), tile.argumentTypes))
    arguments.push_back(bufferization::ToBufferOp::create(
        rewriter, loc, type, operand, /*read_only=*/true));
  arguments.push_back(memref::CastOp::create(
      rewriter, loc, tile.argumentTypes.back(), tile.write.getDest()));
  func::CallOp::create(rewriter, loc, function, arguments);
  rewriter.eraseOp(tile.write);
  rewriter.eraseOp(tile.layer);
}

void top::outlineTiles(RewriterBase &rewriter, ModuleOp module,
                       int64_t minCount) {
  SymbolTable symbols(module);
  llvm::MapVector<Attribute, SmallVector<Tile>> tilesOfKind;
  for (auto func : module.getOps<func::FuncOp>())
    func.walk([&](MaterializeInDestinationOp write) {
      if (std::optional<Tile> tile = matchTile(write))
        tilesOfKind[getKey(*tile)].push_back(*tile);
    });

  llvm::StringMap<int64_t> numFunctions; // of the functions that tiles are in
  for (auto &[key, tiles] : tilesOfKind) {
    Operation *layer = tiles.front().layer;
    const Location loc = layer->getLoc(); // outlives the op
    auto caller = layer->getParentOfType<func::FuncOp>();
    remark::RemarkOpts opts =
        remark::RemarkOpts::name("Tiles").category(kCategory).function(
            caller.getName());
    const int64_t count = tiles.size();
    if (count < minCount) {
      remark::missed(loc, opts)
          << remark::reason("{0} equal tiles stay where they are: 'min-count' "
                            "is {1}",
                            count, minCount);
      continue;
    }
    rewriter.setInsertionPoint(caller);
    func::FuncOp function = createTileFunction(
        rewriter, tiles.front(),
        caller.getName() + "_tile_" + Twine(numFunctions[caller.getName()]++));
    symbols.insert(function); // makes the name unique
    for (const Tile &tile : tiles)
      replaceByCall(rewriter, tile, function);
    remark::passed(loc, opts)
        << remark::add("{0} equal tiles call the function '{1}'", count,
                       function.getName().str());
  }
}

namespace {

struct TopOutlineTilesPass
    : top::impl::TopOutlineTilesPassBase<TopOutlineTilesPass> {
  using TopOutlineTilesPassBase::TopOutlineTilesPassBase;
  void runOnOperation() override {
    if (minCount < 1) {
      getOperation()->emitError("expected 'min-count' to be at least 1, got ")
          << minCount.getValue();
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    outlineTiles(rewriter, getOperation(), minCount);
  }
};

} // namespace
