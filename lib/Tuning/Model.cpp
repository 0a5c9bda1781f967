//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Model.h.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Model.h"

#include "top/Dialect/Top/Utils/PixelBox.h"
#include "top/Target/MemoryAccess.h"
#include "top/Target/SumStage.h"
#include "top/Tuning/DirectSchedule.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

/// Of the CUDA occupancy calculator, the same for 8.x and 9.0. On an H200,
/// computeOccupancy gave what cuOccupancyMaxActiveBlocksPerMultiprocessor gives
/// for 2100 combinations of registers, threads and shared bytes.
static constexpr int64_t kRegisterUnit = 256; // a warp
static constexpr int64_t kSharedUnit = 128;   // bytes, a block
static constexpr int64_t kPartsPerSM = 4;
/// What the loading warpgroup of wgmma keeps after setmaxnreg
/// (CUTLASS's and our own measured kernels).
static constexpr int64_t kProducerRegisters = 40;
/// Bytes that cp.async.bulk.tensor needs strides, and a swizzled row, to be
/// multiples of (PTX ISA, "Tensor Address Space").
static constexpr int64_t kTMABytes = 16;
static constexpr int64_t kSwizzleRowBytes = 128;

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

int64_t top::getTileBytes(int64_t blockM, int64_t blockN, int64_t blockK,
                          int64_t elementBytes, int64_t stages) {
  return (blockM * blockK + blockK * blockN) * elementBytes * stages;
}

int64_t top::estimateRegisters(int64_t blockM, int64_t blockN, int64_t threads,
                               int64_t overhead) {
  return llvm::divideCeil(blockM * blockN, threads) + overhead;
}

StringRef top::stringifyOccupancyLimit(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::SharedMemory:
    return "shared memory";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::Warps:
    return "warps";
  case OccupancyLimit::Blocks:
    return "blocks";
  }
  llvm_unreachable("an occupancy limit without a name");
}

Occupancy top::computeOccupancy(const GPUArchitecture &arch, int64_t threads,
                                int64_t registers, int64_t sharedBytes) {
  const int64_t warps = llvm::divideCeil(threads, kThreadsPerWarp);
  const int64_t registersPerWarp = llvm::alignTo(
      std::max<int64_t>(registers, 1) * kThreadsPerWarp, kRegisterUnit);
  const int64_t warpsByRegisters =
      arch.registersPerSM / kPartsPerSM / registersPerWarp * kPartsPerSM;
  const int64_t sharedPerBlock = llvm::alignTo(
      sharedBytes + arch.reservedSharedBytesPerBlock, kSharedUnit);
  // Of equal limits the first is named.
  const std::pair<int64_t, OccupancyLimit> limits[] = {
      {sharedBytes > arch.sharedBytesPerBlock
           ? 0
           : arch.sharedBytesPerSM / sharedPerBlock,
       OccupancyLimit::SharedMemory},
      {registers > arch.registersPerThread ? 0 : warpsByRegisters / warps,
       OccupancyLimit::Registers},
      {threads > arch.threadsPerBlock ? 0 : arch.warpsPerSM / warps,
       OccupancyLimit::Warps},
      {arch.blocksPerSM, OccupancyLimit::Blocks}};
  Occupancy result{INT64_MAX, OccupancyLimit::Blocks, 0};
  for (auto [blocks, limit] : limits)
    if (blocks < result.blocksPerSM) {
      result.blocksPerSM = blocks;
      result.limit = limit;
    }
  result.share = double(result.blocksPerSM * warps) / arch.warpsPerSM;
  return result;
}

