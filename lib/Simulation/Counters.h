//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statistics of the blocks that a worker runs. Threads come one by one; what
// they do at a site for the n-th time since their warp last met is taken for
// one instruction of the warp.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_COUNTERS_H
#define TOP_LIB_SIMULATION_COUNTERS_H

#include "Launch.h"
#include "top/Simulation/Statistics.h"

namespace mlir::top::sim {

class Counters {
public:
  /// A thread that has done an access so often, since its warp last met, lets
  /// the others of the warp come after.
  static constexpr uint32_t kRound = 256;

  /// Begins anew, for blocks of a launch.
  void reset(const Launch &launch);

  /// A plain access of a thread. True where the others should run first.
  bool addAccess(const Thread &thread, const SiteInfo &info, uint64_t address,
                 uint32_t bytes, bool isShared, bool isStore);
  /// An asynchronous copy; `fromBytes` may be 0.
  void addCopy(const Thread &thread, const SiteInfo &info, uint64_t from,
               uint32_t fromBytes, uint64_t to, uint32_t bytes);
  /// Any other instruction of one thread.
  void addThread(const Thread &thread, const SiteInfo &info);
  /// An instruction that a warp has met in.
  void addWarp(const SiteInfo &info);
  /// Accesses that such an instruction made together.
  void addTogether(const SiteInfo &info, const uint64_t *addresses,
                   uint32_t lanes, uint32_t bytes, bool isShared, bool isStore);
  void addMultiplyAdds(uint64_t count) { multiplyAdds += count; }
  /// All lanes of the warp have met, or ended.
  void flush(const Warp &warp);
  void addBlock(uint32_t blockThreads) {
    ++blocks;
    threads += blockThreads;
  }

  /// Adds all to `total`, whose sites must be of this launch.
  void addTo(Statistics &total, const Launch &launch) const;

private:
  /// What the lanes of a warp do together, one address for each.
  struct Request {
    uint32_t lanes = 0, sharedLanes = 0, stores = 0, bytes = 0, width = 0;
    std::array<uint64_t, 32> addresses;
  };
  /// What a warp did at one site since it last met.
  struct Pending {
    /// Counts an execution by a lane, and returns how many it had before.
    uint32_t addExecution(uint32_t lane) {
      const uint32_t number = executions[lane]++;
      most = std::max(most, number + 1);
      return number;
    }

    std::array<uint32_t, 32> executions = {}; ///< by lane
    uint32_t most = 0;                        ///< of executions
    std::vector<Request> requests;            ///< first one's number is `done`
    std::vector<Request> copiesTo;            ///< of copies, their shared side
    uint32_t done = 0;
  };

  Pending &getPending(const Thread &thread, const SiteInfo &info);
  void finishMany(Pending &pending, const SiteInfo &info);
  /// Counts the first `number` requests.
  void finish(Pending &pending, const SiteInfo &info, size_t number);
  void count(const Request &request, const SiteInfo &info);

  const Launch *launch = nullptr;
  uint32_t numSites = 0;
  std::vector<Pending> pending;               ///< by warp, then by site
  std::vector<std::vector<uint32_t>> touched; ///< sites, by warp
  std::vector<SiteCounts> sites;
  std::vector<AccessCounts> copies;   ///< by site
  std::vector<uint64_t> instructions; ///< by SiteInfo::opNumber
  uint64_t multiplyAdds = 0, blocks = 0, threads = 0;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_COUNTERS_H
