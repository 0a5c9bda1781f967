//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface where the transform dialect does not reach: tiles at constant
// offsets, tiles that follow from tiles of operands, and consumer fusion.
//
//===----------------------------------------------------------------------===//

#include "TestUtils.h"

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::test;

namespace {

using Ints = std::vector<int64_t>;

class TilingInterfaceTest : public ::testing::Test {
protected:
  /// Parses functions and finds the layer op to tile, the last one.
  void load(StringRef text) {
    module = context.parse(text);
    ASSERT_TRUE(module) << text.str();
    module->walk([&](Operation *candidate) {
      if (isa<Conv2DOp, MatMulOp>(candidate))
        op = candidate;
    });
    ASSERT_TRUE(op);
  }

  TilingInterface tileable() { return cast<TilingInterface>(op); }

  /// The tile of the result at constant offsets.
  FailureOr<TilingResult> tileAt(Ints offsets, Ints sizes) {
    OpBuilder builder(op);
    return tileable().generateResultTileValue(
        builder, 0, indices(*context, offsets), indices(*context, sizes));
  }

  /// The tile at constant offsets as a layer op of type `OpTy`; the module is
  /// verified with it in place.
  template <typename OpTy>
  OpTy tileOpAt(Ints offsets, Ints sizes) {
    FailureOr<TilingResult> tile = tileAt(offsets, sizes);
    if (failed(tile) || tile->tiledOps.size() != 1 || failed(verify(*module))) {
      ADD_FAILURE() << "no valid tile";
      return {};
    }
    auto type = cast<RankedTensorType>(tile->tiledValues[0].getType());
    EXPECT_EQ(Ints(type.getShape()), sizes);
    return dyn_cast<OpTy>(tile->tiledOps[0]);
  }

  struct OperandTile {
    unsigned operand;
    Ints offsets, sizes;
  };

  /// Offsets and sizes of the domain's tile that belongs to tiles of operands,
  /// one after the other; nullopt where there is none.
  std::optional<std::pair<Ints, Ints>>
  domainTile(ArrayRef<OperandTile> operandTiles) {
    OpBuilder builder(op);
    SmallVector<unsigned> numbers;
    SmallVector<SmallVector<OpFoldResult>> offsets, sizes;
    for (const OperandTile &tile : operandTiles) {
      numbers.push_back(tile.operand);
      offsets.push_back(indices(*context, tile.offsets));
      sizes.push_back(indices(*context, tile.sizes));
    }
    SmallVector<OpFoldResult> domainOffsets, domainSizes;
    LogicalResult found = tileable().getIterationDomainTileFromOperandTiles(
        builder, numbers, offsets, sizes, domainOffsets, domainSizes);
    FailureOr<TilingResult> tiled =
        tileable().getTiledImplementationFromOperandTiles(builder, numbers,
                                                          offsets, sizes);
    EXPECT_TRUE(succeeded(verify(*module)));
    // Both methods say the same, and a tile has the sizes that were promised.
    EXPECT_EQ(succeeded(found), succeeded(tiled));
    if (failed(found) || failed(tiled))
      return std::nullopt;
    auto type = cast<RankedTensorType>(tiled->tiledValues[0].getType());
    EXPECT_EQ(Ints(type.getShape()), constants(domainSizes));
    return std::pair(constants(domainOffsets), constants(domainSizes));
  }

  TestContext context;
  OwningOpRef<ModuleOp> module;
  Operation *op = nullptr;
};

const char *const convText = R"mlir(
func.func @f(%x: tensor<2x4x9x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>,
             %r: tensor<2x6x9x8xf32>, %g: tensor<2x6x1x1xf32>) -> tensor<2x6x9x8xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%r, %g) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<mul>]}
     : (tensor<2x4x9x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>, tensor<2x6x9x8xf32>, tensor<2x6x1x1xf32>) -> tensor<2x6x9x8xf32>
  return %y : tensor<2x6x9x8xf32>
})mlir";

const char *const pointwiseText = R"mlir(
func.func @f(%x: tensor<2x4x9x8xf32>, %w: tensor<6x4x1x3xf32>) -> tensor<2x6x9x6xf32> {
  %y = top.Conv2D %x, %w : (tensor<2x4x9x8xf32>, tensor<6x4x1x3xf32>) -> tensor<2x6x9x6xf32>
  return %y : tensor<2x6x9x6xf32>
})mlir";

