//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of a tile are: addresses in global and in shared memory.
// Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEMEMORY_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEMEMORY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "top/Dialect/Top/IR/TopTiles.h"

namespace mlir::top {

/// NVPTX address spaces (LLVM NVPTX usage guide).
constexpr unsigned globalAddressSpace = 1, sharedAddressSpace = 3;

/// Index arithmetic in a kernel; folds what is constant.
class IndexMath {
public:
  IndexMath(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  OpFoldResult constant(int64_t value) const { return b.getIndexAttr(value); }
  OpFoldResult add(OpFoldResult lhs, OpFoldResult rhs) const;
  OpFoldResult sub(OpFoldResult lhs, OpFoldResult rhs) const;
  OpFoldResult mul(OpFoldResult lhs, int64_t rhs) const;
  /// Of numbers that are not negative.
  OpFoldResult div(OpFoldResult lhs, int64_t rhs) const;
  OpFoldResult rem(OpFoldResult lhs, int64_t rhs) const;
  OpFoldResult bitXor(OpFoldResult lhs, OpFoldResult rhs) const;
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs) const;
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs) const;
  /// i1: lhs < rhs; null where that is known to hold.
  Value less(OpFoldResult lhs, OpFoldResult rhs) const;
  Value value(OpFoldResult number) const;

  OpBuilder &b;
  Location loc;
};

/// A strided view of a kernel argument. Strides are in elements.
struct GlobalView {
  Value base; ///< !llvm.ptr<1>
  OpFoldResult offset;
  SmallVector<int64_t> strides;
  SmallVector<OpFoldResult> sizes;
  Type elementType;

  /// The address of an element.
  Value getAddress(const IndexMath &math,
                   ArrayRef<OpFoldResult> position) const;
};

/// A box of elements of a buffer as a tile: what `dims` of top.tile_load and
/// top.tile_copy says. It begins at `position`, which may be negative, in a
/// view of as many dimensions as `dims` has coordinates.
struct GlobalBox {
  GlobalView view;
  TileDimsAttr dims;
  SmallVector<OpFoldResult> position;

  /// Where element (row, col) of the tile is in the view.
  SmallVector<OpFoldResult> getIndices(const IndexMath &math, OpFoldResult row,
                                       OpFoldResult col) const;
  /// i1: element (row, col) of a tile of `rows` x `cols`, which is at
  /// `indices`, is in the box and exists in the view.
  Value exists(const IndexMath &math, OpFoldResult row, OpFoldResult col,
               int64_t rows, int64_t cols,
               ArrayRef<OpFoldResult> indices) const;
  /// Its element, or 0.
  Value load(const IndexMath &math, OpFoldResult row, OpFoldResult col,
             int64_t rows, int64_t cols) const;
};

/// The type that elements of `type` have in memory: LLVM has no floats of 8
/// bits, whose bits are an i8.
Type getStorageType(Type type);

/// The bits of `value` as another type of the same width.
Value bitcast(const IndexMath &math, Type type, Value value);

/// The element of `type` at `address`.
Value loadElement(const IndexMath &math, Type type, Value address);

/// Resolves `memref`, an argument of the kernel in `mapping` or subviews of
/// one, to the argument and where the view lies in it. Fails with an error at
/// `user` where strides are dynamic.
FailureOr<GlobalView> resolveView(const IndexMath &math, Operation *user,
                                  Value memref, const IRMapping &mapping);

struct WindowSource;

/// An operand of a product: a tile in global or in shared memory, or a part of
/// one.
struct MemoryTile {
  TileType type;                  ///< of the whole, to which bounds belong
  std::optional<GlobalView> view; ///< in global memory
  /// In global memory, as the implicit matrix of a convolution; then no view.
  std::shared_ptr<const WindowSource> window;
  RingType ring;                ///< in shared memory
  Value slot;                   ///< !llvm.ptr<3>, the slot's first byte
  std::optional<GlobalBox> box; ///< instead of `view`, of a tile with `dims`
  OpFoldResult row, col;        ///< of element (0, 0) of the part
  int64_t rowStep = 1, colStep = 1;
  /// Known to divide `row` and `col`; 0 for 0.
  int64_t rowDivisor = 0, colDivisor = 0;

  bool isShared() const { return slot != nullptr; }

  /// Element (i, j) of the part; zero outside the source.
  Value load(const IndexMath &math, OpFoldResult i, OpFoldResult j) const;
};

/// Bytes from the start of a slot of `ring` to element (row, col). With
/// `swizzle` the formula of !top.ring.
OpFoldResult getSlotOffset(const IndexMath &math, RingType ring,
                           OpFoldResult row, OpFoldResult col);

/// The address of the 16-byte chunk number `chunk + chunkShift` of row `row +
/// rowShift` of a part of a tile in shared memory, with 0 <= row < 16 and 0 <=
/// chunk < 2. The part begins at a multiple of 8 rows and of a chunk; rowShift
/// is a multiple of 8 and chunkShift one of 2 (or 1 if chunk is 0).
/// What no loop changes is kept apart from the slot's address, and what is
/// constant comes last, where an instruction has room for it.
Value getChunkAddress(const IndexMath &math, const MemoryTile &tile,
                      OpFoldResult row, int64_t rowShift, OpFoldResult chunk,
                      int64_t chunkShift);

/// Appends `count` elements that lie side by side from `address` on, by one
/// access; `address` is a multiple of its bytes.
void loadVector(const IndexMath &math, Type elementType, Value address,
                int64_t count, SmallVectorImpl<Value> &values);
/// The reverse.
void storeVector(const IndexMath &math, ArrayRef<Value> values, Value address);

/// `base` plus `bytes`.
Value getByteAddress(const IndexMath &math, Value base, OpFoldResult bytes);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEMEMORY_H
