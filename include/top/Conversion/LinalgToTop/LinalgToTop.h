//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The raise from linalg on tensors to layer ops, as a function; the pass
// raise-linalg-to-top calls it and says in one remark what it did.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_CONVERSION_LINALGTOTOP_LINALGTOTOP_H
#define TOP_CONVERSION_LINALGTOTOP_LINALGTOTOP_H

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::top {

/// Which constants the raise computes into other constants.
enum class FoldConstants {
  /// Those with values of their own. A splat filter stands for weights that a
  /// file leaves out, and stays as it is, so that whoever supplies them
  /// (`top-run --randomize-constants`) finds it again.
  Auto,
  Never,
  Always,
};

struct RaiseOptions {
  FoldConstants foldConstants = FoldConstants::Auto;
};

/// What a raise did to a function.
struct RaiseSummary {
  unsigned candidates = 0; ///< convolutions and contractions of linalg
  unsigned raised = 0;     ///< of them
  unsigned absorbed = 0;   ///< elementwise ops that are in epilogues now
  unsigned behind = 0;     ///< elementwise ops still behind a layer op

  /// What is left, of which kind and why.
  struct Left {
    std::string name; ///< of the op
    std::string reason;
    unsigned count;
  };
  SmallVector<Left> left; ///< candidates
  SmallVector<Left>
      leftBehind; ///< elementwise ops that use a layer op's result
};

/// Replaces convolutions and contractions of linalg on tensors under `root` by
/// top.Conv2D and top.MatMul, with the pads, slices, inits, transposes and
/// elementwise ops round them. What is not recognised stays as it is.
RaiseSummary raiseLinalgToTop(RewriterBase &rewriter, Operation *root,
                              const RaiseOptions &options);

} // namespace mlir::top

#endif // TOP_CONVERSION_LINALGTOTOP_LINALGTOTOP_H
