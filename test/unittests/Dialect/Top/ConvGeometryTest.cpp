//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ConvGeometry against an oracle that marks the taps of each output one by one
// on an array of the padded input. The oracle never computes a range, so it
// shares no formula with the code under test. After it come the limits of 64
// bits, and the same formulas in other arithmetic.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/Utils/ConvGeometry.h"

#include "gtest/gtest.h"

#include <chrono>
#include <limits>
#include <random>
#include <vector>

using namespace mlir::top;

namespace {

/// The padded input of one axis as an array of cells. Cell `padLow + i` is
/// input element i; the others are padding. More cells follow than any tap can
/// reach, so that an output that does not exist shows as a tap beyond `length`.
class TapOracle {
public:
  explicit TapOracle(const AxisGeometry &axis) : axis(axis) {
    for (int64_t i = 0; i < axis.padLow; ++i)
      exists.push_back(false);
    for (int64_t i = 0; i < axis.extent; ++i)
      exists.push_back(true);
    for (int64_t i = 0; i < axis.padHigh; ++i)
      exists.push_back(false);
  }

  /// Where output `o` finds its tap `k`.
  int64_t cell(int64_t o, int64_t k) const {
    return o * axis.stride + k * axis.dilation;
  }

  /// Outputs whose every tap lies on the array, found one after another.
  int64_t countOutputs() const {
    int64_t o = 0;
    while (hasAllTaps(o))
      ++o;
    return o;
  }

  /// Marks every tap of outputs [begin, end) and reads off the array what lies
  /// between the first and the last marked cell.
  struct Marks {
    int64_t cells = 0;    ///< from the first mark to the last
    int64_t existing = 0; ///< input elements among them
    int64_t before = 0;   ///< padding cells in front of these
  };
  Marks mark(int64_t begin, int64_t end) const {
    std::vector<bool> marked(exists.size(), false);
    size_t left = 0;
    for (int64_t o = begin; o < end; ++o)
      for (int64_t k = 0; k < axis.kernel; ++k)
        if (!marked[cell(o, k)]) {
          marked[cell(o, k)] = true;
          ++left;
        }
    Marks marks;
    bool inside = false;
    for (size_t i = 0; i < marked.size() && (left > 0 || !inside); ++i) {
      if (marked[i]) {
        inside = true;
        --left;
      }
      if (!inside)
        continue;
      ++marks.cells;
      if (exists[i])
        ++marks.existing;
      else if (static_cast<int64_t>(i) < axis.padLow)
        ++marks.before;
    }
    return marks;
  }

  bool isElement(int64_t cell) const { return exists[cell]; }

private:
  bool hasAllTaps(int64_t o) const {
    for (int64_t k = 0; k < axis.kernel; ++k)
      if (cell(o, k) >= static_cast<int64_t>(exists.size()))
        return false;
    return true;
  }

