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
#include "top/Tuning/TimeModel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

// The numbers without another source are fitted to 36 kernels of three
// convolutions (3x3 and 7x7 depthwise, groups of four channels) that were timed
// on an H200: 30 of them take between three quarters and four thirds of the
// time that the model gives; the others, with narrow accesses all over, longer.

/// Instructions of a thread that no pixel and no weight asks for: positions and
/// addresses; and of an access of a copy: position, four tests, address, issue.
static constexpr double kFixedInstructions = 60, kInstructionsOfCopy = 18;
/// Of the cycles of an SM's schedulers, those that issue at best.
static constexpr double kIssueShare = 0.6;
/// Of the memory's bandwidth, what a copy reaches, and the L2's in terms of it
/// (4.3 and 6 of 4.8 TB/s).
static constexpr double kMemoryShare = 0.9, kL2Share = 1.25;
/// What the L2 takes longer for sectors that are written in part.
static constexpr double kPartialSectors = 1.6;
/// Cycles from an instruction of a warp to its next one where few warps are
/// there, and the time that a block waits for its first load.
static constexpr double kCyclesAlone = 1.6, kLoadSeconds = 1.2e-6;
/// A launch.
static constexpr double kLaunchSeconds = 2e-6;
/// Bytes that one access to L1 covers.
static constexpr int64_t kLineBytes = 128;

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
  // weights of the taps that a row of it meets.
  const int64_t columns =
      countDifferent(tiles.run, conv.strides[1], conv.kw, conv.dilations[1]);
  const int64_t weights =
      std::min<int64_t>(conv.kw, 8) * std::min(conv.kh, tiles.rows + 1);
  const int64_t values = schedule.thread[0] * schedule.thread[1] +
                         2 * std::min<int64_t>(columns, 32) +
                         std::min<int64_t>(weights, 64) * schedule.thread[0];
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
  case DirectBound::SharedMemory:
    return "shared memory";
  case DirectBound::Latency:
    return "latency";
  }
  llvm_unreachable("a bound without a name");
}

namespace {

/// What the warps of a kernel do.
struct WarpWork {
  double instructions = 0; ///< of a thread
  double accesses = 0;     ///< cycles of L1 and shared memory, of a warp
  double storedBytes = 0;  ///< of a warp, in whole sectors
};

} // namespace

static int64_t alignmentOf(std::initializer_list<int64_t> divisors,
                           int64_t most) {
  int64_t unit = most;
  while (llvm::any_of(divisors, [&](int64_t d) { return d % unit != 0; }))
    unit /= 2;
  return unit;
}

