//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices, what is compiled for them, and top-run --target=gpu, on a driver
// made for tests.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/GPURunner.h"
#include "FakeCublas.h"
#include "Parse.h"
#include "top/Execution/BenchReport.h"
#include "top/Execution/Session.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::top;

namespace {

std::string take(llvm::Error error) { return llvm::toString(std::move(error)); }

//===----------------------------------------------------------------------===//
// Devices and targets
//===----------------------------------------------------------------------===//

TEST(CudaContextTest, NoDevice) {
  FakeCuda fake;
  auto open = [&] {
    auto context = CudaContext::create(fake.getFunctions());
    EXPECT_FALSE(bool(context));
    llvm::Error error = context.takeError();
    EXPECT_TRUE(error.isA<NoCudaDeviceError>());
    return take(std::move(error));
  };
  fake.numDevices = 0;
  EXPECT_EQ(open(), "no CUDA device");
  fake.failures["cuInit"] = cuda::kErrorNoDevice;
  EXPECT_EQ(open(), "no CUDA device: cuInit failed: CUDA_ERROR_NO_DEVICE");
}

TEST(ChooseTargetTest, DeviceAndChip) {
  auto choose = [](StringRef device, int major, int minor, StringRef chip) {
    FakeCuda fake;
    fake.name = device.str();
    fake.attributes[cuda::kComputeCapabilityMajor] = major;
    fake.attributes[cuda::kComputeCapabilityMinor] = minor;
    auto context = CudaContext::create(fake.getFunctions());
    EXPECT_TRUE(bool(context));
    auto target = chooseTarget(**context, chip);
    if (!target)
      return take(target.takeError());
    return (target->arch.chip + " " + target->card.name).str();
  };
  EXPECT_EQ(choose("NVIDIA A100-SXM4-40GB", 8, 0, ""), "sm_80 a100");
  EXPECT_EQ(choose("NVIDIA A10", 8, 6, ""), "sm_86 a10");
  EXPECT_EQ(choose("NVIDIA L40S", 8, 9, ""), "sm_89 l4"); // the usual one
  EXPECT_EQ(choose("NVIDIA H200", 9, 0, ""), "sm_90a h200");
  EXPECT_EQ(choose("NVIDIA H100 80GB HBM3", 9, 0, ""), "sm_90a h100-sxm");
  EXPECT_EQ(choose("NVIDIA H200", 9, 0, "sm_80"), "sm_80 h200");
  // Later devices run what is not tied to one architecture.
  EXPECT_EQ(choose("NVIDIA B200", 10, 0, ""), "sm_90 h100-sxm");
  EXPECT_EQ(choose("NVIDIA B200", 10, 0, "sm_90a"),
            "no CUDA device for 'sm_90a': there is device 'NVIDIA B200' of "
            "compute capability 10.0");
  EXPECT_EQ(choose("NVIDIA A100", 8, 0, "sm_86"),
            "no CUDA device for 'sm_86': there is device 'NVIDIA A100' of "
            "compute capability 8.0");
  EXPECT_EQ(choose("Tesla V100", 7, 0, ""),
            "no CUDA device that kernels are made for: there is device 'Tesla "
            "V100' of compute capability 7.0");
}

//===----------------------------------------------------------------------===//
// top-run --target=gpu
//===----------------------------------------------------------------------===//

/// result = lhs * rhs, in plain loops; addresses in this order.
void multiply(const std::vector<uint64_t> &addresses, int rows, int columns,
              int depth) {
  auto *a = reinterpret_cast<const float *>(addresses[0]);
  auto *b = reinterpret_cast<const float *>(addresses[1]);
  auto *c = reinterpret_cast<float *>(addresses[2]);
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      float sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += a[m * depth + k] * b[k * columns + n];
      c[m * columns + n] = sum;
    }
}

class GPUSessionTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("product", "mlir", file));
    remover.setFile(file);
    write("func.func @f(%a: tensor<20x24xf32>, %b: tensor<24x30xf32>) -> "
          "tensor<20x30xf32> { %c = top.MatMul %a, %b : (tensor<20x24xf32>, "
          "tensor<24x30xf32>) -> tensor<20x30xf32> return %c : "
          "tensor<20x30xf32> }");
    request.inputFile = file.str().str();
    request.target = RunTarget::GPU;
    request.verify = true;
    request.guard = true;
    request.cudaFunctions = &fake.getFunctions();
    // What the kernel that is compiled would do.
    fake.kernels["f_kernel"] = {3, [&](const std::vector<uint64_t> &addresses) {
                                  multiply(addresses, 20, 30, 24);
                                  if (++runs == faultyRun)
                                    reinterpret_cast<float *>(
                                        addresses[2])[45] += 1;
                                }};
  }
  void write(StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
    ASSERT_FALSE(code);
  }
  void execute(ExitStatus expected) {
    output.clear();
    errors.clear();
    llvm::raw_string_ostream os(output), es(errors);
    EXPECT_EQ(executeRequest(request, os, es), expected) << output << errors;
    EXPECT_EQ(fake.numLive(), 0);
  }

  SmallString<128> file;
  llvm::FileRemover remover;
  FakeCuda fake;
  RunRequest request;
  std::string output, errors;
  int runs = 0, faultyRun = 0;
};

TEST_F(GPUSessionTest, Right) {
  request.repeats = 3;
  request.bench = true;
  execute(ExitStatus::Success);
  // Operands and result of 7200 bytes are more than twice an L2 of 1000.
  EXPECT_TRUE(StringRef(output).starts_with(
      "PASS f: compared 600 of 600 elements with the reference in double, max "
      "absolute error 0, max relative error 0, 3 runs equal\n"
      "BENCH f: 5 blocks, 20 replays of a call on 1 set of buffers, fill int\n"
      "  ours: mean 8e+04 us, P50 8e+04 us, P95 8e+04 us, min 8e+04 us; at P50 "
      "3.6e-07 TFLOP/s, 9e-05 GB/s, 0.0 % of the roofline\n"
      "  #top.schedule<engine = simt,"))
      << output;
  EXPECT_NE(output.find("  f_kernel: grid "), std::string::npos) << output;
  EXPECT_NE(output.find(", 32 registers, "), std::string::npos) << output;
  EXPECT_TRUE(StringRef(errors).starts_with(
      "top-run: block 1 of 5: ours 8e+04 us a call\ntop-run: block 2 of 5: "))
      << errors;
}

TEST_F(GPUSessionTest, Wrong) {
  faultyRun = 1;
  execute(ExitStatus::Failure);
  EXPECT_NE(output.find("FAIL f result 0 element [1,15] got"),
            std::string::npos)
      << output;
}

TEST_F(GPUSessionTest, RepeatsDiffer) {
  faultyRun = 2;
  request.repeats = 3;
  execute(ExitStatus::Failure);
  EXPECT_NE(errors.find("'f' gave other bits for result #0 in run 2 of 3"),
            std::string::npos)
      << errors;
  // Later runs are in good order.
  faultyRun = 0;
  execute(ExitStatus::Success);
}

TEST_F(GPUSessionTest, KernelFails) {
  fake.failures["cuStreamSynchronize"] = 700;
  execute(ExitStatus::Failure);
  EXPECT_NE(errors.find("'f' stopped: cuStreamSynchronize failed: "
                        "CUDA_ERROR_ILLEGAL_ADDRESS"),
            std::string::npos)
      << errors;
  fake.failures.clear();
  execute(ExitStatus::Success);
}

/// cuBLAS in turns with ours, its result compared with ours and the reference.
TEST_F(GPUSessionTest, Baseline) {
  FakeCublas library(fake);
  FakeNvml nvml;
  request.bench = request.cublas = true;
  request.cublasFunctions = &library.getFunctions();
  request.nvmlFunctions = &nvml.getFunctions();
  execute(ExitStatus::Success);
  EXPECT_NE(output.find("\n  cublas: mean 8e+04 us, P50 "), std::string::npos)
      << output;
  EXPECT_NE(output.find(" of the roofline; 1755 MHz, memory 3201 MHz, 45 C, "
                        "650 W\n"),
            std::string::npos)
      << output;
  EXPECT_NE(
      output.find("\n  ratio 1.000 (cublas / ours, at P50); cublas 130100 "
                  "differs by at most 0 of the largest value, 0 of 600 "
                  "compared elements beyond the bound\n"),
      std::string::npos)
      << output;
  EXPECT_NE(errors.find("top-run: block 2 of 10: cublas 8e+04 us a call, 1755 "
                        "MHz\n"),
            std::string::npos)
      << errors;
  EXPECT_EQ(library.numHandles, 0);
  EXPECT_EQ(nvml.numOpen, 0);
  EXPECT_EQ(nvml.numReads, 10 * 2);

  // The first call is before any capture.
  ASSERT_FALSE(library.gemms.empty());
  EXPECT_EQ(library.gemms[0].m, 30);

  library.isWrong = true;
  execute(ExitStatus::Failure);
  EXPECT_NE(errors.find("error: 'f' and cublas differ by 1 of the largest "
                        "value, so that one of them is wrong"),
            std::string::npos)
      << errors;
  library.isWrong = false;
  library.failures["cublasGemmEx"] = 15;
  execute(ExitStatus::Failure);
  EXPECT_NE(errors.find("'f' stopped: cublasGemmEx failed: "
                        "CUBLAS_STATUS_NOT_SUPPORTED"),
            std::string::npos)
      << errors;
  library.failures = {{"cublasCreate_v2", 1}};
  execute(ExitStatus::Failure);
  EXPECT_EQ(errors, "top-run: error: cublasCreate_v2 failed: "
                    "CUBLAS_STATUS_NOT_INITIALIZED\n");
}

