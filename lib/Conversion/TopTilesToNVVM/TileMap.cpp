//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.tile_map: elementwise kernels. Where a thread's elements all exist, it
// reads and writes as wide as rows are aligned; at edges one element at a time.
// All that a thread reads is under way before it computes.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Target/GPUTarget.h"

using namespace mlir;
using namespace mlir::top;

/// Accesses to parts of a sum that a thread has under way before it adds; more
/// are a loop. Of 16 bytes each, 16 of them take 64 registers.
static constexpr int64_t maxPartAccesses = 16;

namespace {

/// The coordinates of what an elementwise op accesses.
enum Coordinate : unsigned { Part, Row, Col };

/// Writes what one thread does.
class MapWriter {
public:
  MapWriter(const IndexMath &math, TileMapOp op, const IRMapping &mapping,
            ScheduleAttr schedule, Value threadId);
  LogicalResult read();
  void write();

private:
  /// i1: all elements of the thread exist, or the first one does; null where
  /// that is known to hold.
  Value exists(bool all) const;
  Value isBelow(OpFoldResult row, OpFoldResult col) const;
  OpFoldResult getRow(int64_t piece) const {
    return math.add(row, math.constant(piece * rowStep));
  }
  OpFoldResult getCol(int64_t element) const {
    return math.add(col, math.constant(element));
  }
  OpFoldResult clamp(OpFoldResult position, OpFoldResult size) const {
    return math.min(position, math.sub(size, math.constant(1)));
  }
  void load(const TileAccess &access, OpFoldResult partNumber, bool whole,
            SmallVectorImpl<Value> &values) const;
  SmallVector<Value> sumParts(bool whole);
  void writeElements(bool whole);

  const IndexMath &math;
  OpBuilder &b;
  Location loc;
  TileMapOp op;
  const IRMapping &mapping;
  int64_t pieces, width; ///< rows, and columns side by side, of a thread
  int64_t rowStep;       ///< between its rows
  int64_t blockM, blockN;
  OpFoldResult row, col; ///< of its first element
  TileAccess dest;
  std::optional<TileAccess> parts;
  SmallVector<TileAccess> inputs;
};

} // namespace

MapWriter::MapWriter(const IndexMath &math, TileMapOp op,
                     const IRMapping &mapping, ScheduleAttr schedule,
                     Value threadId)
    : math(math), b(math.b), loc(math.loc), op(op), mapping(mapping),
      pieces(schedule.getThreadM()), width(schedule.getThreadN()),
      rowStep(schedule.getNumLanesM()), blockM(schedule.getBlockM()),
      blockN(schedule.getBlockN()) {
  OpFoldResult warp = math.div(threadId, kThreadsPerWarp);
  OpFoldResult lane = math.rem(threadId, kThreadsPerWarp);
  const int64_t warpsN = schedule.getNumWarpsN();
  const int64_t lanesN = schedule.getNumLanesN();
  // Where there is one warp along M, there is nothing to divide.
  OpFoldResult warpM =
      schedule.getNumWarpsM() == 1 ? math.constant(0) : math.div(warp, warpsN);
  OpFoldResult warpN =
      schedule.getNumWarpsM() == 1 ? warp : math.rem(warp, warpsN);
  row = math.add(math.mul(warpM, schedule.getWarpM()), math.div(lane, lanesN));
  col = math.add(math.mul(warpN, schedule.getWarpN()),
                 math.mul(math.rem(lane, lanesN), width));
}

LogicalResult MapWriter::read() {
  auto get = [&](Value memref, ArrayRef<AccessAxis> axes) {
    return TileAccess::get(math, op, memref, axes, Col, width, mapping);
  };
  FailureOr<TileAccess> access = get(op.getDest(), {Row, Col});
  if (failed(access))
    return failure();
  dest = *access;
  if (op.getParts()) {
    access = get(op.getParts(), {Part, Row, Col});
    if (failed(access))
      return failure();
    parts = *access;
  }
  if (op.getInputs().empty())
    return success();
  for (auto [input, map] :
       llvm::zip(op.getInputs(),
                 op.getIndexingMapsAttr().getAsValueRange<AffineMapAttr>())) {
    SmallVector<AccessAxis> axes = getAccessAxes(map);
    for (AccessAxis &axis : axes) // (row, column) are the map's
      if (axis)
        axis = *axis == 0 ? Row : Col;
    access = get(input, axes);
    if (failed(access))
      return failure();
    inputs.push_back(*access);
  }
  return success();
}

Value MapWriter::isBelow(OpFoldResult atRow, OpFoldResult atCol) const {
  Value inside;
  for (auto [position, size, tile] :
       {std::tuple(atRow, dest.view.sizes[0], blockM),
        std::tuple(atCol, dest.view.sizes[1], blockN)})
    if (!isConstantIntValue(size, tile))
      inside = createAnd(math, inside, math.less(position, size));
  return inside;
}

Value MapWriter::exists(bool all) const {
  return all ? isBelow(getRow(pieces - 1), getCol(width - 1))
             : isBelow(row, col);
}

