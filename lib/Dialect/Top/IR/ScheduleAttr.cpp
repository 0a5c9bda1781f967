//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#top.schedule`: defaults, syntax, verifier, and where an op may carry it.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

/// No field is larger: products of several then fit 64 bits.
static constexpr int64_t kMaxValue = 65536;
static constexpr int64_t kWarpSize = 32;
static constexpr int64_t kWarpsPerWarpgroup = 4;
/// Of every architecture since sm_20 (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
static constexpr int64_t kMaxThreadsPerBlock = 1024;
/// The size that every sm_90 device runs (CUDA C++ Programming Guide, "Thread
/// Block Clusters").
static constexpr int64_t kMaxClusterSize = 8;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

ScheduleFields::ScheduleFields(Engine engine) : engine(engine) {
  switch (engine) {
  case Engine::simt:
    break;
  case Engine::direct:
    // 8 pixels of one channel a thread.
    block = {1, 1024, 1};
    warp = {1, 256};
    thread = {1, 8};
    stages = 1;
    swizzle = false;
    break;
  case Engine::mma_sync:
    warp = {64, 64};
    thread = {};
    break;
  case Engine::wgmma:
    block = {128, 256, 64};
    warp = {64, 256};
    thread = {};
    stages = 4;
    break;
  }
}

ScheduleFields::ScheduleFields(ScheduleAttr schedule)
    : engine(schedule.getEngine()), block(schedule.getBlock()),
      warp(schedule.getWarp()), thread(schedule.getThread()),
      stages(schedule.getStages()), swizzle(schedule.getSwizzle()),
      cluster(schedule.getCluster()), splitK(schedule.getSplitK()),
      order(schedule.getOrder()), groupSize(schedule.getGroupSize()),
      repack(schedule.getRepack()), box(schedule.getBox()),
      pixels(schedule.getPixels()) {}

int64_t ScheduleFields::getNumWarps() const {
  // One more warpgroup loads for the others.
  return engine == Engine::wgmma ? (getNumWarpTiles() + 1) * kWarpsPerWarpgroup
                                 : getNumWarpTiles();
}

int64_t ScheduleFields::getNumThreads() const {
  return kWarpSize * getNumWarps();
}

int64_t ScheduleFields::getAccumulatorsPerThread() const {
  const int64_t threadsPerTile =
      engine == Engine::wgmma ? kWarpSize * kWarpsPerWarpgroup : kWarpSize;
  return warp[0] * warp[1] / threadsPerTile;
}

