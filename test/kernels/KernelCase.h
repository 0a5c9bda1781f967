//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix product whose kernels are to be run on the simulated GPU, as a
// choice on each of the axes along which kernels differ, and a few of all these
// products that have every three choices together.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_KERNELS_KERNELCASE_H
#define TOP_TEST_KERNELS_KERNELCASE_H

#include "top/GPU/Compile/Compile.h"
#include <array>
#include <string>
#include <vector>

namespace top::kernels {

/// What kernels differ in. A choice is a number from 0, see getChoices.
enum class Axis : unsigned {
  Engine,     ///< with the types of operands and result
  Transposes, ///< of A and of B
  EdgeM,      ///< whole tiles, a tail, or less than a tile
  EdgeN,
  EdgeK,     ///< deeper than the ring or not, with a tail or without
  Alignment, ///< of tails and of slices
  Stages,
  Tile,  ///< block and warp (and thread) tiles
  Order, ///< of blocks
  Parts, ///< a batch, parts of K, or both
  Epilogue,
  Without, ///< the level that is left out
  Source,  ///< operands as arguments, slices of arguments, or repacked
};
inline constexpr unsigned numAxes = 13;

using Choices = std::array<unsigned, numAxes>;

/// Names of the choices on an axis.
llvm::ArrayRef<llvm::StringLiteral> getChoices(Axis axis);

/// Cases in which every `strength` choices on different axes (1 to 3) come
/// together at least once. The same for the same number.
std::vector<Choices> coverChoices(unsigned strength);

/// An argument of the function.
struct Argument {
  std::string type; ///< of an element
  llvm::SmallVector<int64_t> shape;
  /// The function takes a larger tensor and cuts this out of it, from `offsets`
  /// on; empty = it does not.
  llvm::SmallVector<int64_t> outerShape, offsets;
};

/// A case spelled out.
struct KernelCase {
  explicit KernelCase(const Choices &choices);

  unsigned get(Axis axis) const { return choices[static_cast<unsigned>(axis)]; }
  /// "engine=mma_sync-f16 transposes=nt ...", which parse reads.
  std::string getName() const;
  static std::optional<KernelCase> parse(llvm::StringRef name);

  /// The function @f with the schedule; and without schedule and slices.
  std::string getModuleText() const;
  std::string getReferenceText() const;
  std::string chip;
  /// Leaves out a level.
  void setOptions(mlir::top::CompileOptions &options) const;

  std::vector<Argument> arguments;
  /// Whether the result is one rounding of an exact value.
  bool isExact;

private:
  void setShapes();
  void addOperand(llvm::StringRef type, int64_t rows, int64_t cols,
                  bool isSliced);
  std::string getProductText(bool scheduled) const;

  Choices choices;
  std::string operandType, resultType, schedule;
  std::vector<std::string> steps;
  bool hasBias = false, allowTF32 = false;
  int64_t batch = 0; ///< 0 = none
  int64_t m, n, k;
  int64_t blockM, blockN, blockK;
};

} // namespace top::kernels

#endif // TOP_TEST_KERNELS_KERNELCASE_H
