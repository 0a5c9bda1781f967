//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of convolutions on the tensor cores, by the model of time: whether
// their channels are packed, the box of output pixels, blocks, stages and parts
// of K.
//
//===----------------------------------------------------------------------===//

#include "AssignConvolution.h"

#include "top/Dialect/Top/Utils/PixelBox.h"
#include "top/Target/MemoryAccess.h"
#include "top/Tuning/TimeModel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

/// Output channels of a block, and pixels at most.
static constexpr int64_t kFilterTiles[] = {128, 64, 256, 32, 16};
static constexpr int64_t kPixelTiles[] = {256, 240, 224, 208, 200, 192, 176,
                                          160, 144, 128, 112, 104, 96,  80,
                                          64,  56,  48,  32,  24,  16,  8};
/// Bytes of a K step, and buffers, in order of preference: where a tap begins
/// is worked out once a step, so that longer ones are 5 to 20 % faster than the
/// model says (test/bench/conv-h200.csv).
static constexpr int64_t kDepthBytes[] = {128, 64};
static constexpr int64_t kStages[] = {3, 4, 2};
static constexpr int64_t kParts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
/// A part of K is not shorter than this many steps.
static constexpr int64_t kMinStepsOfPart = 4;
/// Elements of a warp's tile, at most: more of them and of fragments than a
/// thread has registers for.
static constexpr int64_t kMaxWarpTile = 64 * 64;
/// Accesses of a thread to pixels in a step, at most: where each pixel lies
/// stays in registers. (5 x 20 taps of one channel on an H200: 16 accesses 76
/// us, 24 and more from 210 us on.)
static constexpr int64_t kMaxAccesses = 16;

/// Cuts the block into 4 or 8 warps whose tiles read the least of shared
/// memory; false where that cannot be.
static bool chooseWarps(ScheduleFields &schedule) {
  int64_t best = 0;
  const int64_t m = schedule.block[0], n = schedule.block[1];
  for (int64_t warps : {4, 8, 2, 1}) {
    for (int64_t warpsM = 1; warpsM <= warps; warpsM *= 2) {
      const int64_t warpsN = warps / warpsM;
      if (m % warpsM != 0 || n % warpsN != 0 || m / warpsM % 16 != 0 ||
          n / warpsN % 8 != 0)
        continue;
      const int64_t warpM = m / warpsM, warpN = n / warpsN;
      if (warpM * warpN > kMaxWarpTile)
        continue;
      const int64_t sides = warpM + warpN;
      if (best == 0 || sides < best) {
        best = sides;
        schedule.warp = {warpM, warpN};
      }
    }
    if (best != 0)
      return true;
  }
  return false;
}

namespace {

/// All schedules that are worth a look, and the fastest of them.
class Search {
public:
  Search(const ProductProblem &problem, const GPUTarget &target)
      : problem(problem), conv(problem.conv), target(target),
        pixelsAreRows(problem.isResultChannelsLast) {}

  std::optional<Assignment> run();

private:
  void look(const ScheduleFields &candidate);
  void lookAtDepths(ScheduleFields candidate);
  bool setBlock(ScheduleFields &candidate, int64_t filters) const;
  SmallVector<SmallVector<int64_t, 3>> getBoxes() const;
  SmallVector<std::string> explain() const;

  const ProductProblem &problem;
  const ConvShape &conv;
  const GPUTarget &target;
  /// What lies side by side in the result is what the columns of a block are:
  /// a warp then stores whole lines. (Of 32 convolutions with results channels
  /// last on an H200, filters as rows take 1.2 to 13 times as long.)
  const bool pixelsAreRows;
  std::optional<ScheduleFields> best;
  /// bestStraight is of those that do not pack.
  TimeEstimate bestTime, bestStraightTime;
  int64_t looked = 0;
};

} // namespace

void Search::look(const ScheduleFields &candidate) {
  if (findFault(candidate, problem, target))
    return;
  ++looked;
  const TimeEstimate time = estimateTime(candidate, problem, target);
  auto isFaster = [&](const TimeEstimate &than) {
    return than.seconds == 0 || time.seconds <= kWorthChanging * than.seconds;
  };
  if (!candidate.repack && isFaster(bestStraightTime))
    bestStraightTime = time;
  if (!isFaster(bestTime))
    return;
  best = candidate;
  bestTime = time;
}

/// Boxes of pixels, the same for all channels.
SmallVector<SmallVector<int64_t, 3>> Search::getBoxes() const {
  SmallVector<SmallVector<int64_t, 3>> boxes;
  auto add = [&](SmallVector<int64_t, 3> box) {
    if (!llvm::is_contained(boxes, box))
      boxes.push_back(std::move(box));
  };
  for (int64_t most : kPixelTiles) {
    add(choosePixelBox(conv, most));
    // Whole rows of one image, or a part of one row: a matrix as they lie.
    const int64_t rows =
        std::min(most / std::max<int64_t>(conv.ow, 1), conv.oh);
    if (conv.kh == 1 && conv.kw == 1)
      add(rows > 0 ? SmallVector<int64_t, 3>{1, rows, conv.ow}
                   : SmallVector<int64_t, 3>{1, 1, most});
  }
  return boxes;
}

