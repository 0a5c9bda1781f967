//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the choices of a case come to: sizes, a schedule, and a function.
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"

using namespace top::kernels;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr StringLiteral axisNames[numAxes] = {
    "engine", "transposes", "m",     "n",        "k",       "align", "stages",
    "tile",   "order",      "parts", "epilogue", "without", "source"};

static constexpr StringLiteral engines[] = {
    "simt-f64",         "simt-f32",          "simt-f16",
    "simt-bf16-f32",    "simt-i8",           "simt-f8E4M3FN",
    "simt-f8E5M2-bf16", "mma_sync-f16",      "mma_sync-f16-f32",
    "mma_sync-bf16",    "mma_sync-bf16-f32", "mma_sync-tf32",
    "mma_sync-i8",      "mma_sync-f8E4M3FN", "mma_sync-f8E5M2-f16"};
static constexpr StringLiteral transposes[] = {"nn", "nt", "tn", "tt"};
static constexpr StringLiteral edges[] = {"whole", "tail", "tiny"};
static constexpr StringLiteral depths[] = {"deep", "deep-tail", "one", "tiny"};
/// Elements; 16 bytes of a type of 8 bits are 16 of them.
static constexpr StringLiteral alignments[] = {"16-bytes", "8-bytes", "4-bytes",
                                               "element"};
static constexpr StringLiteral stages[] = {"1", "2", "3", "4", "5", "6"};
static constexpr StringLiteral tiles[] = {"square", "wide", "high"};
static constexpr StringLiteral orders[] = {"row", "column", "grouped(2)"};
static constexpr StringLiteral parts[] = {"none", "batch", "split-2", "split-3",
                                          "batch-split-2"};
static constexpr StringLiteral epilogues[] = {"none", "bias",   "relu",  "add",
                                              "mul",  "affine", "smooth"};
static constexpr StringLiteral withouts[] = {
    "nothing", "promote-shared", "multi-buffer",
    "swizzle", "tile-to-warps",  "prefetch-fragments"};
static constexpr StringLiteral sources[] = {"arguments", "slice-a", "slice-b",
                                            "repacked"};

llvm::ArrayRef<StringLiteral> top::kernels::getChoices(Axis axis) {
  switch (axis) {
  case Axis::Engine:
    return engines;
  case Axis::Transposes:
    return transposes;
  case Axis::EdgeM:
  case Axis::EdgeN:
    return edges;
  case Axis::EdgeK:
    return depths;
  case Axis::Alignment:
    return alignments;
  case Axis::Stages:
    return stages;
  case Axis::Tile:
    return tiles;
  case Axis::Order:
    return orders;
  case Axis::Parts:
    return parts;
  case Axis::Epilogue:
    return epilogues;
  case Axis::Without:
    return withouts;
  case Axis::Source:
    return sources;
  }
  llvm_unreachable("no other axis");
}

static StringRef getChoice(const Choices &choices, Axis axis) {
  return getChoices(axis)[choices[static_cast<unsigned>(axis)]];
}

static int64_t getBytes(StringRef type) {
  if (type == "i8" || type.starts_with("f8"))
    return 1;
  if (type == "f16" || type == "bf16")
    return 2;
  return type == "f64" ? 8 : 4;
}