LogicalResult
ScheduleFields::verify(function_ref<InFlightDiagnostic()> emitError) const {
  auto error = [&](auto &&...parts) -> LogicalResult {
    if (emitError)
      (emitError() << ... << parts);
    return failure();
  };
  auto checkValue = [&](StringRef name, int64_t value) -> LogicalResult {
    if (value >= 1 && value <= kMaxValue)
      return success();
    return error("expected '", name, "' to be between 1 and ", kMaxValue,
                 ", got ", value);
  };
  auto checkList = [&](StringRef name, ArrayRef<int64_t> values, size_t size,
                       StringRef form) -> LogicalResult {
    if (values.size() != size)
      return error("expected '", name, "' to be ", form, ", got ",
                   values.size(), " values");
    for (int64_t value : values)
      if (failed(checkValue(name, value)))
        return failure();
    return success();
  };
  auto checkMultiple = [&](StringRef what, int64_t value, StringRef ofWhat,
                           int64_t divisor) -> LogicalResult {
    if (value % divisor == 0)
      return success();
    return error("expected ", what, " of ", value, " to be a multiple of ",
                 ofWhat, divisor);
  };

  if (failed(checkList("block", block, 3, "[BM, BN, BK]")) ||
      failed(checkList("warp", warp, 2, "[WM, WN]")) ||
      failed(checkList("cluster", cluster, 2, "[CM, CN]")) ||
      failed(checkValue("stages", stages)) ||
      failed(checkValue("split_k", splitK)) ||
      failed(checkValue("group size", groupSize)) ||
      failed(checkMultiple("'block' M", block[0], "'warp' M, ", warp[0])) ||
      failed(checkMultiple("'block' N", block[1], "'warp' N, ", warp[1])))
    return failure();
  if (order != BlockOrder::grouped && groupSize != 1)
    return error("expected a group size only for 'order = grouped(G)'");
  if (cluster[0] * cluster[1] > kMaxClusterSize)
    return error("expected 'cluster' to have at most ", kMaxClusterSize,
                 " blocks, got ", cluster[0] * cluster[1]);

  if (!box.empty()) {
    if (failed(checkList("box", box, 3, "[TI, TH, TW]")))
      return failure();
    const bool isRows = pixels == PixelAxis::rows;
    const int64_t extent = block[isRows ? 0 : 1];
    // Each is at most 2^16.
    if (box[0] * box[1] * box[2] > extent)
      return error("expected 'box' to have at most the ", extent,
                   " pixels of 'block' ", isRows ? "M" : "N", ", got ",
                   box[0] * box[1] * box[2]);
  }

  const StringRef engineName = stringifyEngine(engine);
  const bool hasThreadTiles =
      engine == Engine::simt || engine == Engine::direct;
  if (!hasThreadTiles && !thread.empty())
    return error("expected 'thread' only for the engines 'simt' and 'direct', "
                 "not for '",
                 engineName, "'");
  switch (engine) {
  case Engine::direct:
    if (pixels != PixelAxis::columns)
      return error("expected 'pixels' to be columns for the engine 'direct'");
    [[fallthrough]];
  case Engine::simt: {
    if (failed(checkList("thread", thread, 2, "[TM, TN]")) ||
        failed(checkMultiple("'warp' M", warp[0], "'thread' M, ", thread[0])) ||
        failed(checkMultiple("'warp' N", warp[1], "'thread' N, ", thread[1])))
      return failure();
    const int64_t lanesM = warp[0] / thread[0], lanesN = warp[1] / thread[1];
    if (lanesM * lanesN != kWarpSize)
      return error("expected 'warp' to hold ", kWarpSize,
                   " 'thread' tiles, one a thread, got ", lanesM, " x ",
                   lanesN);
    break;
  }
  case Engine::mma_sync:
    // m16n8k8 is the smallest shape of the 16-bit types and tf32; f64's m8n8k4
    // divides it.
    if (failed(checkMultiple("'warp' M", warp[0], "the MMA shape's M, ", 16)) ||
        failed(checkMultiple("'warp' N", warp[1], "the MMA shape's N, ", 8)) ||
        failed(checkMultiple("'block' K", block[2], "the MMA shape's K, ", 8)))
      return failure();
    break;
  case Engine::wgmma:
    // m64nNk8 for tf32; k16 and k32 for narrower types.
    if (failed(checkMultiple("'warp' M", warp[0], "the MMA shape's M, ", 64)) ||
        failed(checkMultiple("'warp' N", warp[1], "the MMA shape's N, ", 8)) ||
        failed(checkMultiple("'block' K", block[2], "the MMA shape's K, ", 8)))
      return failure();
    break;
  }
  if (getNumThreads() > kMaxThreadsPerBlock)
    return error("expected a block of at most ", kMaxThreadsPerBlock,
                 " threads, got ", getNumThreads(),
                 "; enlarge 'warp' or lower 'block'");
  return success();
}

ScheduleAttr ScheduleFields::get(MLIRContext *context) const {
  return ScheduleAttr::get(context, engine, block, warp, thread, stages,
                           swizzle, cluster, splitK, order, groupSize, repack,
                           box, pixels);
}

ScheduleAttr
ScheduleFields::getChecked(function_ref<InFlightDiagnostic()> emitError,
                           MLIRContext *context) const {
  return failed(verify(emitError)) ? ScheduleAttr() : get(context);
}

