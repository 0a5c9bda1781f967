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

/// How many turns the worst bank takes when the threads of a warp access shared
/// memory at `addresses` (bytes, aligned to `accessBytes`), in the order of the
/// threads; 1 is without conflict. The same word read by several threads is one
/// turn. Accesses of 8 and 16 bytes are served by halves and quarters of the
/// warp, the worst of which is given. `accessBytes` is 1, 2, 4, 8 or 16.
int64_t countBankTurns(llvm::ArrayRef<int64_t> addresses, int64_t accessBytes);

/// How many sectors of global memory the threads of a warp touch together.
int64_t countSectors(llvm::ArrayRef<int64_t> addresses, int64_t accessBytes);

/// The least number of sectors that so many distinct bytes can take.
inline int64_t minSectors(int64_t bytes) {
  return (bytes + kSectorBytes - 1) / kSectorBytes;
}

/// Bytes of a sum of the tensor cores, f32 or i32.
inline constexpr int64_t kSumBytes = 4;

/// Elements between rows of `cols` sums in shared memory, `cols` a multiple of
/// 8: lanes of half a warp write 2 columns in each of 4 rows and meet all 32
/// banks if rows are 8 banks apart, up or down.
int64_t getSumPitch(int64_t cols);

} // namespace mlir::top

#endif // TOP_TARGET_MEMORYACCESS_H
