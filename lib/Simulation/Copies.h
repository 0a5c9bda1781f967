//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The asynchronous copies of one thread, which go from global to shared memory
// in groups. From issue to the wait for its group a copy is in flight: nothing
// may touch what it writes or change what it reads. When the data arrives in
// between is the machine's choice.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_COPIES_H
#define TOP_LIB_SIMULATION_COPIES_H

#include "top/Simulation/Machine.h"
#include <deque>

namespace mlir::top::sim {

class Thread;

struct Copy {
  char *to;
  const char *from;
  uint32_t bytes;     ///< to write
  uint32_t fromBytes; ///< to read; the others are zeros
  int32_t site;
  uint32_t group;
  bool isDone;
};

class Copies {
public:
  void reset() { copies.clear(); }
  /// Enters a copy whose addresses have been checked.
  void issue(Thread &thread, const Copy &copy);
  /// Closes the group of the copies since the last one.
  void commit(Thread &thread);
  /// Waits until only the newest `pending` groups are in flight.
  void wait(Thread &thread, uint32_t pending);
  /// Of the oldest copy in flight; -1 where there is none.
  int32_t getFirstSite() const {
    return copies.empty() ? -1 : copies.front().site;
  }
  /// Some data may arrive now, where the mode is random.
  void mayArrive(Thread &thread);

private:
  std::deque<Copy> copies; ///< in flight, by groups
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_COPIES_H
