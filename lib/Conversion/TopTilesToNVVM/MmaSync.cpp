//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine `mma_sync`: products of a warp's tiles on the tensor cores.
//
// One instruction multiplies 16 x k by k x 8, where k is 32 bytes of operands.
// A lane's share of a fragment is whole 4-byte registers: with g = lane / 4 and
// t = lane % 4, the register of rows r and chunk c holds row r + g, bytes
// [16 c + 4 t, 16 c + 4 t + 4) along K. That is what ldmatrix gives from rows
// of 16 bytes along K and, transposed, 16-bit elements from rows along M or N.
// Of the accumulators a lane has (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t
// + 1). (PTX ISA, "Matrix Fragments for mma.m16n8k16" and "ldmatrix".)
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "PtxInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "top/Target/GPUTarget.h"

using namespace mlir;
using namespace mlir::top;

/// Along K, of one row of ldmatrix.
static constexpr int64_t kChunkBytes = 16;
static constexpr int64_t kRegisterBytes = 4;

namespace {

/// An operand of a warp's product as `rows` x K: rows are those of A, or the
/// columns of B.
class WarpOperand {
public:
  WarpOperand(const IndexMath &math, const MemoryTile &tile, bool isLhs,
              bool isKContiguous, OpFoldResult lane)
      : math(math), tile(tile), isLhs(isLhs), isKContiguous(isKContiguous),
        lane(lane), elementBytes(getElementBytes(tile.type.getElementType())) {}

  /// Registers of the fragments of `count` times 8 rows from `row` on, K from
  /// `k` on: two for each 8 rows. For A first both groups of rows of the first
  /// chunk, as the instruction wants them; for B group by group.
  SmallVector<Value> load(int64_t row, int64_t count, int64_t k) const;

private:
  bool canUseLdmatrix() const;
  SmallVector<Value> loadMatrices(int64_t row, int64_t count, int64_t k) const;
  Value loadRegister(int64_t row, int64_t k) const;
  /// Which 8 rows and which chunk of K the register `index` belongs to.
  std::pair<int64_t, int64_t> getPart(int64_t index, int64_t count) const {
    const bool rowsFirst = isLhs && count == 2;
    return rowsFirst ? std::pair(index % 2, index / 2)
                     : std::pair(index / 2, index % 2);
  }

  const IndexMath &math;
  const MemoryTile &tile;
  bool isLhs, isKContiguous;
  OpFoldResult lane;
  int64_t elementBytes;
};

} // namespace

bool WarpOperand::canUseLdmatrix() const {
  return tile.isShared() && tile.rowStep == 1 && tile.colStep == 1 &&
         tile.ring.getRowBytes() % kChunkBytes == 0 &&
         tile.rowDivisor % 8 == 0 &&
         tile.colDivisor * elementBytes % kChunkBytes == 0 &&
         (isKContiguous || elementBytes == 2);
}

SmallVector<Value> WarpOperand::load(int64_t row, int64_t count,
                                     int64_t k) const {
  SmallVector<Value> registers;
  if (canUseLdmatrix()) {
    registers = loadMatrices(row, count, k);
  } else {
    for (int64_t i = 0; i < 2 * count; ++i) {
      auto [group, chunk] = getPart(i, count);
      registers.push_back(loadRegister(row + 8 * group,
                                       k + chunk * kChunkBytes / elementBytes));
    }
  }
  return registers;
}

/// Lanes 8 i to 8 i + 7 give the addresses of the rows of matrix i.
SmallVector<Value> WarpOperand::loadMatrices(int64_t row, int64_t count,
                                             int64_t k) const {
  OpBuilder &b = math.b;
  const int64_t matrices = 2 * count;
  // Where the lane's matrix lies, in groups of 8 rows and in chunks: bits 3 and
  // 4 of the lane.
  OpFoldResult low = math.rem(math.div(lane, 8), 2);
  OpFoldResult high = math.rem(math.div(lane, 16), 2);
  const bool rowsFirst = getPart(1, count).first == 1;
  OpFoldResult group = rowsFirst ? low : high, chunk = rowsFirst ? high : low;
  if (count == 1)
    group = math.constant(0);
  OpFoldResult inMatrix = math.rem(lane, 8);
  // Rows of a matrix are rows in memory: of the operand, or else of K.
  OpFoldResult memoryRow = isKContiguous ? group : chunk;
  OpFoldResult memoryChunk = isKContiguous ? chunk : group;
  memoryRow = math.add(math.mul(memoryRow, 8), inMatrix);
  const int64_t rowShift = isKContiguous ? row : k;
  const int64_t chunkShift =
      (isKContiguous ? k : row) * elementBytes / kChunkBytes;
  Value address =
      getChunkAddress(math, tile, memoryRow, rowShift, memoryChunk, chunkShift);

  Type i32 = b.getI32Type();
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(matrices, i32));
  Value loaded = NVVM::LdMatrixOp::create(
      b, math.loc, type, address, static_cast<uint32_t>(matrices),
      isKContiguous ? NVVM::MMALayout::row : NVVM::MMALayout::col,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < matrices; ++i)
    registers.push_back(LLVM::ExtractValueOp::create(b, math.loc, loaded, i));
  return registers;
}

