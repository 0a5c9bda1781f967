//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tile of a tiled function computes an element of its result.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_TILEMAP_H
#define TOP_EXECUTION_TILEMAP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::top {

/// A tile of the result.
struct Tile {
  SmallVector<int64_t> begin, end; ///< elements [begin, end) of the result
  /// Zeros round the input window of the convolution that computes the tile:
  /// top, left, bottom, right, a `tensor.pad` of its input included. Empty for
  /// a product or a tile that is a fill.
  SmallVector<int64_t> pads;

  /// `tile [0:1,0:8,4:8,0:16] pads [0,1,1,1]`.
  std::string str() const;
};

/// The innermost tile of result number `result` of `func` that writes the
/// element at `coordinates`; the whole result where it is not tiled. Follows
/// chains of `tensor.insert_slice`, nests of `scf.for` and `scf.forall` whose
/// bounds and offsets can be computed from constants and the extents of the
/// arguments, `tensor.cast` and `tensor.extract_slice`; stops at the first
/// other op. `func` is on tensors, with one block; `argumentShapes` are the
/// extents at run time, and so is `resultShape`.
Tile findTile(func::FuncOp func, unsigned result, ArrayRef<int64_t> coordinates,
              ArrayRef<int64_t> resultShape,
              ArrayRef<SmallVector<int64_t>> argumentShapes);

/// Products (multiply-adds) of all `top` ops of the function, counting the
/// iterations of loops around them; nullopt where a shape or a bound is not
/// known.
std::optional<double>
countProducts(func::FuncOp func, ArrayRef<SmallVector<int64_t>> argumentShapes);

} // namespace mlir::top

#endif // TOP_EXECUTION_TILEMAP_H
