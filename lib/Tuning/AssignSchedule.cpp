//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AssignSchedule.h.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/AssignSchedule.h"
#include "AssignConvolution.h"
#include "top/Target/MemoryAccess.h"
#include "top/Tuning/DirectSchedule.h"
#include "top/Tuning/TimeModel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

/// Blocks are not made smaller than this to get more of them, nor to get more
/// of them on an SM: reuse is lost faster than parallelism is won.
static constexpr int64_t kMinExtentForFill = 32;
static constexpr int64_t kMinExtentForOccupancy = 64;
/// 8 elements of a 16-bit type are one 16-byte copy.
static constexpr int64_t kMinDepth = 8;
static constexpr int64_t kMinDepthForOccupancy = 16;
/// More buffers than this have not paid for kernels that load by cp.async.
static constexpr int64_t kMaxStages = 4;
static constexpr int64_t kGroupRows = 8;
/// Products of so few rows or columns are bound by reading the other operand.
static constexpr int64_t kMaxStreamed = 8;
static constexpr int64_t kStreamedExtent = 128;
static constexpr int64_t kStreamedDepthBytes = 128;
/// Input channels of a group, from which on a convolution is a product of
/// matrices.
static constexpr int64_t kMinChannelsOfProduct = 8;
/// Blocks that read the same rows, from which on copying them first pays.
static constexpr int64_t kMinReadsForRepack = 8;

namespace {

/// A schedule under change. Every rule leaves it valid.
class Chooser {
public:
  Chooser(Engine engine, const ProductProblem &wanted, const GPUTarget &target)
      : problem(wanted), target(target), schedule(engine) {
    // What lies side by side in the result is what the columns of a block are.
    if (!problem.isResultChannelsLast)
      return;
    schedule.pixels = PixelAxis::rows;
    std::swap(problem.m, problem.n);
  }

  FailureOr<Assignment> run();

private:
  /// The schedule with another block, its warp tiles chosen anew; nullopt
  /// where there are none.
  std::optional<ScheduleFields> withBlock(int64_t m, int64_t n,
                                          int64_t k) const {
    ScheduleFields changed = schedule;
    changed.block = {m, n, k};
    if (failed(chooseWarpTiles(changed)))
      return std::nullopt;
    return changed;
  }
  bool fits(const ScheduleFields &fields) const {
    return !findFault(fields, problem, target);
  }
  Occupancy getOccupancy(const ScheduleFields &fields) const {
    return computeOccupancy(target.arch, fields,
                            estimateResources(fields, problem));
  }
  int64_t countBlocks(const ScheduleFields &fields) const {
    TileCounts tiles = countTiles(fields, problem);
    return tiles.m * tiles.n * problem.batch;
  }
  /// The block with its longer side halved; nullopt where that would be
  /// shorter than `minExtent`.
  std::optional<ScheduleFields> halveBlock(int64_t minExtent) const {
    int64_t m = schedule.block[0], n = schedule.block[1];
    (m > n ? m : n) /= 2;
    if (std::max(schedule.block[0], schedule.block[1]) / 2 < minExtent)
      return std::nullopt;
    return withBlock(m, n, schedule.block[2]);
  }
  template <typename... Values>
  void note(const char *format, Values &&...values) {
    reasons.push_back(formatv(format, std::forward<Values>(values)...));
  }

  bool streamOperand();
  void fitSmallSides();
  void fillTheCard();
  void fitSmallDepth();
  void fitTheChip();
  void raiseOccupancy();
  void useLeftOverShared();
  void chooseOrder();
  void chooseRepack();

  ProductProblem problem; ///< m are pixels where these are the block's rows
  const GPUTarget &target;
  ScheduleFields schedule;
  SmallVector<std::string> reasons;
};

} // namespace