TEST_F(GPUSessionTest, NoDevice) {
  fake.numDevices = 0;
  execute(ExitStatus::NoDevice);
  EXPECT_EQ(errors, "top-run: error: no CUDA device\n");
  fake.numDevices = 1;
  request.chip = "sm_90a";
  execute(ExitStatus::NoDevice);
  EXPECT_EQ(errors, "top-run: error: no CUDA device for 'sm_90a': there is "
                    "device 'NVIDIA A100-SXM4-40GB' of compute capability "
                    "8.0\n");
}

TEST_F(GPUSessionTest, Json) {
  SmallString<128> report;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("report", "json", report));
  llvm::FileRemover removeReport(report);
  request.jsonFile = report.str().str();
  request.bench = true;
  request.repeats = 2;
  execute(ExitStatus::Success);
  auto buffer = llvm::MemoryBuffer::getFile(report);
  ASSERT_TRUE(bool(buffer));
  auto json = llvm::json::parse((*buffer)->getBuffer());
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &object = *json->getAsObject();
  EXPECT_EQ(object.getString("target"), "gpu");
  EXPECT_EQ(object.getString("chip"), "sm_80");
  EXPECT_EQ(object.getString("device"), "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(object.getString("status"), "PASS");
  EXPECT_EQ(object.getInteger("equal_runs"), 2);
  const llvm::json::Object *bench = object.getObject("bench");
  ASSERT_TRUE(bench);
  EXPECT_EQ(bench->getInteger("runs_a_call"), 1);
  EXPECT_EQ(bench->getInteger("calls"), 20);
  EXPECT_EQ(bench->getInteger("rotated_bytes"), (20 * 24 + 24 * 30 + 600) * 4);
  EXPECT_EQ(bench->getInteger("minimal_bytes"), (20 * 24 + 24 * 30 + 600) * 4);
  EXPECT_NEAR(*bench->getNumber("flop_per_second"), 2 * 20 * 24 * 30 / 0.08, 1);
  // f32 is multiplied by the CUDA cores: 28800 FLOP at 19.5 TFLOP/s take 1.48
  // ns, 7200 bytes at 2039 GB/s 3.53 ns.
  EXPECT_NEAR(*bench->getNumber("roofline_share"), 7200 / 2039e9 / 0.08, 1e-12);
  EXPECT_EQ(bench->getObject("roofline")->getString("card"), "a100");
  ASSERT_TRUE(bench->getArray("blocks"));
  EXPECT_EQ(bench->getArray("blocks")->size(), 5u);
  EXPECT_FALSE(bench->getObject("baseline"));
  const llvm::json::Array *kernels = object.getArray("kernels");
  ASSERT_TRUE(kernels && kernels->size() == 1);
  EXPECT_EQ((*kernels)[0].getAsObject()->getString("name"), "f_kernel");
  EXPECT_EQ((*kernels)[0].getAsObject()->getInteger("registers"), 32);
  ASSERT_TRUE(object.getArray("schedules"));
  EXPECT_TRUE((*object.getArray("schedules"))[0].getAsString()->starts_with(
      "#top.schedule<"));
}

/// Weights are replaced before compiling, as in the reference.
TEST_F(GPUSessionTest, RandomizedConstants) {
  write("func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> { %w = "
        "arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> %c = "
        "top.MatMul %a, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
        "tensor<2x2xf32> return %c : tensor<2x2xf32> }");
  std::vector<float> weights;
  fake.kernels["f_kernel"].body = [&](const std::vector<uint64_t> &addresses) {
    multiply(addresses, 2, 2, 2);
    auto *w = reinterpret_cast<const float *>(addresses[1]);
    weights.assign(w, w + 4);
  };
  execute(ExitStatus::Success);
  EXPECT_EQ(weights, (std::vector<float>{1, 2, 3, 4}));
  request.randomizeConstants = true;
  execute(ExitStatus::Success);
  EXPECT_NE(weights, (std::vector<float>{1, 2, 3, 4}));
}

