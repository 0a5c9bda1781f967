//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Mutants.h.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "top/Conversion/NVVMToSim/NVVMToSim.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::mutate;

/// Of the text of an op that is shown.
static constexpr size_t maxTextLength = 120;

std::vector<MutantClass> top::mutate::getMutantClasses() {
  std::vector<MutantClass> classes;
  llvm::append_range(classes, getSynchronizationClasses());
  llvm::append_range(classes, getBoundClasses());
  llvm::append_range(classes, getLayoutClasses());
  return classes;
}

std::string Mutant::getName() const {
  return (kind.name + "." + Twine(ordinal)).str();
}

bool top::mutate::isConditionalCopy(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(instructionName);
  return name && name == "cp.async.if";
}

bool top::mutate::isCopy(Operation *op) {
  return isa<NVVM::CpAsyncOp>(op) || isConditionalCopy(op);
}

Value top::mutate::getBasePointer(Value pointer) {
  while (auto offset = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = offset.getBase();
  return pointer;
}

namespace {

/// The first line of an op with its values' names, shortened.
class Describer {
public:
  std::string describe(Operation *op);

private:
  FunctionOpInterface function;
  unsigned first = 0, next = 0; ///< numbers of ops
  DenseMap<Operation *, unsigned> numbers;
  std::unique_ptr<AsmState> state;
};

} // namespace

std::string Describer::describe(Operation *op) {
  auto flags = OpPrintingFlags().skipRegions().useLocalScope();
  auto parent = op->getParentOfType<FunctionOpInterface>();
  if (parent != function) {
    function = parent;
    state = std::make_unique<AsmState>(function, flags);
    numbers.clear();
    unsigned number = 0;
    function.walk<WalkOrder::PreOrder>(
        [&](Operation *inner) { numbers[inner] = number++; });
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << function.getName() << ", op " << numbers[op];
  if (op->getParentOfType<LoopLikeOpInterface>())
    os << " in a loop";
  std::string line;
  llvm::raw_string_ostream lineOs(line);
  op->print(lineOs, *state);
  StringRef shown = StringRef(line).split('\n').first;
  os << ": " << shown.take_front(maxTextLength)
     << (shown.size() > maxTextLength ? "..." : "");
  return text;
}

/// The ops that classes are asked about: those of kernels, and launches.
static bool isCandidate(Operation *op) {
  return isa<gpu::LaunchFuncOp>(op) ||
         (!isa<LLVM::LLVMFuncOp>(op) &&
          op->getParentOfType<LLVM::LLVMFuncOp>());
}

std::vector<Mutant> top::mutate::listMutants(ModuleOp module,
                                             unsigned &numEquivalent) {
  const Ranges ranges(module);
  Describer describer;
  std::vector<Mutant> mutants;
  numEquivalent = 0;
  for (const MutantClass &kind : getMutantClasses()) {
    unsigned position = 0, ordinal = 0;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      const unsigned here = position++;
      if (!isCandidate(op))
        return;
      const unsigned ways = kind.count(op);
      for (unsigned way = 0; way < ways; ++way) {
        if (kind.changesNothing && kind.changesNothing(op, way, ranges)) {
          ++numEquivalent;
          continue;
        }
        mutants.push_back(
            {kind, ordinal++, here, way,
             op->getParentOfType<FunctionOpInterface>().getName().str(),
             describer.describe(op)});
      }
    });
  }
  return mutants;
}

Operation *top::mutate::findTarget(ModuleOp module, const Mutant &mutant) {
  Operation *target = nullptr;
  unsigned position = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (position++ != mutant.position)
      return WalkResult::advance();
    target = op;
    return WalkResult::interrupt();
  });
  assert(target && "not the module that was listed");
  return target;
}

void top::mutate::applyMutant(ModuleOp module, const Mutant &mutant) {
  mutant.kind.apply(findTarget(module, mutant), mutant.way);
}
