//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MutantRunner.h.
//
//===----------------------------------------------------------------------===//

#include "MutantRunner.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::mutate;
using llvm::Error;
using llvm::Expected;

bool Verdict::isFault() const {
  return llvm::any_of(categories, [](const auto &category) {
    return category.first != "wrong-numbers";
  });
}

std::string Verdict::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[category, count] : categories)
    os << category << ' ' << count << ", ";
  os << "of " << runs << " runs";
  return text;
}

/// NaN at the head of every other row of a matrix of floats.
static void addNaN(Tensor &tensor) {
  if (!getFormat(tensor.getKind()).isFloat || tensor.getRank() < 2)
    return;
  const int64_t cols = tensor.getShape().back();
  for (int64_t i = cols; i < tensor.getNumElements(); i += 2 * cols)
    tensor.set(i, std::numeric_limits<double>::quiet_NaN());
}

LogicalResult MutantRunner::addInputs(func::FuncOp function, const Fill &fill,
                                      bool withNaN) {
  Inputs &added = inputs.emplace_back();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<ElementKind> kind =
        tensor ? getElementKind(tensor.getElementType()) : std::nullopt;
    if (!kind || !tensor.hasStaticShape())
      return function.emitError("expected arguments that are tensors of static "
                                "shape, got ")
             << type;
    added.tensors.emplace_back(*kind, tensor.getShape());
    fillTensor(added.tensors.back(), fill, /*seed=*/1, index);
    if (withNaN)
      addNaN(added.tensors.back());
  }
  for (const Tensor &tensor : added.tensors)
    added.arguments.push_back(&tensor);
  FailureOr<simulated::Expectation> expected = simulated::Expectation::create(
      function, added.arguments, /*isExact=*/true);
  if (failed(expected))
    return failure();
  added.expected = std::move(*expected);
  return success();
}

FailureOr<std::unique_ptr<MutantRunner>>
MutantRunner::create(func::FuncOp function, ModuleOp kernels,
                     const GPUTarget &target, const Fill &fill,
                     unsigned numSeeds) {
  std::unique_ptr<MutantRunner> runner(new MutantRunner());
  runner->kernels = kernels;
  runner->target = target;
  runner->modes = simulated::getRunModes(numSeeds);
  for (bool withNaN : {false, true})
    if (failed(runner->addInputs(function, fill, withNaN)))
      return failure();
  return runner;
}

Error MutantRunner::run(simulated::SimulatedRuns &runs, Inputs &with,
                        Verdict &verdict) {
  for (const simulated::RunMode &mode : modes) {
    simulated::RunOutcome outcome =
        runs.run(with.arguments, *with.expected, mode);
    if (outcome.kind == simulated::RunOutcome::Refused)
      return llvm::createStringError(outcome.text);
    ++verdict.runs;
    if (outcome.isRight())
      continue;
    if (verdict.caught++ == 0)
      verdict.first = mode.str() + ": " + outcome.category + ": " +
                      StringRef(outcome.text).split('\n').first.str();
    ++verdict.categories[outcome.category];
  }
  return Error::success();
}

Expected<Verdict> MutantRunner::runUnbroken() {
  auto runs = simulated::SimulatedRuns::load(kernels, target);
  if (!runs)
    return runs.takeError();
  Verdict verdict;
  for (Inputs &with : inputs)
    if (Error error = run(**runs, with, verdict))
      return error;
  return verdict;
}

Expected<Verdict> MutantRunner::runMutant(const Mutant &mutant) {
  OwningOpRef<ModuleOp> clone = kernels.clone();
  applyMutant(*clone, mutant);
  auto runs = simulated::SimulatedRuns::load(*clone, target);
  if (!runs)
    return runs.takeError();
  Verdict verdict;
  for (Inputs &with : inputs) {
    verdict = Verdict();
    if (Error error = run(**runs, with, verdict))
      return error;
    if (verdict.isCaught())
      return verdict;
  }
  Expected<bool> idle = isIdle(mutant);
  if (!idle)
    return idle.takeError();
  verdict.isIdle = *idle;
  return verdict;
}

Expected<bool> MutantRunner::isIdle(const Mutant &mutant) {
  OwningOpRef<ModuleOp> clone = kernels.clone();
  if (!applyProbe(*clone, mutant))
    return false;
  auto runs = simulated::SimulatedRuns::load(*clone, target);
  if (!runs)
    return runs.takeError();
  // The unbroken kernels have no races, so that positions and sizes are those
  // of any run; they do not depend on what is multiplied either.
  simulated::RunOutcome outcome = (*runs)->run(
      inputs.front().arguments, *inputs.front().expected, modes.front());
  return outcome.isRight();
}

Expected<llvm::StringMap<std::string>>
top::mutate::readSurvivors(StringRef text) {
  llvm::StringMap<std::string> survivors;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (!line.consume_front("// SURVIVES:"))
      continue;
    auto [name, reason] = line.split(':');
    if (name.trim().empty() || reason.trim().empty() ||
        !survivors.try_emplace(name.trim(), reason.trim().str()).second)
      return llvm::createStringError(
          "expected '// SURVIVES: NAME: REASON', each name once, got '" +
          line.trim() + "'");
  }
  return survivors;
}
