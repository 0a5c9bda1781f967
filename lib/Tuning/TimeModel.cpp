//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimeModel.h.
//
// Blocks run in waves, of as many as the SMs hold at once. A wave takes the
// longer of what one block takes from its first copy to its last store,
//
//   latency + steps * step + store
//
// and of what all blocks of an SM keep it busy with. A step along K is the
// longest of: the products, at the rate that mma.sync reaches; the bytes that
// pass shared memory, which copies write once and warps read once for each warp
// tile row or column; the block's share of what all SMs take from L2; and the
// latency of a copy, over the copies that are under way. The whole takes no
// less than the operands and the result take at the bandwidth of global memory.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/TimeModel.h"

#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::top;

/// Fitted to 1,080 kernels of 24 shapes, f16 and bf16, on an H200 (see
/// docs/Performance.md): the mean error is 11 %, and what is chosen takes 1.02
/// times as long as the best of those measured (geometric mean). Of other cards
/// they are guesses, scaled by SMs, peaks and bandwidth.
static constexpr double kLaunchSeconds = 0.86e-6;
static constexpr double kLatencySeconds = 1.16e-6; ///< of a wave's first tiles
/// Of a step whose copies are not asynchronous, times the latency.
static constexpr double kWaitedLatencies = 1.5;
static constexpr double kMmaShare = 0.83; ///< of the peak, with 8 warps an SM
static constexpr double kWarpExponent = 0.133; ///< fewer warps hide less
static constexpr double kFullWarps = 8;
static constexpr double kSharedBytesPerSecond = 182e9; ///< an SM
static constexpr double kL2BytesPerSecond = 86e9;      ///< an SM
static constexpr double kStoreSeconds = 155e-9; ///< of 64 x 64 sums of a block
/// Of a store, what keeps other blocks from their products.
static constexpr double kStoreShare = 0.89;
static constexpr double kSumSeconds = 0.82e-6;     ///< of the sum of parts
static constexpr double kSumShare = 3e12 / 4.8e12; ///< of the bandwidth
static constexpr double kCopySeconds = 2e-6;       ///< of an operand's copy
static constexpr double kCopyShare = 2.5e12 / 4.8e12;
/// Packs of channels, written by kernels of 4 to 67 us.
static constexpr double kPackSeconds = 3e-6;
static constexpr double kPackShare = 3.4e12 / 4.8e12;
/// Instructions that a thread has for one access of a copy of a convolution's
/// window, and what an SM issues in a second, of threads.
static constexpr double kWindowInstructions = 12;
/// Where that is one by one: straight, or with channels that are not filled up.
static constexpr double kElementInstructions = 180;
static constexpr int64_t kMinAsyncBytes = 4; ///< of cp.async
static constexpr double kThreadsPerSecond = 128 * 1.7e9;

StringRef top::stringifyTimeBound(TimeBound bound) {
  switch (bound) {
  case TimeBound::TensorCores:
    return "the tensor cores";
  case TimeBound::SharedMemory:
    return "shared memory";
  case TimeBound::L2:
    return "the L2";
  case TimeBound::Instructions:
    return "the instructions of copies";
  case TimeBound::Latency:
    return "the latency of copies";
  case TimeBound::GlobalMemory:
    return "global memory";
  }
  llvm_unreachable("a bound without a name");
}

namespace {

class Estimator {
public:
  Estimator(const ScheduleFields &schedule, const ProductProblem &problem,
            const GPUTarget &target)
      : schedule(schedule), problem(problem), target(target),
        depth(getDepth(schedule, problem)), parts(schedule, depth) {
    const Occupancy occupancy = computeOccupancy(
        target.arch, schedule, estimateResources(schedule, problem));
    resident = std::max<int64_t>(occupancy.blocksPerSM, 1);
    steps = llvm::divideCeil(std::min(parts.depth, depth), schedule.block[2]);
  }

  TimeEstimate estimate();

private:
  double getWave(double blocks, TimeBound &bound) const;
  double getBytes() const;
  double getCopies() const;
  double getCopyInstructions() const;
  double getStoredShare() const;

  const ScheduleFields &schedule;
  const ProductProblem &problem;
  const GPUTarget &target;
  int64_t depth; ///< K, with channels that are filled up
  KParts parts;
  int64_t resident, steps;
};

} // namespace

