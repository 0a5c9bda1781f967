//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-kernel-sweep: runs the kernels of many matrix products or convolutions on
// the simulated GPU, in all its modes, and compares them with an independent
// reference: exactly, where the values are exact.
//
//   top-kernel-sweep --strength=3            products with every 3 choices
//   together top-kernel-sweep --op=conv --strength=2  convolutions with every 2
//   top-kernel-sweep --op=conv --random=300 --seed=7
//   top-kernel-sweep --case="NAME"           one of them, printed in full
//
// Every fault of the simulator is a failure, as are wrong numbers and a layer
// that the compiler refuses: all of them are legal. Exit status 1 if there is a
// failure, 2 for usage.
//
//===----------------------------------------------------------------------===//

#include "ConvCase.h"
#include "KernelCase.h"

#include "SimulatedRuns.h"
#include "ToolSupport.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "top/Execution/Runner.h"
#include "top/Execution/TensorInit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <thread>

using namespace mlir;
using namespace mlir::top;
using ::top::kernels::Argument;
using ::top::kernels::SweepCase;

namespace cl = llvm::cl;

static cl::OptionCategory category("top-kernel-sweep options");
enum class Layer { MatMul, Conv };
static cl::opt<Layer>
    layer("op", cl::init(Layer::MatMul), cl::cat(category),
          cl::desc("Which layers (default: matmul)"),
          cl::values(clEnumValN(Layer::MatMul, "matmul", "matrix products"),
                     clEnumValN(Layer::Conv, "conv", "convolutions")));
static cl::opt<unsigned> numRandom(
    "random", cl::value_desc("N"), cl::init(0), cl::cat(category),
    cl::desc("Run N convolutions of random sizes and choices instead"));
static cl::opt<uint64_t> seed("seed", cl::value_desc("S"), cl::init(1),
                              cl::cat(category),
                              cl::desc("Of the random ones (default: 1)"));
static cl::opt<unsigned>
    strength("strength", cl::value_desc("1|2|3"), cl::init(2),
             cl::cat(category),
             cl::desc("Choices on so many axes occur together (default: 2)"));
static cl::opt<std::string>
    onlyCase("case", cl::value_desc("NAME"), cl::cat(category),
             cl::desc("Run the case of this name; choices that it leaves out "
                      "are the first ones"));
static cl::opt<std::string>
    only("only", cl::value_desc("REGEX"), cl::cat(category),
         cl::desc("Of these cases, run those whose name matches"));
static cl::opt<unsigned>
    seeds("sim-seeds", cl::value_desc("N"), cl::init(2), cl::cat(category),
          cl::desc("Seeds of the simulator in each of its three modes "
                   "(default: 2)"));
static cl::opt<unsigned> jobs("jobs", cl::value_desc("N"), cl::init(0),
                              cl::cat(category),
                              cl::desc("Cases at once (default: one a core)"));

namespace {

/// What became of a case.
struct Outcome {
  std::string failure; ///< empty: all runs were right
  unsigned runs = 0;
};

/// Runs one case in a context of its own.
class CaseRunner {
public:
  CaseRunner(const DialectRegistry &registry, const SweepCase &test)
      : context(registry, MLIRContext::Threading::DISABLED), test(test),
        handler(&context, [this](Diagnostic &diagnostic) {
          llvm::raw_string_ostream(messages) << diagnostic << "\n";
        }) {}

  Outcome run();

private:
  void makeArguments();
  Outcome fail(StringRef what, StringRef text) {
    return {(what + ": " + text).str(), 0};
  }

  MLIRContext context;
  const SweepCase &test;
  std::string messages; ///< diagnostics
  ScopedDiagnosticHandler handler;
  std::vector<Tensor> whole,
      cut; ///< as the function takes them, as it uses them
};

} // namespace

/// The part of `whole` that begins at `offsets`.
static Tensor cutOut(const Tensor &whole, ArrayRef<int64_t> offsets,
                     ArrayRef<int64_t> shape) {
  Tensor part(whole.getKind(), shape);
  for (int64_t i = 0; i < part.getNumElements(); ++i) {
    SmallVector<int64_t> at = part.delinearize(i);
    for (auto [coordinate, offset] : llvm::zip(at, offsets))
      coordinate += offset;
    part.set(i, whole.get(whole.linearize(at)));
  }
  return part;
}

void CaseRunner::makeArguments() {
  Fill fill;
  fill.kind = Fill::Eighths;
  for (auto [index, argument] : llvm::enumerate(test.arguments)) {
    Type type = parseType(argument.type, &context);
    const bool isCut = !argument.offsets.empty();
    whole.emplace_back(*getElementKind(type),
                       isCut ? argument.outerShape : argument.shape);
    fillTensor(whole.back(), fill, /*seed=*/1, index);
    cut.push_back(isCut ? cutOut(whole.back(), argument.offsets, argument.shape)
                        : whole.back().clone(/*guarded=*/false));
  }
}

static SmallVector<const Tensor *> getPointers(ArrayRef<Tensor> tensors) {
  SmallVector<const Tensor *> pointers;
  for (const Tensor &tensor : tensors)
    pointers.push_back(&tensor);
  return pointers;
}

