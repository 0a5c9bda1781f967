//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers of blocks and of warps, and fences.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "Block.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>

using namespace mlir::top::sim;

//===----------------------------------------------------------------------===//
// The barriers of a block
//===----------------------------------------------------------------------===//

/// Enters what the lanes know, and lets their time go on: what they do next is
/// not known to those who hear of this.
static void tell(Snapshots &snapshots, Snapshot *&told, Warp &warp,
                 uint32_t lanes) {
  const Snapshot *last = nullptr;
  for (; lanes; lanes &= lanes - 1) {
    const Thread &thread = warp.threads[llvm::countr_zero(lanes)];
    const Snapshot *heard = thread.clock.heard;
    if (!told)
      told = snapshots.copy(*heard);
    else if (heard != last)
      snapshots.join(*told, *heard);
    last = heard;
  }
}

static void tellOwn(Snapshot &told, Warp &warp, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    Thread &thread = warp.threads[llvm::countr_zero(lanes)];
    told.clock[thread.index] = thread.clock.now++;
    told.retired[thread.index] = thread.clock.retired;
  }
}

static void hear(Snapshots &snapshots, Snapshot *told, Warp &warp,
                 uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    Thread &thread = warp.threads[llvm::countr_zero(lanes)];
    snapshots.release(thread.clock.heard);
    snapshots.addReference(told);
    thread.clock.heard = told;
  }
}

void Barriers::arrive(Warp &warp, const SiteInfo &info, uint32_t lanes,
                      uint32_t id, uint32_t threads, bool waits) {
  Block &block = *warp.block;
  const Thread &thread = warp.threads[llvm::countr_zero(lanes)];
  const uint32_t blockThreads =
      llvm::alignTo(block.launch->threads, kWarpLanes);
  Barrier &barrier = barriers[id];
  // A barrier for all threads may be written either way.
  if (threads == blockThreads)
    threads = 0;
  if (barrier.isInUse() && barrier.expected != threads) {
    auto print = [&](uint32_t count) {
      return count ? llvm::Twine(count).str() : std::string("all");
    };
    block.fault(thread, info.index, Fault::Kind::Barrier,
                "arrives at barrier " + llvm::Twine(id) + " for " +
                    print(threads) + " threads, where others wait for " +
                    print(barrier.expected) + " at " +
                    block.describeSite(barrier.site),
                barrier.site);
    block.abandon();
    return;
  }
  if (!barrier.isInUse())
    barrier.site = info.index;
  barrier.expected = threads;
  barrier.arrived += kWarpLanes;
  ++barrier.warps;
  tell(block.snapshots, barrier.told, warp, lanes);
  tellOwn(*barrier.told, warp, lanes);
  if (waits) {
    barrier.waiting.push_back(&warp);
    for (uint32_t left = lanes; left; left &= left - 1) {
      Thread &waiter = warp.threads[llvm::countr_zero(left)];
      waiter.wait = Wait::Barrier;
      waiter.waitSite = info.index;
      waiter.waitBarrier = id;
    }
  } else {
    block.scheduler.wake(warp, lanes);
  }
  check(block, barrier);
}

void Barriers::check(Block &block, Barrier &barrier) {
  if (!barrier.isInUse())
    return;
  if (barrier.expected ? barrier.arrived < barrier.expected
                       : barrier.warps < block.liveWarps)
    return;
  block.snapshots.finish(*barrier.told);
  for (Warp *warp : barrier.waiting) {
    hear(block.snapshots, barrier.told, *warp, warp->live);
    for (uint32_t left = warp->live; left; left &= left - 1) {
      const uint32_t lane = llvm::countr_zero(left);
      if (char *result = warp->results[lane]) {
        const uint32_t value = barrier.reduction == BarrierReduction::Popc
                                   ? barrier.predicates
                               : barrier.reduction == BarrierReduction::And
                                   ? barrier.predicates == barrier.voters
                                   : barrier.predicates != 0;
        std::memcpy(result, &value, sizeof(value));
      }
    }
    block.scheduler.wake(*warp, warp->live);
  }
  block.snapshots.release(barrier.told);
  barrier = Barrier();
}