KernelCase::KernelCase(const Choices &choices) : choices(choices) {
  llvm::SmallVector<StringRef> names;
  getChoice(choices, Axis::Engine).split(names, '-');
  const bool isMma = names[0] == "mma_sync";
  allowTF32 = names[1] == "tf32";
  operandType = allowTF32 ? "f32" : names[1].str();
  const bool isInteger = operandType == "i8";
  resultType = names.size() > 2                           ? names[2].str()
               : isInteger                                ? "i32"
               : StringRef(operandType).starts_with("f8") ? "f32"
                                                          : operandType;
  chip = isMma && StringRef(operandType).starts_with("f8") ? "sm_89" : "sm_80";

  std::string tilesText;
  const StringRef tile = getChoice(choices, Axis::Tile);
  auto setTiles = [&](int64_t bm, int64_t bn, int64_t bk, StringRef inner) {
    blockM = bm;
    blockN = bn;
    blockK = bk;
    tilesText =
        llvm::formatv("block = [{0}, {1}, {2}], {3}", bm, bn, bk, inner);
  };
  if (isMma) {
    // An instruction takes 32 bytes along K.
    const int64_t step = 32 / getBytes(operandType);
    if (tile == "square")
      setTiles(32, 32, step, "warp = [16, 16]");
    else if (tile == "wide")
      setTiles(16, 48, 2 * step, "warp = [16, 24]");
    else
      setTiles(64, 16, 2 * step, "warp = [32, 16]");
  } else if (tile == "square") {
    setTiles(16, 16, 8, "warp = [16, 16], thread = [2, 4]");
  } else if (tile == "wide") {
    setTiles(8, 64, 16, "warp = [8, 32], thread = [2, 4]");
  } else {
    setTiles(24, 16, 8, "warp = [8, 16], thread = [2, 2]");
  }

  const StringRef part = getChoice(choices, Axis::Parts);
  batch = part.starts_with("batch") ? 3 : 0;
  setShapes();
  schedule = llvm::formatv(
      "engine = {0}, {1}, stages = {2}, order = {3}", names[0], tilesText,
      getChoice(choices, Axis::Stages), getChoice(choices, Axis::Order));
  // There are at most as many parts as steps along K.
  const int64_t split = part.ends_with("split-2")   ? 2
                        : part.ends_with("split-3") ? 3
                                                    : 1;
  if (split > 1 && (k + blockK - 1) / blockK >= split)
    schedule += llvm::formatv(", split_k = {0}", split);
  if (getChoice(choices, Axis::Source) == "repacked")
    schedule += ", repack = true";

  const StringRef epilogue = getChoice(choices, Axis::Epilogue);
  auto addArgument = [&](llvm::ArrayRef<int64_t> shape) {
    arguments.push_back(
        {resultType, llvm::SmallVector<int64_t>(shape), {}, {}});
  };
  llvm::SmallVector<int64_t> result;
  if (batch)
    result.push_back(batch);
  result.append({m, n});
  if (epilogue == "bias" || epilogue == "add") {
    hasBias = true;
    addArgument({n});
  }
  isExact = true;
  if (epilogue == "relu") {
    steps = {"relu"};
  } else if (epilogue == "add") {
    steps = {"add", "relu"};
    addArgument(result);
  } else if (epilogue == "mul" && !isInteger) {
    steps = {"mul"};
    // One value a row.
    llvm::SmallVector<int64_t> rows = result;
    rows.back() = 1;
    addArgument(rows);
  } else if (epilogue == "affine" && !isInteger) {
    steps = {"affine"};
    addArgument({n});
    addArgument({n});
  } else if (epilogue == "smooth" && !isInteger) {
    steps = {"silu", "gelu"};
    isExact = false;
  } else if (epilogue == "smooth" || epilogue == "affine") {
    steps = {"relu"};
  }
}

/// Tiles along K of one wrap of the ring and a half and one, so that slots are
/// used again and the last one is not the ring's last.
static int64_t getDeepTiles(int64_t stages) { return 2 * stages + 1; }

void KernelCase::setShapes() {
  const int64_t bytes = getBytes(operandType);
  const int64_t aligned[] = {16, 8, 4, 1};
  const int64_t grain =
      std::max<int64_t>(aligned[get(Axis::Alignment)] / bytes, 1);
  auto getExtent = [&](Axis axis, int64_t tile, int64_t count) {
    const int64_t tail = std::max<int64_t>(tile - grain, 1);
    switch (get(axis)) {
    case 0:
      return count * tile;
    case 1:
      return count * tile + tail;
    default:
      return std::min(grain, tile);
    }
  };
  m = getExtent(Axis::EdgeM, blockM, 2);
  n = getExtent(Axis::EdgeN, blockN, 2);
  const int64_t stages = get(Axis::Stages) + 1;
  switch (get(Axis::EdgeK)) {
  case 0:
    k = getDeepTiles(stages) * blockK;
    break;
  case 1:
    k = (getDeepTiles(stages) - 1) * blockK +
        std::max<int64_t>(blockK - grain, 1);
    break;
  case 2:
    k = blockK;
    break;
  default:
    k = std::min(grain, blockK);
    break;
  }
  const bool transposeA = get(Axis::Transposes) & 2;
  const bool transposeB = get(Axis::Transposes) & 1;
  const StringRef source = getChoice(choices, Axis::Source);
  addOperand(operandType, transposeA ? k : m, transposeA ? m : k,
             source == "slice-a");
  addOperand(operandType, transposeB ? n : k, transposeB ? k : n,
             source == "slice-b");
}

