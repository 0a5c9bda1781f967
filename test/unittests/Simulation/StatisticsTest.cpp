//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What launches have moved, by warps.
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"

using namespace mlir::top::sim;

namespace {

const SiteCounts &getSite(HandWritten &kernel, TestSite site) {
  return kernel.machine.getStatistics().sites[site];
}

template <int kBytes>
void loadStrided(Thread *thread, void **parameters) {
  auto *from = getParameter<int32_t>(parameters, 0);
  for (int i = 0; i < 3; ++i)
    load(thread, from + getTid(thread) * kBytes / 4);
}

TEST(StatisticsTest, Sectors) {
  for (auto [function, sectors] :
       {std::pair<KernelFunction, uint64_t>(loadStrided<4>, 4),
        std::pair<KernelFunction, uint64_t>(loadStrided<8>, 8),
        std::pair<KernelFunction, uint64_t>(loadStrided<64>, 32),
        std::pair<KernelFunction, uint64_t>(loadStrided<0>, 1)}) {
    HandWritten kernel(function);
    kernel.addBuffer(64 * 64);
    ASSERT_TRUE(kernel.run(2, 64).empty());
    const AccessCounts &counts = getSite(kernel, kLoad).globalLoad;
    EXPECT_EQ(counts.requests, 2u * 2 * 3);
    EXPECT_EQ(counts.transactions, 2u * 2 * 3 * sectors);
    EXPECT_EQ(counts.bytes, 2u * 64 * 3 * 4);
    EXPECT_EQ(counts.conflicts, 0u);
    EXPECT_EQ(kernel.machine.getStatistics().instructions.lookup("llvm.load"),
              12u);
  }
}

template <int kStride>
void storeStrided(Thread *thread, void **) {
  store(thread, getShared<int32_t>(thread) + getTid(thread) * kStride, 1);
}

TEST(StatisticsTest, BankConflicts) {
  for (auto [function, turns] :
       {std::pair<KernelFunction, uint64_t>(storeStrided<1>, 1),
        std::pair<KernelFunction, uint64_t>(storeStrided<2>, 2),
        std::pair<KernelFunction, uint64_t>(storeStrided<32>, 32),
        std::pair<KernelFunction, uint64_t>(storeStrided<31>, 1)}) {
    HandWritten kernel(function);
    ASSERT_TRUE(kernel.run(1, 32).empty());
    const AccessCounts &counts = getSite(kernel, kStore).sharedStore;
    EXPECT_EQ(counts.requests, 1u);
    EXPECT_EQ(counts.transactions, turns);
    EXPECT_EQ(counts.conflicts, turns - 1);
  }
}

/// 16-byte rows for ldmatrix, `kPitch` apart.
template <int kPitch>
void loadMatrices(Thread *thread, void **) {
  char *row = getShared<char>(thread) + getTid(thread) * kPitch;
  for (int i = 0; i < 4; ++i)
    store(thread, reinterpret_cast<int32_t *>(row) + i, 0);
  execute(thread, kSyncWarp, {~0u});
  int32_t result[4];
  execute(thread, kLdMatrix, {reinterpret_cast<uint64_t>(row)}, result);
}

TEST(StatisticsTest, RowsOfMatrices) {
  for (auto [function, turns] :
       {std::pair<KernelFunction, uint64_t>(loadMatrices<16>, 4),
        std::pair<KernelFunction, uint64_t>(loadMatrices<32>, 8),
        std::pair<KernelFunction, uint64_t>(loadMatrices<128>, 32)}) {
    HandWritten kernel(function);
    for (const Fault &fault : kernel.run(1, 32))
      ADD_FAILURE() << fault.message;
    const AccessCounts &counts = getSite(kernel, kLdMatrix).sharedLoad;
    EXPECT_EQ(counts.requests, 1u);
    EXPECT_EQ(counts.bytes, 512u);
    EXPECT_EQ(counts.transactions, turns);
    EXPECT_EQ(counts.conflicts, turns - 4);
    EXPECT_EQ(getSite(kernel, kLdMatrix).executions, 1u);
  }
}

TEST(StatisticsTest, CopiesCountOnBothSides) {
  HandWritten kernel([](Thread *thread, void **parameters) {
    const int tid = getTid(thread);
    copy(thread, kCopySome, getShared<char>(thread) + 16 * tid,
         getParameter<char>(parameters, 0) + 16 * tid, tid < 16 ? 16 : 0);
    execute(thread, kWaitAll);
  });
  kernel.addBuffer(512);
  ASSERT_TRUE(kernel.run(1, 32).empty());
  const Statistics &statistics = kernel.machine.getStatistics();
  EXPECT_EQ(statistics.globalLoad.requests, 1u);
  EXPECT_EQ(statistics.globalLoad.bytes, 256u);
  EXPECT_EQ(statistics.globalLoad.transactions, 8u);
  EXPECT_EQ(statistics.asyncCopy.bytes, 256u);
  EXPECT_EQ(statistics.asyncCopy.transactions, 8u);
  EXPECT_EQ(statistics.sharedStore.bytes, 512u);
  EXPECT_EQ(statistics.sharedStore.transactions, 4u);
  EXPECT_EQ(statistics.sharedStore.conflicts, 0u);
  EXPECT_EQ(statistics.instructions.lookup("nvvm.cp.async.shared.global"), 1u);
}

/// More accesses without a barrier than are kept: lanes take turns, so that
/// what they do together is still counted together.
TEST(StatisticsTest, LongLoops) {
  HandWritten kernel([](Thread *thread, void **parameters) {
    for (int i = 0; i < 5000; ++i)
      load(thread, getParameter<int32_t>(parameters, 0) + getTid(thread));
  });
  kernel.addBuffer(128);
  ASSERT_TRUE(kernel.run(1, 32).empty());
  EXPECT_EQ(getSite(kernel, kLoad).globalLoad.requests, 5000u);
  EXPECT_EQ(getSite(kernel, kLoad).globalLoad.transactions, 20000u);
}

TEST(StatisticsTest, SumsOverLaunchesAndWorkers) {
  auto run = [](unsigned workers, int launches) {
    MachineOptions options;
    options.workers = workers;
    HandWritten kernel(loadStrided<8>, options);
    kernel.addBuffer(1024);
    for (int i = 0; i < launches; ++i)
      EXPECT_TRUE(kernel.run(9, 64).empty());
    const Statistics &statistics = kernel.machine.getStatistics();
    EXPECT_EQ(statistics.launches, uint64_t(launches));
    EXPECT_EQ(statistics.blocks, 9u * launches);
    EXPECT_EQ(statistics.threads, 9u * 64 * launches);
    EXPECT_EQ(getSite(kernel, kLoad).globalLoad.requests, 54u);
    const uint64_t transactions = statistics.globalLoad.transactions;
    kernel.machine.resetStatistics();
    EXPECT_EQ(kernel.machine.getStatistics().launches, 0u);
    return transactions;
  };
  EXPECT_EQ(run(1, 3), 3 * run(4, 1));
}

} // namespace
