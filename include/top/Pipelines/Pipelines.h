//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipelines of the project: options and builders. A builder only adds
// passes, so that an embedding compiler can call it on its own OpPassManager.
//
// The ABI of a function that `top-cpu-pipeline` has lowered:
//
//  * A public `@f` gets a wrapper `_mlir_ciface_f` in the C convention. Each
//    tensor argument is a pointer to a ranked memref descriptor
//    (StridedMemRefType) with the identity layout: row major, dense; its data
//    is read and never written, scalars are passed as they are.
//  * Tensor results are returned as descriptors of the same kind. One result:
//    the wrapper's first argument points to the descriptor to be filled in.
//    Several results (tensors or not): it points to a struct of them in order.
//    One scalar result is returned as it is.
//  * The memory of each tensor result comes from `malloc` during the call,
//    never aliases an argument, and belongs to the caller:
//    `free(descriptor.basePtr)`. Results that are one value in `@f` share it,
//    so each pointer is to be freed once. Nothing else is left allocated.
//  * The code calls malloc, free, memcpy, libm (expf, erff, ...) and, for a
//    failed `cf.assert`, puts and abort. It needs no MLIR runtime library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_PIPELINES_PIPELINES_H
#define TOP_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "top/Conversion/LinalgToTop/LinalgToTop.h"
#include "top/Dialect/Top/Transforms/Transforms.h"

namespace mlir::top {

/// Options of `top-tiling-pipeline`: those of the pass `top-tile`, under the
/// same names and with the same defaults.
struct TopTilingPipelineOptions
    : public PassPipelineOptions<TopTilingPipelineOptions> {
  PassOptions::Option<int64_t> batch{
      *this, "batch", llvm::cl::desc("tile of N (B of a product); 0 = whole"),
      llvm::cl::init(0)};
  PassOptions::Option<int64_t> height{
      *this, "height", llvm::cl::desc("tile of output rows OH; 0 = whole"),
      llvm::cl::init(0)};
  PassOptions::Option<int64_t> width{
      *this, "width", llvm::cl::desc("tile of output columns OW; 0 = whole"),
      llvm::cl::init(0)};
  PassOptions::Option<int64_t> channels{
      *this, "channels", llvm::cl::desc("tile of output channels F; 0 = whole"),
      llvm::cl::init(0)};
  PassOptions::Option<int64_t> m{
      *this, "m", llvm::cl::desc("tile of rows M of a product; 0 = whole"),
      llvm::cl::init(0)};
  PassOptions::Option<int64_t> n{
      *this, "n", llvm::cl::desc("tile of columns N of a product; 0 = whole"),
      llvm::cl::init(0)};
  PassOptions::Option<TileForm> form{
      *this, "form", llvm::cl::desc("how the tiles are written"),
      llvm::cl::init(TileForm::Loop),
      llvm::cl::values(
          clEnumValN(TileForm::Loop, "loop",
                     "loops over the interior, border tiles apart"),
          clEnumValN(TileForm::Unroll, "unroll", "every tile written out"))};
  PassOptions::Option<int64_t> maxTileBytes{
      *this, "max-tile-bytes",
      llvm::cl::desc("find the sizes that are 0 so that a tile's operands and "
                     "result fit in this many bytes; 0 = off"),
      llvm::cl::init(0)};
};

/// Layer ops in canonical form, cut into tiles, without leftovers. To be run on
/// a module: every `func.func` at its top level is tiled; other ops stay.
void buildTopTilingPipeline(OpPassManager &pm,
                            const TopTilingPipelineOptions &options);

/// Options of `tosa-to-top-pipeline`: those of `raise-linalg-to-top`.
struct TosaToTopPipelineOptions
    : public PassPipelineOptions<TosaToTopPipelineOptions> {
  PassOptions::Option<FoldConstants> foldConstants{
      *this, "fold-constants",
      llvm::cl::desc(
          "which constant filters a constant scale is computed into"),
      llvm::cl::init(FoldConstants::Auto),
      llvm::cl::values(
          clEnumValN(FoldConstants::Auto, "auto", "those that are not splats"),
          clEnumValN(FoldConstants::Never, "never", "none"),
          clEnumValN(FoldConstants::Always, "always", "all"))};
};

/// From functions of tosa ops to top.Conv2D and top.MatMul, with linalg for the
/// rest. Float convolutions (conv2d, depthwise_conv2d) and products (matmul)
/// become layer ops with the bias, clamp, add and so on behind them in their
/// epilogues; the transposes between channels-first and channels-last that
/// exporters put round them cancel. Quantized ones stay in linalg, as upstream
/// lowers them; the remark of `raise-linalg-to-top` counts them. To be run on a
/// module. Fails, at the op, where upstream cannot lower an op of tosa.
void buildTosaToTopPipeline(OpPassManager &pm,
                            const TosaToTopPipelineOptions &options);

/// Options of `top-cpu-pipeline`.
struct TopCPUPipelineOptions
    : public PassPipelineOptions<TopCPUPipelineOptions> {
  /// See getHostVectorBits. Code for wider vectors than the CPU has is right,
  /// but slow.
  Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("bits of a vector register of the CPU"),
      llvm::cl::init(256)};
};

/// Bits of a vector register of the CPU that this runs on.
int64_t getHostVectorBits();

/// From a module of functions of top, linalg, tensor, arith, math, scf, affine
/// and cf ops to the LLVM dialect, with the ABI above. To be run on a module.
void buildTopCPUPipeline(OpPassManager &pm,
                         const TopCPUPipelineOptions &options);

/// Registers every pipeline under its command-line name.
void registerTopPipelines();

} // namespace mlir::top

#endif // TOP_PIPELINES_PIPELINES_H