void Chooser::fitSmallSides() {
  auto shrink = [](int64_t block, int64_t extent) {
    while (block % 2 == 0 && block / 2 >= extent)
      block /= 2;
    return block;
  };
  const int64_t m = shrink(schedule.block[0], problem.m);
  const int64_t n = shrink(schedule.block[1], problem.n);
  if (m == schedule.block[0] && n == schedule.block[1])
    return;
  // The engine may need more than that: then the smallest that it takes.
  for (int64_t blockM = m; blockM <= schedule.block[0]; blockM *= 2)
    for (int64_t blockN = n; blockN <= schedule.block[1]; blockN *= 2)
      if (std::optional<ScheduleFields> smaller =
              withBlock(blockM, blockN, schedule.block[2])) {
        schedule = *smaller;
        note("block {0} x {1} for a result of {2} x {3}", blockM, blockN,
             problem.m, problem.n);
        return;
      }
}

/// With M or N of a few, what counts is the bytes of the other operand: one
/// block after the other of it along the wide side, a column (row) a thread, in
/// enough parts of K that every SM has two blocks.
bool Chooser::streamOperand() {
  const bool isRow = problem.m <= kMaxStreamed;
  if (!isRow && problem.n > kMaxStreamed)
    return false;
  const int64_t narrow = llvm::PowerOf2Ceil(isRow ? problem.m : problem.n);
  const int64_t wide = isRow ? problem.n : problem.m;
  if (wide < kStreamedExtent)
    return false;
  ScheduleFields candidate = schedule;
  const int64_t depth = kStreamedDepthBytes / problem.getElementBytes();
  candidate.block = {narrow, kStreamedExtent, depth};
  candidate.warp = {narrow, kThreadsPerWarp};
  candidate.thread = {narrow, 1};
  if (!isRow)
    for (SmallVectorImpl<int64_t> *tile :
         {static_cast<SmallVectorImpl<int64_t> *>(&candidate.block),
          static_cast<SmallVectorImpl<int64_t> *>(&candidate.warp),
          static_cast<SmallVectorImpl<int64_t> *>(&candidate.thread)})
      std::swap((*tile)[0], (*tile)[1]);
  const int64_t steps = llvm::divideCeil(problem.k, depth);
  candidate.stages = std::clamp<int64_t>(steps, 1, kMaxStages);
  while (countBlocks(candidate) * candidate.splitK < 2 * target.card.numSMs &&
         steps / (2 * candidate.splitK) >= 2 * kMaxStages)
    candidate.splitK *= 2;
  if (!fits(candidate))
    return false;
  schedule = candidate;
  note("{0} is read once, {1} {2} a block{3}", isRow ? "rhs" : "lhs",
       kStreamedExtent, isRow ? "columns" : "rows",
       schedule.splitK > 1
           ? formatv(", in {0} parts of K", schedule.splitK).str()
           : std::string());
  return true;
}

void Chooser::fillTheCard() {
  const int64_t before = countBlocks(schedule);
  while (countBlocks(schedule) < target.card.numSMs) {
    std::optional<ScheduleFields> smaller = halveBlock(kMinExtentForFill);
    if (!smaller || countBlocks(*smaller) <= countBlocks(schedule))
      break;
    schedule = *smaller;
  }
  if (countBlocks(schedule) != before)
    note("block {0} x {1}: {2} blocks instead of {3} for {4} SMs",
         schedule.block[0], schedule.block[1], countBlocks(schedule), before,
         target.card.numSMs);
}

void Chooser::fitSmallDepth() {
  while (schedule.block[2] / 2 >= std::max(problem.k, kMinDepth)) {
    std::optional<ScheduleFields> shorter =
        withBlock(schedule.block[0], schedule.block[1], schedule.block[2] / 2);
    if (!shorter)
      break;
    schedule = *shorter;
  }
  const int64_t steps = countTiles(schedule, problem).k;
  if (schedule.stages > steps) {
    schedule.stages = std::max<int64_t>(steps, 1);
    note("{0} {1} of {2} and {3} for K = {4}", steps,
         steps == 1 ? "step" : "steps", schedule.block[2],
         schedule.stages == 1 ? "one stage" : "few stages", problem.k);
  }
}

void Chooser::fitTheChip() {
  while (std::optional<Infeasible> fault =
             findFault(schedule, problem, target)) {
    std::optional<ScheduleFields> smaller;
    if (fault->limit == Limit::SharedMemory && schedule.block[2] > kMinDepth)
      smaller = withBlock(schedule.block[0], schedule.block[1],
                          schedule.block[2] / 2);
    if (!smaller)
      smaller = halveBlock(/*minExtent=*/1);
    if (!smaller)
      break;
    schedule = *smaller;
    note("{0} x {1} x {2} because a larger one {3}", schedule.block[0],
         schedule.block[1], schedule.block[2], fault->reason);
  }
}

