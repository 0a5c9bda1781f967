//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of GPUs: a table of architectures and a table of cards. All
// numbers that a schedule is checked against come from here, and a chip is
// looked up here before LLVM hears of it. Knows no IR.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TARGET_GPUTARGET_H
#define TOP_TARGET_GPUTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::top {

/// Types of operands that a kernel multiplies. `tf32` is f32 in memory.
enum class NumericType { f64, f32, tf32, f16, bf16, f8, i8 };

/// "f64", "f32", ...
llvm::StringRef stringifyNumericType(NumericType type);
/// Bytes of one element in memory.
int64_t getNumericTypeBytes(NumericType type);

/// One shape of a tensor-core instruction: an `m` x `n` result, `k` deep.
struct MmaShape {
  NumericType type;
  int64_t m, n, k;
};

/// An architecture, as PTX is compiled for it.
struct GPUArchitecture {
  llvm::StringRef chip; ///< "sm_80"
  /// Major and minor compute capability: 80 for 8.0.
  unsigned capability;
  /// Whether code is tied to this very architecture ("sm_90a").
  bool isSpecific;
  /// Lowest PTX version that names the chip: 70 for 7.0.
  unsigned minPtxVersion;

  int64_t sharedBytesPerSM;    ///< of which blocks can use all
  int64_t sharedBytesPerBlock; ///< dynamic limit a block, opted in for
  /// Shared memory that the system takes for each resident block.
  int64_t reservedSharedBytesPerBlock = 1024;
  /// What a kernel may declare without opting in.
  int64_t staticSharedBytes = 48 * 1024;
  int64_t registersPerSM = 65536; ///< of 32 bits
  int64_t registersPerThread = 255;
  int64_t warpsPerSM;
  int64_t blocksPerSM;
  int64_t threadsPerBlock = 1024;
  /// Blocks of a cluster that every device of the architecture runs; 1 where
  /// there are no clusters.
  int64_t blocksPerCluster;

  bool hasAsyncCopy; ///< cp.async, 4 to 16 bytes a thread
  bool hasTMA;       ///< cp.async.bulk.tensor

  /// Shapes of mma.sync.
  llvm::ArrayRef<MmaShape> mmaShapes;
  /// Shapes of wgmma.mma_async; the `n` here is the unit, and every multiple
  /// up to 256 exists.
  llvm::ArrayRef<MmaShape> wgmmaShapes;
  /// mma.sync reaches this share of the card's tensor peak.
  double mmaSyncShare;
};

/// A card: the chip, how many of its SMs, and how fast.
struct GPUCard {
  llvm::StringRef name;
  llvm::StringRef chip; ///< of the architecture table
  int64_t numSMs;
  int64_t memoryBytes;
  int64_t l2Bytes;
  double bytesPerSecond; ///< of global memory
  /// Dense peaks in FLOP/s (integer operations for i8): of the CUDA cores in
  /// f32 and f64, and of the tensor cores with f32 (f64, s32) accumulators; 0
  /// where they do not know the type.
  double peakF32, peakF64;
  double tensorF64, tensorTF32, tensorF16, tensorF8, tensorI8;

  /// Peak of the CUDA cores for operands of `type`, which accumulate in f64 for
  /// f64 and in f32 for every other type.
  double getCudaCorePeak(NumericType type) const;
  /// Peak of the tensor cores; 0 where they do not know the type. (f32 has to
  /// be asked for as tf32.)
  double getTensorPeak(NumericType type) const;
};

/// What kernels are compiled for and where they run. Instructions are those of
/// the chip, limits those of the card's own architecture: PTX for sm_80 also
/// runs on later cards.
struct GPUTarget {
  GPUArchitecture arch;
  GPUCard card;
};

/// Units of a kernel launch that no architecture since sm_30 changes (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability").
inline constexpr int64_t kThreadsPerWarp = 32;
/// Bytes of each operand along K, rows and columns, of one mma.sync of the
/// shapes m16n8 that kernels use: k16 for 16-bit types, k8 for tf32, k32 for
/// 8-bit ones (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
inline constexpr int64_t kMmaStepBytes = 32, kMmaRows = 16, kMmaCols = 8;
inline constexpr int64_t kMaxGridX = 2147483647;

llvm::ArrayRef<GPUArchitecture> getArchitectures();
llvm::ArrayRef<GPUCard> getCards();

/// The table's entry, or an error that lists what the table holds.
llvm::Expected<GPUArchitecture> lookupArchitecture(llvm::StringRef chip);
llvm::Expected<GPUCard> lookupCard(llvm::StringRef name);

/// The chip and card asked for. An empty `card` means one that is usual for the
/// chip, an empty `chip` that of the card; both empty mean sm_80 and a100.
/// Fails for unknown names (see the look-ups) and where the card cannot run
/// code for the chip.
llvm::Expected<GPUTarget> lookupTarget(llvm::StringRef chip,
                                       llvm::StringRef card = "");

/// The newest PTX version that LLVM 22 writes: 90 for 9.0.
inline constexpr unsigned kNewestPtxVersion = 90;

/// The PTX version to compile with where none is asked for: the chip's lowest,
/// but at least 8.0, or 8.4 for a chip whose tensor cores have 8-bit floats,
/// which has all that kernels use.
unsigned getDefaultPtxVersion(const GPUArchitecture &arch);

/// The PTX version to compile with, as 70 for 7.0: `requested`, or the chip's
/// lowest where that is 0. Fails where the chip needs a newer one, where LLVM
/// knows no such version, or where it is newer than `ptxasVersion`, the newest
/// that the ptxas at hand takes (0: there is none, so anything goes).
llvm::Expected<unsigned> selectPtxVersion(const GPUArchitecture &arch,
                                          unsigned requested,
                                          unsigned ptxasVersion);

} // namespace mlir::top

#endif // TOP_TARGET_GPUTARGET_H
