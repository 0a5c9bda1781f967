//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.tile_store of the accumulators of a warp. A lane has two columns side by
// side of many rows; what it stores should be 16 bytes side by side, and
// neighbouring lanes should store neighbouring bytes. So the sums pass through
// shared memory, 16 rows of a warp at a time, and the epilogue is computed by
// the lane that stores.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Target/GPUTarget.h"
#include "top/Target/SumStage.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// Writes what one lane does.
class FragmentStore {
public:
  FragmentStore(const IndexMath &math, TileStoreOp op, ScheduleAttr schedule,
                const IRMapping &mapping, Value threadId)
      : math(math), b(math.b), op(op), schedule(schedule), mapping(mapping),
        type(op.getTile().getType()), lane(math.rem(threadId, kThreadsPerWarp)),
        warp(math.div(threadId, kThreadsPerWarp)),
        layout(type.getCols(), /*width=*/1) {}

  LogicalResult read();
  /// Bytes that 16 rows of a warp's tile need.
  int64_t getBandBytes() const { return layout.getBytes(); }
  int64_t getNumBands() const { return type.getRows() / kMmaRows; }
  /// `stage` is the first byte for all warps, of which each has room for
  /// `bandsAtOnce` times 16 rows.
  void write(ArrayRef<Value> sums, Value stage, int64_t bandsAtOnce);

private:
  void writeStage(ArrayRef<Value> sums, int64_t band, Value stage);
  void storeRun(Value run, OpFoldResult row, OpFoldResult col);
  void storeBand(int64_t band, Value stage);
  Value getRunAddress(Value stage, int64_t first);
  Value getSumAddress(Value stage, OpFoldResult sums) const {
    return getByteAddress(math, stage, math.mul(sums, kSumBytes));
  }
  OpFoldResult getOffset(unsigned axis) {
    if (op.getOffsets().empty())
      return math.constant(0);
    return mapping.lookupOrDefault(op.getOffsets()[axis]);
  }

  const IndexMath &math;
  OpBuilder &b;
  TileStoreOp op;
  ScheduleAttr schedule;
  const IRMapping &mapping;
  TileType type;
  OpFoldResult lane, warp;
  SumStage layout;
  int64_t width = 1; ///< columns that a lane stores at once
  StoreAccesses accesses;
};

} // namespace

LogicalResult FragmentStore::read() {
  FailureOr<StoreAccesses> found =
      StoreAccesses::get(math, op, schedule.getBlockM(), schedule.getBlockN(),
                         /*width=*/type.getCols(), mapping);
  if (failed(found))
    return failure();
  accesses = std::move(*found);
  width = accesses.getWidth();
  layout = SumStage(type.getCols(), width);
  return success();
}

/// The sums of 16 rows of the warp.
void FragmentStore::writeStage(ArrayRef<Value> sums, int64_t band,
                               Value stage) {
  const int64_t tilesN = type.getCols() / kMmaCols;
  OpFoldResult row = math.div(lane, 4), pair = math.rem(lane, 4);
  // From the first 4 columns of a tile to the others it is as far in each.
  OpFoldResult start =
      math.add(math.mul(row, layout.rowSums),
               math.mul(math.div(row, layout.groupRows), layout.groupGap));
  start = math.add(start, math.mul(math.div(pair, 2), layout.getColOffset(4)));
  start = math.add(start, math.mul(math.rem(pair, 2), 2));
  Value address = getSumAddress(stage, start);
  for (int64_t tile = 0; tile < tilesN; ++tile)
    for (int64_t half = 0; half < 2; ++half)
      storeVector(
          math, sums.slice((band * tilesN + tile) * 4 + half * 2, 2),
          getSumAddress(address,
                        math.constant(half * layout.getBytes() / kSumBytes / 2 +
                                      layout.getColOffset(tile * kMmaCols))));
}