const char *const matmulText = R"mlir(
func.func @f(%a: tensor<3x8x5xf32>, %b: tensor<3x7x5xf32>, %bias: tensor<7xf32>, %r: tensor<1x8x7xf32>) -> tensor<3x8x7xf32> {
  %y = top.MatMul %a, %b, %bias epilogue(%r) {transpose_b = true, epilogue = [#top.step<add>]}
     : (tensor<3x8x5xf32>, tensor<3x7x5xf32>, tensor<7xf32>, tensor<1x8x7xf32>) -> tensor<3x8x7xf32>
  return %y : tensor<3x8x7xf32>
})mlir";

//===----------------------------------------------------------------------===//
// Tiles of the result
//===----------------------------------------------------------------------===//

TEST_F(TilingInterfaceTest, DomainIsTheResult) {
  for (const char *text : {convText, matmulText}) {
    load(text);
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<Range> domain = tileable().getIterationDomain(builder);
    ASSERT_EQ(static_cast<int64_t>(domain.size()), type.getRank());
    for (auto [range, size] : llvm::zip(domain, type.getShape())) {
      EXPECT_EQ(getConstantIntValue(range.offset), 0);
      EXPECT_EQ(getConstantIntValue(range.size), size);
      EXPECT_EQ(getConstantIntValue(range.stride), 1);
    }
    for (utils::IteratorType kind : tileable().getLoopIteratorTypes())
      EXPECT_EQ(kind, utils::IteratorType::parallel);

    // A tile of the result is the tile of the domain, in both directions.
    SmallVector<OpFoldResult> offsets, sizes;
    Ints some(type.getRank(), 1);
    ASSERT_TRUE(succeeded(tileable().getResultTilePosition(
        builder, 0, indices(*context, some), indices(*context, some), offsets,
        sizes)));
    EXPECT_EQ(constants(offsets), some);
    EXPECT_EQ(constants(sizes), some);
    offsets.clear();
    sizes.clear();
    ASSERT_TRUE(succeeded(tileable().getIterationDomainTileFromResultTile(
        builder, 0, indices(*context, some), indices(*context, some), offsets,
        sizes)));
    EXPECT_EQ(constants(offsets), some);
    EXPECT_EQ(constants(sizes), some);
  }
}

TEST_F(TilingInterfaceTest, ConvTilesKeepStaticPads) {
  load(convText);
  // The corner at the top left, and one that touches no padding.
  auto corner = tileOpAt<Conv2DOp>({0, 0, 0, 0}, {1, 6, 3, 2});
  ASSERT_TRUE(corner);
  EXPECT_EQ(Ints(corner.getPads()), Ints({1, 1, 0, 0}));
  EXPECT_EQ(print(corner.getInputType()), "tensor<1x4x4x3xf32>");
  auto inner = tileOpAt<Conv2DOp>({1, 0, 3, 2}, {1, 6, 3, 2});
  ASSERT_TRUE(inner);
  EXPECT_EQ(Ints(inner.getPads()), Ints({0, 0, 0, 0}));
  auto slice = inner.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(Ints(slice.getStaticOffsets()), Ints({1, 0, 2, 1}));
  EXPECT_EQ(Ints(slice.getStaticSizes()), Ints({1, 4, 5, 4}));
  // The residual is sliced in all dimensions, the gate along N.
  EXPECT_EQ(print(inner.getEpilogueOperands()[0].getType()),
            "tensor<1x6x3x2xf32>");
  EXPECT_EQ(print(inner.getEpilogueOperands()[1].getType()),
            "tensor<1x6x1x1xf32>");
  // All of it: no slice at all.
  auto whole = tileOpAt<Conv2DOp>({0, 0, 0, 0}, {2, 6, 9, 8});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole.getInput(), cast<Conv2DOp>(op).getInput());
  EXPECT_EQ(Ints(whole.getPads()), Ints({1, 1, 1, 1}));
}

