//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of one kernel: tile ops become nvvm, llvm, arith and scf ops.
// Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_KERNELBODY_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_KERNELBODY_H

#include "TileMemory.h"
#include "TileWindow.h"

namespace mlir::top {

/// A tile that is spread over the registers of its owner's threads: sums, or a
/// fragment.
struct RegisterTile {
  enum Kind { Sums, Lhs, Rhs };
  SmallVector<Value> values; ///< of one thread
  Kind kind = Sums;
  bool transposed = false; ///< the type of a fragment is K x M, or N x K
};

/// Writes the body of a kernel at the builder's position. `mapping` has the
/// kernel's arguments, constants and block indices.
class KernelBody {
public:
  /// `threadId` is the index of the thread in its block, `sharedMemory` the
  /// first byte of the block's shared memory.
  KernelBody(OpBuilder &b, ScheduleAttr schedule, Value threadId,
             Value sharedMemory, IRMapping &mapping)
      : b(b), schedule(schedule), threadId(threadId),
        sharedMemory(sharedMemory), mapping(mapping) {}

  /// Converts the ops of `block`, but for its terminator. Fails with an error
  /// at the op that has no place in a kernel.
  LogicalResult convert(Block &block);

  /// Bytes of shared memory that the rings and the boxes of packs take, and
  /// behind the loops, in their place, the sums on their way to the result.
  int64_t getSharedBytes() const { return std::max(ringBytes, stageBytes); }

private:
  LogicalResult convert(Operation *op);
  LogicalResult convertFor(Operation *op);
  LogicalResult convertIf(Operation *op);
  LogicalResult convertRing(TileRingOp op);
  LogicalResult convertLoad(TileLoadOp op);
  /// The images that `op`, a load or a copy of a tile of rows x cols, reads.
  template <typename OpTy>
  FailureOr<WindowSource> getWindow(const IndexMath &math, OpTy op,
                                    int64_t rows, int64_t cols) const;
  /// With `condition` (i1), which asynchronous copies may have, nothing is
  /// copied unless it holds.
  LogicalResult convertCopy(TileCopyOp op, Value condition = {});
  LogicalResult convertView(TileViewOp op);
  LogicalResult convertSlice(TileSliceOp op);
  LogicalResult convertFragment(TileFragmentOp op);
  LogicalResult convertMma(TileMmaOp op);
  LogicalResult convertConv(TileConvOp op);
  LogicalResult convertStore(TileStoreOp op);
  LogicalResult convertMap(TileMapOp op);
  LogicalResult convertPack(TilePackOp op);

  /// What `values` are in the kernel.
  SmallVector<OpFoldResult> getNumbers(ValueRange values) const;
  /// Accumulators of `type` that one thread holds. Fails with an error at `op`
  /// where a warp has none of that shape.
  FailureOr<int64_t> getNumAccumulators(Operation *op, TileType type) const;
  /// Row and column in the block's tile of a thread's accumulator `index`.
  std::pair<OpFoldResult, OpFoldResult>
  getBlockPosition(const IndexMath &math, TileType type, int64_t index) const;
  FailureOr<int64_t> getNumWarpAccumulators(Operation *op, TileType type) const;
  /// The first byte of a slot of the ring at `base`.
  Value getSlotAddress(const IndexMath &math, Value base, RingType ring,
                       Value slot) const;
  /// Adds step `k` to the sums of a thread's elements of the block's tile.
  void multiplyBlockTile(const IndexMath &math, TileMmaOp op,
                         const MemoryTile &lhs, const MemoryTile &rhs,
                         OpFoldResult k, MutableArrayRef<Value> sums) const;
  /// A lane's registers of an operand of `op`, which is a fragment already or
  /// is read from memory.
  FailureOr<SmallVector<Value>> getFragment(Operation *op, Value tile,
                                            bool isRhs, bool transposed) const;
  LogicalResult storeWarpTile(TileStoreOp op, ArrayRef<Value> sums);
  /// A lane's sums behind a product of its warp's tiles.
  FailureOr<SmallVector<Value>> multiplyWarpTile(TileMmaOp op) const;

  OpBuilder &b;
  ScheduleAttr schedule;
  Value threadId, sharedMemory;
  IRMapping &mapping;
  int64_t ringBytes = 0, stageBytes = 0; ///< rings: and boxes of packs
  DenseMap<Value, MemoryTile> memoryTiles;
  DenseMap<Value, RegisterTile> registerTiles;
  DenseMap<Value, Value> rings; ///< their first bytes
};

/// Gives the tile ops and barriers of a kernel locations with a name: the op's,
/// and the rings that it uses, in order. What they become keeps it.
void nameLocations(Operation *kernel);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_KERNELBODY_H
