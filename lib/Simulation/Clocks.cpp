//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Clocks.h.
//
//===----------------------------------------------------------------------===//

#include "Clocks.h"

#include <algorithm>
#include <cstring>

using namespace mlir::top::sim;

static constexpr unsigned kWarpThreads = 32;

Snapshot *Snapshots::reset(unsigned newThreads) {
  threads = newThreads;
  warps = (threads + kWarpThreads - 1) / kWarpThreads;
  if (threads > capacity) {
    capacity = threads;
    storage.clear();
  }
  free.clear();
  for (const std::unique_ptr<Storage> &one : storage)
    free.push_back(&one->snapshot);
  Snapshot *zero = allocate();
  std::memset(zero->clock, 0, threads * sizeof(uint32_t));
  std::memset(zero->retired, 0, threads * sizeof(uint32_t));
  std::memset(zero->warpClock, 0, warps * sizeof(uint32_t));
  return zero;
}

Snapshot *Snapshots::allocate() {
  if (free.empty()) {
    auto made = std::make_unique<Storage>();
    made->values = std::make_unique<uint32_t[]>(3 * capacity);
    made->snapshot.clock = made->values.get();
    made->snapshot.retired = made->snapshot.clock + capacity;
    made->snapshot.warpClock = made->snapshot.retired + capacity;
    free.push_back(&made->snapshot);
    storage.push_back(std::move(made));
  }
  Snapshot *snapshot = free.back();
  free.pop_back();
  snapshot->references = 1;
  return snapshot;
}

Snapshot *Snapshots::copy(const Snapshot &from) {
  Snapshot *snapshot = allocate();
  std::memcpy(snapshot->clock, from.clock, threads * sizeof(uint32_t));
  std::memcpy(snapshot->retired, from.retired, threads * sizeof(uint32_t));
  return snapshot;
}

void Snapshots::join(Snapshot &into, const Snapshot &from) const {
  for (unsigned i = 0; i < threads; ++i)
    into.clock[i] = std::max(into.clock[i], from.clock[i]);
  for (unsigned i = 0; i < threads; ++i)
    into.retired[i] = std::max(into.retired[i], from.retired[i]);
}

void Snapshots::finish(Snapshot &snapshot) const {
  for (unsigned warp = 0; warp < warps; ++warp) {
    const uint32_t *first = snapshot.clock + warp * kWarpThreads;
    snapshot.warpClock[warp] = *std::min_element(
        first, first + std::min(kWarpThreads, threads - warp * kWarpThreads));
  }
}
