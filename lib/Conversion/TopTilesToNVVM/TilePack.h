//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is decided of a top.tile_pack before it is written: how the source is
// read, how the box lies in shared memory, how the destination is written.
// Internal to this library.
//
// The source is read in *runs* of elements that follow each other: rows of
// pixels of a channel, channels where rows have no gap between them, or all of
// the box; where the channels of a pixel are side by side, rows of pixels with
// all their channels, or all of the box. A run is read in chunks of 16 bytes
// that begin at multiples of 16, also where it does not: its place in shared
// memory then is as far beyond such a multiple, and what its first and last
// chunk bring besides is not looked at. Nothing outside the buffer is read.
//
// The destination is written in vectors of 16 bytes of a pixel's channels, each
// collected from as many places of shared memory as it has elements.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEPACK_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEPACK_H

#include "TileMemory.h"
#include "top/Target/GPUTarget.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::top {

/// How the box lies in shared memory. All numbers but counts are bytes.
struct PackStage {
  bool mergesRows = false;     ///< a run has all rows
  bool mergesChannels = false; ///< a run has all channels
  bool isInterleaved = false;  ///< a pixel's channels follow each other in runs
  bool isDense;                ///< what lies between pixels is read with them
  bool isAligned;              ///< all runs begin at multiples of a chunk
  int64_t chunk;               ///< of an access to the source
  int64_t chunksPerRun;        ///< at most
  int64_t channels;            ///< that have a place
  /// From a pixel to the next in a row, to the next row, to the next channel,
  /// and besides that from one group of `vector` channels to the next.
  int64_t pixelStep, rowPitch, channelPitch, groupSkew = 0;
  int64_t pixelBytes; ///< that a run has of a pixel
  int64_t bytes;      ///< of all
};

struct PackPlan {
  /// C x TH x TW and TH x TW x C', whatever the order is in which they lie.
  GlobalView source, dest;
  /// Of `source`, which dimensions of the op's operand its own are.
  std::array<unsigned, 3> sourceDims = {0, 1, 2};
  int64_t elementBytes;
  /// Most rows and columns of pixels, and channels of each side, of any block.
  int64_t maxRows, maxCols, maxSourceChannels, maxDestChannels;
  /// Of the memref that `source` is a part of: bytes from its first element to
  /// the end of its last, and what its address is a multiple of.
  int64_t rootBytes, rootAlignment;
  PackStage stage;
  int64_t vector; ///< elements that a store to the destination has
  int64_t lanes;  ///< of a warp that store neighbouring vectors of a pixel

  /// Plans `op`, whose views are resolved through `mapping`. Blocks that are
  /// smaller at edges have the extents of the schedule. Fails with an error at
  /// the op.
  static FailureOr<PackPlan> get(const IndexMath &math, TilePackOp op,
                                 ScheduleAttr schedule,
                                 const IRMapping &mapping);

  int64_t countRuns() const {
    return (stage.mergesChannels ? 1 : stage.channels) *
           (stage.mergesRows ? 1 : maxRows);
  }
  /// Groups of `vector` channels of the destination, and of those that have a
  /// place in shared memory.
  int64_t countGroups() const {
    return llvm::divideCeil(maxDestChannels, vector);
  }
  int64_t countPlaces() const {
    return llvm::divideCeil(stage.channels, vector);
  }
  /// Numbers of vectors, of which each warp stores `lanes` of each of some
  /// pixels. Not all exist.
  int64_t countVectors() const {
    return llvm::alignTo(countGroups(), lanes) *
           llvm::alignTo(maxRows * maxCols, kThreadsPerWarp / lanes);
  }
  /// Bytes from one group to the next.
  int64_t getGroupPitch() const {
    return vector * stage.channelPitch + stage.groupSkew;
  }

private:
  LogicalResult readExtents(TilePackOp op, ScheduleAttr schedule);
  LogicalResult readRoot(TilePackOp op, const IRMapping &mapping);
  /// With `mayBeDense` what lies between pixels may be read with them.
  void planStage(TilePackOp op, bool mayBeDense);
  void planLanes();
};

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEPACK_H
