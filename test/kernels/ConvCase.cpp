//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the choices of a convolution come to: sizes, a schedule, a function.
//
//===----------------------------------------------------------------------===//

#include "ConvCase.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <random>

using namespace top::kernels;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {

enum class Axis : unsigned {
  Engine, ///< with the types of operands and result
  Way,    ///< whether the input is packed, and which side pixels are
  Kernel,
  Strides,
  Pads,
  Dilations,
  Groups,
  Channels, ///< of a group: deeper than the ring or not, aligned or not
  Outputs,  ///< channels of a group: whole tiles, a tail, or less than a tile
  Images,
  Stages,
  Tile, ///< block and warp (and thread) tiles
  Box,  ///< pixels of a block
  Parts,
  Order,
  Epilogue,
  Without,
  Filter,
  Layout, ///< which tensors have their channels last
  Cut,    ///< by top-tile
};

} // namespace

static constexpr StringLiteral engines[] = {
    "simt-f64",     "simt-f32",      "simt-f16",      "simt-bf16-f32",
    "mma_sync-f16", "mma_sync-bf16", "mma_sync-tf32", "mma_sync-f16-f32",
    "direct-f64",   "direct-f32",    "direct-f16",    "direct-bf16-f32"};
static constexpr StringLiteral ways[] = {"straight", "packed", "packed-rows"};
static constexpr StringLiteral kernels[] = {"3x3", "1x1", "1x7", "5x2", "2x3"};
static constexpr StringLiteral strides[] = {"1x1", "2x2", "1x3", "4x2"};
static constexpr StringLiteral pads[] = {"none", "same", "uneven", "beyond"};
static constexpr StringLiteral dilations[] = {"1x1", "2x2", "1x3", "12x1"};
static constexpr StringLiteral groups[] = {"one", "two", "depthwise",
                                           "multiplier"};
static constexpr StringLiteral channels[] = {"deep-16-bytes", "deep-4-bytes",
                                             "deep-odd", "one", "three"};
static constexpr StringLiteral outputs[] = {"whole", "tail", "three"};
static constexpr StringLiteral images[] = {"8x8",  "7x9",   "1x19",
                                           "17x1", "2x3x5", "3x6x16"};
static constexpr StringLiteral stages[] = {"1", "2", "3", "4"};
static constexpr StringLiteral tiles[] = {"square", "wide", "high"};
static constexpr StringLiteral boxes[] = {"chosen", "one-row", "rows",
                                          "images"};
static constexpr StringLiteral parts[] = {"none", "2", "3"};
static constexpr StringLiteral orders[] = {"row", "column", "grouped(2)"};
static constexpr StringLiteral epilogues[] = {"none", "bias",   "relu",  "add",
                                              "mul",  "affine", "smooth"};
static constexpr StringLiteral filters[] = {"argument", "constant"};
static constexpr StringLiteral layouts[] = {"first", "last-input",
                                            "last-result", "last-both"};
static constexpr StringLiteral cuts[] = {"none", "batch", "rows", "all"};

static constexpr unsigned numAxes = 20;

/// In the order of Axis.
static const AxisInfo axes[numAxes] = {
    {"engine", engines},
    {"way", ways},
    {"kernel", kernels},
    {"strides", strides},
    {"pads", pads},
    {"dilations", dilations},
    {"groups", groups},
    {"channels", channels},
    {"outputs", outputs},
    {"images", images},
    {"stages", stages},
    {"tile", tiles},
    {"box", boxes},
    {"parts", parts},
    {"order", orders},
    {"epilogue", epilogues},
    {"without", getWithouts()},
    {"filter", filters},
    {"layout", layouts},
    {"cut", cuts},
};

llvm::ArrayRef<AxisInfo> top::kernels::getConvAxes() { return axes; }

namespace {

/// Sizes of a convolution; axis 0 is H, axis 1 is W.
struct Sizes {
  int64_t n, group, channels, outputs; ///< channels of a group
  std::array<int64_t, 2> image, kernel, strides, dilations;
  std::array<int64_t, 4> pads; ///< top, left, bottom, right

