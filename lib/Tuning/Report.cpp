//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Report.h.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Report.h"

#include "top/Tuning/DirectSchedule.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

double top::getGlobalReads(double m, double n, double k, double blockM,
                           double blockN) {
  return m * n * k * (1 / blockM + 1 / blockN);
}

double top::getIntensity(double blockM, double blockN, int64_t elementBytes) {
  return 2 / ((1 / blockM + 1 / blockN) * elementBytes);
}

double top::getRidge(double flopsPerSecond, double bytesPerSecond) {
  return flopsPerSecond / bytesPerSecond;
}

double top::getRoofline(double flopsPerSecond, double bytesPerSecond,
                        double intensity) {
  return std::min(flopsPerSecond, bytesPerSecond * intensity);
}

std::pair<int64_t, int64_t> top::getTileOfBlock(BlockOrder order,
                                                int64_t groupSize,
                                                int64_t tilesM, int64_t tilesN,
                                                int64_t index) {
  // Row order is bands of one row, column order one band of all.
  const int64_t bandRows = order == BlockOrder::row      ? 1
                           : order == BlockOrder::column ? tilesM
                                                         : groupSize;
  const int64_t band = index / (bandRows * tilesN);
  const int64_t inBand = index % (bandRows * tilesN);
  // The last band may be lower.
  const int64_t rows = std::min(bandRows, tilesM - band * bandRows);
  return {band * bandRows + inBand % rows, inBand / rows};
}

/// Of what a block's rows are, and its columns: pixels and filters of a
/// convolution may be either.
struct Sides {
  int64_t rows, cols;
};

static bool arePixelsRows(const ProductProblem &problem,
                          const ScheduleFields &schedule) {
  return problem.isConvolution && schedule.pixels == PixelAxis::rows;
}

/// Rows and columns of the result of one product of the batch.
static Sides getExtents(const ProductProblem &problem,
                        const ScheduleFields &schedule) {
  if (arePixelsRows(problem, schedule))
    return {problem.n, problem.m};
  return {problem.m, problem.n};
}

/// Elements of operands that a block's row, and its column, needs along all of
/// K. Windows of neighbouring pixels overlap: of a box's each element counts
/// once.
static std::pair<double, double>
getElementsOfLine(const ProductProblem &problem,
                  const ScheduleFields &schedule) {
  const double k = problem.k;
  if (!problem.isConvolution)
    return {k, k};
  const SmallVector<int64_t, 3> box = getPixelBox(schedule, problem);
  const ConvShape &conv = problem.conv;
  const double window = double(conv.getSpan(0, box[1])) *
                        conv.getSpan(1, box[2]) * conv.getGroupInputs();
  const double ofPixel = std::min(k, window / (double(box[1]) * box[2]));
  return arePixelsRows(problem, schedule) ? std::pair(ofPixel, k)
                                          : std::pair(k, ofPixel);
}

/// Bytes of the operands, each element once.
static double getOperandBytes(const ProductProblem &problem) {
  double elements = 0;
  if (problem.isConvolution) {
    const ConvShape &conv = problem.conv;
    elements = double(conv.n) * conv.c * conv.h * conv.w +
               double(conv.f) * conv.getGroupInputs() * conv.kh * conv.kw;
  } else {
    elements =
        (double(problem.batch) * problem.m +
         (problem.isRhsShared ? 1.0 : double(problem.batch)) * problem.n) *
        problem.k;
  }
  return elements * problem.getElementBytes();
}

/// Bytes that blocks [first, last) read if each tile row and column that they
/// touch is read once. K is whole: blocks of one wave run side by side.
static double getWaveReads(const KernelReport &report, int64_t first,
                           int64_t last) {
  const ProductProblem &problem = report.problem;
  const ScheduleFields &schedule = report.schedule;
  const int64_t tilesOfProduct = report.tiles.m * report.tiles.n;
  llvm::DenseSet<std::pair<int64_t, int64_t>> rows, columns;
  const Sides extents = getExtents(problem, schedule);
  const auto [ofRow, ofCol] = getElementsOfLine(problem, schedule);
  double elements = 0;
  auto extent = [](int64_t tile, int64_t size, int64_t whole) {
    return double(std::min(size, whole - tile * size));
  };
  for (int64_t block = first; block < last; ++block) {
    // Parts of K follow each other; they read different parts of a row.
    const int64_t product = block / tilesOfProduct;
    auto [row, column] =
        getTileOfBlock(schedule.order, schedule.groupSize, report.tiles.m,
                       report.tiles.n, block % tilesOfProduct);
    const int64_t rhsProduct =
        problem.isRhsShared ? product / problem.batch : product;
    if (rows.insert({product, row}).second)
      elements += ofRow * extent(row, schedule.block[0], extents.rows);
    if (columns.insert({rhsProduct, column}).second)
      elements += ofCol * extent(column, schedule.block[1], extents.cols);
  }
  return elements / report.parts.count * problem.getElementBytes();
}

