//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of threads that runs, and what a worker keeps from one block to the
// next. A cluster, when there are clusters, will be several of these under one
// scheduler.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_BLOCK_H
#define TOP_LIB_SIMULATION_BLOCK_H

#include "AccessHistory.h"
#include "Barriers.h"
#include "BlockGlobals.h"
#include "Clocks.h"
#include "Copies.h"
#include "Counters.h"
#include "Faults.h"
#include "Launch.h"
#include "Scheduler.h"
#include "SharedShadow.h"

namespace mlir::top::sim {

inline constexpr unsigned kWarpLanes = 32;

/// What a thread waits for.
enum class Wait : uint8_t { Nothing, Lanes, Barrier };

class Thread {
public:
  Block *block;
  Warp *warp;
  uint32_t index, lane; ///< in the block, in the warp
  std::array<uint32_t, 3> id;
  Fiber fiber;
  ThreadClock clock;
  Copies copies;
  bool isIdle = false; ///< its fiber waits for the next block
  Wait wait = Wait::Nothing;
  int32_t waitSite = -1;
  uint32_t waitBarrier = 0;

  uint32_t getLaneBit() const { return 1u << lane; }
  /// Whether an access is ordered before what this thread does next.
  inline bool hasSeen(const Access &access) const;
};

/// Lanes that wait for each other at a site.
struct Meeting {
  const SiteInfo *info;
  uint32_t mask; ///< who must come; 0 = all lanes that have not ended
  uint32_t arrived;
};

struct Warp {
  Block *block;
  Thread *threads; ///< of lane 0
  uint32_t index;
  uint32_t live = 0;  ///< lanes that have not ended
  uint32_t ready = 0; ///< lanes that can run
  uint32_t later = 0; ///< lanes that can when those that are ready have
  bool isQueued = false;
  std::array<const char *, kWarpLanes> operands;
  std::array<char *, kWarpLanes> results;
  llvm::SmallVector<Meeting, 2> meetings;
};

struct Block {
  Block() = default;
  Block(const Block &) = delete;

  /// Takes stacks and shared memory for blocks of `launch`; fails where the
  /// host has none.
  llvm::Error prepare(Launch &launch);
  /// Runs block `number` of the launch. Faults and global accesses are then
  /// there to be taken.
  void run(uint32_t number);

  /// Counts a call of the simulator; does not return at the limit, or where the
  /// block has come to matter no more.
  void step(Thread &thread, int32_t site) {
    if (++steps >= mostSteps)
      lookUp(thread, site);
  }

  /// Records a fault of the thread at a site of the program.
  void fault(const Thread &thread, int32_t site, Fault::Kind kind,
             const llvm::Twine &text, int32_t otherSite = -1);
  /// Ends the block: the calling fiber is left for good.
  void abandon();

  // Checks of an access, and entering it in the histories; false where it must
  // not be done.

  bool checkShared(Thread &thread, const SiteInfo &info, uint64_t address,
                   uint32_t bytes, AccessKind kind);
  bool checkGlobal(Thread &thread, const SiteInfo &info, uint64_t address,
                   uint32_t bytes, AccessKind kind);
  bool checkAlignment(const Thread &thread, const SiteInfo &info,
                      uint64_t address, uint32_t bytes, bool isShared);
  /// In whichever memory it is.
  bool checkAccess(Thread &thread, const SiteInfo &info, uint64_t address,
                   uint32_t bytes, AccessKind kind);

  /// The lanes meet at the site; whoever comes last completes it.
  /// `mask` = 0: all that have not ended.
  void meet(Thread &thread, const SiteInfo &info, uint32_t mask,
            const char *operands, char *result);
  /// The same with a mask that the program gives, which is checked.
  void meetMasked(Thread &thread, const SiteInfo &info, uint32_t mask,
                  const char *operands, char *result);
  /// Of a thread whose function has returned. Returns when the next block
  /// begins.
  void endThread(Thread &thread);

  /// The value of a special register.
  uint32_t getRegister(const Thread &thread, Register which) const;

  std::string describeSite(int32_t site) const;
  std::string describeThread(const Thread &thread) const;

  Launch *launch = nullptr;
  uint32_t number = 0;
  std::array<uint32_t, 3> id = {};
  Random random;
  Scheduler scheduler;
  SharedWindow window;
  Stacks stacks;
  SharedShadow shared;
  BlockGlobals globals;
  Snapshots snapshots;
  Barriers barriers;
  Faults faults;
  Counters counters;
  std::unique_ptr<Thread[]> threads;
  std::vector<Warp> warps;
  uint32_t liveWarps = 0;
  uint64_t steps = 0, mostSteps = 0;
  bool isAbandoned = false;

private:
  /// Once in so many steps it is seen whether to go on.
  static constexpr uint64_t kSteps = 1 << 20;
  void lookUp(Thread &thread, int32_t site);
  void reportConflict(Thread &thread, const SiteInfo &info, uint64_t address,
                      AccessKind kind, const Access &other, bool isShared);
  void reportUninitialized(const Thread &thread, const SiteInfo &info,
                           uint32_t granule, uint16_t bytes);
  void reportDeadlock();
  static void runThread(void *thread);

  unsigned capacity = 0; ///< threads that there is room for
  const Buffer *lastBuffer = nullptr;
};

inline bool Thread::hasSeen(const Access &access) const {
  const Snapshot &heard = *clock.heard;
  if (access.isCopy) {
    const uint32_t other =
        access.warp * kWarpLanes + llvm::countr_zero(access.lanes);
    return (other == index ? clock.retired : heard.retired[other]) >=
           access.clock;
  }
  if (heard.warpClock[access.warp] >= access.clock)
    return true;
  uint32_t lanes = access.lanes;
  if (access.warp == warp->index)
    lanes &= ~getLaneBit();
  for (; lanes; lanes &= lanes - 1)
    if (heard.clock[access.warp * kWarpLanes + llvm::countr_zero(lanes)] <
        access.clock)
      return false;
  return true;
}

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_BLOCK_H
