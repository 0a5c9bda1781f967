//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of `top-run`, and its reports.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Session.h"

#include "OutcomeReport.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "top/Execution/BenchReport.h"
#include "top/Execution/Cublas.h"
#include "top/Execution/GPURunner.h"
#include "top/Execution/SimulatedDriver.h"
#include "top/Execution/SimulationReport.h"
#include "top/InputHints/InputHints.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::top;

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
top::parseArgumentShape(StringRef text) {
  auto [number, extents] = text.split(':');
  unsigned argument;
  if (number.getAsInteger(10, argument) || extents.empty())
    return std::nullopt;
  SmallVector<StringRef> parts;
  extents.split(parts, 'x');
  SmallVector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t extent;
    // 2^40 elements along one axis are beyond any machine, and small enough
    // that a product of two fits.
    if (part.getAsInteger(10, extent) || extent < 0 || extent > (1ll << 40))
      return std::nullopt;
    shape.push_back(extent);
  }
  return std::make_pair(argument, shape);
}

namespace {

/// One run of the tool.
class Session {
public:
  Session(const RunRequest &request, raw_ostream &os, raw_ostream &errors)
      : request(request), os(os), errors(errors),
        context(MLIRContext::Threading::DISABLED),
        referenceContext(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerExecutionDialects(registry);
    registerInputHints(registry);
    if (request.target != RunTarget::CPU)
      registerCompileDialects(registry);
    for (MLIRContext *each : {&context, &referenceContext}) {
      each->appendDialectRegistry(registry);
      each->getDiagEngine().registerHandler(
          [this](Diagnostic &diagnostic) { report(diagnostic); });
    }
  }

  ExitStatus execute();

private:
  void report(Diagnostic &diagnostic);
  ExitStatus usage(const Twine &text);
  ExitStatus load(StringRef path, MLIRContext &in,
                  OwningOpRef<ModuleOp> &result);
  ExitStatus chooseFunction();
  ExitStatus makeArguments();
  ExitStatus checkJsonFile();
  ExitStatus findProduct();
  ExitStatus openDevice();
  ExitStatus openSimulation();
  ExitStatus openBaseline();
  ExitStatus fail(llvm::Error error);
  LogicalResult compile(const ConstantOptions &constants);
  FailureOr<std::vector<Tensor>> run(ArrayRef<const Tensor *> inputs);
  LogicalResult repeat(ArrayRef<const Tensor *> inputs);
  LogicalResult bench(ArrayRef<const Tensor *> inputs);
  LogicalResult checkBaseline();
  void printTensors(StringRef what, ArrayRef<Tensor> tensors);
  ExitStatus writeJson(ExitStatus status);
  const Verification *getVerification() const {
    return verification ? &*verification : nullptr;
  }

  const RunRequest &request;
  raw_ostream &os, &errors;
  MLIRContext context;
  /// Of its own, since equal names of resources in two files of one context
  /// would be told apart by renaming them.
  MLIRContext referenceContext;
  OwningOpRef<ModuleOp> module, referenceModule;
  func::FuncOp func;
  SmallVector<SmallVector<int64_t>> shapes;
  std::vector<Tensor> arguments, results;
  std::optional<PreparedReference> reference;
  std::optional<Verification> verification;
  std::optional<BenchReport> benchReport;
  std::optional<double> products;
  double compileSeconds = 0;

  // One of the two functions is there. The device outlives what is loaded, and
  // a simulated driver the device.
  std::unique_ptr<SimulatedDriver> driver;
  std::unique_ptr<CudaContext> device;
  std::optional<GPUTarget> gpuTarget;
  std::optional<BaselineProduct> product; ///< where a baseline was asked for
  std::unique_ptr<CublasProduct> baseline;
  std::optional<CompiledFunction> onCPU;
  std::optional<GPUFunction> onGPU;
};

} // namespace