KParts::KParts(const ScheduleFields &schedule, int64_t k) {
  if (k <= 0)
    return;
  const int64_t steps = llvm::divideCeil(k, schedule.block[2]);
  const int64_t perPart = llvm::divideCeil(steps, schedule.splitK);
  count = llvm::divideCeil(steps, perPart);
  depth = perPart * schedule.block[2];
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

ScheduleAttr ScheduleAttr::get(MLIRContext *context, Engine engine) {
  return ScheduleFields(engine).get(context);
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Engine engine, ArrayRef<int64_t> block,
                                   ArrayRef<int64_t> warp,
                                   ArrayRef<int64_t> thread, int64_t stages,
                                   bool swizzle, ArrayRef<int64_t> cluster,
                                   int64_t splitK, BlockOrder order,
                                   int64_t groupSize, bool repack,
                                   ArrayRef<int64_t> box, PixelAxis pixels) {
  ScheduleFields fields(engine);
  fields.block.assign(block.begin(), block.end());
  fields.warp.assign(warp.begin(), warp.end());
  fields.thread.assign(thread.begin(), thread.end());
  fields.stages = stages;
  fields.swizzle = swizzle;
  fields.cluster.assign(cluster.begin(), cluster.end());
  fields.splitK = splitK;
  fields.order = order;
  fields.groupSize = groupSize;
  fields.repack = repack;
  fields.box.assign(box.begin(), box.end());
  fields.pixels = pixels;
  return fields.verify(emitError);
}

ScheduleAttr ScheduleAttr::getFrom(Operation *op) {
  return op->getAttrOfType<ScheduleAttr>(name);
}

void ScheduleAttr::setOn(Operation *op) { op->setAttr(name, *this); }

int64_t ScheduleAttr::getNumWarps() const {
  return ScheduleFields(*this).getNumWarps();
}

int64_t ScheduleAttr::getAccumulatorsPerThread() const {
  return ScheduleFields(*this).getAccumulatorsPerThread();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

static ParseResult parseList(AsmParser &parser,
                             SmallVectorImpl<int64_t> &values) {
  values.clear();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
    return parser.parseInteger(values.emplace_back());
  });
}

template <typename EnumTy>
static ParseResult parseEnum(AsmParser &parser,
                             std::optional<EnumTy> (*symbolize)(StringRef),
                             StringRef expected, EnumTy &value) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<EnumTy> symbol = symbolize(keyword);
  if (!symbol)
    return parser.emitError(loc, "expected ")
           << expected << ", got '" << keyword << "'";
  value = *symbol;
  return success();
}

static ParseResult parseBool(AsmParser &parser, StringRef name, bool &value) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  value = keyword == "true";
  if (!value && keyword != "false")
    return parser.emitError(loc, "expected '")
           << name << "' to be true or false, got '" << keyword << "'";
  return success();
}

/// order ::= `row` | `column` | `grouped` `(` integer `)`
static ParseResult parseOrder(AsmParser &parser, ScheduleFields &fields) {
  if (parseEnum(parser, symbolizeBlockOrder,
                "'order' to be row, column or grouped(G)", fields.order))
    return failure();
  fields.groupSize = 1;
  if (fields.order != BlockOrder::grouped)
    return success();
  return failure(parser.parseLParen() ||
                 parser.parseInteger(fields.groupSize) || parser.parseRParen());
}

