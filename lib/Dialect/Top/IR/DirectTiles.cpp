//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DirectTiles in Schedule.h.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/Schedule.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

/// More pixels side by side would need more registers than the rows that they
/// read can save.
static constexpr int64_t kMaxRun = 16;
/// Bytes of the widest access of a thread to global or shared memory.
static constexpr int64_t kWidestAccessBytes = 16;
/// Of the numbers of a window (see WindowAttr).
static constexpr int64_t kMaxNumber = 65536;
/// Of a box that is chosen: 16 bytes of a 16-bit type.
static constexpr int64_t kRunOfChosenBox = 8;

/// The longest run of at most kMaxRun pixels that divides both.
static int64_t getRun(int64_t pixels, int64_t boxW) {
  const int64_t common = std::gcd(pixels, boxW);
  int64_t run = std::min(common, kMaxRun);
  while (common % run != 0)
    --run;
  return run;
}

FailureOr<DirectTiles> DirectTiles::get(const ScheduleFields &schedule,
                                        const ConvShape &conv,
                                        int64_t elementBytes,
                                        std::string &reason) {
  const int64_t groupInputs = conv.getGroupInputs();
  const int64_t groupOutputs = conv.getGroupOutputs();
  auto fail = [&](auto &&...parts) -> FailureOr<DirectTiles> {
    reason = formatv(parts...);
    return failure();
  };
  const int64_t blockM = schedule.block[0], blockN = schedule.block[1];
  const int64_t threadM = schedule.thread[0], threadN = schedule.thread[1];
  DirectTiles tiles;
  if (!schedule.box.empty()) {
    if (schedule.box[0] != 1)
      return fail("needs a 'box' of one image for the engine 'direct', but it "
                  "has {0}",
                  schedule.box[0]);
    tiles.boxH = schedule.box[1];
    tiles.boxW = schedule.box[2];
  } else {
    const int64_t unit = std::gcd(threadN, kRunOfChosenBox);
    tiles.boxW = std::min(llvm::alignTo(std::max<int64_t>(conv.ow, 1), unit),
                          llvm::alignDown(blockN, unit));
    const int64_t rows = threadN / getRun(threadN, tiles.boxW);
    tiles.boxH = std::min<int64_t>(
        llvm::alignTo(std::max<int64_t>(conv.oh, 1), rows),
        std::max<int64_t>(llvm::alignDown(blockN / tiles.boxW, rows), rows));
  }
  tiles.run = getRun(threadN, tiles.boxW);
  tiles.rows = threadN / tiles.run;
  if (tiles.boxH % tiles.rows != 0)
    return fail("needs a 'box' of a multiple of {0} rows of pixels for "
                "'thread' tiles of {0} x {1} pixels, but it has {2}",
                tiles.rows, tiles.run, tiles.boxH);
  if (tiles.getNumThreads() > blockN / threadN)
    return fail("needs {0} 'thread' tiles for a 'box' of {1} x {2} pixels, but "
                "'block' has {3} along N",
                tiles.getNumThreads(), tiles.boxH, tiles.boxW,
                blockN / threadN);

  // Larger numbers would not fit shared memory, and their products not 64 bits.
  const int64_t numbers[] = {conv.kh,
                             conv.kw,
                             tiles.boxH > 1 ? conv.strides[0] : 1,
                             tiles.boxW > 1 ? conv.strides[1] : 1,
                             conv.kh > 1 ? conv.dilations[0] : 1,
                             conv.kw > 1 ? conv.dilations[1] : 1};
  for (int64_t number : numbers)
    if (number > kMaxNumber)
      return fail("needs windows of a kernel of {0} x {1} taps, strides {2} "
                  "and {3} and dilations {4} and {5} in shared memory, but the "
                  "engine 'direct' takes numbers up to {6}",
                  conv.kh, conv.kw, conv.strides[0], conv.strides[1],
                  conv.dilations[0], conv.dilations[1], kMaxNumber);
  tiles.spanH = conv.getSpan(0, tiles.boxH);
  tiles.spanW = conv.getSpan(1, tiles.boxW);
  // Rows of the input, and those of all boxes, begin at multiples of `unit`.
  const int64_t step = tiles.boxW * conv.strides[1], left = conv.pads[1];
  const int64_t widest =
      std::max<int64_t>(kWidestAccessBytes / elementBytes, 1);
  int64_t unit = widest;
  while (conv.w % unit != 0 || (conv.ow > tiles.boxW && step % unit != 0))
    unit /= 2;
  tiles.shift = llvm::alignTo(left, unit) - left;
  // Rows of whole widest accesses suit those of threads, too.
  tiles.cols = llvm::alignTo(tiles.shift + tiles.spanW, widest);

  tiles.channels = std::min(schedule.block[2], groupInputs);
  tiles.steps = llvm::divideCeil(groupInputs, tiles.channels);
  tiles.outputs = blockM;
  if (conv.group == 1 || blockM <= groupOutputs)
    return tiles;
  if (blockM % groupOutputs != 0)
    return fail("needs a 'block' M of a multiple of the {0} output channels of "
                "a group, but it has {1}",
                groupOutputs, blockM);
  if (groupOutputs % threadM != 0)
    return fail("needs a 'thread' M that divides the {0} output channels of a "
                "group, but it has {1}",
                groupOutputs, threadM);
  tiles.groups = blockM / groupOutputs;
  tiles.outputs = groupOutputs;
  if (tiles.steps > 1)
    return fail("needs all {0} input channels of a group in one step for a "
                "'block' of {1} groups, but its K has {2}",
                groupInputs, tiles.groups, tiles.channels);
  return tiles;
}