/// Each error is one line: where, what, and the notes that have one line.
void Session::report(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    errors << at.getFilename().getValue() << ':' << at.getLine() << ':'
           << at.getColumn() << ": error: ";
  else
    errors << "top-run: error: ";
  errors << StringRef(diagnostic.str()).split('\n').first;
  for (Diagnostic &note : diagnostic.getNotes())
    if (std::string text = note.str();
        !StringRef(text).starts_with("see current operation"))
      errors << " (" << StringRef(text).split('\n').first << ')';
  errors << '\n';
}

ExitStatus Session::usage(const Twine &text) {
  errors << "top-run: error: " << text << '\n';
  return ExitStatus::Usage;
}

ExitStatus Session::load(StringRef path, MLIRContext &in,
                         OwningOpRef<ModuleOp> &result) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return usage("cannot open '" + path + "': " + buffer.getError().message());
  auto manager = std::make_shared<llvm::SourceMgr>();
  manager->AddNewSourceBuffer(std::move(*buffer), {});
  result = parseSourceFile<ModuleOp>(manager, &in);
  return result ? ExitStatus::Success : ExitStatus::Failure;
}

ExitStatus Session::chooseFunction() {
  SmallVector<StringRef> names;
  for (auto candidate : module->getOps<func::FuncOp>()) {
    if (candidate.isExternal())
      continue;
    if (request.function.empty() ? candidate.isPublic()
                                 : candidate.getName() == request.function)
      func = candidate;
    if (candidate.isPublic())
      names.push_back(candidate.getName());
  }
  std::string list = names.empty() ? "none" : llvm::join(names, ", ");
  if (!request.function.empty() && !func)
    return usage("no function '" + request.function + "' in '" +
                 request.inputFile + "', its public functions: " + list);
  if (request.function.empty() && names.size() != 1)
    return usage(names.empty()
                     ? "no public function in '" + request.inputFile + "'"
                     : "several functions in '" + request.inputFile +
                           "', choose one with --function: " + list);
  return ExitStatus::Success;
}

ExitStatus Session::makeArguments() {
  FailureOr<SmallVector<TensorSignature>> signature =
      getArgumentSignature(func);
  if (failed(signature) || failed(getResultSignature(func)))
    return ExitStatus::Failure;
  for (const auto &[number, shape] : request.argumentShapes)
    if (number >= signature->size())
      return usage("--arg-shape names argument " + Twine(number) + ", but '" +
                   func.getName() + "' takes " + Twine(signature->size()) +
                   " (counted from 0)");
  for (auto [number, argument] : llvm::enumerate(*signature)) {
    std::string type;
    llvm::raw_string_ostream(type) << func.getArgumentTypes()[number];
    SmallVector<int64_t> shape = argument.shape;
    auto given = request.argumentShapes.find(number);
    if (given != request.argumentShapes.end()) {
      shape = given->second;
      if (shape.size() != argument.shape.size())
        return usage("--arg-shape gives argument " + Twine(number) + " rank " +
                     Twine(shape.size()) + ", but its type is " + type);
      if (failed(verifyCompatibleShape(argument.shape, shape)))
        return usage("--arg-shape contradicts the type of argument " +
                     Twine(number) + ", " + type);
    } else if (ShapedType::isDynamicShape(shape)) {
      return usage("argument " + Twine(number) + " of '" + func.getName() +
                   "' has type " + type +
                   ", give its shape with --arg-shape=" + Twine(number) + ":" +
                   llvm::join(SmallVector<StringRef>(shape.size(), "8"), "x"));
    }
    double bytes = getFormat(argument.kind).bytes;
    for (int64_t extent : shape)
      bytes *= extent;
    if (bytes > std::ldexp(1.0, 40))
      return usage("argument " + Twine(number) + " of '" + func.getName() +
                   "' would need more than 1 TiB");
    arguments.emplace_back(argument.kind, shape);
    fillTensor(arguments.back(), request.fill, request.seed, number);
    shapes.push_back(std::move(shape));
  }
  return ExitStatus::Success;
}

