//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SweepCase.h.
//
//===----------------------------------------------------------------------===//

#include "SweepCase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace top::kernels;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr StringLiteral withouts[] = {
    "nothing", "promote-shared", "multi-buffer",
    "swizzle", "tile-to-warps",  "prefetch-fragments"};

llvm::ArrayRef<StringLiteral> top::kernels::getWithouts() { return withouts; }

std::string top::kernels::nameChoices(llvm::ArrayRef<AxisInfo> axes,
                                      const Choices &choices) {
  std::string name;
  for (auto [axis, choice] : llvm::zip_equal(axes, choices))
    name += (name.empty() ? "" : " ") + axis.name.str() + "=" +
            axis.choices[choice].str();
  return name;
}

std::optional<Choices> top::kernels::parseChoices(llvm::ArrayRef<AxisInfo> axes,
                                                  StringRef name) {
  Choices choices(axes.size());
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(name, words);
  for (StringRef word : words) {
    auto [key, value] = word.split('=');
    const AxisInfo *axis = llvm::find_if(
        axes, [key = key](const AxisInfo &info) { return info.name == key; });
    if (axis == axes.end())
      return std::nullopt;
    const StringLiteral *choice = llvm::find(axis->choices, value);
    if (choice == axis->choices.end())
      return std::nullopt;
    choices[axis - axes.begin()] = choice - axis->choices.begin();
  }
  return choices;
}

std::string top::kernels::getTypeText(StringRef type,
                                      llvm::ArrayRef<int64_t> shape,
                                      StringRef encoding) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  text += type;
  if (!encoding.empty())
    text += ", " + encoding.str();
  return text + ">";
}

int64_t top::kernels::getBytes(StringRef type) {
  if (type == "i8" || type.starts_with("f8"))
    return 1;
  if (type == "f16" || type == "bf16")
    return 2;
  return type == "f64" ? 8 : 4;
}

void SweepCase::setOptions(mlir::top::CompileOptions &options) const {
  bool *const levels[] = {
      nullptr,          &options.promote, &options.multiBuffer,
      &options.swizzle, &options.warps,   &options.prefetch};
  if (bool *level = levels[without])
    *level = false;
  options.tile = tile;
}
