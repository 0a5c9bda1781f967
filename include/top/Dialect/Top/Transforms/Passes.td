//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes on the layer ops.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_TRANSFORMS_PASSES_TD
#define TOP_DIALECT_TOP_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TopTilePass : Pass<"top-tile", "::mlir::func::FuncOp"> {
  let summary = "cut layer ops into tiles: batch first, then H and W, or M and N";
  let description = [{
    Cuts every `top.Conv2D` and `top.MatMul` of the function into tiles of the
    given sizes along the result's dimensions. Batch is cut first, since slices
    along it share nothing, then H, then W, then the channels F (for a product:
    batch, M, N).

    Input: any function; ops other than the layer ops are left alone, and a
    layer op that is a tile already is cut again.

    A size of 0 leaves an axis whole, one larger than the extent means the
    extent, and a negative one is an error. `max-tile-bytes` finds the sizes that
    are not given: the largest tile whose input window, filter and result (and
    bias and epilogue operands) fit, cut along N only if a whole image does not
    fit, along H only if one image does not, and so on.

    `form=unroll` writes each tile out, with its own static pads. `form=loop`
    (the default) cuts each axis into leading tiles that touch padding, an
    interior and trailing tiles: the interior is one `scf.for` nest over tiles of
    one static shape without pads, the border tiles keep static pads, and tiles
    wholly in padding are one fill a side. Neither contains `scf.if`, nor
    dynamic sizes for a static op. Where more than 8 tiles of a side touch
    padding, they run as a loop of slice and `tensor.pad`. On a dynamic axis
    `loop` clamps sizes and pads likewise, behind a `cf.assert` for every relation
    between sizes that the types leave open; `unroll` is an error.

    Does nothing, and says so in a remark, to an op of which no axis is cut.
    Fails, at the op, for a negative size, a budget that not even the smallest
    tile fits, an unrolled form of more than 1,048,576 tiles, and a tile of F
    that is neither whole groups nor inside one. Remarks (category `top-tile`)
    tell what was cut and why, the tiles of each class, and how many input rows
    and columns are read twice.

    Example, `top-tile{batch=1 form=unroll}`:

    ```mlir
    %r = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>}
       : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
    // becomes
    %e = tensor.empty() : tensor<2x8x16x16xf32>
    %s0 = tensor.extract_slice %in[0, 0, 0, 0] [1, 3, 16, 16] [1, 1, 1, 1] : tensor<2x3x16x16xf32> to tensor<1x3x16x16xf32>
    %c0 = top.Conv2D %s0, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
    %a0 = tensor.insert_slice %c0 into %e[0, 0, 0, 0] [1, 8, 16, 16] [1, 1, 1, 1] : tensor<1x8x16x16xf32> into tensor<2x8x16x16xf32>
    %s1 = tensor.extract_slice %in[1, 0, 0, 0] [1, 3, 16, 16] [1, 1, 1, 1] : tensor<2x3x16x16xf32> to tensor<1x3x16x16xf32>
    %c1 = top.Conv2D %s1, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
    %r = tensor.insert_slice %c1 into %a0[1, 0, 0, 0] [1, 8, 16, 16] [1, 1, 1, 1] : tensor<1x8x16x16xf32> into tensor<2x8x16x16xf32>
    ```
  }];
  let options = [
    Option<"batch", "batch", "int64_t", "0", "tile of N (B of a product); 0 = whole">,
    Option<"height", "height", "int64_t", "0", "tile of output rows OH; 0 = whole">,
    Option<"width", "width", "int64_t", "0", "tile of output columns OW; 0 = whole">,
    Option<"channels", "channels", "int64_t", "0", "tile of output channels F; 0 = whole">,
    Option<"m", "m", "int64_t", "0", "tile of rows M of a product; 0 = whole">,
    Option<"n", "n", "int64_t", "0", "tile of columns N of a product; 0 = whole">,
    Option<"form", "form", "::mlir::top::TileForm", "::mlir::top::TileForm::Loop",
      "how the tiles are written", [{::llvm::cl::values(
        clEnumValN(::mlir::top::TileForm::Loop, "loop", "loops over the interior, border tiles apart"),
        clEnumValN(::mlir::top::TileForm::Unroll, "unroll", "every tile written out"))}]>,
    Option<"maxTileBytes", "max-tile-bytes", "int64_t", "0",
      "find the sizes that are 0 so that a tile's operands and result fit in this many bytes; 0 = off">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def TopInsertChainsToDestinationPass
    : Pass<"top-insert-chains-to-destination", "::mlir::func::FuncOp"> {
  let summary = "write chains of tensor.insert_slice into one buffer";
  let description = [{
    A chain of `tensor.insert_slice`, each into the result of the one before and
    each result used by the next only, becomes one `memref.alloc` into which each
    source is written by `bufferization.materialize_in_destination`. A `scf.for`
    that hands a chain on through one of its values is part of it. The time
    taken is linear in the links; one-shot bufferization of n links takes time
    in the order of n^4.

    Input: any function on tensors, to be bufferized afterwards. A chain whose
    result only serves to be inserted into another chain writes directly into the
    buffer of that one.

    Leaves to bufferization, with a remark (category
    `top-insert-chains-to-destination`), chains of fewer than `min-length`
    links and, since their start has to be copied, chains of fewer than 32 links
    that start from anything but a `tensor.empty`. A chain ends where a value is
    read by another op, or handed on by one that is no link. Tensors with an
    encoding are left alone. Fails only for a `min-length` below 1.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<8xf32>
    %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    // becomes
    %m = memref.alloc() : memref<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %s0 = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    bufferization.materialize_in_destination %a in restrict writable %s0 : (tensor<4xf32>, memref<4xf32, strided<[1]>>) -> ()
    %s1 = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    bufferization.materialize_in_destination %b in restrict writable %s1 : (tensor<4xf32>, memref<4xf32, strided<[1], offset: 4>>) -> ()
    %1 = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
    ```
  }];
  let options = [
    Option<"minLength", "min-length", "int64_t", "2",
      "the shortest chain that is converted, at least 1">
  ];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def TopOutlineTilesPass : Pass<"top-outline-tiles", "::mlir::ModuleOp"> {
  let summary = "move equal tiles into one function";
  let description = [{
    Layer ops that are equal in name, attributes and types, and whose results are
    written to buffers by `bufferization.materialize_in_destination`, become calls
    of one private function that is never inlined, so that the time to compile
    them does not depend on their number. Operands are passed as read-only
    buffers, slices as views of what they are slices of, and the result is
    computed in its destination: nothing is copied.

    Input: a module on tensors, as `top-insert-chains-to-destination` leaves it,
    to be bufferized afterwards. Layer ops that occur fewer than `min-count`
    times, or whose results go elsewhere, are left alone; a remark (category
    `top-outline-tiles`) tells how many tiles share a function. Fails only for a
    `min-count` below 1.

    Example, one of many equal calls:

    ```mlir
    %t = tensor.extract_slice %x[0, 0, 8, 0] [1, 3, 6, 16] [1, 1, 1, 1] : tensor<1x3x16x16xf32> to tensor<1x3x6x16xf32>
    %r = top.Conv2D %t, %w : (tensor<1x3x6x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x4x14xf32>
    bufferization.materialize_in_destination %r in restrict writable %d : (tensor<1x8x4x14xf32>, memref<1x8x4x14xf32, strided<[1568, 196, 14, 1], offset: 112>>) -> ()
    // becomes
    %0 = bufferization.to_buffer %t read_only : tensor<1x3x6x16xf32> to memref<1x3x6x16xf32, strided<[768, 256, 16, 1], offset: ?>>
    %1 = bufferization.to_buffer %w read_only : tensor<8x3x3x3xf32> to memref<8x3x3x3xf32>
    %2 = memref.cast %d : memref<1x8x4x14xf32, strided<[1568, 196, 14, 1], offset: 112>> to memref<1x8x4x14xf32, strided<[1568, 196, 14, 1], offset: ?>>
    func.call @f_tile_0(%0, %1, %2) : (memref<1x3x6x16xf32, strided<[768, 256, 16, 1], offset: ?>>, memref<8x3x3x3xf32>, memref<1x8x4x14xf32, strided<[1568, 196, 14, 1], offset: ?>>) -> ()
    ```
  }];
  let options = [
    Option<"minCount", "min-count", "int64_t", "2",
      "how often a tile must occur to get a function, at least 1">
  ];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def TopPrepareFunctionsPass : Pass<"top-prepare-functions", "::mlir::func::FuncOp"> {
  let summary = "mark functions with what bufferization and LLVM must know";
  let description = [{
    A function with a body that is not private can be called from outside the
    module: each tensor argument becomes `bufferization.writable = false`, so that
    bufferization copies before a write that would otherwise reach the caller's
    data, and the function `llvm.emit_c_interface`, so that it gets a wrapper in
    the C convention. A private function with a body gets internal linkage, and
    `noinline` for LLVM where it is `no_inline`.

    Input: any function, before bufferization. A `bufferization.writable` that is
    there already is kept. Declarations are left alone. Never fails.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32>
        attributes {llvm.emit_c_interface} {
      return %x : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def TopIsolateDestinationsPass : Pass<"top-isolate-destinations", "::mlir::func::FuncOp"> {
  let summary = "make it safe to compute tensors in the memref they are written to";
  let description = [{
    Gives each op that accumulates into a `linalg.fill` of a `tensor.empty` a fill
    of its own, right in front of it, so that it can be computed in its
    destination. Drops `restrict` from a `bufferization.materialize_in_destination`
    into a memref where a value that the source is computed in has other uses, or
    where memory is used between the start of that computation and the write:
    empty tensor elimination would let it start in the memref, and
    bufferization, which does not see that the two share memory, would not keep
    them apart.

    Input: any function on tensors; to run between the last CSE and
    `eliminate-empty-tensors`. Never fails.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.matmul ins(%c, %d : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    // becomes
    %e = tensor.empty() : tensor<4x4xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.matmul ins(%c, %d : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect"
  ];
}

def TopCopiesToLinalgPass : Pass<"top-copies-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "turn strided memref.copy into linalg.copy";
  let description = [{
    Turns each `memref.copy` with a source or target that is not dense into a
    `linalg.copy`, to be lowered to loops. Left alone, it would become a call of
    `memrefCopy` in MLIR's runtime library, which copies one element at a time.

    Input: any function. Dense copies, which become `memcpy`, and copies of
    unranked memrefs are left alone. Never fails.

    Example:

    ```mlir
    memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32, strided<[10, 1], offset: 1>>
    // becomes
    linalg.copy ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32, strided<[10, 1], offset: 1>>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def TopVectorizeContractionsPass
    : Pass<"top-vectorize-contractions", "::mlir::func::FuncOp"> {
  let summary = "lower sums of products on buffers to register tiles of vectors";
  let description = [{
    Lowers linalg ops on buffers that compute `out += a * b` (convolutions,
    matrix products with any transposes, grouped and depthwise convolutions;
    inputs of 8 and 16 bits are extended) to loops over tiles of the result that stay in
    vector registers for the whole reduction. Vectors run along the result's last
    dimension. The sum of each result element is taken in the order of the
    reduction loops; products and sums carry `contract`, no other relaxation.

    Input: functions on buffers. The result is f32, f64 or i32 and contiguous in
    its last dimension; sizes may be dynamic. Nothing outside the operands is read or
    written: where the extent is not a multiple of the vectors, a static rest
    is one masked vector, a dynamic one goes element by element. A matrix that
    many rows of the result use is copied into dense panels first, in a temporary
    buffer that is freed.

    Leaves other ops alone, and says why in a remark (category
    `top-vectorize-contractions`) for those with a reduction. Fails only for a
    `vector-bits` that is no power of two or below 64.

    Example, of 64x64x64 with `vector-bits=512`:

    ```mlir
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    ```

    becomes, in outline (16 accumulators, of which one is shown):

    ```
    scf.for %k = %c0 to %c64 step %c1 {      // the panel: all of %b
      %0 = vector.load %b[%k, %c0] : memref<64x64xf32>, vector<16xf32>
      vector.store %0, %panel[%k, %c0] : memref<64x64xf32>, vector<16xf32>
      ...
    }
    scf.for %m = %c0 to %c64 step %c4 {
      %1 = vector.load %c[%m, %c0] : memref<64x64xf32>, vector<16xf32>
      ...
      %acc:16 = scf.for %k = %c0 to %c64 step %c1 iter_args(%x = %1, ...) {
        %2 = vector.load %panel[%k, %c0] : memref<64x64xf32>, vector<16xf32>
        %3 = memref.load %a[%m, %k] : memref<64x64xf32>
        %4 = vector.broadcast %3 : f32 to vector<16xf32>
        %5 = arith.mulf %4, %2 fastmath<contract> : vector<16xf32>
        %6 = arith.addf %x, %5 fastmath<contract> : vector<16xf32>
        ...
      }
      vector.store %acc#0, %c[%m, %c0] : memref<64x64xf32>, vector<16xf32>
      ...
    }
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "256",
      "bits of a vector register of the CPU">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def TopExpandFloat8Pass : Pass<"top-expand-float8"> {
  let summary = "extend floats of 8 bits by integer arithmetic";
  let description = [{
    Replaces each `arith.extf` of a scalar or vector of f8E4M3FN or f8E5M2 by
    integer arithmetic on its bits and, for a type other than f32, a conversion
    from f32. The value is the same: every number of 8 bits, infinities, NaN and
    the sign of zero (the payload of a NaN aside). Comes before
    `arith-expand`, which may have to expand what is left, and
    `convert-arith-to-llvm`, which has nothing for such floats.

    Input: anything. Leaves other ops, and `arith.extf` of tensors, alone. Never
    fails.

    Example, in outline:

    ```mlir
    %y = arith.extf %x : f8E4M3FN to f32
    ```

    becomes

    ```
    %0 = arith.bitcast %x : f8E4M3FN to i8
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.andi %1, %c127_i32 : i32
    %3 = arith.shli %2, %c20_i32 : i32        // exponent and mantissa in place
    %4 = arith.addi %3, %c1006632960_i32 : i32 // the bias of f32
    ...                                       // subnormals, NaN, sign
    %y = arith.bitcast %11 : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TopLowerLayoutsPass : Pass<"top-lower-layouts", "::mlir::ModuleOp"> {
  let summary = "tensors that are channels last as plain tensors of their memory";
  let description = [{
    Each tensor of shape N, C, H, W with the encoding
    `#top.layout<channels_last>` becomes the plain tensor N x H x W x C of the
    same memory, wherever it stands: in signatures, calls and returns, in values
    that loops and branches carry, in `tensor` ops, elementwise ops,
    `linalg.generic` and `linalg.fill`, and in constants, whose elements are put
    in order. An argument or a result of a function keeps
    `top.layout = #top.layout<channels_last>` as an attribute. A `top.Conv2D`,
    which is then left without encodings, and with the schedule that it had,
    reads through a `linalg.transpose` to N, C, H, W, and what it gives goes
    through a `linalg.generic` that moves the elements to N, H, W, C. That this
    one is no `linalg.transpose` keeps canonicalization from folding it with the
    next, which would undo the layout between two convolutions. Kernels for the
    GPU take in both, so that nothing is moved.

    A `tensor.cast`, `tensor.extract_slice`, `tensor.insert_slice` or `tensor.pad`
    between the two layouts moves the elements by such ops as well.

    Input: a module of any ops. After it no type has the encoding. Does nothing
    where none has. Fails, with one error at the op and before anything is
    changed, for an op that has such a type and is none of the above: one that
    changes the rank, a `tensor.dim` of a dimension that is no constant, a
    `bufferization` op, a function of another kind than `func.func`.

    Example:

    ```mlir
    func.func @f(%x: tensor<1x8x6x5xf16, #top.layout<channels_last>>, %w: tensor<4x8x1x1xf16>) -> tensor<1x4x6x5xf16> {
      %y = top.Conv2D %x, %w : (tensor<1x8x6x5xf16, #top.layout<channels_last>>, tensor<4x8x1x1xf16>) -> tensor<1x4x6x5xf16>
      return %y : tensor<1x4x6x5xf16>
    }
    // becomes
    func.func @f(%x: tensor<1x6x5x8xf16> {top.layout = #top.layout<channels_last>}, %w: tensor<4x8x1x1xf16>) -> tensor<1x4x6x5xf16> {
      %e = tensor.empty() : tensor<1x8x6x5xf16>
      %t = linalg.transpose ins(%x : tensor<1x6x5x8xf16>) outs(%e : tensor<1x8x6x5xf16>) permutation = [0, 3, 1, 2]
      %y = top.Conv2D %t, %w : (tensor<1x8x6x5xf16>, tensor<4x8x1x1xf16>) -> tensor<1x4x6x5xf16>
      return %y : tensor<1x4x6x5xf16>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // TOP_DIALECT_TOP_TRANSFORMS_PASSES_TD
