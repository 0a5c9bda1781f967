//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of a function to PTX, as a list of named phases, so that a tool can
// stop behind any of them.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_PIPELINES_GPUPIPELINE_H
#define TOP_PIPELINES_GPUPIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::top {

/// Options of `top-gpu-pipeline`. The levels that can be left out give a right,
/// slower kernel without them.
struct TopGPUPipelineOptions
    : public PassPipelineOptions<TopGPUPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("architecture to compile for"),
                           llvm::cl::init("sm_80")};
  Option<std::string> card{
      *this, "card",
      llvm::cl::desc("card that schedules are chosen for (default: a usual one "
                     "of the chip)"),
      llvm::cl::init("")};
  Option<unsigned> ptxVersion{
      *this, "ptx-version",
      llvm::cl::desc("PTX version, 80 for 8.0; 0 = the chip's lowest, but at "
                     "least 8.0"),
      llvm::cl::init(0)};
  Option<bool> assignLayouts{
      *this, "assign-layouts",
      llvm::cl::desc("let what goes from convolution to convolution be "
                     "channels last where that is faster"),
      llvm::cl::init(true)};
  Option<bool> promote{*this, "promote",
                       llvm::cl::desc("stage operands in shared memory"),
                       llvm::cl::init(true)};
  Option<bool> multiBuffer{*this, "multi-buffer",
                           llvm::cl::desc("copy ahead into rings of slots"),
                           llvm::cl::init(true)};
  Option<bool> swizzle{*this, "swizzle",
                       llvm::cl::desc("shared layout without bank conflicts"),
                       llvm::cl::init(true)};
  Option<bool> warps{*this, "warps",
                     llvm::cl::desc("cut block tiles into warp and thread "
                                    "tiles"),
                     llvm::cl::init(true)};
  Option<bool> prefetch{*this, "prefetch",
                        llvm::cl::desc("read fragments of the tensor cores "
                                       "ahead of their products"),
                        llvm::cl::init(true)};
};

/// What a reader of the IR may want to see. Each level holds what the phases up
/// to it have made.
enum class GPULevel { Top, Linalg, Tiles, NVVM };

/// One pass of the way down, with the clean-up behind it.
struct GPUPhase {
  StringRef pass; ///< its argument, as in `--stop-after`
  GPULevel level; ///< that it ends in
  std::function<void(OpPassManager &)> add;
};

/// The phases from layer ops that carry schedules to a gpu.module of llvm.func
/// with nvvm ops. To be run on a module.
SmallVector<GPUPhase> getGPUPhases(const TopGPUPipelineOptions &options);

/// All of them.
void buildTopGPUPipeline(OpPassManager &pm,
                         const TopGPUPipelineOptions &options);

/// From llvm.func with nvvm, scf, arith and math ops to the LLVM and nvvm
/// dialects, where the ways to PTX and to the simulated GPU part. To be run on
/// a module that holds nothing but gpu.modules.
void buildTopKernelsToLLVMPipeline(OpPassManager &pm);

/// Behind it, on the way to PTX: ops of the nvvm dialect that LLVM has no
/// intrinsic for become inline assembly.
void buildTopKernelsToPTXPipeline(OpPassManager &pm);

} // namespace mlir::top

#endif // TOP_PIPELINES_GPUPIPELINE_H
