//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Block.h: blocks that begin, and end.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir::top::sim;

llvm::Error Block::prepare(Launch &newLaunch) {
  launch = &newLaunch;
  const unsigned count = launch->threads;
  if (count > capacity) {
    if (!stacks.reserve(count))
      return llvm::createStringError(
          llvm::formatv("the host has no memory for the stacks of {0} "
                        "simulated threads",
                        count));
    threads = std::make_unique<Thread[]>(count);
    capacity = count;
  }
  if (!window.reserve(launch->sharedEnd))
    return llvm::createStringError(
        "no addresses below 4 GB are left for simulated shared memory");
  warps.clear();
  warps.resize((count + kWarpLanes - 1) / kWarpLanes);
  for (unsigned i = 0; i < count; ++i) {
    Thread &thread = threads[i];
    thread.block = this;
    thread.warp = &warps[i / kWarpLanes];
    thread.index = i;
    thread.lane = i % kWarpLanes;
    const std::array<uint32_t, 3> &shape = launch->shape.block;
    thread.id = {i % shape[0], i / shape[0] % shape[1],
                 i / shape[0] / shape[1]};
  }
  for (unsigned i = 0; i < warps.size(); ++i) {
    warps[i].block = this;
    warps[i].threads = &threads[i * kWarpLanes];
    warps[i].index = i;
  }
  counters.reset(newLaunch);
  return llvm::Error::success();
}

void Block::runThread(void *argument) {
  Thread &thread = *static_cast<Thread *>(argument);
  for (;;) {
    Launch &launch = *thread.block->launch;
    launch.kernel.function(&thread, launch.parameters);
    thread.block->endThread(thread);
  }
}

void Block::run(uint32_t newNumber) {
  number = newNumber;
  const std::array<uint32_t, 3> &grid = launch->shape.grid;
  id = {number % grid[0], number / grid[0] % grid[1],
        number / grid[0] / grid[1]};
  random = Random(launch->seed, number);
  scheduler.reset(random);
  // All bits set is not a number in every float type.
  std::memset(reinterpret_cast<void *>(window.getBegin()), 0xff,
              launch->sharedEnd);
  shared.reset(launch->sharedEnd);
  globals.reset();
  barriers.reset();
  faults.reset(launch->options.maxFaults);
  lastBuffer = nullptr;
  steps = 0;
  mostSteps = std::min(launch->options.stepLimit, kSteps);
  isAbandoned = false;

  Snapshot *nothing = snapshots.reset(launch->threads);
  liveWarps = warps.size();
  for (Warp &warp : warps) {
    const unsigned lanes =
        std::min(kWarpLanes, launch->threads - warp.index * kWarpLanes);
    warp.live = lanes == kWarpLanes ? ~0u : (1u << lanes) - 1;
    warp.ready = warp.later = 0;
    warp.isQueued = false;
    warp.meetings.clear();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Thread &thread = warp.threads[lane];
      thread.clock = ThreadClock();
      thread.clock.heard = nothing;
      snapshots.addReference(nothing);
      thread.copies.reset();
      thread.wait = Wait::Nothing;
      // One that did not end is somewhere in the last kernel.
      if (!thread.isIdle)
        thread.fiber.start(stacks.get(thread.index),
                           stacks.getBytes(thread.index), runThread, &thread,
                           scheduler.getLeaving());
      thread.isIdle = false;
    }
    scheduler.wake(warp, warp.live);
  }
  scheduler.run();
  if (!isAbandoned && liveWarps)
    reportDeadlock();
  counters.addBlock(launch->threads);
}

void Block::abandon() {
  isAbandoned = true;
  scheduler.stop();
}

void Block::lookUp(Thread &thread, int32_t site) {
  // What a block does behind the first one with a fault is not reported.
  if (faults.getTotal() >= Faults::kEnough || launch->firstFaulty < number)
    return abandon();
  if (steps < launch->options.stepLimit) {
    mostSteps = std::min(launch->options.stepLimit, steps + kSteps);
    return;
  }
  fault(thread, site, Fault::Kind::StepLimit,
        "the block has made " + llvm::Twine(steps) +
            " calls of the simulator, the limit: it is taken to spin");
  abandon();
}

