//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels on the simulated GPU, loaded once and run in all its modes, and what
// came of each run. For tools that run many.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_SIMULATED_SIMULATEDRUNS_H
#define TOP_TEST_SIMULATED_SIMULATEDRUNS_H

#include "mlir/IR/BuiltinOps.h"
#include "top/Execution/PlanRunner.h"
#include "top/Execution/Reference.h"
#include "top/Execution/SimulatedDriver.h"

namespace mlir::top::simulated {

/// When copies complete, and in which order everything else happens.
struct RunMode {
  sim::CompletionMode mode;
  uint64_t seed;

  /// "lazy, seed 2".
  std::string str() const;
};

/// All three modes, each with the seeds 1 to `numSeeds`.
SmallVector<RunMode> getRunModes(unsigned numSeeds);

/// How a run came out.
struct RunOutcome {
  enum Kind { Right, WrongNumbers, Fault, Refused } kind = Right;
  /// "shared-race" of a fault, "wrong-numbers", "refused".
  std::string category;
  std::string text; ///< one line, and for a deadlock more

  bool isRight() const { return kind == Right; }
};

/// The result that a run should give.
class Expectation {
public:
  /// The results of `func`, a plain one, on `arguments`, which must outlive
  /// this object. `isExact` demands the exact value rounded once; else the
  /// reference's bounds hold. Fails after an error.
  static FailureOr<Expectation>
  create(func::FuncOp func, ArrayRef<const Tensor *> arguments, bool isExact);
  /// The first wrong element, in words; empty if there is none.
  std::string findWrong(unsigned result, const Tensor &got);

private:
  Expectation(ReferenceFunction reference, bool isExact)
      : reference(std::move(reference)), isExact(isExact) {}
  ReferenceFunction reference;
  bool isExact;
};

/// The kernels of a module, loaded.
class SimulatedRuns {
public:
  /// Loads a module at GPULevel::NVVM with one public function. Fails where it
  /// cannot be compiled for the simulator.
  static llvm::Expected<std::unique_ptr<SimulatedRuns>>
  load(ModuleOp module, const GPUTarget &target);

  RunOutcome run(ArrayRef<const Tensor *> arguments, Expectation &expected,
                 const RunMode &mode);

private:
  explicit SimulatedRuns(const GPUTarget &target);
  // In the order in which they are made.
  SimulatedDriver driver;
  std::unique_ptr<CudaContext> context;
  LaunchPlan plan;
  std::optional<PlanRunner> runner;
};

} // namespace mlir::top::simulated

#endif // TOP_TEST_SIMULATED_SIMULATEDRUNS_H
