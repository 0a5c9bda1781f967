//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Races in shared and in global memory, and accesses to what a copy is writing:
// each with the kernel that has the barrier or the wait.
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"

using namespace mlir::top::sim;

namespace {

enum class Order { None, Barrier, Warp };

template <Order kOrder>
void order(Thread *thread) {
  if (kOrder == Order::Barrier)
    barrier(thread);
  if (kOrder == Order::Warp)
    execute(thread, kSyncWarp, {~0u});
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Each thread reads what the one `kDistance` after it has written.
template <Order kOrder, int kDistance>
void passOn(Thread *thread, void **parameters) {
  auto *tile = getShared<int16_t>(thread);
  const int tid = getTid(thread);
  store<int16_t>(thread, tile + tid, 7 * tid);
  order<kOrder>(thread);
  const int16_t value = load(thread, tile + (tid + kDistance) % 64);
  store<int32_t>(thread, getParameter<int32_t>(parameters, 0) + tid, value,
                 kStore2);
}

TEST(RacesTest, WriteThenRead) {
  expectRight(passOn<Order::Barrier, 1>, {256}, 1, 64);
  expectRight(passOn<Order::Barrier, 32>, {256}, 1, 64);
  // Neighbours of 2 bytes in one granule do not clash.
  expectRight(passOn<Order::None, 0>, {256}, 1, 64);
  // Either the read is found to come too early, of what is not written yet, or
  // not to be ordered.
  for (Fault::Kind kind :
       {Fault::Kind::SharedRace, Fault::Kind::Uninitialized}) {
    bool isFound = false;
    forAllModes(passOn<Order::None, 1>, {256}, 1, 64, 0,
                [&](llvm::ArrayRef<Fault> faults) {
                  EXPECT_FALSE(faults.empty());
                  for (const Fault &fault : faults)
                    isFound |= fault.kind == kind;
                });
    EXPECT_TRUE(isFound) << getName(kind).str();
  }
}

/// The lanes of a warp are ordered by its own barrier, warps are not.
template <Order kOrder, int kThreads>
void passInWarp(Thread *thread, void **) {
  auto *tile = getShared<int32_t>(thread);
  const int tid = getTid(thread);
  store<int32_t>(thread, tile + tid, tid);
  store<int32_t>(thread, tile + (tid ^ 32) + 64, tid);
  order<Order::Barrier>(thread);
  store<int32_t>(thread, tile + tid, 2 * tid, kStore2);
  order<kOrder>(thread);
  load(thread, tile + (tid ^ kThreads), kLoad2);
}

TEST(RacesTest, BarriersOfWarps) {
  expectRight(passInWarp<Order::Warp, 1>, {}, 1, 64);
  expectRight(passInWarp<Order::Barrier, 32>, {}, 1, 64);
  expectFault(passInWarp<Order::None, 1>, {}, 1, 64, Fault::Kind::SharedRace,
              {"nothing orders it after the access by warp"});
  expectFault(passInWarp<Order::Warp, 32>, {}, 1, 64, Fault::Kind::SharedRace);
}

/// Rounds of writing and reading a tile, as loops over K have them. Barrier
/// `kSkipped` of the round is left out.
template <int kSkipped>
void goRound(Thread *thread, void **) {
  auto *tile = getShared<int32_t>(thread);
  const int tid = getTid(thread);
  for (int round = 0; round < 4; ++round) {
    store(thread, tile + tid, round);
    if (kSkipped != 0 || round == 0)
      execute(thread, kBarrier);
    for (int i = 0; i < 128; i += 9)
      load(thread, tile + (tid + i) % 128);
    if (kSkipped != 1)
      execute(thread, kBarrier2);
  }
}

TEST(RacesTest, Loops) {
  expectRight(goRound<2>, {}, 1, 128);
  expectFault(goRound<0>, {}, 1, 128, Fault::Kind::SharedRace);
  expectFault(goRound<1>, {}, 1, 128, Fault::Kind::SharedRace);
}

/// Many read a word, then one writes it: no reader is forgotten, whichever of
/// them it was that came by another way.
template <int kLate>
void readByMany(Thread *thread, void **) {
  auto *tile = getShared<int32_t>(thread);
  const int tid = getTid(thread);
  if (tid == 0)
    store(thread, tile, 1);
  barrier(thread);
  if (tid != kLate)
    load(thread, tile);
  barrier(thread);
  if (tid == kLate)
    load(thread, tile, kLoad2);
  if (tid == 100)
    store(thread, tile, 2, kStore2);
}

TEST(RacesTest, NoReaderIsForgotten) {
  expectRight(readByMany<100>, {}, 1, 256);
  expectFault(readByMany<255>, {}, 1, 256, Fault::Kind::SharedRace, {"(site:"});
  expectFault(readByMany<7>, {}, 1, 256, Fault::Kind::SharedRace);
  expectFault(readByMany<101>, {}, 1, 256, Fault::Kind::SharedRace);
}

template <bool kAtomic2>
void count(Thread *thread, void **) {
  auto *tile = getShared<int32_t>(thread);
  if (getTid(thread) == 0)
    store(thread, tile, 0);
  barrier(thread);
  if (kAtomic2 || getTid(thread) != 50) {
    topSimAccess(thread, kAtomic, tile, 4, 2);
    ++*tile;
  } else {
    store(thread, tile, load(thread, tile) + 1);
  }
  barrier(thread);
  load(thread, tile, kLoad2);
}

TEST(RacesTest, AtomicAccesses) {
  expectRight(count<true>, {}, 1, 128);
  expectFault(count<false>, {}, 1, 128, Fault::Kind::SharedRace);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

struct Ring {
  enum Fault { None, Wait, TooFew, BeforeUse, BeforeRefill, Commit };
};

/// A ring of three stages, each of which a thread fills with 16 bytes and all
/// read; the loop of a product of matrices.
template <Ring::Fault kFault>
void pipeline(Thread *thread, void **parameters) {
  constexpr int kStages = 3, kTiles = 8;
  auto *from = getParameter<char>(parameters, 0);
  auto *to = getParameter<int32_t>(parameters, 1);
  char *ring = getShared<char>(thread);
  const int tid = getTid(thread);
  auto fill = [&](int tile) {
    if (tile < kTiles)
      copy(thread, kCopy16, ring + (tile % kStages * 64 + tid) * 16,
           from + (tile * 64 + tid) * 16);
    if (kFault != Ring::Commit || tile != 4)
      execute(thread, kCommit);
  };
  fill(0);
  fill(1);
  int32_t sum = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    if (kFault != Ring::Wait)
      execute(thread, kWait1);
    if (kFault != Ring::BeforeUse)
      barrier(thread);
    for (int i = 0; i < 4; ++i)
      sum += load(thread, reinterpret_cast<int32_t *>(
                              ring + (tile % kStages * 64 + 63 - tid) * 16) +
                              i);
    // With three stages the next tile goes where the last one was.
    if (kFault == Ring::BeforeRefill)
      fill(tile + 3);
    else
      fill(tile + 2);
  }
  execute(thread, kWait0);
  store(thread, to + tid, sum);
}

TEST(RacesTest, APipelineOfCopies) {
  const std::vector<int64_t> buffers = {8 * 64 * 16, 256};
  forAllModes(pipeline<Ring::None>, buffers, 1, 64, 0,
              [&](llvm::ArrayRef<Fault> faults) {
                EXPECT_TRUE(faults.empty()) << faults[0].message;
              });
  forAllModes(pipeline<Ring::Wait>, buffers, 1, 64, 0,
              [&](llvm::ArrayRef<Fault> faults) {
                ASSERT_FALSE(faults.empty());
                EXPECT_EQ(getName(faults[0].kind), "in-flight");
                EXPECT_NE(faults[0].message.find("has not been waited for"),
                          std::string::npos);
              });
  for (KernelFunction function :
       {pipeline<Ring::BeforeUse>, pipeline<Ring::BeforeRefill>,
        pipeline<Ring::Commit>})
    forAllModes(function, buffers, 1, 64, 0, [&](llvm::ArrayRef<Fault> faults) {
      EXPECT_FALSE(faults.empty());
    });
}

TEST(RacesTest, APipelineComputes) {
  for (CompletionMode mode :
       {CompletionMode::Eager, CompletionMode::Lazy, CompletionMode::Random}) {
    MachineOptions options;
    options.mode = mode;
    HandWritten kernel(pipeline<Ring::None>, options);
    const uint64_t from = kernel.addBuffer(8 * 64 * 16);
    const uint64_t to = kernel.addBuffer(256);
    std::vector<int32_t> values(8 * 64 * 4), expected(64);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = i * i % 1009;
      expected[63 - i / 4 % 64] += values[i];
    }
    llvm::cantFail(
        kernel.machine.write(from, values.data(), values.size() * 4));
    ASSERT_TRUE(kernel.run(1, 64).empty());
    EXPECT_EQ(kernel.readBuffer<int32_t>(to, 64), expected);
  }
}

/// A copy waited for by its thread is not there for others before a barrier.
template <bool kBarrier>
void copyForOthers(Thread *thread, void **parameters) {
  auto *tile = getShared<char>(thread);
  const int tid = getTid(thread);
  copy(thread, kCopy16, tile + 16 * tid,
       getParameter<char>(parameters, 0) + 16 * tid);
  execute(thread, kWaitAll);
  barrier(thread);
  copy(thread, kCopy4, tile + 16 * tid,
       getParameter<char>(parameters, 0) + 16 * tid);
  execute(thread, kWaitAll);
  // The bytes beside those of the copy are not in flight.
  load(thread, tile + 16 * tid + 4);
  load(thread, tile + 16 * tid);
  if (kBarrier)
    barrier(thread);
  load(thread, tile + 16 * (tid ^ 1), kLoad2);
}

TEST(RacesTest, CopiesAreSeenAfterABarrier) {
  expectRight(copyForOthers<true>, {1024}, 1, 64);
  forAllModes(copyForOthers<false>, {1024}, 1, 64, 0,
              [&](llvm::ArrayRef<Fault> faults) {
                ASSERT_FALSE(faults.empty());
                EXPECT_NE(faults[0].message.find("(site:1)"),
                          std::string::npos);
              });
}

/// What is copied must not change before it has been.
template <bool kWaits>
void changeSource(Thread *thread, void **parameters) {
  auto *from = getParameter<int32_t>(parameters, 0);
  copy(thread, kCopy16, getShared<char>(thread), from);
  if (kWaits)
    execute(thread, kWaitAll);
  store(thread, from + 1, 5);
  execute(thread, kWaitAll);
}

TEST(RacesTest, SourcesOfCopies) {
  expectRight(changeSource<true>, {64}, 1, 1);
  expectFault(
      changeSource<false>, {64}, 1, 1, Fault::Kind::InFlight,
      {"writes global memory at byte 4 of a buffer of 64", "(site:13)"});
}

/// Two copies to one place arrive in any order.
template <bool kWaits>
void copyTwice(Thread *thread, void **parameters) {
  auto *from = getParameter<char>(parameters, 0);
  auto *tile = getShared<char>(thread);
  copy(thread, kCopy16, tile, from);
  execute(thread, kCommit);
  if (kWaits)
    execute(thread, kWait0);
  copy(thread, kCopy4, tile + 12, from);
  execute(thread, kWaitAll);
}

TEST(RacesTest, CopiesToOnePlace) {
  expectRight(copyTwice<true>, {64}, 1, 1);
  expectFault(copyTwice<false>, {64}, 1, 1, Fault::Kind::InFlight,
              {"copies to shared memory"});
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

template <Order kOrder>
void passInGlobal(Thread *thread, void **parameters) {
  auto *to = getParameter<int16_t>(parameters, 0) + 64 * getCtaid(thread);
  const int tid = getTid(thread);
  store<int16_t>(thread, to + tid, tid);
  order<kOrder>(thread);
  load(thread, to + (tid ^ 32));
}

TEST(RacesTest, GlobalMemoryInABlock) {
  expectRight(passInGlobal<Order::Barrier>, {1024}, 3, 64);
  expectFault(passInGlobal<Order::None>, {1024}, 3, 64, Fault::Kind::GlobalRace,
              {"block (0,0,0)", "of a buffer of 1024 bytes"});
}

/// Blocks write elements `kStride` apart and read them, and all read the
/// second buffer.
template <int kStride>
void writeElements(Thread *thread, void **parameters) {
  auto *to = getParameter<int16_t>(parameters, 0);
  auto *from = getParameter<int32_t>(parameters, 1);
  store<int16_t>(thread, to + getTid(thread) + kStride * getCtaid(thread),
                 load(thread, from + getTid(thread)));
}

TEST(RacesTest, BlocksThatWriteOneElement) {
  expectRight(writeElements<65>, {2048, 260}, 5, 65);
  expectFault(writeElements<64>, {2048, 260}, 5, 65, Fault::Kind::GlobalRace,
              {"block (1,0,0)", "which block (0,0,0) writes", "(site:2)"});
}

template <int kDistance>
void readOfNext(Thread *thread, void **parameters) {
  auto *to = getParameter<int32_t>(parameters, 0);
  const int block = getCtaid(thread);
  store(thread, to + block, 1);
  load(thread, to + (block + kDistance) % 4);
}

TEST(RacesTest, BlocksThatReadWhatOthersWrite) {
  expectRight(readOfNext<0>, {16}, 4, 1);
  // Block 0 reads before block 1 writes, and block 3 reads what 0 has written.
  expectFault(
      readOfNext<1>, {16}, 4, 1, Fault::Kind::GlobalRace,
      {"block (1,0,0)", "writes global memory", "which block (0,0,0) reads"});
  expectFault(
      readOfNext<3>, {16}, 4, 1, Fault::Kind::GlobalRace,
      {"block (1,0,0)", "reads global memory", "which block (0,0,0) writes"});
}

/// Sums of blocks: split-K with and without atomic adds.
template <bool kAtomic2>
void addSums(Thread *thread, void **parameters) {
  auto *to = getParameter<int32_t>(parameters, 0) + getTid(thread);
  if (kAtomic2) {
    topSimAccess(thread, kAtomic, to, 4, 2);
    __atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
  } else {
    store(thread, to, load(thread, to) + 1);
  }
}

TEST(RacesTest, SumsOfBlocks) {
  expectRight(addSums<true>, {256}, 8, 64);
  expectFault(addSums<false>, {256}, 8, 64, Fault::Kind::GlobalRace,
              {"block (1,0,0)"});
}

TEST(RacesTest, OneLaunchIsOrderedBeforeTheNext) {
  HandWritten kernel(addSums<false>);
  const uint64_t buffer = kernel.addBuffer(256);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(kernel.run(1, 64).empty());
  EXPECT_EQ(kernel.readBuffer<int32_t>(buffer, 64)[5], 3);
}

} // namespace