/// `width` columns side by side: through the epilogue to where they belong.
/// `run` is the address of the first, (row, col) its place in the warp's tile.
void FragmentStore::storeRun(Value run, OpFoldResult row, OpFoldResult col) {
  row = math.add(getOffset(0), row);
  col = math.add(getOffset(1), col);
  SmallVector<OpFoldResult> coordinates =
      accesses.getCoordinates(math, row, col);
  Value inside = accesses.isInside(math, coordinates);
  Type sumType = type.getElementType();
  SmallVector<SmallVector<Value>> arguments(1); // by argument, then by element
  for (int64_t piece = 0; piece < layout.pieces; ++piece)
    loadVector(math, sumType,
               getSumAddress(run, math.constant(layout.getPieceOffset(piece))),
               layout.pieceSums, arguments.front());
  // A run that does not exist reads the inputs of the last one that does, and
  // stores nothing: only the store depends on it.
  SmallVector<OpFoldResult> read = coordinates;
  if (inside)
    read = accesses.clamp(math, coordinates);
  for (const TileAccess &input : accesses.inputs)
    input.load(math, read, width, input.elements, arguments.emplace_back());
  SmallVector<Value> results =
      computeElements(math, op.getBody().front(), width, arguments, mapping);
  OpBuilder::InsertionGuard guard(b);
  if (inside) {
    auto branch = scf::IfOp::create(b, math.loc, inside);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  accesses.dest.store(math, coordinates, results, width);
}

/// Of the lane's run behind the first `first` ones of a band.
Value FragmentStore::getRunAddress(Value stage, int64_t first) {
  OpFoldResult start = math.mul(lane, layout.pieceSums), group;
  int64_t shift = first * layout.pieceSums;
  if (first % layout.groupRuns == 0) {
    group = math.div(lane, layout.groupRuns);
    shift += first / layout.groupRuns * layout.groupGap;
  } else {
    group = math.div(math.add(lane, math.constant(first)), layout.groupRuns);
  }
  start = math.add(start, math.mul(group, layout.groupGap));
  return getSumAddress(getSumAddress(stage, start), math.constant(shift));
}

/// Neighbouring lanes store neighbouring runs, row by row.
void FragmentStore::storeBand(int64_t band, Value stage) {
  const int64_t perRow = type.getCols() / width;
  const int64_t runs = kMmaRows * perRow;
  OpFoldResult bandRow = math.constant(band * kMmaRows);
  for (int64_t first = 0; first < runs; first += kThreadsPerWarp) {
    OpFoldResult number = math.add(lane, math.constant(first));
    OpFoldResult row, inRow;
    if (kThreadsPerWarp % perRow == 0) {
      // What differs from run to run is constant.
      row = math.add(math.div(lane, perRow), math.constant(first / perRow));
      inRow = math.rem(lane, perRow);
    } else {
      row = math.div(number, perRow);
      inRow = math.rem(number, perRow);
    }
    OpBuilder::InsertionGuard guard(b);
    if (first + kThreadsPerWarp > runs)
      if (Value exists = math.less(lane, math.constant(runs - first))) {
        auto branch = scf::IfOp::create(b, math.loc, exists);
        b.setInsertionPointToStart(branch.thenBlock());
      }
    storeRun(getRunAddress(stage, first), math.add(bandRow, row),
             math.mul(inRow, width));
  }
}

void FragmentStore::write(ArrayRef<Value> sums, Value stage,
                          int64_t bandsAtOnce) {
  stage =
      getByteAddress(math, stage, math.mul(warp, bandsAtOnce * getBandBytes()));
  Value lanes = LLVM::ConstantOp::create(b, math.loc, b.getI32Type(),
                                         b.getI32IntegerAttr(-1));
  auto sync = [&] { NVVM::SyncWarpOp::create(b, math.loc, lanes); };
  auto getBandStage = [&](int64_t band) {
    return getByteAddress(math, stage,
                          math.constant(band % bandsAtOnce * getBandBytes()));
  };
  for (int64_t first = 0; first < getNumBands(); first += bandsAtOnce) {
    const int64_t end = std::min(first + bandsAtOnce, getNumBands());
    if (first > 0)
      sync();
    for (int64_t band = first; band < end; ++band)
      writeStage(sums, band, getBandStage(band));
    sync();
    for (int64_t band = first; band < end; ++band)
      storeBand(band, getBandStage(band));
  }
}

LogicalResult KernelBody::storeWarpTile(TileStoreOp op, ArrayRef<Value> sums) {
  TileType type = op.getTile().getType();
  if (getElementBytes(type.getElementType()) != kSumBytes)
    return op.emitOpError("cannot be lowered: expected a warp's sums to be f32 "
                          "or i32, got ")
           << type;
  IndexMath math(b, op.getLoc());
  FragmentStore store(math, op, schedule, mapping, threadId);
  if (failed(store.read()))
    return failure();
  // The rings are not needed any longer once all warps have read them: what is
  // copied has been waited for.
  if (ringBytes > 0)
    NVVM::Barrier0Op::create(b, op.getLoc());
  // As much at once as the rings have room for.
  const int64_t bandBytes = store.getBandBytes() * schedule.getNumWarps();
  const int64_t bandsAtOnce =
      std::clamp<int64_t>(ringBytes / bandBytes, 1, store.getNumBands());
  stageBytes = std::max(stageBytes, bandsAtOnce * bandBytes);
  store.write(sums, sharedMemory, bandsAtOnce);
  return success();
}
