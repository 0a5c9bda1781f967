//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the simulated device, launches and their limits, registers, and
// that a seed determines a run.
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"

using namespace mlir::top::sim;

namespace {

std::string getMessage(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(MachineTest, BuffersAreAlignedAsPromisedAndNoMore) {
  Machine machine(MachineOptions{});
  for (int64_t bytes : {0, 1, 100, 1 << 20}) {
    const uint64_t address = llvm::cantFail(machine.allocate(bytes));
    EXPECT_EQ(address % 256, 0u);
    EXPECT_NE(address % 512, 0u);
  }
  EXPECT_NE(getMessage(machine.allocate(-1).takeError())
                .find("cannot allocate -1 bytes"),
            std::string::npos);
}

TEST(MachineTest, NewMemoryIsRandom) {
  Machine machine(MachineOptions{});
  const uint64_t address = llvm::cantFail(machine.allocate(1003));
  std::vector<uint8_t> bytes(1003);
  llvm::cantFail(machine.read(bytes.data(), address, bytes.size()));
  std::vector<int> counts(256);
  for (uint8_t byte : bytes)
    ++counts[byte];
  EXPECT_LT(*std::max_element(counts.begin(), counts.end()), 30);
}

TEST(MachineTest, TheHostStaysInsideOfABuffer) {
  Machine machine(MachineOptions{});
  const uint64_t address = llvm::cantFail(machine.allocate(64));
  char bytes[64] = {};
  EXPECT_EQ(getMessage(machine.write(address + 32, bytes, 32)), "");
  EXPECT_NE(getMessage(machine.write(address + 32, bytes, 33))
                .find("byte 32 of a buffer of 64 bytes"),
            std::string::npos);
  EXPECT_NE(getMessage(machine.read(bytes, address - 1, 1))
                .find("1 bytes before a buffer of 64 bytes"),
            std::string::npos);
  EXPECT_NE(getMessage(machine.fill(address + 64, 0, 1))
                .find("0 bytes beyond the end of a buffer of 64 bytes"),
            std::string::npos);
  EXPECT_NE(getMessage(machine.fill(16, 0, 1)).find("in no buffer"),
            std::string::npos);
  EXPECT_NE(getMessage(machine.fill(address, 0, -1)).find("-1 bytes"),
            std::string::npos);
  EXPECT_NE(getMessage(machine.release(address + 1)).find("no buffer begins"),
            std::string::npos);
  EXPECT_NE(getMessage(machine.setWritable(5, true)).find("no buffer begins"),
            std::string::npos);
  EXPECT_EQ(getMessage(machine.release(address)), "");
  EXPECT_NE(getMessage(machine.fill(address, 0, 1)), "");
}

/// Each thread writes what it is to element ctaid * ntid + tid.
void writeRegisters(Thread *thread, void **parameters) {
  auto *to = getParameter<int32_t>(parameters, 0);
  const int32_t index =
      getCtaid(thread) * topSimRegister(thread, kNtid) + getTid(thread);
  for (int32_t i = 0; i < 5; ++i)
    store(thread, to + index * 5 + i, topSimRegister(thread, i));
}

TEST(MachineTest, RegistersOfAllThreads) {
  for (unsigned workers : {1, 4}) {
    MachineOptions options;
    options.workers = workers;
    HandWritten kernel(writeRegisters, options);
    constexpr int kBlocks = 5, kThreads = 70;
    const uint64_t buffer = kernel.addBuffer(kBlocks * kThreads * 20);
    ASSERT_TRUE(kernel.run(kBlocks, kThreads).empty());
    auto values = kernel.readBuffer<int32_t>(buffer, kBlocks * kThreads * 5);
    for (int block = 0; block < kBlocks; ++block)
      for (int thread = 0; thread < kThreads; ++thread) {
        const int32_t *of = &values[(block * kThreads + thread) * 5];
        EXPECT_EQ(of[kTid], thread);
        EXPECT_EQ(of[kCtaid], block);
        EXPECT_EQ(of[kLane], thread % 32);
        EXPECT_EQ(of[kWarp], thread / 32);
        EXPECT_EQ(of[kNtid], kThreads);
      }
  }
}

void writeShape(Thread *thread, void **parameters) {
  auto *to = getParameter<int32_t>(parameters, 0);
  int32_t values[12];
  for (int32_t i = 0; i < 12; ++i)
    values[i] = topSimRegister(thread, i);
  const int32_t block =
      values[6] + values[9] * (values[7] + values[10] * values[8]);
  const int32_t index =
      values[0] + values[3] * (values[1] + values[4] * values[2]);
  const int32_t threads = values[3] * values[4] * values[5];
  for (int32_t i = 0; i < 12; ++i)
    store(thread, to + (block * threads + index) * 12 + i, values[i]);
}

TEST(MachineTest, ThreeDimensions) {
  HandWritten kernel(writeShape);
  kernel.program.registers = {"tid.x",   "tid.y",    "tid.z",    "ntid.x",
                              "ntid.y",  "ntid.z",   "ctaid.x",  "ctaid.y",
                              "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
  const uint64_t buffer = kernel.addBuffer(24 * 24 * 12 * 4);
  LaunchShape shape;
  shape.grid = {2, 3, 4};
  shape.block = {4, 3, 2};
  ASSERT_EQ(getMessage(kernel.launch(shape)), "");
  auto values = kernel.readBuffer<int32_t>(buffer, 24 * 24 * 12);
  for (int i = 0; i < 24 * 24; ++i) {
    const int thread = i % 24, block = i / 24;
    const std::vector<int32_t> expected = {
        thread % 4, thread / 4 % 3, thread / 12, 4, 3, 2,
        block % 2,  block / 2 % 3,  block / 6,   2, 3, 4};
    EXPECT_EQ(std::vector<int32_t>(&values[i * 12], &values[i * 12] + 12),
              expected);
  }
}

void doNothing(Thread *, void **) {}

TEST(MachineTest, WhatALaunchMustFulfil) {
  HandWritten kernel(doNothing);
  auto refuse = [&](const LaunchShape &shape, llvm::StringRef text) {
    EXPECT_NE(getMessage(kernel.launch(shape)).find(text), std::string::npos)
        << text.str();
  };
  LaunchShape shape;
  EXPECT_EQ(getMessage(kernel.launch(shape)), "");
  shape.grid[1] = 0;
  refuse(shape, "expected grid dimension 1 to be from 1 to 65535, got 0");
  shape = {};
  shape.block = {1024, 2, 1};
  refuse(shape, "expected a block of at most 1024 threads, got 2048");
  shape = {};
  shape.cluster[0] = 2;
  refuse(shape, "clusters are not simulated");
  shape = {};
  shape.sharedBytes = 227 * 1024 - kStaticBytes;
  EXPECT_EQ(getMessage(kernel.launch(shape)), "");
  ++shape.sharedBytes;
  refuse(shape, "needs 232449 bytes of shared memory, but a block has at most "
                "232448");
  shape = {};
  kernel.program.kernels[0].requiredThreads = 128;
  refuse(shape, "requires blocks of 128 threads, got 1");
  kernel.program.kernels[0].requiredThreads = 0;
  const Kernel &entry = kernel.program.kernels[0];
  EXPECT_NE(
      getMessage(kernel.machine.launch(kernel.program, entry, shape, {nullptr}))
          .find("takes 0 parameters, got 1"),
      std::string::npos);
  kernel.program.registers = {"clock"};
  refuse(shape, "does not have the special register 'clock'");
}

/// Writes the order in which threads come to a counter.
void writeOrder(Thread *thread, void **parameters) {
  auto *to = getParameter<int32_t>(parameters, 0);
  auto *counter = getShared<int32_t>(thread);
  if (getTid(thread) == 0)
    store(thread, counter, 0);
  barrier(thread);
  topSimAccess(thread, kAtomic, counter, 4, 2);
  const int32_t order = (*counter)++;
  store(thread, to + getCtaid(thread) * 256 + order, getTid(thread));
}

TEST(MachineTest, ASeedDeterminesTheOrder) {
  auto getOrder = [](uint64_t seed, unsigned workers) {
    MachineOptions options;
    options.seed = seed;
    options.workers = workers;
    HandWritten kernel(writeOrder, options);
    const uint64_t buffer = kernel.addBuffer(6 * 256 * 4);
    EXPECT_TRUE(kernel.run(6, 256).empty());
    return kernel.readBuffer<int32_t>(buffer, 6 * 256);
  };
  const std::vector<int32_t> first = getOrder(1, 1);
  EXPECT_EQ(first, getOrder(1, 1));
  EXPECT_EQ(first, getOrder(1, 4));
  EXPECT_NE(first, getOrder(2, 1));
  // Blocks have orders of their own, and each has all threads.
  std::vector<int32_t> block(first.begin(), first.begin() + 256);
  EXPECT_FALSE(std::equal(block.begin(), block.end(), first.begin() + 256));
  std::sort(block.begin(), block.end());
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(block[i], i);
}

TEST(MachineTest, MachinesLiveSideBySide) {
  HandWritten first(writeOrder), second(writeOrder);
  first.addBuffer(1024);
  second.addBuffer(1024);
  EXPECT_TRUE(first.run(1, 256).empty());
  EXPECT_TRUE(second.run(1, 256).empty());
  EXPECT_TRUE(first.run(1, 256).empty());
}

} // namespace