/// With L2: see KernelReport. Full waves are taken to read what the first one
/// does.
static double getReadsWithL2(const KernelReport &report, int64_t blocksAtOnce,
                             double l2Bytes) {
  const ProductProblem &problem = report.problem;
  const double operandBytes = getOperandBytes(problem);
  if (operandBytes <= l2Bytes)
    return std::min(operandBytes, report.readBytes);
  const int64_t fullWaves = report.blocks / blocksAtOnce;
  double bytes = 0;
  if (fullWaves > 0)
    bytes = fullWaves * getWaveReads(report, 0, blocksAtOnce);
  bytes += getWaveReads(report, fullWaves * blocksAtOnce, report.blocks);
  return std::clamp(bytes, std::min(operandBytes, report.readBytes),
                    report.readBytes);
}

/// FLOP/s of the units that the engine multiplies with.
static double getPeak(const ScheduleFields &schedule,
                      const ProductProblem &problem, const GPUTarget &target) {
  switch (schedule.engine) {
  case Engine::direct:
  case Engine::simt:
    return target.card.getCudaCorePeak(problem.type);
  case Engine::mma_sync:
    return target.card.getTensorPeak(problem.getMmaType()) *
           target.arch.mmaSyncShare;
  case Engine::wgmma:
    return target.card.getTensorPeak(problem.getMmaType());
  }
  llvm_unreachable("an engine without a peak");
}

/// Tiles, blocks and reads of block tiles of a product.
static void countProduct(KernelReport &report) {
  const ProductProblem &problem = report.problem;
  const ScheduleFields &schedule = report.schedule;
  const Sides extents = getExtents(problem, schedule);
  report.tiles = countTiles(schedule, problem);
  report.parts = KParts(schedule, getDepth(schedule, problem));
  report.blocks =
      report.tiles.m * report.tiles.n * problem.batch * report.parts.count;
  auto share = [](int64_t extent, int64_t tiles, int64_t tile) {
    return double(extent) / (double(tiles) * tile);
  };
  report.usefulShare = share(extents.rows, report.tiles.m, schedule.block[0]) *
                       share(extents.cols, report.tiles.n, schedule.block[1]) *
                       share(problem.k, report.tiles.k, schedule.block[2]);
  // Nothing outside the operands is read: a tile at the edge reads less.
  report.readBytes = double(problem.batch) * problem.k *
                     problem.getElementBytes() *
                     (double(extents.rows) * report.tiles.n +
                      double(extents.cols) * report.tiles.m);
}

/// The same of engine `direct`: blocks of boxes and channels, which read the
/// windows of the box, halo and all, and their filters.
static void countDirect(KernelReport &report, const DirectTiles &tiles) {
  const ConvShape &conv = report.problem.conv;
  report.blocks = countDirectBlocks(tiles, conv);
  const int64_t boxes = conv.n * llvm::divideCeil(conv.oh, tiles.boxH) *
                        llvm::divideCeil(conv.ow, tiles.boxW);
  report.tiles = {report.blocks / std::max<int64_t>(boxes, 1), boxes,
                  tiles.steps};
  report.parts = KParts(report.schedule, report.problem.k);
  const double filters = double(tiles.groups) * tiles.outputs;
  report.usefulShare = double(conv.n) * conv.f * conv.oh * conv.ow /
                       (report.blocks * filters * tiles.boxH * tiles.boxW);
  report.readBytes = report.blocks * report.problem.getElementBytes() *
                     (double(tiles.steps) * tiles.getTileRows() * tiles.spanW +
                      filters * conv.getGroupInputs() * conv.kh * conv.kw);
}