  AxisGeometry axis;
  std::vector<bool> exists;
};

std::string describe(const AxisGeometry &a) {
  return "extent " + std::to_string(a.extent) + " kernel " +
         std::to_string(a.kernel) + " stride " + std::to_string(a.stride) +
         " dilation " + std::to_string(a.dilation) + " pads " +
         std::to_string(a.padLow) + ", " + std::to_string(a.padHigh);
}

/// Every combination of these values; among them kernels larger than the
/// input, strides beyond the kernel, no input at all, and pads of many tiles.
std::vector<AxisGeometry> makeAxes() {
  std::vector<AxisGeometry> axes;
  for (int64_t extent : {0, 1, 2, 3, 6, 13})
    for (int64_t kernel : {1, 2, 3, 7})
      for (int64_t stride : {1, 2, 3, 8})
        for (int64_t dilation : {1, 2, 5})
          for (int64_t padLow : {0, 1, 4, 17})
            for (int64_t padHigh : {0, 2, 17})
              axes.push_back(
                  {extent, kernel, stride, dilation, padLow, padHigh});
  return axes;
}

/// One window against the oracle; false after the first difference.
void checkWindow(const AxisGeometry &axis, const TapOracle &oracle,
                 int64_t begin, int64_t end) {
  InputWindow<int64_t> w = axis.window(begin, end);
  TapOracle::Marks marks = oracle.mark(begin, end);
  ASSERT_GE(w.size, 0);
  ASSERT_GE(w.padLow, 0);
  ASSERT_GE(w.padHigh, 0);
  ASSERT_EQ(w.padLow + w.size + w.padHigh, marks.cells);
  ASSERT_EQ(w.size, marks.existing);
  ASSERT_GE(w.offset, 0);
  ASSERT_LE(w.offset + w.size, axis.extent);
  if (axis.extent > 0) {
    ASSERT_LT(w.offset, axis.extent);
  }
  if (w.size > 0) {
    ASSERT_EQ(w.padLow, marks.before);
  }

  // Each tap of the tile, seen from the tile: element or pad, and which.
  const int64_t padded = w.padLow + w.size + w.padHigh;
  for (int64_t o = begin; o < end; ++o)
    for (int64_t k = 0; k < axis.kernel; ++k) {
      int64_t inTile = oracle.cell(o - begin, k);
      ASSERT_LT(inTile, padded) << "output " << o << " tap " << k;
      bool isElement = inTile >= w.padLow && inTile < w.padLow + w.size;
      int64_t cell = oracle.cell(o, k);
      ASSERT_EQ(isElement, oracle.isElement(cell))
          << "output " << o << " tap " << k;
      if (isElement) {
        ASSERT_EQ(w.offset + inTile - w.padLow, cell - axis.padLow)
            << "output " << o << " tap " << k;
      }
    }

  // The tile as a convolution of its own has end - begin outputs.
  AxisGeometry tile{w.size,        axis.kernel, axis.stride,
                    axis.dilation, w.padLow,    w.padHigh};
  ASSERT_EQ(TapOracle(tile).countOutputs(), end - begin);
  ASSERT_EQ(tile.outputExtent(), end - begin);
}

TEST(ConvGeometry, WorkedExample) {
  // H = 9, kh = 3, s = 2, pt = 1, pb = 0: OH = 4; two rows a tile.
  AxisGeometry axis{9, 3, 2, 1, 1, 0};
  EXPECT_EQ(axis.outputExtent(), 4);
  EXPECT_EQ(axis.halo(), 1);
  InputWindow<int64_t> first = axis.window(0, 2), second = axis.window(2, 4);
  EXPECT_EQ(first.offset, 0);
  EXPECT_EQ(first.size, 4);
  EXPECT_EQ(first.padLow, 1);
  EXPECT_EQ(first.padHigh, 0);
  EXPECT_EQ(second.offset, 3);
  EXPECT_EQ(second.size, 5);
  EXPECT_EQ(second.padLow, 0);
  EXPECT_EQ(second.padHigh, 0);
}

TEST(ConvGeometry, WindowsAgreeWithMarkedTaps) {
  int64_t windows = 0, padBeyondWindow = 0, strideBeyondKernel = 0,
          dilationBeyondTile = 0, inPadding = 0, severalInPadding = 0,
          noInput = 0, oneElement = 0, kernelBeyondInput = 0, smallerLast = 0;
  for (const AxisGeometry &axis : makeAxes()) {
    SCOPED_TRACE(describe(axis));
    TapOracle oracle(axis);
    const int64_t outputs = oracle.countOutputs();
    if (outputs == 0) {
      ASSERT_LT(*axis.outputExtent(), 1);
      continue;
    }
    ASSERT_EQ(axis.outputExtent(), outputs);
    for (int64_t tile : {int64_t(1), int64_t(2), int64_t(5), outputs}) {
      int64_t fills = 0;
      for (int64_t begin = 0; begin < outputs; begin += tile) {
        int64_t end = std::min(begin + tile, outputs);
        SCOPED_TRACE("outputs " + std::to_string(begin) + " to " +
                     std::to_string(end));
        ASSERT_NO_FATAL_FAILURE(checkWindow(axis, oracle, begin, end));
        InputWindow<int64_t> w = axis.window(begin, end);
        const int64_t span = w.padLow + w.size + w.padHigh;
        ++windows;
        padBeyondWindow += axis.padLow > span || axis.padHigh > span;
        strideBeyondKernel += axis.stride > *axis.kernelExtent();
        dilationBeyondTile += axis.kernel > 1 && axis.dilation > tile;
        inPadding += w.size == 0;
        fills += w.size == 0;
        noInput += axis.extent == 0;
        oneElement += axis.extent == 1;
        kernelBeyondInput += *axis.kernelExtent() > axis.extent;
        smallerLast += end - begin < tile;
      }
      severalInPadding += axis.extent > 0 && fills > 1;
    }
  }
  RecordProperty("windows", std::to_string(windows));
  EXPECT_GE(windows, 20000);
  // Each kind of window that once went wrong somewhere occurs many times.
  for (int64_t kind :
       {padBeyondWindow, strideBeyondKernel, dilationBeyondTile, inPadding,
        severalInPadding, noInput, oneElement, kernelBeyondInput, smallerLast})
    EXPECT_GE(kind, 1000);
}

TEST(ConvGeometry, RandomWindows) {
  std::mt19937_64 random(20240229);
  auto draw = [&](int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  };
  int64_t windows = 0;
  while (windows < 20000) {
    AxisGeometry axis{draw(0, 40), draw(1, 9),  draw(1, 12),
                      draw(1, 9),  draw(0, 40), draw(0, 40)};
    SCOPED_TRACE(describe(axis));
    TapOracle oracle(axis);
    const int64_t outputs = oracle.countOutputs();
    if (outputs == 0)
      continue;
    ASSERT_EQ(axis.outputExtent(), outputs);
    for (int i = 0; i < 4; ++i, ++windows) {
      int64_t begin = draw(0, outputs - 1), end = draw(begin + 1, outputs);
      SCOPED_TRACE("outputs " + std::to_string(begin) + " to " +
                   std::to_string(end));
      ASSERT_NO_FATAL_FAILURE(checkWindow(axis, oracle, begin, end));
    }
  }
}

/// The class of one tile, from its marks alone.
TileRun::Kind classify(const TapOracle &oracle, int64_t begin, int64_t end) {
  TapOracle::Marks marks = oracle.mark(begin, end);
  if (marks.existing == 0)
    return TileRun::Fill;
  return marks.existing < marks.cells ? TileRun::Border : TileRun::Interior;
}

void checkPartition(const AxisGeometry &axis, const TapOracle &oracle,
                    int64_t outputs, int64_t tile, int64_t maxBorder) {
  llvm::SmallVector<TileRun> runs = axis.partition(tile, maxBorder);
  tile = std::min(tile, outputs);
  int64_t next = 0, fills = 0, interiors = 0, borderRuns = 0;
  bool seenInterior = false;
  int64_t borderSingles[2] = {0, 0}, borderLoops[2] = {0, 0};
  for (const TileRun &run : runs) {
    // In order, without gap or overlap, made of whole tiles.
    ASSERT_EQ(run.begin, next);
    ASSERT_GT(run.end, run.begin);
    ASSERT_GE(run.tile, 1);
    ASSERT_EQ((run.end - run.begin) % run.tile, 0);
    next = run.end;
    if (run.kind == TileRun::Fill) {
      ++fills;
      ASSERT_EQ(run.numTiles(), 1);
      for (int64_t b = run.begin; b < run.end; b += tile)
        ASSERT_EQ(classify(oracle, b, std::min(b + tile, outputs)),
                  TileRun::Fill);
      continue;
    }
    // Tiles have the size asked for, but a smaller last one stands alone.
    if (run.tile != tile) {
      ASSERT_EQ(run.numTiles(), 1);
      ASSERT_EQ(run.end, outputs);
      ASSERT_EQ(run.tile, outputs % tile);
    }
    for (int64_t b = run.begin; b < run.end; b += run.tile)
      ASSERT_EQ(classify(oracle, b, b + run.tile), run.kind) << "tile at " << b;
    if (run.kind == TileRun::Interior) {
      ASSERT_FALSE(seenInterior && run.tile == tile) << "two interiors";
      seenInterior = true;
      ++interiors;
      continue;
    }
    ++borderRuns;
    if (run.numTiles() > 1)
      ++borderLoops[seenInterior];
    else
      ++borderSingles[seenInterior];
  }
  ASSERT_EQ(next, outputs);
  ASSERT_LE(fills, 2);
  ASSERT_LE(interiors, 2); // the second is a smaller last tile
  if (!seenInterior) {
    // Both sides meet; their borders cannot be told apart here.
    ASSERT_LE(borderLoops[0], 2);
    ASSERT_LE(borderSingles[0], 2 * std::max<int64_t>(maxBorder, 1) + 1);
    return;
  }
  for (int side = 0; side < 2; ++side) {
    ASSERT_LE(borderLoops[side], 1);
    if (borderLoops[side])
      ASSERT_LE(borderSingles[side], side); // the smaller last tile
    else
      ASSERT_LE(borderSingles[side], std::max<int64_t>(maxBorder, 2));
  }
}

TEST(ConvGeometry, PartitionAgreesWithTileByTileClasses) {
  int64_t partitions = 0, withInterior = 0, withLoop = 0, withFill = 0;
  for (const AxisGeometry &axis : makeAxes()) {
    SCOPED_TRACE(describe(axis));
    TapOracle oracle(axis);
    const int64_t outputs = oracle.countOutputs();
    if (outputs == 0)
      continue;
    for (int64_t tile :
         {int64_t(1), int64_t(2), int64_t(3), int64_t(7), outputs, outputs + 5})
      for (int64_t maxBorder : {0, 1, 2, 8}) {
        SCOPED_TRACE("tile " + std::to_string(tile) + " border " +
                     std::to_string(maxBorder));
        ASSERT_NO_FATAL_FAILURE(
            checkPartition(axis, oracle, outputs, tile, maxBorder));
        ++partitions;
        for (const TileRun &run : axis.partition(tile, maxBorder)) {
          withInterior += run.kind == TileRun::Interior;
          withFill += run.kind == TileRun::Fill;
          withLoop += run.kind == TileRun::Border && run.numTiles() > 1;
        }
      }
  }
  EXPECT_GE(partitions, 20000);
  EXPECT_GE(withInterior, 1000);
  EXPECT_GE(withFill, 1000);
  EXPECT_GE(withLoop, 1000);
}

TEST(ConvGeometry, PartitionKeepsBordersApartUpToTheLimit) {
  // 3x3, pad 4: five tiles of one row touch padding on each side, and two lie
  // wholly in it.
  AxisGeometry axis{20, 3, 1, 1, 4, 4};
  llvm::SmallVector<TileRun> runs = axis.partition(1, 2);
  ASSERT_EQ(runs.size(), 7u);
  EXPECT_EQ(runs[0].kind, TileRun::Fill);
  EXPECT_EQ(runs[0].end, 2);
  EXPECT_EQ(runs[1].kind, TileRun::Border);
  EXPECT_EQ(runs[1].numTiles(), 1);
  EXPECT_EQ(runs[2].kind, TileRun::Border);
  EXPECT_EQ(runs[3].kind, TileRun::Interior);
  EXPECT_EQ(runs[3].begin, 4);
  EXPECT_EQ(runs[3].end, 22);
  EXPECT_EQ(runs[6].kind, TileRun::Fill);
  // One border tile more than allowed: a run a side.
  runs = axis.partition(1, 1);
  ASSERT_EQ(runs.size(), 5u);
  EXPECT_EQ(runs[1].numTiles(), 2);
  EXPECT_EQ(runs[3].numTiles(), 2);
}

TEST(ConvGeometry, ElementsReadTwiceAreCounted) {
  int64_t partitions = 0, withShared = 0;
  for (const AxisGeometry &axis : makeAxes()) {
    const int64_t outputs = *axis.outputExtent();
    if (outputs < 1)
      continue;
    SCOPED_TRACE(describe(axis));
    for (int64_t tile : {int64_t(1), int64_t(2), int64_t(5)}) {
      // How many tiles hold each element; tiles that are not neighbours may
      // share one too, so neighbours are looked at in pairs.
      int64_t shared = 0;
      std::vector<bool> previous(axis.extent, false);
      for (int64_t begin = 0; begin < outputs; begin += tile) {
        InputWindow<int64_t> w =
            axis.window(begin, std::min(begin + tile, outputs));
        std::vector<bool> read(axis.extent, false);
        for (int64_t i = 0; i < w.size; ++i) {
          read[w.offset + i] = true;
          shared += previous[w.offset + i];
        }
        previous = read;
      }
      for (int64_t maxBorder : {0, 8}) {
        ASSERT_EQ(axis.elementsReadTwice(axis.partition(tile, maxBorder)),
                  shared)
            << "tile " << tile << " border " << maxBorder;
        ++partitions;
        withShared += shared > 0;
      }
    }
  }
  EXPECT_GE(partitions, 5000);
  EXPECT_GE(withShared, 1000);
  // Counted without a walk over the tiles inside; not counted in a border that
  // is too long for one.
  AxisGeometry wide{int64_t(1) << 40, 3, 1, 1, 1, 1};
  EXPECT_EQ(wide.elementsReadTwice(wide.partition(1, 8)),
            2 * ((int64_t(1) << 40) - 1));
  AxisGeometry longBorder{9000, 9001, 1, 1, 9000, 9000};
  EXPECT_EQ(longBorder.elementsReadTwice(longBorder.partition(1, 8)),
            std::nullopt);
}

TEST(ConvGeometry, PartitionTimeDoesNotDependOnTheNumberOfTiles) {
  AxisGeometry axis{int64_t(1) << 40, 3, 1, 1, 1, 1};
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    llvm::SmallVector<TileRun> runs = axis.partition(1, 8);
    ASSERT_EQ(runs.size(), 3u);
    ASSERT_EQ(runs[1].numTiles(), (int64_t(1) << 40) - 2);
  }
  // Pads of 2^39 rows: half of the tiles are fill.
  AxisGeometry wide{1, 1, 1, 1, int64_t(1) << 39, int64_t(1) << 39};
  ASSERT_EQ(wide.partition(1, 8).size(), 3u);
  auto elapsed = std::chrono::steady_clock::now() - start;
  // A thousand bisections take about a millisecond; one walk over the tiles
  // would take minutes.
  EXPECT_LT(std::chrono::duration<double>(elapsed).count(), 2.0);
}

