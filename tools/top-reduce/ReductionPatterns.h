//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What top-reduce can do to tensor code beyond erasing ops without uses, which
// is all that the reducer does by itself.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TOOLS_TOP_REDUCE_REDUCTIONPATTERNS_H
#define TOP_TOOLS_TOP_REDUCE_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::top {

/// Attaches the patterns to the `top` dialect.
void registerReductionPatterns(DialectRegistry &registry);

} // namespace mlir::top

#endif // TOP_TOOLS_TOP_REDUCE_REDUCTIONPATTERNS_H
