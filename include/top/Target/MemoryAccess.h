//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the addresses of one warp's access cost: conflicts between banks of
// shared memory, and sectors of global memory. Layouts are judged by these.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TARGET_MEMORYACCESS_H
#define TOP_TARGET_MEMORYACCESS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mlir::top {

/// Shared memory has 32 banks of 4 bytes each; global memory is moved in
/// sectors of 32 bytes (CUDA C++ Best Practices Guide, "Shared Memory and
/// Memory Banks" and "Coalesced Access to Global Memory").
inline constexpr int64_t kNumBanks = 32;
inline constexpr int64_t kBankBytes = 4;
inline constexpr int64_t kSectorBytes = 32;
/// Where tiles in shared memory start: the first bank.
inline constexpr int64_t kSharedTileAlignment = kNumBanks * kBankBytes;

/// The widest access of a thread, to global memory or by cp.async (PTX ISA).
/// Rows that begin at multiples of it can be read with nothing else.
inline constexpr int64_t kWidestAccessBytes = 16;

/// What shared memory takes to serve one access of a warp. It serves 32 threads
/// at a time, of 8 and 16 bytes halves and quarters of the warp; a bank gives
/// one word a turn, to all who read it.
struct BankTurns {
  uint32_t turns = 0;     ///< of all groups of threads
  uint32_t conflicts = 0; ///< turns beyond one a group
  uint32_t worst = 0;     ///< of one group
};

/// Thread t takes part where bit t of `threads` is set, and accesses `bytes`
/// (1, 2, 4, 8 or 16) at `addresses[t]`, a multiple of that. Without memory of
/// its own.
BankTurns countBankTurns(const uint64_t *addresses, uint32_t threads,
                         uint32_t bytes);
/// The same for the first so many threads of a warp; the turns of the worst
/// group: 1 is without conflict.
int64_t countBankTurns(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

/// How many sectors of global memory the threads of a warp touch together.
uint32_t countSectors(const uint64_t *addresses, uint32_t threads,
                      uint32_t bytes);
int64_t countSectors(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

/// The least number of sectors that so many distinct bytes can take.
inline int64_t minSectors(int64_t bytes) {
  return (bytes + kSectorBytes - 1) / kSectorBytes;
}

} // namespace mlir::top

#endif // TOP_TARGET_MEMORYACCESS_H