TEST_F(TilingInterfaceTest, SlicesAreReported) {
  load(convText);
  FailureOr<TilingResult> tile = tileAt({1, 2, 3, 2}, {1, 2, 3, 2});
  ASSERT_TRUE(succeeded(tile));
  // input, filter, bias, residual, gate
  ASSERT_EQ(tile->generatedSlices.size(), 5u);
  for (Operation *slice : tile->generatedSlices)
    EXPECT_TRUE(isa<tensor::ExtractSliceOp>(slice));
}

TEST_F(TilingInterfaceTest, TileInPaddingIsItsEpilogue) {
  load(R"mlir(
func.func @f(%x: tensor<1x2x4x4xf16>, %w: tensor<3x2x1x1xf16>, %b: tensor<3xf32>) -> tensor<1x3x10x4xf16> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 3, 0, 3, 0>, epilogue = [#top.step<relu>]}
     : (tensor<1x2x4x4xf16>, tensor<3x2x1x1xf16>, tensor<3xf32>) -> tensor<1x3x10x4xf16>
  return %y : tensor<1x3x10x4xf16>
})mlir");
  for (int64_t row : {0, 8}) {
    auto fill = tileOpAt<linalg::GenericOp>({0, 1, row, 0}, {1, 2, 2, 4});
    ASSERT_TRUE(fill);
    EXPECT_EQ(print(fill.getInputs()[0].getType()), "tensor<2xf32>");
  }
  // One row of the tile reads input.
  auto mixed = tileOpAt<Conv2DOp>({0, 1, 2, 0}, {1, 2, 2, 4});
  ASSERT_TRUE(mixed);
  EXPECT_EQ(Ints(mixed.getPads()), Ints({1, 0, 0, 0}));
}

TEST_F(TilingInterfaceTest, TileInPaddingWithoutBiasIsZero) {
  load(R"mlir(
func.func @f(%x: tensor<1x2x4x4xbf16>, %w: tensor<3x2x1x1xbf16>) -> tensor<1x3x4x10xbf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 0, 3, 0, 3>} : (tensor<1x2x4x4xbf16>, tensor<3x2x1x1xbf16>) -> tensor<1x3x4x10xbf16>
  return %y : tensor<1x3x4x10xbf16>
})mlir");
  EXPECT_TRUE(tileOpAt<linalg::FillOp>({0, 0, 0, 8}, {1, 3, 4, 1}));
}

TEST_F(TilingInterfaceTest, EmptyTiles) {
  for (const char *text : {convText, matmulText}) {
    load(text);
    Ints sizes(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
    for (size_t d = 0; d < sizes.size(); ++d) {
      Ints empty = sizes;
      empty[d] = 0;
      EXPECT_TRUE(tileOpAt<tensor::EmptyOp>(Ints(sizes.size(), 0), empty));
    }
  }
}

// A residual without rows says that there are none, although the type of the
// result does not.
TEST_F(TilingInterfaceTest, EmptyTilesOfDynamicResults) {
  load(R"mlir(
func.func @f(%a: tensor<?x5xf32>, %b: tensor<5x7xf32>, %r: tensor<0x7xf32>) -> tensor<?x7xf32> {
  %y = top.MatMul %a, %b epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<?x5xf32>, tensor<5x7xf32>, tensor<0x7xf32>) -> tensor<?x7xf32>
  return %y : tensor<?x7xf32>
})mlir");
  EXPECT_TRUE(tileOpAt<tensor::EmptyOp>({0, 0}, {3, 4}));
}

