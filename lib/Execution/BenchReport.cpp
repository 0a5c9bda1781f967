//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports of times.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/BenchReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::top;
using llvm::format;

//===----------------------------------------------------------------------===//
// What times are held against
//===----------------------------------------------------------------------===//

double Roofline::getSeconds() const {
  return std::max(flop / peakFlops, bytes / bytesPerSecond);
}

std::optional<Roofline> Roofline::create(StringRef device,
                                         ArrayRef<ScheduledProblem> problems,
                                         double flop, double bytes) {
  std::optional<GPUCard> card = findCard(device);
  if (!card || problems.empty())
    return std::nullopt;
  const NumericType type = problems.front().problem.getMmaType();
  for (const ScheduledProblem &each : problems)
    if (each.problem.getMmaType() != type)
      return std::nullopt;
  const double tensorPeak = card->getTensorPeak(type);
  return Roofline{card->name.str(),
                  tensorPeak > 0 ? tensorPeak : card->getCudaCorePeak(type),
                  card->bytesPerSecond, flop, bytes};
}

BaselineCheck BaselineCheck::create(const Tensor &ours, const Tensor &theirs) {
  struct Part {
    double largest = 0, difference = 0;
  };
  constexpr int64_t kChunk = 1 << 16;
  const int64_t size = ours.getNumElements();
  std::vector<Part> parts(llvm::divideCeil(size, kChunk));
  auto compareChunk = [&](size_t chunk) {
    Part part;
    const int64_t begin = chunk * kChunk;
    for (int64_t i = begin, e = std::min(begin + kChunk, size); i < e; ++i) {
      const double a = ours.get(i), b = theirs.get(i);
      if (std::isfinite(a))
        part.largest = std::max(part.largest, std::fabs(a));
      if (a == b || (std::isnan(a) && std::isnan(b)))
        continue;
      const double apart = std::fabs(a - b);
      part.difference = std::isnan(apart)
                            ? std::numeric_limits<double>::infinity()
                            : std::max(part.difference, apart);
    }
    parts[chunk] = part;
  };
  // Few elements are not worth the threads.
  if (parts.size() == 1)
    compareChunk(0);
  else
    llvm::parallelFor(0, parts.size(), compareChunk);
  Part all;
  for (const Part &part : parts) {
    all.largest = std::max(all.largest, part.largest);
    all.difference = std::max(all.difference, part.difference);
  }
  // Equal results may all be 0.
  return {all.difference == 0 ? 0 : all.difference / all.largest, std::nullopt};
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

llvm::json::Value top::numberAsJson(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

/// The state in the middle of the run: of each number that the device told,
/// the median of the blocks.
static DeviceState getMedianState(const CallTiming &timing) {
  DeviceState median;
  auto take = [&](auto DeviceState::*field) {
    SmallVector<typename std::decay_t<decltype(median.*field)>::value_type> all;
    for (const TimedBlock &block : timing.blocks)
      if (block.state.*field)
        all.push_back(*(block.state.*field));
    llvm::sort(all);
    if (!all.empty())
      median.*field = all[all.size() / 2];
  };
  take(&DeviceState::smMHz);
  take(&DeviceState::memoryMHz);
  take(&DeviceState::celsius);
  take(&DeviceState::watts);
  return median;
}

static llvm::json::Object stateAsJson(const DeviceState &state) {
  llvm::json::Object object;
  if (state.smMHz)
    object["sm_mhz"] = *state.smMHz;
  if (state.memoryMHz)
    object["memory_mhz"] = *state.memoryMHz;
  if (state.celsius)
    object["celsius"] = *state.celsius;
  if (state.watts)
    object["watts"] = *state.watts;
  return object;
}

static void addTimes(llvm::json::Object &object, ArrayRef<double> seconds) {
  object["calls"] = int64_t(seconds.size());
  object["mean_seconds"] = getMean(seconds);
  object["p50_seconds"] = getPercentile(seconds, 50);
  object["p95_seconds"] = getPercentile(seconds, 95);
  object["min_seconds"] = seconds.front();
}

/// What follows from the time of a call, and where it was taken.
static void addRates(llvm::json::Object &object, const BenchReport &report,
                     const CallTiming &timing, ArrayRef<double> seconds) {
  const double p50 = getPercentile(seconds, 50);
  if (report.flop)
    object["flop_per_second"] = *report.flop / p50;
  object["bytes_per_second"] = report.minimalBytes / p50;
  if (report.roofline)
    object["roofline_share"] = report.roofline->getSeconds() / p50;
  object["runs_a_call"] = timing.calls;
  for (auto &[key, value] : stateAsJson(getMedianState(timing)))
    object[key] = value;
  llvm::json::Array blocks;
  for (const TimedBlock &block : timing.blocks) {
    llvm::json::Object state = stateAsJson(block.state);
    state["calls"] = int64_t(block.seconds.size());
    state["mean_seconds"] = getMean(block.seconds);
    blocks.push_back(std::move(state));
  }
  object["blocks"] = std::move(blocks);
}

std::optional<double> BenchReport::getRatio() const {
  if (!timing || !timing->baseline)
    return std::nullopt;
  return getPercentile(timing->baseline->getSortedSeconds(), 50) /
         getPercentile(seconds, 50);
}

llvm::json::Object BenchReport::toJSON() const {
  llvm::json::Object object;
  addTimes(object, seconds);
  if (!timing)
    return object;
  addRates(object, *this, timing->ours, seconds);
  object["rotated_bytes"] = timing->rotatedBytes;
  object["l2_bytes"] = l2Bytes;
  object["minimal_bytes"] = minimalBytes;
  if (roofline)
    object["roofline"] =
        llvm::json::Object{{"card", roofline->card},
                           {"peak_flop_per_second", roofline->peakFlops},
                           {"bytes_per_second", roofline->bytesPerSecond},
                           {"seconds", roofline->getSeconds()}};
  if (!timing->baseline)
    return object;
  const std::vector<double> theirs = timing->baseline->getSortedSeconds();
  llvm::json::Object other{{"name", baseline}, {"version", baselineVersion}};
  addTimes(other, theirs);
  addRates(other, *this, *timing->baseline, theirs);
  if (check) {
    other["max_difference"] = numberAsJson(check->difference);
    if (check->verified) {
      other["compared"] = check->verified->compared;
      other["wrong"] = check->verified->wrong;
    }
  }
  object["baseline"] = std::move(other);
  object["ratio"] = *getRatio();
  return object;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static void printTimes(raw_ostream &os, ArrayRef<double> seconds, double unit,
                       StringRef name) {
  auto print = [&](StringRef what, double value) {
    os << what << ' ' << format("%.4g ", value / unit) << name;
  };
  print("mean", getMean(seconds));
  print(", P50", getPercentile(seconds, 50));
  print(", P95", getPercentile(seconds, 95));
  print(", min", seconds.front());
}

/// The line of one contender.
static void printContender(raw_ostream &os, const BenchReport &report,
                           StringRef name, const CallTiming &timing) {
  const std::vector<double> seconds = timing.getSortedSeconds();
  const double p50 = getPercentile(seconds, 50);
  os << "  " << name << ": ";
  printTimes(os, seconds, 1e-6, "us");
  os << "; at P50";
  if (report.flop && *report.flop > 0)
    os << format(" %.4g TFLOP/s,", 1e-12 * *report.flop / p50);
  os << format(" %.4g GB/s", 1e-9 * report.minimalBytes / p50);
  if (report.roofline)
    os << format(", %.1f %% of the roofline",
                 100 * report.roofline->getSeconds() / p50);
  const DeviceState state = getMedianState(timing);
  const char *separator = "; ";
  auto next = [&] {
    os << separator;
    separator = ", ";
  };
  if (state.smMHz)
    next(), os << *state.smMHz << " MHz";
  if (state.memoryMHz)
    next(), os << "memory " << *state.memoryMHz << " MHz";
  if (state.celsius)
    next(), os << *state.celsius << " C";
  if (state.watts)
    next(), os << format("%.0f W", *state.watts);
  os << '\n';
}

void BenchReport::print(raw_ostream &os) const {
  os << "BENCH " << function << ": ";
  if (!timing) {
    os << seconds.size() << " calls, ";
    printTimes(os, seconds, 1e-3, "ms");
    // A function without products has no such number, rather than 0.
    if (flop && *flop > 0)
      os << format(", %.4g GFLOP/s at P50",
                   1e-9 * *flop / getPercentile(seconds, 50));
    os << '\n';
    return;
  }
  os << timing->ours.blocks.size() << " blocks, " << seconds.size()
     << (timing->ours.calls == 1
             ? " replays of a call"
             : " replays of " + std::to_string(timing->ours.calls) + " calls")
     << " on " << timing->sets << (timing->sets == 1 ? " set" : " sets")
     << " of buffers, fill " << fill
     << (timing->rotatedBytes > 2 * l2Bytes ? "" : ", perhaps from the L2")
     << '\n';
  printContender(os, *this, "ours", timing->ours);
  if (!timing->baseline)
    return;
  printContender(os, *this, baseline, *timing->baseline);
  os << format("  ratio %.3f (", *getRatio()) << baseline << " / ours, at P50)";
  if (check) {
    os << "; " << baseline << ' ' << baselineVersion
       << format(" differs by at most %.3g of the largest value",
                 check->difference);
    if (check->verified)
      os << ", " << check->verified->wrong << " of "
         << check->verified->compared << " compared elements beyond the bound";
  }
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::string asText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static void printExtents(raw_ostream &os, const std::array<int64_t, 3> &e) {
  os << e[0] << 'x' << e[1] << 'x' << e[2];
}

void top::printKernels(raw_ostream &os, const GPUFunction &function) {
  for (const ScheduledProblem &each : function.getProblems())
    os << "  " << asText(each.schedule) << '\n';
  for (auto [launch, kernel] : function.getLaunches()) {
    os << "  " << launch->kernel << ": grid ";
    printExtents(os, launch->grid);
    os << ", block ";
    printExtents(os, launch->block);
    os << ", " << kernel->registers << " registers, "
       << launch->sharedBytes + kernel->staticSharedBytes << " bytes shared, "
       << kernel->localBytes << " bytes local\n";
  }
  os << format("  compiled in %.3g s\n", function.getCompileSeconds());
}

void top::addKernels(llvm::json::Object &object, const GPUFunction &function) {
  llvm::json::Array schedules, kernels;
  for (const ScheduledProblem &each : function.getProblems())
    schedules.push_back(asText(each.schedule));
  for (auto [launch, kernel] : function.getLaunches()) {
    llvm::json::Object entry{
        {"name", launch->kernel},
        {"grid", llvm::json::Array(launch->grid)},
        {"block", llvm::json::Array(launch->block)},
        {"shared_bytes", launch->sharedBytes + kernel->staticSharedBytes}};
    // A simulated GPU has none to speak of.
    if (kernel->registers != 0) {
      entry["registers"] = kernel->registers;
      entry["local_bytes"] = kernel->localBytes;
    }
    kernels.push_back(std::move(entry));
  }
  object["schedules"] = std::move(schedules);
  object["kernels"] = std::move(kernels);
}
