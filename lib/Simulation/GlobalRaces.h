//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Races in global memory between the blocks of a launch. Nothing orders blocks,
// so that two of them must not touch a byte that one of them writes.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_GLOBALRACES_H
#define TOP_LIB_SIMULATION_GLOBALRACES_H

#include "BlockGlobals.h"
#include "Memory.h"
#include <map>
#include <unordered_map>

namespace mlir::top::sim {

/// Two accesses that conflict: the later block's, and the one of the earlier
/// block. "Later" is in number.
struct GlobalConflict {
  uint64_t address;
  uint32_t block, otherBlock;
  GlobalKind kind, otherKind;
  int32_t site, otherSite;
};

/// Not to be used by two workers at a time.
class GlobalRaces {
public:
  explicit GlobalRaces(const GlobalMemory &memory) : memory(memory) {}

  /// Takes what a block has done. Blocks are compared in their order, whatever
  /// the order in which they end, so that reports do not depend on it: what has
  /// to wait for blocks before it is kept. Conflicts of all blocks whose turn
  /// has come are appended, at most a few for each pair of places.
  void add(uint32_t block, const BlockGlobals &globals,
           std::vector<GlobalConflict> &conflicts);

private:
  /// Blocks that accessed a byte first, for one kind of access; 0 bytes = none.
  struct Owner {
    uint32_t block;
    int32_t site;
  };
  struct Granule {
    std::array<uint16_t, kNumGlobalKinds> bytes;
    std::array<Owner, kNumGlobalKinds> owner; ///< of the first bytes
  };
  /// Further blocks that accessed other bytes of the granule.
  struct MoreOwners {
    GlobalKind kind;
    uint16_t bytes;
    Owner owner;
  };
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  void merge(uint32_t block, const GlobalTouch &touch,
             std::vector<GlobalConflict> &conflicts);
  Owner findOwner(uint64_t granule, const Granule &merged, GlobalKind kind,
                  uint16_t byte) const;
  /// The granule's sum over blocks; null where it cannot be written to.
  Granule *find(uint64_t granule);

  const GlobalMemory &memory;
  /// Granules of a buffer, zero until they are touched.
  std::unordered_map<const Buffer *, std::unique_ptr<Granule[], Free>> buffers;
  const Buffer *lastBuffer = nullptr;
  Granule *lastGranules = nullptr;
  std::unordered_map<uint64_t, std::vector<MoreOwners>> more;
  uint32_t next = 0; ///< the block whose turn it is
  std::map<uint32_t, std::vector<GlobalTouch>> waiting;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_GLOBALRACES_H