TEST(ConvGeometry, OutputExtentDividesTowardsMinusInfinity) {
  // -1 / 2 + 1 would be 1 in C++.
  EXPECT_EQ((AxisGeometry{4, 3, 2, 2, 0, 0}.outputExtent()), 0);
  EXPECT_EQ((AxisGeometry{1, 8, 3, 1, 0, 0}.outputExtent()), -2);
  EXPECT_EQ((AxisGeometry{0, 1, 5, 1, 0, 0}.outputExtent()), 0);
  EXPECT_EQ((AxisGeometry{0, 1, 5, 1, 1, 0}.outputExtent()), 1);
}

TEST(ConvGeometry, Halo) {
  EXPECT_EQ((AxisGeometry{9, 3, 1, 1, 0, 0}.halo()), 2);
  EXPECT_EQ((AxisGeometry{9, 3, 2, 1, 0, 0}.halo()), 1);
  EXPECT_EQ((AxisGeometry{9, 3, 1, 4, 0, 0}.halo()), 8);
  EXPECT_EQ((AxisGeometry{9, 1, 1, 4, 0, 0}.halo()), 0);
  EXPECT_EQ((AxisGeometry{9, 3, 5, 1, 0, 0}.halo()), 0);
  // What neighbouring windows share, counted: end of one minus start of next.
  for (const AxisGeometry &axis : makeAxes()) {
    if (axis.padLow != 0 || axis.padHigh != 0 || *axis.outputExtent() < 2)
      continue;
    InputWindow<int64_t> first = axis.window(0, 1), second = axis.window(1, 2);
    int64_t shared = 0;
    for (int64_t i = 0; i < axis.extent; ++i)
      shared += i >= first.offset && i < first.offset + first.size &&
                i >= second.offset && i < second.offset + second.size;
    EXPECT_EQ(axis.halo(), shared) << describe(axis);
  }
}

