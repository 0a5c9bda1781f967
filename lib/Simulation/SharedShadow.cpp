//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SharedShadow.h.
//
//===----------------------------------------------------------------------===//

#include "SharedShadow.h"

#include <algorithm>

using namespace mlir::top::sim;

void SharedShadow::reset(uint32_t bytes) {
  const size_t count = (bytes + kGranuleBytes - 1) / kGranuleBytes;
  granules.resize(std::max(granules.size(), count));
  std::fill_n(granules.begin(), count, SharedGranule());
  overflow.reset();
}
