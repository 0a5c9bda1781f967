//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks: what a thread knows to have happened. A thread's time goes on
// when it tells others of what it did, at barriers; an access by another thread
// is ordered before what this one does next if its time is one that this thread
// has heard of. (Flanagan and Freund, "FastTrack: efficient and precise dynamic
// race detection", PLDI 2009, describes the method.) Since all threads of a
// barrier hear the same, they share one snapshot.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_CLOCKS_H
#define TOP_LIB_SIMULATION_CLOCKS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace mlir::top::sim {

/// What a group of threads has heard of: for each thread of the block, the last
/// time that is over, and how many groups of its asynchronous copies it has
/// waited for. Not changed once it is handed out.
struct Snapshot {
  uint32_t references;
  uint32_t *clock;     ///< by thread
  uint32_t *retired;   ///< by thread
  uint32_t *warpClock; ///< by warp, the least of its threads
};

/// The snapshots of a block, which has no more than `threads`.
class Snapshots {
public:
  /// Begins anew: all are gone. Returns one of zeros.
  Snapshot *reset(unsigned threads);
  /// With one reference; `from` is copied.
  Snapshot *copy(const Snapshot &from);
  void addReference(Snapshot *snapshot) { ++snapshot->references; }
  void release(Snapshot *snapshot) {
    if (--snapshot->references == 0)
      free.push_back(snapshot);
  }
  /// Takes in what `from` knows.
  void join(Snapshot &into, const Snapshot &from) const;
  /// To be called when a snapshot is complete.
  void finish(Snapshot &snapshot) const;

private:
  Snapshot *allocate();

  struct Storage {
    Snapshot snapshot;
    std::unique_ptr<uint32_t[]> values;
  };
  std::vector<std::unique_ptr<Storage>> storage;
  std::vector<Snapshot *> free;
  unsigned threads = 0, warps = 0, capacity = 0;
};

/// What a thread knows: what it has heard of, and itself.
struct ThreadClock {
  Snapshot *heard = nullptr;
  uint32_t now = 1;       ///< time of what it does next
  uint32_t committed = 0; ///< groups of asynchronous copies
  uint32_t retired = 0;   ///< those that it has waited for
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_CLOCKS_H