/// Registers that hold the operands of a thread's next multiplications. Two
/// K steps are counted: ptxas loads one while the other is multiplied.
static int64_t estimateOperandRegisters(const ScheduleFields &schedule,
                                        const ProductProblem &problem) {
  const int64_t bytes = problem.getElementBytes();
  switch (schedule.engine) {
  case Engine::direct:
  case Engine::simt: // converted to the accumulator's type
    return 2 * (schedule.thread[0] + schedule.thread[1]) *
           (problem.type == NumericType::f64 ? 2 : 1);
  case Engine::mma_sync: {
    // Fragments of WM x k and k x WN, k of 32 bytes (16 for 16-bit types),
    // spread over a warp's registers of 4 bytes.
    const int64_t k = std::max<int64_t>(32 / bytes, 4);
    return llvm::divideCeil(2 * (schedule.warp[0] + schedule.warp[1]) * k *
                                bytes,
                            kThreadsPerWarp * 4);
  }
  case Engine::wgmma: // read from shared memory
    return 0;
  }
  llvm_unreachable("an engine without operands");
}

BlockResources top::estimateResources(const ScheduleFields &schedule,
                                      const ProductProblem &problem) {
  if (schedule.engine == Engine::direct && problem.isConvolution) {
    std::string reason;
    FailureOr<DirectTiles> tiles = getDirectTiles(schedule, problem, reason);
    if (succeeded(tiles))
      return estimateDirectResources(schedule, *tiles, problem);
  }
  BlockResources result;
  result.threads = schedule.getNumThreads();
  // As getTileBytes, but that each tile starts at the first bank.
  auto slotBytes = [&](int64_t extent) {
    return llvm::alignTo(extent * schedule.block[2] * problem.getElementBytes(),
                         kSharedTileAlignment);
  };
  result.sharedBytes =
      (slotBytes(schedule.block[0]) + slotBytes(schedule.block[1])) *
      schedule.stages;
  // Sums on their way to the result take the place of the rings, 16 rows of
  // each warp's tile at least.
  if (schedule.engine == Engine::mma_sync)
    result.sharedBytes = std::max(result.sharedBytes,
                                  schedule.getNumWarps() *
                                      SumStage::getMostBytes(schedule.warp[1]));
  if (schedule.engine == Engine::wgmma)
    result.sharedBytes +=
        2 * schedule.getNumWarpTiles() * 64 * 64 * problem.resultBytes +
        2 * 8 * schedule.stages;
  const int64_t accumulatorRegisters = problem.type == NumericType::f64 ? 2 : 1;
  result.registers =
      schedule.getAccumulatorsPerThread() * accumulatorRegisters +
      estimateOperandRegisters(schedule, problem) + kRegisterOverhead;
  return result;
}

/// Registers a thread of the block on average: a wgmma producer gives most of
/// its own to the consumers.
static int64_t getAverageRegisters(const ScheduleFields &schedule,
                                   const BlockResources &needs) {
  if (schedule.engine != Engine::wgmma)
    return needs.registers;
  const int64_t consumers = schedule.getNumWarpTiles();
  return llvm::divideCeil(consumers * needs.registers + kProducerRegisters,
                          consumers + 1);
}

Occupancy top::computeOccupancy(const GPUArchitecture &arch,
                                const ScheduleFields &schedule,
                                const BlockResources &needs) {
  if (needs.registers > arch.registersPerThread)
    return {0, OccupancyLimit::Registers, 0};
  return computeOccupancy(arch, needs.threads,
                          getAverageRegisters(schedule, needs),
                          needs.sharedBytes);
}

SmallVector<int64_t, 3> top::getPixelBox(const ScheduleFields &schedule,
                                         const ProductProblem &problem) {
  if (!schedule.box.empty())
    return schedule.box;
  return choosePixelBox(
      problem.conv, schedule.block[schedule.pixels == PixelAxis::rows ? 0 : 1]);
}

int64_t top::getDepth(const ScheduleFields &schedule,
                      const ProductProblem &problem) {
  // Depthwise ones have nothing to pack.
  if (!problem.isConvolution || !schedule.repack ||
      problem.conv.getGroupInputs() * problem.conv.getGroupOutputs() == 1)
    return problem.k;
  return problem.conv.kh * problem.conv.kw * problem.getPackedChannels();
}

