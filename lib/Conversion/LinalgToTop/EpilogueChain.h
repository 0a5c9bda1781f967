//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elementwise ops behind a layer op, taken into its epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_EPILOGUECHAIN_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_EPILOGUECHAIN_H

#include "mlir/IR/PatternMatch.h"
#include "top/Conversion/LinalgToTop/LinalgToTop.h"

namespace mlir::top::raise {

/// What happened behind one layer op.
struct EpilogueResult {
  Operation *layer;      ///< the op that replaced it
  unsigned absorbed = 0; ///< elementwise ops that are now in its epilogue
  /// Why an op that uses its result is not; empty where none does.
  std::string reason;
};

/// Takes as many of the elementwise ops behind `layer`, a top.Conv2D or
/// top.MatMul, into its epilogue as possible, also past transposes and reshapes
/// of its result, which then follow the new op. A value that something else
/// uses too stays as it is.
EpilogueResult growEpilogue(RewriterBase &rewriter, Operation *layer,
                            const RaiseOptions &options);

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_EPILOGUECHAIN_H
