//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes of a warp that meet at a site, and instructions that are carried out
// for all who have met.
//
//===----------------------------------------------------------------------===//

#include "Block.h"

using namespace mlir::top::sim;

void Block::meetMasked(Thread &thread, const SiteInfo &info, uint32_t mask,
                       const char *operands, char *result) {
  if (!(mask & thread.getLaneBit())) {
    fault(thread, info.index, Fault::Kind::InvalidOperand,
          "has a mask, 0x" + llvm::Twine::utohexstr(mask) +
              ", that its own lane is not in");
    return abandon();
  }
  if (const uint32_t ended = mask & ~thread.warp->live) {
    fault(thread, info.index, Fault::Kind::Divergence,
          "waits for lane " + llvm::Twine(llvm::countr_zero(ended)) +
              ", which has ended or does not exist");
    return abandon();
  }
  meet(thread, info, mask, operands, result);
}

void Block::meet(Thread &thread, const SiteInfo &info, uint32_t mask,
                 const char *operands, char *result) {
  Warp &warp = *thread.warp;
  const uint32_t lane = thread.getLaneBit();
  warp.operands[thread.lane] = operands;
  warp.results[thread.lane] = result;

  Meeting *meeting = nullptr;
  const uint32_t wanted = mask ? mask : warp.live;
  for (Meeting &other : warp.meetings) {
    if (other.info == &info && other.mask == mask) {
      meeting = &other;
      continue;
    }
    // Each waits for the other: neither can go on.
    const uint32_t otherWanted = other.mask ? other.mask : warp.live;
    if (!(wanted & other.arrived) || !(otherWanted & lane))
      continue;
    const uint32_t who = llvm::countr_zero(wanted & other.arrived);
    fault(thread, info.index, Fault::Kind::Divergence,
          "waits for lane " + llvm::Twine(who) +
              " of its warp, which waits for it " +
              (other.info == &info ? "with another mask at " : "at ") +
              describeSite(other.info->index),
          other.info->index);
    return abandon();
  }
  // A lane that waits at a barrier of the block comes only when its warp has
  // met there, so that it cannot be missing here.
  if (!meeting) {
    warp.meetings.push_back({&info, mask, 0});
    meeting = &warp.meetings.back();
  }
  meeting->arrived |= lane;
  if ((meeting->arrived & wanted) == wanted) {
    const uint32_t lanes = meeting->arrived;
    warp.meetings.erase(meeting);
    info.complete(warp, info, lanes);
    if (warp.ready & lane) {
      warp.ready &= ~lane;
      thread.wait = Wait::Nothing;
      return;
    }
  } else {
    thread.wait = Wait::Lanes;
    thread.waitSite = info.index;
  }
  scheduler.suspend(thread);
  thread.wait = Wait::Nothing;
}

void Block::endThread(Thread &thread) {
  Warp &warp = *thread.warp;
  const int32_t copySite = thread.copies.getFirstSite();
  if (copySite >= 0)
    fault(thread, copySite, Fault::Kind::Unfinished,
          "ends before it has waited for its asynchronous copy");
  thread.isIdle = true;
  warp.live &= ~thread.getLaneBit();
  if (!warp.live) {
    --liveWarps;
    counters.flush(warp);
  }
  // Those who waited for all lanes, or warps, need not wait for this one.
  for (size_t i = 0; i < warp.meetings.size(); ++i) {
    const Meeting meeting = warp.meetings[i];
    if (meeting.mask & thread.getLaneBit()) {
      const uint32_t who = llvm::countr_zero(meeting.arrived);
      fault(warp.threads[who], meeting.info->index, Fault::Kind::Divergence,
            "waits for lane " + llvm::Twine(thread.lane) + ", which has ended");
      return abandon();
    }
    if (meeting.mask || meeting.arrived != warp.live)
      continue;
    warp.meetings.erase(warp.meetings.begin() + i);
    meeting.info->complete(warp, *meeting.info, meeting.arrived);
    break; // all lanes that live were in it
  }
  if (!warp.live)
    barriers.checkAll(*this);
  scheduler.suspend(thread);
}

