//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine `direct`, top.tile_conv: a thread computes its pixels one fused
// multiply-add an element. A row of the input is read once, by accesses as wide
// as its alignment allows, and serves every tap, every output channel and every
// row of pixels of the thread that needs it; a weight serves all its pixels.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Dialect/Top/IR/KnownDivisor.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::top;

/// Multiplications written out in one piece of code. A 7x7 kernel of 14 pixels
/// has 686; more than about twice that pass the instruction cache.
static constexpr int64_t kMaxUnrolledProducts = 1536;
/// The same for those of all input channels. In one piece of code the loads of
/// all channels come first, in registers that cost other warps their place.
static constexpr int64_t kMaxUnrolledOverChannels = 512;

namespace {

/// Writes the products of one top.tile_conv.
class ConvWriter {
public:
  ConvWriter(const IndexMath &math, TileConvOp op, const MemoryTile &input,
             const GlobalView &filter, ArrayRef<OpFoldResult> position,
             MutableArrayRef<Value> sums);

  void write();

private:
  /// A weight of the thread's output channel `i`; `tap` are constants or not.
  Value loadWeight(int64_t i, OpFoldResult channel, OpFoldResult kh,
                   OpFoldResult kw) const;
  /// The elements of input row `row` (from the thread's first on) of `channel`
  /// at each of `columns` (from the thread's first on), which ascend.
  std::map<int64_t, Value> loadRow(OpFoldResult channel, OpFoldResult row,
                                   ArrayRef<int64_t> columns) const;
  /// The same of row `first + row` of the whole tile, in shared memory.
  void readAligned(OpFoldResult first, OpFoldResult row,
                   ArrayRef<int64_t> columns,
                   std::map<int64_t, Value> &elements) const;
  void addChannel(OpFoldResult channel);
  void addAllTaps(OpFoldResult channel);
  void addTapRow(OpFoldResult channel, OpFoldResult kh);
  void addTap(OpFoldResult channel, OpFoldResult kh, OpFoldResult kw);
  void add(int64_t i, int64_t pixel, Value element, Value weight) {
    Value &sum = sums[i * pixels + pixel];
    sum = multiplyAdd(math, element, weight, sum);
  }
  /// A loop over [0, end) that carries the sums.
  void loop(OpFoldResult end, function_ref<void(OpFoldResult)> body);
  /// `number`, but at most `last`.
  OpFoldResult clamp(OpFoldResult number, int64_t last) const {
    return math.min(number, math.constant(last));
  }

  const IndexMath &math;
  TileConvOp op;
  const MemoryTile &input;
  const GlobalView &filter;
  MutableArrayRef<Value> sums;
  Type sumType;
  int64_t outputs, pixels, run, rows;
  int64_t kernelH, kernelW, strideH, strideW, dilationH, dilationW, span;
  OpFoldResult output;             ///< first channel of the filter
  OpFoldResult firstRow, firstCol; ///< of the input, for the first pixel
  int64_t colDivisor;              ///< divides firstCol
};

} // namespace

ConvWriter::ConvWriter(const IndexMath &math, TileConvOp op,
                       const MemoryTile &input, const GlobalView &filter,
                       ArrayRef<OpFoldResult> position,
                       MutableArrayRef<Value> sums)
    : math(math), op(op), input(input), filter(filter), sums(sums) {
  WindowAttr window = op.getWindow();
  TileType type = op.getType();
  sumType = type.getElementType();
  outputs = type.getRows();
  pixels = type.getCols();
  run = op.getRun();
  rows = pixels / run;
  kernelH = window.getKernel()[0];
  kernelW = window.getKernel()[1];
  strideH = window.getStrides()[0];
  strideW = window.getStrides()[1];
  dilationH = window.getDilations()[0];
  dilationW = window.getDilations()[1];
  span = window.getSpan(0);
  output = position[0];
  // Pixels behind the box read the last ones' input.
  const int64_t lastRow = window.getBox()[0] - rows;
  const int64_t lastCol = window.getBox()[1] - run;
  firstRow = math.mul(clamp(position[1], lastRow), strideH);
  firstCol = math.mul(clamp(position[2], lastCol), strideW);
  colDivisor =
      std::gcd(getKnownDivisor(op.getPosition()[2]), lastCol) * strideW;
}

