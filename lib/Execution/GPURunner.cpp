//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a function to a plan with loaded kernels, see GPURunner.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/GPURunner.h"

#include "top/Dialect/Top/IR/Layout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace mlir;
using namespace mlir::top;
using llvm::Expected;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// Whether a device of compute capability `capability` runs code for `arch`.
static bool canRun(unsigned capability, const GPUArchitecture &arch) {
  return arch.isSpecific ? capability == arch.capability
                         : capability >= arch.capability;
}

std::optional<GPUCard> top::findCard(StringRef device) {
  SmallVector<StringRef> words;
  llvm::SplitString(device, words, " -");
  for (const GPUCard &card : getCards())
    for (StringRef word : words)
      if (word.equals_insensitive(card.name.split('-').first))
        return card;
  return std::nullopt;
}

Expected<GPUTarget> top::chooseTarget(const CudaContext &context,
                                      StringRef chip) {
  const unsigned capability = context.getCapability();
  const std::string device =
      llvm::formatv("device '{0}' of compute capability {1}.{2}",
                    context.getName(), capability / 10, capability % 10);
  GPUArchitecture arch;
  if (!chip.empty()) {
    Expected<GPUArchitecture> found = lookupArchitecture(chip);
    if (!found)
      return found.takeError();
    if (!canRun(capability, *found))
      return llvm::make_error<NoCudaDeviceError>(
          ("no CUDA device for '" + chip + "': there is " + device).str());
    arch = *found;
  } else {
    // The later and, of one capability, the one that is the device's very own.
    const GPUArchitecture *best = nullptr;
    auto rank = [](const GPUArchitecture &a) {
      return std::pair(a.capability, a.isSpecific);
    };
    for (const GPUArchitecture &candidate : getArchitectures())
      if (canRun(capability, candidate) &&
          (!best || rank(candidate) > rank(*best)))
        best = &candidate;
    if (!best)
      return llvm::make_error<NoCudaDeviceError>(
          "no CUDA device that kernels are made for: there is " + device);
    arch = *best;
  }
  // The card's numbers are for the cost model only; one that this build does
  // not know is taken for a usual one of the chip.
  std::optional<GPUCard> card = findCard(context.getName());
  Expected<GPUTarget> target =
      lookupTarget(arch.chip, card ? card->name : StringRef());
  if (target)
    return target;
  llvm::consumeError(target.takeError());
  return lookupTarget(arch.chip);
}

//===----------------------------------------------------------------------===//
// GPUFunction
//===----------------------------------------------------------------------===//

struct GPUFunction::Impl {
  std::string name;
  Location loc;
  SmallVector<TensorSignature> arguments, resultTypes;
  std::vector<Tensor> constants; ///< passed behind the arguments
  LaunchPlan plan;
  SmallVector<ScheduledProblem> problems;
  std::optional<PlanRunner> runner;
  double compileSeconds = 0;

  explicit Impl(Location loc) : loc(loc) {}
  LogicalResult report(llvm::Error error) const {
    return mlir::emitError(loc)
           << "'" << name << "' stopped: " << llvm::toString(std::move(error));
  }
  FailureOr<SmallVector<const Tensor *>>
  getInputs(ArrayRef<const Tensor *> args, std::deque<Tensor> &storage) const {
    if (failed(checkArguments(loc, name, arguments, args)))
      return failure();
    SmallVector<const Tensor *> inputs =
        toMemoryOrder(args, arguments, storage);
    for (const Tensor &constant : constants)
      inputs.push_back(&constant);
    return inputs;
  }
};

