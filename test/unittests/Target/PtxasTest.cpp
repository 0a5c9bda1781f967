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

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir::top;

namespace {

/// A folder with a program `bin/ptxas` of the test's own in it, and an
/// environment in which it is the only one; both go with the object.
class FakePtxas {
public:
  explicit FakePtxas(llvm::StringRef script) {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("top-ptxas-test", root));
    path = root;
    llvm::sys::path::append(path, "bin");
    EXPECT_FALSE(llvm::sys::fs::create_directory(path));
    bin = path;
    llvm::sys::path::append(path, "ptxas");
    std::error_code error;
    {
      llvm::raw_fd_ostream file(path, error);
      file << "#!/bin/sh\n" << script;
    }
    EXPECT_FALSE(error);
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
    oldPath = ::getenv("PATH");
    const char *home = ::getenv("CUDA_HOME");
    oldHome = home ? home : "";
  }
  ~FakePtxas() {
    ::setenv("PATH", oldPath.c_str(), 1);
    if (oldHome.empty())
      ::unsetenv("CUDA_HOME");
    else
      ::setenv("CUDA_HOME", oldHome.c_str(), 1);
    llvm::sys::fs::remove_directories(root);
  }

  llvm::SmallString<128> root, bin, path;

private:
  std::string oldPath, oldHome;
};

TEST(Ptxas, FoundOnPathThenInCudaHome) {
  FakePtxas onPath("exit 0\n"), inHome("exit 0\n");
  ::setenv("PATH", onPath.bin.c_str(), 1);
  ::setenv("CUDA_HOME", inHome.root.c_str(), 1);
  EXPECT_EQ(findPtxas(), onPath.path.str().str());
  ::setenv("PATH", "/no/such/folder", 1);
  EXPECT_EQ(findPtxas(), inHome.path.str().str());
}

TEST(Ptxas, RunsAndReads) {
  // Says what it was called with where a real one names the kernel.
  FakePtxas fake(
      "[ \"$1\" = --version ] && { echo 'Cuda compilation tools, "
      "release 12.4, V12.4.131'; exit 0; }\n"
      "echo \"Compiling entry function '$1 $2 $3 $4 $5' for 'x'\" >&2\n"
      "echo 'ptxas info : Used 40 registers, 8 bytes smem' >&2\n");
  llvm::Expected<Ptxas> ptxas = queryPtxas(fake.path);
  ASSERT_TRUE(bool(ptxas));
  EXPECT_EQ(ptxas->path, fake.path.str().str());
  EXPECT_EQ(ptxas->ptxVersion, 84u);
  llvm::Expected<PtxasReport> report =
      runPtxas(fake.path, "a.ptx", "sm_80", "a.cubin");
  ASSERT_TRUE(bool(report));
  const PtxasKernelInfo *kernel =
      report->find("-v -arch=sm_80 a.ptx -o a.cubin");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->registers, 40);
  EXPECT_EQ(kernel->staticSharedBytes, 8);
}

TEST(Ptxas, PtxVersionOfTheOneFound) {
  FakePtxas old("echo 'Cuda compilation tools, release 11.1, V11.1.0'\n");
  ::setenv("PATH",
           (old.bin + ":" + llvm::StringRef(::getenv("PATH"))).str().c_str(),
           1);
  llvm::Expected<unsigned> version =
      selectPtxVersionHere(*lookupArchitecture("sm_86"));
  ASSERT_TRUE(bool(version));
  EXPECT_EQ(*version, 71u);
  version = selectPtxVersionHere(*lookupArchitecture("sm_89"));
  ASSERT_FALSE(bool(version));
  EXPECT_EQ(llvm::toString(version.takeError()),
            "PTX version 7.8, which 'sm_89' needs, is newer than 7.1, the "
            "newest that the ptxas found takes");
}

TEST(Ptxas, RefusalCarriesItsText) {
  FakePtxas fake("echo 'ptxas fatal : no such thing' >&2; exit 255\n");
  llvm::Expected<PtxasReport> report = runPtxas(fake.path, "a.ptx", "sm_80");
  ASSERT_FALSE(bool(report));
  EXPECT_EQ(llvm::toString(report.takeError()),
            "ptxas refused 'a.ptx' for 'sm_80': ptxas fatal : no such thing");
  llvm::Expected<Ptxas> ptxas = queryPtxas(fake.path);
  ASSERT_FALSE(bool(ptxas));
  EXPECT_NE(llvm::toString(ptxas.takeError()).find("failed with status 255"),
            std::string::npos);
}

/// The one at hand, if any, says what this file takes it to say.
TEST(Ptxas, RealOne) {
  std::optional<std::string> path = findPtxas();
  if (!path)
    GTEST_SKIP() << "no ptxas on this machine";
  llvm::Expected<Ptxas> ptxas = queryPtxas(*path);
  ASSERT_TRUE(bool(ptxas)) << llvm::toString(ptxas.takeError());
  llvm::SmallString<128> file;
  int descriptor = 0;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("kernel", "ptx", descriptor, file));
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << ".version 7.0\n.target sm_80\n.address_size 64\n"
          ".visible .entry kernel(.param .u64 p) .reqntid 32 {\n"
          "  .reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
          "  .shared .align 4 .b8 s[128];\n"
          "  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;\n"
          "  mov.u32 %r1, %tid.x; bar.sync 0; st.global.u32 [%rd2], %r1; ret;\n"
          "}\n";
  }
  llvm::Expected<PtxasReport> report = runPtxas(*path, file, "sm_80");
  llvm::sys::fs::remove(file);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  const PtxasKernelInfo *kernel = report->find("kernel");
  ASSERT_NE(kernel, nullptr);
  EXPECT_GT(kernel->registers, 0);
  EXPECT_EQ(kernel->spillStoreBytes, 0);
  EXPECT_EQ(kernel->staticSharedBytes, 128);
  EXPECT_EQ(kernel->barriers, 1);
  EXPECT_TRUE(report->performanceNotes.empty());
}

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