void KernelCase::addOperand(StringRef type, int64_t rows, int64_t cols,
                            bool isSliced) {
  Argument argument;
  argument.type = type.str();
  if (batch)
    argument.shape.push_back(batch);
  argument.shape.append({rows, cols});
  if (isSliced) {
    const int64_t aligned[] = {16, 8, 4, 1};
    const int64_t grain =
        std::max<int64_t>(aligned[get(Axis::Alignment)] / getBytes(type), 1);
    argument.outerShape = argument.shape;
    argument.offsets.assign(argument.shape.size(), 0);
    const size_t rank = argument.shape.size();
    argument.offsets[rank - 2] = 3;
    argument.outerShape[rank - 2] += 5;
    argument.offsets[rank - 1] = grain;
    argument.outerShape[rank - 1] += 2 * grain;
  }
  arguments.push_back(std::move(argument));
}

std::string KernelCase::getName() const {
  std::string name;
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    name += (axis ? " " : "") + axisNames[axis].str() + "=";
    name += getChoices(static_cast<Axis>(axis))[choices[axis]];
  }
  return name;
}

std::optional<KernelCase> KernelCase::parse(StringRef name) {
  Choices choices = {};
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(name, words);
  for (StringRef word : words) {
    auto [key, value] = word.split('=');
    const auto *axis = llvm::find(axisNames, key);
    if (axis == std::end(axisNames))
      return std::nullopt;
    const unsigned number = axis - std::begin(axisNames);
    llvm::ArrayRef<StringLiteral> all = getChoices(static_cast<Axis>(number));
    const auto *choice = llvm::find(all, value);
    if (choice == all.end())
      return std::nullopt;
    choices[number] = choice - all.begin();
  }
  return KernelCase(choices);
}

static std::string getTypeText(StringRef type, llvm::ArrayRef<int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + type.str() + ">";
}

std::string KernelCase::getProductText(bool scheduled) const {
  llvm::SmallVector<int64_t> shape;
  if (batch)
    shape.push_back(batch);
  shape.append({m, n});
  const std::string result = getTypeText(resultType, shape);

  std::string text;
  llvm::raw_string_ostream os(text);
  auto isSliced = [&](const Argument &argument) {
    return scheduled && !argument.offsets.empty();
  };
  os << "func.func @f(";
  for (auto [i, argument] : llvm::enumerate(arguments))
    os << (i ? ", " : "") << "%arg" << i << ": "
       << getTypeText(argument.type, isSliced(argument) ? argument.outerShape
                                                        : argument.shape);
  os << ") -> " << result << " {\n";
  std::vector<std::string> names;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    names.push_back(("%arg" + llvm::Twine(i)).str());
    if (!isSliced(argument))
      continue;
    names.back() = ("%slice" + llvm::Twine(i)).str();
    os << "  " << names.back() << " = tensor.extract_slice %arg" << i << "["
       << llvm::interleaved(argument.offsets) << "] ["
       << llvm::interleaved(argument.shape) << "] ["
       << llvm::interleaved(
              llvm::SmallVector<int64_t>(argument.shape.size(), 1))
       << "] : " << getTypeText(argument.type, argument.outerShape) << " to "
       << getTypeText(argument.type, argument.shape) << "\n";
  }
  const unsigned first = hasBias ? 3 : 2;
  auto join = [&](unsigned begin, unsigned end) {
    return llvm::join(names.begin() + begin, names.begin() + end, ", ");
  };
  os << "  %y = top.MatMul " << join(0, first);
  if (names.size() > first)
    os << " epilogue(" << join(first, names.size()) << ")";
  os << " {transpose_a = " << ((get(Axis::Transposes) & 2) ? "true" : "false")
     << ", transpose_b = " << ((get(Axis::Transposes) & 1) ? "true" : "false");
  if (allowTF32)
    os << ", allow_tf32";
  if (!steps.empty()) {
    os << ", epilogue = [";
    llvm::interleaveComma(steps, os, [&](const std::string &step) {
      os << "#top.step<" << step << ">";
    });
    os << "]";
  }
  if (scheduled)
    os << ", top.schedule = #top.schedule<" << schedule << ">";
  os << "}\n     : (";
  llvm::interleaveComma(arguments, os, [&](const Argument &argument) {
    os << getTypeText(argument.type, argument.shape);
  });
  os << ") -> " << result << "\n  return %y : " << result << "\n}\n";
  return text;
}

std::string KernelCase::getModuleText() const { return getProductText(true); }
std::string KernelCase::getReferenceText() const {
  return getProductText(false);
}

void KernelCase::setOptions(mlir::top::CompileOptions &options) const {
  bool *const levels[] = {
      nullptr,          &options.promote, &options.multiBuffer,
      &options.swizzle, &options.warps,   &options.prefetch};
  if (bool *level = levels[get(Axis::Without)])
    *level = false;
}