  int64_t getSpan(unsigned axis) const {
    return (kernel[axis] - 1) * dilations[axis] + 1;
  }
  int64_t getPadded(unsigned axis) const {
    return image[axis] + pads[axis] + pads[axis + 2];
  }
  int64_t getOutput(unsigned axis) const {
    return (getPadded(axis) - getSpan(axis)) / strides[axis] + 1;
  }
  int64_t getDepth() const { return channels * kernel[0] * kernel[1]; }
};

/// A case spelled out.
class ConvCase {
public:
  /// The sizes are those of the choices.
  explicit ConvCase(const Choices &choices);
  ConvCase(const Choices &choices, const Sizes &sizes);

  SweepCase spell(std::string name) const;

private:
  unsigned get(Axis axis) const { return choices[static_cast<unsigned>(axis)]; }
  StringRef getChoice(Axis axis) const {
    return axes[static_cast<unsigned>(axis)].choices[get(axis)];
  }
  void setTypes();
  void setTiles();
  void setSizes();
  void setSchedule();
  void setEpilogue();
  std::string getText(bool scheduled) const;
  std::string getFilterText() const;

  Choices choices;
  Sizes sizes;
  std::string engine, operandType, resultType, schedule, tilesText;
  int64_t blockM, blockN, blockK;
  bool allowTF32 = false, hasBias = false, isExact = true;
  std::vector<std::string> steps;
  std::vector<Argument> operands; ///< behind the filter
};

} // namespace

/// "2x3" as two numbers; further ones go to the front.
static llvm::SmallVector<int64_t> readNumbers(StringRef text) {
  llvm::SmallVector<StringRef> words;
  text.split(words, 'x');
  llvm::SmallVector<int64_t> numbers;
  for (StringRef word : words) {
    int64_t number = 0;
    if (!word.getAsInteger(10, number))
      numbers.push_back(number);
  }
  return numbers;
}

static std::array<int64_t, 2> readPair(StringRef text) {
  llvm::SmallVector<int64_t> numbers = readNumbers(text);
  return {numbers[0], numbers[1]};
}

ConvCase::ConvCase(const Choices &choices) : choices(choices) {
  setTypes();
  setTiles();
  setSizes();
  setSchedule();
  setEpilogue();
}

ConvCase::ConvCase(const Choices &choices, const Sizes &sizes)
    : choices(choices), sizes(sizes) {
  setTypes();
  setTiles();
  setSchedule();
  setEpilogue();
}

void ConvCase::setTypes() {
  llvm::SmallVector<StringRef> names;
  getChoice(Axis::Engine).split(names, '-');
  engine = names[0].str();
  allowTF32 = names[1] == "tf32";
  operandType = allowTF32 ? "f32" : names[1].str();
  resultType = names.size() > 2 ? names[2].str() : operandType;
}

void ConvCase::setTiles() {
  const StringRef tile = getChoice(Axis::Tile);
  auto set = [&](int64_t bm, int64_t bn, int64_t bk, StringRef inner) {
    blockM = bm;
    blockN = bn;
    blockK = bk;
    tilesText =
        llvm::formatv("block = [{0}, {1}, {2}], {3}", bm, bn, bk, inner);
  };
  if (engine == "mma_sync") {
    // An instruction takes 32 bytes along K.
    const int64_t step = 32 / getBytes(operandType);
    if (tile == "square")
      set(32, 32, step, "warp = [16, 16]");
    else if (tile == "wide")
      set(16, 48, 2 * step, "warp = [16, 24]");
    else
      set(64, 16, 2 * step, "warp = [32, 16]");
  } else if (engine == "direct") {
    // A thread's pixels are along N.
    if (tile == "square")
      set(1, 64, 2, "warp = [1, 64], thread = [1, 2]");
    else if (tile == "wide")
      set(1, 128, 32, "warp = [1, 128], thread = [1, 4]");
    else
      set(2, 128, 32, "warp = [2, 64], thread = [1, 4]");
  } else if (tile == "square") {
    set(16, 16, 8, "warp = [16, 16], thread = [2, 4]");
  } else if (tile == "wide") {
    set(8, 64, 16, "warp = [8, 32], thread = [2, 4]");
  } else {
    set(24, 16, 8, "warp = [8, 16], thread = [2, 2]");
  }
}