Value ConvWriter::loadWeight(int64_t i, OpFoldResult channel, OpFoldResult kh,
                             OpFoldResult kw) const {
  // Channels that the filter does not have read the last one's.
  OpFoldResult f = math.min(math.add(output, math.constant(i)),
                            math.sub(filter.sizes[0], math.constant(1)));
  auto getAddress = [&](OpFoldResult row, OpFoldResult column) {
    SmallVector<OpFoldResult> indices = {f, row, column};
    if (filter.sizes.size() == 4)
      indices.insert(indices.begin() + 1, channel);
    return filter.getAddress(math, indices);
  };
  Value address;
  std::optional<int64_t> row = getConstantIntValue(kh),
                         column = getConstantIntValue(kw);
  if (row && column) {
    // What is constant comes last, where an instruction has room for it.
    ArrayRef<int64_t> strides = ArrayRef(filter.strides).take_back(2);
    address = getByteAddress(
        math, getAddress(math.constant(0), math.constant(0)),
        math.constant((*row * strides[0] + *column * strides[1]) *
                      getElementBytes(filter.elementType)));
  } else {
    address = getAddress(kh, kw);
  }
  Value weight = loadElement(math, filter.elementType, address);
  return extend(math, weight, sumType);
}

void ConvWriter::readAligned(OpFoldResult first, OpFoldResult row,
                             ArrayRef<int64_t> columns,
                             std::map<int64_t, Value> &elements) const {
  RingType ring = input.ring;
  const int64_t element = getElementBytes(ring.getElementType());
  // Columns that an access of `unit` elements may begin at are multiples of it:
  // in each such piece of the row one access reads what is needed.
  const std::optional<int64_t> shift = getConstantIntValue(input.col);
  int64_t unit = shift ? kWidestAccessBytes / element : 1;
  while (ring.getCols() % unit != 0 || colDivisor % unit != 0)
    unit /= 2;
  OpFoldResult col = shift ? firstCol : math.add(firstCol, input.col);
  const int64_t constantCol = shift.value_or(0);
  auto getAddress = [&](int64_t start) {
    if (ring.getSwizzle())
      return getByteAddress(math, input.slot,
                            getSlotOffset(math, ring, math.add(first, row),
                                          math.add(col, math.constant(start))));
    std::optional<int64_t> constantRow = getConstantIntValue(row);
    Value base = getByteAddress(
        math, input.slot,
        getSlotOffset(math, ring, constantRow ? first : math.add(first, row),
                      col));
    return getByteAddress(
        math, base,
        math.constant(constantRow.value_or(0) * ring.getRowBytes() +
                      start * element));
  };
  for (size_t next = 0; next < columns.size();) {
    const int64_t begin = columns[next] + constantCol;
    const int64_t piece = llvm::alignDown(begin, unit);
    size_t end = next;
    while (end < columns.size() && columns[end] + constantCol < piece + unit)
      ++end;
    const int64_t last = columns[end - 1] + constantCol;
    int64_t width = 1;
    while (static_cast<int64_t>(llvm::alignDown(begin, width)) + width <= last)
      width *= 2;
    const int64_t start = llvm::alignDown(begin, width);
    SmallVector<Value> values;
    loadVector(math, ring.getElementType(), getAddress(start), width, values);
    for (; next < end; ++next)
      elements[columns[next]] = values[columns[next] + constantCol - start];
  }
}

std::map<int64_t, Value> ConvWriter::loadRow(OpFoldResult channel,
                                             OpFoldResult row,
                                             ArrayRef<int64_t> columns) const {
  std::map<int64_t, Value> elements;
  OpFoldResult first = math.add(math.mul(channel, span), firstRow);
  if (input.isShared() && input.rowStep == 1 && input.colStep == 1) {
    readAligned(math.add(input.row, first), row, columns, elements);
  } else {
    for (int64_t column : columns)
      elements[column] = input.load(math, math.add(first, row),
                                    math.add(firstCol, math.constant(column)));
  }
  for (auto &[column, value] : elements)
    value = extend(math, value, sumType);
  return elements;
}

void ConvWriter::loop(OpFoldResult end, function_ref<void(OpFoldResult)> body) {
  OpBuilder &b = math.b;
  auto number = [&](int64_t value) { return math.value(math.constant(value)); };
  auto op = scf::ForOp::create(b, math.loc, number(0), math.value(end),
                               number(1), SmallVector<Value>(sums));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  llvm::copy(op.getRegionIterArgs(), sums.begin());
  body(OpFoldResult(op.getInductionVar()));
  scf::YieldOp::create(b, math.loc, SmallVector<Value>(sums));
  llvm::copy(op.getResults(), sums.begin());
}

/// Columns of a row that a run of pixels reads for every tap.
static SmallVector<int64_t> getColumns(int64_t run, int64_t stride,
                                       int64_t kernel, int64_t dilation) {
  SmallVector<int64_t> columns;
  for (int64_t j = 0; j < run; ++j)
    for (int64_t k = 0; k < kernel; ++k)
      columns.push_back(j * stride + k * dilation);
  llvm::sort(columns);
  columns.erase(llvm::unique(columns), columns.end());
  return columns;
}

