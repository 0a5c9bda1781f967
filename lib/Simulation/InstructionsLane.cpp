//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lanes of a warp tell each other in registers: shuffles, votes,
// reductions, matches and elections, as the PTX ISA defines them.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

using namespace mlir::top::sim;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
enum class Shuffle { Butterfly, Up, Down, Index };
struct ShuffleDetails {
  Shuffle kind;
  bool hasPredicate;
};
} // namespace

static llvm::Expected<Details> prepareShuffle(const Site &site) {
  llvm::Expected<Shuffle> kind =
      parseKeyword<Shuffle>(site, "kind",
                            {{"bfly", Shuffle::Butterfly},
                             {"up", Shuffle::Up},
                             {"down", Shuffle::Down},
                             {"idx", Shuffle::Index}});
  if (!kind)
    return kind.takeError();
  const bool hasPredicate = site.attributes.count("return_value_and_is_valid");
  const bool isFloat =
      site.operandTypes.size() > 1 && site.operandTypes[1] == "f32";
  const llvm::StringRef value = isFloat ? "f32" : "i32";
  const std::string result =
      hasPredicate ? ("!llvm.struct<(" + value + ", i1)>").str() : value.str();
  if (llvm::Error error =
          checkTypes(site, {"i32", value, "i32", "i32"}, result))
    return error;
  return std::make_shared<ShuffleDetails>(ShuffleDetails{*kind, hasPredicate});
}

/// The lane that `lane` takes from, and whether it is in the segment; else it
/// is the lane itself.
static std::pair<unsigned, bool> getSource(Shuffle kind, unsigned lane,
                                           uint32_t offset, uint32_t clamp) {
  const int by = offset & 31, segments = clamp >> 8 & 31;
  const int low = lane & segments, last = low | (clamp & 31 & ~segments);
  int source = lane;
  bool isValid = false;
  switch (kind) {
  case Shuffle::Up:
    source = int(lane) - by;
    isValid = source >= last;
    break;
  case Shuffle::Down:
    source = lane + by;
    isValid = source <= last;
    break;
  case Shuffle::Butterfly:
    source = lane ^ by;
    isValid = source <= last;
    break;
  case Shuffle::Index:
    source = low | (by & ~segments);
    isValid = source <= last;
    break;
  }
  return {isValid ? source : lane, isValid};
}

