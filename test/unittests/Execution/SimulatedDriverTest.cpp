//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulated driver by itself: kernels written in the nvvm dialect, loaded
// and launched through the functions that stand for libcuda.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/SimulatedDriver.h"
#include "Parse.h"
#include "mlir/Pass/PassManager.h"
#include "top/Conversion/Passes.h"
#include "top/Execution/CudaDriver.h"
#include "top/Execution/SimulationReport.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// Each thread doubles its element of the first buffer into the second one.
constexpr StringLiteral doubling = R"mlir(
gpu.module @kernels {
  llvm.mlir.global external @memory() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.func @twice(%from: !llvm.ptr<1> {llvm.readonly}, %to: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %from[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %to[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = llvm.fadd %x, %x : f32
    llvm.store %y, %q : f32, !llvm.ptr<1> loc("double"("kernel.mlir":7:9))
    llvm.return
  }
}
)mlir";

std::string simulate(StringRef kernels) {
  ParsedModule module(kernels);
  PassManager pm(module.get().getContext());
  pm.addPass(createTopNVVMToSimPass());
  EXPECT_TRUE(succeeded(pm.run(module.get()))) << module.errors;
  std::string text;
  llvm::raw_string_ostream(text) << module.get();
  return text;
}

/// A driver and a context of it.
struct Simulated {
  explicit Simulated(const sim::MachineOptions &options = {},
                     StringRef chip = "sm_80")
      : driver(llvm::cantFail(lookupTarget(chip)), options),
        context(llvm::cantFail(
            CudaContext::create(SimulatedDriver::getFunctions()))),
        stream(llvm::cantFail(context->createStream())) {}

  /// Loads and launches the kernel `name` of 32 threads.
  std::string launch(StringRef text, StringRef name,
                     SmallVector<uint64_t> values, CudaLaunch shape) {
    auto module = context->load(text);
    if (!module)
      return llvm::toString(module.takeError());
    auto kernel = context->getKernel(*module, name);
    if (!kernel)
      return llvm::toString(kernel.takeError());
    SmallVector<void *> parameters;
    for (uint64_t &value : values)
      parameters.push_back(&value);
    return llvm::toString(context->launch(*kernel, shape, parameters, stream));
  }
  std::string launch(StringRef text, StringRef name,
                     SmallVector<uint64_t> values) {
    return launch(text, name, std::move(values), {{1, 1, 1}, {32, 1, 1}, 0});
  }

  SimulatedDriver driver;
  std::unique_ptr<CudaContext> context;
  CudaStream stream;
};

TEST(SimulatedDriverTest, Launch) {
  Simulated gpu;
  CudaMemory from = llvm::cantFail(gpu.context->allocate(32 * 4));
  CudaMemory to = llvm::cantFail(gpu.context->allocate(32 * 4));
  std::vector<float> values(32), results(32);
  for (int i = 0; i < 32; ++i)
    values[i] = i + 0.5f;
  llvm::cantFail(gpu.context->copyToDevice(from.get(), values.data(), 128));
  EXPECT_EQ(gpu.launch(simulate(doubling), "twice", {from.get(), to.get()}),
            "");
  llvm::cantFail(gpu.context->copyToHost(results.data(), to.get(), 128));
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(results[i], 2 * i + 1);
  const sim::Statistics &statistics = gpu.driver.getStatistics();
  EXPECT_EQ(statistics.launches, 1u);
  EXPECT_EQ(statistics.globalLoad.requests, 1u);
  EXPECT_EQ(statistics.globalLoad.transactions, 4u);
  EXPECT_EQ(statistics.globalStore.bytes, 128u);
  // The module has been unloaded.
  EXPECT_EQ(gpu.driver.getProgram(), nullptr);
}

TEST(SimulatedDriverTest, Device) {
  Simulated gpu({}, "sm_89");
  EXPECT_EQ(gpu.context->getName(), "simulated sm_89");
  EXPECT_EQ(gpu.context->getCapability(), 89u);
  EXPECT_EQ(gpu.context->getLimits().sharedBytesPerBlock, 101376);
  EXPECT_EQ(gpu.context->getLimits().grid[0], 2147483647);
  EXPECT_EQ(llvm::cantFail(gpu.context->getPciBusId()), "simulated");
  const int64_t free = llvm::cantFail(gpu.context->getFreeBytes());
  CudaMemory memory = llvm::cantFail(gpu.context->allocate(1000));
  EXPECT_EQ(llvm::cantFail(gpu.context->getFreeBytes()), free - 1000);
}

/// One error with the kind, the thread, the op and its location; later launches
/// are not touched by it.
TEST(SimulatedDriverTest, Faults) {
  Simulated gpu;
  CudaMemory large = llvm::cantFail(gpu.context->allocate(32 * 4));
  CudaMemory small = llvm::cantFail(gpu.context->allocate(31 * 4));
  const std::string text = simulate(doubling);
  std::string error = gpu.launch(text, "twice", {large.get(), small.get()});
  StringRef rest = error;
  EXPECT_TRUE(rest.consume_front(
      "cuLaunchKernel failed: CUDA_ERROR_LAUNCH_FAILED (out-of-bounds: "))
      << error;
  EXPECT_TRUE(rest.consume_back(" for kernel 'twice'")) << error;
  for (StringRef part :
       {"block (0,0,0)", "lane 31", "llvm.store", "kernel.mlir:7:9 (double)"})
    EXPECT_TRUE(rest.contains(part)) << part.str() << " in " << error;
  ASSERT_EQ(gpu.driver.getNumFaults(), 1u);
  EXPECT_EQ(gpu.driver.getFaults()[0].kind, sim::Fault::Kind::OutOfBounds);
  EXPECT_EQ(gpu.launch(text, "twice", {large.get(), large.get()}), "");
}

/// The error is one line; what it leaves out becomes notes.
TEST(SimulatedDriverTest, Deadlock) {
  Simulated gpu;
  const std::string text = simulate(R"mlir(
gpu.module @kernels {
  llvm.func @lonely() attributes {nvvm.kernel} {
    %id = llvm.mlir.constant(1 : i32) : i32
    %threads = llvm.mlir.constant(64 : i32) : i32
    %width = llvm.mlir.constant(32 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "ult" %tid, %width : i32
    llvm.cond_br %first, ^meet, ^end
  ^meet:
    // The custom form would take the location for its optional attribute.
    "nvvm.barrier"(%id, %threads) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("meeting.mlir":3:4)
    llvm.br ^end
  ^end:
    llvm.return
  }
}
)mlir");
  EXPECT_EQ(gpu.launch(text, "lonely", {}, {{1, 1, 1}, {64, 1, 1}, 0}),
            "cuLaunchKernel failed: CUDA_ERROR_LAUNCH_FAILED (deadlock: block "
            "(0,0,0): no thread can run) for kernel 'lonely'");
  std::string notes;
  llvm::raw_string_ostream os(notes);
  printFaultNotes(os, gpu.driver.getFaults(), gpu.driver.getNumFaults());
  EXPECT_EQ(notes,
            "top-run: note:   warp 0 lanes 0-31 wait at barrier 1 for 64 "
            "threads, of which 32 have come, at nvvm.barrier "
            "(meeting.mlir:3:4)\n"
            "top-run: note:   warp 1 lanes 0-31 have ended\n");
}

TEST(SimulationReportTest, FaultNotes) {
  std::string notes;
  llvm::raw_string_ostream os(notes);
  const sim::Fault faults[] = {{sim::Fault::Kind::Misaligned, "first"},
                               {sim::Fault::Kind::ReadOnly, "second"}};
  printFaultNotes(os, ArrayRef(faults).take_front(), 1);
  EXPECT_EQ(notes, "");
  printFaultNotes(os, faults, 7);
  EXPECT_EQ(notes, "top-run: note: read-only: second\n"
                   "top-run: note: and 5 faults more\n");
}

/// A kernel writes to its arguments that are not only read, and nowhere else.
TEST(SimulatedDriverTest, ReadOnlyBuffers) {
  std::string wrong = doubling.str();
  wrong.replace(wrong.find("%q = llvm.getelementptr %to"), 27,
                "%q = llvm.getelementptr %from");
  Simulated gpu;
  CudaMemory from = llvm::cantFail(gpu.context->allocate(32 * 4));
  CudaMemory to = llvm::cantFail(gpu.context->allocate(32 * 4));
  const std::string text = simulate(wrong);
  std::string error = gpu.launch(text, "twice", {from.get(), to.get()});
  EXPECT_TRUE(StringRef(error).contains("(read-only: ")) << error;
  // A buffer that both point into may be written.
  EXPECT_EQ(gpu.launch(text, "twice", {from.get(), from.get()}), "");
  // The host may write to all.
  EXPECT_FALSE(bool(gpu.context->fill(to.get(), 0, 128)));
}

TEST(SimulatedDriverTest, Copies) {
  Simulated gpu;
  CudaMemory from = llvm::cantFail(gpu.context->allocate(12));
  CudaMemory to = llvm::cantFail(gpu.context->allocate(8));
  llvm::cantFail(gpu.context->copyToDevice(from.get(), "abcdefghijkl", 12));
  llvm::cantFail(gpu.context->fill(to.get(), '.', 8));
  // Rows of 2 bytes, 4 apart to 3 apart.
  llvm::cantFail(
      gpu.context->copyRows(to.get(), 3, from.get() + 1, 4, 2, 3, gpu.stream));
  char text[9] = {};
  llvm::cantFail(gpu.context->copyToHost(text, to.get(), 8));
  EXPECT_STREQ(text, "bc.fg.jk");
  llvm::cantFail(gpu.context->copy(to.get(), from.get(), 8, gpu.stream));
  llvm::cantFail(gpu.context->copyToHost(text, to.get(), 8));
  EXPECT_STREQ(text, "abcdefgh");
  // One byte beyond the end.
  EXPECT_TRUE(StringRef(llvm::toString(gpu.context->copy(
                            to.get() + 1, from.get(), 8, gpu.stream)))
                  .starts_with("cuMemcpyDtoDAsync_v2 failed: "
                               "CUDA_ERROR_INVALID_VALUE ("));
  EXPECT_TRUE(StringRef(llvm::toString(gpu.context->copyRows(
                            to.get(), 1, from.get(), 4, 2, 3, gpu.stream)))
                  .contains("the pitch is less than the width"));
}

TEST(SimulatedDriverTest, Refusals) {
  Simulated gpu;
  auto load = [&](StringRef text) {
    return llvm::toString(gpu.context->load(text).takeError());
  };
  EXPECT_EQ(load(".version 8.0"),
            "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_IMAGE (the "
            "simulated GPU cannot load it): cannot read the kernels: expected "
            "three consecutive dots for an ellipsis");
  EXPECT_EQ(load("module {}"),
            "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_IMAGE (the "
            "simulated GPU cannot load it): expected a module with "
            "'top.simulation', which top-nvvm-to-sim leaves");
  const std::string text = simulate(doubling);
  EXPECT_EQ(gpu.launch(text, "thrice", {}),
            "cuModuleGetFunction failed: CUDA_ERROR_NOT_FOUND (no kernel of "
            "this name) for kernel 'thrice'");
  EXPECT_EQ(gpu.launch(text, "twice", {0, 0}, {{1, 1, 1}, {64, 1, 1}, 0}),
            "cannot launch kernel 'twice': it needs 64 threads a block, but "
            "it can have 32");
  EXPECT_EQ(gpu.launch(text, "twice", {0, 0}, {{1, 1, 1}, {32, 1, 1}, 200000}),
            "cannot launch kernel 'twice': it needs 200000 bytes of shared "
            "memory, but 'simulated sm_80' allows 166912");
  auto graph =
      gpu.context->capture(gpu.stream, [] { return llvm::Error::success(); });
  EXPECT_EQ(llvm::toString(graph.takeError()),
            "cuStreamBeginCapture_v2 failed: CUDA_ERROR_NOT_SUPPORTED (the "
            "simulated GPU has no graphs)");
  CudaEvent event = llvm::cantFail(gpu.context->createEvent());
  llvm::cantFail(gpu.context->record(event, gpu.stream));
  llvm::cantFail(gpu.context->synchronize(event));
  EXPECT_EQ(llvm::toString(gpu.context->getSeconds(event, event).takeError()),
            "cuEventElapsedTime failed: CUDA_ERROR_NOT_SUPPORTED (the "
            "simulated GPU has no time)");
}

/// What CudaContext never does.
TEST(SimulatedDriverTest, WrongCalls) {
  Simulated gpu;
  const CudaFunctions &functions = SimulatedDriver::getFunctions();
  auto describe = [&](CudaResult result) {
    const char *name = nullptr, *text = nullptr;
    EXPECT_EQ(functions.cuGetErrorName(result, &name), 0);
    EXPECT_EQ(functions.cuGetErrorString(result, &text), 0);
    return std::string(name) + ": " + text;
  };
  int value = 0;
  CudaHandle handle = nullptr;
  EXPECT_EQ(describe(functions.cuDeviceGet(&value, 1)),
            "CUDA_ERROR_INVALID_DEVICE: there is one device");
  EXPECT_EQ(describe(functions.cuDeviceGetAttribute(&value, 9999, 0)),
            "CUDA_ERROR_NOT_SUPPORTED: the simulated GPU does not know device "
            "attribute 9999");
  EXPECT_EQ(describe(functions.cuModuleUnload(&handle)),
            "CUDA_ERROR_INVALID_HANDLE: no loaded module");
  EXPECT_EQ(describe(functions.cuFuncGetAttribute(&value, 0, &handle)),
            "CUDA_ERROR_INVALID_HANDLE: no kernel of a loaded module");
  EXPECT_EQ(describe(functions.cuLaunchKernel(&handle, 1, 1, 1, 1, 1, 1, 0,
                                              nullptr, nullptr, nullptr)),
            "CUDA_ERROR_INVALID_HANDLE: no kernel of a loaded module");
  EXPECT_EQ(describe(functions.cuStreamDestroy_v2(&handle)),
            "CUDA_ERROR_INVALID_HANDLE: no stream");
  EXPECT_EQ(describe(functions.cuEventDestroy_v2(&handle)),
            "CUDA_ERROR_INVALID_HANDLE: no event");
  EXPECT_TRUE(StringRef(describe(functions.cuMemFree_v2(12345)))
                  .starts_with("CUDA_ERROR_INVALID_VALUE: "));
  const std::string text = simulate(doubling);
  ASSERT_EQ(
      functions.cuModuleLoadDataEx(&handle, text.c_str(), 0, nullptr, nullptr),
      0);
  CudaHandle kernel = nullptr;
  ASSERT_EQ(functions.cuModuleGetFunction(&kernel, handle, "twice"), 0);
  // More than a kernel may use unasked.
  EXPECT_EQ(describe(functions.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 50000,
                                              nullptr, nullptr, nullptr)),
            "CUDA_ERROR_INVALID_VALUE: 50000 bytes of dynamic shared memory, "
            "49152 have been asked for by cuFuncSetAttribute");
  EXPECT_EQ(describe(functions.cuFuncSetAttribute(
                kernel, cuda::kFuncMaxDynamicSharedSizeBytes, 200000)),
            "CUDA_ERROR_INVALID_VALUE: 200000 bytes of dynamic shared memory, "
            "there are 166912");
  EXPECT_EQ(functions.cuModuleUnload(handle), 0);
}

/// Functions act on the driver that the thread made last and that lives.
TEST(SimulatedDriverTest, SeveralDrivers) {
  const GPUTarget first = llvm::cantFail(lookupTarget("sm_80"));
  const GPUTarget second = llvm::cantFail(lookupTarget("sm_89"));
  auto getName = [] {
    char name[32] = {};
    EXPECT_EQ(SimulatedDriver::getFunctions().cuDeviceGetName(name, 32, 0), 0);
    return std::string(name);
  };
  auto a = std::make_unique<SimulatedDriver>(first, sim::MachineOptions());
  auto b = std::make_unique<SimulatedDriver>(second, sim::MachineOptions());
  auto c = std::make_unique<SimulatedDriver>(first, sim::MachineOptions());
  EXPECT_EQ(getName(), "simulated sm_80");
  b.reset();
  EXPECT_EQ(getName(), "simulated sm_80");
  b = std::make_unique<SimulatedDriver>(second, sim::MachineOptions());
  c.reset();
  EXPECT_EQ(getName(), "simulated sm_89");
  b.reset();
  EXPECT_EQ(getName(), "simulated sm_80");
}

/// Roundings that LLVM leaves to a library where the processor cannot do them:
/// ties go to even, and f64 is rounded once.
TEST(SimulatedDriverTest, SixteenBitFloats) {
  const std::string text = simulate(R"mlir(
gpu.module @kernels {
  llvm.func @round(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %from : !llvm.ptr<1> -> f64
    %y = llvm.fptrunc %x : f64 to f32
    %a = llvm.fptrunc %y : f32 to bf16
    %b = llvm.fptrunc %x : f64 to bf16
    %c = llvm.fptrunc %y : f32 to f16
    %d = llvm.fptrunc %x : f64 to f16
    %p1 = llvm.getelementptr %to[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %to[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p3 = llvm.getelementptr %to[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %af = llvm.fpext %a : bf16 to f32
    %bf = llvm.fpext %b : bf16 to f32
    %cf = llvm.fpext %c : f16 to f32
    %df = llvm.fpext %d : f16 to f32
    llvm.store %af, %to : f32, !llvm.ptr<1>
    llvm.store %bf, %p1 : f32, !llvm.ptr<1>
    llvm.store %cf, %p2 : f32, !llvm.ptr<1>
    llvm.store %df, %p3 : f32, !llvm.ptr<1>
    llvm.return
  }
}
)mlir");
  Simulated gpu;
  CudaMemory from = llvm::cantFail(gpu.context->allocate(8));
  CudaMemory to = llvm::cantFail(gpu.context->allocate(16));
  auto round = [&](double value) {
    llvm::cantFail(gpu.context->copyToDevice(from.get(), &value, 8));
    EXPECT_EQ(gpu.launch(text, "round", {from.get(), to.get()},
                         {{1, 1, 1}, {1, 1, 1}, 0}),
              "");
    std::vector<float> results(4);
    llvm::cantFail(gpu.context->copyToHost(results.data(), to.get(), 16));
    return results;
  };
  // bf16 has 7 bits behind the point, f16 10.
  EXPECT_EQ(round(-1.5), std::vector<float>(4, -1.5f));
  EXPECT_EQ(round(0x1.01p0), (std::vector<float>{1, 1, 0x1.01p0f, 0x1.01p0f}));
  EXPECT_EQ(round(0x1.03p0),
            (std::vector<float>{0x1.04p0f, 0x1.04p0f, 0x1.03p0f, 0x1.03p0f}));
  // Through f32 a tie, and so to even; at once beyond it.
  EXPECT_EQ(round(0x1.010000000001p0)[0], 1.0f);
  EXPECT_EQ(round(0x1.010000000001p0)[1], 0x1.02p0f);
  EXPECT_EQ(round(0x1.002000000001p0)[2], 1.0f);
  EXPECT_EQ(round(0x1.002000000001p0)[3], 0x1.004p0f);
}

} // namespace