void Barriers::vote(uint32_t id, BarrierReduction reduction,
                    uint32_t predicates, uint32_t voters) {
  barriers[id].reduction = reduction;
  barriers[id].predicates += predicates;
  barriers[id].voters += voters;
}

void Barriers::checkAll(Block &block) {
  for (Barrier &barrier : barriers)
    if (!barrier.expected)
      check(block, barrier);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Operand `index` of a lane, which has 4 bytes.
static uint32_t readLane(const Warp &warp, const SiteInfo &info, uint32_t lane,
                         unsigned index) {
  uint32_t value;
  std::memcpy(&value, warp.operands[lane] + info.prepared.slots[index],
              sizeof(value));
  return value;
}

/// Operand `index`, which all lanes must agree on; false where they do not.
static bool readUniform(Warp &warp, const SiteInfo &info, uint32_t lanes,
                        unsigned index, llvm::StringRef what, uint32_t &value) {
  const uint32_t first = llvm::countr_zero(lanes);
  value = readLane(warp, info, first, index);
  for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    const uint32_t other = readLane(warp, info, lane, index);
    if (other == value)
      continue;
    warp.block->fault(warp.threads[lane], info.index, Fault::Kind::Divergence,
                      "has " + what + " " + llvm::Twine(other) +
                          ", where lane " + llvm::Twine(first) +
                          " of its warp has " + llvm::Twine(value));
    warp.block->abandon();
    return false;
  }
  return true;
}

namespace {
/// SiteInfo::arguments of a barrier: which operand is what, -1 = none.
enum BarrierArgument { kId, kCount, kPredicate };
} // namespace

static void arriveAtBarrier(Warp &warp, const SiteInfo &info, uint32_t lanes,
                            bool waits) {
  Block &block = *warp.block;
  block.counters.addWarp(info);
  block.counters.flush(warp);
  uint32_t id = 0, count = 0;
  if (info.arguments[kId] >= 0 &&
      !readUniform(warp, info, lanes, info.arguments[kId], "barrier number",
                   id))
    return;
  const Thread &thread = warp.threads[llvm::countr_zero(lanes)];
  if (id >= Barriers::kCount) {
    block.fault(thread, info.index, Fault::Kind::Barrier,
                "expected a barrier number below 16, got " + llvm::Twine(id));
    return block.abandon();
  }
  if (info.arguments[kCount] >= 0) {
    if (!readUniform(warp, info, lanes, info.arguments[kCount], "thread count",
                     count))
      return;
    const uint32_t most = llvm::alignTo(block.launch->threads, kWarpLanes);
    if (count == 0 || count % kWarpLanes != 0 || count > most) {
      block.fault(thread, info.index, Fault::Kind::Barrier,
                  "expected a thread count that is a multiple of 32 from 32 "
                  "to " +
                      llvm::Twine(most) + ", the block's, got " +
                      llvm::Twine(count));
      return block.abandon();
    }
  }
  if (info.arguments[kPredicate] >= 0) {
    uint32_t predicates = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
      predicates += readLane(warp, info, llvm::countr_zero(left),
                             info.arguments[kPredicate]) != 0;
    block.barriers.vote(id, info.reduction, predicates, llvm::popcount(lanes));
  } else {
    for (uint32_t left = lanes; left; left &= left - 1)
      warp.results[llvm::countr_zero(left)] = nullptr;
  }
  block.barriers.arrive(warp, info, lanes, id, count, waits);
}

static void completeSync(Warp &warp, const SiteInfo &info, uint32_t lanes) {
  arriveAtBarrier(warp, info, lanes, /*waits=*/true);
}

static void completeArrive(Warp &warp, const SiteInfo &info, uint32_t lanes) {
  arriveAtBarrier(warp, info, lanes, /*waits=*/false);
}

