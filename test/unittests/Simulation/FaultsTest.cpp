//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One planted fault of each kind that is not a race or a matter of meeting,
// with the kernel that differs only in being right.
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"

using namespace mlir::top::sim;

namespace {

//===----------------------------------------------------------------------===//
// Where memory ends
//===----------------------------------------------------------------------===//

template <int kBeyond>
void storeToElements(Thread *thread, void **parameters) {
  store(thread, getParameter<int32_t>(parameters, 0) + getTid(thread) + kBeyond,
        1);
}

TEST(FaultsTest, GlobalBounds) {
  expectRight(storeToElements<0>, {100 * 4}, 1, 100);
  expectFault(storeToElements<1>, {100 * 4}, 1, 100, Fault::Kind::OutOfBounds,
              {"warp 3 lane 3", "llvm.store (site:2)", "writes 4 bytes",
               "0 bytes beyond the end of a buffer of 400 bytes"});
  // The next buffer is not reached by going on.
  expectFault(storeToElements<-1>, {64, 400, 64}, 1, 1,
              Fault::Kind::OutOfBounds, {"4 bytes before a buffer of 64"});
}

TEST(FaultsTest, AnEmptyBufferHasNoElement) {
  expectFault(storeToElements<0>, {0}, 1, 1, Fault::Kind::OutOfBounds,
              {"0 bytes beyond the end of a buffer of 0 bytes"});
}

void loadNull(Thread *thread, void **) {
  load(thread, reinterpret_cast<int32_t *>(16));
}

TEST(FaultsTest, NoBuffer) {
  expectFault(loadNull, {}, 1, 32, Fault::Kind::OutOfBounds,
              {"reads 4 bytes", "address 0x10, which is in no buffer"});
}

/// The dynamic bytes, to their end and `kBeyond` more.
template <int kBeyond>
void storeDynamic(Thread *thread, void **) {
  auto *to = static_cast<char *>(topSimShared(thread, kDynamic));
  store(thread, to + getTid(thread) + kBeyond, char(1));
}

TEST(FaultsTest, SharedBounds) {
  expectRight(storeDynamic<0>, {}, 2, 64, /*sharedBytes=*/64);
  expectFault(storeDynamic<1>, {}, 2, 64, Fault::Kind::OutOfBounds,
              {"block (0,0,0) warp 1 lane 31", "shared memory"},
              /*sharedBytes=*/64);
  expectFault(storeDynamic<0>, {}, 1, 64, Fault::Kind::OutOfBounds, {},
              /*sharedBytes=*/0);
}

template <int kOffset>
void storeBySystem(Thread *thread, void **) {
  char *tile = getShared<char>(thread);
  auto *window = reinterpret_cast<char *>(reinterpret_cast<uint64_t>(tile) &
                                          ~uint64_t(0xffffff));
  // Static variables of alignment 16 begin 16 bytes beyond the system's.
  store(thread, window + kOffset, char(1));
}

TEST(FaultsTest, TheSystemsShareOfSharedMemory) {
  expectRight(storeBySystem<1024>, {}, 1, 1);
  expectFault(storeBySystem<1023>, {}, 1, 1, Fault::Kind::OutOfBounds,
              {"offset 0x3ff", "0x400"});
  expectFault(storeBySystem<0>, {}, 1, 1, Fault::Kind::OutOfBounds);
  // Not the window of another block of a cluster either.
  expectFault(storeBySystem<1024 + (1 << 24)>, {}, 1, 1,
              Fault::Kind::OutOfBounds);
}

TEST(FaultsTest, NothingIsWrittenOutOfBounds) {
  HandWritten kernel(storeToElements<-1>);
  const uint64_t buffer = kernel.addBuffer(64);
  EXPECT_EQ(kernel.run(1, 1).size(), 1u);
  int32_t before;
  std::memcpy(&before, reinterpret_cast<void *>(buffer - 4), 4);
  EXPECT_NE(before, 1);
}

//===----------------------------------------------------------------------===//
// What may be done there
//===----------------------------------------------------------------------===//

TEST(FaultsTest, ReadOnlyBuffers) {
  for (bool writable : {true, false}) {
    HandWritten kernel(storeToElements<0>);
    llvm::cantFail(kernel.machine.setWritable(kernel.addBuffer(64), writable));
    const std::vector<Fault> faults = kernel.run(1, 1);
    ASSERT_EQ(faults.size(), writable ? 0u : 1u);
    if (!writable) {
      EXPECT_EQ(faults[0].kind, Fault::Kind::ReadOnly);
    }
  }
}

template <int kBytes, bool kShared, TestSite kSite, int kOffset>
void loadWide(Thread *thread, void **parameters) {
  char *from =
      kShared ? getShared<char>(thread) : getParameter<char>(parameters, 0);
  if (kShared)
    for (int i = 0; i < 64; ++i)
      store(thread, from + i, char(0));
  topSimAccess(thread, kSite, from + kOffset, kBytes, 0);
}

TEST(FaultsTest, Alignment) {
  expectRight(loadWide<16, false, kLoad, 16>, {64}, 1, 1);
  expectRight(loadWide<16, true, kLoad, 16>, {64}, 1, 1);
  expectRight(loadWide<32, false, kLoad, 16>, {64}, 1, 1);
  expectRight(loadWide<1, false, kLoad, 3>, {64}, 1, 1);
  expectFault(loadWide<16, false, kLoad, 8>, {64}, 1, 1,
              Fault::Kind::Misaligned,
              {"16 bytes of global memory", "not a multiple of 16"});
  expectFault(loadWide<16, true, kLoad, 8>, {64}, 1, 1, Fault::Kind::Misaligned,
              {"16 bytes of shared memory", "not a multiple of 16"});
  expectFault(loadWide<2, true, kLoad, 1>, {64}, 1, 1, Fault::Kind::Misaligned);
  // A load may say that it does with less.
  expectRight(loadWide<16, false, kUnalignedLoad, 8>, {64}, 1, 1);
  expectFault(loadWide<16, false, kUnalignedLoad, 2>, {64}, 1, 1,
              Fault::Kind::Misaligned, {"not a multiple of 4"});
}

template <int kWritten>
void loadWritten(Thread *thread, void **) {
  char *tile = getShared<char>(thread);
  for (int i = 0; i < kWritten; ++i)
    store(thread, tile + 32 + i, char(i));
  load(thread, reinterpret_cast<uint64_t *>(tile + 32));
}

TEST(FaultsTest, UninitializedSharedBytes) {
  expectRight(loadWritten<8>, {}, 1, 1);
  expectFault(loadWritten<7>, {}, 1, 1, Fault::Kind::Uninitialized,
              {"llvm.load (site:0)", "offset 0x437"});
  // What the last block has written counts for nothing.
  expectFault(
      [](Thread *thread, void **) {
        if (getCtaid(thread) == 0)
          store(thread, getShared<int>(thread), 1);
        load(thread, getShared<int>(thread));
      },
      {}, 2, 1, Fault::Kind::Uninitialized, {"block (1,0,0)"});
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(FaultsTest, UnknownInstructions) {
  expectRight(
      [](Thread *thread, void **) {
        if (getTid(thread) > 64)
          execute(thread, kUnknown);
      },
      {}, 1, 64);
  expectFault([](Thread *thread, void **) { execute(thread, kUnknown); }, {}, 1,
              64, Fault::Kind::Unsupported,
              {"nvvm.wgmma.fence.aligned", "(site:23)"});
}

TEST(FaultsTest, StepLimit) {
  for (uint64_t limit : {1000, 1 << 20}) {
    MachineOptions options;
    options.stepLimit = limit;
    HandWritten kernel(
        [](Thread *thread, void **parameters) {
          auto *flag = getParameter<int32_t>(parameters, 0);
          while (getTid(thread) == 0 && load(thread, flag) == 0) {
          }
        },
        options);
    kernel.addBuffer(4);
    const std::vector<Fault> faults = kernel.run(1, 64);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].kind, Fault::Kind::StepLimit);
    EXPECT_NE(faults[0].message.find(std::to_string(limit) + " calls"),
              std::string::npos);
  }
}