void ConvWriter::addAllTaps(OpFoldResult channel) {
  // For each row of the input the pixels' rows that read it, and by which tap.
  std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>> uses;
  for (int64_t p = 0; p < rows; ++p)
    for (int64_t kh = 0; kh < kernelH; ++kh)
      uses[p * strideH + kh * dilationH].push_back({p, kh});
  const SmallVector<int64_t> columns =
      getColumns(run, strideW, kernelW, dilationW);
  std::map<std::array<int64_t, 3>, Value> weights;
  for (const auto &[row, taps] : uses) {
    std::map<int64_t, Value> elements =
        loadRow(channel, math.constant(row), columns);
    for (auto [p, kh] : taps)
      for (int64_t kw = 0; kw < kernelW; ++kw)
        for (int64_t i = 0; i < outputs; ++i) {
          Value &weight = weights[{i, kh, kw}];
          if (!weight)
            weight =
                loadWeight(i, channel, math.constant(kh), math.constant(kw));
          for (int64_t j = 0; j < run; ++j)
            add(i, p * run + j, elements[j * strideW + kw * dilationW], weight);
        }
  }
}

void ConvWriter::addTapRow(OpFoldResult channel, OpFoldResult kh) {
  const SmallVector<int64_t> columns =
      getColumns(run, strideW, kernelW, dilationW);
  for (int64_t p = 0; p < rows; ++p) {
    std::map<int64_t, Value> elements = loadRow(
        channel, math.add(math.mul(kh, dilationH), math.constant(p * strideH)),
        columns);
    for (int64_t kw = 0; kw < kernelW; ++kw)
      for (int64_t i = 0; i < outputs; ++i) {
        Value weight = loadWeight(i, channel, kh, math.constant(kw));
        for (int64_t j = 0; j < run; ++j)
          add(i, p * run + j, elements[j * strideW + kw * dilationW], weight);
      }
  }
}

void ConvWriter::addTap(OpFoldResult channel, OpFoldResult kh,
                        OpFoldResult kw) {
  SmallVector<Value> weights;
  for (int64_t i = 0; i < outputs; ++i)
    weights.push_back(loadWeight(i, channel, kh, kw));
  for (int64_t p = 0; p < rows; ++p)
    for (int64_t j = 0; j < run; ++j) {
      OpFoldResult row = math.add(
          math.add(math.mul(channel, span), firstRow),
          math.add(math.mul(kh, dilationH), math.constant(p * strideH)));
      OpFoldResult col = math.add(math.add(firstCol, math.mul(kw, dilationW)),
                                  math.constant(j * strideW));
      Value element = extend(math, input.load(math, row, col), sumType);
      for (int64_t i = 0; i < outputs; ++i)
        add(i, p * run + j, element, weights[i]);
    }
}

void ConvWriter::addChannel(OpFoldResult channel) {
  const int64_t products = outputs * pixels;
  if (products * kernelH * kernelW <= kMaxUnrolledProducts)
    return addAllTaps(channel);
  loop(math.constant(kernelH), [&](OpFoldResult kh) {
    if (products * kernelW <= kMaxUnrolledProducts)
      return addTapRow(channel, kh);
    loop(math.constant(kernelW),
         [&](OpFoldResult kw) { addTap(channel, kh, kw); });
  });
}

void ConvWriter::write() {
  OpFoldResult channels =
      filter.sizes.size() == 4 ? filter.sizes[1] : math.constant(1);
  std::optional<int64_t> count = getConstantIntValue(channels);
  const int64_t products = outputs * pixels * kernelH * kernelW;
  if (!count || (*count > 1 && products * *count > kMaxUnrolledOverChannels))
    return loop(channels, [&](OpFoldResult channel) { addChannel(channel); });
  for (int64_t channel = 0; channel < *count; ++channel)
    addChannel(math.constant(channel));
}

LogicalResult KernelBody::convertConv(TileConvOp op) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  if (op.getType().getLevel() != TileLevel::thread)
    return op.emitOpError("cannot be lowered: expected accumulators of a "
                          "thread, got ")
           << op.getType();
  auto acc = registerTiles.find(op.getAcc());
  if (acc == registerTiles.end() || acc->second.kind != RegisterTile::Sums)
    return op.emitOpError("cannot be lowered: expected accumulators");
  auto input = memoryTiles.find(op.getInput());
  if (input == memoryTiles.end())
    return op.emitOpError("cannot be lowered: expected an input that is "
                          "loaded, or viewed in a ring");
  if (!isa<MemRefType>(op.getFilter().getType()))
    return op.emitOpError("cannot be lowered: expected a memref; bufferize "
                          "first");
  FailureOr<GlobalView> filter = resolveView(math, op, op.getFilter(), mapping);
  if (failed(filter))
    return failure();
  SmallVector<Value> sums = acc->second.values;
  ConvWriter(math, op, input->second, *filter, getNumbers(op.getPosition()),
             sums)
      .write();
  registerTiles[op.getResult()].values = std::move(sums);
  return success();
}
