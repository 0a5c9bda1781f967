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

namespace {

/// What kernels differ in.
enum class Axis : unsigned {
  Engine,     ///< with the types of operands and result
  Transposes, ///< of A and of B
  EdgeM,      ///< whole tiles, a tail, or less than a tile
  EdgeN,
  EdgeK,     ///< deeper than the ring or not, with a tail or without
  Alignment, ///< of tails and of slices
  Stages,
  Tile,  ///< block and warp (and thread) tiles
  Order, ///< of blocks
  Parts, ///< a batch, parts of K, or both
  Epilogue,
  Without, ///< the level that is left out
  Source,  ///< operands as arguments, slices of arguments, or repacked
};
/// A case spelled out.
struct KernelCase {
  explicit KernelCase(const Choices &choices);

  unsigned get(Axis axis) const { return choices[static_cast<unsigned>(axis)]; }
  std::string getProductText(bool scheduled) const;

  std::string chip;
  std::vector<Argument> arguments;
  bool isExact;

private:
  void setShapes();
  void addOperand(StringRef type, int64_t rows, int64_t cols, bool isSliced);

  Choices choices;
  std::string operandType, resultType, schedule;
  std::vector<std::string> steps;
  bool hasBias = false, allowTF32 = false;
  int64_t batch = 0; ///< 0 = none
  int64_t m, n, k;
  int64_t blockM, blockN, blockK;
};

} // namespace

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
static constexpr StringLiteral sources[] = {"arguments", "slice-a", "slice-b",
                                            "repacked"};

/// In the order of Axis.
static const AxisInfo axes[] = {
    {"engine", engines},
    {"transposes", transposes},
    {"m", edges},
    {"n", edges},
    {"k", depths},
    {"align", alignments},
    {"stages", stages},
    {"tile", tiles},
    {"order", orders},
    {"parts", parts},
    {"epilogue", epilogues},
    {"without", getWithouts()},
    {"source", sources},
};

llvm::ArrayRef<AxisInfo> top::kernels::getProductAxes() { return axes; }

static StringRef getChoice(const Choices &choices, Axis axis) {
  const unsigned number = static_cast<unsigned>(axis);
  return axes[number].choices[choices[number]];
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

SweepCase top::kernels::makeProductCase(const Choices &choices) {
  const KernelCase spelled(choices);
  SweepCase test;
  test.name = nameChoices(axes, choices);
  test.module = spelled.getProductText(true);
  test.reference = spelled.getProductText(false);
  test.chip = spelled.chip;
  test.without = spelled.get(Axis::Without);
  test.arguments = spelled.arguments;
  test.isExact = spelled.isExact;
  return test;
}