using Wide = __int128;

/// The window formulas where nothing can overflow.
struct WideArithmetic {
  using Value = Wide;
  Wide constant(int64_t c) { return c; }
  Wide add(Wide a, Wide b) { return a + b; }
  Wide sub(Wide a, Wide b) { return a - b; }
  Wide mul(Wide a, int64_t c) { return a * c; }
  Wide min(Wide a, Wide b) { return a < b ? a : b; }
  Wide max(Wide a, Wide b) { return a < b ? b : a; }
};

/// Writes down each operation and computes nothing: like the policy that makes
/// IR, it cannot look at a value.
struct RecordingArithmetic {
  enum Kind { Constant, Input, Add, Sub, Mul, Min, Max };
  struct Node {
    Kind kind;
    int64_t payload;
    size_t lhs, rhs;
  };
  using Value = size_t;
  std::vector<Node> nodes;

  size_t make(Kind kind, int64_t payload, size_t lhs = 0, size_t rhs = 0) {
    nodes.push_back({kind, payload, lhs, rhs});
    return nodes.size() - 1;
  }
  size_t constant(int64_t c) { return make(Constant, c); }
  size_t add(size_t a, size_t b) { return make(Add, 0, a, b); }
  size_t sub(size_t a, size_t b) { return make(Sub, 0, a, b); }
  size_t mul(size_t a, int64_t c) { return make(Mul, c, a); }
  size_t min(size_t a, size_t b) { return make(Min, 0, a, b); }
  size_t max(size_t a, size_t b) { return make(Max, 0, a, b); }

