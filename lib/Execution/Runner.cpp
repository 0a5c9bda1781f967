//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiling with MLIR's ExecutionEngine and calling through the C interface
// that include/top/Pipelines/Pipelines.h describes.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Runner.h"

#include "HostMachine.h"
#include "JitRuntime.h"
#include "Promote.h"
#include "UpstreamPipeline.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/InitAll.h"
#include "top/Pipelines/Pipelines.h"

#include <chrono>
#include <cstring>

using namespace mlir;
using namespace mlir::top;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void top::registerExecutionDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerAllTopDialects(registry);
  registerAllTopExtensions(registry);
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static FailureOr<SmallVector<TensorSignature>>
getSignature(func::FuncOp func, TypeRange types, StringRef what) {
  SmallVector<TensorSignature> signature;
  for (auto [number, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<ElementKind> kind =
        tensor ? getElementKind(tensor.getElementType()) : std::nullopt;
    if (!kind)
      return func.emitError()
             << "cannot run '" << func.getName() << "': " << what << " #"
             << number << " has type " << type
             << ", expected a ranked tensor of floats or integers";
    signature.push_back({*kind, SmallVector<int64_t>(tensor.getShape()),
                         isChannelsLast(tensor)});
  }
  return signature;
}

FailureOr<SmallVector<TensorSignature>>
top::getArgumentSignature(func::FuncOp func) {
  return getSignature(func, func.getArgumentTypes(), "argument");
}

FailureOr<SmallVector<TensorSignature>>
top::getResultSignature(func::FuncOp func) {
  return getSignature(func, func.getResultTypes(), "result");
}

SmallVector<const Tensor *>
top::toMemoryOrder(ArrayRef<const Tensor *> tensors,
                   ArrayRef<TensorSignature> signature,
                   std::deque<Tensor> &storage) {
  SmallVector<const Tensor *> inOrder(tensors);
  for (auto [tensor, type] : llvm::zip_equal(inOrder, signature))
    if (type.channelsLast)
      tensor = &storage.emplace_back(permute(*tensor, kChannelsLastOrder));
  return inOrder;
}

Tensor top::fromMemoryOrder(Tensor tensor, const TensorSignature &signature) {
  if (!signature.channelsLast)
    return tensor;
  return permute(tensor, kChannelsLastPositions);
}

LogicalResult top::checkArguments(Location loc, StringRef function,
                                  ArrayRef<TensorSignature> signature,
                                  ArrayRef<const Tensor *> args) {
  if (args.size() != signature.size())
    return emitError(loc) << "'" << function << "' takes " << signature.size()
                          << " arguments, got " << args.size();
  for (auto [number, tensor, expected] : llvm::enumerate(args, signature))
    if (tensor->getKind() != expected.kind ||
        failed(verifyCompatibleShape(expected.shape, tensor->getShape())))
      return emitError(loc) << "argument #" << number << " of '" << function
                            << "' does not have the function's type, got "
                            << tensor->getTypeName();
  return success();
}

//===----------------------------------------------------------------------===//
// CompiledFunction
//===----------------------------------------------------------------------===//

struct CompiledFunction::Impl {
  std::string name;
  Location loc;
  SmallVector<TensorSignature> arguments, results;
  SmallVector<Tensor> constants; ///< passed behind the arguments
  std::unique_ptr<ExecutionEngine> engine;
  void (*entry)(void **) = nullptr;
  double loweringSeconds = 0, codegenSeconds = 0;

  explicit Impl(Location loc) : loc(loc) {}
  InFlightDiagnostic emitError() const { return mlir::emitError(loc); }
  LogicalResult check(ArrayRef<const Tensor *> args) const {
    return checkArguments(loc, name, arguments, args);
  }
  /// Arguments and constants as the function takes them.
  SmallVector<const Tensor *> getInputs(ArrayRef<const Tensor *> args,
                                        std::deque<Tensor> &storage) const {
    SmallVector<const Tensor *> inputs =
        toMemoryOrder(args, arguments, storage);
    for (const Tensor &constant : constants)
      inputs.push_back(&constant);
    return inputs;
  }
};

namespace {

/// A ranked memref descriptor as the C interface passes it: two pointers, then
/// offset, sizes and strides.
class Descriptor {
public:
  static size_t numWords(int64_t rank) { return 3 + 2 * rank; }

  static void write(const Tensor &tensor, MutableArrayRef<int64_t> words) {
    auto address = reinterpret_cast<int64_t>(tensor.getData());
    words[0] = words[1] = address;
    words[2] = 0;
    int64_t stride = 1;
    const int64_t rank = tensor.getRank();
    for (int64_t d = rank; d-- > 0;) {
      words[3 + d] = tensor.getShape()[d];
      words[3 + rank + d] = stride;
      stride *= tensor.getShape()[d];
    }
  }
};

/// The words that one call passes and gets back.
class CallFrame {
public:
  CallFrame(ArrayRef<const Tensor *> inputs,
            ArrayRef<TensorSignature> resultSignature) {
    size_t resultWords = 0;
    for (const TensorSignature &result : resultSignature)
      resultWords += Descriptor::numWords(result.shape.size());
    results.resize(resultWords);
    resultAddress = results.data();
    if (!resultSignature.empty())
      packed.push_back(&resultAddress);
    descriptors.reserve(inputs.size());
    addresses.reserve(inputs.size());
    for (const Tensor *tensor : inputs) {
      descriptors.emplace_back(Descriptor::numWords(tensor->getRank()));
      Descriptor::write(*tensor, descriptors.back());
      addresses.push_back(descriptors.back().data());
      packed.push_back(&addresses.back());
    }
  }
  CallFrame(const CallFrame &) = delete;

  void **getPacked() { return packed.data(); }
  ArrayRef<int64_t> getResults() const { return results; }

private:
  std::vector<int64_t> results;
  void *resultAddress;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> addresses;
  std::vector<void *> packed;
};

} // namespace

/// Copies a result out of the code's memory.
static Tensor readResult(ArrayRef<int64_t> words, ElementKind kind,
                         int64_t rank) {
  const size_t width = getFormat(kind).bytes;
  ArrayRef<int64_t> sizes = words.slice(3, rank);
  ArrayRef<int64_t> strides = words.slice(3 + rank, rank);
  const char *data =
      reinterpret_cast<const char *>(words[1]) + words[2] * width;
  Tensor result(kind, sizes);
  bool dense = true;
  int64_t expected = 1;
  for (int64_t d = rank; d-- > 0; expected *= sizes[d])
    dense &= sizes[d] == 1 || strides[d] == expected;
  if (dense) {
    std::memcpy(result.getData(), data, result.getNumBytes());
    return result;
  }
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    SmallVector<int64_t> at = result.delinearize(i);
    int64_t position = 0;
    for (int64_t d = 0; d < rank; ++d)
      position += at[d] * strides[d];
    std::memcpy(result.getData() + i * width, data + position * width, width);
  }
  return result;
}