/// Better before a long run than after.
ExitStatus Session::checkJsonFile() {
  if (request.jsonFile.empty() || request.jsonFile == "-")
    return ExitStatus::Success;
  StringRef folder = llvm::sys::path::parent_path(request.jsonFile);
  if (folder.empty())
    folder = ".";
  if (std::error_code error =
          llvm::sys::fs::access(folder, llvm::sys::fs::AccessMode::Write))
    return usage("cannot write '" + request.jsonFile + "': " + error.message());
  if (llvm::sys::fs::is_directory(request.jsonFile))
    return usage("cannot write '" + request.jsonFile + "': it is a directory");
  return ExitStatus::Success;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// One line for an error of the device, and its status.
ExitStatus Session::fail(llvm::Error error) {
  const bool isMissing =
      error.isA<NoCudaDeviceError>() || error.isA<NoCublasError>();
  errors << "top-run: error: " << llvm::toString(std::move(error)) << '\n';
  return isMissing ? ExitStatus::NoDevice : ExitStatus::Usage;
}

/// What a baseline would compute, where one was asked for: better before a
/// device is looked for.
ExitStatus Session::findProduct() {
  if (!request.cublas)
    return ExitStatus::Success;
  llvm::Expected<BaselineProduct> found = findBaselineProduct(func);
  if (!found)
    return fail(found.takeError());
  if (llvm::Expected<CublasGemm> gemm = CublasGemm::create(*found); !gemm)
    return fail(gemm.takeError());
  product = std::move(*found);
  return ExitStatus::Success;
}

ExitStatus Session::openBaseline() {
  if (!product)
    return ExitStatus::Success;
  const CublasFunctions *functions = request.cublasFunctions;
  if (!functions) {
    llvm::Expected<const CublasFunctions *> loaded = loadCublasFunctions();
    if (!loaded)
      return fail(loaded.takeError());
    functions = *loaded;
  }
  llvm::Expected<std::unique_ptr<CublasProduct>> opened =
      CublasProduct::create(*functions, *device, *product);
  if (!opened) {
    // A library that is there and does not work.
    (void)fail(opened.takeError());
    return ExitStatus::Failure;
  }
  baseline = std::move(*opened);
  return ExitStatus::Success;
}

/// A device that is made up for the chip.
ExitStatus Session::openSimulation() {
  llvm::Expected<GPUTarget> chosen =
      lookupTarget(request.chip.empty() ? "sm_80" : request.chip);
  if (!chosen)
    return fail(chosen.takeError());
  gpuTarget = *chosen;
  driver = std::make_unique<SimulatedDriver>(*gpuTarget, request.simulation);
  llvm::Expected<std::unique_ptr<CudaContext>> opened =
      CudaContext::create(SimulatedDriver::getFunctions());
  if (!opened) {
    (void)fail(opened.takeError());
    return ExitStatus::Failure;
  }
  device = std::move(*opened);
  return ExitStatus::Success;
}

ExitStatus Session::openDevice() {
  if (request.target == RunTarget::CPU)
    return ExitStatus::Success;
  if (request.target == RunTarget::Sim)
    return openSimulation();
  // A chip that does not exist is wrong on every machine.
  if (!request.chip.empty())
    if (auto arch = lookupArchitecture(request.chip); !arch)
      return fail(arch.takeError());
  const CudaFunctions *functions = request.cudaFunctions;
  if (!functions) {
    llvm::Expected<const CudaFunctions *> loaded = loadCudaFunctions();
    if (!loaded)
      return fail(loaded.takeError());
    functions = *loaded;
  }
  llvm::Expected<std::unique_ptr<CudaContext>> opened =
      CudaContext::create(*functions);
  if (!opened) {
    ExitStatus status = fail(opened.takeError());
    // A device that is there and does not work is no fault of the command line.
    return status == ExitStatus::Usage ? ExitStatus::Failure : status;
  }
  device = std::move(*opened);
  llvm::Expected<GPUTarget> chosen = chooseTarget(*device, request.chip);
  if (!chosen)
    return fail(chosen.takeError());
  gpuTarget = *chosen;
  return ExitStatus::Success;
}

LogicalResult Session::compile(const ConstantOptions &constants) {
  if (request.target == RunTarget::CPU) {
    CPUCompileOptions options;
    options.constants = constants;
    FailureOr<CompiledFunction> compiled =
        compileForCPU(*module, func.getName(), options);
    if (failed(compiled))
      return failure();
    compileSeconds =
        compiled->getLoweringSeconds() + compiled->getCodegenSeconds();
    onCPU.emplace(std::move(*compiled));
    return success();
  }
  CompileOptions options;
  options.target = *gpuTarget;
  options.ptxVersion = getDefaultPtxVersion(gpuTarget->arch);
  FailureOr<GPUFunction> compiled =
      compileForGPU(*module, func.getName(), *device, options, constants,
                    driver ? KernelImage::Simulation : KernelImage::PTX);
  if (failed(compiled))
    return failure();
  compileSeconds = compiled->getCompileSeconds();
  onGPU.emplace(std::move(*compiled));
  return success();
}

FailureOr<std::vector<Tensor>> Session::run(ArrayRef<const Tensor *> inputs) {
  RunOptions options{request.guard};
  if (!onGPU)
    return onCPU->run(inputs, options);
  FailureOr<std::vector<Tensor>> computed = onGPU->run(inputs, options);
  if (failed(computed) && driver)
    printFaultNotes(errors, driver->getFaults(), driver->getNumFaults());
  return computed;
}

/// Runs again; every run must give the bits of the first.
LogicalResult Session::repeat(ArrayRef<const Tensor *> inputs) {
  for (int64_t i = 1; i < request.repeats; ++i) {
    FailureOr<std::vector<Tensor>> again = run(inputs);
    if (failed(again))
      return failure();
    for (auto [number, first, now] : llvm::enumerate(results, *again)) {
      if (now.getShape() == first.getShape() &&
          std::memcmp(now.getData(), first.getData(), now.getNumBytes()) == 0)
        continue;
      return func.emitError()
             << "'" << func.getName() << "' gave other bits for result #"
             << number << " in run " << i + 1 << " of " << request.repeats;
    }
  }
  return success();
}

LogicalResult Session::bench(ArrayRef<const Tensor *> inputs) {
  BenchReport report;
  report.function = func.getName().str();
  if (products)
    report.flop = 2 * *products;
  if (!onGPU) {
    FailureOr<std::vector<double>> seconds =
        onCPU->benchmark(inputs, BenchOptions());
    if (failed(seconds))
      return failure();
    report.seconds = std::move(*seconds);
    llvm::sort(report.seconds);
    benchReport = std::move(report);
    return success();
  }
  const NvmlFunctions *nvml = request.nvmlFunctions;
  if (!nvml && !request.cudaFunctions)
    nvml = loadNvmlFunctions();
  std::unique_ptr<DeviceMonitor> monitor = DeviceMonitor::create(nvml, *device);
  PlanTimingOptions options;
  options.baseline = baseline.get();
  options.monitor = monitor.get();
  const int total = options.blocks * (baseline ? 2 : 1);
  options.onBlock = [&](StringRef name, int number, const TimedBlock &block) {
    errors << "top-run: block " << number + 1 << " of " << total << ": " << name
           << llvm::format(" %.4g us a call", 1e6 * getMean(block.seconds));
    if (block.state.smMHz)
      errors << ", " << *block.state.smMHz << " MHz";
    errors << '\n';
  };
  FailureOr<PlanTiming> timed = onGPU->benchmark(inputs, options);
  if (failed(timed))
    return failure();
  report.timing = std::move(*timed);
  report.seconds = report.timing->ours.getSortedSeconds();
  report.fill = request.fill.str();
  report.l2Bytes = device->getL2Bytes();
  report.minimalBytes =
      static_cast<double>(report.timing->rotatedBytes) / report.timing->sets;
  report.roofline =
      Roofline::create(device->getName(), onGPU->getProblems(),
                       report.flop.value_or(0), report.minimalBytes);
  if (baseline) {
    report.baseline = baseline->getName().str();
    report.baselineVersion = baseline->getVersion();
  }
  benchReport = std::move(report);
  return checkBaseline();
}

/// Two that compute different things are not to be compared.
LogicalResult Session::checkBaseline() {
  if (!baseline)
    return success();
  const Tensor &theirs = benchReport->timing->baselineResults.front();
  BaselineCheck check = BaselineCheck::create(results.front(), theirs);
  std::string difference;
  llvm::raw_string_ostream(difference)
      << llvm::format("%.3g", check.difference);
  if (check.difference > BaselineCheck::kMostDifference)
    return func.emitError()
           << "'" << func.getName() << "' and " << baseline->getName()
           << " differ by " << difference
           << " of the largest value, so that one of them is wrong; --verify "
              "says whether it is ours";
  if (reference)
    check.verified = reference->compare(0, theirs);
  benchReport->check = std::move(check);
  return success();
}

void Session::printTensors(StringRef what, ArrayRef<Tensor> tensors) {
  constexpr int64_t kMaxElements = 1024;
  for (auto [number, tensor] : llvm::enumerate(tensors)) {
    os << what << ' ' << number << ' ' << tensor.getTypeName() << " = ";
    tensor.print(os, kMaxElements);
    os << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

ExitStatus Session::writeJson(ExitStatus status) {
  if (request.jsonFile.empty())
    return status;
  StringRef word = !verification             ? "RAN"
                   : verification->isRight() ? "PASS"
                                             : "FAIL";
  llvm::json::Object report{
      {"file", request.inputFile},
      {"function", func.getName()},
      {"target", driver  ? "sim"
                 : onGPU ? "gpu"
                         : "cpu"},
      {"status", word},
      {"seed", static_cast<int64_t>(request.seed)},
      {"fill", request.fill.str()},
      {"compile_seconds", compileSeconds},
      {"results", outcomeAsJSON(results, getVerification())}};
  if (!request.referenceFile.empty())
    report["reference"] = request.referenceFile;
  if (onGPU) {
    report["chip"] = gpuTarget->arch.chip;
    report["device"] = device->getName();
    addKernels(report, *onGPU);
  }
  if (driver && driver->getProgram())
    report["simulation"] =
        simulationAsJSON(driver->getStatistics(), *driver->getProgram());
  if (request.repeats > 1)
    report["equal_runs"] = request.repeats;
  if (products)
    report["flop"] = 2 * *products;
  if (benchReport)
    report["bench"] = benchReport->toJSON();
  // A temporary file that is renamed: no half of a report stays behind.
  llvm::Error error = llvm::writeToOutput(
      request.jsonFile, [&](raw_ostream &file) -> llvm::Error {
        file << llvm::formatv("{0:2}", llvm::json::Value(std::move(report)))
             << '\n';
        return llvm::Error::success();
      });
  if (error)
    return usage("cannot write '" + request.jsonFile +
                 "': " + llvm::toString(std::move(error)));
  return status;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

ExitStatus Session::execute() {
  if (ExitStatus status = checkJsonFile(); status != ExitStatus::Success)
    return status;
  if (ExitStatus status = load(request.inputFile, context, module);
      status != ExitStatus::Success)
    return status;
  if (!request.referenceFile.empty())
    if (ExitStatus status =
            load(request.referenceFile, referenceContext, referenceModule);
        status != ExitStatus::Success)
      return status;
  if (ExitStatus status = chooseFunction(); status != ExitStatus::Success)
    return status;
  const std::string name = func.getName().str();
  if (referenceModule && !referenceModule->lookupSymbol<func::FuncOp>(name))
    return usage("no function '" + name + "' in the reference '" +
                 request.referenceFile + "'");
  std::optional<std::string> notPlain = whyNotPlain(func);
  if (request.verify && !referenceModule && notPlain)
    return usage("'" + name + "' is not a function of plain top ops (" +
                 *notPlain +
                 "), so that --verify needs --reference=FILE with the untiled "
                 "or untouched function");
  if (ExitStatus status = findProduct(); status != ExitStatus::Success)
    return status;
  if (ExitStatus status = makeArguments(); status != ExitStatus::Success)
    return status;

  SmallVector<const Tensor *> inputs;
  for (const Tensor &argument : arguments)
    inputs.push_back(&argument);
  if (!notPlain && failed(inferShapes(func, shapes)))
    return ExitStatus::Failure;
  if (ExitStatus status = openDevice(); status != ExitStatus::Success)
    return status;
  if (ExitStatus status = openBaseline(); status != ExitStatus::Success)
    return status;

  std::optional<ConstantPlan> plan;
  if (request.randomizeConstants)
    plan = ConstantPlan::create(
        referenceModule ? referenceModule->lookupSymbol<func::FuncOp>(name)
                        : func);
  ConstantOptions constants;
  constants.plan = plan ? &*plan : nullptr;
  constants.randomize = request.randomizeConstants;
  constants.seed = request.seed;
  const bool compare = request.verify || referenceModule;
  if (compare) {
    VerifyOptions options;
    options.sample.samples = request.samples;
    options.sample.seed = request.seed;
    options.integers = request.fill.isInteger() && !request.randomizeConstants;
    options.constants = constants;
    FailureOr<PreparedReference> prepared = PreparedReference::create(
        referenceModule ? *referenceModule : *module, name, inputs, options);
    if (failed(prepared))
      return ExitStatus::Failure;
    reference = std::move(*prepared);
    if (request.samples != 0 && !reference->isEvaluated())
      errors << "top-run: note: '--samples' has no effect, since the reference "
                "is lowered by upstream passes and has every element; all are "
                "compared\n";
  }

  if (failed(compile(constants)))
    return ExitStatus::Failure;
  FailureOr<std::vector<Tensor>> computed = run(inputs);
  if (failed(computed))
    return ExitStatus::Failure;
  results = std::move(*computed);
  if (request.print) {
    printTensors("argument", arguments);
    printTensors("result", results);
  }
  if (reference) {
    FailureOr<Verification> outcome = verify(func, results, *reference, inputs);
    if (failed(outcome))
      return ExitStatus::Failure;
    verification = std::move(*outcome);
  }
  products = reference && reference->isEvaluated()
                 ? std::optional<double>(reference->getTotalProducts())
                 : countProducts(func, shapes);

  const bool right = !verification || verification->isRight();
  // Wrong code is not timed.
  if (right && failed(repeat(inputs)))
    return ExitStatus::Failure;
  if (request.bench && right && failed(bench(inputs)))
    return ExitStatus::Failure;
  printOutcome(os, func.getName(), results, getVerification(), request.repeats);
  if (request.simulationReport && driver->getProgram())
    printSimulation(os, driver->getStatistics(), *driver->getProgram());
  if (benchReport) {
    benchReport->print(os);
    if (onGPU)
      printKernels(os, *onGPU);
  }
  ExitStatus status =
      writeJson(right ? ExitStatus::Success : ExitStatus::Failure);
  if (!right && plan)
    if (size_t missing = plan->countMissingWeights(func))
      os << "note: " << missing
         << " of the weights that were randomized in the reference are not in '"
         << request.inputFile
         << "'; compare a file whose constants were not folded\n";
  if (!right)
    os << formatFailure(name, results, *verification) << '\n';
  return status;
}

ExitStatus top::executeRequest(const RunRequest &request, raw_ostream &os,
                               raw_ostream &errors) {
  return Session(request, os, errors).execute();
}
