//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DirectSchedule.h.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/DirectSchedule.h"

#include "top/Target/MemoryAccess.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

/// Instructions of a thread that no pixel and no weight asks for: positions and
/// addresses. Counted in the code of three kernels.
static constexpr int64_t kFixedInstructions = 60;
/// Of an access of a copy: its position, four tests, address and issue.
static constexpr int64_t kInstructionsOfCopy = 18;
/// Bytes that must be under way on an SM for the memory to be busy: its
/// bandwidth times a latency of about a microsecond, and as much again while
/// blocks compute.
static constexpr double kBytesUnderWay = 64 * 1024;
/// Of the memory's, that streaming kernels reach; and the L2's, in terms of
/// the memory's (measured on an H200: 4.3 and about 6 of 4.8 TB/s).
static constexpr double kMemoryShare = 0.9, kL2Share = 1.25;
/// A launch, and a block from its first load to its last store.
static constexpr double kLatencySeconds = 2.5e-6;

FailureOr<DirectTiles> top::getDirectTiles(const ScheduleFields &schedule,
                                           const ProductProblem &problem,
                                           std::string &reason) {
  return DirectTiles::get(schedule, problem.conv, problem.getElementBytes(),
                          reason);
}

/// Different numbers `i * a + j * b` for i < n and j < m. With a and b divided
/// by their greatest common divisor, (i, j) and (i + b, j - a) give the same
/// one: pairs form chains, of which there are as many as pairs less the links.
static int64_t countDifferent(int64_t n, int64_t a, int64_t m, int64_t b) {
  const int64_t common = std::gcd(a, b);
  return n * m - std::max<int64_t>(n - b / common, 0) *
                     std::max<int64_t>(m - a / common, 0);
}

BlockResources top::estimateDirectResources(const ScheduleFields &schedule,
                                            const DirectTiles &tiles,
                                            const ProductProblem &problem) {
  const ConvShape &conv = problem.conv;
  BlockResources result;
  result.threads = schedule.getNumThreads();
  result.sharedBytes = llvm::alignTo(tiles.getTileRows() * tiles.cols *
                                         problem.getElementBytes(),
                                     kSharedTileAlignment) *
                       std::min(schedule.stages, tiles.steps);
  // Sums, two rows of the input (one is read while the other is used), and the
  // weights of two rows of taps.
  const int64_t columns =
      countDifferent(tiles.run, conv.strides[1], conv.kw, conv.dilations[1]);
  const int64_t values = schedule.thread[0] * schedule.thread[1] +
                         2 * std::min<int64_t>(columns, 32) +
                         2 * std::min<int64_t>(conv.kw, 8) * schedule.thread[0];
  result.registers =
      values * (problem.type == NumericType::f64 ? 2 : 1) + kRegisterOverhead;
  return result;
}

int64_t top::countDirectBlocks(const DirectTiles &tiles,
                               const ConvShape &conv) {
  const uint64_t counts[] = {
      uint64_t(conv.n), llvm::divideCeil(conv.group, tiles.groups),
      llvm::divideCeil(conv.getGroupOutputs(), tiles.outputs),
      llvm::divideCeil(conv.oh, tiles.boxH),
      llvm::divideCeil(conv.ow, tiles.boxW)};
  uint64_t blocks = 1;
  for (uint64_t count : counts)
    blocks = llvm::SaturatingMultiply(blocks, count);
  return std::min<uint64_t>(blocks, INT64_MAX);
}

