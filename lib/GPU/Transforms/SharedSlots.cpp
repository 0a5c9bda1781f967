//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules between copies and reads of a slot, see SharedSlots.h.
//
//===----------------------------------------------------------------------===//

#include "SharedSlots.h"

using namespace mlir;
using namespace mlir::top;

LogicalResult SharedSlots::copy(TileCopyOp op, SlotKey key,
                                EmitError emitError) {
  Slot &slot = slots[key];
  auto fails = [&](const Twine &text, Operation *culprit, StringRef note) {
    emitError(op, text).attachNote(culprit->getLoc()) << note;
    return failure();
  };
  const std::string name = "slot " + std::to_string(key.slot);
  if (slot.read && slot.readPhase == phase)
    return fails("writes " + name +
                     " while other threads may still read it: expected a "
                     "barrier behind the last read",
                 slot.read, "read here");
  if (slot.isPending())
    return fails("writes " + name +
                     " while an asynchronous copy into it may be under way: "
                     "expected a top.tile_wait for that",
                 slot.copy, "copied here");
  if (slot.copy && (slot.wait ? slot.waitPhase : slot.copyPhase) == phase)
    return fails("writes " + name +
                     " while other threads may still write it: expected a "
                     "barrier behind the last copy",
                 slot.copy, "copied here");
  slot.copy = op;
  slot.copyPhase = phase;
  slot.group = std::nullopt;
  slot.wait = nullptr;
  slot.read = nullptr;
  if (op.getAsync())
    openCopies.push_back(key);
  return success();
}

void SharedSlots::commit() {
  for (const SlotKey &key : openCopies)
    slots[key].group = numGroups;
  openCopies.clear();
  ++numGroups;
}

void SharedSlots::wait(TileWaitOp op) {
  lastWait = op;
  numGroupsAtWait = numGroups;
  const int64_t numFinished =
      numGroups - std::min<int64_t>(numGroups, op.getPending());
  for (auto &[key, slot] : slots)
    if (slot.isPending() && slot.group && *slot.group < numFinished) {
      slot.wait = op;
      slot.waitPhase = phase;
    }
}

LogicalResult SharedSlots::read(Operation *op, TileViewOp view, SlotKey key,
                                EmitError emitError) {
  Slot &slot = slots[key];
  const std::string name = "reads slot " + std::to_string(key.slot) + " ";
  auto fails = [&](const Twine &text, Operation *culprit, StringRef note) {
    emitError(op, name + text).attachNote(culprit->getLoc()) << note;
    return failure();
  };
  if (!slot.copy)
    return fails("before anything is copied into it", view, "viewed here");
  if (slot.isPending() && !slot.group)
    return fails("before the asynchronous copy into it is committed: expected "
                 "a top.tile_commit behind it",
                 slot.copy, "copied here");
  if (slot.isPending()) {
    const std::string text =
        "before the asynchronous copy into it is waited for: expected ";
    if (!lastWait || *slot.group >= numGroupsAtWait)
      return fails(text + "a top.tile_wait behind the top.tile_commit of it",
                   slot.copy, "copied here");
    return fails(text + "the last top.tile_wait to leave at most " +
                     Twine(numGroupsAtWait - 1 - *slot.group) +
                     " groups pending",
                 lastWait, "waited here");
  }
  if (slot.wait && slot.waitPhase == phase)
    return fails("before other threads' copies into it are known to be "
                 "finished: expected a barrier behind the wait",
                 slot.wait, "waited for here");
  if (!slot.wait && slot.copyPhase == phase)
    return fails("while other threads may still write it: expected a barrier "
                 "behind the copy",
                 slot.copy, "copied here");
  slot.read = op;
  slot.readPhase = phase;
  return success();
}

/// A copy that is under way when the kernel ends was for nothing, or for a read
/// that looks elsewhere.
LogicalResult SharedSlots::finish() {
  for (auto &[key, slot] : slots)
    if (slot.isPending())
      return slot.copy.emitOpError("is never ")
             << (slot.group ? "waited for: expected a top.tile_wait"
                            : "committed: expected a top.tile_commit")
             << " before the kernel ends";
  return success();
}