void Chooser::raiseOccupancy() {
  const Occupancy before = getOccupancy(schedule);
  if (before.share >= kLowOccupancy)
    return;
  // A step may have to be taken before the next one helps; only what helped
  // stays.
  ScheduleFields best = schedule;
  Occupancy bestOccupancy = before;
  while (bestOccupancy.share < kLowOccupancy) {
    std::optional<ScheduleFields> smaller;
    if (getOccupancy(schedule).limit == OccupancyLimit::SharedMemory &&
        schedule.block[2] / 2 >= kMinDepthForOccupancy)
      smaller = withBlock(schedule.block[0], schedule.block[1],
                          schedule.block[2] / 2);
    if (!smaller)
      smaller = halveBlock(kMinExtentForOccupancy);
    if (!smaller || !fits(*smaller))
      break;
    schedule = *smaller;
    const Occupancy occupancy = getOccupancy(schedule);
    if (occupancy.share > bestOccupancy.share) {
      best = schedule;
      bestOccupancy = occupancy;
    }
  }
  schedule = best;
  if (bestOccupancy.share > before.share)
    note("{0} x {1} x {2}: {3:P0} instead of {4:P0} of an SM's warps",
         schedule.block[0], schedule.block[1], schedule.block[2],
         bestOccupancy.share, before.share);
}

void Chooser::useLeftOverShared() {
  if (!target.arch.hasAsyncCopy || schedule.stages < 2)
    return;
  const int64_t blocks = getOccupancy(schedule).blocksPerSM;
  const int64_t before = schedule.stages;
  const int64_t steps = countTiles(schedule, problem).k;
  while (schedule.stages < std::min(kMaxStages, steps)) {
    ScheduleFields more = schedule;
    ++more.stages;
    if (!fits(more) || getOccupancy(more).blocksPerSM < blocks)
      break;
    schedule = more;
  }
  if (schedule.stages > before)
    note("{0} stages, in shared memory that was left over", schedule.stages);
}

void Chooser::chooseOrder() {
  const double bytes = (double(problem.m) + double(problem.n)) * problem.k *
                       problem.getElementBytes();
  if (bytes <= target.card.l2Bytes ||
      countTiles(schedule, problem).m <= kGroupRows)
    return;
  schedule.order = BlockOrder::grouped;
  schedule.groupSize = kGroupRows;
  note("groups of {0} tile rows, since operands of {1:F0} MB pass the L2 of "
       "{2:F0} MB",
       kGroupRows, bytes / 1e6, target.card.l2Bytes / 1e6);
}

void Chooser::chooseRepack() {
  // A copy reads and writes the operand once; every block beyond that which
  // reads it with narrow accesses costs more.
  const TileCounts tiles = countTiles(schedule, problem);
  const bool lhs = problem.lhsRowBytes % kWidestAccessBytes != 0 &&
                   tiles.n >= kMinReadsForRepack;
  const bool rhs = problem.rhsRowBytes % kWidestAccessBytes != 0 &&
                   tiles.m >= kMinReadsForRepack;
  if (problem.isConvolution || (!lhs && !rhs))
    return;
  schedule.repack = true;
  note("repacked, since {0} are read by {1} blocks or more each and their rows "
       "do not begin at multiples of {2} bytes",
       lhs && rhs ? "both operands"
       : lhs      ? "rows of lhs"
                  : "columns of rhs",
       kMinReadsForRepack, kWidestAccessBytes);
}

FailureOr<Assignment> Chooser::run() {
  if (streamOperand()) {
    chooseRepack();
    return Assignment{schedule, std::move(reasons), std::nullopt};
  }
  fitSmallSides();
  fillTheCard();
  fitSmallDepth();
  fitTheChip();
  if (!fits(schedule))
    return failure();
  raiseOccupancy();
  useLeftOverShared();
  chooseOrder();
  chooseRepack();
  return Assignment{schedule, std::move(reasons), std::nullopt};
}

