//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Ptxas.h. The texts read here are those of ptxas 11.0 to 13.0.
//
//===----------------------------------------------------------------------===//

#include "top/Target/Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::top;
using llvm::StringRef;
using llvm::Twine;

/// A ptxas that does not come back is not waited for any longer.
static constexpr unsigned kTimeoutSeconds = 600;

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

std::optional<std::string> top::findPtxas() {
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  auto inBin = [](StringRef root) -> std::optional<std::string> {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, "bin", "ptxas");
    if (!llvm::sys::fs::can_execute(path))
      return std::nullopt;
    return path.str().str();
  };
  std::optional<std::string> home = llvm::sys::Process::GetEnv("CUDA_HOME");
  if (home && !home->empty())
    if (std::optional<std::string> path = inBin(*home))
      return path;
  return inBin("/usr/local/cuda");
}

unsigned top::getPtxVersionOfCuda(unsigned major, unsigned minor) {
  // PTX ISA, "Release History": the CUDA release that brought each version.
  // 12.6 brought none, nor did 12.7 go out to the public.
  struct Row {
    unsigned cudaMajor, cudaMinor, ptx;
  };
  static constexpr Row table[] = {
      {11, 0, 70}, {11, 1, 71}, {11, 2, 72}, {11, 3, 73}, {11, 4, 74},
      {11, 5, 75}, {11, 6, 76}, {11, 7, 77}, {11, 8, 78}, {12, 0, 80},
      {12, 1, 81}, {12, 2, 82}, {12, 3, 83}, {12, 4, 84}, {12, 5, 85},
      {12, 7, 86}, {12, 8, 87}, {12, 9, 88}, {13, 0, 90}, {13, 1, 91},
  };
  unsigned ptx = 0;
  for (const Row &row : table)
    if (std::pair(row.cudaMajor, row.cudaMinor) <= std::pair(major, minor))
      ptx = row.ptx;
  return ptx;
}

/// The number in group `group` of a match.
static int64_t getNumber(llvm::ArrayRef<StringRef> match, unsigned group) {
  int64_t value = 0;
  match[group].getAsInteger(10, value);
  return value;
}

llvm::Expected<Ptxas> top::parsePtxasVersion(StringRef text) {
  llvm::SmallVector<StringRef, 4> match;
  if (!llvm::Regex("release ([0-9]+)\\.([0-9]+)").match(text, &match))
    return makeError("cannot read the version of ptxas: expected 'release X.Y' "
                     "in what 'ptxas --version' prints");
  Ptxas ptxas;
  ptxas.cudaMajor = getNumber(match, 1);
  ptxas.cudaMinor = getNumber(match, 2);
  ptxas.ptxVersion = getPtxVersionOfCuda(ptxas.cudaMajor, ptxas.cudaMinor);
  if (!ptxas.ptxVersion)
    return makeError("expected ptxas of CUDA 11.0 or later, got " + match[1] +
                     "." + match[2]);
  return ptxas;
}

/// Runs `arguments` (the first is the program), nothing on its input, and gives
/// what it prints. `status` gets the exit status.
static llvm::Expected<std::string> capture(llvm::ArrayRef<StringRef> arguments,
                                           int &status) {
  llvm::SmallString<128> file;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("top-ptxas", "txt", file))
    return makeError("cannot make a temporary file: " + error.message());
  llvm::FileRemover remover(file);
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(file),
                                          StringRef(file)};
  std::string message;
  status = llvm::sys::ExecuteAndWait(arguments[0], arguments, std::nullopt,
                                     redirects, kTimeoutSeconds,
                                     /*MemoryLimit=*/0, &message);
  if (status < 0)
    return makeError("cannot run '" + arguments[0] + "': " + message);
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return makeError("cannot read the output of '" + arguments[0] +
                     "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

llvm::Expected<Ptxas> top::queryPtxas(StringRef path) {
  int status = 0;
  llvm::Expected<std::string> text = capture({path, "--version"}, status);
  if (!text)
    return text.takeError();
  if (status != 0)
    return makeError("'" + path + " --version' failed with status " +
                     Twine(status));
  llvm::Expected<Ptxas> ptxas = parsePtxasVersion(*text);
  if (ptxas)
    ptxas->path = path.str();
  return ptxas;
}

llvm::Expected<unsigned> top::selectPtxVersionHere(const GPUArchitecture &arch,
                                                   unsigned requested) {
  std::optional<std::string> path = findPtxas();
  if (!path)
    return selectPtxVersion(arch, requested, /*ptxasVersion=*/0);
  llvm::Expected<Ptxas> ptxas = queryPtxas(*path);
  if (!ptxas)
    return ptxas.takeError();
  return selectPtxVersion(arch, requested, ptxas->ptxVersion);
}

const PtxasKernelInfo *PtxasReport::find(StringRef name) const {
  auto *found = llvm::find_if(
      llvm::ArrayRef(kernels),
      [&](const PtxasKernelInfo &kernel) { return kernel.name == name; });
  return found == llvm::ArrayRef(kernels).end() ? nullptr : found;
}

PtxasReport top::parsePtxasOutput(StringRef text) {
  // ptxas info    : Compiling entry function 'f' for 'sm_80'
  // ptxas info    : Function properties for f
  //     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
  // ptxas info    : Used 32 registers, used 1 barriers, 400 bytes smem, ...
  const llvm::Regex entry("Compiling entry function '([^']+)'");
  const llvm::Regex spills("([0-9]+) bytes stack frame, ([0-9]+) bytes spill "
                           "stores, ([0-9]+) bytes spill loads");
  const llvm::Regex used("Used ([0-9]+) registers");
  const llvm::Regex barriers("used ([0-9]+) barriers");
  const llvm::Regex shared("([0-9]+)(\\+[0-9]+)? bytes smem");
  const llvm::Regex note("\\(C75[0-9][0-9]\\)");
  PtxasReport report;
  llvm::SmallVector<StringRef, 4> match;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (note.match(line))
      report.performanceNotes.push_back(line.trim().str());
    if (entry.match(line, &match)) {
      report.kernels.emplace_back();
      report.kernels.back().name = match[1].str();
    }
    if (report.kernels.empty())
      continue;
    PtxasKernelInfo &kernel = report.kernels.back();
    if (spills.match(line, &match)) {
      // A function that the kernel calls has lines of its own.
      kernel.stackBytes += getNumber(match, 1);
      kernel.spillStoreBytes += getNumber(match, 2);
      kernel.spillLoadBytes += getNumber(match, 3);
    }
    if (!used.match(line, &match))
      continue;
    kernel.registers = getNumber(match, 1);
    if (barriers.match(line, &match))
      kernel.barriers = getNumber(match, 1);
    if (shared.match(line, &match))
      kernel.staticSharedBytes = getNumber(match, 1);
  }
  return report;
}

llvm::Expected<PtxasReport> top::runPtxas(StringRef path, StringRef ptxFile,
                                          StringRef chip, StringRef cubinFile) {
  const std::string arch = ("-arch=" + chip).str();
  int status = 0;
  llvm::Expected<std::string> text =
      capture({path, "-v", arch, ptxFile, "-o",
               cubinFile.empty() ? StringRef("/dev/null") : cubinFile},
              status);
  if (!text)
    return text.takeError();
  if (status != 0)
    return makeError("ptxas refused '" + ptxFile + "' for '" + chip +
                     "': " + StringRef(*text).trim());
  return parsePtxasOutput(*text);
}
