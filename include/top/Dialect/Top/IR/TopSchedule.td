//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#top.schedule`: every decision about the GPU kernel of one layer op. It is
// made once (top-assign-schedule, or a user) and read by every pass after that.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOPSCHEDULE_TD
#define TOP_DIALECT_TOP_IR_TOPSCHEDULE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "top/Dialect/Top/IR/TopAttrs.td"
include "top/Dialect/Top/IR/TopDialect.td"

def Top_Engine : I32EnumAttr<"Engine", "how a block tile is multiplied", [
    I32EnumAttrCase<"simt", 0>, I32EnumAttrCase<"mma_sync", 1>,
    I32EnumAttrCase<"wgmma", 2>, I32EnumAttrCase<"direct", 3>]> {
  let cppNamespace = "::mlir::top";
  let genSpecializedAttr = 0;
}

def Top_PixelAxis : I32EnumAttr<"PixelAxis",
    "which side of a convolution's product its output pixels are", [
    I32EnumAttrCase<"columns", 0>, I32EnumAttrCase<"rows", 1>]> {
  let cppNamespace = "::mlir::top";
  let genSpecializedAttr = 0;
}

def Top_BlockOrder : I32EnumAttr<"BlockOrder",
    "the order in which block tiles are started", [
    I32EnumAttrCase<"row", 0>, I32EnumAttrCase<"column", 1>,
    I32EnumAttrCase<"grouped", 2>]> {
  let cppNamespace = "::mlir::top";
  let genSpecializedAttr = 0;
}