GPUFunction::GPUFunction(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
GPUFunction::GPUFunction(GPUFunction &&) = default;
GPUFunction &GPUFunction::operator=(GPUFunction &&) = default;
GPUFunction::~GPUFunction() = default;

double GPUFunction::getCompileSeconds() const { return impl->compileSeconds; }
const LaunchPlan &GPUFunction::getPlan() const { return impl->plan; }
ArrayRef<ScheduledProblem> GPUFunction::getProblems() const {
  return impl->problems;
}
SmallVector<std::pair<const PlanLaunch *, const CudaKernel *>>
GPUFunction::getLaunches() const {
  return impl->runner->getLaunches();
}

FailureOr<std::vector<Tensor>>
GPUFunction::run(ArrayRef<const Tensor *> args,
                 const RunOptions &options) const {
  std::deque<Tensor> inOrder;
  FailureOr<SmallVector<const Tensor *>> inputs =
      impl->getInputs(args, inOrder);
  if (failed(inputs))
    return failure();
  Expected<std::vector<Tensor>> results =
      impl->runner->run(*inputs, options.guard);
  if (!results)
    return impl->report(results.takeError());
  for (auto [result, type] : llvm::zip_equal(*results, impl->resultTypes))
    result = fromMemoryOrder(std::move(result), type);
  return std::move(*results);
}

FailureOr<PlanTiming>
GPUFunction::benchmark(ArrayRef<const Tensor *> args,
                       const PlanTimingOptions &options) const {
  std::deque<Tensor> inOrder;
  FailureOr<SmallVector<const Tensor *>> inputs =
      impl->getInputs(args, inOrder);
  if (failed(inputs))
    return failure();
  Expected<PlanTiming> timing = impl->runner->benchmark(*inputs, options);
  if (!timing)
    return impl->report(timing.takeError());
  return std::move(*timing);
}

FailureOr<GPUFunction>
top::compileForGPU(ModuleOp module, StringRef function, CudaContext &context,
                   const CompileOptions &options,
                   const ConstantOptions &constantOptions, KernelImage image) {
  const double start = now();
  OwningOpRef<ModuleOp> clone = module.clone();
  auto func = clone->lookupSymbol<func::FuncOp>(function);
  if (!func || func.isExternal())
    return module.emitError()
           << "no function '" << function << "' with a body in this module";
  auto impl = std::make_unique<GPUFunction::Impl>(func.getLoc());
  impl->name = function.str();
  FailureOr<SmallVector<TensorSignature>> arguments =
      getArgumentSignature(func);
  FailureOr<SmallVector<TensorSignature>> resultTypes =
      getResultSignature(func);
  if (failed(arguments) || failed(resultTypes))
    return failure();
  impl->arguments = std::move(*arguments);
  impl->resultTypes = std::move(*resultTypes);
  if (failed(isolateFunction(*clone, func)))
    return failure();
  FailureOr<SmallVector<Tensor>> constants =
      hoistLargeConstants(func, constantOptions);
  if (failed(constants))
    return failure();
  for (auto [constant, type] : llvm::zip_equal(
           *constants, func.getArgumentTypes().take_back(constants->size())))
    impl->constants.push_back(isChannelsLast(type)
                                  ? permute(constant, kChannelsLastOrder)
                                  : std::move(constant));

  if (failed(compileToLevel(*clone, options, GPULevel::NVVM, /*stopAfter=*/"",
                            &impl->problems)))
    return failure();
  FailureOr<std::vector<LaunchPlan>> plans = buildLaunchPlans(*clone);
  if (failed(plans))
    return failure();
  assert(plans->size() == 1 && "one function is public");
  impl->plan = std::move(plans->front());
  FailureOr<std::string> text = image == KernelImage::PTX
                                    ? translateKernelsToPTX(*clone)
                                    : translateKernelsToSimulation(*clone);
  if (failed(text))
    return failure();
  Expected<PlanRunner> runner = PlanRunner::create(context, impl->plan, *text);
  if (!runner)
    return mlir::emitError(impl->loc)
           << "cannot run '" << function
           << "': " << llvm::toString(runner.takeError());
  impl->runner = std::move(*runner);
  impl->compileSeconds = now() - start;
  return GPUFunction(std::move(impl));
}
