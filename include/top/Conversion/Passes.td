//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions into and out of the `top` dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_CONVERSION_PASSES_TD
#define TOP_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTopToLinalgPass : Pass<"convert-top-to-linalg"> {
  let summary = "lower layer ops to linalg on tensors";
  let description = [{
    Turns every `top.Conv2D` and `top.MatMul` under the op that it runs on into
    named ops of linalg on tensors:

    | layer op                                | multiplying op |
    |-----------------------------------------|----------------|
    | Conv2D, `group` 1                       | `linalg.conv_2d_nchw_fchw` |
    | Conv2D, `group` = C = F                 | `linalg.depthwise_conv_2d_nchw_chw`, the filter collapsed to C x KH x KW |
    | Conv2D, any other `group`               | `linalg.conv_2d_ngchw_gfchw` between `tensor.expand_shape` and `tensor.collapse_shape` |
    | MatMul, 2-D                             | `linalg.matmul` |
    | MatMul, batched                         | `linalg.batch_matmul`; a shared `rhs` has no batch in its indexing map |
    | MatMul, batched, shared transposed `rhs` | `linalg.contract`, since `batch_matmul` refuses that map |

    Transposes are indexing maps, strides and dilations attributes. Pads become
    one `tensor.pad` with zeros, left out where all are zero.

    Sums start from a `linalg.fill` of zeros, in f32 (f64 for f64 operands),
    into which the multiplying op extends 16-bit operands. Bias, epilogue steps
    and the one rounding to the result type follow as one elementwise
    `linalg.generic`, left out where there is nothing to do. The sums do not
    start from the bias: a large bias would cost every product the bits that it
    has below the bias' last place, and kernels keep the bias for the store.

    Input: any op. What is not a layer op stays as it is.

    Afterwards no op of `top` is left, no operand has been copied but by
    `tensor.pad`, and the number of ops does not depend on `group`. A
    convolution without input rows or columns, and a product with K of 0, is its
    epilogue alone. Locations are kept. Discardable attributes (`top.schedule`,
    say) move to the multiplying op, and `allow_tf32` becomes `top.allow_tf32`
    on it. Where sizes are dynamic, `cf.assert` stops the program if an output
    row or column count is below 1, or if operands disagree about K, batch or a
    dimension of the result.

    Does nothing where there are no ops of `top`.

    Fails, at the op, where an op of `top` has no lowering to linalg, and where
    the padded input of a convolution would have more than 2^63 bytes.

    Example:

    ```mlir
    %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>}
       : (tensor<1x8x16x16xf16>, tensor<4x8x3x3xf16>, tensor<4xf16>) -> tensor<1x4x16x16xf16>
    // becomes
    #nfhw = affine_map<(n, f, h, w) -> (n, f, h, w)>
    #f = affine_map<(n, f, h, w) -> (f)>
    %zero_f16 = arith.constant 0.0 : f16
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero_f16 : f16
    } : tensor<1x8x16x16xf16> to tensor<1x8x18x18xf16>
    %e = tensor.empty() : tensor<1x4x16x16xf32>
    %zero_f32 = arith.constant 0.0 : f32
    %z = linalg.fill ins(%zero_f32 : f32) outs(%e : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %s = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
       ins(%p, %w : tensor<1x8x18x18xf16>, tensor<4x8x3x3xf16>) outs(%z : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %r = tensor.empty() : tensor<1x4x16x16xf16>
    %y = linalg.generic {indexing_maps = [#nfhw, #f, #nfhw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
       ins(%s, %b : tensor<1x4x16x16xf32>, tensor<4xf16>) outs(%r : tensor<1x4x16x16xf16>) {
    ^bb0(%sum: f32, %bias: f16, %out: f16):
      %0 = arith.extf %bias : f16 to f32
      %1 = arith.addf %sum, %0 : f32
      %2 = arith.truncf %1 : f32 to f16
      linalg.yield %2 : f16
    } -> tensor<1x4x16x16xf16>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def RaiseLinalgToTopPass : Pass<"raise-linalg-to-top", "::mlir::func::FuncOp"> {
  let summary = "raise linalg on tensors to layer ops with epilogues";
  let description = [{
    Replaces convolutions and contractions of linalg on tensors, named or
    generic, by `top.Conv2D` and `top.MatMul`, and takes in what stands round
    them:

    | part | forms |
    |------|-------|
    | convolution | two windows, in any layout (channels first or last), grouped, depthwise |
    | product | `matmul`, `batch_matmul`, `contract`, any contraction with batch, M, N and K; transposed operands become `transpose_a` and `transpose_b`, a right side repeated along the batch is shared |
    | pads, slices | `tensor.pad` with zeros of H and W, any sides; a slice that leaves out what no window reads |
    | init | zeros, a bias repeated along the channels; anything else is added |
    | epilogue | BatchNorm, bias, scale, residual add, gate, relu, clamp, silu, hardswish, sigmoid, gelu (erf), in the order in which they stand, in one op or in many |

    Input: any function. Run `canonicalize` and `cse` before; nothing depends on
    it, but `cf.assert` and copies are gone then.

    Afterwards what was not recognised is as before: the raise is partial. A
    value that something else uses too is not moved into an epilogue. Where
    operands are channels-last, transposes that do not cancel are
    `linalg.transpose`; those of a filter are left to constant folding. NaN
    comes out where it came out: a maximum that replaces NaN by its bound
    (`maxnumf`, `cmpf ogt` and `select`) becomes a clamp with `nan = `.
    Sums are not reordered, but what lies between two roundings may be computed
    without the first: 16-bit values are f32 in an epilogue and rounded once,
    additions and multiplications per channel become one scale and one shift, a
    division by a channel's number a multiplication by its reciprocal.

    `fold-constants` says whether a scale and shift of constants are computed
    into a constant filter and bias: `auto` does so for filters with values of
    their own and leaves a splat as it is, since it stands for weights that are
    supplied later.

    Never fails. One remark (category `raise-linalg-to-top`, name `Raised` or
    `NotRaised`) a function says how many of the convolutions and products were
    raised, how many elementwise ops behind them are in epilogues, and for each
    kind that is left why.

    Example:

    ```mlir
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x8x16x16xf32> to tensor<1x8x18x18xf32>
    %e = tensor.empty() : tensor<1x4x16x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x8x18x18xf32>, tensor<4x8x3x3xf32>) outs(%z : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
                         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
       ins(%c : tensor<1x4x16x16xf32>) outs(%e : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %g = arith.cmpf ugt, %in, %zero : f32
      %r = arith.select %g, %in, %zero : f32
      linalg.yield %r : f32
    } -> tensor<1x4x16x16xf32>
    ```

    becomes

    ```mlir
    %y = top.Conv2D %x, %w {epilogue = [#top.step<relu>], pads = array<i64: 1, 1, 1, 1>}
       : (tensor<1x8x16x16xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x16x16xf32>
    ```
  }];
  let options = [
    Option<"foldConstants", "fold-constants", "::mlir::top::FoldConstants",
      "::mlir::top::FoldConstants::Auto",
      "which constant filters a constant scale is computed into", [{::llvm::cl::values(
        clEnumValN(::mlir::top::FoldConstants::Auto, "auto", "those that are not splats"),
        clEnumValN(::mlir::top::FoldConstants::Never, "never", "none"),
        clEnumValN(::mlir::top::FoldConstants::Always, "always", "all"))}]>
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::top::TopDialect"
  ];
}

def ConvertTopTilesToNVVMPass
    : Pass<"convert-top-tiles-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "outline kernels of tile ops as llvm.func of nvvm ops";
  let description = [{
    Input: functions on memrefs whose kernels are `scf.forall` loops with a
    `top.schedule` (see `top-tile-to-blocks`), at any level: tiles in global or in
    shared memory, accumulators of the block or of threads.

    Each kernel becomes an `llvm.func` in the `gpu.module` @top_kernels, with one
    pointer an argument (the address of the first element; shapes and strides are
    static and compiled in), and a `gpu.launch_func` where it stood. All blocks
    are numbered along x; the schedule's `order` says which tile a number means.
    Rings lie one after the other in the external symbol @top_shared_memory, whose
    size is given at launch. Kernels that are equal are emitted once, and one
    without blocks is not launched.

    Copies become `cp.async` where they are asynchronous, else loads and stores
    of `vector_bytes`; edges are clamped, so that nothing outside a buffer is
    read or written. Products become fused multiply-adds (engine `simt`).

    `chip` and `ptx-version` are those of the `#nvvm.target` that the `gpu.module`
    gets. Fails at an op that has no place in a kernel, a tile op outside one, a
    view of dynamic strides, bounds that are not constant, a grid of more than 2^31 - 1 blocks, and a chip
    or a PTX version that is not known.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"", "architecture to compile for">,
    Option<"ptxVersion", "ptx-version", "unsigned", "0",
      "PTX version, 80 for 8.0; 0 = the chip's lowest, but at least 8.0">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def TopNVVMToSimPass : Pass<"top-nvvm-to-sim", "::mlir::ModuleOp"> {
  let summary = "kernels of nvvm ops to code for the simulated GPU";
  let description = [{
    Input: a module that holds nothing but `gpu.module`s of `llvm.func` in the
    dialects llvm and nvvm, as they are on the way to PTX just before
    `convert-nvvm-to-llvm`.

    Afterwards it holds functions in the LLVM dialect that run on this machine.
    Each gets the simulated thread as its first argument and calls what
    `include/top/Simulation/Program.h` declares:

    | in the kernel | becomes |
    |---|---|
    | an op of the nvvm dialect, or one with `top.instruction` | stores of its operands into slots of 8 bytes, `topSimExecute(thread, site, operands, result)`, a load of its result |
    | a special register | `topSimRegister(thread, number)` |
    | the address of a variable in shared memory | `topSimShared(thread, number)` |
    | a load, store or atomic op that is not on a thread's own stack | the same behind `topSimAccess(thread, site, address, bytes, 0, 1 or 2)`; one call for each part where the alignment makes the GPU move it in parts |
    | a call of a function of the module | the same with the thread in front |
    | any other op of the LLVM dialect that touches no memory | itself |

    The rewrite knows no op of the nvvm dialect: what an op does is the
    simulator's. A kernel `f` has an entry `top_sim_entry_f(thread, parameters)`,
    where the parameters are as for `cuLaunchKernel`. Attributes that are for the
    GPU's compiler (kernel, noalias, readonly, invariant, inbounds) are gone,
    address spaces stay. What the numbers mean is in the attribute
    `top.simulation` of the module: sites with the op, its attributes, types and
    location, special registers, shared variables, kernels.

    Fails at inline assembly without `top.instruction`, a call of a function
    without a body or of an intrinsic that is no op, a variable that is not in
    shared memory, an atomic load or store, copies and fills of memory by an
    intrinsic, an op of another dialect, and an instruction with regions or several results.

    Example:

    ```mlir
    gpu.module @kernels {
      llvm.func @twice(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
        %i = nvvm.read.ptx.sreg.tid.x : i32
        %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        %x = llvm.load %q : !llvm.ptr<1> -> f32
        %y = llvm.fadd %x, %x : f32
        nvvm.barrier0
        llvm.store %y, %q : f32, !llvm.ptr<1>
        llvm.return
      }
    }
    ```

    becomes, without its constants and the second check,

    ```text
    llvm.func internal @twice(%thread: !llvm.ptr, %p: !llvm.ptr<1>) {
      %operands = llvm.alloca %one x !llvm.array<8 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
      %result = llvm.alloca %one x !llvm.array<8 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
      %i = llvm.call @topSimRegister(%thread, %tid_x) : (!llvm.ptr, i32) -> i32
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %a = llvm.addrspacecast %q : !llvm.ptr<1> to !llvm.ptr
      llvm.call @topSimAccess(%thread, %site0, %a, %four, %is_load) : (!llvm.ptr, i32, !llvm.ptr, i32, i32) -> ()
      %x = llvm.load %q {alignment = 1 : i64} : !llvm.ptr<1> -> f32
      %y = llvm.fadd %x, %x : f32
      llvm.call @topSimExecute(%thread, %site1, %operands, %result) : (!llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> ()
      llvm.store %y, %q {alignment = 1 : i64} : f32, !llvm.ptr<1>
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TOP_CONVERSION_PASSES_TD
