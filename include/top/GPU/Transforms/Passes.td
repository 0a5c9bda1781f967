//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The levels of a GPU kernel, one pass each: blocks, shared memory, rings,
// swizzle, warps and threads, and the check of the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_TRANSFORMS_PASSES_TD
#define TOP_GPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TopPackConvolutionsPass
    : Pass<"top-pack-convolutions", "::mlir::func::FuncOp"> {
  let summary = "pack the channels of a convolution's images and filter last";
  let description = [{
    Input: tensors. Each scheduled convolution of linalg whose schedule says
    `repack = true` reads images and a filter with their channels last, which
    `linalg.pack` makes: each becomes a kernel of its own, but a constant filter
    is packed at once. Channels are filled up with zeros to 4, 8 or a multiple of
    16 bytes. Zeros round the images (`tensor.pad`) are added to what is packed,
    and then absorbed by the loads of tiles. Of a kernel of one tap only the
    pixels that its stride keeps are packed, and its filter is as it is already.
    Results stay as they are.

    An elementwise `linalg.generic` that nothing but packed convolutions reads,
    padded or not, writes channels last itself, and no kernel packs what it
    writes, where its channels need no filling up. What is padded is its result.

    Images that are channels last by themselves, which is to say that a
    `linalg.transpose` puts their channels first, are read where they are; with
    `repack = true` a `linalg.pack` fills their channels up, if these need it.
    Results that are put in the order N, OH, OW, F are written so, with the
    epilogue in front; only engine `direct` reads and writes channels first. What
    else moves elements between the two orders becomes a `linalg.pack` with a
    schedule, and so a kernel. (`top-lower-layouts` makes such ops.)

    No pack happens twice. One whose source does not depend on a loop leaves it,
    with the slices and reshapes that it reads, and one that an equal one
    dominates is left out: tiles of a convolution share the pack of its filter,
    and two convolutions those of their images. A loop without iterations has its
    pack all the same.

    Does nothing else, with a remark, where no schedule asks for a pack, and to
    depthwise convolutions, which have one channel in each group.

    Example: 3 channels of 2 bytes become 4.

    ```mlir
    %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, top.schedule = #top.schedule<repack = true>} ins(%x, %w : tensor<1x3x8x8xf16>, tensor<6x3x3x3xf16>) outs(%init : tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
    // becomes, with a generic over (n, f, oh, ow, kh, kw, c) and %w alike
    %space = bufferization.alloc_tensor() : tensor<1x8x8x1x4xf16>
    %pack = linalg.pack %x padding_value(%zero : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [4] into %space : tensor<1x3x8x8xf16> -> tensor<1x8x8x1x4xf16>
    %x2 = tensor.collapse_shape %pack [[0], [1], [2], [3, 4]] : tensor<1x8x8x1x4xf16> into tensor<1x8x8x4xf16>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
    "::mlir::top::TopDialect"
  ];
}

def TopRepackOperandsPass
    : Pass<"top-repack-operands", "::mlir::func::FuncOp"> {
  let summary = "copy operands whose rows are not aligned to ones whose rows are";
  let description = [{
    Input: tensors. Each operand of a scheduled linalg product whose schedule says
    `repack = true`, and whose rows do not begin at multiples of 16 bytes, is
    copied into a part of a tensor with longer rows, by an elementwise op that
    becomes a kernel of its own. Copies of 16 bytes then suit the product's
    kernel.

    Does nothing, with a remark, where no operand is copied. Fails at an operand
    of dynamic size.

    Example: rows of 51 x 2 bytes become rows of 56 x 2.

    ```mlir
    %c = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<64x51xf16>, tensor<51x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
    // becomes
    %space = bufferization.alloc_tensor() : tensor<64x56xf16>
    %part = tensor.extract_slice %space[0, 0] [64, 51] [1, 1] : tensor<64x56xf16> to tensor<64x51xf16>
    // %copy is %a, elementwise into %part
    %whole = tensor.insert_slice %copy into %space[0, 0] [64, 51] [1, 1] : tensor<64x51xf16> into tensor<64x56xf16>
    %a2 = tensor.extract_slice %whole[0, 0] [64, 51] [1, 1] : tensor<64x56xf16> to tensor<64x51xf16>
    %c = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a2, %b : tensor<64x51xf16>, tensor<51x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
    "::mlir::top::TopDialect"
  ];
}

def TopTileToBlocksPass : Pass<"top-tile-to-blocks", "::mlir::func::FuncOp"> {
  let summary = "cut scheduled linalg products into block tiles";
  let description = [{
    Input: tensors. Every linalg product that carries a `top.schedule` becomes an
    `scf.forall` over the block tiles of its result, each with a loop over K that
    loads a tile of both operands and multiplies them (`top.tile_load`,
    `top.tile_mma`), and one `top.tile_store`. An elementwise `linalg.generic`
    that is the only user of the product is fused into the store. The product
    starts from zeros: any other `outs` than a fill with 0 is an error. A
    scheduled elementwise op or fill without a product in front (K = 0) becomes a
    kernel that only stores.

    A `linalg.pack` with a schedule, of [batch x] C x H x W, or of [batch x] H x W
    x C, to [batch x] H x W x 1 x C' with zeros for the channels that are missing,
    becomes an `scf.forall` over images, boxes of pixels and blocks of channels,
    with one `top.tile_pack` each. The boxes follow from shape and element type.
    Packs of another form are an error.

    Edge tiles are slices of what is left, of a dynamic size; tiles stay of one
    static size and `top.tile_load` fills up with zeros. Dynamic M, N, K or batch
    is an error that names it, as are operands other than f64, f32, f16, bf16,
    f8E4M3FN, f8E5M2 and i8, an engine that has no kernels yet, and a schedule
    with a cluster. Where a function has no scheduled op a remark says so.

    Example, with `block = [64, 64, 16]`:

    ```mlir
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
    %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>}
      ins(%a, %b : tensor<128x64xf32>, tensor<64x128xf32>) outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
    // becomes
    %c = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %empty) -> (tensor<128x128xf32>) {
      %acc0 = top.tile_zero : !top.tile<block 64x64xf32>
      %acc = scf.for %k = %c0 to %c64 step %c16 iter_args(%sum = %acc0) -> (!top.tile<block 64x64xf32>) {
        %as = tensor.extract_slice %a[%i, %k] [64, 16] [1, 1] : tensor<128x64xf32> to tensor<64x16xf32>
        %at = top.tile_load %as : tensor<64x16xf32> -> !top.tile<block 64x16xf32>
        %bs = tensor.extract_slice %b[%k, %j] [16, 64] [1, 1] : tensor<64x128xf32> to tensor<16x64xf32>
        %bt = top.tile_load %bs : tensor<16x64xf32> -> !top.tile<block 16x64xf32>
        %next = top.tile_mma %at, %bt, %sum : !top.tile<block 64x16xf32>, !top.tile<block 16x64xf32> -> !top.tile<block 64x64xf32>
        scf.yield %next : !top.tile<block 64x64xf32>
      }
      // top.tile_store %acc into the slice of %o at (%i, %j)
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::top::TopDialect"
  ];
}

def TopFoldSelfCopiesPass : Pass<"top-fold-self-copies"> {
  let summary = "remove copies of a buffer to itself";
  let description = [{
    Bufferization ends an `scf.forall` with a copy of each slice to its place,
    also where it is there already. The canonicalizer would remove that, and with
    it the loop of a kernel of one block.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def TopPromoteSharedPass : Pass<"top-promote-shared", "::mlir::func::FuncOp"> {
  let summary = "stage the operands of a block's product in shared memory";
  let description = [{
    Input: memrefs, as bufferization leaves them. In each kernel (an `scf.forall`
    with a `top.schedule`) every `top.tile_load` that feeds a `top.tile_mma`
    becomes a `top.tile_copy` into a ring of one slot and a `top.tile_view` of
    it, with a barrier behind the copies and one behind the product.

    The copies use the widest accesses (16, 8, 4 bytes, or one element) that the
    slice's row pitch, its position and the tile allow; arguments are taken to be
    aligned to 16 bytes. A remark says so where that is less than 16. Does
    nothing, with a remark, where no tile is loaded for a product.

    Inside a kernel:

    ```mlir
    %a = top.tile_load %as : memref<64x16xf32, strided<[64, 1], offset: ?>> -> !top.tile<block 64x16xf32>
    // becomes
    top.tile_copy %as into %ring[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<1x64x16xf32>
    gpu.barrier
    %a = top.tile_view %ring[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::top::TopDialect"
  ];
}

def TopMultiBufferPass : Pass<"top-multi-buffer", "::mlir::func::FuncOp"> {
  let summary = "rings of `stages` slots, filled ahead of their use";
  let description = [{
    Input: kernels that `top-promote-shared` has made. Each loop over K that
    copies into rings of one slot becomes a software pipeline with the schedule's
    `stages`: the copies of the first stages - 1 steps stand in front of the loop,
    and each step waits for its own copies, passes one barrier, issues the copies
    of the step stages - 1 ahead, and multiplies. Copies of at least 4 bytes
    become asynchronous, committed step by step.

    A loop of fewer steps than stages gets as many slots as it has steps. With
    one stage, or without a loop, nothing is done and a remark says so.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::top::TopDialect"
  ];
}

def TopSwizzlePass : Pass<"top-swizzle", "::mlir::func::FuncOp"> {
  let summary = "a layout without bank conflicts for every ring";
  let description = [{
    Gives every ring of a kernel whose schedule has `swizzle = true` the layout
    that `!top.ring<..., swizzle>` describes. A ring whose rows are not 2^n
    chunks of 16 bytes is left as it is, with a remark that says why.
  }];
  let dependentDialects = ["::mlir::top::TopDialect"];
}

def TopTileToWarpsPass : Pass<"top-tile-to-warps", "::mlir::func::FuncOp"> {
  let summary = "cut block tiles into warp tiles, and these into thread tiles";
  let description = [{
    In each kernel the accumulators become those of one warp (engine `mma_sync`)
    or of one thread (engine `simt`): of the warp's tile of WM x WN, lane (i, j)
    owns the rows i, i + L, i + 2L, ... and likewise the columns, L being the
    lanes along that side, so that neighbouring lanes read and write neighbouring
    elements. Operands are sliced to the warp's and then to the thread's part
    with `top.tile_slice`, and the store gets their position.

    Does nothing, with a remark, where a function has no kernel.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::top::TopDialect"
  ];
}

def TopPrefetchFragmentsPass
    : Pass<"top-prefetch-fragments", "::mlir::func::FuncOp"> {
  let summary = "read a warp's operands into registers ahead of their products";
  let description = [{
    Cuts each product of warps' tiles (`top.tile_mma` as top-tile-to-warps leaves
    it for engine `mma_sync`) into products of one instruction's depth, and puts
    the `top.tile_fragment` of a step in front of the product of the step before:
    the tensor cores do not wait for shared memory.

    In a loop that top-multi-buffer has pipelined, the wait and the barrier for
    the next step of K move in front of the last product, and the first fragments
    of that step behind them; they are carried by the loop. Behind the last step
    they are read once more, from a slot that is not written any longer, and
    not used.

    Does nothing, with a remark, where a kernel multiplies no tiles of warps.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::top::TopDialect"
  ];
}

def TopVerifyPipelinePass : Pass<"top-verify-pipeline", "::mlir::func::FuncOp"> {
  let summary = "check that copies, waits and barriers keep reads and writes apart";
  let description = [{
    Changes nothing. Follows each kernel (an `scf.forall` with a `top.schedule`)
    as one of its blocks executes it, through all steps of its loops, and fails
    with an error at the op that comes too early:

    * a `top.tile_mma` reads a slot that nothing was copied into, or whose copy
      is not over for every thread: no barrier behind a synchronous copy; no
      commit, no wait that covers its group, or no barrier behind that wait for
      an asynchronous one;
    * a `top.tile_copy` writes a slot in which another thread may still read, or
      into which a copy may be under way;
    * a slot lies outside its ring;
    * an asynchronous copy is not waited for before the kernel ends.

    A slot, the bounds of a loop or a condition round tile ops that does not
    follow from constants and induction variables is an error that says so, as
    are loops of more than 2^20 steps. A remark counts what was checked; where a
    function has no kernel it says that.

    In this kernel the barrier between the copy and the product is missing:

    ```mlir
    top.tile_copy %slice into %ring[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<1x64x16xf32>
    %a = top.tile_view %ring[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
    %c = top.tile_mma %a, %b, %acc : !top.tile<block 64x16xf32>, !top.tile<block 16x64xf32> -> !top.tile<block 64x64xf32>
    // error: 'top.tile_mma' op reads slot 0 while other threads may still write it: expected a barrier behind the copy
    ```
  }];
}

def TopExpandMathPass : Pass<"top-expand-math"> {
  let summary = "exp and erf as arithmetic";
  let description = [{
    A GPU has no libm: `math.exp` and `math.erf` of scalars become arithmetic. In
    f32 these are upstream's polynomials; in f64 exp is a reduction to
    |r| <= ln(2)/2 and a Taylor polynomial, and erf its Taylor-like series of
    positive terms up to |x| = 2 and the continued fraction of erfc beyond. NaN
    and infinities are kept. Fails at other types than f32 and f64, and at any
    other op of `math` that LLVM's NVPTX target cannot select.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // TOP_GPU_TRANSFORMS_PASSES_TD