TEST_F(TilingInterfaceTest, GroupsAtConstantOffsets) {
  load(R"mlir(
func.func @f(%x: tensor<1x6x4x4xf32>, %w: tensor<12x2x1x1xf32>, %b: tensor<12xf32>) -> tensor<1x12x4x4xf32> {
  %y = top.Conv2D %x, %w, %b {group = 3 : i64} : (tensor<1x6x4x4xf32>, tensor<12x2x1x1xf32>, tensor<12xf32>) -> tensor<1x12x4x4xf32>
  return %y : tensor<1x12x4x4xf32>
})mlir");
  // Groups 1 and 2 of 3: channels 2 to 5.
  auto groups = tileOpAt<Conv2DOp>({0, 4, 0, 0}, {1, 8, 4, 4});
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups.getGroup(), 2u);
  auto slice = groups.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(Ints(slice.getStaticOffsets()), Ints({0, 2, 0, 0}));
  EXPECT_EQ(Ints(slice.getStaticSizes()), Ints({1, 4, 4, 4}));
  // Part of group 1: channels 2 and 3, a convolution without groups.
  auto part = tileOpAt<Conv2DOp>({0, 5, 0, 0}, {1, 3, 4, 4});
  ASSERT_TRUE(part);
  EXPECT_EQ(part.getGroup(), 1u);
  slice = part.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(Ints(slice.getStaticOffsets()), Ints({0, 2, 0, 0}));
  EXPECT_EQ(print(part.getFilterType()), "tensor<3x2x1x1xf32>");
  EXPECT_EQ(print(part.getBias().getType()), "tensor<3xf32>");
  // Across groups: one error with the numbers.
  EXPECT_TRUE(failed(tileAt({0, 2, 0, 0}, {1, 4, 4, 4})));
  EXPECT_EQ(context.takeErrors(),
            std::vector<std::string>(
                {"'top.Conv2D' op cannot be tiled along F at 2 by 4: the tile "
                 "is neither whole groups of 4 output channels nor inside "
                 "one"}));
}

TEST_F(TilingInterfaceTest, TilesOfATileCompose) {
  load(convText);
  // Tiles of tiles read what a tile of the whole reads.
  auto outer = tileOpAt<Conv2DOp>({1, 0, 2, 0}, {1, 6, 5, 8});
  ASSERT_TRUE(outer);
  op = outer;
  auto inner = tileOpAt<Conv2DOp>({0, 0, 0, 0}, {1, 6, 1, 8});
  ASSERT_TRUE(inner);
  auto slice = inner.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(Ints(slice.getStaticOffsets()), Ints({0, 0, 0, 0}));
  EXPECT_EQ(Ints(slice.getStaticSizes()), Ints({1, 4, 3, 8}));
  EXPECT_EQ(Ints(inner.getPads()), Ints({0, 1, 0, 1}));
}

TEST_F(TilingInterfaceTest, MatMulTiles) {
  load(matmulText);
  auto tile = tileOpAt<MatMulOp>({1, 2, 4}, {2, 3, 2});
  ASSERT_TRUE(tile);
  EXPECT_EQ(print(tile.getLhsType()), "tensor<2x3x5xf32>");
  EXPECT_EQ(print(tile.getRhsType()), "tensor<2x2x5xf32>");
  EXPECT_EQ(print(tile.getEpilogueOperands()[0].getType()),
            "tensor<1x3x2xf32>");
  auto rhs = tile.getRhs().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(Ints(rhs.getStaticOffsets()), Ints({1, 4, 0}));
}

/// A tile at the induction variable of a loop whose constant bounds are part of
/// the function: no padding is read from row 1 to row 7.
TEST_F(TilingInterfaceTest, LoopBoundsProveTheInterior) {
  auto tileInLoop = [&](StringRef bounds) {
    std::string text = R"mlir(
func.func @f(%x: tensor<1x4x9x8xf32>, %w: tensor<6x4x3x3xf32>, %n: index) -> tensor<1x6x9x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  )mlir" + bounds.str() +
                       R"mlir(
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x9x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x9x8xf32>
  return %y : tensor<1x6x9x8xf32>
})mlir";
    load(text);
    // The loop stands before the op, as a driver's loops do.
    Block *body = nullptr;
    Value row;
    if (auto loop = find<scf::ForOp>(*module)) {
      body = loop.getBody();
      row = loop.getInductionVar();
    } else {
      auto forall = find<scf::ForallOp>(*module);
      body = forall.getBody();
      row = forall.getInductionVar(0);
    }
    OpBuilder builder = OpBuilder::atBlockTerminator(body);
    SmallVector<OpFoldResult> offsets = indices(*context, {0, 0, 0, 0});
    offsets[2] = row;
    EXPECT_TRUE(succeeded(tileable().getTiledImplementation(
        builder, offsets, indices(*context, {1, 6, 2, 8}))));
    EXPECT_TRUE(succeeded(verify(*module)));
    return count<tensor::PadOp>(*module);
  };
  EXPECT_EQ(tileInLoop("scf.for %i = %c1 to %c7 step %c2 {}"), 0u);
  // The last of 1, 3, 5 is not one less than the bound.
  EXPECT_EQ(tileInLoop("scf.for %i = %c1 to %c8 step %c2 {}"), 1u);
  EXPECT_EQ(tileInLoop("scf.for %i = %c2 to %c8 step %c2 {}"), 0u);
  EXPECT_EQ(tileInLoop("scf.for %i = %c0 to %c7 step %c2 {}"), 1u);
  EXPECT_EQ(tileInLoop("scf.for %i = %c1 to %n step %c2 {}"), 1u);
  EXPECT_EQ(tileInLoop("scf.for %i = %n to %c7 step %c2 {}"), 1u);
  EXPECT_EQ(tileInLoop("scf.for %i = %c1 to %c7 step %n {}"), 1u);
  EXPECT_EQ(tileInLoop("scf.forall (%i) = (1) to (7) step (2) {}"), 0u);
  EXPECT_EQ(tileInLoop("scf.forall (%i) = (0) to (7) step (2) {}"), 1u);
}