/// "0-3,7" for the bits that are set.
static std::string printLanes(uint32_t lanes) {
  std::string text;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned last = lane;
    while (last + 1 < kWarpLanes && (lanes >> (last + 1) & 1))
      ++last;
    text += (text.empty() ? "" : ",") + std::to_string(lane);
    if (last > lane)
      text += "-" + std::to_string(last);
    lane = last;
  }
  return text;
}

void Block::reportDeadlock() {
  std::string text = llvm::formatv("block ({0},{1},{2}): no thread can run",
                                   id[0], id[1], id[2]);
  int32_t firstSite = -1;
  for (const Warp &warp : warps) {
    std::map<std::string, uint32_t> groups;
    for (unsigned i = warp.index * kWarpLanes;
         i < launch->threads && i < (warp.index + 1) * kWarpLanes; ++i) {
      const Thread &thread = threads[i];
      std::string what = "have ended";
      if (thread.wait == Wait::Lanes) {
        what = "wait for other lanes at " + describeSite(thread.waitSite);
      } else if (thread.wait == Wait::Barrier) {
        const Barrier &barrier = barriers.get(thread.waitBarrier);
        what = llvm::formatv(
            "wait at barrier {0} for {1} threads, of which {2} have come, at "
            "{3}",
            thread.waitBarrier,
            barrier.isCounted ? barrier.expected : liveWarps * kWarpLanes,
            barrier.arrived, describeSite(thread.waitSite));
      }
      if (thread.wait != Wait::Nothing && firstSite < 0)
        firstSite = thread.waitSite;
      groups[what] |= thread.getLaneBit();
    }
    for (const auto &[what, lanes] : groups)
      text += llvm::formatv("\n  warp {0} lanes {1} {2}", warp.index,
                            printLanes(lanes), what);
  }
  if (faults.isNew(Fault::Kind::Deadlock, firstSite))
    faults.keep(Fault::Kind::Deadlock, text);
}

//===----------------------------------------------------------------------===//
// What the code calls
//===----------------------------------------------------------------------===//

void mlir::top::sim::topSimExecute(Thread *thread, int32_t site,
                                   const char *operands, char *result) {
  Block &block = *thread->block;
  block.step(*thread, site);
  const SiteInfo &info = block.launch->sites[site];
  info.execute(*thread, info, operands, result);
}

void mlir::top::sim::topSimAccess(Thread *thread, int32_t site,
                                  const void *pointer, int32_t bytes,
                                  int32_t isStore) {
  Block &block = *thread->block;
  block.step(*thread, site);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  // A thread's own variables are on its stack.
  if (block.stacks.contains(thread->index, address, bytes))
    return;
  const SiteInfo &info = block.launch->sites[site];
  const AccessKind kind = isStore == 0   ? AccessKind::Read
                          : isStore == 1 ? AccessKind::Write
                                         : AccessKind::Atomic;
  if (!block.checkAccess(*thread, info, address, bytes, kind))
    return block.abandon();
  // Where a thread may wait for another one by reading again and again, that
  // one must come to run. Atomic accesses mostly are of this kind.
  if (block.counters.addAccess(*thread, info, address, bytes,
                               block.window.contains(address), isStore != 0) ||
      (isStore == 2 && block.random.oneIn(4)))
    block.scheduler.yield(*thread);
}

int32_t mlir::top::sim::topSimRegister(const Thread *thread, int32_t index) {
  return thread->block->getRegister(*thread,
                                    thread->block->launch->registers[index]);
}

void *mlir::top::sim::topSimShared(const Thread *thread, int32_t index) {
  const Block &block = *thread->block;
  return reinterpret_cast<void *>(block.window.getBegin() +
                                  block.launch->sharedOffsets[index]);
}