void ConvCase::setSizes() {
  sizes.kernel = readPair(getChoice(Axis::Kernel));
  sizes.strides = readPair(getChoice(Axis::Strides));
  sizes.dilations = readPair(getChoice(Axis::Dilations));
  llvm::SmallVector<int64_t> image = readNumbers(getChoice(Axis::Images));
  sizes.image = {image[image.size() - 2], image.back()};
  sizes.n = image.size() > 2 ? image.front() : 1;

  const StringRef pad = getChoice(Axis::Pads);
  for (unsigned axis = 0; axis < 2; ++axis) {
    const int64_t span = sizes.getSpan(axis);
    int64_t low = 0, high = 0;
    if (pad == "same")
      low = high = span / 2;
    else if (pad == "uneven")
      low = axis == 0 ? span / 2 : 0, high = 1;
    else if (pad == "beyond") // windows wholly in padding
      low = axis == 0 ? span + 2 : 1, high = axis == 0 ? 0 : span + 1;
    sizes.pads[axis] = low;
    sizes.pads[axis + 2] = high;
    // Grown until there is an output.
    if (sizes.getPadded(axis) < span)
      sizes.image[axis] += span - sizes.getPadded(axis);
  }

  const StringRef grouping = getChoice(Axis::Groups);
  const StringRef outputs = getChoice(Axis::Outputs);
  sizes.outputs = outputs == "whole" ? blockM
                  : outputs == "tail"
                      ? blockM + std::max<int64_t>(blockM - 3, 1)
                      : 3;
  if (grouping == "depthwise" || grouping == "multiplier") {
    sizes.group = 5;
    sizes.channels = 1;
    sizes.outputs = grouping == "depthwise" ? 1 : 3;
    return;
  }
  sizes.group = grouping == "two" ? 2 : 1;
  const StringRef channels = getChoice(Axis::Channels);
  if (channels == "one" || channels == "three" || engine == "direct") {
    sizes.channels = channels == "one" ? 1 : 3;
    return;
  }
  // One wrap of the ring and a half and one, so that slots are used again and
  // the last one is not the ring's last.
  const int64_t grain = channels == "deep-16-bytes" ? 16 / getBytes(operandType)
                        : channels == "deep-4-bytes"
                            ? std::max<int64_t>(4 / getBytes(operandType), 1)
                            : 1;
  const int64_t depth = (2 * (get(Axis::Stages) + 1) + 1) * blockK;
  const int64_t taps = sizes.kernel[0] * sizes.kernel[1];
  sizes.channels = llvm::alignTo(llvm::divideCeil(depth, taps), grain);
  if (channels != "deep-16-bytes" && sizes.channels % (2 * grain) == 0)
    sizes.channels += grain;
}

void ConvCase::setSchedule() {
  const StringRef way = getChoice(Axis::Way);
  schedule = llvm::formatv("engine = {0}, {1}, order = {2}", engine, tilesText,
                           getChoice(Axis::Order));
  if (engine == "direct") {
    const StringRef box = getChoice(Axis::Box);
    if (box != "chosen")
      schedule += box == "one-row" ? ", box = [1, 1, 32]" : ", box = [1, 4, 8]";
    return;
  }
  schedule += ", stages = " + getChoice(Axis::Stages).str();
  if (way != "straight")
    schedule += ", repack = true";
  const bool hasRows = way == "packed-rows";
  if (hasRows)
    schedule += ", pixels = rows";
  // There are at most as many parts as steps along K.
  const int64_t wanted = get(Axis::Parts) + 1;
  if (wanted > 1 && llvm::divideCeil(sizes.getDepth(), blockK) >= wanted)
    schedule += llvm::formatv(", split_k = {0}", wanted);
  const int64_t pixels = hasRows ? blockM : blockN;
  const StringRef box = getChoice(Axis::Box);
  if (box == "one-row")
    schedule += llvm::formatv(", box = [1, 1, {0}]", pixels);
  else if (box == "rows")
    schedule += llvm::formatv(", box = [1, {0}, 3]", pixels / 3);
  else if (box == "images")
    schedule += llvm::formatv(", box = [2, 2, {0}]", pixels / 4);
}