//===----------------------------------------------------------------------===//
// Tiles of operands
//===----------------------------------------------------------------------===//

TEST_F(TilingInterfaceTest, ConvDomainFromInput) {
  load(convText);
  // A batch of one image.
  auto tile = domainTile({{0, {1, 0, 0, 0}, {1, 4, 9, 8}}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->first, Ints({1, 0, 0, 0}));
  EXPECT_EQ(tile->second, Ints({1, 6, 9, 8}));
  // Rows of a 3x3 window and parts of the channels decide no tile.
  EXPECT_FALSE(domainTile({{0, {0, 0, 2, 0}, {2, 4, 3, 8}}}));
  EXPECT_FALSE(domainTile({{0, {0, 0, 0, 4}, {2, 4, 9, 4}}}));
  EXPECT_FALSE(domainTile({{0, {0, 2, 0, 0}, {2, 2, 9, 8}}}));
}

TEST_F(TilingInterfaceTest, ConvDomainFromInputOfPointwise) {
  load(pointwiseText);
  // KH = 1: rows correspond one to one; columns do not.
  auto tile = domainTile({{0, {1, 0, 2, 0}, {1, 4, 5, 8}}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->first, Ints({1, 0, 2, 0}));
  EXPECT_EQ(tile->second, Ints({1, 6, 5, 6}));
  EXPECT_FALSE(domainTile({{0, {0, 0, 0, 2}, {2, 4, 9, 4}}}));
}

TEST_F(TilingInterfaceTest, ConvDomainFromInputNeedsStrideOneAndNoPads) {
  load(R"mlir(
func.func @f(%x: tensor<2x4x9x8xf32>, %w: tensor<6x4x1x1xf32>) -> tensor<2x6x5x10xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 0, 1, 0, 1>} : (tensor<2x4x9x8xf32>, tensor<6x4x1x1xf32>) -> tensor<2x6x5x10xf32>
  return %y : tensor<2x6x5x10xf32>
})mlir");
  EXPECT_FALSE(domainTile({{0, {0, 0, 0, 0}, {2, 4, 2, 8}}}));
  EXPECT_FALSE(domainTile({{0, {0, 0, 0, 0}, {2, 4, 9, 4}}}));
  EXPECT_TRUE(domainTile({{0, {0, 0, 0, 0}, {2, 4, 9, 8}}}));
}

TEST_F(TilingInterfaceTest, ConvDomainFromOtherOperands) {
  load(convText);
  auto filter = domainTile({{1, {2, 0, 0, 0}, {3, 4, 3, 3}}});
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->first, Ints({0, 2, 0, 0}));
  EXPECT_EQ(filter->second, Ints({2, 3, 9, 8}));
  EXPECT_FALSE(domainTile({{1, {0, 0, 0, 0}, {6, 2, 3, 3}}}));
  EXPECT_FALSE(domainTile({{1, {0, 0, 1, 0}, {6, 4, 1, 3}}}));
  auto bias = domainTile({{2, {4}, {2}}});
  ASSERT_TRUE(bias);
  EXPECT_EQ(bias->first, Ints({0, 4, 0, 0}));
  EXPECT_EQ(bias->second, Ints({2, 2, 9, 8}));
  auto residual = domainTile({{3, {1, 2, 3, 4}, {1, 2, 3, 4}}});
  ASSERT_TRUE(residual);
  EXPECT_EQ(residual->first, Ints({1, 2, 3, 4}));
  EXPECT_EQ(residual->second, Ints({1, 2, 3, 4}));
  // The gate has one row and one column, which say nothing of the tile's.
  auto gate = domainTile({{4, {1, 2, 0, 0}, {1, 2, 1, 1}}});
  ASSERT_TRUE(gate);
  EXPECT_EQ(gate->first, Ints({1, 2, 0, 0}));
  EXPECT_EQ(gate->second, Ints({1, 2, 9, 8}));
}

