//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch: what all workers share and do not change, and the order in which
// blocks come.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_LAUNCH_H
#define TOP_LIB_SIMULATION_LAUNCH_H

#include "Barriers.h"
#include "GlobalRaces.h"
#include "Instruction.h"
#include "Memory.h"
#include "top/Simulation/Machine.h"
#include <atomic>

namespace mlir::top::sim {

class Thread;
struct Warp;
struct SiteInfo;

/// Special registers that are simulated.
enum class Register : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NumWarps,
  WarpSize,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  Zero,
  One,
  DynamicSharedBytes,
  TotalSharedBytes,
};

/// By its name in PTX; none where it is not simulated.
std::optional<Register> findRegister(llvm::StringRef name);

/// A site, with what carries it out.
struct SiteInfo {
  int32_t index;
  const Site *site;
  PreparedSite prepared;
  /// What one thread does that comes to the site.
  void (*execute)(Thread &thread, const SiteInfo &info, const char *operands,
                  char *result);
  /// What is done once for the lanes of a warp that have met at it; null where
  /// threads do not meet.
  void (*complete)(Warp &warp, const SiteInfo &info, uint32_t lanes) = nullptr;
  /// Meaning by instruction: see the functions that prepare them.
  int64_t arguments[3] = {0, 0, 0};
  BarrierReduction reduction = BarrierReduction::None;
  /// Why it cannot be carried out; empty where it can.
  std::string problem;
  /// Most bytes that an access need be aligned to.
  uint32_t alignment = 16;
  /// The number of Statistics::instructions that it counts for.
  uint32_t opNumber = 0;
};

/// The machine's own instructions, which synchronise or copy. Each sets what it
/// knows of `info` and returns true; false where it has not that name, an error
/// where it refuses the site.
llvm::Expected<bool> findCopy(SiteInfo &info);
llvm::Expected<bool> findBarrier(SiteInfo &info);
/// Instructions of findInstruction, and loads and stores.
bool findExecution(SiteInfo &info);

/// The integer attribute `name` of a site; fails where there is none.
llvm::Error readInteger(const Site &site, llvm::StringRef name, int64_t &value);

struct Launch {
  Launch(const Program &program, const Kernel &kernel, const LaunchShape &shape,
         void **parameters, const MachineOptions &options,
         const GlobalMemory &memory, uint64_t seed)
      : program(program), kernel(kernel), shape(shape), parameters(parameters),
        options(options), memory(memory), seed(seed), races(memory) {}

  const Program &program;
  const Kernel &kernel;
  const LaunchShape &shape;
  void **parameters;
  const MachineOptions &options;
  const GlobalMemory &memory;
  uint64_t seed; ///< of this launch

  std::vector<SiteInfo> sites;
  std::vector<std::string> ops; ///< names, by SiteInfo::opNumber
  std::vector<Register> registers;
  std::vector<uint32_t> sharedOffsets; ///< of variables, in the window
  uint32_t sharedEnd = 0;              ///< of all, in the window
  uint32_t threads = 0, blocks = 0;

  GlobalRaces races; ///< under the machine's lock
  /// Blocks are begun in order. Those behind the first one with a fault do not
  /// matter any more, so that the outcome does not depend on who was first.
  std::atomic<uint32_t> nextBlock = 0, firstFaulty = ~0u;
};

/// Works out what the shape and the program say; fails where the launch is not
/// possible, with FaultError where the program needs what is not simulated.
llvm::Error prepare(Launch &launch);

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_LAUNCH_H