  int64_t evaluate(size_t node, const int64_t (&inputs)[3]) const {
    const Node &n = nodes[node];
    auto lhs = [&] { return evaluate(n.lhs, inputs); };
    auto rhs = [&] { return evaluate(n.rhs, inputs); };
    switch (n.kind) {
    case Constant:
      return n.payload;
    case Input:
      return inputs[n.payload];
    case Add:
      return lhs() + rhs();
    case Sub:
      return lhs() - rhs();
    case Mul:
      return lhs() * n.payload;
    case Min:
      return std::min(lhs(), rhs());
    case Max:
      return std::max(lhs(), rhs());
    }
    return 0;
  }
};

TEST(ConvGeometry, RecordedFormulasAgree) {
  int64_t windows = 0;
  for (AxisGeometry axis : makeAxes()) {
    const int64_t outputs = *axis.outputExtent();
    if (outputs < 1)
      continue;
    SCOPED_TRACE(describe(axis));
    const int64_t extent = axis.extent;
    axis.extent = -1; // must not be read: it may be dynamic
    RecordingArithmetic recorder;
    size_t begin = recorder.make(RecordingArithmetic::Input, 0);
    size_t size = recorder.make(RecordingArithmetic::Input, 1);
    size_t total = recorder.make(RecordingArithmetic::Input, 2);
    InputWindow<size_t> recorded =
        computeInputWindow(recorder, axis, begin, size, total);
    axis.extent = extent;
    for (int64_t b = 0; b < outputs; b += 3) {
      int64_t inputs[3] = {b, std::min<int64_t>(4, outputs - b), extent};
      InputWindow<int64_t> w = axis.window(b, b + inputs[1]);
      ASSERT_EQ(recorder.evaluate(recorded.offset, inputs), w.offset);
      ASSERT_EQ(recorder.evaluate(recorded.size, inputs), w.size);
      ASSERT_EQ(recorder.evaluate(recorded.padLow, inputs), w.padLow);
      ASSERT_EQ(recorder.evaluate(recorded.padHigh, inputs), w.padHigh);
      ++windows;

      // A tile without outputs: nothing negative, and no outputs.
      inputs[1] = 0;
      AxisGeometry empty = axis;
      empty.extent = recorder.evaluate(recorded.size, inputs);
      empty.padLow = recorder.evaluate(recorded.padLow, inputs);
      empty.padHigh = recorder.evaluate(recorded.padHigh, inputs);
      ASSERT_GE(empty.extent, 0);
      ASSERT_GE(empty.padLow, 0);
      ASSERT_GE(empty.padHigh, 0);
      ASSERT_EQ(TapOracle(empty).countOutputs(), 0);
      ASSERT_EQ(empty.outputExtent(), 0);
    }
  }
  EXPECT_GE(windows, 5000);
}

