//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables as the vendor's own documents give them, and what is said of names
// and versions that they do not hold.
//
//===----------------------------------------------------------------------===//

#include "top/Target/GPUTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir::top;
using llvm::StringRef;

namespace {

GPUArchitecture arch(StringRef chip) {
  llvm::Expected<GPUArchitecture> found = lookupArchitecture(chip);
  EXPECT_TRUE(bool(found));
  return *found;
}

template <typename T>
std::string errorOf(llvm::Expected<T> value) {
  EXPECT_FALSE(bool(value));
  return llvm::toString(value.takeError());
}

TEST(GPUTarget, LimitsOfArchitectures) {
  struct Row {
    StringRef chip;
    int64_t sharedPerSM, sharedPerBlock, warps, blocks, cluster;
    unsigned ptx;
  };
  const Row rows[] = {
      {"sm_80", 167936, 166912, 64, 32, 1, 70},
      {"sm_86", 102400, 101376, 48, 16, 1, 71},
      {"sm_89", 102400, 101376, 48, 24, 1, 78},
      {"sm_90", 233472, 232448, 64, 32, 8, 78},
      {"sm_90a", 233472, 232448, 64, 32, 8, 80},
  };
  ASSERT_EQ(getArchitectures().size(), std::size(rows));
  for (const Row &row : rows) {
    const GPUArchitecture found = arch(row.chip);
    EXPECT_EQ(found.sharedBytesPerSM, row.sharedPerSM) << row.chip.str();
    EXPECT_EQ(found.sharedBytesPerBlock, row.sharedPerBlock) << row.chip.str();
    EXPECT_EQ(found.reservedSharedBytesPerBlock, 1024) << row.chip.str();
    EXPECT_EQ(found.warpsPerSM, row.warps) << row.chip.str();
    EXPECT_EQ(found.blocksPerSM, row.blocks) << row.chip.str();
    EXPECT_EQ(found.blocksPerCluster, row.cluster) << row.chip.str();
    EXPECT_EQ(found.minPtxVersion, row.ptx) << row.chip.str();
    EXPECT_EQ(found.registersPerSM, 65536) << row.chip.str();
    EXPECT_EQ(found.registersPerThread, 255) << row.chip.str();
    EXPECT_EQ(found.threadsPerBlock, 1024) << row.chip.str();
    EXPECT_EQ(found.staticSharedBytes, 49152) << row.chip.str();
  }
}

TEST(GPUTarget, MmaShapes) {
  auto has = [](llvm::ArrayRef<MmaShape> shapes, NumericType type, int64_t m,
                int64_t n, int64_t k) {
    return llvm::any_of(shapes, [=](const MmaShape &shape) {
      return shape.type == type && shape.m == m && shape.n == n && shape.k == k;
    });
  };
  for (const GPUArchitecture &arch : getArchitectures()) {
    EXPECT_TRUE(has(arch.mmaShapes, NumericType::f16, 16, 8, 16));
    EXPECT_TRUE(has(arch.mmaShapes, NumericType::bf16, 16, 8, 16));
    EXPECT_TRUE(has(arch.mmaShapes, NumericType::tf32, 16, 8, 8));
    EXPECT_TRUE(has(arch.mmaShapes, NumericType::f64, 8, 8, 4));
    // f8 came with 8.9, deeper f64 shapes with 9.0; f32 never did.
    EXPECT_EQ(has(arch.mmaShapes, NumericType::f8, 16, 8, 32),
              arch.capability >= 89);
    EXPECT_EQ(has(arch.mmaShapes, NumericType::f64, 16, 8, 16),
              arch.capability >= 90);
    for (const MmaShape &shape : arch.mmaShapes)
      EXPECT_NE(shape.type, NumericType::f32);
    EXPECT_EQ(has(arch.wgmmaShapes, NumericType::f16, 64, 8, 16),
              arch.chip == "sm_90a");
    EXPECT_EQ(arch.hasTMA, arch.capability >= 90);
    EXPECT_TRUE(arch.hasAsyncCopy);
  }
}

TEST(GPUTarget, Cards) {
  struct Row {
    StringRef name, chip;
    int64_t sms;
    double terabytes, f32, f16, l2MiB;
  };
  const Row rows[] = {{"a100", "sm_80", 108, 2.039, 19.5, 312, 40},
                      {"a10", "sm_86", 72, 0.6, 31.2, 125, 6},
                      {"l4", "sm_89", 58, 0.3, 30.3, 121, 48},
                      {"h100-sxm", "sm_90a", 132, 3.35, 67, 989.4, 50},
                      {"h200", "sm_90a", 132, 4.8, 67, 989.4, 60}};
  ASSERT_EQ(getCards().size(), std::size(rows));
  for (const Row &row : rows) {
    llvm::Expected<GPUCard> card = lookupCard(row.name);
    ASSERT_TRUE(bool(card));
    EXPECT_EQ(card->chip, row.chip);
    EXPECT_EQ(card->numSMs, row.sms);
    EXPECT_DOUBLE_EQ(card->bytesPerSecond, row.terabytes * 1e12);
    EXPECT_DOUBLE_EQ(card->getCudaCorePeak(NumericType::f32), row.f32 * 1e12);
    EXPECT_DOUBLE_EQ(card->getCudaCorePeak(NumericType::f16), row.f32 * 1e12);
    EXPECT_DOUBLE_EQ(card->getTensorPeak(NumericType::f16), row.f16 * 1e12);
    EXPECT_DOUBLE_EQ(card->getTensorPeak(NumericType::bf16), row.f16 * 1e12);
    EXPECT_EQ(card->getTensorPeak(NumericType::f32), 0);
    EXPECT_EQ(card->l2Bytes, row.l2MiB * 1024 * 1024);
  }
}

TEST(GPUTarget, UnknownNamesListWhatIsKnown) {
  EXPECT_EQ(errorOf(lookupArchitecture("sm_70")),
            "unknown chip 'sm_70', expected one of sm_80, sm_86, sm_89, sm_90, "
            "sm_90a");
  EXPECT_EQ(errorOf(lookupArchitecture("")),
            "unknown chip '', expected one of sm_80, sm_86, sm_89, sm_90, "
            "sm_90a");
  EXPECT_EQ(errorOf(lookupCard("h100")),
            "unknown card 'h100', expected one of a100, a10, l4, h100-sxm, "
            "h200");
  EXPECT_EQ(errorOf(lookupTarget("sm_80", "H200")),
            "unknown card 'H200', expected one of a100, a10, l4, h100-sxm, "
            "h200");
  EXPECT_EQ(errorOf(lookupTarget("sm_100", "h200")),
            "unknown chip 'sm_100', expected one of sm_80, sm_86, sm_89, "
            "sm_90, sm_90a");
}

TEST(GPUTarget, ChipAndCardGoTogether) {
  auto target = [](StringRef chip, StringRef card) {
    llvm::Expected<GPUTarget> found = lookupTarget(chip, card);
    EXPECT_TRUE(bool(found));
    return (found->arch.chip + " " + found->card.name).str();
  };
  EXPECT_EQ(target("", ""), "sm_80 a100");
  EXPECT_EQ(target("sm_86", ""), "sm_86 a10");
  EXPECT_EQ(target("sm_89", ""), "sm_89 l4");
  EXPECT_EQ(target("sm_90", ""), "sm_90 h100-sxm");
  EXPECT_EQ(target("sm_90a", ""), "sm_90a h100-sxm");
  EXPECT_EQ(target("", "h200"), "sm_90a h200");
  EXPECT_EQ(target("sm_80", "h200"), "sm_80 h200");
  EXPECT_EQ(errorOf(lookupTarget("sm_90a", "a100")),
            "card 'a100' is of 'sm_80' and cannot run code for 'sm_90a'");
  EXPECT_EQ(errorOf(lookupTarget("sm_89", "a10")),
            "card 'a10' is of 'sm_86' and cannot run code for 'sm_89'");
  // The limits are those of the card that runs the code, the instructions
  // those of the chip it is written for.
  llvm::Expected<GPUTarget> older = lookupTarget("sm_80", "l4");
  ASSERT_TRUE(bool(older));
  EXPECT_EQ(older->arch.sharedBytesPerBlock, 101376);
  EXPECT_EQ(older->arch.warpsPerSM, 48);
  EXPECT_EQ(older->arch.mmaShapes.size(), arch("sm_80").mmaShapes.size());
}

TEST(GPUTarget, PtxVersions) {
  auto select = [](StringRef chip, unsigned requested, unsigned ptxas) {
    llvm::Expected<unsigned> version =
        selectPtxVersion(arch(chip), requested, ptxas);
    EXPECT_TRUE(bool(version));
    return *version;
  };
  EXPECT_EQ(select("sm_80", 0, 0), 70u);
  EXPECT_EQ(select("sm_90a", 0, 90), 80u);
  EXPECT_EQ(select("sm_80", 86, 90), 86u);
  EXPECT_EQ(select("sm_80", 90, 91), 90u);
  EXPECT_EQ(errorOf(selectPtxVersion(arch("sm_90a"), 78, 90)),
            "PTX version 7.8 does not know 'sm_90a', which needs 8.0 or later");
  EXPECT_EQ(errorOf(selectPtxVersion(arch("sm_80"), 91, 0)),
            "PTX version 9.1 cannot be written, expected one from 7.0 to 9.0");
  EXPECT_EQ(errorOf(selectPtxVersion(arch("sm_80"), 79, 0)),
            "PTX version 7.9 cannot be written, expected one from 7.0 to 9.0");
  EXPECT_EQ(errorOf(selectPtxVersion(arch("sm_80"), 86, 78)),
            "PTX version 8.6 is newer than 7.8, the newest that the ptxas "
            "found takes");
  EXPECT_EQ(errorOf(selectPtxVersion(arch("sm_90a"), 0, 78)),
            "PTX version 8.0, which 'sm_90a' needs, is newer than 7.8, the "
            "newest that the ptxas found takes");
}

} // namespace
