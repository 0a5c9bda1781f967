//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which thread of a block runs next: the warps and lanes that can, in an order
// that the seed decides.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_SCHEDULER_H
#define TOP_LIB_SIMULATION_SCHEDULER_H

#include "Fiber.h"
#include "Random.h"
#include <vector>

namespace mlir::top::sim {

class Thread;
struct Warp;

class Scheduler {
public:
  /// Begins anew, with nothing to run.
  void reset(Random &random);
  /// Lets lanes of a warp run.
  void wake(Warp &warp, uint32_t lanes);
  /// Runs threads until none can run, or stop was called.
  void run();

  // To be called on the fiber of a thread, the one that runs.

  /// Runs others until something wakes `thread`.
  void suspend(Thread &thread);
  /// Lets others run, then this one again.
  void yield(Thread &thread);
  /// Goes back to run()'s caller for good.
  void stop();

  /// The thread that runs.
  Thread &getRunning() const;
  Fiber **getLeaving() { return &leaving; }

private:
  /// The next thread; null where none can run.
  Thread *pick();

  Fiber caller;             ///< who called run
  Fiber *leaving = nullptr; ///< see Fiber::switchTo
  Random *random = nullptr;
  std::vector<Warp *> ready; ///< warps with lanes that can run
  Warp *current = nullptr;   ///< not among them
  unsigned lastLane = 0;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_SCHEDULER_H