int64_t top::getWindowBytes(const ScheduleFields &schedule,
                            const ProductProblem &problem) {
  const int64_t element = problem.getElementBytes();
  if (!schedule.repack && !problem.isInputChannelsLast)
    return element;
  const int64_t channels = schedule.repack ? problem.getPackedChannels()
                                           : problem.conv.getGroupInputs();
  return std::gcd(channels * element, kWidestAccessBytes);
}

bool top::isPlainProduct(const ScheduleFields &schedule,
                         const ProductProblem &problem) {
  if (!problem.isConvolution || schedule.repack || problem.isInputChannelsLast)
    return false;
  const ConvShape &conv = problem.conv;
  const SmallVector<int64_t, 3> box = getPixelBox(schedule, problem);
  return conv.kh == 1 && conv.kw == 1 &&
         conv.strides == std::array<int64_t, 2>{1, 1} &&
         conv.pads == std::array<int64_t, 4>{} && box[0] == 1 &&
         (box[1] == 1 || box[2] >= conv.ow);
}

TileCounts top::countTiles(const ScheduleFields &schedule,
                           const ProductProblem &problem) {
  auto count = [](int64_t extent, int64_t tile) -> int64_t {
    return extent / tile + (extent % tile != 0);
  };
  const int64_t k = count(getDepth(schedule, problem), schedule.block[2]);
  if (!problem.isConvolution)
    return {count(problem.m, schedule.block[0]),
            count(problem.n, schedule.block[1]), k};
  // Pixels in boxes.
  const bool pixelsAreRows = schedule.pixels == PixelAxis::rows;
  const int64_t filters =
      count(problem.conv.getGroupOutputs(), schedule.block[pixelsAreRows]);
  const int64_t boxes =
      countBoxes(problem.conv, getPixelBox(schedule, problem));
  return pixelsAreRows ? TileCounts{boxes, filters, k}
                       : TileCounts{filters, boxes, k};
}

//===----------------------------------------------------------------------===//
// Feasibility
//===----------------------------------------------------------------------===//

StringRef top::stringifyLimit(Limit limit) {
  switch (limit) {
  case Limit::Engine:
    return "engine";
  case Limit::Threads:
    return "threads";
  case Limit::MmaShape:
    return "MMA shape";
  case Limit::Alignment:
    return "alignment";
  case Limit::SharedMemory:
    return "shared memory";
  case Limit::Registers:
    return "registers";
  case Limit::Cluster:
    return "cluster";
  case Limit::SplitK:
    return "split_k";
  case Limit::Grid:
    return "grid";
  case Limit::Form:
    return "form";
  }
  llvm_unreachable("a limit without a name");
}

using Result = std::optional<Infeasible>;

/// Whether the tensor cores have the type and a shape that divides the tiles.
static Result checkMmaShape(const ScheduleFields &schedule,
                            const ProductProblem &problem,
                            const GPUArchitecture &arch) {
  if (schedule.engine == Engine::simt)
    return std::nullopt;
  const StringRef engine = stringifyEngine(schedule.engine);
  const NumericType type = problem.getMmaType();
  const StringRef typeName = stringifyNumericType(type);
  if (schedule.engine == Engine::wgmma && arch.wgmmaShapes.empty())
    return Infeasible{Limit::Engine,
                      formatv("needs the engine 'wgmma', which "
                              "'{0}' does not have; 'sm_90a' has",
                              arch.chip)};
  ArrayRef<MmaShape> shapes =
      schedule.engine == Engine::wgmma ? arch.wgmmaShapes : arch.mmaShapes;
  std::string known;
  for (const MmaShape &shape : shapes) {
    if (shape.type != type)
      continue;
    if (schedule.warp[0] % shape.m == 0 && schedule.warp[1] % shape.n == 0 &&
        schedule.block[2] % shape.k == 0)
      return std::nullopt;
    known += formatv("{0}{1} x {2} x {3}", known.empty() ? "" : ", ", shape.m,
                     shape.n, shape.k);
  }
  if (known.empty())
    return Infeasible{
        Limit::MmaShape,
        formatv("needs an MMA shape for {0}, which the engine '{1}' of '{2}' "
                "does not have{3}",
                typeName, engine, arch.chip,
                type == NumericType::f32 ? "; 'allow_tf32' permits tf32" : "")};
  return Infeasible{
      Limit::MmaShape,
      formatv("needs an MMA shape for {0} that divides {1} x {2} x {3} ('warp' "
              "and the K of 'block'), but the engine '{4}' of '{5}' has {6}",
              typeName, schedule.warp[0], schedule.warp[1], schedule.block[2],
              engine, arch.chip, known)};
}

