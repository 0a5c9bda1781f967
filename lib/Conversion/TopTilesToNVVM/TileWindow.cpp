//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TileWindow.h.
//
//===----------------------------------------------------------------------===//

#include "TileWindow.h"
#include "TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

static Value toInt32(const IndexMath &math, OpFoldResult number) {
  return arith::IndexCastOp::create(math.b, math.loc, math.b.getI32Type(),
                                    math.value(number));
}

/// i1: 0 <= position < extent. In 32 bits, which hold every position that a tap
/// of a window can have, one unsigned comparison.
static Value isInside(const IndexMath &math, Value position,
                      OpFoldResult extent) {
  return arith::CmpIOp::create(math.b, math.loc, arith::CmpIPredicate::ult,
                               position, toInt32(math, extent));
}

WindowSource::Place WindowSource::getPlace(const IndexMath &math,
                                           OpFoldResult pixel,
                                           OpFoldResult depth) const {
  const bool isLast = window.isChannelsLast();
  const int64_t boxW = window.getBox()[1], boxPixels = window.getNumPixels();
  const int64_t kernelW = window.getKernel()[1], taps = window.getNumTaps();
  const unsigned dimC = window.getChannelDim();
  const unsigned dimH = window.getImageDim(0), dimW = window.getImageDim(1);
  const int64_t channels = *getConstantIntValue(images.sizes[dimC]);
  const int64_t elementBytes = getElementBytes(images.elementType);

  // Of the pixel: its image, and where its first tap is.
  OpFoldResult image = math.div(pixel, boxPixels);
  OpFoldResult inBox = math.rem(pixel, boxPixels);
  OpFoldResult y =
      math.add(h0, math.mul(math.div(inBox, boxW), window.getStrides()[0]));
  OpFoldResult x =
      math.add(w0, math.mul(math.rem(inBox, boxW), window.getStrides()[1]));
  OpFoldResult first = math.add(math.mul(image, images.strides[0]),
                                math.add(math.mul(y, images.strides[dimH]),
                                         math.mul(x, images.strides[dimW])));

  // Of the depth: its channel and its tap. A step that lies within one tap has
  // that of its first element, which all threads share.
  OpFoldResult channel, tap;
  if (isLast && channels % tileDepth == 0) {
    tap = math.div(k0, channels);
    channel = math.rem(k0, channels);
    first = math.add(first, depth);
  } else {
    OpFoldResult k = math.add(k0, depth);
    tap = isLast ? math.div(k, channels) : math.rem(k, taps);
    channel = isLast ? math.rem(k, channels) : math.div(k, taps);
  }
  OpFoldResult dy = math.mul(math.div(tap, kernelW), window.getDilations()[0]);
  OpFoldResult dx = math.mul(math.rem(tap, kernelW), window.getDilations()[1]);
  OpFoldResult step = math.add(math.mul(channel, images.strides[dimC]),
                               math.add(math.mul(dy, images.strides[dimH]),
                                        math.mul(dx, images.strides[dimW])));

  Place place;
  Value start =
      getByteAddress(math, images.base, math.mul(images.offset, elementBytes));
  start = getByteAddress(math, start, math.mul(first, elementBytes));
  place.address = getByteAddress(math, start, math.mul(step, elementBytes));

  auto require = [&](Value condition) {
    place.exists = createAnd(math, place.exists, condition);
  };
  // The pixel's own conditions come first, and are hoisted.
  if (!isConstantIntValue(images.sizes[0],
                          llvm::divideCeil(numPixels, boxPixels)))
    if (Value less = math.less(image, images.sizes[0]))
      require(less);
  if (isLast)
    require(math.less(tap, math.constant(taps)));
  else
    require(math.less(channel, math.constant(channels)));
  auto requireInside = [&](OpFoldResult start, OpFoldResult shift,
                           unsigned dim) {
    Value position = toInt32(math, start);
    if (!isZeroInteger(shift))
      position = arith::AddIOp::create(math.b, math.loc, position,
                                       toInt32(math, shift));
    require(isInside(math, position, images.sizes[dim]));
  };
  requireInside(y, dy, dimH);
  requireInside(x, dx, dimW);
  return place;
}
