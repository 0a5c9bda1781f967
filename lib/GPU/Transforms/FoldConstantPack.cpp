//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs of constants, done once at compile time: bytes change places, whatever
// their type means.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "top/GPU/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// Along one dimension of the result: how far one step goes in the source.
struct PackedDim {
  int64_t extent;
  unsigned sourceDim;
  int64_t sourceStep; ///< in elements of that dimension
};

} // namespace

/// Copies elements of `bytes` each in the result's order; what lies outside the
/// source is `padding`.
static void copyElements(ArrayRef<PackedDim> dims, ArrayRef<int64_t> shape,
                         const char *source, ArrayRef<char> padding,
                         size_t bytes, std::vector<char> &result) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  SmallVector<int64_t> position(dims.size(), 0), inSource(shape.size(), 0);
  for (size_t at = 0; at < result.size(); at += bytes) {
    int64_t offset = 0;
    bool isInside = true;
    for (auto [index, extent, stride] : llvm::zip(inSource, shape, strides)) {
      isInside &= index < extent;
      offset += index * stride;
    }
    const char *element = isInside ? source + offset * bytes : padding.data();
    std::copy_n(element, bytes, result.data() + at);
    for (size_t dim = dims.size(); dim-- > 0;) {
      int64_t &index = inSource[dims[dim].sourceDim];
      index += dims[dim].sourceStep;
      if (++position[dim] < dims[dim].extent)
        break;
      index -= dims[dim].sourceStep * dims[dim].extent;
      position[dim] = 0;
    }
  }
}

LogicalResult top::foldConstantPack(RewriterBase &rewriter, linalg::PackOp op) {
  // In front of what reads the pack, wherever the caller is.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  DenseElementsAttr values;
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto dest = cast<RankedTensorType>(op.getDest().getType());
  Type element = source.getElementType();
  if (!matchPattern(op.getSource(), m_Constant(&values)) ||
      !source.hasStaticShape() || !dest.hasStaticShape() ||
      !op.getInnerTiles().empty() || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0)
    return failure();
  Attribute padding = rewriter.getZeroAttr(element); // nothing is padded
  if (Value value = op.getPaddingValue();
      value && !matchPattern(value, m_Constant(&padding)))
    return failure();
  // As bytes, in the order in which memory has them.
  auto padded =
      DenseElementsAttr::get(RankedTensorType::get({}, element), padding);
  if (values.isSplat() &&
      (!op.getPaddingValue() || values.getRawData() == padded.getRawData())) {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   values.resizeSplat(dest));
    return success();
  }

  const unsigned rank = source.getRank();
  SmallVector<int64_t> tiles(rank, 1);
  for (auto [dim, tile] :
       llvm::zip(op.getInnerDimsPos(), op.getStaticInnerTiles()))
    tiles[dim] = tile;
  SmallVector<PackedDim> dims;
  ArrayRef<int64_t> perm = op.getOuterDimsPerm();
  for (unsigned i = 0; i < rank; ++i) {
    const unsigned dim = perm.empty() ? i : perm[i];
    dims.push_back({dest.getDimSize(i), dim, tiles[dim]});
  }
  for (auto [i, dim] : llvm::enumerate(op.getInnerDimsPos()))
    dims.push_back({dest.getDimSize(rank + i), static_cast<unsigned>(dim), 1});

  const size_t bytes = element.getIntOrFloatBitWidth() / 8;
  std::vector<char> all, result(dest.getNumElements() * bytes);
  ArrayRef<char> raw = values.getRawData();
  if (values.isSplat()) {
    for (int64_t i = 0; i < source.getNumElements(); ++i)
      all.insert(all.end(), raw.begin(), raw.end());
    raw = all;
  }
  copyElements(dims, source.getShape(), raw.data(), padded.getRawData(), bytes,
               result);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, DenseElementsAttr::getFromRawBuffer(dest, result));
  return success();
}
