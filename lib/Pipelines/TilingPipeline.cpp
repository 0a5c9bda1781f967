//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-tiling-pipeline: top-tile between the clean-ups that it needs and leaves
// to do. What an embedding compiler calls that wants tiles and nothing else.
//
//===----------------------------------------------------------------------===//

#include "mlir/Transforms/Passes.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/Pipelines/Pipelines.h"

using namespace mlir;
using namespace mlir::top;

void top::buildTopTilingPipeline(OpPassManager &pm,
                                 const TopTilingPipelineOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();

  // First: a zero tensor.pad in front of a convolution becomes its pads.
  // Tiling would slice the padded copy instead, which is materialised whole,
  // and no tile would know that it touches padding.
  functions.addPass(createCanonicalizerPass());

  TopTilePassOptions tile;
  tile.batch = options.batch;
  tile.height = options.height;
  tile.width = options.width;
  tile.channels = options.channels;
  tile.m = options.m;
  tile.n = options.n;
  tile.form = options.form;
  tile.maxTileBytes = options.maxTileBytes;
  functions.addPass(createTopTilePass(tile));

  // Then: the constants and index arithmetic that each tile brought with it
  // take their canonical form. Before CSE, which only merges what is equal.
  functions.addPass(createCanonicalizerPass());

  // Last: tiles of F take the same slice of the input, tiles of H the same
  // slice of filter and bias; each tile wrote its own.
  functions.addPass(createCSEPass());
}
