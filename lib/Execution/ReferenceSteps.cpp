//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Epilogue steps of the reference, see ReferenceSteps.h.
//
//===----------------------------------------------------------------------===//

#include "ReferenceSteps.h"

#include <limits>

using namespace mlir;
using namespace mlir::top;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static double clampTo(double x, double low, double high) {
  if (std::isnan(x))
    return x;
  return std::min(std::max(x, low), high);
}

int32_t top::applyIntegerStep(int32_t x, StepAttr step,
                              ArrayRef<int32_t> operands) {
  const int64_t wide = x;
  switch (step.getKind()) {
  case StepKind::affine:
    return wrapToInt32(wrapToInt32(wide * operands[0]) +
                       static_cast<int64_t>(operands[1]));
  case StepKind::add:
    return wrapToInt32(wide + operands[0]);
  case StepKind::mul:
    return wrapToInt32(wide * operands[0]);
  case StepKind::relu:
    return std::max(x, 0);
  case StepKind::clamp:
    return std::min(
        std::max(x, static_cast<int32_t>(step.getMin().getValueAsDouble())),
        static_cast<int32_t>(step.getMax().getValueAsDouble()));
  case StepKind::silu:
  case StepKind::hardswish:
  case StepKind::sigmoid:
  case StepKind::gelu:
    break;
  }
  llvm_unreachable("refused by the verifier of the layer op");
}

void top::applyStep(Running &r, StepAttr step, ElementKind accumulator,
                    ArrayRef<ReferenceElement> operands) {
  const double x = r.x, u = r.u;
  switch (step.getKind()) {
  case StepKind::affine:
    r.mul(operands[0]);
    r.add(operands[1]);
    return;
  case StepKind::add:
    return r.add(operands[0]);
  case StepKind::mul:
    return r.mul(operands[0]);
  // Exact on what comes in, so that its rounding may stay the last one.
  case StepKind::relu:
    r.x = clampTo(x, 0, kInfinity);
    return;
  case StepKind::clamp:
    if (step.getNan() && std::isnan(x)) {
      r.x = roundTo(accumulator, step.getNan().getValueAsDouble());
      return;
    }
    r.x = clampTo(x, roundTo(accumulator, step.getMin().getValueAsDouble()),
                  roundTo(accumulator, step.getMax().getValueAsDouble()));
    return;
  case StepKind::sigmoid: {
    double y = 1 / (1 + std::exp(-x));
    return r.apply(y, 0.25, 10 * u * y);
  }
  case StepKind::silu: {
    double y = x / (1 + std::exp(-x));
    return r.apply(y, 1.1, 11 * u * std::fabs(y));
  }
  case StepKind::hardswish: {
    double y = x * clampTo(x + 3, 0, 6) / 6;
    return r.apply(y, 1.5, u * (std::fabs(x) + 2 * std::fabs(y)));
  }
  case StepKind::gelu: {
    double y = x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
    return r.apply(y, 1.13, 6 * u * std::fabs(x));
  }
  }
}