//===----------------------------------------------------------------------===//
// mma_sync
//===----------------------------------------------------------------------===//

/// Block and warp tiles, in order of preference: large ones read less, and
/// warps of 64 x 64 least from shared memory. 4 to 8 warps each.
static constexpr struct {
  int64_t blockM, blockN, warpM, warpN;
} kMmaTiles[] = {{128, 256, 64, 64}, {256, 128, 64, 64}, {128, 128, 64, 64},
                 {128, 128, 64, 32}, {64, 256, 64, 64},  {256, 64, 64, 64},
                 {128, 64, 64, 32},  {64, 128, 32, 64},  {128, 64, 32, 32},
                 {64, 128, 32, 32},  {64, 64, 32, 32},   {32, 256, 32, 64},
                 {32, 128, 32, 32},  {128, 32, 32, 32},  {32, 64, 16, 32},
                 {64, 32, 32, 16},   {16, 256, 16, 64},  {16, 128, 16, 32},
                 {16, 64, 16, 16},   {16, 32, 16, 8},    {256, 16, 64, 16},
                 {128, 16, 32, 16},  {64, 16, 16, 16},   {256, 8, 64, 8},
                 {128, 8, 32, 8},    {64, 8, 16, 8}};
/// Bytes of a K step, in order of preference. A row of 64 is the shortest that
/// the swizzle keeps free of conflicts; small blocks, which multiply less in a
/// step, do better with longer ones.
static constexpr int64_t kMmaDepthBytes[] = {64, 128, 256, 512};
static constexpr int64_t kSmallMmaDepthBytes[] = {128, 256, 64, 512};
static constexpr int64_t kSmallMmaTile = 128 * 128;
/// Powers of two: a slot is then a mask of the step's number. (At 4096^3 on an
/// H200, 3 stages of 128 x 256 x 32 took 3 % longer than 4 in one run and as
/// long in another.)
static constexpr int64_t kMmaStages[] = {4, 8, 2, 1};
static constexpr int64_t kMmaParts[] = {1,  2,  3,  4,  6,  8,
                                        12, 16, 24, 32, 48, 64};
/// A part of K is not shorter than this many steps.
static constexpr int64_t kMinStepsOfPart = 4;

/// Tile rows of a band: the blocks that run at once are then about a square,
/// which reads least.
static int64_t getSquareGroup(const ScheduleFields &schedule,
                              int64_t blocksAtOnce) {
  const double rows =
      std::sqrt(double(blocksAtOnce) * schedule.block[1] / schedule.block[0]);
  return int64_t(1) << std::clamp<int64_t>(std::llround(std::log2(rows)), 1, 5);
}

