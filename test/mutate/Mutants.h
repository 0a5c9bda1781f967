//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are broken on purpose: a mutant is a module at GPULevel::NVVM
// with one mistake of a known kind in one place. What kinds there are follows
// from what the emitters of lib/Conversion/TopTilesToNVVM write, not from what
// anything checks: a mutant that nobody notices is a check that is missing.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_MUTATE_MUTANTS_H
#define TOP_TEST_MUTATE_MUTANTS_H

#include "Ranges.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace mlir::top::mutate {

/// A kind of mistake.
struct MutantClass {
  StringRef name;
  StringRef summary;
  /// In how many ways `op`, which is in a kernel or launches one, can be broken
  /// so. 0 = in none.
  unsigned (*count)(Operation *op);
  /// Breaks `op` in the way number `way`. May erase it.
  void (*apply)(Operation *op, unsigned way);
  /// Whether the ranges of the values prove that this changes nothing; null =
  /// they never do.
  bool (*changesNothing)(Operation *op, unsigned way, const Ranges &ranges);
  /// Whether the mistake is one of values: those of one op, or of its operands.
  bool isOfValues = false;
};

/// All kinds: of synchronisation and copies, of bounds, of the layout of tiles.
std::vector<MutantClass> getMutantClasses();
ArrayRef<MutantClass> getSynchronizationClasses();
ArrayRef<MutantClass> getBoundClasses();
ArrayRef<MutantClass> getLayoutClasses();

/// One mistake in one place of a module.
struct Mutant {
  MutantClass kind;
  /// Among those of its kind, from 0.
  unsigned ordinal;
  /// Of its op in a walk of the module that visits an op before its regions.
  unsigned position;
  unsigned way;
  std::string function; ///< that it is in
  /// "matmul_kernel, op 57 in a loop: nvvm.barrier0".
  std::string where;

  /// "barrier-removed.2".
  std::string getName() const;
};

/// All mutants of a module, by kind and then by place; the same for the same
/// module. Without those that are proved to change nothing, whose number goes
/// to `numEquivalent`.
std::vector<Mutant> listMutants(ModuleOp module, unsigned &numEquivalent);

/// Makes the mistake in `module`, the one that was listed or a clone of it.
void applyMutant(ModuleOp module, const Mutant &mutant);

/// Instead of the mistake, makes `module` fault where the mistake would change
/// a value, and else do what the unbroken one does. If it never faults, the
/// mutant does the same as the unbroken kernels on these inputs. Returns false,
/// with a module that is of no use, where the mistake is not one of values.
bool applyProbe(ModuleOp module, const Mutant &mutant);

/// The op that is broken.
Operation *findTarget(ModuleOp module, const Mutant &mutant);

/// Helpers of the classes.
/// Whether `op` is a cp.async: an op of nvvm or the hand-written one.
bool isCopy(Operation *op);
/// Whether it is the hand-written one, which has a condition (operand 0).
bool isConditionalCopy(Operation *op);
/// The base of the pointer arithmetic that `pointer` ends.
Value getBasePointer(Value pointer);

} // namespace mlir::top::mutate

#endif // TOP_TEST_MUTATE_MUTANTS_H