void ConvCase::setEpilogue() {
  const int64_t f = sizes.group * sizes.outputs;
  const StringRef epilogue = getChoice(Axis::Epilogue);
  auto add = [&](llvm::ArrayRef<int64_t> shape) {
    operands.push_back({resultType, llvm::SmallVector<int64_t>(shape), {}, {}});
  };
  const int64_t oh = sizes.getOutput(0), ow = sizes.getOutput(1);
  if (epilogue == "bias" || epilogue == "add") {
    hasBias = true;
    add({f});
  }
  if (epilogue == "relu") {
    steps = {"relu"};
  } else if (epilogue == "add") {
    steps = {"add", "relu"};
    add({sizes.n, f, oh, ow});
  } else if (epilogue == "mul") {
    steps = {"mul"};
    // A gate: one value a channel and image.
    add({sizes.n, f, 1, 1});
  } else if (epilogue == "affine") {
    steps = {"affine"};
    add({f});
    add({f});
  } else if (epilogue == "smooth") {
    steps = {"silu", "gelu"};
    isExact = false;
  }
}

/// The bytes of a number, as a constant's text has them.
static std::string toHex(StringRef type, double value) {
  llvm::APFloat number(value);
  bool lost = false;
  number.convert(type == "f64"   ? llvm::APFloat::IEEEdouble()
                 : type == "f32" ? llvm::APFloat::IEEEsingle()
                 : type == "f16" ? llvm::APFloat::IEEEhalf()
                                 : llvm::APFloat::BFloat(),
                 llvm::APFloat::rmNearestTiesToEven, &lost);
  uint64_t bits = number.bitcastToAPInt().getZExtValue();
  std::string text;
  for (int64_t i = 0, e = getBytes(type); i < e; ++i, bits >>= 8) {
    text += llvm::hexdigit((bits >> 4) & 15);
    text += llvm::hexdigit(bits & 15);
  }
  return text;
}

std::string ConvCase::getFilterText() const {
  std::mt19937 random(1);
  std::string text = "dense<\"0x";
  // Multiples of 1/8, as the arguments.
  for (int64_t i = 0, e = sizes.group * sizes.outputs * sizes.getDepth(); i < e;
       ++i)
    text += toHex(operandType, (int64_t(random() % 33) - 16) / 8.0);
  return text + "\">";
}

std::string ConvCase::getText(bool scheduled) const {
  const llvm::SmallVector<int64_t> x = {sizes.n, sizes.group * sizes.channels,
                                        sizes.image[0], sizes.image[1]},
                                   w = {sizes.group * sizes.outputs,
                                        sizes.channels, sizes.kernel[0],
                                        sizes.kernel[1]};
  const StringRef layout = getChoice(Axis::Layout);
  const auto getEncoding = [&](StringRef side) {
    return scheduled && (layout == "last-both" || layout.ends_with(side))
               ? "#top.layout<channels_last>"
               : "";
  };
  const std::string xType = getTypeText(operandType, x, getEncoding("input")),
                    wType = getTypeText(operandType, w),
                    yType = getTypeText(
                        resultType,
                        {sizes.n, w[0], sizes.getOutput(0), sizes.getOutput(1)},
                        getEncoding("result"));
  const bool isConstant = getChoice(Axis::Filter) == "constant";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "func.func @f(%x: " << xType;
  if (!isConstant)
    os << ", %w: " << wType;
  for (auto [i, operand] : llvm::enumerate(operands))
    os << ", %arg" << i << ": " << getTypeText(operand.type, operand.shape);
  os << ") -> " << yType << " {\n";
  if (isConstant)
    os << "  %w = arith.constant " << getFilterText() << " : " << wType << "\n";
  os << "  %y = top.Conv2D %x, %w";
  const size_t first = hasBias ? 1 : 0;
  if (hasBias)
    os << ", %arg0";
  if (operands.size() > first) {
    os << " epilogue(";
    for (size_t i = first; i < operands.size(); ++i)
      os << (i > first ? ", " : "") << "%arg" << i;
    os << ")";
  }
  os << " {strides = array<i64: " << llvm::interleaved(sizes.strides)
     << ">, pads = array<i64: " << llvm::interleaved(sizes.pads)
     << ">, dilations = array<i64: " << llvm::interleaved(sizes.dilations)
     << ">, group = " << sizes.group << " : i64";
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
  os << "}\n     : (" << xType << ", " << wType;
  for (const Argument &operand : operands)
    os << ", " << getTypeText(operand.type, operand.shape);
  os << ") -> " << yType << "\n  return %y : " << yType << "\n}\n";
  return text;
}

