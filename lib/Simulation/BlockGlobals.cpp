//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See BlockGlobals.h.
//
//===----------------------------------------------------------------------===//

#include "BlockGlobals.h"

using namespace mlir::top::sim;

void BlockGlobals::reset() {
  entries.clear();
  overflow.reset();
  if (slots.empty())
    slots.resize(4096);
  if (++stamp == 0) {
    std::fill(slots.begin(), slots.end(), Slot{0, 0});
    stamp = 1;
  }
}

/// Where the search for a granule begins. Neighbours are neighbours, since
/// they are accessed together.
size_t BlockGlobals::getSlot(uint64_t granule) const {
  constexpr unsigned kNeighbours = 8;
  const uint64_t hash = (granule / kNeighbours) * 0x9E3779B97F4A7C15ull;
  return ((hash >> 32) * kNeighbours + granule % kNeighbours) &
         (slots.size() - 1);
}

BlockGlobals::Entry &BlockGlobals::get(uint64_t granule) {
  size_t at = getSlot(granule);
  while (slots[at].stamp == stamp) {
    Entry &entry = entries[slots[at].entry];
    if (entry.touch.granule == granule)
      return entry;
    at = (at + 1) & (slots.size() - 1);
  }
  if (entries.size() * 2 >= slots.size()) {
    grow();
    at = getSlot(granule);
    while (slots[at].stamp == stamp)
      at = (at + 1) & (slots.size() - 1);
  }
  slots[at] = {stamp, static_cast<uint32_t>(entries.size())};
  entries.emplace_back();
  Entry &entry = entries.back();
  entry.touch = {granule, {}, {-1, -1, -1}};
  return entry;
}

void BlockGlobals::grow() {
  std::vector<Slot> larger(slots.size() * 4);
  slots.swap(larger);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    size_t at = getSlot(entries[i].touch.granule);
    while (slots[at].stamp == stamp)
      at = (at + 1) & (slots.size() - 1);
    slots[at] = {stamp, i};
  }
}
