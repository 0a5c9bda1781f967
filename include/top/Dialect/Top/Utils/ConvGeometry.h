//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows which input a tile of a convolution's output reads.
// Each axis is alone: H and W use the same formulas with their own numbers.
// Knows no IR; tiling, the verifier, cost models and tests all call it.
//
// For output elements [o0, o1) of an axis with input extent H:
//
//   span = (o1 - 1 - o0)*stride + (kernel - 1)*dilation + 1   elements of the
//          padded input, the first of them at
//   raw  = o0*stride - padLow                                 input element
//   lo   = clamp(raw, 0, H)
//   hi   = clamp(raw + span, lo, H)
//   size = hi - lo          elements that exist, starting at lo
//   padLow'  = clamp(-raw, 0, span)
//   padHigh' = span - size - padLow'
//   offset   = min(lo, max(H - 1, 0)), since MLIR refuses a slice that starts
//              at H, even one of size 0
//
// size, padLow', padHigh' >= 0 always, and a convolution of `size` elements
// with these pads gives o1 - o0 outputs. Clamping `lo` and `hi` (and not only
// testing the ends) is what keeps a window that lies wholly in padding right:
// its size is 0 and the pads make up the whole span. The high pad is what is
// left of the span, never `end - H` of a clipped end.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_UTILS_CONVGEOMETRY_H
#define TOP_DIALECT_TOP_UTILS_CONVGEOMETRY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::top {

/// The input that a range of outputs reads along one axis.
template <typename Value>
struct InputWindow {
  Value offset;  ///< first existing input element; below the extent
  Value size;    ///< existing elements; 0 = the window lies in padding
  Value padLow;  ///< zeros in front of them
  Value padHigh; ///< zeros behind them
};

/// Integer arithmetic as the window formulas need it. Another policy builds
/// the same formulas as IR (see TilingUtils.h), so that they are
/// written down once.
struct IntArithmetic {
  using Value = int64_t;
  int64_t constant(int64_t c) { return c; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t sub(int64_t a, int64_t b) { return a - b; }
  int64_t mul(int64_t a, int64_t c) { return a * c; }
  int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
  int64_t max(int64_t a, int64_t b) { return a < b ? b : a; }
};

/// A run of tiles along one axis that `form=loop` treats alike.
struct TileRun {
  enum Kind {
    Fill,     ///< wholly in padding: one region, whatever its number of tiles
    Border,   ///< touches padding
    Interior, ///< reads existing input only
  };
  Kind kind;
  int64_t begin, end; ///< output elements [begin, end)
  int64_t tile;       ///< outputs in each tile; divides end - begin

  int64_t numTiles() const { return (end - begin) / tile; }
};

/// One spatial axis of a convolution.
struct AxisGeometry {
  int64_t extent;   ///< input elements, >= 0
  int64_t kernel;   ///< filter elements, >= 1
  int64_t stride;   ///< >= 1
  int64_t dilation; ///< >= 1
  int64_t padLow;   ///< top or left, >= 0
  int64_t padHigh;  ///< bottom or right, >= 0

  /// (kernel - 1)*dilation + 1; nullopt if that overflows 64 bits.
  std::optional<int64_t> kernelExtent() const;

  /// floor((extent + padLow + padHigh - kernelExtent) / stride) + 1, with
  /// floor division (truncation would accept windows that do not fit); may be
  /// below 1. nullopt on overflow.
  std::optional<int64_t> outputExtent() const;

  /// Input elements that neighbouring windows share:
  /// max(0, kernelExtent - stride).
  int64_t halo() const;

  /// The window of outputs [begin, end), 0 <= begin < end <= outputExtent().
  InputWindow<int64_t> window(int64_t begin, int64_t end) const;

  /// Cuts the outputs into tiles of `tile` (>= 1) and groups the tiles, in
  /// order, into fills, border tiles and one interior run; each border tile is
  /// a run of its own unless the neighbouring ones would exceed
  /// `maxBorderTiles` on that side, in which case they are one run. A last,
  /// smaller tile is a run of its own. The time taken does not depend on the
  /// number of tiles.
  llvm::SmallVector<TileRun> partition(int64_t tile,
                                       int64_t maxBorderTiles) const;

  /// Input elements that two neighbouring tiles of `runs` (as partition gives
  /// them) both read, summed over all neighbours. nullopt where a run of
  /// border tiles is too long to be counted one by one.
  std::optional<int64_t> elementsReadTwice(llvm::ArrayRef<TileRun> runs) const;
};

/// Elements of the padded input that `size` outputs (>= 1) read, `span` above.
template <typename Arithmetic>
typename Arithmetic::Value computeSpan(Arithmetic &a, const AxisGeometry &axis,
                                       typename Arithmetic::Value size) {
  const int64_t kernelExtent = (axis.kernel - 1) * axis.dilation + 1;
  // (size - 1)*stride + kernelExtent, with one constant term.
  return a.add(a.mul(size, axis.stride),
               a.constant(kernelExtent - axis.stride));
}

/// The window formulas for any arithmetic. `begin` and `size` (outputs, >= 1)
/// and `extent` are values of the policy; the rest of `axis` is constant, and
/// its `extent` is not read.
template <typename Arithmetic>
InputWindow<typename Arithmetic::Value> computeInputWindow(
    Arithmetic &a, const AxisGeometry &axis, typename Arithmetic::Value begin,
    typename Arithmetic::Value size, typename Arithmetic::Value extent) {
  using Value = typename Arithmetic::Value;
  Value zero = a.constant(0);
  Value raw = a.sub(a.mul(begin, axis.stride), a.constant(axis.padLow));
  Value span = computeSpan(a, axis, size);
  Value lo = a.min(a.max(raw, zero), extent);
  Value hi = a.min(a.max(a.add(raw, span), lo), extent);
  Value count = a.sub(hi, lo);
  Value padLow = a.min(a.max(a.sub(zero, raw), zero), span);
  Value padHigh = a.sub(a.sub(span, count), padLow);
  Value last = a.max(a.sub(extent, a.constant(1)), zero);
  return {a.min(a.max(raw, zero), last), count, padLow, padHigh};
}

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_UTILS_CONVGEOMETRY_H