/// Values near the ends of 64 bits and of the powers that fault lists name.
int64_t drawHuge(std::mt19937_64 &random, int64_t lowest) {
  const int64_t max = std::numeric_limits<int64_t>::max();
  switch (random() % 6) {
  case 0:
    return lowest + random() % 4;
  case 1:
    return (int64_t(1) << 31) + static_cast<int64_t>(random() % 5) - 2;
  case 2:
    return (int64_t(1) << 62) + static_cast<int64_t>(random() % 5) - 2;
  case 3:
    return max - random() % 4;
  case 4:
    return lowest + (random() >> (1 + random() % 62));
  default:
    return lowest + random() % 100;
  }
}

TEST(ConvGeometry, OverflowIsReportedAndNothingElse) {
  const Wide max = std::numeric_limits<int64_t>::max();
  std::mt19937_64 random(7);
  int64_t accepted = 0, refused = 0, huge = 0;
  for (int i = 0; i < 200000; ++i) {
    auto draw = [&](int64_t lowest) {
      int64_t value = drawHuge(random, lowest);
      return value < lowest ? lowest : value;
    };
    AxisGeometry axis{draw(0), draw(1), draw(1), draw(1), draw(0), draw(0)};
    SCOPED_TRACE(describe(axis));
    Wide window = Wide(axis.kernel - 1) * axis.dilation + 1;
    Wide padded = Wide(axis.extent) + axis.padLow + axis.padHigh;
    ASSERT_EQ(axis.kernelExtent().has_value(), window <= max);
    std::optional<int64_t> outputs = axis.outputExtent();
    // Sums that the window formulas take must be representable; nothing that
    // keeps them is refused.
    const bool fits = window <= max && padded <= max &&
                      padded + window <= max && padded + axis.stride <= max;
    ASSERT_EQ(outputs.has_value(), fits);
    (void)axis.halo();
    if (!outputs) {
      ++refused;
      continue;
    }
    ++accepted;
    Wide last = padded - window;
    Wide expected = last / axis.stride + 1;
    if (last < 0 && last % axis.stride != 0)
      --expected;
    ASSERT_TRUE(Wide(*outputs) == expected);
    if (*outputs < 1)
      continue;

    // What was accepted computes its windows without overflow.
    const int64_t n = *outputs;
    for (auto [begin, end] :
         {std::pair<int64_t, int64_t>{0, 1}, {n - 1, n}, {0, n}, {n / 2, n}}) {
      WideArithmetic wide;
      InputWindow<Wide> exact = computeInputWindow<WideArithmetic>(
          wide, axis, begin, Wide(end) - begin, axis.extent);
      InputWindow<int64_t> w = axis.window(begin, end);
      ASSERT_TRUE(exact.offset == w.offset && exact.size == w.size &&
                  exact.padLow == w.padLow && exact.padHigh == w.padHigh)
          << "outputs " << begin << " to " << end;
      huge += axis.extent > (int64_t(1) << 40);
    }
    // Neither does the partition, whatever the tile.
    for (int64_t tile : {draw(1), n, int64_t(1)}) {
      llvm::SmallVector<TileRun> runs = axis.partition(tile, 8);
      ASSERT_FALSE(runs.empty());
      ASSERT_EQ(runs.front().begin, 0);
      ASSERT_EQ(runs.back().end, n);
      ASSERT_LE(runs.size(), 22u);
    }
  }
  EXPECT_GE(accepted, 20000);
  EXPECT_GE(refused, 20000);
  EXPECT_GE(huge, 2000);
}

} // namespace