static WarpWork countWork(const ScheduleFields &schedule,
                          const DirectTiles &tiles,
                          const ProductProblem &problem) {
  const ConvShape &conv = problem.conv;
  const int64_t bytes = problem.getElementBytes();
  const int64_t outputs = schedule.thread[0];
  const double sums = double(outputs) * schedule.thread[1];
  const double taps = double(conv.kh) * conv.kw;
  const double inputs = conv.getGroupInputs();
  const double rows =
      countDifferent(tiles.rows, conv.strides[0], conv.kh, conv.dilations[0]);
  const double columns =
      countDifferent(tiles.run, conv.strides[1], conv.kw, conv.dilations[1]);

  // Accesses to shared memory and to the result are as wide as the positions of
  // runs allow.
  const int64_t widest = std::max<int64_t>(kWidestAccessBytes / bytes, 1);
  const bool isOneRun = tiles.getNumRuns() == 1;
  const int64_t unit = alignmentOf(
      {tiles.cols, isOneRun ? 0 : tiles.run * conv.strides[1]}, widest);
  const int64_t last = tiles.shift + (tiles.run - 1) * conv.strides[1] +
                       (conv.kw - 1) * conv.dilations[1];
  const double loads =
      std::min<double>(columns, double(last / unit - tiles.shift / unit + 1));
  const int64_t width = alignmentOf(
      {tiles.run, conv.ow, isOneRun ? 0 : tiles.boxW},
      std::max<int64_t>(kWidestAccessBytes / problem.resultBytes, 1));
  const double stores = sums / width;

  // Where the lanes of the first warp read and write.
  SmallVector<int64_t> read, written;
  const int64_t lanesN = schedule.warp[1] / schedule.thread[1];
  const int64_t perGroup = std::max<int64_t>(conv.getGroupOutputs(), 1);
  for (int64_t lane = 0; lane < kThreadsPerWarp; ++lane) {
    const int64_t output = lane / lanesN * outputs;
    const int64_t number = std::min(lane % lanesN, tiles.getNumThreads() - 1);
    const int64_t row = number / tiles.getNumRuns() * tiles.rows;
    const int64_t col = number % tiles.getNumRuns() * tiles.run;
    const int64_t group = tiles.groups > 1 ? output / perGroup : 0;
    read.push_back(
        ((group * tiles.channels * tiles.spanH + row * conv.strides[0]) *
             tiles.cols +
         col * conv.strides[1]) *
        bytes / (unit * bytes) * (unit * bytes));
    written.push_back(((output * conv.oh + row) * conv.ow + col) *
                      problem.resultBytes);
  }
  const double turns = countBankTurns(read, unit * bytes);
  const double sectors = countSectors(written, width * problem.resultBytes);
  SmallVector<int64_t> lines;
  for (int64_t address : written)
    lines.push_back(address / kLineBytes);
  llvm::sort(lines);
  const double numLines = llvm::unique(lines) - lines.begin();

  const int64_t piece = alignmentOf(
      {conv.w, tiles.shift + conv.pads[1], tiles.boxW * conv.strides[1]},
      widest);
  const double copies = double(tiles.getTileRows()) * tiles.cols / piece /
                        schedule.getNumThreads() * tiles.steps;
  WarpWork work;
  work.instructions =
      inputs * (sums * taps + rows * (loads + (bytes < 4 ? columns : 0)) +
                outputs * taps * (bytes < 4 ? 2 : 1)) +
      copies * kInstructionsOfCopy + sums / 2 + stores * 3 + kFixedInstructions;
  work.accesses = inputs * (rows * loads * turns + outputs * taps) +
                  stores * numLines + copies * 4;
  work.storedBytes = stores * sectors * kSectorBytes;
  if (sectors > minSectors(kThreadsPerWarp * width * problem.resultBytes))
    work.storedBytes *= kPartialSectors;
  return work;
}

DirectEstimate top::estimateDirectTime(const ScheduleFields &schedule,
                                       const ProductProblem &problem,
                                       const GPUTarget &target) {
  const ConvShape &conv = problem.conv;
  const GPUCard &card = target.card;
  std::string reason;
  const DirectTiles tiles = *getDirectTiles(schedule, problem, reason);
  const BlockResources needs =
      estimateDirectResources(schedule, tiles, problem);
  const Occupancy occupancy = computeOccupancy(
      target.arch, needs.threads, needs.registers, needs.sharedBytes);
  const WarpWork work = countWork(schedule, tiles, problem);
  const double blocks = countDirectBlocks(tiles, conv);
  const double warps = double(needs.threads) / kThreadsPerWarp;
  const double perSM = std::ceil(blocks / card.numSMs);
  // The peak counts two operations of 32 lanes and four schedulers.
  const double clock = card.peakF32 / (2 * kThreadsPerWarp * 4 * card.numSMs);

  const double bytes = problem.getElementBytes();
  const double image = double(conv.n) * conv.c * conv.h * conv.w * bytes;
  const double result =
      double(conv.n) * conv.f * conv.oh * conv.ow * problem.resultBytes;
  const double loaded =
      double(tiles.steps) * tiles.getTileRows() * tiles.spanW * bytes;
  const double stored = warps * work.storedBytes;
  const double memory = kMemoryShare * card.bytesPerSecond;
  const double l2 = kL2Share * card.bytesPerSecond;
  // A block from its first load to its last store, at its SM's share of both.
  const double alone = kLoadSeconds + work.instructions * kCyclesAlone / clock +
                       (loaded / memory + stored / l2) * card.numSMs;
  const double waves =
      std::max(1.0, blocks / (double(card.numSMs) * occupancy.blocksPerSM));
  const std::pair<double, DirectBound> times[] = {
      {perSM * warps * work.instructions / (4 * clock * kIssueShare),
       DirectBound::Instructions},
      {perSM * warps * work.accesses / clock, DirectBound::SharedMemory},
      {(std::min(image, blocks * loaded) + result) / memory,
       DirectBound::Memory},
      {blocks * (loaded + stored) / l2, DirectBound::L2},
      {waves * alone, DirectBound::Latency}};
  DirectEstimate estimate;
  for (auto [seconds, bound] : times)
    if (seconds > estimate.seconds)
      estimate = {seconds, bound};
  estimate.seconds += kLaunchSeconds;
  return estimate;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static constexpr int64_t kRuns[] = {8, 4, 16, 14, 7, 2, 1};
static constexpr int64_t kThreadRows[] = {1, 2, 4, 7, 8};
static constexpr int64_t kOutputs[] = {1, 2, 3, 4, 5, 6, 7, 8};
static constexpr int64_t kWarpsM[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16};
/// Lanes of few pixels each write to channels far apart.
static constexpr int64_t kMinLanesN = 8;
static constexpr int64_t kLongRow = 128;
static constexpr int64_t kMinThreads = 64, kMaxThreads = 512;

/// Blocks of `threadsN` threads along N, with all numbers of channels.
static void addChannels(ScheduleFields candidate, int64_t threadsN,
                        const ConvShape &conv,
                        SmallVectorImpl<ScheduleFields> &schedules) {
  const int64_t groupOutputs = conv.getGroupOutputs();
  for (int64_t threadM : kOutputs) {
    // Of one group each, and not for channels that none has.
    if (threadM > groupOutputs ||
        (conv.group > 1 && groupOutputs % threadM != 0))
      continue;
    for (int64_t lanesN = kMinLanesN; lanesN <= kThreadsPerWarp; lanesN *= 2) {
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
        schedules.push_back(candidate);
      }
    }
  }
}

