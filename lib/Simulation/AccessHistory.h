//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who has accessed 16 bytes of memory, as far as it matters to whom accesses
// them next. Bytes are told apart, so that neighbours do not clash, and no
// reader is forgotten: the sets grow as they must.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_ACCESSHISTORY_H
#define TOP_LIB_SIMULATION_ACCESSHISTORY_H

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <deque>

namespace mlir::top::sim {

class Thread;

/// Copies are asynchronous: what they do is done at some time until the wait.
enum class AccessKind : uint8_t { Read, Write, Atomic, CopyRead, CopyWrite };

inline bool isWrite(AccessKind kind) {
  return kind != AccessKind::Read && kind != AccessKind::CopyRead;
}
inline bool isCopy(AccessKind kind) {
  return kind == AccessKind::CopyRead || kind == AccessKind::CopyWrite;
}

/// 16 bytes, at a multiple of 16: what a history is kept for.
inline constexpr uint32_t kGranuleBytes = 16;

/// Bits of the bytes of [begin, begin + bytes) that lie in the granule at
/// `granule`, a multiple of 16 that overlaps with it.
inline uint16_t getByteMask(uint64_t granule, uint64_t begin, uint64_t bytes) {
  const uint64_t low = begin > granule ? begin - granule : 0;
  const uint64_t high = begin + bytes - granule;
  return (high >= kGranuleBytes ? 0xffffu : (1u << high) - 1) & (~0u << low);
}

/// An access of threads of one warp that touch the same bytes at the same time
/// of theirs.
struct Access {
  uint32_t clock = 0; ///< the threads' time; of a copy, its group's number
  uint32_t lanes = 0;
  int32_t site = -1;
  uint16_t bytes = 0; ///< a bit for each byte of the 16
  uint16_t warp : 14; ///< in the block
  uint16_t isCopy : 1;
  uint16_t isAtomic : 1;

  Access() : warp(0), isCopy(0), isAtomic(0) {}
  bool isSameActor(const Access &other) const {
    return clock == other.clock && warp == other.warp &&
           isCopy == other.isCopy && isAtomic == other.isAtomic;
  }
};

/// Room for the rare accesses that do not fit in a history itself.
class AccessOverflow {
public:
  struct Lists {
    llvm::SmallVector<Access, 4> writes, reads;
  };
  /// Starts anew; lists keep their memory.
  void reset() { used = 0; }
  Lists &get(uint32_t index) { return lists[index - 1]; }
  /// The number of a list that is empty, never 0.
  uint32_t add();

private:
  std::deque<Lists> lists;
  uint32_t used = 0;
};

/// The accesses to 16 bytes; at first there are none. Has room for one writer
/// and `kReaders` readers, more are in the overflow: readers are as many as
/// warps that share a tile, and each list is a miss of the cache.
template <unsigned kReaders>
struct AccessHistory {
  Access write;
  std::array<Access, kReaders> reads;
  uint32_t overflow = 0; ///< in AccessOverflow; 0 = none

  /// Enters a read by `thread`, or by its copies, and returns the first write
  /// that nothing orders before it; one with no bytes where there is none.
  Access addRead(const Access &access, const Thread &thread,
                 AccessOverflow &more);
  /// The same for a write: what conflicts may be a read too. An atomic write
  /// does not conflict with others.
  Access addWrite(const Access &access, const Thread &thread,
                  AccessOverflow &more);
  Access add(const Access &access, AccessKind kind, const Thread &thread,
             AccessOverflow &more) {
    return isWrite(kind) ? addWrite(access, thread, more)
                         : addRead(access, thread, more);
  }
};

/// A tile in shared memory is read by all warps in its row or column of the
/// block's; a piece of global memory mostly by one thread.
inline constexpr unsigned kSharedReaders = 3, kGlobalReaders = 1;

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_ACCESSHISTORY_H
