//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Counters.h.
//
//===----------------------------------------------------------------------===//

#include "Counters.h"
#include "Block.h"
#include "top/Target/MemoryAccess.h"

using namespace mlir::top::sim;

AccessCounts &AccessCounts::operator+=(const AccessCounts &other) {
  requests += other.requests;
  bytes += other.bytes;
  transactions += other.transactions;
  conflicts += other.conflicts;
  return *this;
}

/// From so many requests of a site on, those that all lanes have been at are
/// counted; from kMostRequests on all are, as they are.
static constexpr size_t kManyRequests = 4 * Counters::kRound;
static constexpr size_t kMostRequests = 16 * Counters::kRound;

void Counters::reset(const Launch &newLaunch) {
  launch = &newLaunch;
  numSites = launch->sites.size();
  const size_t warps = (launch->threads + kWarpLanes - 1) / kWarpLanes;
  pending.clear();
  pending.resize(warps * numSites);
  touched.assign(warps, {});
  sites.assign(numSites, {});
  copies.assign(numSites, {});
  instructions.assign(launch->ops.size(), 0);
  multiplyAdds = blocks = threads = 0;
}

Counters::Pending &Counters::getPending(const Thread &thread,
                                        const SiteInfo &info) {
  Pending &result = pending[thread.warp->index * numSites + info.index];
  if (result.most == 0)
    touched[thread.warp->index].push_back(info.index);
  return result;
}

/// The request of the lane's next execution; null where it was counted already.
template <typename Request>
static Request *getRequest(std::vector<Request> &requests, uint32_t done,
                           uint32_t number) {
  if (number < done)
    return nullptr;
  if (number - done >= requests.size())
    requests.resize(number - done + 1);
  return &requests[number - done];
}

bool Counters::addAccess(const Thread &thread, const SiteInfo &info,
                         uint64_t address, uint32_t bytes, bool isShared,
                         bool isStore) {
  Pending &site = getPending(thread, info);
  const uint32_t number = site.addExecution(thread.lane);
  Request late;
  Request *request = getRequest(site.requests, site.done, number);
  if (!request)
    request = &late;
  const uint32_t lane = thread.getLaneBit();
  request->lanes |= lane;
  if (isShared)
    request->sharedLanes |= lane;
  if (isStore)
    request->stores |= lane;
  request->bytes += bytes;
  request->width = bytes;
  request->addresses[thread.lane] = address;
  if (request == &late)
    count(late, info);
  finishMany(site, info);
  return (number + 1) % kRound == 0;
}

void Counters::addCopy(const Thread &thread, const SiteInfo &info,
                       uint64_t from, uint32_t fromBytes, uint64_t to,
                       uint32_t bytes) {
  Pending &site = getPending(thread, info);
  const uint32_t number = site.addExecution(thread.lane);
  finishMany(site, info);
  if (number < site.done)
    return;
  Request &read = *getRequest(site.requests, site.done, number);
  Request &write = *getRequest(site.copiesTo, site.done, number);
  const uint32_t lane = thread.getLaneBit();
  read.width = write.width = bytes;
  if (fromBytes) {
    read.lanes |= lane;
    read.bytes += fromBytes;
    read.addresses[thread.lane] = from;
  }
  write.lanes |= lane;
  write.sharedLanes |= lane;
  write.stores |= lane;
  write.bytes += bytes;
  write.addresses[thread.lane] = to;
}

void Counters::addThread(const Thread &thread, const SiteInfo &info) {
  getPending(thread, info).addExecution(thread.lane);
}

void Counters::addWarp(const SiteInfo &info) {
  ++sites[info.index].executions;
  ++instructions[info.opNumber];
}