/// Gives the candidate a block of `filters` and of as many pixels as its box
/// has, rounded up to tiles of warps, 4 at least where that can be; false where
/// it cannot be cut into warps.
bool Search::setBlock(ScheduleFields &candidate, int64_t filters) const {
  const int64_t inBox = candidate.box[0] * candidate.box[1] * candidate.box[2];
  // Rows of pixels in shared memory are swizzled only if they have 2^n chunks.
  const int64_t pixels = isPlainProduct(candidate, problem)
                             ? int64_t(llvm::PowerOf2Ceil(inBox))
                             : inBox;
  const int64_t least = pixelsAreRows ? 16 : 8; // of a warp's tile
  for (int64_t unit : {least, 2 * least, 4 * least}) {
    const int64_t rounded = llvm::alignTo(pixels, unit);
    candidate.block = {pixelsAreRows ? rounded : filters,
                       pixelsAreRows ? filters : rounded, 8};
    if (chooseWarps(candidate) && candidate.getNumWarps() >= 4)
      return true;
  }
  return chooseWarps(candidate);
}

/// Looks at the candidate with K steps, stages and parts of K.
void Search::lookAtDepths(ScheduleFields candidate) {
  const int64_t element = problem.getElementBytes();
  const int64_t pixels = candidate.block[pixelsAreRows ? 0 : 1];
  const bool isWindow = candidate.repack || problem.isInputChannelsLast;
  for (int64_t depthBytes : kDepthBytes) {
    candidate.block[2] = depthBytes / element;
    if (isWindow && pixels * depthBytes >
                        kMaxAccesses * getWindowBytes(candidate, problem) *
                            candidate.getNumThreads())
      continue;
    const int64_t steps =
        llvm::divideCeil(getDepth(candidate, problem), candidate.block[2]);
    for (int64_t parts : kParts) {
      if (parts > 1 && steps / parts < kMinStepsOfPart)
        break;
      candidate.splitK = parts;
      for (int64_t stages : kStages) {
        if (stages > std::max<int64_t>(llvm::divideCeil(steps, parts), 1))
          continue;
        candidate.stages = stages;
        look(candidate);
      }
    }
    // Copies of one stage are not asynchronous: two short steps are better than
    // one long one. (64 channels of 56 x 56 to 64 on an H200: 19.8 us with two,
    // 48.3 with one.)
    if (steps == 1 && depthBytes == std::end(kDepthBytes)[-1]) {
      candidate.splitK = 1;
      candidate.stages = 1;
      look(candidate);
    }
  }
}

std::optional<Assignment> Search::run() {
  const int64_t filters = conv.getGroupOutputs();
  SmallVector<bool> packs = {true, false};
  // Nothing to pack: one channel, or channels that lie side by side already.
  if (conv.getGroupInputs() * filters == 1 || problem.isInputPacked())
    packs = {false};
  const SmallVector<SmallVector<int64_t, 3>> boxes = getBoxes();
  for (bool repack : packs)
    for (int64_t blockF : kFilterTiles) {
      // Half of it would hold all channels as well.
      if (blockF > 16 && blockF / 2 >= filters)
        continue;
      for (ArrayRef<int64_t> box : boxes) {
        ScheduleFields candidate(Engine::mma_sync);
        candidate.repack = repack;
        candidate.box.assign(box.begin(), box.end());
        candidate.pixels = pixelsAreRows ? PixelAxis::rows : PixelAxis::columns;
        if (setBlock(candidate, blockF))
          lookAtDepths(candidate);
      }
    }
  if (!best)
    return std::nullopt;
  return Assignment{*best, explain(), bestTime.seconds};
}

SmallVector<std::string> Search::explain() const {
  SmallVector<std::string> reasons;
  auto note = [&](const char *format, auto &&...values) {
    reasons.push_back(formatv(format, values...));
  };
  note("fastest of {0} by the model, {1:F1} us, bound by {2}", looked,
       bestTime.seconds * 1e6, stringifyTimeBound(bestTime.bound));
  if (best->repack && problem.isInputChannelsLast)
    note("channels are filled up from {0} to {1} in {2:F1} us of these",
         conv.getGroupInputs(), problem.getPackedChannels(),
         estimatePackTime(*best, problem, target) * 1e6);
  else if (best->repack && bestStraightTime.seconds != 0)
    note("channels are packed last in {0:F1} us of these, since loads straight "
         "from the images would take {1:F1} us in all",
         estimatePackTime(*best, problem, target) * 1e6,
         bestStraightTime.seconds * 1e6);
  else if (problem.isInputChannelsLast)
    note("the images are channels last, and read as they lie");
  else if (isPlainProduct(*best, problem))
    note("one tap at every pixel: a product of {0} x {1} by {1} x {2} in each "
         "of {3} images, which are read as they lie",
         conv.getGroupOutputs(), conv.getGroupInputs(), conv.oh * conv.ow,
         conv.n);
  else if (!best->repack)
    note("the images are read as they lie, element by element");
  if (pixelsAreRows)
    note("pixels are the rows of a block, since the result is channels last");
  if (best->splitK > 1) {
    const TileCounts tiles = countTiles(*best, problem);
    note("{0} parts of K for {1} blocks on {2} SMs", best->splitK,
         tiles.m * tiles.n * problem.batch, target.card.numSMs);
  }
  return reasons;
}

std::optional<Assignment>
top::assignMmaConvolution(const ProductProblem &problem,
                          const GPUTarget &target) {
  return Search(problem, target).run();
}
