//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of 8 x 8 matrices of 16-bit elements by a warp.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

using namespace mlir::top::sim;

namespace {
struct MatrixDetails {
  unsigned matrices;
  bool isTransposed;
};

/// Matrices as they are in memory, by rows of 8 elements.
struct Matrices {
  uint16_t elements[4][8][8] = {};
};
} // namespace

/// Bytes of a row of a matrix.
static constexpr int64_t kRowBytes = 16;

static llvm::Expected<MatrixDetails> parseMatrix(const Site &site,
                                                 unsigned matrices) {
  llvm::Expected<bool> isTransposed =
      parseKeyword<bool>(site, "layout", {{"row", false}, {"col", true}});
  if (!isTransposed)
    return isTransposed.takeError();
  if (auto type = parseKeyword<bool>(site, "eltType", {{"b16", true}}, "b16");
      !type)
    return type.takeError();
  if (site.attributes.count("shape") && (getNumber(site, "shape", "m") != 8 ||
                                         getNumber(site, "shape", "n") != 8))
    return llvm::createStringError(
        llvm::formatv("expected 'shape' to be 'm = 8, n = 8', got '{0}'",
                      site.attributes.lookup("shape")));
  if (matrices != 1 && matrices != 2 && matrices != 4)
    return llvm::createStringError(
        llvm::formatv("expected 1, 2 or 4 matrices, got {0}", matrices));
  return MatrixDetails{matrices, *isTransposed};
}

static llvm::Expected<Details> prepareLoad(const Site &site) {
  unsigned matrices = 0;
  getKeyword(site, "num").getAsInteger(10, matrices);
  llvm::Expected<MatrixDetails> details = parseMatrix(site, matrices);
  if (!details)
    return details.takeError();
  std::string result = "i32";
  for (unsigned i = 1; i < matrices; ++i)
    result += ", i32";
  if (matrices > 1)
    result = "!llvm.struct<(" + result + ")>";
  if (llvm::Error error = checkTypes(site, {"!llvm.ptr<3>"}, result))
    return error;
  return std::make_shared<MatrixDetails>(*details);
}

static llvm::Expected<Details> prepareStore(const Site &site) {
  const unsigned matrices = std::max<size_t>(site.operandTypes.size(), 1) - 1;
  llvm::Expected<MatrixDetails> details = parseMatrix(site, matrices);
  if (!details)
    return details.takeError();
  llvm::SmallVector<llvm::StringRef> operands(matrices + 1, "i32");
  operands[0] = "!llvm.ptr<3>";
  if (llvm::Error error = checkTypes(site, operands, ""))
    return error;
  return std::make_shared<MatrixDetails>(*details);
}

/// A lane's register of a matrix holds two neighbours of row lane / 4, or,
/// where it is transposed, of column lane / 4 (PTX ISA, ldmatrix).
static uint16_t &getElement(Matrices &all, const MatrixDetails &details,
                            unsigned matrix, unsigned lane, unsigned part) {
  const unsigned outer = lane / 4, inner = 2 * (lane % 4) + part;
  return details.isTransposed ? all.elements[matrix][inner][outer]
                              : all.elements[matrix][outer][inner];
}

/// Lanes 8 i to 8 i + 7 give the addresses of the rows of matrix i; those of
/// other lanes are not looked at.
static void executeLoad(Execution &execution) {
  const auto &details = execution.getDetails<MatrixDetails>();
  if (!checkWholeWarp(execution))
    return;
  Matrices all;
  for (unsigned lane = 0; lane < 8 * details.matrices; ++lane)
    if (const void *row = execution.read(
            lane, execution.getOperand<uint64_t>(lane, 0), kRowBytes))
      std::memcpy(all.elements[lane / 8][lane % 8], row, kRowBytes);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < details.matrices; ++i)
      execution.setResult<uint32_t>(
          lane, i,
          getElement(all, details, i, lane, 0) |
              uint32_t(getElement(all, details, i, lane, 1)) << 16);
}

static void executeStore(Execution &execution) {
  const auto &details = execution.getDetails<MatrixDetails>();
  if (!checkWholeWarp(execution))
    return;
  Matrices all;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < details.matrices; ++i) {
      const auto word = execution.getOperand<uint32_t>(lane, 1 + i);
      getElement(all, details, i, lane, 0) = uint16_t(word);
      getElement(all, details, i, lane, 1) = word >> 16;
    }
  for (unsigned lane = 0; lane < 8 * details.matrices; ++lane)
    if (void *row = execution.write(
            lane, execution.getOperand<uint64_t>(lane, 0), kRowBytes))
      std::memcpy(row, all.elements[lane / 8][lane % 8], kRowBytes);
}

llvm::ArrayRef<Instruction> mlir::top::sim::getMatrixInstructions() {
  static const Instruction table[] = {
      {"nvvm.ldmatrix", Instruction::Warp, -1, executeLoad, prepareLoad},
      {"nvvm.stmatrix", Instruction::Warp, -1, executeStore, prepareStore},
  };
  return table;
}
