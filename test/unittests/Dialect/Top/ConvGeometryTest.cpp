//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ConvGeometry: the worked examples of the documentation.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/Utils/ConvGeometry.h"

#include "gtest/gtest.h"

using namespace mlir::top;

namespace {

TEST(ConvGeometry, WorkedExample) {
  // H = 9, kh = 3, s = 2, pt = pb = 1: OH = 5; two rows a tile.
  AxisGeometry axis{9, 3, 2, 1, 1, 0};
  EXPECT_EQ(axis.outputExtent(), 4);
  EXPECT_EQ(axis.halo(), 1);
  InputWindow<int64_t> first = axis.window(0, 2), second = axis.window(2, 4);
  EXPECT_EQ(first.offset, 0);
  EXPECT_EQ(first.size, 4);
  EXPECT_EQ(first.padLow, 1);
  EXPECT_EQ(first.padHigh, 0);
  EXPECT_EQ(second.offset, 3);
  EXPECT_EQ(second.size, 5);
  EXPECT_EQ(second.padLow, 0);
  EXPECT_EQ(second.padHigh, 0);
}

} // namespace
