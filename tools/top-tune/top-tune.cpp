//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-tune: the schedules of a file's layer ops. Reads the flags; the work is
// done in lib/Tuning.
//
//===----------------------------------------------------------------------===//

#include "ToolSupport.h"
#include "mlir/InitAllDialects.h"
#include "top/InitAll.h"
#include "top/Tuning/SearchSpace.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;
namespace cl = llvm::cl;

static cl::OptionCategory category("top-tune options");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE"),
                                      cl::cat(category));
static cl::opt<std::string>
    chip("chip", cl::value_desc("CHIP"), cl::cat(category),
         cl::desc("Architecture: sm_80, sm_86, sm_89, sm_90 or sm_90a"));
static cl::opt<std::string>
    card("card", cl::value_desc("CARD"), cl::cat(category),
         cl::desc("Card: a100, a10, l4, h100-sxm or h200 (default: a usual one "
                  "of the chip)"));
static cl::opt<bool>
    list("list", cl::cat(category),
         cl::desc("List, for each layer op, the schedules that fit and those "
                  "that cannot run, with the reason"));

static int usage(const llvm::Twine &text) {
  return reportUsage("top-tune", text);
}

int main(int argc, char **argv) {
  if (!parseCommandLine("top-tune", argc, argv,
                        "lists the schedules of layer ops\n", category))
    return kUsage;
  if (inputFile.empty())
    return usage("no input file; try --help");
  if (!list)
    return usage("expected --list, which is all that this tool does as yet");
  if (chip.empty() && card.empty())
    return usage("expected --chip=CHIP or --card=CARD");
  llvm::Expected<GPUTarget> target = lookupTarget(chip, card);
  if (!target)
    return usage(llvm::toString(target.takeError()));

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllTopDialects(registry);
  InputFile file(registry);
  if (int status = file.load("top-tune", inputFile))
    return status;

  bool hasLayers = false;
  WalkResult result = file.getModule().walk([&](Operation *op) {
    if (!isa<Conv2DOp, MatMulOp>(op))
      return WalkResult::advance();
    hasLayers = true;
    return succeeded(listSchedules(op, *target, llvm::outs()))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return kRefused;
  if (!hasLayers) {
    llvm::errs() << "top-tune: error: '" << inputFile
                 << "' has no layer op (top.MatMul or top.Conv2D)\n";
    return kRefused;
  }
  return 0;
}
