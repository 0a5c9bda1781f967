//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-mutate: breaks the kernels of a file in every way that it knows, one at a
// time.
//
//   top-mutate FILE --chip=sm_80 --list          what it would break
//   top-mutate FILE --chip=sm_80 --print=NAME    the kernels of one mutant
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "ToolSupport.h"
#include "top/GPU/Compile/Compile.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::mutate;
namespace cl = llvm::cl;

static cl::OptionCategory category("top-mutate options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE"),
                                      cl::cat(category));
static cl::opt<std::string> chip("chip", cl::value_desc("CHIP"),
                                 cl::init("sm_80"), cl::cat(category),
                                 cl::desc("Architecture (default: sm_80)"));
static cl::opt<bool> listOnly("list", cl::cat(category),
                              cl::desc("Only list the mutants"));
static cl::opt<std::string> printName("print", cl::value_desc("NAME"),
                                      cl::cat(category),
                                      cl::desc("Only print a mutant's IR"));
static cl::opt<std::string>
    only("only", cl::value_desc("REGEX"), cl::cat(category),
         cl::desc("Mutants whose name matches (default: all)"));

static int usage(const Twine &text) { return reportUsage("top-mutate", text); }

/// A line a mutant, and how many there are.
static void list(ArrayRef<Mutant> mutants, unsigned numEquivalent) {
  for (const Mutant &mutant : mutants)
    llvm::outs() << mutant.getName() << ": " << mutant.where << '\n';
  llvm::outs() << mutants.size() << " mutants, " << numEquivalent
               << " more are the same kernel by the ranges of its values\n";
}

int main(int argc, char **argv) {
  if (!parseCommandLine("top-mutate", argc, argv,
                        "breaks kernels on purpose, one mistake at a time\n",
                        category))
    return kUsage;
  if (inputFile.empty())
    return usage("no input file; try --help");
  llvm::Expected<GPUTarget> target = lookupTarget(chip);
  if (!target)
    return usage(llvm::toString(target.takeError()));
  llvm::Regex pattern(only.empty() ? std::string(".") : only);
  std::string error;
  if (!pattern.isValid(error))
    return usage("cannot read '--only': " + error);
  CompileOptions options;
  options.target = *target;

  DialectRegistry registry;
  registerCompileDialects(registry);
  InputFile file(registry);
  if (int status = file.load("top-mutate", inputFile))
    return status;
  ModuleOp module = file.getModule();
  if (failed(compileToLevel(module, options, GPULevel::NVVM)))
    return kRefused;

  unsigned numEquivalent = 0;
  std::vector<Mutant> mutants = listMutants(module, numEquivalent);
  if (printName.getNumOccurrences()) {
    for (const Mutant &mutant : mutants)
      if (mutant.getName() == printName) {
        applyMutant(module, mutant);
        module.print(llvm::outs());
        llvm::outs() << '\n';
        return 0;
      }
    return usage("no mutant '" + printName + "' of this file; try --list");
  }
  llvm::erase_if(mutants, [&](const Mutant &mutant) {
    return !pattern.match(mutant.getName());
  });
  if (listOnly) {
    list(mutants, numEquivalent);
    return 0;
  }
  return usage("expected --list or --print");
}