TEST_F(TilingInterfaceTest, ConvDomainFromSeveralOperands) {
  load(convText);
  auto both = domainTile(
      {{0, {1, 0, 0, 0}, {1, 4, 9, 8}}, {3, {1, 2, 3, 4}, {1, 2, 3, 4}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->first, Ints({1, 2, 3, 4}));
  // Another image of each.
  EXPECT_FALSE(domainTile(
      {{0, {0, 0, 0, 0}, {1, 4, 9, 8}}, {3, {1, 2, 3, 4}, {1, 2, 3, 4}}}));
  EXPECT_FALSE(domainTile({{2, {0}, {2}}, {1, {0, 0, 0, 0}, {3, 4, 3, 3}}}));
}

TEST_F(TilingInterfaceTest, MatMulDomainFromOperands) {
  load(matmulText);
  auto lhs = domainTile({{0, {1, 2, 0}, {1, 3, 5}}});
  ASSERT_TRUE(lhs);
  EXPECT_EQ(lhs->first, Ints({1, 2, 0}));
  EXPECT_EQ(lhs->second, Ints({1, 3, 7}));
  EXPECT_FALSE(domainTile({{0, {0, 0, 2}, {3, 8, 3}}})); // part of K
  auto rhs = domainTile({{1, {1, 2, 0}, {2, 3, 5}}});
  ASSERT_TRUE(rhs);
  EXPECT_EQ(rhs->first, Ints({1, 0, 2}));
  EXPECT_EQ(rhs->second, Ints({2, 8, 3}));
  EXPECT_FALSE(domainTile({{1, {0, 0, 1}, {3, 7, 4}}}));
  auto bias = domainTile({{2, {3}, {4}}});
  ASSERT_TRUE(bias);
  EXPECT_EQ(bias->first, Ints({0, 0, 3}));
  EXPECT_EQ(bias->second, Ints({3, 8, 4}));
  auto residual = domainTile({{3, {0, 2, 3}, {1, 2, 4}}});
  ASSERT_TRUE(residual);
  EXPECT_EQ(residual->first, Ints({0, 2, 3}));
  EXPECT_EQ(residual->second, Ints({3, 2, 4}));
  auto both =
      domainTile({{0, {1, 2, 0}, {2, 3, 5}}, {1, {1, 4, 0}, {2, 2, 5}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->first, Ints({1, 2, 4}));
  EXPECT_EQ(both->second, Ints({2, 3, 2}));
  EXPECT_FALSE(
      domainTile({{0, {0, 2, 0}, {2, 3, 5}}, {1, {1, 4, 0}, {2, 2, 5}}}));
}

TEST_F(TilingInterfaceTest, MatMulDomainOfTransposedLhs) {
  load(R"mlir(
func.func @f(%a: tensor<5x8xf32>, %b: tensor<5x7xf32>) -> tensor<8x7xf32> {
  %y = top.MatMul %a, %b {transpose_a = true} : (tensor<5x8xf32>, tensor<5x7xf32>) -> tensor<8x7xf32>
  return %y : tensor<8x7xf32>
})mlir");
  auto lhs = domainTile({{0, {0, 2}, {5, 3}}});
  ASSERT_TRUE(lhs);
  EXPECT_EQ(lhs->first, Ints({2, 0}));
  EXPECT_EQ(lhs->second, Ints({3, 7}));
  EXPECT_FALSE(domainTile({{0, {1, 0}, {2, 8}}}));
  // All of K and M of one operand, a part of N of the other.
  auto both = domainTile({{0, {0, 0}, {5, 8}}, {1, {0, 1}, {5, 2}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->second, Ints({8, 2}));
}

//===----------------------------------------------------------------------===//
// Consumer fusion
//===----------------------------------------------------------------------===//

/// Records why a rewrite declined.
struct ReasonListener : RewriterBase::Listener {
  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> explain) override {
    Diagnostic diagnostic(loc, DiagnosticSeverity::Remark);
    explain(diagnostic);
    reasons.push_back(diagnostic.str());
  }
  std::vector<std::string> reasons;
};

class ConsumerFusionTest : public TilingInterfaceTest {
protected:
  /// Loads a function and tiles the linalg.exp in it with a nest of scf.for.
  void tileProducer(StringRef text, ArrayRef<int64_t> tileSizes) {
    load(text);
    auto producer = find<linalg::ExpOp>(*module);
    IRRewriter rewriter(*context);
    rewriter.setInsertionPoint(producer);
    scf::SCFTilingOptions options;
    options.setTileSizes(indices(*context, tileSizes));
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(producer.getOperation()), options);
    ASSERT_TRUE(succeeded(tiled));
    rewriter.replaceOp(producer, tiled->replacements);
    loops = tiled->loops;
  }

  /// Fuses the layer op into the loops in the way of upstream's driver: a copy
  /// of it behind the insert_slice of the producer's tile, which is then tiled
  /// at the place of the slice. Null where the op declines.
  Operation *fuse(StringRef text, ArrayRef<int64_t> tileSizes) {
    tileProducer(text, tileSizes);
    auto insert = find<tensor::InsertSliceOp>(loops.back());
    Value loopResult = loops.front()->getResult(0);
    OpOperand *use = &*loopResult.getUses().begin();
    OpBuilder builder(*context);
    builder.setInsertionPointAfter(insert);
    Operation *copy = builder.clone(*op);
    copy->setOperand(use->getOperandNumber(), insert.getResult());
    builder.setInsertionPoint(copy);
    FailureOr<TilingResult> tiled =
        cast<TilingInterface>(copy).getTiledImplementationFromOperandTiles(
            builder, {use->getOperandNumber()}, {insert.getMixedOffsets()},
            {insert.getMixedSizes()});
    copy->erase();
    EXPECT_TRUE(succeeded(verify(*module)));
    return succeeded(tiled) ? tiled->tiledOps[0] : nullptr;
  }

  SmallVector<LoopLikeOpInterface> loops;
};

std::string expThen(StringRef arguments, StringRef type, StringRef op,
                    StringRef result) {
  return ("func.func @f(%p: " + type + ", %o: " + type + ", " + arguments +
          ") -> " + result + " {\n  %x = linalg.exp ins(%p : " + type +
          ") outs(%o : " + type + ") -> " + type + "\n  %y = " + op + " -> " +
          result + "\n  return %y : " + result + "\n}")
      .str();
}

const std::string convAfterExp =
    expThen("%w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>", "tensor<4x4x9x8xf32>",
            "top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : "
            "(tensor<4x4x9x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>)",
            "tensor<4x6x9x8xf32>");

TEST_F(ConsumerFusionTest, ConvAlongBatch) {
  auto conv = dyn_cast_or_null<Conv2DOp>(fuse(convAfterExp, {2}));
  ASSERT_TRUE(conv);
  EXPECT_EQ(print(conv.getResultType()), "tensor<2x6x9x8xf32>");
  EXPECT_EQ(Ints(conv.getPads()), Ints({1, 1, 1, 1}));
  // The slice that it reads is the one that the producer's tile wrote.
  auto slice = conv.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  ASSERT_TRUE(slice);
  auto insert = slice.getSource().getDefiningOp<tensor::InsertSliceOp>();
  ASSERT_TRUE(insert);
  EXPECT_EQ(slice.getMixedOffsets(), insert.getMixedOffsets());
  EXPECT_EQ(slice.getMixedSizes(), insert.getMixedSizes());
}

// Upstream's own driver declines every op without `outs` before it asks the
// interface. When this test fails, the driver has learnt it: use it here.
TEST_F(ConsumerFusionTest, UpstreamDriverNeedsDestinationStyle) {
  tileProducer(convAfterExp, {2});
  ReasonListener listener;
  IRRewriter rewriter(*context, &listener);
  EXPECT_TRUE(failed(scf::tileAndFuseConsumer(rewriter, op, loops)));
  EXPECT_EQ(listener.reasons,
            std::vector<std::string>({"consumer op is not DPS operation"}));
}

TEST_F(ConsumerFusionTest, ConvAlongRowsIsRefused) {
  EXPECT_FALSE(fuse(convAfterExp, {0, 0, 3}));
  EXPECT_EQ(count<Conv2DOp>(*module), 1u);
}

TEST_F(ConsumerFusionTest, PointwiseConvAlongRows) {
  auto conv = dyn_cast_or_null<Conv2DOp>(fuse(
      expThen("%w: tensor<6x4x1x1xf32>", "tensor<4x4x9x8xf32>",
              "top.Conv2D %x, %w : (tensor<4x4x9x8xf32>, tensor<6x4x1x1xf32>)",
              "tensor<4x6x9x8xf32>"),
      {1, 0, 3, 4}));
  ASSERT_TRUE(conv);
  EXPECT_EQ(print(conv.getResultType()), "tensor<1x6x3x4xf32>");
}

TEST_F(ConsumerFusionTest, Residual) {
  // The loop makes the residual; the convolution is fused at its tiles.
  auto conv = dyn_cast_or_null<Conv2DOp>(fuse(
      expThen("%i: tensor<4x3x9x8xf32>, %w: tensor<4x3x3x3xf32>",
              "tensor<4x4x9x8xf32>",
              "top.Conv2D %i, %w epilogue(%x) {pads = array<i64: 1, 1, 1, 1>, "
              "epilogue = [#top.step<add>]} : (tensor<4x3x9x8xf32>, "
              "tensor<4x3x3x3xf32>, tensor<4x4x9x8xf32>)",
              "tensor<4x4x9x8xf32>"),
      {1, 2, 3, 0}));
  ASSERT_TRUE(conv);
  EXPECT_EQ(print(conv.getResultType()), "tensor<1x2x3x8xf32>");
}

TEST_F(ConsumerFusionTest, MatMulAlongRows) {
  auto product = dyn_cast_or_null<MatMulOp>(
      fuse(expThen("%b: tensor<32x24xf32>", "tensor<64x32xf32>",
                   "top.MatMul %x, %b : (tensor<64x32xf32>, tensor<32x24xf32>)",
                   "tensor<64x24xf32>"),
           {16}));
  ASSERT_TRUE(product);
  EXPECT_EQ(print(product.getResultType()), "tensor<16x24xf32>");
}

TEST_F(ConsumerFusionTest, MatMulAlongDepthIsRefused) {
  EXPECT_FALSE(
      fuse(expThen("%b: tensor<32x24xf32>", "tensor<64x32xf32>",
                   "top.MatMul %x, %b : (tensor<64x32xf32>, tensor<32x24xf32>)",
                   "tensor<64x24xf32>"),
           {0, 16}));
}

TEST_F(ConsumerFusionTest, BatchedMatMulWithDynamicRows) {
  auto product = dyn_cast_or_null<MatMulOp>(fuse(
      expThen("%b: tensor<32x24xf32>", "tensor<3x?x32xf32>",
              "top.MatMul %x, %b : (tensor<3x?x32xf32>, tensor<32x24xf32>)",
              "tensor<3x?x24xf32>"),
      {1, 16}));
  ASSERT_TRUE(product);
  EXPECT_EQ(print(product.getResultType()), "tensor<1x?x24xf32>");
}

TEST_F(ConsumerFusionTest, ConvWithDynamicBatch) {
  auto conv = dyn_cast_or_null<Conv2DOp>(fuse(
      expThen("%w: tensor<6x4x3x3xf32>", "tensor<?x4x9x8xf32>",
              "top.Conv2D %x, %w : (tensor<?x4x9x8xf32>, tensor<6x4x3x3xf32>)",
              "tensor<?x6x7x6xf32>"),
      {2}));
  ASSERT_TRUE(conv);
  EXPECT_EQ(print(conv.getResultType()), "tensor<?x6x7x6xf32>");
}

} // namespace
