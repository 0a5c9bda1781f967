//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs that happen once: in front of the loops that they do not depend on, and
// for all who read the same.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_SHAREPACKS_H
#define TOP_LIB_GPU_TRANSFORMS_SHAREPACKS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::top {

struct SharedPacks {
  llvm::DenseSet<Operation *> packs; ///< the scheduled packs that are left
  int64_t moved = 0;                 ///< packs that have left a loop
  int64_t merged = 0;                ///< packs in whose place another is read
  int64_t mergedBytes = 0;           ///< that these would have written
};

/// Moves each linalg.pack of `func` that has a schedule, and writes a
/// bufferization.alloc_tensor of its own, out of the loops in which its source
/// does not change, and replaces it by an equal one that dominates it: one of
/// the same source, or of equal views of it, in the same form. The views, which
/// are slices and reshapes, go with it. Creates no ops.
SharedPacks sharePacks(RewriterBase &rewriter, FunctionOpInterface func);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_SHAREPACKS_H
