//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `top-run` does, as functions: choose a function, make its arguments,
// run it, compare it with its reference, and report. The tool's main reads the
// flags and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_SESSION_H
#define TOP_EXECUTION_SESSION_H

#include "top/Execution/Compare.h"
#include "top/Execution/Runner.h"
#include "top/Execution/TensorInit.h"
#include "top/Execution/TileMap.h"
#include "top/Simulation/Machine.h"

#include <map>

namespace mlir::top {

/// Exit statuses of the tools.
enum class ExitStatus {
  Success = 0,
  Failure = 1,  ///< wrong numbers, or IR that is refused
  Usage = 2,    ///< a flag, a file name or a function name
  NoDevice = 3, ///< the target is not there
};

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// What the results of one function are compared with.
struct VerifyOptions {
  SampleOptions sample;
  /// The inputs are integers (Fill::isInteger); see compareTensors.
  bool integers = false;
  /// Applied to the reference's constants; must be those that the tested
  /// function was compiled with.
  ConstantOptions constants;
};

/// The outcome of comparing all results of a function.
struct Verification {
  std::vector<Comparison> results;
  /// Where a result is wrong: the tile that computed its first wrong element.
  std::vector<Tile> tiles;
  bool evaluated = false; ///< by loops in double, not by compiled code
  /// Why a compiled reference was not run in double as well.
  std::string notInDouble;

  bool isRight() const;
};

/// A reference that is ready to be compared with: evaluated where the function
/// is plain `top`, else lowered by upstream's passes and run.
class PreparedReference {
public:
  /// Fails, with one error, where the arguments do not fit the function (an
  /// input that is too small, say), or the function cannot be evaluated or
  /// lowered. `module` is not changed; it and `args` must outlive the result.
  static FailureOr<PreparedReference> create(ModuleOp module,
                                             StringRef function,
                                             ArrayRef<const Tensor *> args,
                                             const VerifyOptions &options);

  bool isEvaluated() const { return evaluated.has_value(); }
  /// Products of the function; 0 where it is not evaluated.
  double getTotalProducts() const;
  unsigned getNumResults() const;
  StringRef whyNotInDouble() const { return notInDouble; }
  Comparison compare(unsigned result, const Tensor &got);

private:
  VerifyOptions options;
  OwningOpRef<ModuleOp> clone;
  std::vector<Tensor> constants;
  std::optional<ReferenceFunction> evaluated;
  LogicalResult compute(ModuleOp module, StringRef function,
                        ArrayRef<const Tensor *> args);

  /// Of a compiled reference, with its own roundings. For a function with
  /// 16-bit types the values are f64, and only those of tensors are rounded:
  /// our sums are in f32, whatever the file's are in.
  std::vector<Tensor> computed;
  std::vector<Tensor> exact; ///< the same in double; empty where not possible
  SmallVector<TensorSignature> signature;
  std::string notInDouble;
};

/// Compares `got` with the reference, and finds the tiles of `tested` that are
/// wrong. Fails, with one error, where the numbers of results differ.
FailureOr<Verification> verify(func::FuncOp tested, ArrayRef<Tensor> got,
                               PreparedReference &reference,
                               ArrayRef<const Tensor *> args);

/// `FAIL <function> result <i> element [..] got .. expected .. tile [..]
/// pads [..]` for the first wrong result.
std::string formatFailure(StringRef function, ArrayRef<Tensor> got,
                          const Verification &verification);

//===----------------------------------------------------------------------===//
// The tool
//===----------------------------------------------------------------------===//

enum class RunTarget { CPU, GPU, Sim };

struct CudaFunctions;
struct CublasFunctions;
struct NvmlFunctions;

/// The command line of `top-run`, read.
struct RunRequest {
  RunTarget target = RunTarget::CPU;
  std::string chip; ///< empty = the device's own, sm_80 for the simulated one
  sim::MachineOptions simulation;
  bool simulationReport = false;
  /// How often the function is run; every run must give the bits of the first.
  int64_t repeats = 1;
  /// Instead of the libraries'; for tests. Without a driver's functions those
  /// of the others are looked for.
  const CudaFunctions *cudaFunctions = nullptr;
  const CublasFunctions *cublasFunctions = nullptr;
  const NvmlFunctions *nvmlFunctions = nullptr;
  std::string inputFile;
  std::string referenceFile; ///< empty = none
  std::string function;      ///< empty = the only public one
  bool verify = false;
  bool print = false;
  bool bench = false;
  /// Times cuBLAS as well; needs `bench` and the GPU.
  bool cublas = false;
  bool guard = false;
  bool randomizeConstants = false;
  int64_t samples = 0; ///< 0 = as SampleOptions
  uint64_t seed = 0;
  Fill fill;
  std::map<unsigned, SmallVector<int64_t>> argumentShapes;
  std::string jsonFile; ///< empty = none
};

/// Runs the request: results go to `os`, errors to `errors`, each in one line.
ExitStatus executeRequest(const RunRequest &request, raw_ostream &os,
                          raw_ostream &errors);

/// Reads `I:2x3x7x5`, the shape of argument I.
std::optional<std::pair<unsigned, SmallVector<int64_t>>>
parseArgumentShape(StringRef text);

} // namespace mlir::top

#endif // TOP_EXECUTION_SESSION_H
