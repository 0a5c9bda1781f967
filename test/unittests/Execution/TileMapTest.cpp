//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tile writes an element.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/TileMap.h"
#include "Parse.h"

using namespace mlir;
using namespace mlir::top;

namespace {

using Shape = SmallVector<int64_t>;

std::string tileOf(func::FuncOp func, ArrayRef<int64_t> at,
                   ArrayRef<int64_t> shape, ArrayRef<Shape> arguments = {}) {
  return findTile(func, 0, at, shape, arguments).str();
}

TEST(TileMapTest, ChainOfSlices) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x1x8x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x8x4xf32> {
      %e = tensor.empty() : tensor<1x1x8x4xf32>
      %s0 = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 5, 4] [1, 1, 1, 1] : tensor<1x1x8x4xf32> to tensor<1x1x5x4xf32>
      %c0 = top.Conv2D %s0, %w {pads = array<i64: 1, 1, 0, 1>} : (tensor<1x1x5x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
      %a0 = tensor.insert_slice %c0 into %e[0, 0, 0, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<1x1x4x4xf32> into tensor<1x1x8x4xf32>
      %s1 = tensor.extract_slice %x[0, 0, 3, 0] [1, 1, 5, 4] [1, 1, 1, 1] : tensor<1x1x8x4xf32> to tensor<1x1x5x4xf32>
      %c1 = top.Conv2D %s1, %w {pads = array<i64: 0, 1, 1, 1>} : (tensor<1x1x5x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
      %a1 = tensor.insert_slice %c1 into %a0[0, 0, 4, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<1x1x4x4xf32> into tensor<1x1x8x4xf32>
      return %a1 : tensor<1x1x8x4xf32>
    }
    func.func @whole(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
      %c = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      return %c : tensor<2x4xf32>
    })");
  const Shape shape = {1, 1, 8, 4};
  EXPECT_EQ(tileOf(module.function("f"), {0, 0, 3, 0}, shape),
            "tile [0:1,0:1,0:4,0:4] pads [1,1,0,1]");
  EXPECT_EQ(tileOf(module.function("f"), {0, 0, 4, 3}, shape),
            "tile [0:1,0:1,4:8,0:4] pads [0,1,1,1]");
  EXPECT_EQ(tileOf(module.function("whole"), {1, 2}, {2, 4}),
            "tile [0:2,0:4] pads []");
}

TEST(TileMapTest, LoopsTiledAgain) {
  // Rows by 4 in a loop, each of them by 2 rows in an inner loop, whose last
  // column is a fill; offsets through affine.apply and arith.
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x1x9x6xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<1x1x9x6xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x1x9x6xf32>
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %e) -> (tensor<1x1x9x6xf32>) {
        %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
        %t = tensor.empty() : tensor<1x1x4x6xf32>
        %in = scf.for %j = %c0 to %c4 step %c2 iter_args(%inner = %t) -> (tensor<1x1x4x6xf32>) {
          %h = arith.addi %row, %j : index
          %s = tensor.extract_slice %x[0, 0, %h, 0] [1, 1, 2, 5] [1, 1, 1, 1] : tensor<1x1x9x6xf32> to tensor<1x1x2x5xf32>
          %y = top.Conv2D %s, %w : (tensor<1x1x2x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x5xf32>
          %a = tensor.insert_slice %y into %inner[0, 0, %j, 0] [1, 1, 2, 5] [1, 1, 1, 1] : tensor<1x1x2x5xf32> into tensor<1x1x4x6xf32>
          scf.yield %a : tensor<1x1x4x6xf32>
        }
        %z = tensor.empty() : tensor<1x1x4x1xf32>
        %f = linalg.fill ins(%zero : f32) outs(%z : tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
        %b = tensor.insert_slice %f into %in[0, 0, 0, 5] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x4x1xf32> into tensor<1x1x4x6xf32>
        %c = tensor.insert_slice %b into %acc[0, 0, %row, 0] [1, 1, 4, 6] [1, 1, 1, 1] : tensor<1x1x4x6xf32> into tensor<1x1x9x6xf32>
        scf.yield %c : tensor<1x1x9x6xf32>
      }
      %s = tensor.extract_slice %x[0, 0, 8, 0] [1, 1, 1, 6] [1, 1, 1, 1] : tensor<1x1x9x6xf32> to tensor<1x1x1x6xf32>
      %y = top.Conv2D %s, %w : (tensor<1x1x1x6xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x6xf32>
      %a = tensor.insert_slice %y into %r[0, 0, 8, 0] [1, 1, 1, 6] [1, 1, 1, 1] : tensor<1x1x1x6xf32> into tensor<1x1x9x6xf32>
      return %a : tensor<1x1x9x6xf32>
    })");
  const Shape shape = {1, 1, 9, 6};
  func::FuncOp func = module.function("f");
  EXPECT_EQ(tileOf(func, {0, 0, 0, 0}, shape),
            "tile [0:1,0:1,0:2,0:5] pads [0,0,0,0]");
  EXPECT_EQ(tileOf(func, {0, 0, 7, 4}, shape),
            "tile [0:1,0:1,6:8,0:5] pads [0,0,0,0]");
  EXPECT_EQ(tileOf(func, {0, 0, 5, 5}, shape),
            "tile [0:1,0:1,4:8,5:6] pads []");
  EXPECT_EQ(tileOf(func, {0, 0, 8, 5}, shape),
            "tile [0:1,0:1,8:9,0:6] pads [0,0,0,0]");
  // 2 * 2 tiles of 10 elements, and one of 6; one product each.
  EXPECT_EQ(countProducts(func, {}), 46);
}

TEST(TileMapTest, ForallAndPaddedDynamicWindows) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x1x?x4xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<1x1x?x1xf32> {
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %x, %c2 : tensor<1x1x?x4xf32>
      %e = tensor.empty(%n) : tensor<1x1x?x1xf32>
      %r = scf.forall (%i) = (0) to (%n) step (2) shared_outs(%out = %e) -> (tensor<1x1x?x1xf32>) {
        %raw = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        %low = affine.max affine_map<(d0) -> (-d0, 0)>(%raw)
        %lo = affine.max affine_map<(d0) -> (d0, 0)>(%raw)
        %hi = affine.min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%raw)[%n]
        %size = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%hi, %lo)
        %high = affine.apply affine_map<(d0, d1) -> (4 - d0 - d1)>(%size, %low)
        %s = tensor.extract_slice %x[0, 0, %lo, 0] [1, 1, %size, 4] [1, 1, 1, 1] : tensor<1x1x?x4xf32> to tensor<1x1x?x4xf32>
        %p = tensor.pad %s low[0, 0, %low, 0] high[0, 0, %high, 0] {
        ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
          tensor.yield %zero : f32
        } : tensor<1x1x?x4xf32> to tensor<1x1x4x4xf32>
        %y = top.Conv2D %p, %w : (tensor<1x1x4x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x2x1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %y into %out[0, 0, %i, 0] [1, 1, 2, 1] [1, 1, 1, 1] : tensor<1x1x2x1xf32> into tensor<1x1x?x1xf32>
        }
      }
      return %r : tensor<1x1x?x1xf32>
    })");
  func::FuncOp func = module.function("f");
  const SmallVector<Shape> arguments = {{1, 1, 6, 4}, {1, 1, 3, 4}};
  EXPECT_EQ(tileOf(func, {0, 0, 1, 0}, {1, 1, 6, 1}, arguments),
            "tile [0:1,0:1,0:2,0:1] pads [1,0,0,0]");
  EXPECT_EQ(tileOf(func, {0, 0, 2, 0}, {1, 1, 6, 1}, arguments),
            "tile [0:1,0:1,2:4,0:1] pads [0,0,0,0]");
  EXPECT_EQ(tileOf(func, {0, 0, 5, 0}, {1, 1, 6, 1}, arguments),
            "tile [0:1,0:1,4:6,0:1] pads [0,0,1,0]");
  EXPECT_EQ(countProducts(func, arguments), 6 * 12);
}

TEST(TileMapTest, RankReducedSlices) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x4x2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %e = tensor.empty() : tensor<5x4x2xf32>
      %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %e) -> (tensor<5x4x2xf32>) {
        %c = top.MatMul %a, %b : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
        %d = tensor.insert_slice %c into %acc[%i, 0, 0] [1, 4, 2] [1, 1, 1] : tensor<4x2xf32> into tensor<5x4x2xf32>
        scf.yield %d : tensor<5x4x2xf32>
      }
      return %r : tensor<5x4x2xf32>
    })");
  EXPECT_EQ(tileOf(module.function("f"), {3, 1, 1}, {5, 4, 2}),
            "tile [3:4,0:4,0:2] pads []");
}

TEST(TileMapTest, UnknownLoopsAreTheWhole) {
  ParsedModule module(R"(
    func.func @f(%n: index, %e: tensor<4xf32>, %c: tensor<2xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %r = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %e) -> (tensor<4xf32>) {
        %d = tensor.insert_slice %c into %acc[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
        scf.yield %d : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    })");
  EXPECT_EQ(tileOf(module.function("f"), {3}, {4}, {{}, {4}, {2}}),
            "tile [0:4] pads []");
}

} // namespace
