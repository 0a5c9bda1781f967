//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of each byte of a block's shared memory: whether anything has
// written it, and who has accessed it.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_SHAREDSHADOW_H
#define TOP_LIB_SIMULATION_SHAREDSHADOW_H

#include "AccessHistory.h"
#include <vector>

namespace mlir::top::sim {

struct SharedGranule {
  AccessHistory<kSharedReaders> history;
  uint16_t initialized = 0; ///< a bit for each byte
};

class SharedShadow {
public:
  /// Begins anew for so many bytes, none of them written.
  void reset(uint32_t bytes);
  /// By the granule's number: offset in the window / 16.
  SharedGranule &get(uint32_t index) { return granules[index]; }
  AccessOverflow &getOverflow() { return overflow; }

private:
  std::vector<SharedGranule> granules;
  AccessOverflow overflow;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_SHAREDSHADOW_H
