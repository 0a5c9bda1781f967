//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule as plain, mutable numbers: what a search changes one at a time
// before it makes a `#top.schedule` of them.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_SCHEDULE_H
#define TOP_DIALECT_TOP_IR_SCHEDULE_H

#include "top/Dialect/Top/IR/Top.h"
#include "top/Dialect/Top/Utils/ConvShape.h"

namespace mlir::top {

/// The fields of ScheduleAttr, which describes them. The initial values are
/// the defaults of `simt`; an empty `thread` belongs to engines without thread
/// tiles.
struct ScheduleFields {
  Engine engine = Engine::simt;
  SmallVector<int64_t, 3> block = {128, 128, 32};
  SmallVector<int64_t, 2> warp = {32, 64};
  SmallVector<int64_t, 2> thread = {8, 8};
  int64_t stages = 2;
  bool swizzle = true;
  SmallVector<int64_t, 2> cluster = {1, 1};
  int64_t splitK = 1;
  BlockOrder order = BlockOrder::row;
  int64_t groupSize = 1; ///< tile rows of a band; 1 unless `order` is grouped
  bool repack = false;   ///< copy operands of unaligned rows first
  SmallVector<int64_t, 3> box; ///< of a convolution's output pixels, or empty
  PixelAxis pixels = PixelAxis::columns;

  ScheduleFields() = default;
  /// The defaults of `engine`.
  explicit ScheduleFields(Engine engine);
  ScheduleFields(ScheduleAttr schedule);

  /// As ScheduleAttr's, of fields that may not be valid but are positive.
  int64_t getNumWarpTiles() const {
    return (block[0] / warp[0]) * (block[1] / warp[1]);
  }
  int64_t getNumWarps() const;
  int64_t getNumThreads() const;
  int64_t getAccumulatorsPerThread() const;

  /// Writes the attribute that they are, valid or not.
  void print(raw_ostream &os) const;

  /// Whether they make a valid attribute; if not, one error through
  /// `emitError` (none where that is null).
  LogicalResult verify(function_ref<InFlightDiagnostic()> emitError) const;
  /// The attribute. The fields must be valid.
  ScheduleAttr get(MLIRContext *context) const;
  /// The attribute, or null after one error through `emitError`.
  ScheduleAttr getChecked(function_ref<InFlightDiagnostic()> emitError,
                          MLIRContext *context) const;
};

/// How `split_k` cuts K: into ranges of whole K steps, all of `depth` but the
/// last, which is what is left. None is empty: with S parts asked for, each has
/// ceil(steps / S) steps, and there are as many parts as that needs. 8 steps in
/// 5 parts are 4 parts of 2.
struct KParts {
  int64_t count = 1; ///< parts; 1 where K is 0
  int64_t depth = 0; ///< elements of K, a multiple of BK

  KParts() = default;
  /// Of `k` elements, by the schedule's BK and S.
  KParts(const ScheduleFields &schedule, int64_t k);
};

/// How engine `direct` cuts a convolution, of Cg input and Fg output channels a
/// group, into blocks and these into threads.
///
/// A block computes a box of TH x TW output pixels of one image in BM output
/// channels: of one group, or of BM / Fg whole ones. A thread computes TM
/// channels of one group in `rows` rows of `run` pixels side by side, TN in
/// all.
struct DirectTiles {
  int64_t boxH = 0, boxW = 0;
  int64_t run = 0, rows = 0;
  int64_t groups = 1;   ///< of a block
  int64_t outputs = 0;  ///< channels of each of the block's groups
  int64_t channels = 0; ///< input channels of a group that a step reads
  int64_t steps = 0;    ///< to read all of them
  /// Rows and columns of each input channel that the windows of the box span.
  int64_t spanH = 0, spanW = 0;
  /// Columns that are loaded: `shift` more in front, so that they begin where
  /// accesses as wide as rows of the input allow can begin, and behind up to a
  /// whole number of the widest accesses.
  int64_t shift = 0, cols = 0;

  int64_t getNumRuns() const { return boxW / run; }
  /// Thread tiles of the box.
  int64_t getNumThreads() const { return boxH / rows * getNumRuns(); }
  /// Rows of the tile of the input that a step loads, for all channels.
  int64_t getTileRows() const { return groups * channels * spanH; }

  /// Of `conv`, whose elements have `elementBytes`. Where 'box' is left out it
  /// is as wide as the image and as high as fits. Fails, with what was needed
  /// and what was found in `reason`, where the tiles do not divide each other.
  static FailureOr<DirectTiles> get(const ScheduleFields &schedule,
                                    const ConvShape &conv, int64_t elementBytes,
                                    std::string &reason);
};

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_IR_SCHEDULE_H