CompiledFunction::CompiledFunction(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
CompiledFunction::CompiledFunction(CompiledFunction &&) = default;
CompiledFunction &CompiledFunction::operator=(CompiledFunction &&) = default;
CompiledFunction::~CompiledFunction() = default;

StringRef CompiledFunction::getName() const { return impl->name; }
ArrayRef<TensorSignature> CompiledFunction::getArguments() const {
  return impl->arguments;
}
ArrayRef<TensorSignature> CompiledFunction::getResults() const {
  return impl->results;
}
double CompiledFunction::getLoweringSeconds() const {
  return impl->loweringSeconds;
}
double CompiledFunction::getCodegenSeconds() const {
  return impl->codegenSeconds;
}

FailureOr<std::vector<Tensor>>
CompiledFunction::run(ArrayRef<const Tensor *> args,
                      const RunOptions &options) const {
  if (failed(impl->check(args)))
    return failure();
  std::deque<Tensor> inOrder;
  SmallVector<const Tensor *> inputs = impl->getInputs(args, inOrder);
  const SmallVector<const Tensor *> originals = inputs;
  std::vector<Tensor> guarded;
  if (options.guard) {
    guarded.reserve(inputs.size());
    for (const Tensor *&input : inputs) {
      guarded.push_back(input->clone(/*guarded=*/true));
      input = &guarded.back();
    }
  }

  JitCall call(options.guard);
  CallFrame frame(inputs, impl->results);
  if (!call.invoke(impl->entry, frame.getPacked()))
    return impl->emitError()
           << "'" << impl->name
           << "' stopped: " << StringRef(call.getMessage()).split('\n').first;

  std::vector<Tensor> results;
  size_t word = 0;
  for (auto [number, signature] : llvm::enumerate(impl->results)) {
    const int64_t rank = signature.shape.size();
    ArrayRef<int64_t> words =
        frame.getResults().slice(word, Descriptor::numWords(rank));
    word += words.size();
    for (int64_t size : words.slice(3, rank))
      if (size < 0)
        return impl->emitError()
               << "result #" << number << " of '" << impl->name
               << "' has extent " << size << "; is an argument too small?";
    results.push_back(
        fromMemoryOrder(readResult(words, signature.kind, rank), signature));
    auto *first = reinterpret_cast<const char *>(words[1]) +
                  words[2] * getFormat(signature.kind).bytes;
    if (call.wroteOutside(first, results.back().getNumBytes()))
      return impl->emitError()
             << "'" << impl->name << "' wrote outside of result #" << number;
  }
  for (auto [number, tensor] : llvm::enumerate(guarded)) {
    if (!tensor.guardsIntact())
      return impl->emitError()
             << "'" << impl->name << "' wrote outside of argument #" << number;
    if (std::memcmp(tensor.getData(), originals[number]->getData(),
                    tensor.getNumBytes()) != 0)
      return impl->emitError()
             << "'" << impl->name << "' wrote into argument #" << number;
  }
  if (call.wroteOutside())
    return impl->emitError()
           << "'" << impl->name << "' wrote outside of a buffer of its own";
  return results;
}

FailureOr<std::vector<double>>
CompiledFunction::benchmark(ArrayRef<const Tensor *> args,
                            const BenchOptions &options) const {
  if (failed(impl->check(args)))
    return failure();
  std::deque<Tensor> inOrder;
  SmallVector<const Tensor *> inputs = impl->getInputs(args, inOrder);
  std::vector<double> seconds;
  double total = 0;
  for (int i = -options.warmUps; i < options.maxCalls; ++i) {
    JitCall call(/*guard=*/false);
    CallFrame frame(inputs, impl->results);
    double start = now();
    bool finished = call.invoke(impl->entry, frame.getPacked());
    double elapsed = now() - start;
    if (!finished)
      return impl->emitError()
             << "'" << impl->name << "' stopped: " << call.getMessage();
    if (i < 0)
      continue;
    seconds.push_back(elapsed);
    total += elapsed;
    if (i + 1 >= options.minCalls && total >= options.minSeconds)
      break;
  }
  return seconds;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

LogicalResult top::isolateFunction(ModuleOp module, func::FuncOp func) {
  // Public symbols count as used.
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (symbol != func.getOperation())
      symbol.setPrivate();
  func.setPublic();
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addPass(createSymbolDCEPass());
  return pm.run(module);
}

static LogicalResult lower(ModuleOp module, func::FuncOp func,
                           const CPUCompileOptions &options) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  if (options.lowering == CPUCompileOptions::Top) {
    TopCPUPipelineOptions pipelineOptions;
    pipelineOptions.vectorBits = getHostVectorBits();
    buildTopCPUPipeline(pm, pipelineOptions);
    return pm.run(module);
  }
  // Upstream's passes would take the encoding for nothing.
  pm.addPass(createTopLowerLayoutsPass());
  // What TopCPUPipeline does by a pass of ours: callers keep their arguments.
  MLIRContext *context = module.getContext();
  func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                UnitAttr::get(context));
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    func.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                    BoolAttr::get(context, false));
  buildUpstreamPipeline(pm);
  return pm.run(module);
}

