//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `top-run --bench` tells of times: as lines, and as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_BENCHREPORT_H
#define TOP_EXECUTION_BENCHREPORT_H

#include "top/Execution/Compare.h"
#include "top/Execution/GPURunner.h"
#include "top/Execution/PlanTiming.h"
#include "llvm/Support/JSON.h"

namespace mlir::top {

/// The least time that a card can take: it computes `flop` at its peak while it
/// moves `bytes` (every argument and result once) at its bandwidth.
struct Roofline {
  std::string card;
  double peakFlops = 0;      ///< FLOP/s
  double bytesPerSecond = 0; ///< of global memory
  double flop = 0, bytes = 0;

  /// max(flop / peak, bytes / bandwidth).
  double getSeconds() const;

  /// The peak is that of tensor cores, where they know the type of the layer
  /// ops' operands, else of CUDA cores. Nullopt where the card is not in the
  /// table, or the ops are of several types or none.
  static std::optional<Roofline> create(StringRef device,
                                        ArrayRef<ScheduledProblem> problems,
                                        double flop, double bytes);
};

/// How a library's result compares with ours.
struct BaselineCheck {
  /// Largest difference of two elements over the largest magnitude of ours;
  /// infinite where one is NaN and the other is not.
  double difference = 0;
  /// With the reference, under the bound for ours. A library may sum 16-bit
  /// products in parts that it rounds, so that it need not be within it.
  std::optional<Comparison> verified;

  /// Beyond this the two do not compute the same. Wrong operands give about 1;
  /// the coarsest of our types, bf16, has half an ulp of 2^-8.
  static constexpr double kMostDifference = 1.0 / 64;
  static BaselineCheck create(const Tensor &ours, const Tensor &theirs);
};

/// What there is to tell of a timed function.
struct BenchReport {
  std::string function;
  std::optional<double> flop;
  /// Of one call, in ascending order.
  std::vector<double> seconds;

  /// Of a GPU; the rest says nothing otherwise.
  std::optional<PlanTiming> timing;
  std::string fill; ///< of the arguments
  int64_t l2Bytes = 0;
  double minimalBytes = 0; ///< arguments, constants and results, each once
  std::optional<Roofline> roofline;
  std::string baseline, baselineVersion; ///< empty = none
  std::optional<BaselineCheck> check;

  /// Time of the baseline over ours, of the P50s; above 1 ours is faster.
  std::optional<double> getRatio() const;
  /// A line `BENCH ...`, on a GPU followed by indented ones.
  void print(raw_ostream &os) const;
  llvm::json::Object toJSON() const;
};

/// Schedules, and what kernels need, as indented lines.
void printKernels(raw_ostream &os, const GPUFunction &function);
/// `schedules` and `kernels`.
void addKernels(llvm::json::Object &object, const GPUFunction &function);

/// JSON has no infinities or NaN: these are strings.
llvm::json::Value numberAsJson(double value);

} // namespace mlir::top

#endif // TOP_EXECUTION_BENCHREPORT_H