/// TMA addresses rows of multiples of 16 bytes; a swizzled tile has rows of
/// 128. (The other engines load in narrower pieces where they must.)
static Result checkAlignment(const ScheduleFields &schedule,
                             const ProductProblem &problem) {
  if (schedule.engine != Engine::wgmma)
    return std::nullopt;
  const std::pair<StringRef, int64_t> rows[] = {{"lhs", problem.lhsRowBytes},
                                                {"rhs", problem.rhsRowBytes}};
  for (auto [operand, bytes] : rows)
    if (bytes % kTMABytes != 0)
      return Infeasible{Limit::Alignment,
                        formatv("needs rows of '{0}' that are a multiple of "
                                "{1} bytes, for TMA, but they have {2}",
                                operand, kTMABytes, bytes)};
  if (!schedule.swizzle)
    return std::nullopt;
  const int64_t lhsTile = schedule.block[problem.isLhsKContiguous ? 2 : 0];
  const int64_t rhsTile = schedule.block[problem.isRhsKContiguous ? 2 : 1];
  for (int64_t extent : {lhsTile, rhsTile})
    if (extent * problem.getElementBytes() % kSwizzleRowBytes != 0)
      return Infeasible{Limit::Alignment,
                        formatv("needs rows of shared tiles that are a "
                                "multiple of {0} bytes, for 'swizzle', but "
                                "{1} elements have {2}",
                                kSwizzleRowBytes, extent,
                                extent * problem.getElementBytes())};
  return std::nullopt;
}

static Result checkResources(const ScheduleFields &schedule,
                             const ProductProblem &problem,
                             const GPUArchitecture &arch) {
  const BlockResources needs = estimateResources(schedule, problem);
  if (needs.sharedBytes > arch.sharedBytesPerBlock)
    return Infeasible{Limit::SharedMemory,
                      formatv("needs {0} bytes of shared memory, but '{1}' "
                              "allows {2}",
                              needs.sharedBytes, arch.chip,
                              arch.sharedBytesPerBlock)};
  if (needs.registers > arch.registersPerThread)
    return Infeasible{Limit::Registers,
                      formatv("needs about {0} registers a thread, but '{1}' "
                              "allows {2}; the rest would spill",
                              needs.registers, arch.chip,
                              arch.registersPerThread)};
  if (computeOccupancy(arch, schedule, needs).blocksPerSM == 0)
    return Infeasible{Limit::Registers,
                      formatv("needs about {0} registers for each of {1} "
                              "threads, but '{2}' has {3} for all",
                              getAverageRegisters(schedule, needs),
                              needs.threads, arch.chip, arch.registersPerSM)};
  return std::nullopt;
}

