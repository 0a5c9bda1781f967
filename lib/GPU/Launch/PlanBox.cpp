//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two boxes of a buffer have a byte in common: tiles of one tensor have
// none although the ranges from their first byte to their last interleave.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Launch/LaunchPlan.h"

using namespace mlir;
using namespace mlir::top;

/// Rows that are compared one by one, at most, before boxes are taken to
/// overlap. Boxes of one tensor need none.
static constexpr int64_t maxComparedRows = 4096;

namespace {

/// A box with its dimensions from the largest stride to the smallest, without
/// those of one element; elements without a gap between them are one of
/// `bytes`.
struct SortedBox {
  struct Dim {
    int64_t extent, stride;
  };
  int64_t offset, bytes;
  SmallVector<Dim> dims;

  explicit SortedBox(const PlanBox &box);
  /// From the first byte to behind the last.
  int64_t getSpan() const {
    int64_t span = bytes;
    for (const Dim &dim : dims)
      span += (dim.extent - 1) * dim.stride;
    return span;
  }
  int64_t getEnd() const { return offset + getSpan(); }
  int64_t getLargestStride() const {
    return dims.empty() ? 0 : dims.front().stride;
  }
  /// Row `row` along the outermost dimension.
  SortedBox getRow(int64_t row) const {
    SortedBox result = *this;
    result.offset += row * dims.front().stride;
    result.dims.erase(result.dims.begin());
    return result;
  }
};

} // namespace

SortedBox::SortedBox(const PlanBox &box)
    : offset(box.offset), bytes(box.elementBytes) {
  for (auto [extent, stride] : llvm::zip(box.shape, box.strides))
    if (extent != 1 && stride != 0)
      dims.push_back({extent, stride});
  llvm::sort(dims, [](const Dim &lhs, const Dim &rhs) {
    return lhs.stride > rhs.stride;
  });
  while (!dims.empty() && dims.back().stride <= bytes) {
    bytes += (dims.back().extent - 1) * dims.back().stride;
    dims.pop_back();
  }
}

static bool overlap(const SortedBox &lhs, const SortedBox &rhs,
                    int64_t &budget) {
  if (lhs.getEnd() <= rhs.offset || rhs.getEnd() <= lhs.offset)
    return false;
  if (lhs.dims.empty() && rhs.dims.empty())
    return true;

  // Where neither box goes on from one row of the larger stride to the next,
  // they overlap if they do in a row that both have.
  const int64_t stride =
      std::max(lhs.getLargestStride(), rhs.getLargestStride());
  struct Rows {
    int64_t first, last;
    SortedBox inRow;
  };
  auto getRows = [&](const SortedBox &box) -> std::optional<Rows> {
    Rows rows{box.offset / stride, box.offset / stride, box};
    if (box.getLargestStride() == stride) {
      rows.last += box.dims.front().extent - 1;
      rows.inRow = box.getRow(0);
    }
    rows.inRow.offset = box.offset % stride;
    if (rows.inRow.getEnd() > stride)
      return std::nullopt;
    return rows;
  };
  std::optional<Rows> l = getRows(lhs), r = getRows(rhs);
  if (l && r)
    return l->first <= r->last && r->first <= l->last &&
           overlap(l->inRow, r->inRow, budget);

  // Else row by row of the one with the larger stride, those that may.
  const bool isLeft = lhs.getLargestStride() == stride;
  const SortedBox &outer = isLeft ? lhs : rhs, &other = isLeft ? rhs : lhs;
  const int64_t span = outer.getRow(0).getSpan();
  const int64_t before = other.offset - outer.offset - span;
  const int64_t first = before < 0 ? 0 : before / stride;
  const int64_t last = std::min(outer.dims.front().extent - 1,
                                (other.getEnd() - outer.offset) / stride);
  for (int64_t row = first; row <= last; ++row)
    if (--budget < 0 || overlap(outer.getRow(row), other, budget))
      return true;
  return false;
}

bool PlanBox::overlaps(const PlanBox &other) const {
  if (buffer != other.buffer || isEmpty() || other.isEmpty())
    return false;
  // No order is known of what goes backwards.
  auto isNegative = [](int64_t stride) { return stride < 0; };
  if (llvm::any_of(strides, isNegative) ||
      llvm::any_of(other.strides, isNegative))
    return true;
  int64_t budget = maxComparedRows;
  return overlap(SortedBox(*this), SortedBox(other), budget);
}
