//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels and their mutants on the simulated GPU, and says which mutants
// were noticed.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_MUTATE_MUTANTRUNNER_H
#define TOP_TEST_MUTATE_MUTANTRUNNER_H

#include "Mutants.h"
#include "SimulatedRuns.h"
#include "top/Execution/TensorInit.h"
#include <map>

namespace mlir::top::mutate {

/// What became of a mutant.
struct Verdict {
  unsigned runs = 0, caught = 0; ///< `caught` of `runs`
  /// How often by what: "shared-race", "wrong-numbers".
  std::map<std::string, unsigned> categories;
  std::string first; ///< fault, or wrong numbers, in words

  bool isCaught() const { return caught != 0; }
  /// Nothing was noticed since no value that the mistake changes was another
  /// one: with these inputs the mutant is the unbroken kernel.
  bool isIdle = false;
  /// Whether some run saw it by a check, and not by numbers alone.
  bool isFault() const;
  /// "in-flight 4, wrong-numbers 2, of 6 runs".
  std::string str() const;
};

/// A function whose kernels are mutated, with arguments. All runs are with
/// numbers alone; what they do not notice is tried with NaN among them.
class MutantRunner {
public:
  /// `function` is the one of layer ops, `kernels` the module that it was
  /// compiled to. Both must outlive this object. Fails after an error.
  static FailureOr<std::unique_ptr<MutantRunner>>
  create(func::FuncOp function, ModuleOp kernels, const GPUTarget &target,
         const Fill &fill, unsigned numSeeds);

  /// The kernels as they are: nothing may be caught.
  llvm::Expected<Verdict> runUnbroken();
  /// Fails where the mutant cannot be compiled, which says nothing.
  llvm::Expected<Verdict> runMutant(const Mutant &mutant);

private:
  MutantRunner() = default;
  /// Arguments, and what the function gives for them.
  struct Inputs {
    std::vector<Tensor> tensors;
    SmallVector<const Tensor *> arguments;
    std::optional<simulated::Expectation> expected;
  };

  /// Adds to `verdict`.
  llvm::Error run(simulated::SimulatedRuns &runs, Inputs &with,
                  Verdict &verdict);
  llvm::Expected<bool> isIdle(const Mutant &mutant);

  LogicalResult addInputs(func::FuncOp function, const Fill &fill,
                          bool withNaN);

  ModuleOp kernels;
  GPUTarget target;
  SmallVector<simulated::RunMode> modes;
  /// Numbers; and, with floats, the same with NaN at the head of every other
  /// row: what is read beyond the end of a row is then more than a number that
  /// is multiplied by 0.
  SmallVector<Inputs, 2> inputs;
};

/// The survivors that a file expects, by the names of the mutants, with the
/// reason why nothing can notice them: lines "// SURVIVES: NAME: REASON".
/// Fails at a line that is not so.
llvm::Expected<llvm::StringMap<std::string>> readSurvivors(StringRef text);

} // namespace mlir::top::mutate

#endif // TOP_TEST_MUTATE_MUTANTRUNNER_H
