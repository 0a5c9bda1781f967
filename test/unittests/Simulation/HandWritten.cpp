//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See HandWritten.h.
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"

using namespace mlir::top::sim;

Program mlir::top::sim::makeProgram(KernelFunction function,
                                    unsigned numParameters) {
  Program program;
  program.sites.resize(kNumSites);
  auto set =
      [&](TestSite site, std::string op, std::vector<std::string> operands = {},
          std::vector<std::pair<std::string, std::string>> attributes = {}) {
        Site &made = program.sites[site];
        made.op = op;
        made.operandTypes.append(operands.begin(), operands.end());
        for (auto &[name, value] : attributes)
          made.attributes[name] = value;
        made.location = "site:" + std::to_string(site);
      };
  const std::string shared = "!llvm.ptr<3>", global = "!llvm.ptr<1>";
  set(kLoad, "llvm.load", {"!llvm.ptr"});
  set(kLoad2, "llvm.load", {"!llvm.ptr"});
  set(kStore, "llvm.store", {"i32", "!llvm.ptr"});
  set(kStore2, "llvm.store", {"i32", "!llvm.ptr"});
  set(kAtomic, "llvm.atomicrmw", {"!llvm.ptr", "i32"});
  set(kUnalignedLoad, "llvm.load", {"!llvm.ptr"}, {{"alignment", "4"}});
  set(kBarrier, "nvvm.barrier0");
  set(kBarrier2, "nvvm.barrier0");
  set(kNamedBarrier, "nvvm.barrier", {"i32", "i32"});
  program.sites[kNamedBarrier].operandSegments = {1, 1, 0};
  set(kArrive, "nvvm.barrier.arrive", {"i32", "i32"});
  set(kVote, "nvvm.barrier", {"i32"}, {{"reductionOp", "popc"}});
  program.sites[kVote].operandSegments = {0, 0, 1};
  program.sites[kVote].resultType = "i32";
  set(kSyncWarp, "nvvm.bar.warp.sync", {"i32"});
  set(kFence, "nvvm.memory.barrier", {}, {{"scope", "gpu"}});
  set(kCopy16, "nvvm.cp.async.shared.global", {shared, global},
      {{"size", "16"}, {"modifier", "cg"}});
  set(kCopy4, "nvvm.cp.async.shared.global", {shared, global},
      {{"size", "4"}, {"modifier", "ca"}});
  set(kCopySome, "nvvm.cp.async.shared.global", {shared, global, "i32"},
      {{"size", "16"}, {"modifier", "cg"}});
  set(kCopyIf, "cp.async.if", {"i1", "i32", "!llvm.ptr", "i32"},
      {{"bytes", "16"}, {"destinationOffset", "16"}, {"sourceOffset", "32"}});
  set(kCommit, "nvvm.cp.async.commit.group");
  set(kWait0, "nvvm.cp.async.wait.group", {}, {{"n", "0"}});
  set(kWait1, "nvvm.cp.async.wait.group", {}, {{"n", "1"}});
  set(kWaitAll, "nvvm.cp.async.wait.all");
  set(kShuffle, "nvvm.shfl.sync", {"i32", "i32", "i32", "i32"},
      {{"kind", "bfly"}});
  program.sites[kShuffle].resultType = "i32";
  set(kLdMatrix, "nvvm.ldmatrix", {shared},
      {{"num", "4"},
       {"layout", "row"},
       {"shape", "m = 8, n = 8"},
       {"eltType", "b16"}});
  program.sites[kLdMatrix].resultType = "!llvm.struct<(i32, i32, i32, i32)>";
  set(kUnknown, "nvvm.wgmma.fence.aligned");

  program.registers = {"tid.x", "ctaid.x", "laneid", "warpid", "ntid.x"};
  program.shared = {{"tile", kStaticBytes, 16, false},
                    {"dynamic", 0, 16, true}};
  program.kernels.push_back({"kernel", function, 0, numParameters});
  return program;
}

HandWritten::HandWritten(KernelFunction function, MachineOptions options)
    : machine(options), program(makeProgram(function, 0)) {}

uint64_t HandWritten::addBuffer(int64_t bytes) {
  const uint64_t address = llvm::cantFail(machine.allocate(bytes));
  llvm::cantFail(machine.fill(address, 0, bytes));
  parameters.push_back(std::make_unique<uint64_t>(address));
  return address;
}

llvm::Error HandWritten::launch(const LaunchShape &shape) {
  Kernel &kernel = program.kernels.front();
  kernel.numParameters = parameters.size();
  std::vector<void *> pointers;
  for (std::unique_ptr<uint64_t> &parameter : parameters)
    pointers.push_back(parameter.get());
  return machine.launch(program, kernel, shape, pointers);
}

std::vector<Fault> HandWritten::run(uint32_t blocks, uint32_t threads,
                                    int64_t sharedBytes) {
  LaunchShape shape;
  shape.grid[0] = blocks;
  shape.block[0] = threads;
  shape.sharedBytes = sharedBytes;
  std::vector<Fault> faults;
  llvm::Error rest =
      llvm::handleErrors(launch(shape), [&](const FaultError &error) {
        faults = error.getFaults().vec();
        totalFaults = error.getTotal();
      });
  if (rest)
    ADD_FAILURE() << llvm::toString(std::move(rest));
  return faults;
}

void mlir::top::sim::forAllModes(
    KernelFunction function, std::vector<int64_t> buffers, uint32_t blocks,
    uint32_t threads, int64_t sharedBytes,
    llvm::function_ref<void(llvm::ArrayRef<Fault>)> check) {
  for (CompletionMode mode :
       {CompletionMode::Eager, CompletionMode::Lazy, CompletionMode::Random})
    for (uint64_t seed : {1, 2, 77, 1000})
      for (unsigned workers : {1, 3}) {
        SCOPED_TRACE("mode " + std::to_string(int(mode)) + ", seed " +
                     std::to_string(seed) + ", workers " +
                     std::to_string(workers));
        MachineOptions options;
        options.mode = mode;
        options.seed = seed;
        options.workers = workers;
        HandWritten kernel(function, options);
        for (int64_t bytes : buffers)
          kernel.addBuffer(bytes);
        check(kernel.run(blocks, threads, sharedBytes));
        if (testing::Test::HasFailure())
          return;
      }
}

void mlir::top::sim::expectFault(KernelFunction function,
                                 std::vector<int64_t> buffers, uint32_t blocks,
                                 uint32_t threads, Fault::Kind kind,
                                 std::vector<std::string> texts,
                                 int64_t sharedBytes) {
  forAllModes(function, buffers, blocks, threads, sharedBytes,
              [&](llvm::ArrayRef<Fault> faults) {
                EXPECT_FALSE(faults.empty());
                for (const Fault &fault : faults) {
                  EXPECT_EQ(getName(fault.kind), getName(kind))
                      << fault.message;
                  for (const std::string &text : texts)
                    EXPECT_NE(fault.message.find(text), std::string::npos)
                        << "no '" << text << "' in: " << fault.message;
                }
              });
}

void mlir::top::sim::expectRight(KernelFunction function,
                                 std::vector<int64_t> buffers, uint32_t blocks,
                                 uint32_t threads, int64_t sharedBytes) {
  forAllModes(function, buffers, blocks, threads, sharedBytes,
              [&](llvm::ArrayRef<Fault> faults) {
                for (const Fault &fault : faults)
                  ADD_FAILURE()
                      << getName(fault.kind).str() << ": " << fault.message;
              });
}
