//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptxas prints, read from texts of several releases; none of it needs a
// ptxas on the machine.
//
//===----------------------------------------------------------------------===//

#include "top/Target/Ptxas.h"

#include "gtest/gtest.h"

using namespace mlir::top;

namespace {

TEST(Ptxas, PtxVersionOfCuda) {
  EXPECT_EQ(getPtxVersionOfCuda(10, 2), 0u);
  EXPECT_EQ(getPtxVersionOfCuda(11, 0), 70u);
  EXPECT_EQ(getPtxVersionOfCuda(11, 8), 78u);
  EXPECT_EQ(getPtxVersionOfCuda(12, 0), 80u);
  EXPECT_EQ(getPtxVersionOfCuda(12, 4), 84u);
  // 12.6 brought no new version, and the numbers part from there.
  EXPECT_EQ(getPtxVersionOfCuda(12, 5), 85u);
  EXPECT_EQ(getPtxVersionOfCuda(12, 6), 85u);
  EXPECT_EQ(getPtxVersionOfCuda(12, 8), 87u);
  EXPECT_EQ(getPtxVersionOfCuda(12, 9), 88u);
  EXPECT_EQ(getPtxVersionOfCuda(13, 0), 90u);
  EXPECT_EQ(getPtxVersionOfCuda(13, 1), 91u);
  // Later ones take at least that.
  EXPECT_EQ(getPtxVersionOfCuda(14, 0), 91u);
}

TEST(Ptxas, VersionText) {
  llvm::Expected<Ptxas> ptxas =
      parsePtxasVersion("ptxas: NVIDIA (R) Ptx optimizing assembler\n"
                        "Copyright (c) 2005-2025 NVIDIA Corporation\n"
                        "Cuda compilation tools, release 13.0, V13.0.88\n");
  ASSERT_TRUE(bool(ptxas));
  EXPECT_EQ(ptxas->cudaMajor, 13u);
  EXPECT_EQ(ptxas->cudaMinor, 0u);
  EXPECT_EQ(ptxas->ptxVersion, 90u);

  auto error = [](const char *text) {
    llvm::Expected<Ptxas> ptxas = parsePtxasVersion(text);
    EXPECT_FALSE(bool(ptxas));
    return llvm::toString(ptxas.takeError());
  };
  EXPECT_EQ(error("hello"), "cannot read the version of ptxas: expected "
                            "'release X.Y' in what 'ptxas --version' prints");
  EXPECT_EQ(error("release 10.2, V10.2.89"),
            "expected ptxas of CUDA 11.0 or later, got 10.2");
}

TEST(Ptxas, Report) {
  PtxasReport report = parsePtxasOutput(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async "
      "instructions are serialized due to insufficient register resources for "
      "the wgmma pipeline in function 'first'\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90a'\n"
      "ptxas info    : Function properties for first\n"
      "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 3 barriers, 16 bytes stack, "
      "128+0 bytes smem, 400 bytes cmem[0]\n"
      "ptxas info    : Compile time = 12.3 ms\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
      "ptxas info    : Function properties for second\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 40 registers, 368 bytes cmem[0]\n");
  ASSERT_EQ(report.kernels.size(), 2u);
  const PtxasKernelInfo *first = report.find("first");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->registers, 168);
  EXPECT_EQ(first->stackBytes, 16);
  EXPECT_EQ(first->spillStoreBytes, 8);
  EXPECT_EQ(first->spillLoadBytes, 12);
  EXPECT_EQ(first->staticSharedBytes, 128);
  EXPECT_EQ(first->barriers, 3);
  const PtxasKernelInfo *second = report.find("second");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->registers, 40);
  EXPECT_EQ(second->staticSharedBytes, 0);
  EXPECT_EQ(report.find("third"), nullptr);
  ASSERT_EQ(report.performanceNotes.size(), 1u);
  EXPECT_NE(report.performanceNotes[0].find("C7510"), std::string::npos);
}

TEST(Ptxas, CannotRun) {
  llvm::Expected<Ptxas> ptxas = queryPtxas("/no/such/ptxas");
  ASSERT_FALSE(bool(ptxas));
  EXPECT_NE(llvm::toString(ptxas.takeError()).find("'/no/such/ptxas'"),
            std::string::npos);
  llvm::Expected<PtxasReport> report =
      runPtxas("/no/such/ptxas", "a.ptx", "sm_80");
  ASSERT_FALSE(bool(report));
  EXPECT_NE(llvm::toString(report.takeError()).find("'/no/such/ptxas'"),
            std::string::npos);
  // A program that answers something else.
  llvm::Expected<Ptxas> other = queryPtxas("/bin/true");
  ASSERT_FALSE(bool(other));
  llvm::consumeError(other.takeError());
}

} // namespace