/// The fastest by the model of time of all that is worth a look; null if none
/// can run.
static std::optional<Assignment> assignMmaSync(const ProductProblem &problem,
                                               const GPUTarget &target) {
  const int64_t element = problem.getElementBytes();
  std::optional<ScheduleFields> best;
  TimeEstimate bestTime, bestUnsplit;
  int64_t looked = 0;
  auto look = [&](const ScheduleFields &candidate) {
    if (findFault(candidate, problem, target))
      return;
    ++looked;
    const TimeEstimate time = estimateTime(candidate, problem, target);
    if (candidate.splitK == 1 &&
        (bestUnsplit.seconds == 0 || time.seconds < bestUnsplit.seconds))
      bestUnsplit = time;
    if (best && time.seconds > kWorthChanging * bestTime.seconds)
      return;
    best = candidate;
    bestTime = time;
  };
  for (auto [blockM, blockN, warpM, warpN] : kMmaTiles) {
    // Half of it would hold the whole result's rows, or columns, as well.
    if ((blockM > 16 && blockM / 2 >= problem.m) ||
        (blockN > 8 && blockN / 2 >= problem.n))
      continue;
    const bool isSmall = blockM * blockN < kSmallMmaTile;
    for (int64_t depthBytes : isSmall ? kSmallMmaDepthBytes : kMmaDepthBytes) {
      const int64_t depth = depthBytes / element;
      if (depthBytes > kMmaDepthBytes[0] && depth / 2 >= problem.k)
        continue; // half of it holds all of K as well
      const int64_t steps = llvm::divideCeil(problem.k, depth);
      for (int64_t stages : kMmaStages)
        for (int64_t parts : kMmaParts) {
          if (parts > 1 && steps / parts < kMinStepsOfPart)
            break;
          ScheduleFields candidate(Engine::mma_sync);
          candidate.block = {blockM, blockN, depth};
          candidate.warp = {warpM, warpN};
          candidate.stages = stages;
          candidate.splitK = parts;
          candidate.repack = true;
          if (stages > std::max<int64_t>(llvm::divideCeil(steps, parts), 1))
            continue;
          look(candidate);
        }
    }
  }
  if (!best)
    return std::nullopt;
  Assignment result;
  result.schedule = *best;
  result.seconds = bestTime.seconds;
  ScheduleFields &schedule = result.schedule;
  auto note = [&](const char *format, auto &&...values) {
    result.reasons.push_back(formatv(format, values...));
  };
  note("fastest of {0} by the model, {1:F1} us, bound by {2}", looked,
       bestTime.seconds * 1e6, stringifyTimeBound(bestTime.bound));
  const TileCounts tiles = countTiles(schedule, problem);
  if (schedule.splitK > 1)
    note("{0} parts of K, since {1} blocks for {2} SMs would take {3:F1} us",
         schedule.splitK, tiles.m * tiles.n * problem.batch, target.card.numSMs,
         bestUnsplit.seconds * 1e6);
  const Occupancy occupancy = computeOccupancy(
      target.arch, schedule, estimateResources(schedule, problem));
  const int64_t atOnce = target.card.numSMs * occupancy.blocksPerSM;
  if (tiles.m > 1 && tiles.m * tiles.n > atOnce) {
    schedule.order = BlockOrder::grouped;
    schedule.groupSize = getSquareGroup(schedule, atOnce);
    note("bands of {0} tile rows, so that the {1} blocks at once are about a "
         "square",
         schedule.groupSize, atOnce);
  }
  const bool lhs = problem.lhsRowBytes % kWidestAccessBytes != 0;
  const bool rhs = problem.rhsRowBytes % kWidestAccessBytes != 0;
  schedule.repack = lhs || rhs;
  if (schedule.repack)
    note("repacked, since rows of {0} do not begin at multiples of {1} bytes",
         lhs && rhs ? "both operands"
         : lhs      ? "lhs"
                    : "rhs",
         kWidestAccessBytes);
  return result;
}

FailureOr<Assignment> top::assignSchedule(const ProductProblem &problem,
                                          const GPUTarget &target,
                                          std::string &reason) {
  if (problem.isEmpty()) {
    // Its kernel only stores, or is not even launched; any that fits will do.
    ProductProblem smallest = problem;
    for (int64_t *extent :
         {&smallest.batch, &smallest.m, &smallest.n, &smallest.k})
      *extent = std::max<int64_t>(*extent, 1);
    FailureOr<Assignment> assignment = assignSchedule(smallest, target, reason);
    if (succeeded(assignment)) {
      assignment->reasons.insert(assignment->reasons.begin(),
                                 "nothing is multiplied");
      assignment->seconds = 0;
    }
    return assignment;
  }
  // Few channels leave most of a product's block, or of the tensor cores'
  // shapes, empty.
  if (problem.isConvolution && problem.conv.group > 1 &&
      problem.conv.getGroupInputs() < kMinChannelsOfProduct)
    if (std::optional<Assignment> assignment = assignDirect(problem, target))
      return std::move(*assignment);
  if (problem.isConvolution)
    if (std::optional<Assignment> assignment =
            assignMmaConvolution(problem, target))
      return std::move(*assignment);
  // The tensor cores where they have the type; simt takes every type.
  if (std::optional<Assignment> assignment = assignMmaSync(problem, target))
    return std::move(*assignment);
  FailureOr<Assignment> assignment =
      Chooser(Engine::simt, problem, target).run();
  if (succeeded(assignment))
    return assignment;
  std::optional<Infeasible> fault =
      findFault(ScheduleFields(Engine::simt), problem, target);
  reason = fault ? fault->reason : "has no schedule that fits";
  return failure();
}
