//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas of ConvGeometry.h; the derivation stands there.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/Utils/ConvGeometry.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <algorithm>
#include <cassert>

namespace mlir::top {

std::optional<int64_t> AxisGeometry::kernelExtent() const {
  return llvm::checkedMulAdd<int64_t>(kernel - 1, dilation, 1);
}

std::optional<int64_t> AxisGeometry::outputExtent() const {
  std::optional<int64_t> window = kernelExtent();
  std::optional<int64_t> padded = llvm::checkedAdd<int64_t>(padLow, padHigh);
  if (padded)
    padded = llvm::checkedAdd<int64_t>(*padded, extent);
  // The window formulas add one span (at most `padded` plus a stride) to a
  // coordinate, so the sum must be representable too.
  if (!window || !padded || !llvm::checkedAdd<int64_t>(*padded, *window) ||
      !llvm::checkedAdd<int64_t>(*padded, stride))
    return std::nullopt;
  int64_t last = *padded - *window;
  // C++ division truncates: -1 / 2 + 1 would be 1 where no window fits.
  int64_t quotient = last / stride - (last % stride < 0 ? 1 : 0);
  return quotient + 1;
}

int64_t AxisGeometry::halo() const {
  return std::max<int64_t>(0, kernelExtent().value_or(0) - stride);
}

InputWindow<int64_t> AxisGeometry::window(int64_t begin, int64_t end) const {
  assert(0 <= begin && begin < end && "expected a range of outputs");
  IntArithmetic a;
  return computeInputWindow(a, *this, begin, end - begin, extent);
}

/// The smallest i in [first, last) for which `holds`, or `last`; `holds` must
/// be monotone (once true, true for all that follow).
static int64_t firstWhere(int64_t first, int64_t last,
                          llvm::function_ref<bool(int64_t)> holds) {
  while (first < last) {
    int64_t middle = first + (last - first) / 2;
    if (holds(middle))
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

llvm::SmallVector<TileRun> AxisGeometry::partition(int64_t tile,
                                                   int64_t maxBorder) const {
  std::optional<int64_t> checked = outputExtent();
  assert(checked && *checked >= 1 && tile >= 1 && "expected a verified axis");
  const int64_t outputs = *checked;
  tile = std::min(tile, outputs);
  const int64_t tiles = (outputs - 1) / tile + 1;
  const bool lastIsSmaller = outputs % tile != 0;
  auto endOf = [&](int64_t i) {
    return i + 1 == tiles ? outputs : (i + 1) * tile;
  };
  auto windowOf = [&](int64_t i) { return window(i * tile, endOf(i)); };

  if (extent == 0)
    return {{TileRun::Fill, 0, outputs, outputs}};

  // The classes follow one another: raw and raw + span grow with the tile's
  // index, so each boundary is found by bisection. (The span of a smaller last
  // tile is shorter, but its end still lies behind its predecessor's.)
  const int64_t fillEnd = firstWhere(0, tiles, [&](int64_t i) {
    return (endOf(i) - 1) * stride - padLow + *kernelExtent() > 0;
  });
  const int64_t tailFill = firstWhere(fillEnd, tiles, [&](int64_t i) {
    return i * tile * stride - padLow >= extent;
  });
  const int64_t interior = firstWhere(fillEnd, tailFill, [&](int64_t i) {
    return i * tile * stride - padLow >= 0;
  });
  const int64_t tailBorder = firstWhere(
      interior, tailFill, [&](int64_t i) { return windowOf(i).padHigh > 0; });

  llvm::SmallVector<TileRun> runs;
  // Appends tiles [first, last) as one run, the smaller last tile apart.
  auto appendRun = [&](TileRun::Kind kind, int64_t first, int64_t last) {
    if (first == last)
      return;
    if (kind == TileRun::Fill) {
      int64_t begin = first * tile, end = endOf(last - 1);
      runs.push_back({kind, begin, end, end - begin});
      return;
    }
    const bool splitLast = lastIsSmaller && last == tiles;
    const int64_t whole = splitLast ? last - 1 : last;
    if (first < whole)
      runs.push_back({kind, first * tile, whole * tile, tile});
    if (splitLast)
      runs.push_back({kind, whole * tile, outputs, outputs - whole * tile});
  };
  auto appendBorder = [&](int64_t first, int64_t last) {
    if (last - first > maxBorder)
      return appendRun(TileRun::Border, first, last);
    for (int64_t i = first; i < last; ++i)
      appendRun(TileRun::Border, i, i + 1);
  };
  appendRun(TileRun::Fill, 0, fillEnd);
  appendBorder(fillEnd, interior);
  appendRun(TileRun::Interior, interior, tailBorder);
  appendBorder(tailBorder, tailFill);
  appendRun(TileRun::Fill, tailFill, tiles);
  return runs;
}

std::optional<int64_t>
AxisGeometry::elementsReadTwice(llvm::ArrayRef<TileRun> runs) const {
  constexpr int64_t maxCounted = 4096;
  int64_t shared = 0;
  int64_t previousEnd = 0; // first element behind the previous window
  for (const TileRun &run : runs) {
    if (run.kind == TileRun::Fill)
      continue;
    if (run.kind != TileRun::Interior && run.numTiles() > maxCounted)
      return std::nullopt;
    for (int64_t begin = run.begin; begin < run.end; begin += run.tile) {
      InputWindow<int64_t> w = window(begin, begin + run.tile);
      if (w.size > 0)
        shared += std::max<int64_t>(0, previousEnd - w.offset);
      previousEnd = w.offset + w.size;
      if (run.kind == TileRun::Interior) {
        // Neighbours inside the run share the halo; go on behind the last.
        shared += (run.numTiles() - 1) * halo();
        w = window(run.end - run.tile, run.end);
        previousEnd = w.offset + w.size;
        break;
      }
    }
  }
  return shared;
}

} // namespace mlir::top
