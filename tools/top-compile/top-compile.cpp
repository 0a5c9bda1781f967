//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-compile: layer ops to PTX. Reads the flags; the work is done in
// lib/GPU/Compile.
//
//===----------------------------------------------------------------------===//

#include "ToolSupport.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/FileUtilities.h"
#include "top/GPU/Compile/Compile.h"
#include "top/Target/Ptxas.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::top;
namespace cl = llvm::cl;

static cl::OptionCategory category("top-compile options");

/// LLVM's code generator registers a flag 'stop-after' of its own in every
/// program that links it. Ours takes the name; before it is registered, since
/// two of one name stop the program.
static const bool isNameFree = [] {
  auto &options = cl::getRegisteredOptions();
  auto other = options.find("stop-after");
  if (other != options.end())
    other->second->removeArgument();
  return true;
}();

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE"),
                                      cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::value_desc("OUT"),
                                       cl::init("-"), cl::cat(category),
                                       cl::desc("Output (default: stdout)"));
static cl::opt<std::string>
    chip("chip", cl::value_desc("CHIP"), cl::cat(category),
         cl::desc("Architecture: sm_80, sm_86, sm_89, sm_90 or sm_90a"));
static cl::opt<std::string>
    card("card", cl::value_desc("CARD"), cl::cat(category),
         cl::desc("Card: a100, a10, l4, h100-sxm or h200 (default: a usual one "
                  "of the chip)"));
static cl::opt<unsigned>
    ptxVersion("ptx-version", cl::value_desc("80"), cl::init(0),
               cl::cat(category),
               cl::desc("PTX version, 80 for 8.0 (default: the chip's lowest, "
                        "but at least 8.0)"));
static cl::opt<std::string>
    tile("tile", cl::value_desc("OPTIONS"), cl::cat(category),
         cl::desc("Options of top-tile, which is then run on the layer ops"));
enum class Emit { Top, Linalg, Tiles, NVVM, LLVM, PTX, Cubin };
static cl::opt<Emit> emit(
    "emit", cl::init(Emit::PTX), cl::cat(category),
    cl::desc("What to write (default: ptx)"),
    cl::values(clEnumValN(Emit::Top, "top", "layer ops with schedules"),
               clEnumValN(Emit::Linalg, "linalg", "linalg on tensors"),
               clEnumValN(Emit::Tiles, "tiles", "tile ops, all levels cut"),
               clEnumValN(Emit::NVVM, "nvvm", "kernels of nvvm ops"),
               clEnumValN(Emit::LLVM, "llvm", "kernels in the LLVM dialect"),
               clEnumValN(Emit::PTX, "ptx", "PTX"),
               clEnumValN(Emit::Cubin, "cubin", "what ptxas makes of it")));
static cl::opt<std::string>
    stopAfter("stop-after", cl::value_desc("PASS"), cl::cat(category),
              cl::desc("Write the IR behind this pass"));
static cl::opt<std::string>
    planFile("plan", cl::value_desc("OUT.json"), cl::cat(category),
             cl::desc("Write the launch plan: how to run the PTX"));
static cl::opt<bool>
    report("report", cl::cat(category),
           cl::desc("Print a line a kernel: tiles, needs, bounds. The PTX is "
                    "then written only with -o"));
static cl::opt<bool>
    allowTF32("allow-tf32", cl::cat(category),
              cl::desc("Tensor cores may round f32 operands to tf32"));
static cl::opt<bool> assignLayouts(
    "assign-layouts", cl::cat(category), cl::init(true),
    cl::desc("Run top-assign-layouts first: what goes from convolution to "
             "convolution lies channels last where that is faster (default: "
             "true)"));
static cl::list<std::string> without(
    "without", cl::value_desc("PASS"), cl::cat(category), cl::CommaSeparated,
    cl::desc("Leave out top-promote-shared, top-multi-buffer, top-swizzle, "
             "top-tile-to-warps or top-prefetch-fragments: the kernel is "
             "right, and slower"));

static int usage(const llvm::Twine &text) {
  return reportUsage("top-compile", text);
}

/// Fills `options` from the flags; an error's text where they make no sense.
static std::optional<std::string> readOptions(CompileOptions &options) {
  llvm::Expected<GPUTarget> target = lookupTarget(chip, card);
  if (!target)
    return llvm::toString(target.takeError());
  options.target = *target;
  const unsigned wanted =
      ptxVersion ? ptxVersion : getDefaultPtxVersion(target->arch);
  llvm::Expected<unsigned> version = selectPtxVersionHere(target->arch, wanted);
  if (!version)
    return llvm::toString(version.takeError());
  options.ptxVersion = *version;
  options.tile = tile;
  std::string tileError;
  if (!createTilePass(tile, tileError))
    return "cannot read the options of '--tile': " + tileError;
  options.allowTF32 = allowTF32;
  options.assignLayouts = assignLayouts;
  for (StringRef pass : without) {
    bool *flag = llvm::StringSwitch<bool *>(pass)
                     .Case("top-promote-shared", &options.promote)
                     .Case("top-multi-buffer", &options.multiBuffer)
                     .Case("top-swizzle", &options.swizzle)
                     .Case("top-tile-to-warps", &options.warps)
                     .Case("top-prefetch-fragments", &options.prefetch)
                     .Default(nullptr);
    if (!flag)
      return "cannot leave out '" + pass.str() +
             "', expected top-promote-shared, top-multi-buffer, top-swizzle, "
             "top-tile-to-warps or top-prefetch-fragments";
    *flag = false;
  }
  SmallVector<StringRef> passes = getCompilePasses(options);
  if (!stopAfter.empty() && !llvm::is_contained(passes, stopAfter))
    return "no pass '" + stopAfter +
           "' is run; '--stop-after' takes one of: " + llvm::join(passes, ", ");
  return std::nullopt;
}

