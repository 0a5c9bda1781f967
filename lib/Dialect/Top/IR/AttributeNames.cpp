//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AttributeNames.h.
//
//===----------------------------------------------------------------------===//

#include "AttributeNames.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::top;

/// How many edits `name` is from `known`. A shared beginning counts as one
/// edit: `padding` is meant to be `pads`.
static unsigned getDistance(StringRef name, StringRef known) {
  constexpr size_t sharedLetters = 3;
  if (name.size() >= sharedLetters &&
      known.starts_with(name.take_front(sharedLetters)))
    return 1;
  return name.edit_distance_insensitive(known);
}

/// The known names that `name` may be meant to be: the nearest ones, where they
/// are near.
static SmallVector<StringRef> getNearest(StringRef name,
                                         ArrayRef<StringRef> known) {
  constexpr unsigned maxDistance = 2;
  unsigned best = maxDistance;
  SmallVector<StringRef> nearest;
  for (StringRef candidate : known) {
    unsigned distance = getDistance(name, candidate);
    if (distance < best)
      nearest.clear();
    if (distance > best)
      continue;
    best = distance;
    nearest.push_back(candidate);
  }
  return nearest;
}

static std::string listNames(ArrayRef<StringRef> names, StringRef last) {
  std::string text;
  for (auto [number, name] : llvm::enumerate(names)) {
    if (number != 0)
      text += number + 1 == names.size() ? last : ", ";
    text += ("'" + name + "'").str();
  }
  return text;
}

LogicalResult top::verifyAttributeNames(Operation *op) {
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    StringRef name = attr.getName();
    if (name.contains('.') || name.starts_with("_"))
      continue;
    SmallVector<StringRef> known;
    for (StringAttr knownName : op->getName().getAttributeNames())
      // Not written by hand: the assembly format has it as commas and
      // parentheses.
      if (knownName != "operandSegmentSizes")
        known.push_back(knownName);
    InFlightDiagnostic error = op->emitOpError()
                               << "has no attribute '" << name << "'";
    if (SmallVector<StringRef> nearest = getNearest(name, known);
        !nearest.empty())
      error << "; did you mean " << listNames(nearest, " or ") << "?";
    else
      error << ";";
    return error << " its attributes are " << listNames(known, " and ")
                 << ", and any other needs a dialect's name in front, as in "
                    "'mine."
                 << name << "'";
  }
  return success();
}
