//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile ops: what one thread block of a kernel does, one printed op per
// action on a tile. The same load, ring, multiply and store serve every engine
// and both layer ops.
//
// Shapes: BM x BN is the block's tile of the result, BK one step along K.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOPTILES_TD
#define TOP_DIALECT_TOP_IR_TOPTILES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "top/Dialect/Top/IR/TopDialect.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Top_Type<string name, string typeMnemonic> : TypeDef<Top_Dialect, name> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Top_TileLevel : I32EnumAttr<"TileLevel", "who owns a tile together", [
    I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"warp", 1>,
    I32EnumAttrCase<"thread", 2>]> {
  let cppNamespace = "::mlir::top";
  let genSpecializedAttr = 0;
}

def Top_TileType : Top_Type<"Tile", "tile"> {
  let summary = "a tile of elements owned by a block, a warp or a thread";
  let description = [{
    `rows x cols` elements of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i32
    (the sums of i8 products). A value of this type never changes. Where it lives
    follows from the op that makes it: a tile that is loaded is read from global
    memory by whoever uses it, one that is viewed is read from its slot in shared
    memory, and fragments (`top.tile_fragment`) and accumulators
    (`top.tile_zero`, `top.tile_mma`) are in the registers of its owner.

    Example:

    ```mlir
    !top.tile<block 128x32xf16>
    ```
  }];
  let parameters = (ins
    "::mlir::top::TileLevel":$level, "int64_t":$rows, "int64_t":$cols,
    "::mlir::Type":$elementType);
}