FailureOr<CompiledFunction>
top::compileForCPU(ModuleOp module, StringRef function,
                   const CPUCompileOptions &options) {
  OwningOpRef<ModuleOp> clone = module.clone();
  auto func = clone->lookupSymbol<func::FuncOp>(function);
  if (!func || func.isExternal())
    return module.emitError()
           << "no function '" << function << "' with a body in this module";
  auto impl = std::make_unique<CompiledFunction::Impl>(func.getLoc());
  impl->name = function.str();
  auto readSignature = [&] {
    FailureOr<SmallVector<TensorSignature>> arguments =
        getArgumentSignature(func);
    FailureOr<SmallVector<TensorSignature>> results = getResultSignature(func);
    if (failed(arguments) || failed(results))
      return failure();
    impl->arguments = std::move(*arguments);
    impl->results = std::move(*results);
    return success();
  };
  if (failed(readSignature()))
    return failure();
  const unsigned numArguments = func.getNumArguments();

  const double start = now();
  if (failed(isolateFunction(*clone, func)))
    return failure();
  FailureOr<SmallVector<Tensor>> constants =
      hoistLargeConstants(func, options.constants);
  if (failed(constants))
    return failure();
  impl->constants = std::move(*constants);
  for (auto [constant, type] : llvm::zip_equal(
           impl->constants, func.getArgumentTypes().drop_front(numArguments)))
    if (isChannelsLast(type))
      constant = permute(constant, kChannelsLastOrder);
  if (options.arithmetic != CPUCompileOptions::AsWritten) {
    if (failed(promoteToDouble(*clone, options.arithmetic ==
                                           CPUCompileOptions::RoundedDouble)) ||
        failed(readSignature()))
      return failure();
    impl->arguments.truncate(numArguments);
    for (Tensor &constant : impl->constants)
      constant = widen(constant);
  }
  if (failed(lower(*clone, func, options)))
    return failure();
  const double lowered = now();

  auto report = [&](llvm::Error error) {
    return impl->emitError() << "cannot compile '" << function
                             << "': " << llvm::toString(std::move(error));
  };
  auto machine = createHostMachine(
      options.cpu,
      static_cast<llvm::CodeGenOptLevel>(std::min(options.optLevel, 3u)));
  if (!machine)
    return report(machine.takeError());
  ExecutionEngineOptions engineOptions;
  auto optimize = makeOptimizingTransformer(options.optLevel, /*sizeLevel=*/0,
                                            machine->get());
  engineOptions.transformer = optimize;
  engineOptions.jitCodeGenOptLevel = (*machine)->getOptLevel();
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto engine =
      ExecutionEngine::create(*clone, engineOptions, std::move(*machine));
  if (!engine)
    return report(engine.takeError());
  impl->engine = std::move(*engine);
  impl->engine->registerSymbols(jitSymbols);
  auto entry = impl->engine->lookupPacked(("_mlir_ciface_" + function).str());
  if (!entry)
    return report(entry.takeError());
  impl->entry = *entry;
  impl->loweringSeconds = lowered - start;
  impl->codegenSeconds = now() - lowered;
  return CompiledFunction(std::move(impl));
}