static Result checkGrid(const ScheduleFields &schedule,
                        const ProductProblem &problem,
                        const GPUArchitecture &arch) {
  const int64_t clusterSize = schedule.cluster[0] * schedule.cluster[1];
  if (clusterSize > arch.blocksPerCluster)
    return Infeasible{Limit::Cluster,
                      formatv("needs clusters of {0} blocks, but '{1}' allows "
                              "{2}",
                              clusterSize, arch.chip, arch.blocksPerCluster)};
  const TileCounts tiles = countTiles(schedule, problem);
  if (schedule.splitK > std::max<int64_t>(tiles.k, 1))
    return Infeasible{Limit::SplitK,
                      formatv("needs {0} parts of K, but K of {1} has {2} "
                              "steps of {3}",
                              schedule.splitK, getDepth(schedule, problem),
                              tiles.k, schedule.block[2])};
  // One long grid x. In double: the product may pass 64 bits.
  const double blocks = double(tiles.m) * tiles.n * problem.batch *
                        KParts(schedule, getDepth(schedule, problem)).count;
  if (blocks > kMaxGridX)
    return Infeasible{Limit::Grid,
                      formatv("needs {0:F0} blocks along grid x, but a launch "
                              "allows {1}; enlarge 'block'",
                              blocks, kMaxGridX)};
  return std::nullopt;
}

std::optional<Infeasible> top::findBrokenLimit(const ScheduleFields &schedule,
                                               const ProductProblem &problem,
                                               const GPUTarget &target) {
  // Before the attribute's own verifier, which sees nothing wrong before it
  // counts the threads: that is a limit of the hardware like any other.
  auto isPositive = [](int64_t value) { return value > 0; };
  if (schedule.block.size() == 3 && schedule.warp.size() == 2 &&
      llvm::all_of(schedule.block, isPositive) &&
      llvm::all_of(schedule.warp, isPositive) &&
      schedule.getNumThreads() > target.arch.threadsPerBlock)
    return Infeasible{Limit::Threads,
                      formatv("needs {0} threads in a block, but '{1}' allows "
                              "{2}",
                              schedule.getNumThreads(), target.arch.chip,
                              target.arch.threadsPerBlock)};
  if (failed(schedule.verify(nullptr)))
    return Infeasible{Limit::Form, "is no valid schedule"};
  if (schedule.engine == Engine::direct)
    return findDirectFault(schedule, problem, target);
  if (Result broken = checkMmaShape(schedule, problem, target.arch))
    return broken;
  if (Result broken = checkAlignment(schedule, problem))
    return broken;
  if (Result broken = checkResources(schedule, problem, target.arch))
    return broken;
  return checkGrid(schedule, problem, target.arch);
}

ArrayRef<Engine> top::getImplementedEngines() {
  static constexpr Engine engines[] = {Engine::simt, Engine::mma_sync,
                                       Engine::direct};
  return engines;
}

std::optional<Infeasible>
top::findUnimplemented(const ScheduleFields &schedule,
                       const ProductProblem &problem) {
  if (!llvm::is_contained(getImplementedEngines(), schedule.engine))
    return Infeasible{Limit::Engine,
                      formatv("needs the engine '{0}', for which this build "
                              "has no kernels",
                              stringifyEngine(schedule.engine))};
  if (schedule.engine == Engine::mma_sync) {
    if (problem.type == NumericType::f64)
      return Infeasible{Limit::MmaShape,
                        formatv("needs the engine 'mma_sync' for {0}, for "
                                "which this build has no kernels",
                                stringifyNumericType(problem.type))};
    const int64_t step = kMmaStepBytes / problem.getElementBytes();
    if (schedule.block[2] % step != 0)
      return Infeasible{Limit::MmaShape,
                        formatv("needs a K of 'block' of {0}, but kernels of "
                                "engine 'mma_sync' for {1} take multiples of "
                                "{2}",
                                schedule.block[2],
                                stringifyNumericType(problem.getMmaType()),
                                step)};
  }
  if (schedule.cluster[0] * schedule.cluster[1] != 1)
    return Infeasible{Limit::Cluster,
                      "needs clusters of blocks, for which this build has no "
                      "kernels"};
  return std::nullopt;
}
