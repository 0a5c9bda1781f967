//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemoryAccess.h.
//
//===----------------------------------------------------------------------===//

#include "top/Target/MemoryAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

using namespace mlir;
using namespace mlir::top;

/// Threads of a warp.
static constexpr uint32_t kWarpThreads = 32;

/// The turns for one group of threads that is served together: the most words
/// that one bank must give.
static uint32_t countGroupTurns(const uint64_t *addresses, uint32_t threads,
                                uint32_t bytes) {
  uint8_t counts[kNumBanks] = {};
  uint32_t words[kNumBanks][32];
  uint32_t most = 0;
  for (; threads; threads &= threads - 1) {
    const uint64_t address = addresses[llvm::countr_zero(threads)];
    for (uint32_t byte = 0; byte < bytes; byte += kBankBytes) {
      const uint32_t word = (address + byte) / kBankBytes;
      const uint32_t bank = word % kNumBanks;
      uint32_t i = 0;
      while (i < counts[bank] && words[bank][i] != word)
        ++i;
      if (i < counts[bank])
        continue;
      words[bank][i] = word;
      most = std::max<uint32_t>(most, ++counts[bank]);
    }
  }
  return most;
}

/// Whether no two of the threads need the same bank, for accesses of 4, 8 or 16
/// bytes at multiples of that; false where it is not known.
static bool isWithoutConflict(const uint64_t *addresses, uint32_t threads,
                              uint32_t bytes) {
  constexpr uint32_t kTurnBytes = kNumBanks * kBankBytes;
  const uint32_t shift = llvm::countr_zero(bytes);
  const uint32_t lastPlace = (kTurnBytes >> shift) - 1;
  uint32_t taken = 0;
  for (; threads; threads &= threads - 1) {
    const uint64_t address = addresses[llvm::countr_zero(threads)];
    const uint32_t place = 1u << ((address >> shift) & lastPlace);
    if ((taken & place) || (address & (bytes - 1)))
      return false;
    taken |= place;
  }
  return true;
}

BankTurns top::countBankTurns(const uint64_t *addresses, uint32_t threads,
                              uint32_t bytes) {
  constexpr uint32_t kTurnBytes = kNumBanks * kBankBytes;
  const uint32_t width = std::max<uint32_t>(bytes, kBankBytes);
  const uint32_t group = std::max<uint32_t>(kTurnBytes / width, 1);
  BankTurns turns;
  for (uint32_t first = 0; first < kWarpThreads; first += group) {
    const uint32_t part =
        threads & (group == 32 ? ~0u : ((1u << group) - 1) << first);
    if (!part)
      continue;
    const bool isPlain = bytes == 4 || bytes == 8 || bytes == 16;
    const uint32_t needed = isPlain && isWithoutConflict(addresses, part, bytes)
                                ? 1
                                : countGroupTurns(addresses, part, bytes);
    turns.turns += needed;
    turns.conflicts += needed - 1;
    turns.worst = std::max(turns.worst, needed);
  }
  return turns;
}

uint32_t top::countSectors(const uint64_t *addresses, uint32_t threads,
                           uint32_t bytes) {
  // Threads mostly come in the order of their addresses, so that a sector that
  // was there before is the last one.
  uint64_t sectors[kWarpThreads * 2 + 2];
  uint32_t count = 0, more = 0;
  for (; threads; threads &= threads - 1) {
    const uint64_t address = addresses[llvm::countr_zero(threads)];
    const uint64_t first = address / kSectorBytes;
    const uint64_t last = (address + bytes - 1) / kSectorBytes;
    for (uint64_t sector = first; sector <= last; ++sector) {
      uint32_t i = count;
      while (i > 0 && sectors[i - 1] != sector)
        --i;
      if (i > 0)
        continue;
      if (count < std::size(sectors))
        sectors[count++] = sector;
      else
        ++more;
    }
  }
  return count + more;
}

/// The threads of a warp that come first; their addresses in `all`.
static uint32_t takeThreads(llvm::ArrayRef<int64_t> addresses,
                            std::array<uint64_t, kWarpThreads> &all) {
  assert(addresses.size() <= kWarpThreads && "more than a warp");
  llvm::copy(addresses, all.begin());
  return llvm::maskTrailingOnes<uint32_t>(addresses.size());
}

int64_t top::countBankTurns(llvm::ArrayRef<int64_t> addresses, int64_t bytes) {
  std::array<uint64_t, kWarpThreads> all;
  const uint32_t threads = takeThreads(addresses, all);
  return countBankTurns(all.data(), threads, bytes).worst;
}

int64_t top::countSectors(llvm::ArrayRef<int64_t> addresses, int64_t bytes) {
  std::array<uint64_t, kWarpThreads> all;
  const uint32_t threads = takeThreads(addresses, all);
  return countSectors(all.data(), threads, bytes);
}
