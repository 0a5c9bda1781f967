//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU that is simulated on this machine: its memory, and launches of kernels
// whose threads are fibers. It carries out what the kernels do, and checks that
// they may do it; docs/SimulatedGPU.md says what is checked and what cannot be.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_SIMULATION_MACHINE_H
#define TOP_SIMULATION_MACHINE_H

#include "top/Simulation/Program.h"
#include "top/Simulation/Statistics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>

namespace mlir::top::sim {

/// When the data of an asynchronous copy arrives: at once, as late as the
/// program lets it, or at random between the two.
enum class CompletionMode { Eager, Lazy, Random };

struct MachineOptions {
  CompletionMode mode = CompletionMode::Random;
  /// Decides the order of warps, lanes and arrivals. A run is determined by it.
  uint64_t seed = 1;
  /// Threads of this machine that run clusters of blocks side by side; 0 = as
  /// many as it has cores. The order of the reports does not depend on it.
  unsigned workers = 0;
  /// A launch in which the threads of a cluster have made so many calls of the
  /// simulator is taken to spin, and ended with a fault.
  uint64_t stepLimit = uint64_t(1) << 34;
  /// Faults that are kept, the first ones; the others are counted.
  unsigned maxFaults = 5;
  /// Bytes of shared memory that a block may have, static and dynamic.
  int64_t sharedBytesPerBlock = 227 * 1024;
};

struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1},
                          cluster = {1, 1, 1};
  int64_t sharedBytes = 0; ///< dynamic
};

/// Something that a kernel must not do.
struct Fault {
  enum class Kind {
    OutOfBounds, ///< of shared memory, or of all buffers
    ReadOnly,    ///< a store to a buffer that may not be written
    Misaligned,
    Uninitialized,  ///< a read of shared memory that nothing has written
    InFlight,       ///< an access that a copy in flight conflicts with
    SharedRace,     ///< conflicting accesses that nothing orders
    GlobalRace,     ///< the same in global memory, in a block or between two
    Divergence,     ///< lanes of a warp at different collectives
    Barrier,        ///< a wrong count, or number, of a barrier
    InvalidOperand, ///< of an instruction: what the PTX manual forbids
    Unfinished,     ///< a thread ends with copies that it has not waited for
    Deadlock,
    StepLimit,
    Unsupported, ///< an instruction that the simulator does not have
  };
  Kind kind;
  /// One line: what, where, who ("block (0,1,0) warp 2 lane 5"), and the other
  /// side of a conflict. A deadlock has further lines, one for what each group
  /// of lanes waits for.
  std::string message;
};

/// The name of a kind in messages and tests: "shared-race".
llvm::StringRef getName(Fault::Kind kind);

/// The faults of a launch.
class FaultError : public llvm::ErrorInfo<FaultError> {
public:
  static char ID;
  FaultError(std::vector<Fault> faults, uint64_t total)
      : faults(std::move(faults)), total(total) {}
  /// At most MachineOptions::maxFaults; of `getTotal()`.
  llvm::ArrayRef<Fault> getFaults() const { return faults; }
  uint64_t getTotal() const { return total; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::vector<Fault> faults;
  uint64_t total;
};

/// A simulated device. Of one thread of the caller's.
class Machine {
public:
  explicit Machine(const MachineOptions &options);
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;
  ~Machine();

  /// A buffer in global memory, 256-byte aligned and no more, between red zones
  /// that no access may touch; its bytes are random or, with an even seed, all
  /// ones, NaN in every type of floats. Fails where the host has no memory
  /// left. `bytes` may be 0.
  llvm::Expected<uint64_t> allocate(int64_t bytes);
  /// Fails where no buffer begins at `address`.
  llvm::Error release(uint64_t address);
  /// Stores of a kernel into a buffer that is not writable are faults.
  llvm::Error setWritable(uint64_t address, bool writable);

  /// Accesses of the host; fail where [address, address + bytes) is not inside
  /// of one buffer.
  llvm::Error write(uint64_t address, const void *from, int64_t bytes);
  llvm::Error read(void *to, uint64_t address, int64_t bytes);
  llvm::Error fill(uint64_t address, uint8_t value, int64_t bytes);

  /// Runs a kernel to its end. Fails with FaultError where it did what it must
  /// not, and with a plain error where the launch itself is not possible (a
  /// limit, a number of parameters). Results of a launch with faults are
  /// undefined, but nothing outside of the machine's memory has been written.
  llvm::Error launch(const Program &program, const Kernel &kernel,
                     const LaunchShape &shape,
                     llvm::ArrayRef<void *> parameters);

  /// Of all launches so far; per site of the last one's program.
  const Statistics &getStatistics() const;
  void resetStatistics();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::top::sim

#endif // TOP_SIMULATION_MACHINE_H
