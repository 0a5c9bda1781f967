//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The faults of a block, while it runs: the first of each kind and pair of
// places is kept, the others are counted.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_FAULTS_H
#define TOP_LIB_SIMULATION_FAULTS_H

#include "top/Simulation/Machine.h"
#include "llvm/ADT/Twine.h"
#include <set>
#include <tuple>

namespace mlir::top::sim {

class Faults {
public:
  /// A kernel that goes on being wrong is ended after so many.
  static constexpr uint64_t kEnough = 1000;

  void reset(unsigned mostKept) {
    kept.clear();
    seen.clear();
    total = 0;
    most = mostKept;
  }
  /// Whether the message of the next fault there and of that kind is kept: no
  /// text need be made otherwise. `other` is the site of the other side of a
  /// conflict, or -1.
  bool isNew(Fault::Kind kind, int32_t site, int32_t other = -1) {
    ++total;
    return kept.size() < most && seen.insert({kind, site, other}).second;
  }
  void keep(Fault::Kind kind, const llvm::Twine &message) {
    kept.push_back({kind, message.str()});
  }

  uint64_t getTotal() const { return total; }
  std::vector<Fault> take() { return std::move(kept); }

private:
  std::vector<Fault> kept;
  std::set<std::tuple<Fault::Kind, int32_t, int32_t>> seen;
  uint64_t total = 0;
  unsigned most = 0;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_FAULTS_H
