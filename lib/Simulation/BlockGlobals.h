//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one block has done in global memory, by granules of 16 bytes: a history
// for races in the block, and sums for those with other blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_BLOCKGLOBALS_H
#define TOP_LIB_SIMULATION_BLOCKGLOBALS_H

#include "AccessHistory.h"
#include <array>
#include <vector>

namespace mlir::top::sim {

/// Kinds of access as far as other blocks are concerned.
enum GlobalKind : uint8_t { kGlobalRead, kGlobalWrite, kGlobalAtomic };
inline constexpr unsigned kNumGlobalKinds = 3;

inline GlobalKind getGlobalKind(AccessKind kind) {
  return kind == AccessKind::Atomic ? kGlobalAtomic
         : isWrite(kind)            ? kGlobalWrite
                                    : kGlobalRead;
}

/// The bytes of a granule that a block has touched, and where first.
struct GlobalTouch {
  uint64_t granule; ///< address / 16
  std::array<uint16_t, kNumGlobalKinds> bytes;
  std::array<int32_t, kNumGlobalKinds> site;
};

class BlockGlobals {
public:
  struct Entry {
    GlobalTouch touch;
    AccessHistory<kGlobalReaders> history;
  };

  void reset();
  /// The entry of a granule, made where there is none. Valid until the next
  /// call.
  Entry &get(uint64_t granule);
  const std::vector<Entry> &getEntries() const { return entries; }
  AccessOverflow &getOverflow() { return overflow; }

private:
  /// An entry's number, valid if the stamp is that of now.
  struct Slot {
    uint32_t stamp, entry;
  };

  size_t getSlot(uint64_t granule) const;
  void grow();

  std::vector<Entry> entries;
  std::vector<Slot> slots; ///< a hash table, linearly probed
  uint32_t stamp = 0;
  AccessOverflow overflow;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_BLOCKGLOBALS_H