static void executeShuffle(Execution &execution) {
  const auto &details = execution.getDetails<ShuffleDetails>();
  forEachLane(execution, [&](unsigned lane) {
    auto [source, isValid] =
        getSource(details.kind, lane, execution.getOperand<uint32_t>(lane, 2),
                  execution.getOperand<uint32_t>(lane, 3));
    if (!(execution.lanes >> source & 1)) {
      execution.fault(lane, Fault::Kind::InvalidOperand,
                      llvm::formatv("takes the value of lane {0}, which does "
                                    "not take part (lanes {1:x8})",
                                    source, execution.lanes)
                          .str());
      source = lane;
    }
    execution.setResult(lane, 0, execution.getOperand<uint32_t>(source, 1));
    if (details.hasPredicate) // after the value, at byte 4
      execution.setResult<uint8_t>(lane, 4, isValid);
  });
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

namespace {
enum class Vote { Any, All, Uniform, Ballot };
} // namespace

static llvm::Expected<Details> prepareVote(const Site &site) {
  llvm::Expected<Vote> kind = parseKeyword<Vote>(site, "kind",
                                                 {{"any", Vote::Any},
                                                  {"all", Vote::All},
                                                  {"uni", Vote::Uniform},
                                                  {"ballot", Vote::Ballot}});
  if (!kind)
    return kind.takeError();
  if (llvm::Error error =
          checkTypes(site, {"i32", "i1"}, *kind == Vote::Ballot ? "i32" : "i1"))
    return error;
  return std::make_shared<Vote>(*kind);
}

static void executeVote(Execution &execution) {
  const Vote kind = execution.getDetails<Vote>();
  uint32_t votes = 0;
  forEachLane(execution, [&](unsigned lane) {
    votes |= uint32_t(execution.getOperand<uint8_t>(lane, 1) & 1) << lane;
  });
  const bool all = votes == execution.lanes, none = votes == 0;
  const bool result = kind == Vote::Any   ? !none
                      : kind == Vote::All ? all
                                          : all || none;
  forEachLane(execution, [&](unsigned lane) {
    if (kind == Vote::Ballot)
      execution.setResult(lane, 0, votes);
    else
      execution.setResult<uint8_t>(lane, 0, result);
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

using Combine = uint32_t (*)(uint32_t, uint32_t);

static llvm::Expected<Details> prepareReduction(const Site &site) {
  llvm::Expected<Combine> combine = parseKeyword<Combine>(
      site, "kind",
      {{"add", [](uint32_t a, uint32_t b) { return a + b; }},
       {"and", [](uint32_t a, uint32_t b) { return a & b; }},
       {"or", [](uint32_t a, uint32_t b) { return a | b; }},
       {"xor", [](uint32_t a, uint32_t b) { return a ^ b; }},
       {"min",
        [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b) ? a : b; }},
       {"max",
        [](uint32_t a, uint32_t b) { return int32_t(a) > int32_t(b) ? a : b; }},
       {"umin", [](uint32_t a, uint32_t b) { return std::min(a, b); }},
       {"umax", [](uint32_t a, uint32_t b) { return std::max(a, b); }}});
  if (!combine)
    return combine.takeError();
  // f32, with fmin and fmax, is of sm_100a.
  if (llvm::Error error = checkTypes(site, {"i32", "i32"}, "i32"))
    return error;
  return std::make_shared<Combine>(*combine);
}

static void executeReduction(Execution &execution) {
  const Combine combine = execution.getDetails<Combine>();
  const unsigned first = llvm::countr_zero(execution.lanes);
  uint32_t result = execution.getOperand<uint32_t>(first, 0);
  forEachLane(execution, [&](unsigned lane) {
    if (lane != first)
      result = combine(result, execution.getOperand<uint32_t>(lane, 0));
  });
  forEachLane(execution,
              [&](unsigned lane) { execution.setResult(lane, 0, result); });
}

//===----------------------------------------------------------------------===//
// Matches, elections
//===----------------------------------------------------------------------===//

namespace {
struct MatchDetails {
  bool isAll, isWide;
};
} // namespace

static llvm::Expected<Details> prepareMatch(const Site &site) {
  llvm::Expected<bool> isAll =
      parseKeyword<bool>(site, "kind", {{"any", false}, {"all", true}});
  if (!isAll)
    return isAll.takeError();
  const bool isWide =
      site.operandTypes.size() > 1 && site.operandTypes[1] == "i64";
  if (llvm::Error error =
          checkTypes(site, {"i32", isWide ? "i64" : "i32"},
                     *isAll ? "!llvm.struct<(i32, i1)>" : "i32"))
    return error;
  return std::make_shared<MatchDetails>(MatchDetails{*isAll, isWide});
}

static void executeMatch(Execution &execution) {
  const auto &details = execution.getDetails<MatchDetails>();
  uint64_t values[32] = {};
  forEachLane(execution, [&](unsigned lane) {
    values[lane] = details.isWide ? execution.getOperand<uint64_t>(lane, 1)
                                  : execution.getOperand<uint32_t>(lane, 1);
  });
  forEachLane(execution, [&](unsigned lane) {
    uint32_t equal = 0;
    forEachLane(execution, [&](unsigned other) {
      equal |= uint32_t(values[other] == values[lane]) << other;
    });
    const bool all = equal == execution.lanes;
    execution.setResult(lane, 0, details.isAll && !all ? 0 : equal);
    if (details.isAll)
      execution.setResult<uint8_t>(lane, 4, all);
  });
}

static llvm::Expected<Details> prepareElection(const Site &site) {
  const bool hasMask = !site.operandTypes.empty();
  llvm::Error error =
      hasMask ? checkTypes(site, {"i32"}, "i1") : checkTypes(site, {}, "i1");
  if (error)
    return error;
  return Details();
}

/// The first lane of those that take part; PTX leaves open which one it is.
static void executeElection(Execution &execution) {
  const unsigned leader = llvm::countr_zero(execution.lanes);
  forEachLane(execution, [&](unsigned lane) {
    execution.setResult<uint8_t>(lane, 0, lane == leader);
  });
}

llvm::ArrayRef<Instruction> mlir::top::sim::getLaneInstructions() {
  static const Instruction table[] = {
      {"nvvm.shfl.sync", Instruction::Warp, 0, executeShuffle, prepareShuffle},
      {"nvvm.vote.sync", Instruction::Warp, 0, executeVote, prepareVote},
      {"nvvm.redux.sync", Instruction::Warp, 1, executeReduction,
       prepareReduction},
      {"nvvm.match.sync", Instruction::Warp, 0, executeMatch, prepareMatch},
      // Its mask may be absent, which means all lanes.
      {"nvvm.elect.sync", Instruction::Warp, 0, executeElection,
       prepareElection},
  };
  return table;
}
