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

FailureOr<std::unique_ptr<MutantRunner>>
MutantRunner::create(func::FuncOp function, ModuleOp kernels,
                     const GPUTarget &target, const Fill &fill,
                     unsigned numSeeds) {
  std::unique_ptr<MutantRunner> runner(new MutantRunner());
  runner->kernels = kernels;
  runner->target = target;
  runner->modes = simulated::getRunModes(numSeeds);
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<ElementKind> kind =
        tensor ? getElementKind(tensor.getElementType()) : std::nullopt;
    if (!kind || !tensor.hasStaticShape())
      return function.emitError("expected arguments that are tensors of static "
                                "shape, got ")
             << type;
    runner->tensors.emplace_back(*kind, tensor.getShape());
    fillTensor(runner->tensors.back(), fill, /*seed=*/1, index);
  }
  for (const Tensor &tensor : runner->tensors)
    runner->arguments.push_back(&tensor);
  FailureOr<simulated::Expectation> expected = simulated::Expectation::create(
      function, runner->arguments, /*isExact=*/true);
  if (failed(expected))
    return failure();
  runner->expected = std::move(*expected);
  return runner;
}

Expected<Verdict> MutantRunner::runMutant(const Mutant &mutant) {
  OwningOpRef<ModuleOp> clone = kernels.clone();
  applyMutant(*clone, mutant);
  return run(*clone);
}

Expected<Verdict> MutantRunner::run(ModuleOp module) {
  Expected<std::unique_ptr<simulated::SimulatedRuns>> runs =
      simulated::SimulatedRuns::load(module, target);
  if (!runs)
    return runs.takeError();
  Verdict verdict;
  for (const simulated::RunMode &mode : modes) {
    simulated::RunOutcome outcome = (*runs)->run(arguments, *expected, mode);
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
  return verdict;
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
