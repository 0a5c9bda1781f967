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

#include <algorithm>
#include <array>
#include <set>

using namespace mlir;
using namespace mlir::top;

int64_t top::countBankTurns(llvm::ArrayRef<int64_t> addresses,
                            int64_t accessBytes) {
  // All banks together give 128 bytes a turn, so that wider accesses than 4
  // bytes come in groups of threads.
  const int64_t group =
      kNumBanks * kBankBytes / std::max(accessBytes, kBankBytes);
  int64_t worst = 0;
  while (!addresses.empty()) {
    llvm::ArrayRef<int64_t> part =
        addresses.take_front(std::min<size_t>(group, addresses.size()));
    addresses = addresses.drop_front(part.size());
    std::array<std::set<int64_t>, kNumBanks> words;
    for (int64_t address : part)
      for (int64_t byte = 0; byte < accessBytes; byte += kBankBytes) {
        const int64_t word = (address + byte) / kBankBytes;
        words[word % kNumBanks].insert(word);
      }
    for (const std::set<int64_t> &bank : words)
      worst = std::max<int64_t>(worst, bank.size());
  }
  return worst;
}

int64_t top::countSectors(llvm::ArrayRef<int64_t> addresses,
                          int64_t accessBytes) {
  std::set<int64_t> sectors;
  for (int64_t address : addresses)
    for (int64_t sector = address / kSectorBytes;
         sector <= (address + accessBytes - 1) / kSectorBytes; ++sector)
      sectors.insert(sector);
  return sectors.size();
}

int64_t top::getSumPitch(int64_t cols) {
  int64_t pitch = cols;
  while (pitch % 32 != 8 && pitch % 32 != 24)
    pitch += 8;
  return pitch;
}
