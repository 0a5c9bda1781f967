//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers, meetings of lanes, groups of copies: what they do, and what is said
// where threads cannot meet.
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"

using namespace mlir::top::sim;

namespace {

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Producers (the first 64 threads) and consumers hand a word over by two
/// barriers for 128 threads each, producers not waiting at the first.
template <int kCount, int kSecondCount>
void handOver(Thread *thread, void **parameters) {
  auto *tile = getShared<int32_t>(thread);
  const int tid = getTid(thread);
  for (int round = 0; round < 5; ++round) {
    if (tid < 64) {
      if (round)
        execute(thread, kNamedBarrier, {2, kSecondCount});
      store(thread, tile + tid, round * tid);
      execute(thread, kArrive, {1, kCount});
    } else {
      execute(thread, kNamedBarrier, {1, 128});
      const int32_t got = load(thread, tile + (tid - 64));
      if (got != round * (tid - 64))
        store(thread, getParameter<int32_t>(parameters, 0), 1);
      if (round < 4)
        execute(thread, kArrive, {2, 128});
    }
  }
}

TEST(SynchronizationTest, NamedBarriers) {
  expectRight(handOver<128, 128>, {4}, 2, 128);
  HandWritten kernel(handOver<128, 128>);
  const uint64_t wrong = kernel.addBuffer(4);
  EXPECT_TRUE(kernel.run(1, 128).empty());
  EXPECT_EQ(kernel.readBuffer<int32_t>(wrong, 1)[0], 0);
}

TEST(SynchronizationTest, CountsOfNamedBarriers) {
  expectFault(handOver<96, 128>, {4}, 1, 128, Fault::Kind::Barrier,
              {"barrier 1", "96", "all"});
  expectFault(handOver<100, 128>, {4}, 1, 128, Fault::Kind::Barrier,
              {"a multiple of 32", "got 100"});
  expectFault(handOver<160, 128>, {4}, 1, 128, Fault::Kind::Barrier,
              {"from 32 to 128", "got 160"});
  expectFault(
      [](Thread *thread, void **) { execute(thread, kNamedBarrier, {16, 64}); },
      {}, 1, 64, Fault::Kind::Barrier, {"below 16, got 16"});
}

template <bool kUniform>
void numberByLane(Thread *thread, void **) {
  execute(thread, kNamedBarrier,
          {kUniform ? 1u : uint64_t(getTid(thread) == 5), 64});
}

TEST(SynchronizationTest, LanesAgreeOnABarrier) {
  expectRight(numberByLane<true>, {}, 1, 64);
  expectFault(numberByLane<false>, {}, 1, 64, Fault::Kind::Divergence,
              {"barrier number"});
}

TEST(SynchronizationTest, VotesAtABarrier) {
  HandWritten kernel([](Thread *thread, void **parameters) {
    int32_t votes = -1;
    execute(thread, kVote, {getTid(thread) % 3 == 0}, &votes);
    store(thread, getParameter<int32_t>(parameters, 0) + getTid(thread), votes);
  });
  const uint64_t buffer = kernel.addBuffer(100 * 4);
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(kernel.run(1, 100).empty());
    for (int32_t votes : kernel.readBuffer<int32_t>(buffer, 100))
      EXPECT_EQ(votes, 34);
  }
}

/// Some threads, or whole warps, end before a barrier of the others.
template <int kEnd>
void endEarly(Thread *thread, void **) {
  if (getTid(thread) >= kEnd)
    return;
  store(thread, getShared<int32_t>(thread) + getTid(thread), 1);
  barrier(thread);
  load(thread, getShared<int32_t>(thread) + (getTid(thread) + 1) % kEnd);
}

TEST(SynchronizationTest, ThreadsThatHaveEndedAreNotWaitedFor) {
  expectRight(endEarly<64>, {}, 1, 128);
  expectRight(endEarly<70>, {}, 1, 128);
  expectRight(endEarly<1>, {}, 1, 128);
  expectRight(endEarly<33>, {}, 1, 128);
}

//===----------------------------------------------------------------------===//
// Where threads cannot go on
//===----------------------------------------------------------------------===//

/// The barrier is for more threads than come.
TEST(SynchronizationTest, Deadlock) {
  expectFault(
      [](Thread *thread, void **) {
        if (getTid(thread) < 64)
          execute(thread, kNamedBarrier, {3, 96});
      },
      {}, 1, 96, Fault::Kind::Deadlock,
      {"block (0,0,0): no thread can run",
       "warp 0 lanes 0-31 wait at barrier 3 "
       "for 96 threads, of which 64 have come, at nvvm.barrier (site:8)",
       "warp 1 lanes 0-31 wait at barrier 3", "warp 2 lanes 0-31 have ended"});
}

/// Two warps wait at two barriers, each for both.
TEST(SynchronizationTest, CrossedBarriers) {
  expectFault(
      [](Thread *thread, void **) {
        const uint64_t first = getTid(thread) / 32;
        execute(thread, kNamedBarrier, {first, 64});
        execute(thread, kNamedBarrier, {1 - first, 64});
      },
      {}, 1, 64, Fault::Kind::Deadlock,
      {"warp 0 lanes 0-31 wait at barrier 0", "warp 1 lanes 0-31 wait at "
                                              "barrier 1"});
}

template <bool kTogether>
void branchOnLane(Thread *thread, void **) {
  if (kTogether || getTid(thread) % 32 < 20)
    execute(thread, kBarrier);
  else
    execute(thread, kBarrier2);
}

TEST(SynchronizationTest, DivergentBarriers) {
  expectRight(branchOnLane<true>, {}, 1, 64);
  expectFault(branchOnLane<false>, {}, 1, 64, Fault::Kind::Divergence,
              {"nvvm.barrier0 (site:6)", "nvvm.barrier0 (site:7)"});
  // Warps may be at different places: the barrier is the same.
  expectRight(
      [](Thread *thread, void **) {
        execute(thread, getTid(thread) < 32 ? kBarrier : kBarrier2);
      },
      {}, 1, 64);
}