SweepCase ConvCase::spell(std::string name) const {
  SweepCase test;
  test.name = std::move(name);
  test.module = getText(true);
  test.reference = getText(false);
  test.chip = "sm_80";
  const StringRef cut = getChoice(Axis::Cut);
  test.tile = cut == "batch"  ? "batch=1"
              : cut == "rows" ? "height=3"
              : cut == "all"  ? "batch=1 height=2 width=5"
                              : "";
  test.without = get(Axis::Without);
  test.isExact = isExact;
  auto addArgument = [&](llvm::ArrayRef<int64_t> shape) {
    test.arguments.push_back(
        {operandType, llvm::SmallVector<int64_t>(shape), {}, {}});
  };
  addArgument(
      {sizes.n, sizes.group * sizes.channels, sizes.image[0], sizes.image[1]});
  if (getChoice(Axis::Filter) == "argument")
    addArgument({sizes.group * sizes.outputs, sizes.channels, sizes.kernel[0],
                 sizes.kernel[1]});
  llvm::append_range(test.arguments, operands);
  return test;
}

SweepCase top::kernels::makeConvCase(const Choices &choices) {
  return ConvCase(choices).spell("conv " + nameChoices(axes, choices));
}

SweepCase top::kernels::makeRandomConvCase(uint64_t seed, unsigned index) {
  std::mt19937_64 random(seed * 1000003 + index);
  auto pick = [&](llvm::ArrayRef<int64_t> values) {
    return values[random() % values.size()];
  };
  Choices choices(numAxes);
  for (unsigned axis = 0; axis < numAxes; ++axis)
    choices[axis] = random() % axes[axis].choices.size();
  // Every other one is whole and has all levels.
  if (random() % 2)
    choices[static_cast<unsigned>(Axis::Cut)] = 0;
  if (random() % 2)
    choices[static_cast<unsigned>(Axis::Without)] = 0;
  const bool isDirect =
      StringRef(engines[choices[static_cast<unsigned>(Axis::Engine)]])
          .starts_with("direct");

  // What one simulated run can do in some milliseconds.
  constexpr int64_t maxProducts = 200000;
  Sizes sizes;
  while (true) {
    sizes.n = pick({0, 1, 1, 1, 2, 2, 3, 5});
    sizes.group = pick({1, 1, 1, 1, 2, 3, 7});
    sizes.channels = pick({1, 1, 3, 4, 5, 7, 8, 16, 17, 24, 33});
    sizes.outputs = pick({1, 1, 2, 3, 8, 16, 31, 33});
    if (isDirect)
      sizes.channels = pick({1, 1, 1, 2, 3, 5});
    const int64_t spans = random() % 4;
    for (unsigned axis = 0; axis < 2; ++axis) {
      sizes.image[axis] = pick({1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 21, 33});
      sizes.kernel[axis] = pick({1, 1, 2, 3, 3, 3, 4, 5, 7});
      sizes.strides[axis] = pick({1, 1, 2, 3, 4});
      sizes.dilations[axis] = pick({1, 1, 1, 2, 3, 4, 12});
      const int64_t span = sizes.getSpan(axis);
      for (unsigned side : {axis, axis + 2})
        sizes.pads[side] = spans == 0   ? 0
                           : spans == 1 ? span / 2
                           : spans == 2 ? random() % span
                                        : pick({0, span, span + 3});
    }
    if (random() % 16 == 0)
      sizes.kernel = {5, 20}, sizes.dilations = {1, 1};
    bool exists = true;
    for (unsigned axis = 0; axis < 2; ++axis)
      exists &= sizes.getPadded(axis) >= sizes.getSpan(axis);
    if (exists && std::max<int64_t>(sizes.n, 1) * sizes.group * sizes.outputs *
                          sizes.getOutput(0) * sizes.getOutput(1) *
                          sizes.getDepth() <=
                      maxProducts)
      break;
  }
  SweepCase test =
      ConvCase(choices, sizes)
          .spell(llvm::formatv("conv seed={0} random={1}", seed, index));
  test.about = nameChoices(axes, choices);
  return test;
}
