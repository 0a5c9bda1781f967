//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SimulatedRuns.h.
//
//===----------------------------------------------------------------------===//

#include "SimulatedRuns.h"

#include "top/Dialect/Top/IR/Layout.h"
#include "top/Execution/Compare.h"
#include "top/GPU/Compile/Compile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::simulated;
using llvm::Expected;

/// A launch that calls the simulator more often spins: kernels of tests take a
/// million calls or fewer.
static constexpr uint64_t stepLimit = uint64_t(1) << 27;

static StringRef getName(sim::CompletionMode mode) {
  switch (mode) {
  case sim::CompletionMode::Eager:
    return "eager";
  case sim::CompletionMode::Lazy:
    return "lazy";
  case sim::CompletionMode::Random:
    return "random";
  }
  llvm_unreachable("no other mode");
}

std::string RunMode::str() const {
  return llvm::formatv("{0}, seed {1}", getName(mode), seed);
}

SmallVector<RunMode> simulated::getRunModes(unsigned numSeeds) {
  SmallVector<RunMode> modes;
  for (uint64_t seed = 1; seed <= numSeeds; ++seed)
    for (auto mode : {sim::CompletionMode::Eager, sim::CompletionMode::Lazy,
                      sim::CompletionMode::Random})
      modes.push_back({mode, seed});
  return modes;
}

FailureOr<Expectation> Expectation::create(func::FuncOp func,
                                           ArrayRef<const Tensor *> arguments,
                                           bool isExact) {
  FailureOr<ReferenceFunction> reference =
      ReferenceFunction::create(func, arguments);
  if (failed(reference))
    return failure();
  reference->evaluateAll();
  return Expectation(std::move(*reference), isExact);
}

std::string Expectation::findWrong(unsigned result, const Tensor &got) {
  if (got.getKind() != reference.getResultKind(result) ||
      got.getShape() != reference.getResultShape(result))
    return "a result of type " + got.getTypeName();
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < got.getNumElements(); ++i) {
    ReferenceElement element = reference.evaluate(result, i);
    if (isExact)
      element.bound = 0;
    if (isRight(got.getKind(), got.get(i), element) || wrong++ > 0)
      continue;
    first = llvm::formatv(
        "the first at [{0}]: got {1}, expected {2}",
        llvm::interleaved(got.delinearize(i)),
        formatNumber(got.getKind(), got.get(i)),
        formatNumber(got.getKind(), roundTo(got.getKind(), element.value)));
  }
  if (wrong == 0)
    return "";
  return llvm::formatv("{0} of {1} elements wrong, {2}", wrong,
                       got.getNumElements(), first);
}

static sim::MachineOptions getMachineOptions(const RunMode &mode) {
  sim::MachineOptions options;
  options.mode = mode.mode;
  options.seed = mode.seed;
  // The tools run several programs side by side.
  options.workers = 1;
  options.stepLimit = stepLimit;
  return options;
}

SimulatedRuns::SimulatedRuns(const GPUTarget &target)
    : driver(target,
             getMachineOptions({sim::CompletionMode::Random, /*seed=*/1})) {}

Expected<std::unique_ptr<SimulatedRuns>>
SimulatedRuns::load(ModuleOp module, const GPUTarget &target) {
  std::string errors;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &error) {
    llvm::raw_string_ostream(errors) << error << "; ";
  });
  auto refuse = [&] {
    return llvm::createStringError(StringRef(errors).rtrim("; "));
  };
  OwningOpRef<ModuleOp> clone = module.clone();
  FailureOr<std::vector<LaunchPlan>> plans = buildLaunchPlans(*clone);
  if (failed(plans) || plans->size() != 1)
    return refuse();
  FailureOr<std::string> code = translateKernelsToSimulation(*clone);
  if (failed(code))
    return refuse();
  std::unique_ptr<SimulatedRuns> runs(new SimulatedRuns(target));
  runs->plan = std::move(plans->front());
  Expected<std::unique_ptr<CudaContext>> context =
      CudaContext::create(SimulatedDriver::getFunctions());
  if (!context)
    return context.takeError();
  runs->context = std::move(*context);
  Expected<PlanRunner> runner =
      PlanRunner::create(*runs->context, runs->plan, *code);
  if (!runner)
    return runner.takeError();
  runs->runner = std::move(*runner);
  return runs;
}

RunOutcome SimulatedRuns::run(ArrayRef<const Tensor *> arguments,
                              Expectation &expected, const RunMode &mode) {
  driver.restart(getMachineOptions(mode));
  // Tensors of a run are N, C, H, W; memory may have the channels last.
  std::deque<Tensor> inOrder;
  SmallVector<const Tensor *> inputs(arguments);
  for (auto [input, buffer] : llvm::zip_equal(inputs, plan.arguments))
    if (plan.buffers[buffer].channelsLast)
      input = &inOrder.emplace_back(permute(*input, kChannelsLastOrder));
  // Without bands of NaN: the buffers stand between red zones, which are
  // checked to the byte.
  Expected<std::vector<Tensor>> results =
      runner->run(inputs, /*guarded=*/false);
  if (!results) {
    const std::string text = llvm::toString(results.takeError());
    if (driver.getFaults().empty())
      return {RunOutcome::Refused, "refused", text};
    const sim::Fault &fault = driver.getFaults().front();
    return {RunOutcome::Fault, sim::getName(fault.kind).str(), fault.message};
  }
  for (auto [result, buffer] : llvm::zip_equal(*results, plan.results))
    if (plan.buffers[buffer].channelsLast)
      result = permute(result, kChannelsLastPositions);
  for (auto [index, result] : llvm::enumerate(*results))
    if (std::string wrong = expected.findWrong(index, result); !wrong.empty())
      return {RunOutcome::WrongNumbers, "wrong-numbers", wrong};
  return {};
}
