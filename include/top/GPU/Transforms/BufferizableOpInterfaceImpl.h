//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the tile ops that have tensor operands bufferize.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define TOP_GPU_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace top {

/// Adds BufferizableOpInterface to top.tile_load, top.tile_map and
/// top.tile_store.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace top
} // namespace mlir

#endif // TOP_GPU_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