/// Element by element, from wherever the tile is.
Value WarpOperand::loadRegister(int64_t row, int64_t k) const {
  OpBuilder &b = math.b;
  const int64_t elements = kRegisterBytes / elementBytes;
  Type elementType = getStorageType(tile.type.getElementType());
  OpFoldResult r = math.add(math.div(lane, 4), math.constant(row));
  OpFoldResult first = math.mul(math.rem(lane, 4), elements);
  SmallVector<Value> values;
  for (int64_t i = 0; i < elements; ++i) {
    OpFoldResult c = math.add(first, math.constant(k + i));
    Value value = isKContiguous ? tile.load(math, r, c) : tile.load(math, c, r);
    values.push_back(bitcast(math, elementType, value));
  }
  if (elements == 1)
    return LLVM::BitcastOp::create(b, math.loc, b.getI32Type(), values[0]);
  Value packed = LLVM::UndefOp::create(
      b, math.loc, VectorType::get({elements}, elementType));
  for (auto [i, value] : llvm::enumerate(values))
    packed = LLVM::InsertElementOp::create(
        b, math.loc, packed, value,
        LLVM::ConstantOp::create(b, math.loc, b.getI32Type(), i));
  return LLVM::BitcastOp::create(b, math.loc, b.getI32Type(), packed);
}

namespace {

/// What the instruction is told of its operands.
struct MmaTypes {
  /// nullopt for 8-bit floats, which nvvm.mma.sync does not take.
  std::optional<NVVM::MMATypes> operand;
  Type registerType; ///< of operands
};

} // namespace

static std::optional<MmaTypes> getMmaTypes(OpBuilder &b, TileMmaOp op) {
  Type type = op.getLhs().getType().getElementType();
  if (type.isF16())
    return MmaTypes{NVVM::MMATypes::f16, VectorType::get({2}, b.getF16Type())};
  if (type.isBF16())
    return MmaTypes{NVVM::MMATypes::bf16, b.getI32Type()};
  if (type.isF32() && op.getAllowTf32())
    return MmaTypes{NVVM::MMATypes::tf32, b.getI32Type()};
  if (type.isInteger(8))
    return MmaTypes{NVVM::MMATypes::s8, b.getI32Type()};
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return MmaTypes{std::nullopt, b.getI32Type()};
  return std::nullopt;
}

/// To nearest; the instruction itself would cut the lowest bits off.
static Value roundToTF32(OpBuilder &b, Location loc, Value bits) {
  Value number = LLVM::BitcastOp::create(b, loc, b.getF32Type(), bits);
  return NVVM::ConvertFloatToTF32Op::create(
      b, loc, b.getI32Type(), number, NVVM::FPRoundingMode::RNA,
      NVVM::SaturationMode::NONE, /*relu=*/false);
}

FailureOr<int64_t> KernelBody::getNumWarpAccumulators(Operation *op,
                                                      TileType type) const {
  if (type.getRows() % kMmaRows == 0 && type.getCols() % kMmaCols == 0)
    return type.getRows() * type.getCols() / kThreadsPerWarp;
  return op->emitOpError("cannot be lowered: expected the tile of a warp to be "
                         "a multiple of ")
         << kMmaRows << " x " << kMmaCols << ", got " << type;
}

/// Fails with an error at `op` unless the tile of an operand is K deep in whole
/// instructions and has whole rows of them. Returns the elements of a step.
static FailureOr<int64_t> getStep(Operation *op, TileType type, bool isRhs,
                                  bool transposed) {
  const bool isKRows = isRhs != transposed;
  const int64_t depth = isKRows ? type.getRows() : type.getCols();
  const int64_t extent = isKRows ? type.getCols() : type.getRows();
  const int64_t step = kMmaStepBytes / getElementBytes(type.getElementType());
  const int64_t unit = isRhs ? kMmaCols : kMmaRows;
  if (step == 0 || depth % step != 0 || extent % unit != 0)
    return op->emitOpError("cannot be lowered: expected the ")
           << (isRhs ? "right" : "left") << " operand of a warp to have "
           << kMmaStepBytes << " bytes, or a multiple, along K and a multiple "
           << "of " << unit << " along " << (isRhs ? "N" : "M") << ", got "
           << type;
  return step;
}