void Counters::addTogether(const SiteInfo &info, const uint64_t *addresses,
                           uint32_t lanes, uint32_t bytes, bool isShared,
                           bool isStore) {
  SiteCounts &site = sites[info.index];
  AccessCounts &counts = isShared ? isStore ? site.sharedStore : site.sharedLoad
                         : isStore ? site.globalStore
                                   : site.globalLoad;
  ++counts.requests;
  counts.bytes += uint64_t(llvm::popcount(lanes)) * bytes;
  if (isShared) {
    const BankTurns turns = countBankTurns(addresses, lanes, bytes);
    counts.transactions += turns.turns;
    counts.conflicts += turns.conflicts;
  } else {
    counts.transactions += countSectors(addresses, lanes, bytes);
  }
}

void Counters::count(const Request &request, const SiteInfo &info) {
  for (bool isShared : {false, true})
    for (bool isStore : {false, true}) {
      const uint32_t lanes =
          request.lanes &
          (isShared ? request.sharedLanes : ~request.sharedLanes) &
          (isStore ? request.stores : ~request.stores);
      if (lanes)
        addTogether(info, request.addresses.data(), lanes, request.width,
                    isShared, isStore);
    }
}

void Counters::finishMany(Pending &site, const SiteInfo &info) {
  const size_t kept = site.requests.size();
  if (kept <= kManyRequests)
    return;
  if (kept > kMostRequests)
    return finish(site, info, kept);
  // Lanes that have not been here at all take no part.
  uint32_t least = site.most;
  for (uint32_t executions : site.executions)
    if (executions)
      least = std::min(least, executions);
  if (least >= site.done + kManyRequests / 2)
    finish(site, info, least - site.done);
}

void Counters::finish(Pending &site, const SiteInfo &info, size_t number) {
  for (const Request &request :
       llvm::ArrayRef(site.requests).take_front(number))
    count(request, info);
  const size_t numCopies = std::min(number, site.copiesTo.size());
  for (size_t i = 0; i < numCopies; ++i) {
    count(site.copiesTo[i], info);
    // Lanes that copy fewer bytes read fewer, which addTogether cannot know.
    const Request &read = site.requests[i];
    const uint64_t asked = uint64_t(llvm::popcount(read.lanes)) * read.width;
    sites[info.index].globalLoad.bytes -= asked - read.bytes;
    AccessCounts &copy = copies[info.index];
    copy.requests += 1;
    copy.bytes += read.bytes;
    copy.transactions +=
        countSectors(read.addresses.data(), read.lanes, read.width);
  }
  site.done += number;
  site.requests.erase(site.requests.begin(), site.requests.begin() + number);
  site.copiesTo.erase(site.copiesTo.begin(), site.copiesTo.begin() + numCopies);
}

void Counters::flush(const Warp &warp) {
  std::vector<uint32_t> &list = touched[warp.index];
  for (uint32_t index : list) {
    Pending &site = pending[warp.index * numSites + index];
    const SiteInfo &info = launch->sites[index];
    finish(site, info, site.requests.size());
    sites[index].executions += site.most;
    instructions[info.opNumber] += site.most;
    site.executions.fill(0);
    site.most = site.done = 0;
  }
  list.clear();
}

void Counters::addTo(Statistics &total, const Launch &counted) const {
  for (uint32_t i = 0; i < numSites; ++i) {
    SiteCounts &site = total.sites[i];
    site.globalLoad += sites[i].globalLoad;
    site.globalStore += sites[i].globalStore;
    site.sharedLoad += sites[i].sharedLoad;
    site.sharedStore += sites[i].sharedStore;
    site.executions += sites[i].executions;
    total.globalLoad += sites[i].globalLoad;
    total.globalStore += sites[i].globalStore;
    total.sharedLoad += sites[i].sharedLoad;
    total.sharedStore += sites[i].sharedStore;
    total.asyncCopy += copies[i];
  }
  for (size_t i = 0; i < instructions.size(); ++i)
    if (instructions[i])
      total.instructions[counted.ops[i]] += instructions[i];
  total.multiplyAdds += multiplyAdds;
  total.blocks += blocks;
  total.threads += threads;
}
