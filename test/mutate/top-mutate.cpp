//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-mutate: breaks the kernels of a file in every way that it knows, one at a
// time, and runs them on the simulated GPU, in all its modes. Each mutant must
// be noticed: by a fault, or by numbers that are not those of the reference.
//
//   top-mutate FILE                      all mutants
//   top-mutate FILE --sample=50 --seed=7 some of them
//   top-mutate FILE --list               what it would break
//   top-mutate FILE --print=NAME         the kernels of one mutant
//
// FILE has one function, of layer ops, all of whose values are exact. Mutants
// that nothing can notice are listed in it, with the reason:
//
//   // SURVIVES: clamp-removed.3: the mask of the store has been asked before
//
// Exit status 1 where one survives that is not listed, where one that is listed
// is caught, and where the kernels as they are do not run silently and right.
//
//===----------------------------------------------------------------------===//

#include "MutantRunner.h"
#include "ToolSupport.h"
#include "top/Execution/Reference.h"
#include "top/Execution/Runner.h"
#include "top/GPU/Compile/Compile.h"
#include "llvm/Support/MemoryBuffer.h"
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
static cl::opt<std::string>
    kernel("kernel", cl::value_desc("REGEX"), cl::cat(category),
           cl::desc("Mutants of the kernels, and of the launches in functions, "
                    "of a matching name (default: all)"));
static cl::opt<unsigned>
    sample("sample", cl::value_desc("N"), cl::init(0), cl::cat(category),
           cl::desc("Run N of the mutants, chosen at random (default: all)"));
static cl::opt<uint64_t> seed("seed", cl::value_desc("S"), cl::init(1),
                              cl::cat(category), cl::desc("Of the sample"));
static cl::opt<unsigned>
    seeds("sim-seeds", cl::value_desc("N"), cl::init(2), cl::cat(category),
          cl::desc("Seeds of the simulator in each of its three modes "
                   "(default: 2)"));
static cl::opt<std::string> fill("fill", cl::init("eighths"),
                                 cl::value_desc("int|eighths"),
                                 cl::desc("Values of the arguments"),
                                 cl::cat(category));
static cl::opt<bool> allowTF32("allow-tf32", cl::cat(category),
                               cl::desc("As for top-compile"));
static cl::opt<bool>
    quiet("quiet", cl::cat(category),
          cl::desc("Print only what is not as it should be, and the sums"));

static int usage(const Twine &text) { return reportUsage("top-mutate", text); }

/// A line a mutant, and how many there are.
static void list(ArrayRef<Mutant> mutants, unsigned numEquivalent) {
  for (const Mutant &mutant : mutants)
    llvm::outs() << mutant.getName() << ": " << mutant.where << '\n';
  llvm::outs() << mutants.size() << " mutants, " << numEquivalent
               << " more are the same kernel by the ranges of its values\n";
}

/// Keeps `sample` of the mutants, in their order.
static void takeSample(std::vector<Mutant> &mutants) {
  if (sample == 0 || sample >= mutants.size())
    return;
  SmallVector<size_t> indices;
  for (size_t i = 0; i < mutants.size(); ++i)
    indices.push_back(i);
  for (size_t i = 0; i < sample; ++i)
    std::swap(indices[i],
              indices[i + randomBits(seed, 0, i) % (indices.size() - i)]);
  indices.truncate(sample);
  llvm::sort(indices);
  std::vector<Mutant> taken;
  for (size_t index : indices)
    taken.push_back(std::move(mutants[index]));
  mutants = std::move(taken);
}

