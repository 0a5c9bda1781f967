//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GlobalRaces.h.
//
//===----------------------------------------------------------------------===//

#include "GlobalRaces.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MemAlloc.h"

using namespace mlir::top::sim;

/// The granules that the reports of one block are made of; more would say the
/// same again.
static constexpr size_t kMostConflicts = 1000;

GlobalRaces::Granule *GlobalRaces::find(uint64_t granule) {
  uint64_t address = granule * kGranuleBytes;
  if (!lastBuffer || address < lastBuffer->begin ||
      address >= lastBuffer->end) {
    const Buffer *buffer = memory.find(address, 1);
    if (!buffer || !buffer->isWritable)
      return nullptr;
    auto &granules = buffers[buffer];
    if (!granules) {
      const size_t count = (buffer->end - buffer->begin) / kGranuleBytes + 1;
      granules.reset(
          static_cast<Granule *>(llvm::safe_calloc(count, sizeof(Granule))));
    }
    lastBuffer = buffer;
    lastGranules = granules.get();
  }
  return lastGranules + (address - lastBuffer->begin) / kGranuleBytes;
}

GlobalRaces::Owner GlobalRaces::findOwner(uint64_t granule,
                                          const Granule &merged,
                                          GlobalKind kind,
                                          uint16_t byte) const {
  auto found = more.find(granule);
  if (found != more.end())
    for (const MoreOwners &owners : found->second)
      if (owners.kind == kind && (owners.bytes & byte))
        return owners.owner;
  return merged.owner[kind];
}

void GlobalRaces::merge(uint32_t block, const GlobalTouch &touch,
                        std::vector<GlobalConflict> &conflicts) {
  Granule *merged = find(touch.granule);
  if (!merged)
    return;
  for (unsigned mine = 0; mine < kNumGlobalKinds; ++mine) {
    if (!touch.bytes[mine])
      continue;
    for (unsigned other = 0; other < kNumGlobalKinds; ++other) {
      // Neither reads nor atomic accesses conflict among themselves.
      if (mine == other && mine != kGlobalWrite)
        continue;
      const uint16_t both = touch.bytes[mine] & merged->bytes[other];
      if (!both || conflicts.size() >= kMostConflicts)
        continue;
      const unsigned byte = llvm::countr_zero(both);
      const Owner owner = findOwner(touch.granule, *merged, GlobalKind(other),
                                    uint16_t(1u << byte));
      conflicts.push_back({touch.granule * kGranuleBytes + byte, block,
                           owner.block, GlobalKind(mine), GlobalKind(other),
                           touch.site[mine], owner.site});
    }
  }
  for (unsigned kind = 0; kind < kNumGlobalKinds; ++kind) {
    const uint16_t added = touch.bytes[kind] & ~merged->bytes[kind];
    if (!added)
      continue;
    const Owner owner = {block, touch.site[kind]};
    if (!merged->bytes[kind])
      merged->owner[kind] = owner;
    else
      more[touch.granule].push_back({GlobalKind(kind), added, owner});
    merged->bytes[kind] |= added;
  }
}

void GlobalRaces::add(uint32_t block, const BlockGlobals &globals,
                      std::vector<GlobalConflict> &conflicts) {
  if (block != next) {
    std::vector<GlobalTouch> &touches = waiting[block];
    touches.reserve(globals.getEntries().size());
    for (const BlockGlobals::Entry &entry : globals.getEntries())
      touches.push_back(entry.touch);
    return;
  }
  for (const BlockGlobals::Entry &entry : globals.getEntries())
    merge(block, entry.touch, conflicts);
  ++next;
  while (!waiting.empty() && waiting.begin()->first == next) {
    for (const GlobalTouch &touch : waiting.begin()->second)
      merge(next, touch, conflicts);
    waiting.erase(waiting.begin());
    ++next;
  }
}
