//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Preparing a reference and comparing results with it.
//
//===----------------------------------------------------------------------===//

#include "Promote.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Execution/Session.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;

bool Verification::isRight() const {
  return llvm::all_of(results, [](const Comparison &c) { return c.isRight(); });
}

/// The arguments against the reference's own signature, which may be more or
/// less static than the tested function's.
static LogicalResult checkSignature(func::FuncOp func,
                                    ArrayRef<const Tensor *> args) {
  FailureOr<SmallVector<TensorSignature>> signature =
      getArgumentSignature(func);
  if (failed(signature))
    return failure();
  if (signature->size() != args.size())
    return func.emitError()
           << "the reference '" << func.getName() << "' takes "
           << signature->size() << " arguments, the tested function "
           << args.size();
  for (auto [number, have, want] : llvm::enumerate(args, *signature))
    if (have->getKind() != want.kind ||
        failed(verifyCompatibleShape(want.shape, have->getShape())))
      return func.emitError()
             << "argument #" << number << " of the reference '"
             << func.getName() << "' has type "
             << func.getArgumentTypes()[number]
             << ", the tested function is run with " << have->getTypeName();
  return success();
}

/// Runs the function in double. Fails without a diagnostic; `reason` then says
/// why.
static FailureOr<std::vector<Tensor>>
runInDouble(ModuleOp module, StringRef function, ArrayRef<const Tensor *> args,
            const ConstantOptions &constants,
            CPUCompileOptions::Arithmetic arithmetic, std::string &reason) {
  ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &error) {
    if (reason.empty() && error.getSeverity() == DiagnosticSeverity::Error)
      reason = StringRef(error.str()).split('\n').first.str();
    return success();
  });
  CPUCompileOptions compile;
  compile.lowering = CPUCompileOptions::Upstream;
  compile.arithmetic = arithmetic;
  compile.constants = constants;
  FailureOr<CompiledFunction> compiled =
      compileForCPU(module, function, compile);
  if (failed(compiled))
    return failure();
  std::vector<Tensor> wide;
  for (const Tensor *argument : args)
    wide.push_back(widen(*argument));
  SmallVector<const Tensor *> inputs;
  for (const Tensor &argument : wide)
    inputs.push_back(&argument);
  return compiled->run(inputs, {});
}

LogicalResult PreparedReference::compute(ModuleOp module, StringRef function,
                                         ArrayRef<const Tensor *> args) {
  auto func = module.lookupSymbol<func::FuncOp>(function);
  FailureOr<SmallVector<TensorSignature>> results = getResultSignature(func);
  if (failed(results))
    return failure();
  signature = std::move(*results);
  FailureOr<std::vector<Tensor>> inDouble =
      runInDouble(module, function, args, options.constants,
                  CPUCompileOptions::Double, notInDouble);
  if (succeeded(inDouble) && hasNarrowFloats(func)) {
    FailureOr<std::vector<Tensor>> rounded =
        runInDouble(module, function, args, options.constants,
                    CPUCompileOptions::RoundedDouble, notInDouble);
    if (succeeded(rounded)) {
      exact = std::move(*inDouble);
      computed = std::move(*rounded);
      return success();
    }
    inDouble = failure();
  }
  CPUCompileOptions compile;
  compile.lowering = CPUCompileOptions::Upstream;
  compile.constants = options.constants;
  FailureOr<CompiledFunction> compiled =
      compileForCPU(module, function, compile);
  if (failed(compiled))
    return failure();
  FailureOr<std::vector<Tensor>> written = compiled->run(args, {});
  if (failed(written))
    return failure();
  computed = std::move(*written);
  if (succeeded(inDouble))
    exact = std::move(*inDouble);
  return success();
}