def Top_ScheduleAttr : Top_Attr<"Schedule", "schedule"> {
  let summary = "every decision about the GPU kernel of one layer op";
  let description = [{
    The product `C[M,N] += A[M,K] * B[K,N]` (for a convolution, the one that it
    is an implicit form of) is cut into block tiles, these into warp tiles, and
    these, for `simt`, into thread tiles. The attribute is carried under the
    name `top.schedule` by the layer op and by the linalg and tile ops that it
    becomes. Every field may be left out, in any order:

    | field     | value                               | meaning                                    | default |
    |-----------|-------------------------------------|--------------------------------------------|---------|
    | `engine`  | `simt`, `mma_sync`, `wgmma` or `direct` | how a block tile is multiplied             | `simt` |
    | `block`   | `[BM, BN, BK]`                      | block tile, in elements; BK is one K step  | `[128, 128, 32]`; wgmma `[128, 256, 64]` |
    | `warp`    | `[WM, WN]`                          | tile of a warp, in elements; for `wgmma` that of a consumer warpgroup | simt `[32, 64]`, mma_sync `[64, 64]`, wgmma `[64, 256]` |
    | `thread`  | `[TM, TN]`                          | elements of the warp tile that a thread owns; `simt` only | `[8, 8]` |
    | `stages`  | at least 1                          | buffers in shared memory that K steps rotate through | 2; wgmma 4 |
    | `swizzle` | `true` or `false`                   | whether shared tiles have the bank-conflict-free layout | `true` |
    | `cluster` | `[CM, CN]`                          | blocks of a thread block cluster along M and N | `[1, 1]` |
    | `split_k` | at least 1                          | parts of K summed by blocks of their own   | 1 |
    | `order`   | `row`, `column` or `grouped(G)`     | consecutive blocks are neighbours along N; along M; or along M inside bands of G tile rows | `row` |
    | `repack`  | `true` or `false`                   | whether an operand whose rows do not begin at multiples of 16 bytes is first copied to one whose rows do; else it is read with narrower accesses. For a convolution: whether the input is first packed with its channels last, and the filter with it | `false` |
    | `box`     | `[TI, TH, TW]`                      | convolutions only: the images, and rows and columns of output pixels in each, that a block's tile has; no more than BN (BM with `pixels = rows`) | chosen from the block |
    | `pixels`  | `columns` or `rows`                 | convolutions only: whether the columns of the product are output pixels and its rows output channels, or the reverse | `columns` |

    A block has `BM/WM * BN/WN` warp tiles. It has as many warps of 32 threads
    (`simt`, `mma_sync`), or as many warpgroups of 128 and one more that loads
    (`wgmma`).

    What the attribute alone can show is verified: all values are between 1 and
    65536, warp tiles divide block tiles, thread tiles divide warp tiles into
    exactly 32, a `mma_sync` warp tile is a multiple of 16 x 8 and a `wgmma` one
    of 64 x 8 (BK of 8 in both), a block has at most 1024 threads and a cluster
    at most 8 blocks. What depends on types, shapes and the chip is the business
    of `top-verify-schedule`.

    Example:

    ```mlir
    #top.schedule<engine = mma_sync, block = [128, 128, 32], warp = [64, 64], stages = 3, order = grouped(8)>
    ```
  }];
  let parameters = (ins
    "::mlir::top::Engine":$engine,
    ArrayRefParameter<"int64_t", "BM, BN, BK">:$block,
    ArrayRefParameter<"int64_t", "WM, WN">:$warp,
    ArrayRefParameter<"int64_t", "TM, TN; empty unless simt">:$thread,
    "int64_t":$stages,
    "bool":$swizzle,
    ArrayRefParameter<"int64_t", "CM, CN">:$cluster,
    "int64_t":$splitK,
    "::mlir::top::BlockOrder":$order,
    "int64_t":$groupSize,
    "bool":$repack,
    ArrayRefParameter<"int64_t", "TI, TH, TW; empty unless a convolution">:$box,
    "::mlir::top::PixelAxis":$pixels
  );
  let builders = [
    /// The schedule with every default of `engine`. Others are made from it
    /// through ScheduleFields.
    AttrBuilder<(ins CArg<"::mlir::top::Engine",
                          "::mlir::top::Engine::simt">:$engine)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The schedule that `op` carries under `name`, which is "top.schedule";
    /// null where it carries none.
    static ScheduleAttr getFrom(::mlir::Operation *op);
    /// Writes it on `op`, under `name`.
    void setOn(::mlir::Operation *op);

    /// Extents of the block, warp and thread tiles, in elements. The thread
    /// tile exists for `simt` only.
    int64_t getBlockM() const { return getBlock()[0]; }
    int64_t getBlockN() const { return getBlock()[1]; }
    int64_t getBlockK() const { return getBlock()[2]; }
    int64_t getWarpM() const { return getWarp()[0]; }
    int64_t getWarpN() const { return getWarp()[1]; }
    int64_t getThreadM() const { return getThread()[0]; }
    int64_t getThreadN() const { return getThread()[1]; }
    int64_t getClusterM() const { return getCluster()[0]; }
    int64_t getClusterN() const { return getCluster()[1]; }

    /// Warp tiles of a block tile along M, along N, and in all. For `wgmma`
    /// each belongs to a warpgroup of 4 warps.
    int64_t getNumWarpsM() const { return getBlockM() / getWarpM(); }
    int64_t getNumWarpsN() const { return getBlockN() / getWarpN(); }
    int64_t getNumWarpTiles() const { return getNumWarpsM() * getNumWarpsN(); }
    /// Thread tiles of a warp tile along M and N; `simt` only.
    int64_t getNumLanesM() const { return getWarpM() / getThreadM(); }
    int64_t getNumLanesN() const { return getWarpN() / getThreadN(); }
    /// Warps of a block; for `wgmma` those of the consumers and the producer.
    int64_t getNumWarps() const;
    /// Threads of a block: 32 a warp.
    int64_t getNumThreads() const { return 32 * getNumWarps(); }
    /// Elements of the block tile that one (consumer) thread accumulates.
    int64_t getAccumulatorsPerThread() const;
  }];
}

#endif // TOP_DIALECT_TOP_IR_TOPSCHEDULE_TD
