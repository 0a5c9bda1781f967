//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of a kernel: what a schedule needs, what the chip has, and whether
// the one fits the other. It is used to enumerate schedules, to drop those that
// cannot run, and to check one that a user wrote.
//
//   shared bytes   = (BM*BK + BK*BN) * element bytes * stages
//   registers      ~ accumulators + operands in flight + 32
//   blocks per SM  = min over shared memory, registers, warps and the
//                    architecture's block limit
//   occupancy      = active warps / most warps
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_MODEL_H
#define TOP_TUNING_MODEL_H

#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Tuning/Problem.h"

namespace mlir::top {

/// Registers of a thread that hold neither accumulators nor operands:
/// addresses, loop counters, predicates.
inline constexpr int64_t kRegisterOverhead = 32;

/// Below this share of the SM's warps a remark is due.
inline constexpr double kLowOccupancy = 0.25;

/// Bytes of shared memory of `stages` buffers, each a BM x BK and a BK x BN
/// tile.
int64_t getTileBytes(int64_t blockM, int64_t blockN, int64_t blockK,
                     int64_t elementBytes, int64_t stages);

/// Registers of a thread when `threads` share BM x BN accumulators of one
/// register, and have `overhead` others.
int64_t estimateRegisters(int64_t blockM, int64_t blockN, int64_t threads,
                          int64_t overhead = kRegisterOverhead);

/// What bounds the number of blocks on an SM.
enum class OccupancyLimit { SharedMemory, Registers, Warps, Blocks };
StringRef stringifyOccupancyLimit(OccupancyLimit limit);

struct Occupancy {
  int64_t blocksPerSM = 0; ///< 0: not even one fits
  OccupancyLimit limit = OccupancyLimit::Blocks;
  double share = 0; ///< active warps over the most that an SM holds
};

/// Blocks of `threads` threads, each with `registers`, and `sharedBytes` a
/// block. Registers are given out to whole warps in units of 256, a quarter of
/// the file to each of the SM's four parts, and shared memory in units of 128
/// bytes (the CUDA occupancy calculator).
Occupancy computeOccupancy(const GPUArchitecture &arch, int64_t threads,
                           int64_t registers, int64_t sharedBytes);

/// What one block of a kernel needs.
struct BlockResources {
  int64_t threads = 0;
  int64_t sharedBytes = 0;
  int64_t registers = 0; ///< predicted, a thread
};

/// Needs of `schedule`, whose fields are positive, for operands of the
/// problem's type. Each tile in shared memory takes whole multiples of 128
/// bytes. With `wgmma` shared memory also holds two 64 x 64 tiles of
/// the result for each consumer and two 8-byte barriers a stage.
BlockResources estimateResources(const ScheduleFields &schedule,
                                 const ProductProblem &problem);

/// Occupancy of a block that needs `needs`. A wgmma producer leaves most of its
/// registers to the consumers.
Occupancy computeOccupancy(const GPUArchitecture &arch,
                           const ScheduleFields &schedule,
                           const BlockResources &needs);

/// Block tiles of the result along M and N (of one product of the batch), and
/// steps of K.
struct TileCounts {
  int64_t m, n, k;
};
/// The box of output pixels that a block's tile of a convolution is laid over:
/// the schedule's, or what choosePixelBox gives.
SmallVector<int64_t, 3> getPixelBox(const ScheduleFields &schedule,
                                    const ProductProblem &problem);
/// The depth of the product that kernels compute: K, or of a convolution whose
/// channels are packed, what they are filled up to.
int64_t getDepth(const ScheduleFields &schedule, const ProductProblem &problem);
/// Bytes of the copies that a convolution's window is loaded with: up to 16,
/// as many as divide the channels of a group where these lie side by side, and
/// one element where they do not. (Of a plain product it is more.)
int64_t getWindowBytes(const ScheduleFields &schedule,
                       const ProductProblem &problem);
/// Whether the images of a convolution are read as the matrices of channels x
/// pixels that they are: of one tap at every pixel, by boxes of whole rows or
/// of a part of one.
bool isPlainProduct(const ScheduleFields &schedule,
                    const ProductProblem &problem);
TileCounts countTiles(const ScheduleFields &schedule,
                      const ProductProblem &problem);

/// What a schedule can break.
enum class Limit {
  Engine,
  Threads,
  MmaShape,
  Alignment,
  SharedMemory,
  Registers,
  Cluster,
  SplitK,
  Grid,
  Form ///< the attribute's own verifier
};
/// "shared memory", "MMA shape", ...
StringRef stringifyLimit(Limit limit);

/// A schedule that cannot run.
struct Infeasible {
  Limit limit;
  /// What was needed and what the chip has: "needs 196608 bytes of shared
  /// memory, but 'sm_86' allows 101376".
  std::string reason;
};

/// The first limit that `schedule` breaks on the target; nullopt where it can
/// run. Fields of any value are allowed.
std::optional<Infeasible> findBrokenLimit(const ScheduleFields &schedule,
                                          const ProductProblem &problem,
                                          const GPUTarget &target);

/// The engines that kernels exist for. Schedules of others are modelled and
/// listed, but neither assigned nor accepted; a new engine is entered here.
ArrayRef<Engine> getImplementedEngines();

/// What kernels lack for a schedule that could run; nullopt where it can be
/// compiled. (Engines above, clusters, convolutions.)
std::optional<Infeasible> findUnimplemented(const ScheduleFields &schedule,
                                            const ProductProblem &problem);

} // namespace mlir::top

#endif // TOP_TUNING_MODEL_H