/// Of a block's threads in a step, for the pixels of a convolution.
double Estimator::getCopyInstructions() const {
  if (!problem.isConvolution)
    return 0;
  const int64_t pixels =
      schedule.block[schedule.pixels == PixelAxis::rows ? 0 : 1];
  const double elements = double(pixels) * schedule.block[2];
  if (isPlainProduct(schedule, problem)) {
    // Rows of pixels begin at multiples of a plane, and of the box.
    const SmallVector<int64_t, 3> box = getPixelBox(schedule, problem);
    const int64_t plane = problem.conv.h * problem.conv.w;
    const int64_t bytes =
        std::gcd(std::gcd(plane, box[1] * box[2]) * problem.getElementBytes(),
                 kWidestAccessBytes);
    if (bytes < kMinAsyncBytes)
      return elements * kElementInstructions;
    return elements * problem.getElementBytes() / bytes * kWindowInstructions;
  }
  // Channels that are not filled up lie in taps that begin anywhere.
  const bool isFilled = schedule.repack || problem.isInputPacked();
  return elements * problem.getElementBytes() /
         getWindowBytes(schedule, problem) *
         (isFilled ? kWindowInstructions : kElementInstructions);
}

/// Of the bytes of a convolution's result: those of the sectors that stores
/// touch, since a block writes runs of neighbours, of its pixels or channels,
/// that begin and end within sectors. (64 to 256 channels of 56 x 56 on an
/// H200: boxes of 8 x 8 pixels, 16 bytes a run, 110 us; of 2 x 56 64 us.)
double Estimator::getStoredShare() const {
  if (!problem.isConvolution)
    return 1;
  const ConvShape &conv = problem.conv;
  const SmallVector<int64_t, 3> box = getPixelBox(schedule, problem);
  int64_t run, stride; // of the elements, and between two runs
  if (problem.isResultChannelsLast) {
    run = std::min(schedule.block[schedule.pixels == PixelAxis::rows ? 1 : 0],
                   conv.getGroupOutputs());
    stride = conv.f;
  } else if (box[2] >= conv.ow) {
    run = std::min(box[1], conv.oh) * conv.ow;
    stride = std::gcd(run, conv.oh * conv.ow);
  } else {
    run = box[2];
    stride = std::gcd(run, conv.ow);
  }
  const int64_t bytes = std::max<int64_t>(run * problem.resultBytes, 1);
  const int64_t aligned =
      std::gcd(std::gcd(run, stride) * problem.resultBytes, kSectorBytes);
  return double(bytes + kSectorBytes - aligned) / bytes;
}

/// A wave of `blocks`, no more than fit at once.
double Estimator::getWave(double blocks, TimeBound &bound) const {
  const double numSMs = target.card.numSMs;
  const double perSM = std::min<double>(resident, std::ceil(blocks / numSMs));
  const double onChip = std::min(blocks, numSMs * perSM);
  const double m = schedule.block[0], n = schedule.block[1],
               k = schedule.block[2];
  const double warps = schedule.getNumWarps();
  const double tileBytes = (m + n) * k * problem.getElementBytes();
  const double share =
      kMmaShare *
      std::min(1.0, std::pow(perSM * warps / kFullWarps, kWarpExponent));
  const double rate = target.card.getTensorPeak(problem.getMmaType()) *
                      target.arch.mmaSyncShare * share / numSMs;
  const double fragmentBytes = warps * (schedule.warp[0] + schedule.warp[1]) *
                               k * problem.getElementBytes();
  // Of one block.
  const double products = 2 * m * n * k / rate;
  const std::pair<double, TimeBound> bounds[] = {
      {products, TimeBound::TensorCores},
      {(fragmentBytes + tileBytes) / kSharedBytesPerSecond,
       TimeBound::SharedMemory},
      {getCopyInstructions() / kThreadsPerSecond, TimeBound::Instructions},
      {onChip / perSM * tileBytes / (kL2BytesPerSecond * numSMs),
       TimeBound::L2}};
  double step = 0;
  for (auto [seconds, what] : bounds)
    if (seconds > step) {
      step = seconds;
      bound = what;
    }
  const double store = kStoreSeconds * m * n / (64 * 64) * getStoredShare();
  const double busy =
      kLatencySeconds / 2 + perSM * (steps * step + kStoreShare * store);
  // Copies of one stage are not asynchronous.
  const double alone =
      schedule.stages == 1
          ? products + kWaitedLatencies * kLatencySeconds
          : std::max(step, kLatencySeconds / double(schedule.stages - 1));
  const double chain = kLatencySeconds + steps * alone + store;
  if (chain > busy && alone > step)
    bound = TimeBound::Latency;
  return std::max(busy, chain);
}

