//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Scheduler.h.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "Block.h"
#include "llvm/ADT/bit.h"

using namespace mlir::top::sim;

/// A warp is left while it could go on once in so many switches.
static constexpr uint32_t kLeaveOneIn = 64;

void Scheduler::reset(Random &newRandom) {
  random = &newRandom;
  ready.clear();
  current = nullptr;
}

void Scheduler::wake(Warp &warp, uint32_t lanes) {
  warp.ready |= lanes;
  if (&warp == current || warp.isQueued || !warp.ready)
    return;
  warp.isQueued = true;
  ready.push_back(&warp);
}

Thread *Scheduler::pick() {
  const uint32_t dice = random->next();
  if (!current || !current->ready || dice % kLeaveOneIn == 0) {
    Warp *last = current;
    current = nullptr;
    if (last)
      wake(*last, 0);
    if (ready.empty())
      return nullptr;
    const uint32_t index = random->below(ready.size());
    current = ready[index];
    ready[index] = ready.back();
    ready.pop_back();
    current->isQueued = false;
    lastLane = dice / kLeaveOneIn % 32;
  }
  // The next ready lane after the last one, round the warp.
  const uint32_t mask = current->ready;
  const uint32_t above = mask & ~((2u << lastLane) - 1);
  lastLane = llvm::countr_zero(above ? above : mask);
  current->ready &= ~(1u << lastLane);
  return current->threads + lastLane;
}

void Scheduler::run() {
  if (Thread *next = pick())
    Fiber::switchTo(caller, next->fiber, &leaving);
}

void Scheduler::suspend(Thread &thread) {
  Thread *next = pick();
  if (next == &thread)
    return;
  Fiber::switchTo(thread.fiber, next ? next->fiber : caller, &leaving);
}

void Scheduler::yield(Thread &thread) {
  wake(*thread.warp, thread.getLaneBit());
  suspend(thread);
}

void Scheduler::stop() {
  Fiber::switchTo(getRunning().fiber, caller, &leaving);
}

Thread &Scheduler::getRunning() const { return current->threads[lastLane]; }
