//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StepOrder.h. A step waits for those before it that wrote what it reads or
// writes, or read what it writes, but for those that one of them waits for.
//
//===----------------------------------------------------------------------===//

#include "StepOrder.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::top;

/// Steps of which pairs are compared, at most: those of a longer plan wait for
/// the one before.
static constexpr size_t maxOrderedSteps = 4096;

namespace {

struct StepBoxes {
  SmallVector<PlanBox> read, written;
};

} // namespace

using Step = std::variant<PlanLaunch, PlanCopy>;

static StepBoxes getBoxes(const LaunchPlan &plan, const Step &step) {
  StepBoxes boxes;
  if (auto *copy = std::get_if<PlanCopy>(&step)) {
    boxes.read.push_back({copy->source, copy->sourceOffset, copy->shape,
                          copy->sourceStrides, copy->elementBytes});
    boxes.written.push_back({copy->destination, copy->destinationOffset,
                             copy->shape, copy->destinationStrides,
                             copy->elementBytes});
    return boxes;
  }
  for (const PlanArgument &argument : std::get<PlanLaunch>(step).arguments) {
    if (argument.scalar)
      continue;
    const Type type = plan.buffers[argument.buffer].elementType;
    (argument.isWritten ? boxes.written : boxes.read)
        .push_back({argument.buffer, argument.byteOffset, argument.shape,
                    argument.strides, type.getIntOrFloatBitWidth() / 8});
  }
  return boxes;
}

static bool overlap(ArrayRef<PlanBox> lhs, ArrayRef<PlanBox> rhs) {
  return llvm::any_of(lhs, [&](const PlanBox &box) {
    return llvm::any_of(
        rhs, [&](const PlanBox &other) { return box.overlaps(other); });
  });
}

static bool mustWait(const StepBoxes &step, const StepBoxes &earlier) {
  return overlap(step.read, earlier.written) ||
         overlap(step.written, earlier.written) ||
         overlap(step.written, earlier.read);
}

void top::orderSteps(LaunchPlan &plan) {
  const unsigned count = plan.steps.size();
  plan.after.assign(count, {});
  if (count > maxOrderedSteps) {
    for (unsigned i = 1; i < count; ++i)
      plan.after[i] = {i - 1};
    return;
  }
  std::vector<StepBoxes> boxes;
  std::vector<llvm::BitVector> waitedFor; // by a step or by those it waits for
  for (unsigned i = 0; i < count; ++i) {
    boxes.push_back(getBoxes(plan, plan.steps[i]));
    llvm::BitVector all(count);
    for (unsigned j = i; j-- > 0;) {
      if (all.test(j) || !mustWait(boxes[i], boxes[j]))
        continue;
      plan.after[i].push_back(j);
      all.set(j);
      all |= waitedFor[j];
    }
    llvm::sort(plan.after[i]);
    waitedFor.push_back(std::move(all));
  }
}
