//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block's threads do to the slots of its rings, and the rules that keep
// them apart.
//
// Threads of a block run apart from each other and meet at barriers only. So
// the execution is cut into *phases*, numbered, a barrier being the end of one:
// what two threads do in the same phase may happen in either order. A slot
// remembers its last copy and its last reads with their phases.
//
//   A read in phase p needs the copy to be finished and seen by all threads. A
//   synchronous copy of phase q is, if q < p. An asynchronous one is finished
//   for the thread that issued it once that thread waits for its group, in
//   phase w >= q, and for the others if w < p.
//   A copy in phase p needs the reads of what the slot held, and the copy
//   before it, to be over: all of them before phase p.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_SHAREDSLOTS_H
#define TOP_LIB_GPU_TRANSFORMS_SHAREDSLOTS_H

#include "top/Dialect/Top/IR/TopTiles.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::top {

/// A ring, the number of a slot in it, and the number of a share of the slot,
/// which has the rules to itself.
struct SlotKey {
  Value ring;
  int64_t slot, share;
};

} // namespace mlir::top

template <>
struct llvm::DenseMapInfo<mlir::top::SlotKey> {
  using Fields = std::tuple<mlir::Value, int64_t, int64_t>;
  static Fields fields(const mlir::top::SlotKey &key) {
    return {key.ring, key.slot, key.share};
  }
  static mlir::top::SlotKey getEmptyKey() {
    return {DenseMapInfo<mlir::Value>::getEmptyKey(), 0, 0};
  }
  static mlir::top::SlotKey getTombstoneKey() {
    return {DenseMapInfo<mlir::Value>::getTombstoneKey(), 0, 0};
  }
  static unsigned getHashValue(const mlir::top::SlotKey &key) {
    return DenseMapInfo<Fields>::getHashValue(fields(key));
  }
  static bool isEqual(const mlir::top::SlotKey &lhs,
                      const mlir::top::SlotKey &rhs) {
    return fields(lhs) == fields(rhs);
  }
};

namespace mlir::top {

/// The slots of a kernel's rings while it is followed op by op. Where an op
/// breaks a rule, the error that `emitError` makes is given a note at what it
/// meets.
class SharedSlots {
public:
  using EmitError =
      function_ref<InFlightDiagnostic(Operation *, const Twine &)>;

  LogicalResult copy(TileCopyOp op, SlotKey key, EmitError emitError);
  void commit();
  void wait(TileWaitOp op);
  void barrier() { ++phase; }
  /// `op` reads the slot through `view`.
  LogicalResult read(Operation *op, TileViewOp view, SlotKey key,
                     EmitError emitError);
  /// The kernel ends: nothing may be under way.
  LogicalResult finish();

private:
  /// The last copy into a slot and the last read of it.
  struct Slot {
    TileCopyOp copy;       ///< null if there was none
    int64_t copyPhase = 0; ///< in which it was issued
    /// Of an asynchronous copy: its group, unless that is still open, and the
    /// first wait for it.
    std::optional<int64_t> group;
    TileWaitOp wait;
    int64_t waitPhase = 0;

    Operation *read = nullptr;
    int64_t readPhase = 0;

    bool isPending() { return copy && copy.getAsync() && !wait; }
  };

  llvm::MapVector<SlotKey, Slot> slots;
  SmallVector<SlotKey> openCopies; ///< not yet committed
  int64_t numGroups = 0;           ///< committed so far
  TileWaitOp lastWait;
  int64_t numGroupsAtWait = 0;
  int64_t phase = 0;
};

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_SHAREDSLOTS_H