/// Runs everything. Returns the exit status.
static int run(MutantRunner &runner, ArrayRef<Mutant> mutants,
               unsigned numEquivalent,
               const llvm::StringMap<std::string> &survivors) {
  llvm::Expected<Verdict> unbroken = runner.runUnbroken();
  if (!unbroken || unbroken->isCaught()) {
    llvm::errs() << "top-mutate: error: the kernels as they are: "
                 << (unbroken ? unbroken->first
                              : llvm::toString(unbroken.takeError()))
                 << '\n';
    return kRefused;
  }
  unsigned caught = 0, byNumbers = 0, sometimes = 0, idle = 0, survived = 0,
           wrong = 0;
  auto report = [&](const Mutant &mutant, StringRef word, const Twine &text) {
    llvm::outs() << word << ' ' << mutant.getName() << ": " << text << "\n    "
                 << mutant.where << '\n';
  };
  for (const Mutant &mutant : mutants) {
    llvm::Expected<Verdict> verdict = runner.runMutant(mutant);
    auto survivor = survivors.find(mutant.getName());
    const bool isListed = survivor != survivors.end();
    if (!verdict) {
      ++wrong;
      report(mutant, "NOT RUN", llvm::toString(verdict.takeError()));
    } else if (verdict->isIdle && !isListed) {
      ++idle;
      if (!quiet)
        report(mutant, "idle", "no value is another one with these inputs");
    } else if (verdict->isCaught() || verdict->isIdle ? isListed : !isListed) {
      ++wrong;
      report(mutant,
             !isListed         ? "SURVIVED"
             : verdict->isIdle ? "IDLE, though listed"
                               : "CAUGHT, though listed",
             isListed ? verdict->str() + "; " + verdict->first
                      : "no run noticed it");
    } else if (isListed) {
      ++survived;
      if (!quiet)
        report(mutant, "survived", survivor->second);
    } else {
      ++caught;
      byNumbers += !verdict->isFault();
      sometimes += verdict->caught < verdict->runs;
      if (!quiet)
        report(mutant, "caught", verdict->str() + "; " + verdict->first);
    }
  }
  llvm::outs() << mutants.size() << " mutants: " << caught << " caught, "
               << byNumbers << " of them by wrong numbers alone and "
               << sometimes << " in some runs only; " << idle
               << " change no value with these inputs, " << survived
               << " survived as listed, " << wrong << " not as they should; "
               << numEquivalent << " more are the same kernel\n";
  return wrong != 0 ? kRefused : 0;
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
  auto toPattern = [](const std::string &text) {
    return llvm::Regex(text.empty() ? std::string(".") : text);
  };
  const llvm::Regex pattern = toPattern(only),
                    kernelPattern = toPattern(kernel);
  std::string error;
  if (!pattern.isValid(error))
    return usage("cannot read '--only': " + error);
  if (!kernelPattern.isValid(error))
    return usage("cannot read '--kernel': " + error);
  std::optional<Fill> values = Fill::parse(fill);
  if (!values)
    return usage("unknown fill '" + fill + "', expected int or eighths");
  CompileOptions options;
  options.target = *target;
  options.allowTF32 = allowTF32;

  auto buffer = llvm::MemoryBuffer::getFile(inputFile);
  if (!buffer)
    return usage("cannot open '" + inputFile +
                 "': " + buffer.getError().message());
  llvm::Expected<llvm::StringMap<std::string>> survivors =
      readSurvivors((*buffer)->getBuffer());
  if (!survivors)
    return usage(llvm::toString(survivors.takeError()));
  DialectRegistry registry;
  registerCompileDialects(registry);
  registerExecutionDialects(registry);
  InputFile file(registry);
  if (int status = file.load("top-mutate", inputFile))
    return status;
  ModuleOp module = file.getModule();
  auto functions = module.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return usage("expected one function in '" + inputFile + "'");
  if (std::optional<std::string> reason = whyNotPlain(*functions.begin()))
    return usage("expected a function of plain top ops in '" + inputFile +
                 "', " + *reason);
  OwningOpRef<ModuleOp> kernels = module.clone();
  if (failed(compileToLevel(*kernels, options, GPULevel::NVVM)))
    return kRefused;

  unsigned numEquivalent = 0;
  std::vector<Mutant> mutants = listMutants(*kernels, numEquivalent);
  auto isThere = [&](StringRef name) {
    return llvm::any_of(mutants, [&](const Mutant &mutant) {
      return mutant.getName() == name;
    });
  };
  for (const auto &survivor : *survivors)
    if (!isThere(survivor.getKey()))
      return usage("no mutant '" + survivor.getKey() +
                   "', which the file lists as a survivor");
  if (printName.getNumOccurrences()) {
    for (const Mutant &mutant : mutants)
      if (mutant.getName() == printName) {
        applyMutant(*kernels, mutant);
        kernels->print(llvm::outs());
        llvm::outs() << '\n';
        return 0;
      }
    return usage("no mutant '" + printName + "' of this file; try --list");
  }
  llvm::erase_if(mutants, [&](const Mutant &mutant) {
    return !pattern.match(mutant.getName()) ||
           !kernelPattern.match(mutant.function);
  });
  takeSample(mutants);
  if (listOnly) {
    list(mutants, numEquivalent);
    return 0;
  }
  FailureOr<std::unique_ptr<MutantRunner>> runner = MutantRunner::create(
      *functions.begin(), *kernels, *target, *values, seeds);
  if (failed(runner))
    return kRefused;
  return run(**runner, mutants, numEquivalent, *survivors);
}