/// Appends the thread's elements, piece by piece. Unless all exist (`whole`),
/// the last one that does is read in place of one that does not, which nobody
/// looks at: that costs no branch.
void MapWriter::load(const TileAccess &access, OpFoldResult partNumber,
                     bool whole, SmallVectorImpl<Value> &values) const {
  for (int64_t piece = 0; piece < pieces; ++piece) {
    OpFoldResult atRow = getRow(piece);
    if (whole || !access.hasRun()) {
      if (!whole)
        atRow = clamp(atRow, dest.view.sizes[0]);
      access.load(math, {partNumber, atRow, getCol(0)}, width, access.elements,
                  values);
      continue;
    }
    atRow = clamp(atRow, dest.view.sizes[0]);
    for (int64_t i = 0; i < width; ++i)
      access.load(math,
                  {partNumber, atRow, clamp(getCol(i), dest.view.sizes[1])}, 1,
                  1, values);
  }
}

/// The sums of the thread's elements over all parts, part 0 first.
SmallVector<Value> MapWriter::sumParts(bool whole) {
  const int64_t count = cast<ShapedType>(op.getParts().getType()).getDimSize(0);
  const int64_t accesses =
      pieces * (whole ? llvm::divideCeil(width, parts->elements) : width);
  const int64_t chunks =
      llvm::divideCeil(count, std::max<int64_t>(maxPartAccesses / accesses, 1));
  const int64_t chunk = llvm::divideCeil(count, chunks);
  const int64_t first = count - (chunks - 1) * chunk;
  // Adds `number` parts from `begin` on; without sums the first one is them.
  auto add = [&](OpFoldResult begin, int64_t number, ValueRange sums) {
    SmallVector<SmallVector<Value>> loaded(number);
    for (int64_t i = 0; i < number; ++i)
      load(*parts, math.add(begin, math.constant(i)), whole, loaded[i]);
    SmallVector<Value> result = llvm::to_vector(sums);
    for (ArrayRef<Value> values : loaded) {
      if (result.empty()) {
        result.assign(values.begin(), values.end());
        continue;
      }
      for (auto [sum, value] : llvm::zip(result, values))
        sum = isa<IntegerType>(value.getType())
                  ? arith::AddIOp::create(b, loc, sum, value).getResult()
                  : arith::AddFOp::create(b, loc, sum, value).getResult();
    }
    return result;
  };
  SmallVector<Value> sums = add(math.constant(0), first, ValueRange());
  if (chunks == 1)
    return sums;
  auto loop = scf::ForOp::create(b, loc, math.value(math.constant(first)),
                                 math.value(math.constant(count)),
                                 math.value(math.constant(chunk)), sums);
  // A step has as many accesses under way as there are registers for: unrolled,
  // the loop of 64 parts took all 255 and spilled (ptxas 13.0).
  auto unroll = LLVM::LoopUnrollAttr::get(
      b.getContext(), /*disable=*/b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(b.getContext(), {}, {}, {},
                                              unroll, {}, {}, {}, {}, {}, {},
                                              {}, {}, {}, {}, {}));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  sums = add(OpFoldResult(loop.getInductionVar()), chunk,
             loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, sums);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void MapWriter::writeElements(bool whole) {
  OpFoldResult none = math.constant(0);
  SmallVector<SmallVector<Value>> arguments; // by argument, then by element
  for (const TileAccess &input : inputs)
    load(input, none, whole, arguments.emplace_back());
  if (parts)
    arguments.insert(arguments.begin(), sumParts(whole));

  SmallVector<Value> results = computeElements(
      math, op.getBody().front(), pieces * width, arguments, mapping);

  const int64_t elements = whole ? dest.elements : 1;
  for (int64_t i = 0; i < pieces * width; i += elements) {
    OpFoldResult atRow = getRow(i / width), atCol = getCol(i % width);
    OpBuilder::InsertionGuard guard(b);
    if (!whole)
      if (Value inside = isBelow(atRow, atCol)) {
        auto branch = scf::IfOp::create(b, loc, inside);
        b.setInsertionPointToStart(branch.thenBlock());
      }
    dest.store(math, {math.constant(0), atRow, atCol},
               ArrayRef<Value>(results).slice(i, elements), elements);
  }
}

void MapWriter::write() {
  Value all = exists(/*all=*/true);
  if (!all)
    return writeElements(/*whole=*/true);
  auto branch = scf::IfOp::create(b, loc, all, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  writeElements(/*whole=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  if (Value any = exists(/*all=*/false)) {
    auto some = scf::IfOp::create(b, loc, any);
    b.setInsertionPointToStart(some.thenBlock());
  }
  writeElements(/*whole=*/false);
}

LogicalResult KernelBody::convertMap(TileMapOp op) {
  IndexMath math(b, op.getLoc());
  if (!isa<MemRefType>(op.getDest().getType()))
    return op.emitOpError("cannot be lowered: expected a memref; bufferize "
                          "first");
  if (schedule.getEngine() != Engine::simt)
    return op.emitOpError("cannot be lowered: expected a schedule of engine "
                          "'simt', got '")
           << stringifyEngine(schedule.getEngine()) << "'";
  auto dest = cast<MemRefType>(op.getDest().getType());
  const int64_t block[] = {schedule.getBlockM(), schedule.getBlockN()};
  for (auto [size, tile] : llvm::zip(dest.getShape(), block))
    if (!ShapedType::isDynamic(size) && size > tile)
      return op.emitOpError("cannot be lowered: expected 'dest' to be at most ")
             << block[0] << "x" << block[1] << ", the block's tile, got "
             << dest;
  MapWriter writer(math, op, mapping, schedule, threadId);
  if (failed(writer.read()))
    return failure();
  writer.write();
  return success();
}
