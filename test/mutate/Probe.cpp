//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that tell whether a mutant changes anything: they compute what the
// unbroken ones do and, beside it, the value that the mistake would put in its
// place; where the two differ they store to address 0, which is a fault.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::top::mutate;

/// Stores to where nothing is if two integers differ.
static void createTrap(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Value differ =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, lhs, rhs);
  auto branch = scf::IfOp::create(b, loc, differ);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value nowhere = LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext(), /*addressSpace=*/1),
      zero);
  LLVM::StoreOp::create(b, loc, zero, nowhere);
}

/// The mistake changes operands of an op that does something.
static bool probeOperands(Operation *op, const Mutant &mutant) {
  const SmallVector<Value> before(op->getOperands());
  mutant.kind.apply(op, mutant.way);
  OpBuilder b(op);
  bool isProbed = false;
  for (auto [index, value] : llvm::enumerate(before)) {
    Value changed = op->getOperand(index);
    if (changed == value)
      continue;
    if (!value.getType().isIntOrIndex())
      return false;
    createTrap(b, op->getLoc(), changed, value);
    op->setOperand(index, value);
    isProbed = true;
  }
  return isProbed;
}

/// The mistake changes the value of an op that does nothing else.
static bool probeResult(Operation *op, const Mutant &mutant) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndex())
    return false;
  OpBuilder b(op);
  Operation *original = b.clone(*op);
  op->getResult(0).replaceAllUsesWith(original->getResult(0));
  // Stands for the uses that would see the changed value.
  b.setInsertionPointAfter(op);
  createTrap(b, op->getLoc(), op->getResult(0), original->getResult(0));
  mutant.kind.apply(op, mutant.way);
  return true;
}

bool top::mutate::applyProbe(ModuleOp module, const Mutant &mutant) {
  if (!mutant.kind.isOfValues)
    return false;
  Operation *op = findTarget(module, mutant);
  return isPure(op) ? probeResult(op, mutant) : probeOperands(op, mutant);
}