/// Writes all of `text`, or nothing.
static int write(StringRef path, StringRef text) {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
  if (!file)
    return usage(error);
  file->os() << text;
  file->keep();
  return 0;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << '\n';
  return text;
}

/// Assembles `ptx`; the cubin's bytes go to `cubin` if that is not null.
static llvm::Expected<PtxasReport> assemble(StringRef ptx, StringRef chip,
                                            std::string *cubin) {
  std::optional<std::string> ptxas = findPtxas();
  if (!ptxas)
    return llvm::createStringError(
        "found no ptxas on PATH, in CUDA_HOME or in /usr/local/cuda");
  SmallString<128> ptxFile, cubinFile;
  auto failed = [](std::error_code code) {
    return llvm::createStringError(code, "cannot make a temporary file");
  };
  if (auto code = llvm::sys::fs::createTemporaryFile("top", "ptx", ptxFile))
    return failed(code);
  llvm::FileRemover removePtx(ptxFile);
  if (auto code = llvm::sys::fs::createTemporaryFile("top", "cubin", cubinFile))
    return failed(code);
  llvm::FileRemover removeCubin(cubinFile);
  std::error_code code;
  {
    llvm::raw_fd_ostream os(ptxFile, code);
    if (code)
      return failed(code);
    os << ptx;
  }
  llvm::Expected<PtxasReport> info = runPtxas(*ptxas, ptxFile, chip, cubinFile);
  if (info && cubin) {
    auto buffer = llvm::MemoryBuffer::getFile(cubinFile, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return failed(buffer.getError());
    *cubin = (*buffer)->getBuffer().str();
  }
  return info;
}

static int compile(ModuleOp module, const CompileOptions &options) {
  const bool needsKernels = emit >= Emit::NVVM || !planFile.empty() || report;
  if (!stopAfter.empty() || !needsKernels) {
    const GPULevel level = emit == Emit::Top      ? GPULevel::Top
                           : emit == Emit::Linalg ? GPULevel::Linalg
                                                  : GPULevel::Tiles;
    if (failed(compileToLevel(module, options, level, stopAfter)))
      return kRefused;
    return write(outputFile, print(module));
  }

  SmallVector<ScheduledProblem> problems;
  if (failed(compileToLevel(module, options, GPULevel::NVVM, "", &problems)))
    return kRefused;
  if (emit == Emit::NVVM && planFile.empty() && !report)
    return write(outputFile, print(module));
  // The plan is made in any case: what it cannot do would be missing from the
  // kernels.
  FailureOr<std::vector<LaunchPlan>> plans = buildLaunchPlans(module);
  FailureOr<std::string> ptx = translateKernelsToPTX(module);
  if (failed(plans) || failed(ptx))
    return kRefused;

  std::string text = *ptx;
  if (emit == Emit::LLVM) {
    FailureOr<OwningOpRef<ModuleOp>> kernels = lowerKernelsToLLVM(module);
    if (failed(kernels))
      return kRefused;
    text = print(**kernels);
  } else if (emit == Emit::NVVM) {
    text = print(module);
  }
  std::optional<PtxasReport> actual;
  if (emit == Emit::Cubin || (report && findPtxas())) {
    std::string cubin;
    llvm::Expected<PtxasReport> info =
        assemble(*ptx, options.target.arch.chip, &cubin);
    if (!info)
      return usage(llvm::toString(info.takeError()));
    actual = std::move(*info);
    if (emit == Emit::Cubin)
      text = cubin;
  }
  if (report)
    for (const KernelReport &kernel :
         reportKernels(module, options, problems, actual ? &*actual : nullptr))
      printReport(llvm::outs(), kernel);
  if (!planFile.empty()) {
    std::string json;
    llvm::raw_string_ostream(json) << llvm::formatv("{0:2}\n", toJSON(*plans));
    if (int status = write(planFile, json))
      return status;
  }
  if (report && outputFile == "-")
    return 0;
  return write(outputFile, text);
}

/// Whether there is an op that a kernel can come from.
static bool hasWork(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<Conv2DOp, MatMulOp>(op) || ScheduleAttr::getFrom(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

int main(int argc, char **argv) {
  (void)isNameFree;
  if (!parseCommandLine("top-compile", argc, argv,
                        "compiles layer ops to PTX\n", category))
    return kUsage;
  if (inputFile.empty())
    return usage("no input file; try --help");
  if (chip.empty() && card.empty())
    return usage("expected --chip=CHIP or --card=CARD");
  CompileOptions options;
  if (std::optional<std::string> error = readOptions(options))
    return usage(*error);

  DialectRegistry registry;
  registerCompileDialects(registry);
  InputFile file(registry);
  if (int status = file.load("top-compile", inputFile))
    return status;
  if (!hasWork(file.getModule())) {
    llvm::errs() << "top-compile: error: '" << inputFile
                 << "' has no layer op (top.MatMul or top.Conv2D)\n";
    return kRefused;
  }
  return compile(file.getModule(), options);
}