KernelReport top::computeReport(StringRef name, const ScheduleFields &schedule,
                                const ProductProblem &problem,
                                const GPUTarget &target,
                                const PtxasKernelInfo *actual) {
  KernelReport report;
  report.name = name.str();
  report.chip = target.arch.chip.str();
  report.card = target.card.name.str();
  report.problem = problem;
  report.schedule = schedule;
  report.needs = estimateResources(schedule, problem);
  report.occupancy = computeOccupancy(target.arch, schedule, report.needs);
  if (actual) {
    report.actualRegisters = actual->registers;
    report.actualSpillBytes = actual->spillStoreBytes + actual->spillLoadBytes;
    // What is launched with: for wgmma, the number before any is moved.
    report.occupancy =
        computeOccupancy(target.arch, report.needs.threads, actual->registers,
                         report.needs.sharedBytes);
  }
  std::string reason;
  const bool isDirect = schedule.engine == Engine::direct;
  if (isDirect)
    countDirect(report, *getDirectTiles(schedule, problem, reason));
  else
    countProduct(report);
  const int64_t blocksAtOnce =
      std::max<int64_t>(report.occupancy.blocksPerSM, 1) * target.card.numSMs;
  report.waves = llvm::divideCeil(report.blocks, blocksAtOnce);
  report.lastWaveFill =
      double(report.blocks - (report.waves - 1) * blocksAtOnce) / blocksAtOnce;

  report.flops = problem.getFlops();
  const double results = double(problem.batch) * problem.m * problem.n;
  report.writeBytes = results * problem.resultBytes;
  // Boxes that run at once are neighbours: halos are in the L2.
  report.readBytesWithL2 =
      isDirect ? std::min(report.readBytes, getOperandBytes(problem))
               : getReadsWithL2(report, blocksAtOnce, target.card.l2Bytes);
  if (report.parts.count > 1) {
    report.workspaceBytes = results * report.parts.count *
                            (problem.type == NumericType::f64 ? 8 : 4);
    report.writeBytes += report.workspaceBytes;
    report.readBytes += report.workspaceBytes;
    report.readBytesWithL2 += report.workspaceBytes;
  }
  report.intensity = report.flops / report.readBytes;
  report.peakFlops = getPeak(schedule, problem, target);
  const double bandwidth = target.card.bytesPerSecond;
  auto bound = [&](double reads) {
    return getRoofline(report.peakFlops, bandwidth,
                       report.flops / (reads + report.writeBytes));
  };
  report.bound = bound(report.readBytes);
  report.boundWithL2 = bound(report.readBytesWithL2);
  report.seconds = report.flops / report.boundWithL2;
  return report;
}

void top::printReport(raw_ostream &os, const KernelReport &report) {
  const ProductProblem &problem = report.problem;
  const ScheduleFields &schedule = report.schedule;
  os << report.name << ": ";
  if (problem.batch != 1)
    os << problem.batch << " x ";
  os << formatv("{0} x {1} x {2} {3} on {4} ({5}), engine {6}", problem.m,
                problem.n, problem.k, stringifyNumericType(problem.type),
                report.chip, report.card, stringifyEngine(schedule.engine));
  os << formatv(", block {0}x{1}x{2}, {3} {4}x{5}", schedule.block[0],
                schedule.block[1], schedule.block[2],
                schedule.engine == Engine::wgmma ? "warpgroup" : "warp",
                schedule.warp[0], schedule.warp[1]);
  if (schedule.engine == Engine::simt || schedule.engine == Engine::direct)
    os << formatv(", thread {0}x{1}", schedule.thread[0], schedule.thread[1]);
  os << formatv(", stages {0}, threads {1}, shared {2} B", schedule.stages,
                report.needs.threads, report.needs.sharedBytes);
  os << formatv(", registers {0} predicted", report.needs.registers);
  if (report.actualRegisters)
    os << formatv(" {0} actual, spills {1} B", *report.actualRegisters,
                  report.actualSpillBytes.value_or(0));
  os << formatv(", {0} blocks/SM (by {1}), occupancy {2:P0}",
                report.occupancy.blocksPerSM,
                stringifyOccupancyLimit(report.occupancy.limit),
                report.occupancy.share);
  os << formatv(", intensity {0:F1} FLOP/B, reads {1:F1} MB ({2:F1} MB with "
                "L2), writes {3:F1} MB",
                report.intensity, report.readBytes / 1e6,
                report.readBytesWithL2 / 1e6, report.writeBytes / 1e6);
  if (report.parts.count > 1)
    os << formatv(" ({0} parts of K, workspace {1:F1} MB)", report.parts.count,
                  report.workspaceBytes / 1e6);
  os << formatv(", useful {0:P1}, blocks {1} in {2} {3}, last {4:P0} full",
                report.usefulShare, report.blocks, report.waves,
                report.waves == 1 ? "wave" : "waves", report.lastWaveFill);
  os << formatv(", bound {0:F1} TFLOP/s ({1:F1} without L2, peak {2:F1}), "
                "{3:F1} us\n",
                report.boundWithL2 / 1e12, report.bound / 1e12,
                report.peakFlops / 1e12, report.seconds * 1e6);
}
