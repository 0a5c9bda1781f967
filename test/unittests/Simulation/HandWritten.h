//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels written by hand as the compiler would write them: functions that call
// the simulator at sites of one small program, and machines to run them on.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_UNITTESTS_SIMULATION_HANDWRITTEN_H
#define TOP_TEST_UNITTESTS_SIMULATION_HANDWRITTEN_H

#include "top/Simulation/Machine.h"
#include "gtest/gtest.h"
#include <cstring>

namespace mlir::top::sim {

/// The sites of the program. Some are there twice, so that reports can tell
/// them apart.
enum TestSite : int32_t {
  kLoad,
  kLoad2,
  kStore,
  kStore2,
  kAtomic,
  kUnalignedLoad, ///< that says "alignment" 4
  kBarrier,
  kBarrier2,
  kNamedBarrier, ///< number, threads
  kArrive,       ///< number, threads
  kVote,         ///< predicate; popc
  kSyncWarp,
  kFence,
  kCopy16, ///< of 16 bytes
  kCopy4,
  kCopySome, ///< of up to 16 bytes
  kCopyIf,   ///< of 16 bytes, at 16 and 32 beyond the addresses
  kCommit,
  kWait0,
  kWait1,
  kWaitAll,
  kShuffle, ///< a butterfly
  kLdMatrix,
  kUnknown,
  kNumSites
};

/// Registers and shared variables of the program, by their numbers.
enum TestRegister : int32_t { kTid, kCtaid, kLane, kWarp, kNtid };
enum TestShared : int32_t { kStatic, kDynamic };
inline constexpr int64_t kStaticBytes = 4096;

Program makeProgram(KernelFunction function, unsigned numParameters);

/// A machine and a kernel for it.
class HandWritten {
public:
  explicit HandWritten(KernelFunction function, MachineOptions options = {});

  /// A buffer of zeros, and the next parameter of the kernel.
  uint64_t addBuffer(int64_t bytes);
  template <typename T>
  std::vector<T> readBuffer(uint64_t address, int64_t count) {
    std::vector<T> values(count);
    llvm::cantFail(machine.read(values.data(), address, count * sizeof(T)));
    return values;
  }
  /// The faults of a launch; empty where it went right. What is no FaultError
  /// fails the test.
  std::vector<Fault> run(uint32_t blocks, uint32_t threads,
                         int64_t sharedBytes = 0);
  llvm::Error launch(const LaunchShape &shape);

  Machine machine;
  Program program;
  uint64_t totalFaults = 0;

private:
  std::vector<std::unique_ptr<uint64_t>> parameters;
};

/// The same kernel in all three modes with several seeds, by one and by several
/// workers: `check` is called with the faults of each run.
void forAllModes(KernelFunction function, std::vector<int64_t> buffers,
                 uint32_t blocks, uint32_t threads, int64_t sharedBytes,
                 llvm::function_ref<void(llvm::ArrayRef<Fault>)> check);

/// Every run must report a fault of the kind whose message has all of the
/// texts, and none of another kind.
void expectFault(KernelFunction function, std::vector<int64_t> buffers,
                 uint32_t blocks, uint32_t threads, Fault::Kind kind,
                 std::vector<std::string> texts = {}, int64_t sharedBytes = 0);
/// No run may report any.
void expectRight(KernelFunction function, std::vector<int64_t> buffers,
                 uint32_t blocks, uint32_t threads, int64_t sharedBytes = 0);

//===----------------------------------------------------------------------===//
// For the code of kernels
//===----------------------------------------------------------------------===//

template <typename T>
T load(Thread *thread, const T *address, TestSite site = kLoad) {
  topSimAccess(thread, site, address, sizeof(T), 0);
  return *address;
}
template <typename T>
void store(Thread *thread, T *address, T value, TestSite site = kStore) {
  topSimAccess(thread, site, address, sizeof(T), 1);
  *address = value;
}
inline void execute(Thread *thread, TestSite site,
                    std::initializer_list<uint64_t> operands = {},
                    void *result = nullptr) {
  std::array<uint64_t, 8> slots = {};
  std::copy(operands.begin(), operands.end(), slots.begin());
  topSimExecute(thread, site, reinterpret_cast<const char *>(slots.data()),
                static_cast<char *>(result));
}
inline void barrier(Thread *thread) { execute(thread, kBarrier); }
inline void copy(Thread *thread, TestSite site, void *to, const void *from,
                 uint32_t bytes = 0) {
  execute(thread, site,
          {reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from),
           bytes});
}
inline int32_t getTid(Thread *thread) { return topSimRegister(thread, kTid); }
inline int32_t getCtaid(Thread *thread) {
  return topSimRegister(thread, kCtaid);
}
template <typename T>
T *getShared(Thread *thread) {
  return static_cast<T *>(topSimShared(thread, kStatic));
}
template <typename T>
T *getParameter(void **parameters, unsigned index) {
  T *value;
  std::memcpy(&value, parameters[index], sizeof(value));
  return value;
}

} // namespace mlir::top::sim

#endif // TOP_TEST_UNITTESTS_SIMULATION_HANDWRITTEN_H
