//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-run: runs a function of a file and compares it with its reference. Reads
// the flags; the work is done in lib/Execution.
//
//===----------------------------------------------------------------------===//

#include "ToolSupport.h"
#include "top/Execution/Session.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;
namespace cl = llvm::cl;

static cl::OptionCategory category("top-run options");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE"),
                                      cl::cat(category));
static cl::opt<std::string>
    referenceFile("reference", cl::value_desc("FILE"), cl::cat(category),
                  cl::desc("The untiled or untouched file; its function of the "
                           "same name says what is right. Implies --verify"));
static cl::opt<std::string>
    functionName("function", cl::value_desc("NAME"), cl::cat(category),
                 cl::desc("Function to run; may be left out where the file has "
                          "one public function"));
static cl::opt<std::string> target("target", cl::value_desc("cpu|sim|gpu"),
                                   cl::init("cpu"),
                                   cl::desc("Where to run (default: cpu)"),
                                   cl::cat(category));
static cl::opt<bool>
    verifyResults("verify", cl::cat(category),
                  cl::desc("Compare the results with the reference; without "
                           "--reference, a function of plain top ops is its "
                           "own reference, evaluated by loops in double"));
static cl::opt<uint64_t>
    seed("seed", cl::value_desc("N"), cl::init(0),
         cl::desc("Seed of all random values (default: 0)"), cl::cat(category));
static cl::opt<std::string>
    fill("fill", cl::value_desc("int|normal|eighths|ones|const:X"),
         cl::init("int"), cl::cat(category),
         cl::desc("Values of the arguments (default: int, integers in "
                  "[-4, 4]; with --bench on a GPU normal, since what is "
                  "multiplied decides its clock)"));
static cl::opt<bool> randomizeConstants(
    "randomize-constants", cl::cat(category),
    cl::desc("Replace weights by random values, in both files alike; which "
             "constants are weights follows from what reads them in the "
             "reference"));
static cl::list<std::string>
    argumentShapes("arg-shape", cl::value_desc("I:2x3x7x5"), cl::cat(category),
                   cl::desc("Shape of argument I (from 0), for a dynamic one"));
static cl::opt<std::string>
    guard("guard", cl::value_desc("nan"), cl::cat(category),
          cl::desc("Put NaN round and into all buffers, and check that nothing "
                   "is written outside of them"));
static cl::opt<int64_t>
    samples("samples", cl::value_desc("N"), cl::init(0), cl::cat(category),
            cl::desc("Compare a random sample of N elements of each result "
                     "(default: all, or fewer where evaluating all takes more "
                     "than 2^28 products or 2^23 elements)"));
static cl::opt<bool> print("print", cl::cat(category),
                           cl::desc("Print arguments and results"));
static cl::opt<int64_t>
    repeats("repeats", cl::value_desc("N"), cl::init(1), cl::cat(category),
            cl::desc("Run N times; all must give the same bits (default: 1)"));
static cl::opt<bool>
    bench("bench", cl::cat(category),
          cl::desc("Time the function: mean, P50, P95 and min of its calls, or "
                   "on a GPU of replays of a graph of calls"));
static cl::opt<std::string> jsonFile("json", cl::value_desc("OUT"),
                                     cl::desc("Write a report as JSON"),
                                     cl::cat(category));

static cl::opt<std::string> chip(
    "chip", cl::value_desc("CHIP"), cl::cat(category),
    cl::desc("Architecture to compile for, with --target=gpu (default: the "
             "device's own) or sim (default: sm_80)"));

static cl::opt<std::string>
    baseline("baseline", cl::value_desc("cublas"), cl::cat(category),
             cl::desc("With --bench on a GPU: library to time as well, in "
                      "turns with ours; for a function of one top.MatMul"));

static cl::opt<uint64_t>
    simSeed("sim-seed", cl::value_desc("N"), cl::init(1), cl::cat(category),
            cl::desc("With --target=sim: decides the order of warps and when "
                     "asynchronous copies arrive (default: 1)"));
static cl::opt<std::string> simMode(
    "sim-mode", cl::value_desc("eager|lazy|random"), cl::init("random"),
    cl::cat(category),
    cl::desc("With --target=sim: asynchronous copies arrive at once, as "
             "late as their waits let them, or between the two "
             "(default: random)"));
static cl::opt<unsigned>
    simWorkers("sim-workers", cl::value_desc("N"), cl::init(0),
               cl::cat(category),
               cl::desc("With --target=sim: blocks that run side by side "
                        "(default: as many as there are cores)"));