/// schedule ::= `<` (field `=` value (`,` field `=` value)*)? `>`
/// The fields come in any order, each at most once.
Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  // Defaults depend on the engine, which may come last: what is given is kept
  // apart until all is read.
  ScheduleFields given;
  llvm::StringSet<> names;
  auto parseField = [&]() -> ParseResult {
    StringRef name;
    SMLoc nameLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (!names.insert(name).second)
      return parser.emitError(nameLoc, "field '") << name << "' is given twice";
    if (parser.parseEqual())
      return failure();
    if (name == "engine")
      return parseEnum(parser, symbolizeEngine,
                       "'engine' to be simt, mma_sync, wgmma or direct",
                       given.engine);
    if (name == "block")
      return parseList(parser, given.block);
    if (name == "warp")
      return parseList(parser, given.warp);
    if (name == "thread")
      return parseList(parser, given.thread);
    if (name == "stages")
      return parser.parseInteger(given.stages);
    if (name == "swizzle")
      return parseBool(parser, name, given.swizzle);
    if (name == "repack")
      return parseBool(parser, name, given.repack);
    if (name == "cluster")
      return parseList(parser, given.cluster);
    if (name == "split_k")
      return parser.parseInteger(given.splitK);
    if (name == "order")
      return parseOrder(parser, given);
    if (name == "box")
      return parseList(parser, given.box);
    if (name == "pixels")
      return parseEnum(parser, symbolizePixelAxis,
                       "'pixels' to be columns or rows", given.pixels);
    return parser.emitError(nameLoc, "expected a field of a schedule (engine, "
                                     "block, warp, thread, stages, swizzle, "
                                     "cluster, split_k, order, repack, box or "
                                     "pixels), got '")
           << name << "'";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};

  ScheduleFields fields(given.engine);
  if (names.contains("block"))
    fields.block = given.block;
  if (names.contains("warp"))
    fields.warp = given.warp;
  if (names.contains("thread"))
    fields.thread = given.thread;
  if (names.contains("stages"))
    fields.stages = given.stages;
  if (names.contains("swizzle"))
    fields.swizzle = given.swizzle;
  fields.cluster = given.cluster;
  fields.splitK = given.splitK;
  fields.order = given.order;
  fields.groupSize = given.groupSize;
  fields.repack = given.repack;
  fields.box = given.box;
  fields.pixels = given.pixels;
  return fields.getChecked([&]() { return parser.emitError(loc); },
                           parser.getContext());
}

/// The tiles and the stages are always written; the rest where it is not the
/// default.
void ScheduleFields::print(raw_ostream &os) const {
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    os << ", " << name << " = [";
    llvm::interleaveComma(values, os);
    os << "]";
  };
  const ScheduleFields defaults(engine);
  os << "#top.schedule<engine = " << stringifyEngine(engine);
  list("block", block);
  list("warp", warp);
  if (!thread.empty())
    list("thread", thread);
  os << ", stages = " << stages;
  if (swizzle != defaults.swizzle)
    os << ", swizzle = " << (swizzle ? "true" : "false");
  if (cluster != defaults.cluster)
    list("cluster", cluster);
  if (splitK != defaults.splitK)
    os << ", split_k = " << splitK;
  if (order != defaults.order) {
    os << ", order = " << stringifyBlockOrder(order);
    if (order == BlockOrder::grouped)
      os << "(" << groupSize << ")";
  }
  if (repack != defaults.repack)
    os << ", repack = " << (repack ? "true" : "false");
  if (!box.empty())
    list("box", box);
  if (pixels != defaults.pixels)
    os << ", pixels = " << stringifyPixelAxis(pixels);
  os << ">";
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  // The printer has written the dialect and the mnemonic.
  std::string text;
  llvm::raw_string_ostream os(text);
  ScheduleFields(*this).print(os);
  printer << StringRef(text).drop_front(StringRef("#top.schedule").size());
}

//===----------------------------------------------------------------------===//
// On ops
//===----------------------------------------------------------------------===//

/// A schedule that nothing reads is a mistake of whoever wrote it.
LogicalResult TopDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() != ScheduleAttr::name)
    return success();
  if (!isa<ScheduleAttr>(attribute.getValue()))
    return op->emitOpError("expected '")
           << ScheduleAttr::name << "' to be a #top.schedule, got "
           << attribute.getValue();
  // The op, what it becomes, and the loops and kernels made of that.
  const StringRef carriers[] = {"top", "linalg", "scf", "gpu", "llvm"};
  if (!llvm::is_contained(carriers, op->getName().getDialectNamespace()))
    return op->emitOpError("expected '")
           << ScheduleAttr::name
           << "' on a layer op of 'top' or on what it becomes, not here";
  return success();
}