std::optional<Infeasible> top::findDirectFault(const ScheduleFields &schedule,
                                               const ProductProblem &problem,
                                               const GPUTarget &target) {
  const GPUArchitecture &arch = target.arch;
  if (!problem.isConvolution)
    return Infeasible{Limit::Engine, "needs a convolution for the engine "
                                     "'direct', but it is a matrix product"};
  if (schedule.cluster[0] * schedule.cluster[1] != 1)
    return Infeasible{Limit::Cluster,
                      "needs clusters of blocks, which kernels of engine "
                      "'direct' do not have"};
  if (schedule.splitK != 1)
    return Infeasible{Limit::SplitK,
                      formatv("needs {0} parts of K, which kernels of engine "
                              "'direct' do not have",
                              schedule.splitK)};
  if (schedule.repack)
    return Infeasible{Limit::Form,
                      "needs 'repack', but kernels of engine 'direct' read "
                      "images as they are"};
  std::string reason;
  FailureOr<DirectTiles> tiles = getDirectTiles(schedule, problem, reason);
  if (failed(tiles))
    return Infeasible{Limit::Form, reason};
  const BlockResources needs =
      estimateDirectResources(schedule, *tiles, problem);
  if (needs.sharedBytes > arch.sharedBytesPerBlock)
    return Infeasible{Limit::SharedMemory,
                      formatv("needs {0} bytes of shared memory for the "
                              "windows of a box, but '{1}' allows {2}",
                              needs.sharedBytes, arch.chip,
                              arch.sharedBytesPerBlock)};
  if (needs.registers > arch.registersPerThread)
    return Infeasible{Limit::Registers,
                      formatv("needs about {0} registers a thread, but '{1}' "
                              "allows {2}; the rest would spill",
                              needs.registers, arch.chip,
                              arch.registersPerThread)};
  if (computeOccupancy(arch, needs.threads, needs.registers, needs.sharedBytes)
          .blocksPerSM == 0)
    return Infeasible{Limit::Registers,
                      formatv("needs about {0} registers for each of {1} "
                              "threads, but '{2}' has {3} for all",
                              needs.registers, needs.threads, arch.chip,
                              arch.registersPerSM)};
  if (const int64_t blocks = countDirectBlocks(*tiles, problem.conv);
      blocks > kMaxGridX)
    return Infeasible{Limit::Grid,
                      formatv("needs {0} blocks along grid x, but a launch "
                              "allows {1}; enlarge 'box' or 'block'",
                              blocks, kMaxGridX)};
  return std::nullopt;
}

StringRef top::stringifyDirectBound(DirectBound bound) {
  switch (bound) {
  case DirectBound::Instructions:
    return "instructions";
  case DirectBound::Memory:
    return "memory";
  case DirectBound::L2:
    return "the L2";
  }
  llvm_unreachable("a bound without a name");
}

/// Instructions of a thread.
static double countInstructions(const ScheduleFields &schedule,
                                const DirectTiles &tiles,
                                const ProductProblem &problem) {
  const ConvShape &conv = problem.conv;
  const int64_t bytes = problem.getElementBytes();
  const bool isConverted = bytes < 4;
  const double sums = double(schedule.thread[0]) * schedule.thread[1];
  const double taps = double(conv.kh) * conv.kw;
  const double rows =
      countDifferent(tiles.rows, conv.strides[0], conv.kh, conv.dilations[0]);
  const double columns =
      countDifferent(tiles.run, conv.strides[1], conv.kw, conv.dilations[1]);
  const double loads = std::ceil(((tiles.run - 1) * conv.strides[1] +
                                  (conv.kw - 1) * conv.dilations[1] + 1) *
                                 double(bytes) / kWidestAccessBytes) +
                       1;
  const double weights = schedule.thread[0] * taps;
  const double perChannel = sums * taps +
                            rows * (loads + (isConverted ? columns : 0)) +
                            weights * (isConverted ? 2 : 1);
  const double copies =
      double(tiles.getTileRows()) * tiles.cols * bytes /
      std::min<double>(kWidestAccessBytes, bytes * (tiles.cols - tiles.shift)) /
      schedule.getNumThreads();
  return conv.getGroupInputs() * perChannel +
         tiles.steps * copies * kInstructionsOfCopy + sums + kFixedInstructions;
}