def Top_RingType : Top_Type<"Ring", "ring"> {
  let summary = "shared-memory buffers that the steps of a loop rotate through";
  let description = [{
    `stages` slots of `rows x cols` elements each, row after row. With `swizzle`
    the 16-byte chunks of a row are permuted so that neither rows nor columns of
    a tile fall into the same banks: chunk `c` of row `r` is stored as chunk
    `c xor ((r / p) mod q)`, where `q = min(8, chunks of a row)` and `p = 8 / q`
    is the number of rows that share 128 bytes (32 banks of 4 bytes). It needs
    rows of 2^n chunks.

    Example:

    ```mlir
    !top.ring<3x128x32xf16, swizzle>
    ```
  }];
  let parameters = (ins
    "int64_t":$stages, "int64_t":$rows, "int64_t":$cols,
    "::mlir::Type":$elementType, "bool":$swizzle);
  let extraClassDeclaration = [{
    /// Bytes of one row, and of one slot.
    int64_t getRowBytes() const;
    int64_t getSlotBytes() const { return getRows() * getRowBytes(); }
    /// q and p of the swizzle's formula.
    int64_t getSwizzleChunks() const;
    int64_t getSwizzleRows() const { return 8 / getSwizzleChunks(); }
    /// Bytes from the start of a slot to element (row, col).
    int64_t getSlotOffset(int64_t row, int64_t col) const;
    /// The same ring with other stages, or with another layout.
    RingType withStages(int64_t stages) const;
    RingType withSwizzle(bool swizzle) const;
  }];
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// An attribute that TopAttrs.td defines; including that here would generate it
/// a second time.
class Top_KnownAttr<string name, string description>
    : Attr<CPred<"::llvm::isa<::mlir::top::" # name # ">($_self)">,
           description> {
  let storageType = "::mlir::top::" # name;
  let returnType = storageType;
  let convertFromStorage = "$_self";
}
def Top_Window : Top_KnownAttr<"WindowAttr", "#top.window attribute">;
def Top_TileDims : Top_KnownAttr<"TileDimsAttr", "#top.tile_dims attribute">;

class Top_TileOp<string opMnemonic, list<Trait> traits = []>
    : Op<Top_Dialect, opMnemonic, traits>;

def Top_AnyTensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def Top_TileZeroOp : Top_TileOp<"tile_zero", [Pure]> {
  let summary = "accumulators of value 0";
  let description = [{
    Example:

    ```mlir
    %acc = top.tile_zero : !top.tile<block 128x128xf32>
    ```
  }];
  let results = (outs Top_TileType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Top_TileLoadOp : Top_TileOp<"tile_load", [Pure]> {
  let summary = "a tile of global memory, zero beyond its edges";
  let description = [{
    `source` is a matrix of at most the tile's size; element (r, c) of the tile
    is `source[r, c]`, or 0 outside the source. Nothing outside the source is
    ever read. Since a tile never changes, the source must not be written in the
    same kernel.

    With `window` the source is images, and the tile the part of the implicit
    matrix of a convolution (`#top.window`) that begins at pixel 0 of the box and
    depth `k`, with the window at row `h0` and column `w0`, which may be
    negative: `position` is (h0, w0, k).

    With `dims` the source is a box of elements, of which coordinate `d` of the
    tile (`#top.tile_dims`) is at `position[d]`, which may be negative, plus
    that.

    Example:

    ```mlir
    %a = top.tile_load %slice : tensor<?x32xf16> -> !top.tile<block 128x32xf16>
    %b = top.tile_load %images[%h0, %w0, %k] window <box = [4, 56], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_last> : tensor<1x56x56x64xf16> -> !top.tile<block 224x32xf16>
    ```
  }];
  let arguments = (ins Top_AnyTensorOrMemRef:$source,
                       Variadic<Index>:$position,
                       OptionalAttr<Top_Window>:$window,
                       OptionalAttr<Top_TileDims>:$dims);
  let results = (outs Top_TileType:$result);
  let builders = [
    /// Of a matrix.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source), [{
      build($_builder, $_state, result, source, ::mlir::ValueRange(),
            ::mlir::top::WindowAttr(), ::mlir::top::TileDimsAttr());
    }]>
  ];
  let assemblyFormat = [{
    $source (`[` $position^ `]`)? (`window` $window^)? (`dims` $dims^)? attr-dict
    `:` type($source) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Top_TileRingOp : Top_TileOp<"tile_ring", [MemoryEffects<[MemAlloc]>]> {
  let summary = "reserves a ring in shared memory for the whole kernel";
  let description = [{
    Its contents are undefined at first.

    Example:

    ```mlir
    %ring = top.tile_ring : !top.ring<3x128x32xf16>
    ```
  }];
  let results = (outs Top_RingType:$ring);
  let assemblyFormat = "attr-dict `:` qualified(type($ring))";
}

def Top_TileCopyOp : Top_TileOp<"tile_copy"> {
  let summary = "the block copies a tile from global to shared memory";
  let description = [{
    Fills slot `slot` (0 <= slot < stages) of `ring` with `source`, and with
    zeros beyond the source's edges. All threads of the block take part, each
    with accesses of `vector_bytes` (1, 2, 4, 8 or 16) bytes; the source's rows
    start at multiples of that. With `whole` the source's rows also end at
    multiples of it, so that no access is partly outside.

    `position`, `window` and `dims` are those of `top.tile_load`; the source's
    rows are then the runs of elements of its last dimension.

    With `part = [begin, end, count]` the threads' accesses, in order, are taken
    as `count` equal shares, of which shares `begin` to `end` (exclusive) are
    copied: copies of one step can so be spread over its products. All copies
    into a ring that are not of the whole have the same `count`, which divides
    the accesses of a thread.

    Other threads may read the slot after a barrier. An `async` copy (cp.async,
    4, 8 or 16 bytes) is finished only when the thread that issued it has waited
    for the group that it was committed to, and visible to others after a barrier
    behind that.

    Example:

    ```mlir
    top.tile_copy %slice into %ring[%slot] async {vector_bytes = 16 : i64} : memref<?x32xf16, strided<[64, 1], offset: ?>>, !top.ring<3x128x32xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source,
                       Variadic<Index>:$position,
                       Arg<Top_RingType, "", [MemWrite]>:$ring, Index:$slot,
                       OptionalAttr<Top_Window>:$window,
                       OptionalAttr<Top_TileDims>:$dims,
                       UnitAttr:$async, I64Attr:$vector_bytes, UnitAttr:$whole,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{0, 1, 1}">:$part);
  let assemblyFormat = [{
    $source (`[` $position^ `]`)? (`window` $window^)? (`dims` $dims^)?
    `into` $ring `[` $slot `]` (`async` $async^)? attr-dict
    `:` type($source) `,` qualified(type($ring))
  }];
  let hasVerifier = 1;
}

def Top_TileCommitOp : Top_TileOp<"tile_commit", [MemoryEffects<[MemWrite]>]> {
  let summary = "closes the group of asynchronous copies issued since the last one";
  let description = [{
    A group may be empty.

    Example:

    ```mlir
    top.tile_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Top_TileWaitOp : Top_TileOp<"tile_wait", [MemoryEffects<[MemWrite]>]> {
  let summary = "waits until at most `pending` groups of copies are unfinished";
  let description = [{
    A thread waits for its own copies only.

    Example:

    ```mlir
    top.tile_wait {pending = 1 : i64}
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "attr-dict";
}

def Top_TileViewOp : Top_TileOp<"tile_view", [Pure]> {
  let summary = "the tile in a slot of a ring";
  let description = [{
    The slot must not be written while the tile is used.

    Example:

    ```mlir
    %a = top.tile_view %ring[%slot] : !top.ring<3x128x32xf16> -> !top.tile<block 128x32xf16>
    ```
  }];
  let arguments = (ins Top_RingType:$ring, Index:$slot);
  let results = (outs Top_TileType:$result);
  let assemblyFormat = "$ring `[` $slot `]` attr-dict `:` qualified(type($ring)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Top_TileSliceOp : Top_TileOp<"tile_slice", [Pure]> {
  let summary = "the part of a tile that a warp or a thread works on";
  let description = [{
    Element (i, j) of the result is element `(row + i * step[0], col + j *
    step[1])` of the source, which must exist. The result's level is below the
    source's, or the same.

    Example: the 64 rows of a warp, and every fourth of them for a thread.

    ```mlir
    %w = top.tile_slice %a[%row, %c0] step [1, 1] : !top.tile<block 128x32xf32> -> !top.tile<warp 64x32xf32>
    %t = top.tile_slice %w[%lane, %c0] step [4, 1] : !top.tile<warp 64x32xf32> -> !top.tile<thread 16x32xf32>
    ```
  }];
  let arguments = (ins Top_TileType:$source, Index:$row, Index:$col,
                       DenseI64ArrayAttr:$step);
  let results = (outs Top_TileType:$result);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `step` $step attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Top_TileFragmentOp : Top_TileOp<"tile_fragment", [
    MemoryEffects<[MemRead]>, AllTypesMatch<["source", "result"]>]> {
  let summary = "a warp's part of an operand, read into its registers";
  let description = [{
    The result has the elements of `source` and is spread over the registers of
    the warp's lanes as the tensor cores take an operand: the left one, or with
    `rhs` the right one, which `top.tile_mma` is to read as transposed if
    `transposed` is given. Operands that are read ahead of their product hide the
    latency of shared memory behind the product before it.

    Example:

    ```mlir
    %f = top.tile_fragment %a {rhs} : !top.tile<warp 16x64xf16>
    ```
  }];
  let arguments = (ins Top_TileType:$source, UnitAttr:$rhs, UnitAttr:$transposed);
  let results = (outs Top_TileType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def Top_TileMmaOp : Top_TileOp<"tile_mma", [
    MemoryEffects<[MemRead]>, AllTypesMatch<["acc", "result"]>]> {
  let summary = "multiplies two tiles and adds the product to a third";
  let description = [{
    ```
    result[m, n] = acc[m, n] + sum over k of lhs[m, k] * rhs[k, n]
    ```

    With `transpose_a` lhs is a tile of K x M, with `transpose_b` rhs one of
    N x K. Operands of i8 are summed in i32, which wraps, f8 and 16-bit ones in
    f32, f64 and f32 in their own type. With `allow_tf32` f32 operands may be
    rounded to tf32 first.

    Example:

    ```mlir
    %c = top.tile_mma %a, %b, %acc {transpose_b} : !top.tile<block 128x32xf16>, !top.tile<block 64x32xf16> -> !top.tile<block 128x64xf32>
    ```
  }];
  let arguments = (ins Top_TileType:$lhs, Top_TileType:$rhs, Top_TileType:$acc,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b,
                       UnitAttr:$allow_tf32);
  let results = (outs Top_TileType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Top_TileStoreOp : Top_TileOp<"tile_store", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, SingleBlock,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "stores accumulators, each through the epilogue";
  let description = [{
    Element (i, j) of `tile` belongs to element `(row + i * step[0], col + j *
    step[1])` of `dest` (offsets 0 and steps 1 where they are not given). If that
    exists, the region computes what is stored there from the accumulator and
    from one element of each input, which the input's indexing map selects by the
    position in `dest`. Elements outside `dest` are dropped, and the inputs are
    not read for them.

    With `dims` the destination is a box of elements, and the rows and columns of
    the tile are its coordinates (`#top.tile_dims`); what of them does not exist
    in `dest` is dropped. Indexing maps go from the dimensions of `dest`.

    On tensors the result is `dest` with the tile in it; on memrefs there is none.

    Example:

    ```mlir
    top.tile_store %acc into %c ins(%bias : memref<64xf32>) maps [affine_map<(d0, d1) -> (d1)>] {
    ^bb0(%x: f32, %b: f32):
      %s = arith.addf %x, %b : f32
      top.yield %s : f32
    } : !top.tile<block 128x64xf32>, memref<128x64xf32>
    ```
  }];
  let arguments = (ins Top_TileType:$tile,
                       Top_AnyTensorOrMemRef:$dest,
                       Variadic<Index>:$offsets,
                       Variadic<Top_AnyTensorOrMemRef>:$inputs,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{1, 1}">:$step,
                       OptionalAttr<Top_TileDims>:$dims);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $tile `into` $dest (`[` $offsets^ `]`)? (`step` $step^)? (`dims` $dims^)?
    (`ins` `(` $inputs^ `:` type($inputs) `)` `maps` $indexing_maps)?
    $body attr-dict `:` qualified(type($tile)) `,` type($dest) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
  }];
}

def Top_TileMapOp : Top_TileOp<"tile_map", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, SingleBlock,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile of an elementwise op, and of a sum of parts";
  let description = [{
    Every element of `dest` becomes what the region computes from one element of
    each input, which the input's indexing map selects by the position in `dest`.
    `parts`, of shape S x rows x cols, are summed: the region's first argument is
    then the sum of their S elements at the position in `dest`, added in order,
    part 0 first, in their own type, of floats or i32.

    The threads of the block share the elements by the kernel's schedule, an
    unchanged `simt` one: lane (i, j) of a warp owns TN columns side by side, from
    column `j * TN` of the warp's tile on, in the rows `i`, `i + L`, ... (TM of
    them, L being the lanes along M). `dest` is no larger than the block's tile;
    what of that is beyond `dest` is neither read nor written.

    On tensors the result is `dest` with the elements in it; on memrefs there is
    none.

    Example:

    ```mlir
    top.tile_map into %c parts(%p : memref<4x8x128xf32>) ins(%bias : memref<128xf32>) maps [affine_map<(d0, d1) -> (d1)>] {
    ^bb0(%x: f32, %b: f32):
      %s = arith.addf %x, %b : f32
      top.yield %s : f32
    } : memref<8x128xf32>
    ```
  }];
  let arguments = (ins Top_AnyTensorOrMemRef:$dest,
                       Optional<Top_AnyTensorOrMemRef>:$parts,
                       Variadic<Top_AnyTensorOrMemRef>:$inputs,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `into` $dest (`parts` `(` $parts^ `:` type($parts) `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)` `maps` $indexing_maps)?
    $body attr-dict `:` type($dest) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
  }];
}

def Top_TilePackOp : Top_TileOp<"tile_pack", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a box of pixels with its channels put last";
  let description = [{
    ```
    dest[h, w, c] = source[c, h, w], or 0 for a channel that source does not have
    ```

    `source` is C x TH x TW, `dest` TH x TW x C', with no more channels in
    `source` than in `dest`. All threads of the block take part: reads go along
    the source's rows, writes along the destination's channels, and the elements
    change places in shared memory.

    A `dest` of TH x TW x 1 x C' has a `source` of TH x TW x C, whose channels are
    last already and are filled up: `dest[h, w, 0, c] = source[h, w, c]`, or 0.

    On tensors the result is `dest` with the elements in it; on memrefs there is
    none.

    Example:

    ```mlir
    top.tile_pack %x into %y : memref<3x4x56xf16, strided<[3136, 56, 1], offset: ?>>, memref<4x56x4xf16, strided<[224, 4, 1], offset: ?>>
    ```
  }];
  let arguments = (ins Top_AnyTensorOrMemRef:$source,
                       Top_AnyTensorOrMemRef:$dest);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `into` $dest attr-dict `:` type($source) `,` type($dest) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
  }];
}

