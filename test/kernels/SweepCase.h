//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer whose kernels are to be run on the simulated GPU, spelled out, and
// the choices on axes along which kernels differ that such layers are made
// from.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_KERNELS_SWEEPCASE_H
#define TOP_TEST_KERNELS_SWEEPCASE_H

#include "top/GPU/Compile/Compile.h"
#include <optional>
#include <string>
#include <vector>

namespace top::kernels {

/// What kernels can differ in, and the ways in which they do.
struct AxisInfo {
  llvm::StringLiteral name;
  llvm::ArrayRef<llvm::StringLiteral> choices;
};

/// A choice on each axis, as a number from 0.
using Choices = std::vector<unsigned>;

/// "engine=mma_sync-f16 transposes=nt ...", and back: choices that the text
/// leaves out are 0; nullopt where a word is none of these.
std::string nameChoices(llvm::ArrayRef<AxisInfo> axes, const Choices &choices);
std::optional<Choices> parseChoices(llvm::ArrayRef<AxisInfo> axes,
                                    llvm::StringRef name);

/// Choices in which every `strength` (1 to 3) on different axes come together
/// at least once. The same for the same axes and number.
std::vector<Choices> coverChoices(llvm::ArrayRef<AxisInfo> axes,
                                  unsigned strength);

/// An argument of the function.
struct Argument {
  std::string type; ///< of an element
  llvm::SmallVector<int64_t> shape;
  /// The function takes a larger tensor and cuts this out of it, from `offsets`
  /// on; empty = it does not.
  llvm::SmallVector<int64_t> outerShape, offsets;
};

/// "tensor<2x3xf16>", with `encoding` where that is not empty.
std::string getTypeText(llvm::StringRef type, llvm::ArrayRef<int64_t> shape,
                        llvm::StringRef encoding = "");
/// Of an element; the types of operands.
int64_t getBytes(llvm::StringRef type);

/// Levels that can be left out, as the choices on an axis.
llvm::ArrayRef<llvm::StringLiteral> getWithouts();

struct SweepCase {
  std::string name;
  std::string about; ///< of a random case, its choices
  /// The function @f with the schedule; and without schedule and slices.
  std::string module, reference;
  std::string chip;
  std::string tile;     ///< options of top-tile, run first; empty = do not
  unsigned without = 0; ///< of getWithouts()
  std::vector<Argument> arguments;
  /// Whether the result is one rounding of an exact value.
  bool isExact = true;

  void setOptions(mlir::top::CompileOptions &options) const;
};

} // namespace top::kernels

#endif // TOP_TEST_KERNELS_SWEEPCASE_H