static cl::opt<bool>
    simReport("sim-report", cl::cat(category),
              cl::desc("With --target=sim: print what the kernels moved and "
                       "computed, and where bank conflicts are"));

static int usage(const llvm::Twine &text) {
  return reportUsage("top-run", text);
}

int main(int argc, char **argv) {
  if (!parseCommandLine("top-run", argc, argv,
                        "runs a function and compares it with its reference\n",
                        category))
    return kUsage;

  RunRequest request;
  if (inputFile.empty())
    return usage("no input file; try --help");
  if (target != "cpu" && target != "gpu" && target != "sim")
    return usage("unknown target '" + target + "', expected cpu, sim or gpu");
  SmallVector<const cl::Option *> others;
  if (target != "sim")
    others.append({&simSeed, &simMode, &simWorkers, &simReport});
  if (target != "gpu")
    others.push_back(&baseline);
  if (target == "cpu")
    others.push_back(&chip);
  for (const cl::Option *option : others)
    if (option->getNumOccurrences())
      return usage("'--" + option->ArgStr +
                   "' has no meaning with --target=" + target);
  if (bench && target == "sim")
    return usage("'--bench' has no meaning with --target=sim: the time that a "
                 "simulator takes says nothing of a GPU");
  auto mode = llvm::StringSwitch<std::optional<sim::CompletionMode>>(simMode)
                  .Case("eager", sim::CompletionMode::Eager)
                  .Case("lazy", sim::CompletionMode::Lazy)
                  .Case("random", sim::CompletionMode::Random)
                  .Default(std::nullopt);
  if (!mode)
    return usage("unknown mode '" + simMode +
                 "', expected eager, lazy or random");
  if (baseline.getNumOccurrences() && baseline != "cublas")
    return usage("unknown baseline '" + baseline + "', expected cublas");
  if (baseline.getNumOccurrences() && !bench)
    return usage("'--baseline' needs --bench");
  if (chip.getNumOccurrences() && chip.empty())
    return usage("'--chip' is empty");
  if (repeats < 1)
    return usage("expected '--repeats' to be at least 1, got " +
                 llvm::Twine(repeats));
  const bool isTimedOnGPU = bench && target == "gpu";
  if (isTimedOnGPU && !fill.getNumOccurrences())
    fill = "normal";
  std::optional<Fill> parsedFill = Fill::parse(fill);
  if (!parsedFill)
    return usage("unknown fill '" + fill +
                 "', expected int, normal, eighths, ones or const:X");
  if (isTimedOnGPU && parsedFill->kind == Fill::Const && parsedFill->value == 0)
    return usage("'--bench' on zeros says nothing of a GPU, which is faster on "
                 "them; leave '--fill' out");
  if (guard.getNumOccurrences() && guard != "nan")
    return usage("unknown guard '" + guard + "', expected nan");
  if (samples.getNumOccurrences() && samples < 1)
    return usage("expected '--samples' to be at least 1, got " +
                 llvm::Twine(samples));
  if (referenceFile.getNumOccurrences() && referenceFile.empty())
    return usage("'--reference' is empty");
  if (functionName.getNumOccurrences() && functionName.empty())
    return usage("'--function' is empty");
  if (jsonFile.getNumOccurrences() && jsonFile.empty())
    return usage("'--json' is empty");
  for (const std::string &text : argumentShapes) {
    auto shape = parseArgumentShape(text);
    if (!shape)
      return usage("cannot read --arg-shape=" + text +
                   ", expected an argument's number and its extents as in "
                   "0:2x3x7x5");
    if (!request.argumentShapes.insert(*shape).second)
      return usage("--arg-shape gives argument " + llvm::Twine(shape->first) +
                   " twice");
  }
  request.target = target == "gpu"   ? RunTarget::GPU
                   : target == "sim" ? RunTarget::Sim
                                     : RunTarget::CPU;
  request.simulation.mode = *mode;
  request.simulation.seed = simSeed;
  request.simulation.workers = simWorkers;
  request.simulationReport = simReport;
  request.chip = chip;
  request.repeats = repeats;
  request.inputFile = inputFile;
  request.referenceFile = referenceFile;
  request.function = functionName;
  request.verify = verifyResults;
  request.print = print;
  request.bench = bench;
  request.cublas = baseline == "cublas";
  request.guard = guard == "nan";
  request.randomizeConstants = randomizeConstants;
  request.samples = samples;
  request.seed = seed;
  request.fill = *parsedFill;
  request.jsonFile = jsonFile;
  return static_cast<int>(executeRequest(request, llvm::outs(), llvm::errs()));
}