//===----------------------------------------------------------------------===//
// Instructions that compute
//===----------------------------------------------------------------------===//

namespace {
/// An execution in the machine: all its accesses are checked and counted.
class MachineExecution final : public Execution {
public:
  MachineExecution(Warp &warp, const SiteInfo &info, uint32_t who)
      : Execution(info.prepared), warp(warp), info(info) {
    lanes = who;
  }

  const void *read(unsigned lane, uint64_t address, int64_t bytes) override {
    return access(lane, address, bytes, AccessKind::Read);
  }
  void *write(unsigned lane, uint64_t address, int64_t bytes) override {
    return access(lane, address, bytes, AccessKind::Write);
  }
  void fault(unsigned lane, Fault::Kind kind,
             const llvm::Twine &text) override {
    warp.block->fault(warp.threads[lane], info.index, kind, text);
  }
  void countMultiplyAdds(uint64_t count) override {
    warp.block->counters.addMultiplyAdds(count);
  }

  /// To be called at the end: what is left to count, and whether the kernel
  /// cannot go on with what it got.
  bool finish() {
    count();
    return isWrong;
  }

private:
  void *access(unsigned lane, uint64_t address, int64_t bytes,
               AccessKind kind) {
    Block &block = *warp.block;
    if (!block.checkAccess(warp.threads[lane], info, address, bytes, kind)) {
      isWrong = true;
      return nullptr;
    }
    // Calls come in the order of lanes; one out of it begins another request.
    const bool isStore = kind == AccessKind::Write;
    if ((countedLanes >> lane) || width != bytes || wereStores != isStore)
      count();
    countedLanes |= 1u << lane;
    width = bytes;
    wereStores = isStore;
    areShared = block.window.contains(address);
    addresses[lane] = address;
    return reinterpret_cast<void *>(address);
  }

  void count() {
    if (countedLanes)
      warp.block->counters.addTogether(info, addresses, countedLanes, width,
                                       areShared, wereStores);
    countedLanes = 0;
  }

  Warp &warp;
  const SiteInfo &info;
  bool isWrong = false;
  uint32_t countedLanes = 0;
  int64_t width = 0;
  bool wereStores = false, areShared = false;
  uint64_t addresses[kWarpLanes];
};
} // namespace

static void executeThread(Thread &thread, const SiteInfo &info,
                          const char *operands, char *result) {
  MachineExecution execution(*thread.warp, info, thread.getLaneBit());
  execution.operands[thread.lane] = operands;
  execution.results[thread.lane] = result;
  info.prepared.instruction->execute(execution);
  thread.block->counters.addThread(thread, info);
  if (execution.finish())
    thread.block->abandon();
}

static void completeWarp(Warp &warp, const SiteInfo &info, uint32_t lanes) {
  MachineExecution execution(warp, info, lanes);
  execution.operands = warp.operands;
  execution.results = warp.results;
  info.prepared.instruction->execute(execution);
  Counters &counters = warp.block->counters;
  counters.addWarp(info);
  if (lanes == warp.live)
    counters.flush(warp);
  if (execution.finish())
    return warp.block->abandon();
  warp.block->scheduler.wake(warp, lanes);
}

static void executeAligned(Thread &thread, const SiteInfo &info,
                           const char *operands, char *result) {
  thread.block->meet(thread, info, /*mask=*/0, operands, result);
}

static void executeMasked(Thread &thread, const SiteInfo &info,
                          const char *operands, char *result) {
  uint32_t mask;
  const unsigned operand = info.prepared.instruction->maskOperand;
  std::memcpy(&mask, operands + info.prepared.slots[operand], sizeof(mask));
  thread.block->meetMasked(thread, info, mask, operands, result);
}

bool mlir::top::sim::findExecution(SiteInfo &info) {
  const Instruction *instruction = info.prepared.instruction;
  if (!instruction)
    return false;
  if (instruction->scope == Instruction::Thread) {
    info.execute = executeThread;
    return true;
  }
  info.execute = instruction->maskOperand < 0 ? executeAligned : executeMasked;
  info.complete = completeWarp;
  return true;
}
