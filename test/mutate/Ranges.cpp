//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Ranges.h.
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top::mutate;

/// The largest grid, along x, that a kernel is launched with.
static std::optional<int64_t> getGrid(ModuleOp module,
                                      LLVM::LLVMFuncOp kernel) {
  std::optional<int64_t> grid;
  bool isKnown = true;
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName() != kernel.getName())
      return;
    std::optional<int64_t> size = getConstantIntValue(launch.getGridSizeX());
    isKnown &= size.has_value();
    grid = std::max(grid.value_or(0), size.value_or(0));
  });
  return isKnown ? grid : std::nullopt;
}

Ranges::Ranges(ModuleOp module) {
  // The analysis reads the ranges of registers from attributes, which the
  // module that is run does not have.
  SmallVector<Operation *> registers;
  auto bound = [&](auto op, int64_t size) {
    op.setRangeAttr(LLVM::ConstantRangeAttr::get(
        module.getContext(), APInt(32, 0), APInt(32, size)));
    registers.push_back(op);
  };
  module.walk([&](LLVM::LLVMFuncOp kernel) {
    auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(
        NVVM::NVVMDialect::getReqntidAttrName());
    std::optional<int64_t> grid = getGrid(module, kernel);
    kernel.walk([&](NVVM::ThreadIdXOp op) {
      if (threads && !op.getRangeAttr())
        bound(op, threads[0]);
    });
    kernel.walk([&](NVVM::BlockIdXOp op) {
      if (grid && !op.getRangeAttr())
        bound(op, *grid);
    });
  });
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  // Where it fails nothing is known, which is what an empty solver says.
  (void)solver.initializeAndRun(module);
  for (Operation *op : registers)
    op->removeAttr("range");
}

std::optional<Ranges::Range> Ranges::get(Value value) const {
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!lattice || lattice->getValue().isUninitialized())
    return std::nullopt;
  const ConstantIntRanges &range = lattice->getValue().getValue();
  if (range.smin().getBitWidth() > 64)
    return std::nullopt;
  return Range{range.smin().getSExtValue(), range.smax().getSExtValue()};
}

bool Ranges::isKnown(Value condition, bool value) const {
  auto *lattice =
      solver.lookupState<dataflow::IntegerValueRangeLattice>(condition);
  if (!lattice || lattice->getValue().isUninitialized())
    return false;
  std::optional<APInt> constant =
      lattice->getValue().getValue().getConstantValue();
  return constant && constant->isZero() != value;
}