/// A block that would spin for minutes does not keep the launch from ending
/// when a block before it has a fault.
TEST(FaultsTest, BlocksBehindAFaultAreEnded) {
  MachineOptions options;
  options.workers = 2;
  HandWritten kernel(
      [](Thread *thread, void **parameters) {
        auto *flag = getParameter<int32_t>(parameters, 0);
        while (load(thread, flag + getCtaid(thread)) == 0) {
        }
        load(thread, flag + 2);
      },
      options);
  const uint64_t flags = kernel.addBuffer(8);
  const int32_t first = 1;
  llvm::cantFail(kernel.machine.write(flags, &first, 4));
  const std::vector<Fault> faults = kernel.run(2, 32);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, Fault::Kind::OutOfBounds);
}

template <bool kWaits>
void copyAndEnd(Thread *thread, void **parameters) {
  copy(thread, kCopy16, getShared<char>(thread) + 16 * getTid(thread),
       getParameter<char>(parameters, 0) + 16 * getTid(thread));
  execute(thread, kCommit);
  if (kWaits)
    execute(thread, kWait0);
}

TEST(FaultsTest, UnfinishedCopies) {
  expectRight(copyAndEnd<true>, {1024}, 1, 64);
  expectFault(copyAndEnd<false>, {1024}, 1, 64, Fault::Kind::Unfinished,
              {"nvvm.cp.async.shared.global", "before it has waited"});
}