Outcome CaseRunner::run() {
  auto module = parseSourceString<ModuleOp>(test.module, &context);
  auto plain = parseSourceString<ModuleOp>(test.reference, &context);
  if (!module || !plain)
    return fail("does not parse", messages);
  makeArguments();
  CompileOptions options;
  options.target = llvm::cantFail(lookupTarget(test.chip));
  test.setOptions(options);
  if (failed(compileToLevel(*module, options, GPULevel::NVVM)))
    return fail("does not compile", messages);
  FailureOr<simulated::Expectation> expected = simulated::Expectation::create(
      *plain->getOps<func::FuncOp>().begin(), getPointers(cut), test.isExact);
  if (failed(expected))
    return fail("has no reference", messages);
  llvm::Expected<std::unique_ptr<simulated::SimulatedRuns>> runs =
      simulated::SimulatedRuns::load(*module, options.target);
  if (!runs)
    return fail("does not load", llvm::toString(runs.takeError()));
  Outcome outcome;
  for (const simulated::RunMode &mode : simulated::getRunModes(seeds)) {
    simulated::RunOutcome result =
        (*runs)->run(getPointers(whole), *expected, mode);
    if (!result.isRight())
      return fail(mode.str() + ": " + result.category, result.text);
    ++outcome.runs;
  }
  return outcome;
}

/// The case of a name; nullopt if there is none.
static std::optional<SweepCase> findCase(StringRef name) {
  using namespace ::top::kernels;
  const bool isConv = name.consume_front("conv ") || layer == Layer::Conv;
  uint64_t seedOfName = 0;
  unsigned index = 0;
  StringRef rest = name;
  if (isConv && rest.consume_front("seed=") &&
      !rest.consumeInteger(10, seedOfName) && rest.consume_front(" random=") &&
      !rest.getAsInteger(10, index))
    return makeRandomConvCase(seedOfName, index);
  std::optional<Choices> choices =
      parseChoices(isConv ? getConvAxes() : getProductAxes(), name);
  if (!choices)
    return std::nullopt;
  return isConv ? makeConvCase(*choices) : makeProductCase(*choices);
}

/// The cases that the flags ask for; nullopt if there is none.
static std::optional<std::vector<SweepCase>> getCases() {
  using namespace ::top::kernels;
  std::vector<SweepCase> cases;
  if (!onlyCase.empty()) {
    std::optional<SweepCase> test = findCase(onlyCase);
    if (!test)
      return std::nullopt;
    cases.push_back(std::move(*test));
  } else if (numRandom) {
    for (unsigned i = 0; i < numRandom; ++i)
      cases.push_back(makeRandomConvCase(seed, i));
  } else if (layer == Layer::Conv) {
    for (const Choices &choices : coverChoices(getConvAxes(), strength))
      cases.push_back(makeConvCase(choices));
  } else {
    for (const Choices &choices : coverChoices(getProductAxes(), strength))
      cases.push_back(makeProductCase(choices));
  }
  return cases;
}

int main(int argc, char **argv) {
  if (!parseCommandLine("top-kernel-sweep", argc, argv,
                        "runs kernels on the simulated GPU\n", category))
    return kUsage;
  if (strength < 1 || strength > 3)
    return reportUsage("top-kernel-sweep",
                       "expected '--strength' to be 1, 2 or 3");
  std::optional<std::vector<SweepCase>> cases = getCases();
  if (!cases)
    return reportUsage("top-kernel-sweep",
                       "no case '" + onlyCase +
                           "', expected words AXIS=CHOICE as in the names of "
                           "cases");
  if (numRandom && layer != Layer::Conv)
    return reportUsage("top-kernel-sweep",
                       "'--random' is for convolutions: give '--op=conv'");
  const llvm::Regex pattern(only.empty() ? std::string(".") : only.getValue());
  std::string error;
  if (!pattern.isValid(error))
    return reportUsage("top-kernel-sweep", "cannot read '--only': " + error);
  llvm::erase_if(*cases, [&](const SweepCase &test) {
    return !pattern.match(test.name + " " + test.about);
  });
  DialectRegistry registry;
  registerCompileDialects(registry);
  registerExecutionDialects(registry);

  const auto start = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes(cases->size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < cases->size(); i = next++)
      outcomes[i] = CaseRunner(registry, (*cases)[i]).run();
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1;
       i < (jobs ? unsigned(jobs) : std::thread::hardware_concurrency()); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();

  size_t failed = 0, runs = 0;
  for (auto [test, outcome] : llvm::zip(*cases, outcomes)) {
    runs += outcome.runs;
    if (!onlyCase.empty())
      llvm::outs() << test.module;
    if (outcome.failure.empty())
      continue;
    ++failed;
    llvm::outs() << "FAIL " << test.name << "\n  " << outcome.failure << "\n";
    if (!test.about.empty())
      llvm::outs() << "  " << test.about << "\n";
    if (onlyCase.empty())
      llvm::outs() << test.module;
  }
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  llvm::outs() << cases->size()
               << (layer == Layer::Conv ? " convolutions, " : " products, ")
               << runs << " runs on the simulated GPU in "
               << llvm::formatv("{0:f1}", seconds.count()) << " s; "
               << cases->size() - failed << " passed, " << failed
               << " failed\n";
  return failed != 0;
}
