//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is worked out before a launch, and what a launch must fulfil.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::top::sim;

llvm::Error mlir::top::sim::readInteger(const Site &site, llvm::StringRef name,
                                        int64_t &value) {
  auto found = site.attributes.find(name);
  if (found == site.attributes.end())
    return llvm::createStringError("expected an attribute '" + name + "'");
  if (llvm::StringRef(found->second).getAsInteger(10, value))
    return llvm::createStringError("expected '" + name +
                                   "' to be an integer, got '" + found->second +
                                   "'");
  return llvm::Error::success();
}

/// What is carried out at a site that has a problem.
static void executeProblem(Thread &thread, const SiteInfo &info, const char *,
                           char *) {
  thread.block->fault(thread, info.index, Fault::Kind::Unsupported,
                      info.problem);
  thread.block->abandon();
}

static llvm::Error prepareSiteInfo(SiteInfo &info) {
  llvm::Expected<PreparedSite> prepared = prepareSite(*info.site);
  if (!prepared)
    return prepared.takeError();
  info.prepared = std::move(*prepared);
  if (info.site->attributes.count("alignment")) {
    int64_t alignment;
    if (llvm::Error error = readInteger(*info.site, "alignment", alignment))
      return error;
    if (alignment > 0 && llvm::isPowerOf2_64(alignment))
      info.alignment = std::min<int64_t>(info.alignment, alignment);
  }
  llvm::Expected<bool> isKnown = findCopy(info);
  if (isKnown && !*isKnown)
    isKnown = findBarrier(info);
  if (!isKnown)
    return isKnown.takeError();
  if (!*isKnown && !findExecution(info))
    return llvm::createStringError("the simulator does not have it");
  return llvm::Error::success();
}

/// Sites are those of all kernels of a program: one that cannot be simulated
/// matters when a thread comes to it.
static void prepareSites(Launch &launch) {
  llvm::StringMap<uint32_t> numbers;
  for (const Site &site : launch.program.sites) {
    SiteInfo &info = launch.sites.emplace_back();
    info.index = launch.sites.size() - 1;
    info.site = &site;
    info.execute = executeProblem;
    auto [number, isNew] = numbers.try_emplace(site.op, launch.ops.size());
    if (isNew)
      launch.ops.push_back(site.op);
    info.opNumber = number->second;
    if (llvm::Error error = prepareSiteInfo(info))
      info.problem = "'" + site.op + "': " + llvm::toString(std::move(error));
    if (!info.problem.empty())
      info.execute = executeProblem;
  }
}

/// Places the shared variables: the static ones, then the dynamic ones, which
/// all begin at the same place. Alignment is what was promised and no more, so
/// that code which needs more does not work by chance.
static llvm::Error placeShared(Launch &launch) {
  uint64_t end = SharedWindow::kReserved, bytes = 0;
  auto place = [&](uint64_t alignment) {
    alignment = std::max<uint64_t>(alignment, 1);
    uint64_t offset = llvm::alignTo(end, alignment);
    return offset % (2 * alignment) ? offset : offset + alignment;
  };
  launch.sharedOffsets.resize(launch.program.shared.size());
  uint64_t dynamicAlignment = 16;
  for (auto [i, variable] : llvm::enumerate(launch.program.shared)) {
    if (variable.alignment < 0 ||
        !llvm::isPowerOf2_64(std::max<int64_t>(variable.alignment, 1)))
      return llvm::createStringError(
          llvm::formatv("expected the alignment of shared variable '{0}' to "
                        "be a power of two, got {1}",
                        variable.name, variable.alignment));
    if (variable.isDynamic) {
      dynamicAlignment =
          std::max<uint64_t>(dynamicAlignment, variable.alignment);
      continue;
    }
    if (variable.bytes < 0 ||
        variable.bytes > launch.options.sharedBytesPerBlock)
      return llvm::createStringError(llvm::formatv(
          "shared variable '{0}' has {1} bytes, but a block has "
          "at most {2}",
          variable.name, variable.bytes, launch.options.sharedBytesPerBlock));
    launch.sharedOffsets[i] = place(variable.alignment);
    end = launch.sharedOffsets[i] + variable.bytes;
    bytes = llvm::alignTo(bytes, std::max<int64_t>(variable.alignment, 1)) +
            variable.bytes;
  }
  bytes += launch.shape.sharedBytes;
  if (launch.shape.sharedBytes < 0 ||
      bytes > uint64_t(launch.options.sharedBytesPerBlock))
    return llvm::createStringError(llvm::formatv(
        "the kernel '{0}' needs {1} bytes of shared memory, but a block has "
        "at most {2}",
        launch.kernel.name, int64_t(bytes),
        launch.options.sharedBytesPerBlock));
  if (launch.shape.sharedBytes > 0)
    end = place(dynamicAlignment);
  for (auto [i, variable] : llvm::enumerate(launch.program.shared))
    if (variable.isDynamic)
      launch.sharedOffsets[i] = end;
  launch.sharedEnd = end + launch.shape.sharedBytes;
  return llvm::Error::success();
}

