//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How `#top.layout` comes to check the types that it stands in.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_DIALECT_TOP_IR_LAYOUTENCODING_H
#define TOP_LIB_DIALECT_TOP_IR_LAYOUTENCODING_H

namespace mlir {
class MLIRContext;
}

namespace mlir::top {

/// Lets tensor types be refused whose shape the layout does not fit. The
/// dialect's attributes are registered.
void attachLayoutEncoding(MLIRContext *context);

} // namespace mlir::top

#endif // TOP_LIB_DIALECT_TOP_IR_LAYOUTENCODING_H