/// Of the operands and the result, each once.
double Estimator::getBytes() const {
  if (problem.isConvolution) {
    const ConvShape &conv = problem.conv;
    return (double(conv.n) * conv.c * conv.h * conv.w +
            double(conv.f) * conv.getGroupInputs() * conv.kh * conv.kw) *
               problem.getElementBytes() +
           double(conv.n) * conv.f * conv.oh * conv.ow * problem.resultBytes *
               getStoredShare();
  }
  const double rhsBatch = problem.isRhsShared ? 1 : problem.batch;
  return (double(problem.batch) * problem.m * problem.k +
          rhsBatch * problem.k * problem.n) *
             problem.getElementBytes() +
         double(problem.batch) * problem.m * problem.n * problem.resultBytes;
}

/// What kernels beside the product's take: copies of operands whose rows are
/// not aligned, and the sum of parts.
double Estimator::getCopies() const {
  const double bandwidth = target.card.bytesPerSecond;
  double seconds = 0;
  auto addCopy = [&](double elements) {
    seconds += kCopySeconds + 2 * elements * problem.getElementBytes() /
                                  (kCopyShare * bandwidth);
  };
  if (problem.isConvolution)
    seconds += estimatePackTime(schedule, problem, target);
  else if (schedule.repack && problem.lhsRowBytes % kWidestAccessBytes != 0)
    addCopy(double(problem.batch) * problem.m * problem.k);
  if (!problem.isConvolution && schedule.repack &&
      problem.rhsRowBytes % kWidestAccessBytes != 0)
    addCopy((problem.isRhsShared ? 1.0 : double(problem.batch)) * problem.k *
            problem.n);
  if (parts.count > 1) {
    const double results = double(problem.batch) * problem.m * problem.n;
    constexpr double sumBytes = 4; // f32 or i32, written and read
    seconds += kSumSeconds +
               results * (2 * parts.count * sumBytes + problem.resultBytes) /
                   (kSumShare * bandwidth);
  }
  return seconds;
}

TimeEstimate Estimator::estimate() {
  const TileCounts tiles = countTiles(schedule, problem);
  // In double: the product may pass 64 bits.
  const double blocks = double(tiles.m) * tiles.n * problem.batch * parts.count;
  const double atOnce = double(target.card.numSMs) * resident;
  const double fullWaves = std::ceil(blocks / atOnce) - 1;
  TimeEstimate result;
  double seconds = getWave(blocks - fullWaves * atOnce, result.bound);
  if (fullWaves > 0)
    seconds += fullWaves * getWave(atOnce, result.bound);
  const double floor = getBytes() / target.card.bytesPerSecond;
  if (floor > seconds) {
    seconds = floor;
    result.bound = TimeBound::GlobalMemory;
  }
  result.seconds = kLaunchSeconds + seconds + getCopies();
  return result;
}

TimeEstimate top::estimateTime(const ScheduleFields &schedule,
                               const ProductProblem &problem,
                               const GPUTarget &target) {
  return Estimator(schedule, problem, target).estimate();
}

double top::estimateMoveTime(double bytes, const GPUTarget &target) {
  return kPackSeconds + bytes / (kPackShare * target.card.bytesPerSecond);
}

double top::estimatePackTime(const ScheduleFields &schedule,
                             const ProductProblem &problem,
                             const GPUTarget &target) {
  if (!problem.isConvolution || !schedule.repack)
    return 0;
  const ConvShape &conv = problem.conv;
  const int64_t element = problem.getElementBytes();
  // Images that are channels last are packed to fill their channels up.
  if (problem.isInputPacked())
    return 0;
  // Of one tap only the pixels that are kept are packed.
  const bool isOneTap =
      conv.kh == 1 && conv.kw == 1 && conv.pads == std::array<int64_t, 4>{};
  const double pixels =
      double(conv.n) * (isOneTap ? conv.oh * conv.ow : conv.h * conv.w);
  const double read = double(conv.n) * conv.c * conv.h * conv.w;
  const double written = pixels * conv.group * problem.getPackedChannels();
  return estimateMoveTime((read + written) * element, target);
}
