//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer ops to linalg, as patterns; the pass convert-top-to-linalg applies
// them and checks that no op of `top` is left.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_CONVERSION_TOPTOLINALG_TOPTOLINALG_H
#define TOP_CONVERSION_TOPTOLINALG_TOPTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::top {

/// Adds the patterns that lower `top.Conv2D` and `top.MatMul` to linalg on
/// tensors, in the forms that convert-top-to-linalg documents. They work under
/// the conversion driver and the greedy driver alike. A convolution whose
/// padded input would not be addressable with 64 bits does not match.
void populateTopToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::top

#endif // TOP_CONVERSION_TOPTOLINALG_TOPTOLINALG_H