FailureOr<PreparedReference>
PreparedReference::create(ModuleOp module, StringRef function,
                          ArrayRef<const Tensor *> args,
                          const VerifyOptions &options) {
  PreparedReference reference;
  reference.options = options;
  reference.clone = module.clone();
  auto func = reference.clone->lookupSymbol<func::FuncOp>(function);
  if (!func)
    return module.emitError()
           << "no function '" << function << "' in the reference";
  if (failed(checkSignature(func, args)))
    return failure();

  if (std::optional<std::string> reason = whyNotPlain(func)) {
    WalkResult walk = func.walk([&](Operation *op) {
      return isa_and_nonnull<TopDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    // What upstream's passes cannot lower, and ours must not.
    if (walk.wasInterrupted())
      return func.emitError()
             << "the reference '" << function
             << "' must consist of 'top' ops alone or have none, but "
             << *reason << "; give the untouched file";
    if (failed(reference.compute(module, function, args)))
      return failure();
    return reference;
  }

  FailureOr<SmallVector<Tensor>> constants =
      hoistLargeConstants(func, options.constants);
  if (failed(constants))
    return failure();
  for (Tensor &constant : *constants)
    reference.constants.push_back(std::move(constant));
  SmallVector<const Tensor *> inputs(args);
  for (const Tensor &constant : reference.constants)
    inputs.push_back(&constant);
  FailureOr<ReferenceFunction> evaluated =
      ReferenceFunction::create(func, inputs);
  if (failed(evaluated))
    return failure();
  reference.evaluated = std::move(*evaluated);
  return reference;
}

double PreparedReference::getTotalProducts() const {
  return evaluated ? evaluated->getTotalProducts() : 0;
}

unsigned PreparedReference::getNumResults() const {
  return evaluated ? evaluated->getNumResults() : computed.size();
}

Comparison PreparedReference::compare(unsigned result, const Tensor &got) {
  if (evaluated)
    return compareWithReference(got, *evaluated, result, options.sample);
  const ElementKind kind = signature[result].kind;
  if (exact.empty() || !getFormat(kind).isFloat)
    return compareTensors(got, computed[result], options.integers);
  return compareWithDouble(got, kind, computed[result], exact[result],
                           options.integers);
}

FailureOr<Verification> top::verify(func::FuncOp tested, ArrayRef<Tensor> got,
                                    PreparedReference &reference,
                                    ArrayRef<const Tensor *> args) {
  if (got.size() != reference.getNumResults())
    return tested.emitError()
           << "'" << tested.getName() << "' has " << got.size()
           << " results, its reference " << reference.getNumResults();
  SmallVector<SmallVector<int64_t>> shapes;
  for (const Tensor *tensor : args)
    shapes.emplace_back(tensor->getShape());
  Verification verification;
  verification.evaluated = reference.isEvaluated();
  verification.notInDouble = reference.whyNotInDouble();
  for (auto [number, tensor] : llvm::enumerate(got)) {
    Comparison outcome = reference.compare(number, tensor);
    Tile tile;
    if (outcome.first)
      tile = findTile(tested, number, tensor.delinearize(outcome.first->index),
                      tensor.getShape(), shapes);
    verification.results.push_back(std::move(outcome));
    verification.tiles.push_back(std::move(tile));
  }
  return verification;
}

std::string top::formatFailure(StringRef function, ArrayRef<Tensor> got,
                               const Verification &verification) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [number, outcome] : llvm::enumerate(verification.results)) {
    if (outcome.isRight())
      continue;
    os << "FAIL " << function << " result " << number;
    if (!outcome.shapeError.empty()) {
      os << ' ' << outcome.shapeError;
      break;
    }
    if (!outcome.inconclusive.empty()) {
      os << ' ' << outcome.inconclusive;
      break;
    }
    const Tensor &tensor = got[number];
    const Mismatch &first = *outcome.first;
    os << " element ["
       << llvm::interleaved(tensor.delinearize(first.index), ",") << "] got "
       << formatNumber(tensor.getKind(), first.got) << " expected "
       << formatNumber(tensor.getKind(), first.expected) << ' '
       << verification.tiles[number].str();
    break;
  }
  return text;
}
