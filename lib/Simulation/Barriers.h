//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sixteen barriers of a block, at which whole warps arrive.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_BARRIERS_H
#define TOP_LIB_SIMULATION_BARRIERS_H

#include "Clocks.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace mlir::top::sim {

struct Block;
struct SiteInfo;
struct Warp;

/// Combines the threads' predicates: nvvm.barrier with a reduction.
enum class BarrierReduction : int64_t { None, Popc, And, Or };

struct Barrier {
  uint32_t expected = 0; ///< threads
  uint32_t arrived = 0;  ///< threads, 32 for each warp
  uint32_t warps = 0;    ///< bit w is set where warp w of the block has arrived
  /// Someone said how many threads; otherwise those that have ended are not
  /// waited for.
  bool isCounted = false;
  int32_t site = -1; ///< of the first to arrive
  llvm::SmallVector<Warp *, 8> waiting;
  Snapshot *told = nullptr; ///< what those who have arrived know
  BarrierReduction reduction = BarrierReduction::None;
  uint32_t predicates = 0; ///< threads whose predicate is true
  uint32_t voters = 0;     ///< threads that brought one
  bool isInUse() const { return warps != 0; }
};

class Barriers {
public:
  static constexpr unsigned kCount = 16; ///< PTX ISA, barrier

  void reset() { barriers.fill(Barrier()); }
  /// All live lanes of `warp` arrive at barrier `id` for `threads` (0 = all of
  /// the block), and wait where they must.
  void arrive(Warp &warp, const SiteInfo &info, uint32_t lanes, uint32_t id,
              uint32_t threads, bool waits);
  /// Enters predicates that threads bring to the barrier; before they arrive.
  void vote(uint32_t id, BarrierReduction reduction, uint32_t predicates,
            uint32_t voters);
  /// After a warp has ended: fewer need come.
  void checkAll(Block &block);
  const Barrier &get(unsigned id) const { return barriers[id]; }

private:
  void check(Block &block, Barrier &barrier);

  std::array<Barrier, kCount> barriers;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_BARRIERS_H