/// What cannot be compiled is an error of the file, before anything is run.
TEST_F(GPUSessionTest, NotCompiled) {
  write(
      "func.func @f(%a: tensor<?x24xf32>, %b: tensor<24x30xf32>) -> "
      "tensor<?x30xf32> { %c = top.MatMul %a, %b : (tensor<?x24xf32>, "
      "tensor<24x30xf32>) -> tensor<?x30xf32> return %c : tensor<?x30xf32> }");
  request.argumentShapes[0] = {20, 24};
  execute(ExitStatus::Failure);
  EXPECT_EQ(StringRef(errors).count('\n'), 1u) << errors;
  EXPECT_TRUE(fake.launches.empty());
}

/// The limits are those of the device, not those that were compiled for.
TEST_F(GPUSessionTest, LaunchLimit) {
  fake.attributes[cuda::kMaxSharedMemoryPerBlockOptin] = 1024;
  execute(ExitStatus::Failure);
  EXPECT_NE(errors.find("error: cannot run 'f': cannot launch kernel "
                        "'f_kernel': it needs "),
            std::string::npos)
      << errors;
  EXPECT_TRUE(fake.launches.empty());
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

TEST(BenchReportTest, Roofline) {
  auto peak = [](StringRef device, std::vector<ProductProblem> problems) {
    SmallVector<ScheduledProblem> scheduled;
    for (const ProductProblem &problem : problems)
      scheduled.push_back({problem, ScheduleAttr()});
    auto roofline = Roofline::create(device, scheduled, 1e12, 1e6);
    return roofline ? roofline->peakFlops : 0;
  };
  ProductProblem f16 = makeProduct(8, 8, 8, NumericType::f16);
  ProductProblem f32 = makeProduct(8, 8, 8, NumericType::f32), tf32 = f32;
  tf32.allowTF32 = true;
  EXPECT_EQ(peak("NVIDIA H200", {f16}), 989.4e12);
  EXPECT_EQ(peak("NVIDIA H200", {f16, f16}), 989.4e12);
  EXPECT_EQ(peak("NVIDIA H200", {tf32}), 494.7e12);
  EXPECT_EQ(peak("NVIDIA H200", {f32}), 67e12);
  // Nothing to hold a time against.
  EXPECT_EQ(peak("NVIDIA H200", {f16, f32}), 0);
  EXPECT_EQ(peak("NVIDIA H200", {}), 0);
  EXPECT_EQ(peak("NVIDIA B200", {f16}), 0);

  // 4096^3 in f16: 137.4 GFLOP take 138.9 us at the peak, 100.7 MB 21 us.
  Roofline compute{"h200", 989.4e12, 4800e9, 2.0 * 4096 * 4096 * 4096,
                   3.0 * 4096 * 4096 * 2};
  EXPECT_NEAR(compute.getSeconds(), 138.9e-6, 0.1e-6);
  // One row: 33.6 MB take 7 us.
  Roofline memory{"h200", 989.4e12, 4800e9, 2.0 * 4096 * 4096,
                  (4096.0 * 4096 + 2 * 4096) * 2};
  EXPECT_NEAR(memory.getSeconds(), 7.0e-6, 0.1e-6);
}

TEST(BenchReportTest, BaselineCheck) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto check = [](std::vector<double> ours, std::vector<double> theirs) {
    const int64_t size = ours.size();
    return BaselineCheck::create(makeTensor(ElementKind::F32, {size}, ours),
                                 makeTensor(ElementKind::F32, {size}, theirs))
        .difference;
  };
  EXPECT_EQ(check({0, 0}, {0, 0}), 0);
  EXPECT_EQ(check({1, -8}, {1.5, -8}), 0.5 / 8);
  EXPECT_EQ(check({nan, inf, 2}, {nan, inf, 1}), 0.5);
  EXPECT_EQ(check({1, 2}, {nan, 2}), inf);
  EXPECT_EQ(check({1, inf}, {1, 2}), inf);
  EXPECT_EQ(check({0, 0}, {0, 1}), inf);
}

} // namespace
