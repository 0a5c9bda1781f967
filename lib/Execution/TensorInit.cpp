//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deterministic fills; see TensorInit.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/TensorInit.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::top;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint64_t top::randomBits(uint64_t seed, uint64_t stream, uint64_t index) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ull;
  // Two rounds decorrelate neighbouring seeds and streams.
  uint64_t state = mix(mix(seed + kGolden) + stream * kGolden);
  return mix(state + (index + 1) * kGolden);
}

std::optional<Fill> Fill::parse(StringRef text) {
  if (text.consume_front("const:")) {
    double value;
    if (text.empty() || text.getAsDouble(value))
      return std::nullopt;
    return Fill{Const, value};
  }
  return llvm::StringSwitch<std::optional<Fill>>(text)
      .Case("int", Fill{Int, 0})
      .Case("normal", Fill{Normal, 0})
      .Case("eighths", Fill{Eighths, 0})
      .Case("ones", Fill{Ones, 0})
      .Default(std::nullopt);
}

bool Fill::isInteger() const {
  if (kind == Const)
    return std::nearbyint(value) == value && std::fabs(value) <= 64;
  return kind == Int || kind == Ones;
}

std::string Fill::str() const {
  switch (kind) {
  case Int:
    return "int";
  case Normal:
    return "normal";
  case Eighths:
    return "eighths";
  case Ones:
    return "ones";
  case Const:
    return llvm::formatv("const:{0}", value).str();
  }
  llvm_unreachable("all fills are handled");
}

/// A number in [0, count) from 32 random bits; count is far below 2^32, so
/// that its bias does not matter.
static int64_t below(uint64_t bits, int64_t count) {
  return static_cast<int64_t>((bits >> 32) * count >> 32);
}

static double valueAt(const Fill &fill, uint64_t seed, uint64_t stream,
                      int64_t index) {
  switch (fill.kind) {
  case Fill::Int:
    return below(randomBits(seed, stream, index), 9) - 4;
  case Fill::Eighths:
    return (below(randomBits(seed, stream, index), 33) - 16) / 8.0;
  case Fill::Normal: {
    int64_t sum = 0;
    for (int word = 0; word < 3; ++word)
      for (uint64_t bits = randomBits(seed, stream, 3 * index + word); bits;
           bits >>= 16)
        sum += bits & 0xffff;
    // Twelve numbers of mean 65535/2.
    return static_cast<double>(sum - 6 * 65535) / 65536;
  }
  case Fill::Ones:
    return 1;
  case Fill::Const:
    return fill.value;
  }
  llvm_unreachable("all fills are handled");
}

void top::fillTensor(Tensor &tensor, const Fill &fill, uint64_t seed,
                     uint64_t stream) {
  const bool isByte = tensor.getKind() == ElementKind::I8;
  const bool isSigned = isByte || getFormat(tensor.getKind()).isFloat;
  double scale = 1;
  if (isByte)
    scale = fill.kind == Fill::Eighths ? 8 : fill.kind == Fill::Normal ? 16 : 1;
  const int64_t size = tensor.getNumElements();
  // An element depends on its number alone.
  constexpr int64_t kChunk = 1 << 16;
  auto fillChunk = [&](size_t chunk) {
    const int64_t begin = chunk * kChunk;
    for (int64_t i = begin, e = std::min(begin + kChunk, size); i < e; ++i) {
      double value = scale * valueAt(fill, seed, stream, i);
      tensor.set(i, isSigned ? value : std::fabs(value));
    }
  };
  // Small tensors are not worth the threads.
  if (size <= kChunk)
    fillChunk(0);
  else
    llvm::parallelFor(0, llvm::divideCeil(size, kChunk), fillChunk);
}

void top::fillIdentity(Tensor &tensor) {
  const int64_t rank = tensor.getRank();
  assert(rank >= 2 && "an identity needs rows and columns");
  const int64_t columns = tensor.getShape()[rank - 1];
  const int64_t rows = tensor.getShape()[rank - 2];
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.set(i, i % columns == i / columns % rows);
}

void top::fillArange(Tensor &tensor) {
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.set(i, i);
}

/// Which elements of one axis the windows read.
static SmallVector<bool> readElements(int64_t extent, int64_t kernel,
                                      int64_t stride, int64_t dilation,
                                      int64_t padLow, int64_t padHigh) {
  SmallVector<bool> read(extent, false);
  for (int64_t first = -padLow;
       first + (kernel - 1) * dilation < extent + padHigh; first += stride)
    for (int64_t k = 0; k < kernel; ++k)
      if (int64_t tap = first + k * dilation; tap >= 0 && tap < extent)
        read[tap] = true;
  return read;
}

void top::poisonUnread(Tensor &input, const Conv2DAttrs &attrs, int64_t kernelH,
                       int64_t kernelW) {
  assert(input.getRank() == 4 && "the input of a convolution is NCHW");
  const int64_t height = input.getShape()[2], width = input.getShape()[3];
  SmallVector<bool> rows =
      readElements(height, kernelH, attrs.strides[0], attrs.dilations[0],
                   attrs.pads[0], attrs.pads[2]);
  SmallVector<bool> columns =
      readElements(width, kernelW, attrs.strides[1], attrs.dilations[1],
                   attrs.pads[1], attrs.pads[3]);
  for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
    if (!rows[i / width % height] || !columns[i % width])
      input.set(i, std::numeric_limits<double>::quiet_NaN());
}
