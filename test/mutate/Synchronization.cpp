//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes of synchronisation and of asynchronous copies.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "top/Conversion/NVVMToSim/NVVMToSim.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::mutate;

template <typename... Ops>
static unsigned countOps(Operation *op) {
  return isa<Ops...>(op) ? 1 : 0;
}

static void erase(Operation *op, unsigned) { op->erase(); }

static unsigned countFences(Operation *op) {
  return op->getName().getStringRef().starts_with("nvvm.fence.") ||
         isa<NVVM::MembarOp>(op);
}

static void waitForOneLess(Operation *op, unsigned) {
  auto wait = cast<NVVM::CpAsyncWaitGroupOp>(op);
  wait.setN(wait.getN() + 1);
}

static unsigned countWaitsBeforeBarrier(Operation *op) {
  return isa<NVVM::CpAsyncWaitGroupOp>(op) &&
         isa_and_nonnull<NVVM::Barrier0Op>(op->getNextNode());
}

static void moveBehindNext(Operation *op, unsigned) {
  op->moveAfter(op->getNextNode());
}

static unsigned countCopies(Operation *op) { return isCopy(op); }

static unsigned countConditionalCopies(Operation *op) {
  return isConditionalCopy(op);
}

static Value createTrue(Operation *op) {
  OpBuilder b(op);
  return arith::ConstantOp::create(b, op->getLoc(), b.getBoolAttr(true));
}

static void copyAlways(Operation *op, unsigned) {
  op->setOperand(0, createTrue(op));
}

/// Number of the operand that says how much is read, if there is one.
static std::optional<unsigned> getSizeOperand(Operation *op) {
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
    return copy.getCpSize() ? std::optional<unsigned>(2) : std::nullopt;
  return isConditionalCopy(op) && op->getNumOperands() == 4
             ? std::optional<unsigned>(3)
             : std::nullopt;
}

/// Bytes that a copy writes.
static int64_t getBytes(Operation *op) {
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
    return copy.getSize();
  auto attributes =
      op->getAttrOfType<DictionaryAttr>(instructionAttributesName);
  return attributes.getAs<IntegerAttr>("bytes").getInt();
}

static unsigned countZeroFills(Operation *op) {
  return isCopy(op) && getSizeOperand(op).has_value();
}

static void readAll(Operation *op, unsigned) {
  OpBuilder b(op);
  op->setOperand(*getSizeOperand(op),
                 arith::ConstantOp::create(b, op->getLoc(),
                                           b.getI32IntegerAttr(getBytes(op))));
}

static unsigned countBranches(Operation *op) { return isa<scf::IfOp>(op); }

static void branchAlways(Operation *op, unsigned) {
  op->setOperand(0, createTrue(op));
}

static bool isAlwaysTaken(Operation *op, unsigned, const Ranges &ranges) {
  return ranges.isKnown(op->getOperand(0), true);
}

ArrayRef<MutantClass> top::mutate::getSynchronizationClasses() {
  static const MutantClass classes[] = {
      {"wait-removed", "a wait for copies is left out",
       countOps<NVVM::CpAsyncWaitGroupOp>, erase, nullptr},
      {"wait-too-few", "a wait leaves one group more under way",
       countOps<NVVM::CpAsyncWaitGroupOp>, waitForOneLess, nullptr},
      {"wait-behind-barrier",
       "a wait stands behind the barrier that it should "
       "stand in front of",
       countWaitsBeforeBarrier, moveBehindNext, nullptr},
      {"barrier-removed", "a barrier of the block is left out",
       countOps<NVVM::Barrier0Op, NVVM::BarrierOp>, erase, nullptr},
      {"commit-removed", "copies are not closed to a group of their own",
       countOps<NVVM::CpAsyncCommitGroupOp>, erase, nullptr},
      {"fence-removed", "a fence is left out", countFences, erase, nullptr},
      {"warp-sync-removed", "a barrier of the warp is left out",
       countOps<NVVM::SyncWarpOp>, erase, nullptr},
      {"copy-removed", "a piece of a tile is not copied", countCopies, erase,
       nullptr},
      {"copy-always", "a copy does not look at its condition",
       countConditionalCopies, copyAlways, isAlwaysTaken, /*isOfValues=*/true},
      {"zero-fill-lost", "a copy reads all of its bytes", countZeroFills,
       readAll, nullptr, /*isOfValues=*/true},
      {"branch-always", "a branch is taken whatever its condition",
       countBranches, branchAlways, isAlwaysTaken, /*isOfValues=*/true},
  };
  return classes;
}