static llvm::Error checkShape(const Launch &launch) {
  const LaunchShape &shape = launch.shape;
  // CUDA C++ Programming Guide, "Technical Specifications per Compute
  // Capability".
  constexpr std::array<uint32_t, 3> kMostBlocks = {0x7fffffff, 65535, 65535};
  constexpr std::array<uint32_t, 3> kMostThreads = {1024, 1024, 64};
  constexpr uint64_t kMostBlockThreads = 1024;
  auto check = [&](llvm::StringRef what, const std::array<uint32_t, 3> &size,
                   const std::array<uint32_t, 3> &most) -> llvm::Error {
    for (unsigned i = 0; i < 3; ++i)
      if (size[i] < 1 || size[i] > most[i])
        return llvm::createStringError(
            llvm::formatv("expected {0} dimension {1} to be from 1 to {2}, "
                          "got {3}",
                          what, i, most[i], size[i]));
    return llvm::Error::success();
  };
  if (llvm::Error error = check("grid", shape.grid, kMostBlocks))
    return error;
  if (llvm::Error error = check("block", shape.block, kMostThreads))
    return error;
  const uint64_t threads =
      uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
  if (threads > kMostBlockThreads)
    return llvm::createStringError(
        llvm::formatv("expected a block of at most {0} threads, got {1}",
                      kMostBlockThreads, threads));
  const int64_t required = launch.kernel.requiredThreads;
  if (required && required != int64_t(threads))
    return llvm::createStringError(
        llvm::formatv("the kernel '{0}' requires blocks of {1} threads, got "
                      "{2}",
                      launch.kernel.name, required, threads));
  if (shape.cluster != std::array<uint32_t, 3>{1, 1, 1})
    return llvm::createStringError("clusters are not simulated");
  const uint64_t plane = uint64_t(shape.grid[0]) * shape.grid[1];
  if (plane * shape.grid[2] > 0x7fffffff)
    return llvm::createStringError(
        llvm::formatv("expected at most {0} blocks, got {1} by {2}", 0x7fffffff,
                      plane, shape.grid[2]));
  return llvm::Error::success();
}

llvm::Error mlir::top::sim::prepare(Launch &launch) {
  if (llvm::Error error = checkShape(launch))
    return error;
  const LaunchShape &shape = launch.shape;
  launch.threads = shape.block[0] * shape.block[1] * shape.block[2];
  launch.blocks = shape.grid[0] * shape.grid[1] * shape.grid[2];
  for (const std::string &name : launch.program.registers) {
    std::optional<Register> found = findRegister(name);
    if (!found)
      return llvm::make_error<FaultError>(
          std::vector<Fault>{{Fault::Kind::Unsupported,
                              "the simulator does not have the special "
                              "register '" +
                                  name + "'"}},
          1);
    launch.registers.push_back(*found);
  }
  if (llvm::Error error = placeShared(launch))
    return error;
  prepareSites(launch);
  return llvm::Error::success();
}
