//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that an embedding compiler or a tool registers, in one place.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_INITALL_H
#define TOP_INITALL_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::top {

/// The `top` dialect.
void registerAllTopDialects(DialectRegistry &registry);

/// What attaches to dialects when they load: interface models and
/// transform-dialect ops.
void registerAllTopExtensions(DialectRegistry &registry);

/// Every pass of the project, under its command-line name.
void registerAllTopPasses();

/// Every named pipeline of the project.
void registerAllTopPipelines();

} // namespace mlir::top

#endif // TOP_INITALL_H