template <uint32_t kLow, uint32_t kHigh>
void shuffleHalves(Thread *thread, void **) {
  const int lane = topSimRegister(thread, kLane);
  int32_t result;
  execute(thread, kShuffle, {lane < 16 ? kLow : kHigh, uint64_t(lane), 1, 31},
          &result);
  if (result != (lane ^ 1))
    load(thread, static_cast<int32_t *>(nullptr));
}

TEST(SynchronizationTest, MasksOfLanes) {
  expectRight(shuffleHalves<~0u, ~0u>, {}, 1, 64);
  expectRight(shuffleHalves<0xffff, 0xffff0000>, {}, 1, 64);
  expectFault(shuffleHalves<0xffff, ~0u>, {}, 1, 64, Fault::Kind::Divergence,
              {"nvvm.shfl.sync"});
}

/// Half of the warp shuffles, the other half is elsewhere.
template <bool kAtBarrier>
void shuffleHalf(Thread *thread, void **) {
  int32_t result;
  if (topSimRegister(thread, kLane) < 16)
    execute(thread, kShuffle, {~0u, 0, 1, 31}, &result);
  else if (kAtBarrier)
    barrier(thread);
}

TEST(SynchronizationTest, LanesThatDoNotCome) {
  expectFault(shuffleHalf<false>, {}, 1, 32, Fault::Kind::Divergence,
              {"which has ended"});
  expectFault(shuffleHalf<true>, {}, 1, 32, Fault::Kind::Divergence,
              {"nvvm.shfl.sync", "nvvm.barrier0"});
}

/// A word that others set is waited for by looking again and again.
TEST(SynchronizationTest, SpinningLetsOthersRun) {
  expectRight(
      [](Thread *thread, void **) {
        auto *flag = getShared<int32_t>(thread);
        if (getTid(thread) == 0)
          store(thread, flag, 0);
        barrier(thread);
        topSimAccess(thread, kAtomic, flag, 4, 2);
        ++*flag;
        for (;;) {
          topSimAccess(thread, kAtomic, flag, 4, 2);
          if (*flag == 128)
            break;
        }
      },
      {}, 1, 128);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(SynchronizationTest, CopiesFillWithZeros) {
  for (CompletionMode mode :
       {CompletionMode::Eager, CompletionMode::Lazy, CompletionMode::Random}) {
    MachineOptions options;
    options.mode = mode;
    HandWritten kernel(
        [](Thread *thread, void **parameters) {
          char *tile = getShared<char>(thread);
          auto *from = getParameter<char>(parameters, 0);
          auto *to = getParameter<char>(parameters, 1);
          const int tid = getTid(thread);
          // The last bytes of the buffer: reading more would be a fault.
          copy(thread, kCopySome, tile + 16 * tid, from + 32 - 16, 16 - tid);
          execute(thread, kWaitAll);
          for (int i = 0; i < 16; ++i)
            store(thread, to + 16 * tid + i, load(thread, tile + 16 * tid + i));
        },
        options);
    const uint64_t from = kernel.addBuffer(32);
    const uint64_t to = kernel.addBuffer(17 * 16);
    llvm::cantFail(kernel.machine.fill(from, 7, 32));
    ASSERT_TRUE(kernel.run(1, 17).empty());
    const std::vector<uint8_t> bytes = kernel.readBuffer<uint8_t>(to, 17 * 16);
    for (int i = 0; i < 17 * 16; ++i)
      EXPECT_EQ(bytes[i], i % 16 < 16 - i / 16 ? 7 : 0) << i;
  }
}

TEST(SynchronizationTest, ClampedCopiesStayInBounds) {
  expectRight(
      [](Thread *thread, void **parameters) {
        copy(thread, kCopySome, getShared<char>(thread),
             getParameter<char>(parameters, 0) + 16, 8);
        execute(thread, kWaitAll);
      },
      {24}, 1, 1);
  expectFault(
      [](Thread *thread, void **parameters) {
        copy(thread, kCopySome, getShared<char>(thread),
             getParameter<char>(parameters, 0) + 16, 9);
        execute(thread, kWaitAll);
      },
      {24}, 1, 1, Fault::Kind::OutOfBounds, {"copies from 9 bytes"});
}

TEST(SynchronizationTest, ConditionalCopies) {
  HandWritten kernel([](Thread *thread, void **parameters) {
    char *tile = getShared<char>(thread);
    auto *from = getParameter<char>(parameters, 0);
    const int tid = getTid(thread);
    // Stale bits beside those of the operands are not read.
    execute(thread, kCopyIf,
            {0xab00u | (tid != 1),
             0xdead00000000u | uint32_t(reinterpret_cast<uint64_t>(tile)),
             reinterpret_cast<uint64_t>(from), 12});
    execute(thread, kWaitAll);
    if (tid == 0)
      for (int i = 0; i < 4; ++i)
        store(thread, getParameter<int32_t>(parameters, 1) + i,
              load(thread, reinterpret_cast<int32_t *>(tile + 16) + i));
  });
  const uint64_t from = kernel.addBuffer(48);
  const uint64_t to = kernel.addBuffer(16);
  llvm::cantFail(kernel.machine.fill(from + 32, 1, 16));
  // The second thread copies nothing; both would be a race.
  ASSERT_TRUE(kernel.run(1, 2).empty());
  EXPECT_EQ(kernel.readBuffer<int32_t>(to, 4),
            (std::vector<int32_t>{0x01010101, 0x01010101, 0x01010101, 0}));
}

} // namespace