static void completeWarpSync(Warp &warp, const SiteInfo &info, uint32_t lanes) {
  Block &block = *warp.block;
  block.counters.addWarp(info);
  if (lanes == warp.live)
    block.counters.flush(warp);
  Snapshot *told = nullptr;
  tell(block.snapshots, told, warp, lanes);
  tellOwn(*told, warp, lanes);
  block.snapshots.finish(*told);
  hear(block.snapshots, told, warp, lanes);
  block.snapshots.release(told);
  block.scheduler.wake(warp, lanes);
}

static void executeAligned(Thread &thread, const SiteInfo &info,
                           const char *operands, char *result) {
  thread.copies.mayArrive(thread);
  thread.block->meet(thread, info, /*mask=*/0, operands, result);
}

static void executeMasked(Thread &thread, const SiteInfo &info,
                          const char *operands, char *result) {
  uint32_t mask;
  std::memcpy(&mask, operands, sizeof(mask));
  thread.block->meetMasked(thread, info, mask, operands, result);
}

/// Fences order what the clocks take for ordered already, or what they cannot:
/// docs/SimulatedGPU.md. Others may run, since a fence is where code waits.
static void executeFence(Thread &thread, const SiteInfo &info, const char *,
                         char *) {
  thread.block->counters.addThread(thread, info);
  if (thread.block->random.oneIn(4))
    thread.block->scheduler.yield(thread);
}

/// How many operands of each group nvvm.barrier has.
static llvm::Error readSegments(SiteInfo &info) {
  const Site &site = *info.site;
  if (site.operandTypes.empty())
    return llvm::Error::success();
  if (site.operandSegments.size() != 3)
    return llvm::createStringError("expected 3 groups of operands, got " +
                                   llvm::Twine(site.operandSegments.size()));
  int64_t next = 0;
  for (unsigned i = 0; i < 3; ++i)
    if (site.operandSegments[i])
      info.arguments[i] = next++;
  return llvm::Error::success();
}

llvm::Expected<bool> mlir::top::sim::findBarrier(SiteInfo &info) {
  const Site &site = *info.site;
  const llvm::StringRef op = site.op;
  const int64_t operands = site.operandTypes.size();
  for (int64_t &argument : info.arguments)
    argument = -1;
  if (op == "nvvm.barrier0" || op == "nvvm.barrier") {
    info.execute = executeAligned;
    info.complete = completeSync;
    if (llvm::Error error = readSegments(info))
      return error;
    auto reduction = site.attributes.find("reductionOp");
    if (reduction == site.attributes.end())
      return true;
    info.reduction = llvm::StringSwitch<BarrierReduction>(reduction->second)
                         .Case("popc", BarrierReduction::Popc)
                         .Case("and", BarrierReduction::And)
                         .Case("or", BarrierReduction::Or)
                         .Default(BarrierReduction::None);
    if (info.reduction == BarrierReduction::None ||
        info.arguments[kPredicate] < 0)
      return llvm::createStringError(
          "expected 'reductionOp' to be popc, and or or, with a predicate, "
          "got '" +
          reduction->second + "'");
    return true;
  }
  if (op == "nvvm.barrier.arrive") {
    if (operands < 1 || operands > 2)
      return llvm::createStringError("expected 1 or 2 operands, got " +
                                     llvm::Twine(operands));
    info.execute = executeAligned;
    info.complete = completeArrive;
    info.arguments[kId] = operands - 2; // -1 where there is no number
    info.arguments[kCount] = operands - 1;
    return true;
  }
  if (op == "nvvm.bar.warp.sync") {
    if (operands != 1)
      return llvm::createStringError("expected 1 operand, got " +
                                     llvm::Twine(operands));
    info.execute = executeMasked;
    info.complete = completeWarpSync;
    return true;
  }
  if (op.starts_with("nvvm.fence.") || op == "nvvm.memory.barrier" ||
      op == "llvm.fence") {
    info.execute = executeFence;
    return true;
  }
  return false;
}