/// Step by step along K, and group by group of 16 rows, or of 16 columns.
FailureOr<SmallVector<Value>> KernelBody::getFragment(Operation *op,
                                                      Value value, bool isRhs,
                                                      bool transposed) const {
  auto type = cast<TileType>(value.getType());
  FailureOr<int64_t> step = getStep(op, type, isRhs, transposed);
  if (failed(step))
    return failure();
  if (auto found = registerTiles.find(value); found != registerTiles.end()) {
    const RegisterTile &tile = found->second;
    if (tile.kind != (isRhs ? RegisterTile::Rhs : RegisterTile::Lhs) ||
        tile.transposed != transposed)
      return op->emitOpError("cannot be lowered: expected a fragment of the ")
             << (isRhs ? "right" : "left") << " operand, "
             << (transposed ? "transposed" : "not transposed");
    return tile.values;
  }
  auto found = memoryTiles.find(value);
  if (found == memoryTiles.end())
    return op->emitOpError("cannot be lowered: expected operands that are "
                           "loaded, viewed in a ring, or fragments");
  IndexMath math(b, op->getLoc());
  const bool isKRows = isRhs != transposed;
  const int64_t depth = isKRows ? type.getRows() : type.getCols();
  const int64_t extent = isKRows ? type.getCols() : type.getRows();
  WarpOperand operand(math, found->second, !isRhs, !isKRows,
                      math.rem(threadId, kThreadsPerWarp));
  SmallVector<Value> registers;
  for (int64_t k = 0; k < depth; k += *step)
    for (int64_t row = 0; row < extent; row += 16)
      llvm::append_range(
          registers,
          operand.load(row, std::min<int64_t>(2, (extent - row) / 8), k));
  return registers;
}

LogicalResult KernelBody::convertFragment(TileFragmentOp op) {
  FailureOr<SmallVector<Value>> registers =
      getFragment(op, op.getSource(), op.getRhs(), op.getTransposed());
  if (failed(registers))
    return failure();
  RegisterTile &tile = registerTiles[op.getResult()];
  tile.values = std::move(*registers);
  tile.kind = op.getRhs() ? RegisterTile::Rhs : RegisterTile::Lhs;
  tile.transposed = op.getTransposed();
  return success();
}

FailureOr<SmallVector<Value>> KernelBody::multiplyWarpTile(TileMmaOp op) const {
  Location loc = op.getLoc();
  std::optional<MmaTypes> types = getMmaTypes(b, op);
  TileType lhsType = op.getLhs().getType();
  if (!types)
    return op.emitOpError("cannot be lowered: engine 'mma_sync' multiplies "
                          "f16, bf16, i8, f8E4M3FN, f8E5M2, and f32 with "
                          "'allow_tf32', got ")
           << lhsType.getElementType();
  FailureOr<int64_t> stepK =
      getStep(op, lhsType, /*isRhs=*/false, op.getTransposeA());
  if (failed(stepK))
    return failure();
  FailureOr<SmallVector<Value>> lhs =
      getFragment(op, op.getLhs(), /*isRhs=*/false, op.getTransposeA());
  FailureOr<SmallVector<Value>> rhs =
      getFragment(op, op.getRhs(), /*isRhs=*/true, op.getTransposeB());
  if (failed(lhs) || failed(rhs))
    return failure();

  auto toOperand = [&](SmallVector<Value> &registers) {
    for (Value &value : registers) {
      if (op.getAllowTf32())
        value = roundToTF32(b, loc, value);
      if (value.getType() != types->registerType)
        value = LLVM::BitcastOp::create(b, loc, types->registerType, value);
    }
  };
  toOperand(*lhs);
  toOperand(*rhs);
  IndexMath math(b, loc);
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (types->operand == NVVM::MMATypes::s8)
    overflow = NVVM::MMAIntOverflow::wrapped;
  Type resultType = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, op.getType().getElementType()));
  SmallVector<Value> sums = registerTiles.lookup(op.getAcc()).values;
  const int64_t rows = op.getType().getRows() / kMmaRows;
  const int64_t cols = op.getType().getCols() / kMmaCols;
  const int64_t depth =
      op.getTransposeA() ? lhsType.getRows() : lhsType.getCols();
  for (int64_t k = 0; k < depth / *stepK; ++k)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < cols; ++j) {
        auto left = ValueRange(*lhs).slice((k * rows + i) * 4, 4);
        auto right = ValueRange(*rhs).slice((k * cols + j) * 2, 2);
        MutableArrayRef<Value> sum =
            MutableArrayRef<Value>(sums).slice((i * cols + j) * 4, 4);
        Value result =
            types->operand
                ? NVVM::MmaOp::create(
                      b, loc, resultType, left, right, sum,
                      ArrayRef<int64_t>{kMmaRows, kMmaCols, *stepK},
                      std::nullopt, overflow,
                      std::array{*types->operand, *types->operand},
                      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col})
                      .getResult()
                : createMmaF8(math, lhsType.getElementType(), left, right, sum);
        for (int64_t r = 0; r < 4; ++r)
          sum[r] = LLVM::ExtractValueOp::create(b, loc, result, r);
      }
  return sums;
}