def Top_TileConvOp : Top_TileOp<"tile_conv", [
    MemoryEffects<[MemRead]>, AllTypesMatch<["acc", "result"]>]> {
  let summary = "adds a convolution of few channels, computed pixel by pixel";
  let description = [{
    `input` is the tile of the images that the windows of a block's box of TH x
    TW output pixels span: row `c*SH + y` is row y of channel c, SH being the
    window's span along H, column x is column x. `filter` is F x C x KH x KW, or
    F x KH x KW of one channel. With `position` (f0, h0, w0), element (i, j) of
    `acc` is pixel (h, w) = (h0 + j / run, w0 + j mod run) of the box in output
    channel f0 + i, and

    ```
    result[i, j] = acc[i, j] + sum over c, kh, kw of
        input[c*SH + h*sh + kh*dh, w*sw + kw*dw] * filter[f0 + i, c, kh, kw]
    ```

    Pixels and channels that do not exist are computed from whatever is there;
    nothing outside `input` and `filter` is read for them. Sums are as those of
    `top.tile_mma`.

    Example: two rows of eight pixels.

    ```mlir
    %c = top.tile_conv %x, %w[%f, %h, %w0], %acc window <box = [8, 56], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first> {run = 8 : i64} : !top.tile<block 10x64xf16>, memref<1x1x3x3xf16>, !top.tile<thread 1x16xf32>
    ```
  }];
  let arguments = (ins Top_TileType:$input, Top_AnyTensorOrMemRef:$filter,
                       Variadic<Index>:$position, Top_TileType:$acc,
                       Top_Window:$window,
                       ConfinedAttr<I64Attr, [IntPositive]>:$run);
  let results = (outs Top_TileType:$result);
  let assemblyFormat = [{
    $input `,` $filter `[` $position `]` `,` $acc `window` $window attr-dict
    `:` qualified(type($input)) `,` type($filter) `,` qualified(type($acc))
  }];
  let hasVerifier = 1;
}

def Top_YieldOp : Top_TileOp<"yield", [
    Pure, Terminator,
    ParentOneOf<["::mlir::top::TileStoreOp", "::mlir::top::TileMapOp"]>]> {
  let summary = "the value that a store or an elementwise op writes";
  let description = [{
    Example: see `top.tile_store`.
  }];
  let arguments = (ins AnyTypeOf<[AnyFloat, AnySignlessInteger]>:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // TOP_DIALECT_TOP_IR_TOPTILES_TD