DirectEstimate top::estimateDirectTime(const ScheduleFields &schedule,
                                       const ProductProblem &problem,
                                       const GPUTarget &target) {
  const ConvShape &conv = problem.conv;
  std::string reason;
  const DirectTiles tiles = *getDirectTiles(schedule, problem, reason);
  const BlockResources needs =
      estimateDirectResources(schedule, tiles, problem);
  const Occupancy occupancy = computeOccupancy(
      target.arch, needs.threads, needs.registers, needs.sharedBytes);
  const double blocks = countDirectBlocks(tiles, conv);
  const double bytes = problem.getElementBytes();

  // Of all blocks, as if they filled whole waves where they are few.
  const double atOnce = double(target.card.numSMs) * occupancy.blocksPerSM;
  const double perSM = std::ceil(blocks / target.card.numSMs);
  const double instructions = perSM * target.card.numSMs * needs.threads /
                              kThreadsPerWarp *
                              countInstructions(schedule, tiles, problem);
  // The peak counts two operations an instruction and lane.
  const double issue = target.card.peakF32 / (2 * kThreadsPerWarp);

  const double tileBytes = double(tiles.getTileRows()) * tiles.spanW * bytes;
  const double image = double(conv.n) * conv.c * conv.h * conv.w * bytes;
  const double result =
      double(conv.n) * conv.f * conv.oh * conv.ow * problem.resultBytes;
  const double read = blocks * tiles.steps * tileBytes;
  const double resident =
      std::min(blocks / target.card.numSMs, double(occupancy.blocksPerSM)) *
      tileBytes;
  const double busy =
      blocks < atOnce ? 1 : std::min(1.0, resident / kBytesUnderWay);
  const double bandwidth = target.card.bytesPerSecond * busy;
  const std::pair<double, DirectBound> times[] = {
      {instructions / issue, DirectBound::Instructions},
      {(std::min(image, read) + result) / (kMemoryShare * bandwidth),
       DirectBound::Memory},
      {(read + result) / (kL2Share * bandwidth), DirectBound::L2}};
  DirectEstimate estimate;
  for (auto [seconds, bound] : times)
    if (seconds > estimate.seconds)
      estimate = {seconds, bound};
  estimate.seconds += kLatencySeconds;
  return estimate;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static constexpr int64_t kRuns[] = {8, 4, 16, 14, 7, 2, 1};
static constexpr int64_t kThreadRows[] = {1, 2, 4, 7, 8};
static constexpr int64_t kOutputs[] = {1, 2, 3, 4, 5, 6, 7, 8};
static constexpr int64_t kWarpsM[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16};
static constexpr int64_t kLongRow = 128;
static constexpr int64_t kMinThreads = 64, kMaxThreads = 512;

std::optional<Assignment> top::assignDirect(const ProductProblem &problem,
                                            const GPUTarget &target) {
  const ConvShape &conv = problem.conv;
  const int64_t oh = std::max<int64_t>(conv.oh, 1);
  const int64_t ow = std::max<int64_t>(conv.ow, 1);
  const int64_t groupOutputs = conv.getGroupOutputs();
  std::optional<ScheduleFields> best;
  DirectEstimate bestTime;
  int64_t looked = 0;
  auto look = [&](const ScheduleFields &candidate) {
    if (failed(candidate.verify(nullptr)) ||
        findDirectFault(candidate, problem, target))
      return;
    ++looked;
    const DirectEstimate time = estimateDirectTime(candidate, problem, target);
    if (best && time.seconds >= bestTime.seconds)
      return;
    best = candidate;
    bestTime = time;
  };
  /// Blocks of `threadsN` threads along N, with all numbers of channels.
  auto lookAtChannels = [&](ScheduleFields candidate, int64_t threadsN) {
    for (int64_t threadM : kOutputs) {
      // Of one group each, and not for channels that none has.
      if (threadM > groupOutputs ||
          (conv.group > 1 && groupOutputs % threadM != 0))
        continue;
      for (int64_t lanesN = 1; lanesN <= kThreadsPerWarp; lanesN *= 2) {
        const int64_t lanesM = kThreadsPerWarp / lanesN;
        const int64_t warpsN = llvm::divideCeil(threadsN, lanesN);
        for (int64_t warpsM : kWarpsM) {
          const int64_t threads = kThreadsPerWarp * warpsN * warpsM;
          const int64_t blockM = warpsM * lanesM * threadM;
          if (threads < kMinThreads || threads > kMaxThreads ||
              (warpsM > 1 && blockM >= 2 * conv.f))
            continue;
          candidate.thread[0] = threadM;
          candidate.warp = {lanesM * threadM, lanesN * candidate.thread[1]};
          candidate.block = {blockM, warpsN * candidate.warp[1],
                             candidate.block[2]};
          look(candidate);
        }
      }
    }
  };
  // All channels of a group at once where they fit; else two tiles under way.
  for (int64_t channels = conv.getGroupInputs(); channels >= 1 && !best;
       channels = channels == 1 ? 0 : llvm::divideCeil(channels, 2)) {
    for (int64_t run : kRuns)
      for (int64_t rows : kThreadRows) {
        const int64_t boxW = ow <= 2 * kLongRow ? llvm::alignTo(ow, run)
                                                : llvm::alignTo(kLongRow, run);
        int64_t last = 0;
        for (int64_t parts = 1; parts <= oh; parts *= 2) {
          const int64_t boxH = llvm::alignTo(llvm::divideCeil(oh, parts), rows);
          if (boxH == last)
            break;
          last = boxH;
          ScheduleFields candidate(Engine::direct);
          candidate.box = {1, boxH, boxW};
          candidate.thread = {1, run * rows};
          candidate.block[2] = channels;
          candidate.stages = channels < conv.getGroupInputs() ? 2 : 1;
          lookAtChannels(candidate, boxH / rows * (boxW / run));
        }
      }
  }
  if (!best)
    return std::nullopt;
  Assignment result;
  result.schedule = *best;
  result.reasons.push_back(formatv(
      "straight from NCHW; fastest of {0} by the model, {1:F1} us, bound by "
      "{2}",
      looked, bestTime.seconds * 1e6, stringifyDirectBound(bestTime.bound)));
  return result;
}
