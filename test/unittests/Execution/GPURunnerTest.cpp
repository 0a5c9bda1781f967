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
#include "FakeCuda.h"
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
  EXPECT_TRUE(StringRef(output).starts_with(
      "PASS f: compared 600 of 600 elements with the reference in double, max "
      "absolute error 0, max relative error 0, 3 runs equal\nBENCH f: 10 "
      "replays, a run each, mean 80 ms"))
      << output;
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
  EXPECT_EQ(bench->getInteger("rotated_bytes"), (20 * 24 + 24 * 30 + 600) * 4);
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

} // namespace
