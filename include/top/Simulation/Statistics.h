//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What launches on the simulated GPU have moved and computed: the counts that
// explain a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_SIMULATION_STATISTICS_H
#define TOP_SIMULATION_STATISTICS_H

#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <vector>

namespace mlir::top::sim {

/// Accesses of one kind, counted for whole warps. A request is one instruction
/// of one warp, with the lanes that take part.
struct AccessCounts {
  uint64_t requests = 0;
  uint64_t bytes = 0; ///< that the lanes asked for
  /// Global: sectors of 32 bytes touched. Shared: turns of the banks
  /// ("wavefronts" in Nsight Compute).
  uint64_t transactions = 0;
  /// Shared: turns beyond what the bytes need without conflicts; 0 for global.
  uint64_t conflicts = 0;

  AccessCounts &operator+=(const AccessCounts &other);
};

/// What one site of a program did, over all warps.
struct SiteCounts {
  AccessCounts globalLoad, globalStore, sharedLoad, sharedStore;
  uint64_t executions = 0; ///< of collectives and barriers, one a warp
};

struct Statistics {
  AccessCounts globalLoad, globalStore, sharedLoad, sharedStore;
  /// Of asynchronous copies, which are in globalLoad and sharedStore too.
  AccessCounts asyncCopy;
  /// Instructions of warps by the op's name: "nvvm.mma.sync", "nvvm.barrier0".
  llvm::StringMap<uint64_t> instructions;
  uint64_t multiplyAdds = 0; ///< of matrix instructions
  uint64_t launches = 0, blocks = 0, threads = 0;
  std::vector<SiteCounts> sites; ///< of the last launch's program
};

} // namespace mlir::top::sim

#endif // TOP_SIMULATION_STATISTICS_H