/// All that read `channels` input channels of a group in a step.
static SmallVector<ScheduleFields> enumerate(const ConvShape &conv,
                                             int64_t channels) {
  const int64_t oh = std::max<int64_t>(conv.oh, 1);
  const int64_t ow = std::max<int64_t>(conv.ow, 1);
  SmallVector<ScheduleFields> schedules;
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
        addChannels(candidate, boxH / rows * (boxW / run), conv, schedules);
      }
    }
  return schedules;
}

SmallVector<ScheduleFields>
top::enumerateDirectSchedules(const ProductProblem &problem,
                              const GPUTarget &target) {
  const ConvShape &conv = problem.conv;
  SmallVector<ScheduleFields> schedules;
  // All channels of a group at once where they fit; else two tiles under way.
  for (int64_t channels = conv.getGroupInputs();
       channels >= 1 && schedules.empty();
       channels = channels == 1 ? 0 : llvm::divideCeil(channels, 2)) {
    schedules = enumerate(conv, channels);
    llvm::erase_if(schedules, [&](const ScheduleFields &schedule) {
      return failed(schedule.verify(nullptr)) ||
             findDirectFault(schedule, problem, target);
    });
  }
  return schedules;
}

std::optional<Assignment> top::assignDirect(const ProductProblem &problem,
                                            const GPUTarget &target) {
  const ConvShape &conv = problem.conv;
  const SmallVector<ScheduleFields> schedules =
      enumerateDirectSchedules(problem, target);
  const ScheduleFields *best = nullptr;
  DirectEstimate bestTime;
  for (const ScheduleFields &schedule : schedules) {
    const DirectEstimate time = estimateDirectTime(schedule, problem, target);
    if (best && time.seconds >= bestTime.seconds)
      continue;
    best = &schedule;
    bestTime = time;
  }
  if (!best)
    return std::nullopt;
  Assignment result;
  result.schedule = *best;
  result.seconds = bestTime.seconds;
  result.reasons.push_back(formatv(
      "straight from NCHW; fastest of {0} by the model, {1:F1} us, bound by "
      "{2}",
      schedules.size(), bestTime.seconds * 1e6,
      stringifyDirectBound(bestTime.bound)));
  // Kernels are channels first on either side.
  auto addMove = [&](StringRef what, double elements, int64_t elementBytes) {
    const double seconds =
        estimateMoveTime(2 * elements * elementBytes, target);
    *result.seconds += seconds;
    result.reasons.push_back(formatv("{0} is moved between the layouts in "
                                     "{1:F1} us",
                                     what, seconds * 1e6));
  };
  if (problem.isInputChannelsLast)
    addMove("the input", double(conv.n) * conv.c * conv.h * conv.w,
            problem.getElementBytes());
  if (problem.isResultChannelsLast)
    addMove("the result", double(conv.n) * conv.f * conv.oh * conv.ow,
            problem.resultBytes);
  return result;
}