template <int kSize>
void copyTooMany(Thread *thread, void **parameters) {
  copy(thread, kCopySome, getShared<char>(thread),
       getParameter<char>(parameters, 0), kSize);
  execute(thread, kWaitAll);
}

TEST(FaultsTest, InvalidOperands) {
  expectRight(copyTooMany<16>, {16}, 1, 1);
  expectFault(copyTooMany<17>, {64}, 1, 1, Fault::Kind::InvalidOperand,
              {"copies 17 bytes of 16"});
  expectFault(
      [](Thread *thread, void **) { execute(thread, kSyncWarp, {~1u}); }, {}, 1,
      32, Fault::Kind::InvalidOperand, {"0xfffffffe", "own lane"});
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

TEST(FaultsTest, TheFirstOfEachPlaceIsKept) {
  MachineOptions options;
  options.maxFaults = 2;
  HandWritten kernel(
      [](Thread *thread, void **) {
        auto *tile = getShared<int32_t>(thread);
        load(thread, tile + 3 * getTid(thread), kLoad);
        load(thread, tile + 3 * getTid(thread) + 1, kLoad2);
        load(thread, tile + 3 * getTid(thread) + 2, kUnalignedLoad);
      },
      options);
  const std::vector<Fault> faults = kernel.run(1, 32);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(kernel.totalFaults, 96u);
  EXPECT_NE(faults[0].message.find("(site:0)"), std::string::npos);
  EXPECT_NE(faults[1].message.find("(site:1)"), std::string::npos);
  FaultError error(faults, 96);
  std::string text;
  llvm::raw_string_ostream os(text);
  error.log(os);
  EXPECT_EQ(llvm::StringRef(text).count("uninitialized: "), 2u);
  EXPECT_NE(text.find("\nand 94 more"), std::string::npos);
}

TEST(FaultsTest, AMachineGoesOnAfterFaults) {
  for (CompletionMode mode : {CompletionMode::Eager, CompletionMode::Lazy}) {
    MachineOptions options;
    options.mode = mode;
    HandWritten kernel(storeToElements<1>, options);
    const uint64_t buffer = kernel.addBuffer(64 * 4);
    for (int i = 0; i < 3; ++i) {
      kernel.program.kernels[0].function = storeToElements<1>;
      EXPECT_EQ(kernel.run(2, 64).size(), 1u);
      kernel.program.kernels[0].function = storeToElements<0>;
      EXPECT_TRUE(kernel.run(1, 64).empty());
    }
    EXPECT_EQ(kernel.readBuffer<int32_t>(buffer, 64)[63], 1);
  }
}

TEST(FaultsTest, ReportsDoNotDependOnTheWorkers) {
  auto getMessages = [](unsigned workers) {
    MachineOptions options;
    options.workers = workers;
    HandWritten kernel(
        [](Thread *thread, void **) {
          if (getCtaid(thread) >= 5 && getCtaid(thread) % 2)
            for (int i = 0; i < 3; ++i)
              load(thread, getShared<int32_t>(thread), TestSite(kLoad + i % 2));
        },
        options);
    std::string text;
    for (const Fault &fault : kernel.run(20, 64))
      text += fault.message + "\n";
    return text + std::to_string(kernel.totalFaults);
  };
  const std::string one = getMessages(1);
  EXPECT_NE(one.find("block (5,0,0)"), std::string::npos) << one;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(one, getMessages(2 + i % 4));
}

} // namespace
