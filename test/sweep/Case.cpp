//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules, shapes and text of a case.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace top::sweep;

using Wide = __int128;

static constexpr Wide maxInt64 = (Wide(1) << 63) - 1;

/// Outputs along one axis; nullopt on overflow. Floor division.
static std::optional<Wide> outputsOf(const Case &t, unsigned axis) {
  Wide extent = axis == 0 ? t.h : t.w, kernel = axis == 0 ? t.kh : t.kw;
  Wide window = (kernel - 1) * t.dilations[axis] + 1;
  Wide padded = extent + t.pads[axis] + t.pads[axis + 2];
  if (window > maxInt64 || padded > maxInt64)
    return std::nullopt;
  Wide last = padded - window;
  Wide stride = t.strides[axis];
  return (last >= 0 ? last / stride : -((-last + stride - 1) / stride)) + 1;
}

static std::optional<std::string> whyInvalidConv(const Case &t) {
  for (unsigned axis = 0; axis < 2; ++axis) {
    if (t.strides[axis] < 1)
      return "'strides'";
    if (t.dilations[axis] < 1)
      return "'dilations'";
  }
  if (t.group < 1)
    return "'group'";
  for (int64_t pad : t.pads)
    if (pad < 0)
      return "'pads'";
  if (t.c < 1)
    return "channels C";
  if (t.f < 1)
    return "channels F";
  if (t.filterChannels && *t.filterChannels < 1)
    return "channels C/group";
  if (t.kh < 1)
    return "rows KH";
  if (t.kw < 1)
    return "columns KW";
  if (t.c % t.group != 0 || t.f % t.group != 0)
    return "'group' to divide";
  if (t.filterChannels && *t.filterChannels != t.c / t.group)
    return "C/group";
  for (unsigned axis = 0; axis < 2; ++axis) {
    bool isDynamic = axis == 0 ? t.dynamicH : t.dynamicW;
    std::optional<Wide> outputs = outputsOf(t, axis);
    if (!outputs)
      return "overflows 64 bits";
    if (*outputs < 1 && !isDynamic)
      return axis == 0 ? "output height" : "output width";
  }
  return std::nullopt;
}

static std::optional<std::string> whyInvalidMatMul(const Case &t) {
  if (t.rhsK && *t.rhsK != t.k)
    return "inner dimensions K";
  if (t.rhsBatch && *t.rhsBatch != t.batch)
    return "batch sizes";
  return std::nullopt;
}

std::optional<std::string> top::sweep::whyInvalid(const Case &t) {
  return t.isConv ? whyInvalidConv(t) : whyInvalidMatMul(t);
}

std::optional<std::string> top::sweep::whyNotRunnable(const Case &t) {
  for (unsigned axis = 0; t.isConv && axis < 2; ++axis)
    if (outputsOf(t, axis).value_or(0) < 1)
      return axis == 0 ? "output height" : "output width";
  return std::nullopt;
}

std::optional<std::string> top::sweep::whyNotTileable(const Case &t,
                                                      bool unroll) {
  struct Tile {
    const char *name;
    int64_t size;
    bool isDynamic;
    Wide extent;
  };
  std::vector<Tile> tiles;
  if (t.isConv)
    tiles = {{"batch", t.tileBatch, t.dynamicBatch, t.n},
             {"height", t.tileH, t.dynamicH, outputsOf(t, 0).value_or(0)},
             {"width", t.tileW, t.dynamicW, outputsOf(t, 1).value_or(0)},
             {"channels", t.tileF, false, t.f}};
  else
    tiles = {{"batch", t.tileBatch, t.dynamicBatch, t.isBatched ? t.batch : 0},
             {"m", t.tileM, t.dynamicM, t.m},
             {"n", t.tileN, false, t.nCols}};
  for (const Tile &tile : tiles)
    if (tile.size < 0)
      return std::string("'") + tile.name + "' to be at least 0";
  // An empty result is left alone.
  auto isEmpty = [](bool isDynamic, int64_t extent) {
    return !isDynamic && extent == 0;
  };
  if (t.isConv ? isEmpty(t.dynamicBatch, t.n)
               : isEmpty(t.dynamicM, t.m) || t.nCols == 0 ||
                     (t.isBatched && isEmpty(t.dynamicBatch, t.batch)))
    return std::nullopt;
  // The compiler looks at the channels first.
  if (t.isConv && t.group > 1 && t.tileF > 0 && t.tileF < t.f) {
    int64_t perGroup = t.f / t.group;
    if (t.tileF % perGroup != 0 && perGroup % t.tileF != 0)
      return "'channels' = ";
  }
  if (unroll)
    for (const Tile &tile : tiles)
      if (tile.isDynamic && tile.size > 0 &&
          (t.isConv || t.isBatched || tile.name[0] != 'b'))
        return std::string("form=unroll along '") + tile.name + "'";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

/// A tensor as the text shows it: extents, of which some print as `?`.
struct Shape {
  std::vector<int64_t> extents;
  std::vector<bool> isDynamic;
  std::string element;

  Shape(std::string element, std::vector<int64_t> extents,
        std::vector<bool> isDynamic = {})
      : extents(std::move(extents)), isDynamic(std::move(isDynamic)),
        element(std::move(element)) {
    this->isDynamic.resize(this->extents.size(), false);
  }

  std::string text() const {
    std::string result = "tensor<";
    for (auto [extent, dynamic] : llvm::zip_equal(extents, isDynamic))
      result += (dynamic ? std::string("?") : std::to_string(extent)) + "x";
    return result + element + ">";
  }
};

struct Layout {
  std::vector<Shape> arguments; ///< of @f, the op's operands in order
  Shape result;
  unsigned epilogueBegin; ///< first epilogue operand
};

} // namespace

static std::string stepName(const std::string &step) {
  return llvm::StringRef(step).split(',').first.str();
}

static Layout getLayout(const Case &t) {
  auto atLeastOne = [](std::optional<Wide> v) {
    return v && *v >= 1 && *v <= maxInt64 ? static_cast<int64_t>(*v) : 1;
  };
  Layout layout{{}, Shape("", {}), 0};
  int64_t channels;
  if (t.isConv) {
    int64_t perGroup = t.filterChannels ? *t.filterChannels
                                        : (t.group > 0 ? t.c / t.group : t.c);
    layout.arguments = {Shape(t.type, {t.n, t.c, t.h, t.w},
                              {t.dynamicBatch, false, t.dynamicH, t.dynamicW}),
                        Shape(t.type, {t.f, perGroup, t.kh, t.kw})};
    const bool legal = t.strides[0] > 0 && t.strides[1] > 0;
    layout.result = Shape(t.resultType,
                          {t.n, t.f, legal ? atLeastOne(outputsOf(t, 0)) : 1,
                           legal ? atLeastOne(outputsOf(t, 1)) : 1},
                          {t.dynamicBatch, false, t.dynamicH, t.dynamicW});
    channels = t.f;
  } else {
    int64_t rhsK = t.rhsK.value_or(t.k);
    std::vector<int64_t> a = {t.m, t.k}, b = {rhsK, t.nCols},
                         r = {t.m, t.nCols};
    std::vector<bool> da = {t.dynamicM, false}, db = {false, false},
                      dr = {t.dynamicM, false};
    if (t.transposeA) {
      std::swap(a[0], a[1]);
      da = {false, t.dynamicM};
    }
    if (t.transposeB)
      std::swap(b[0], b[1]);
    if (t.isBatched) {
      a.insert(a.begin(), t.batch);
      da.insert(da.begin(), t.dynamicBatch);
      r.insert(r.begin(), t.batch);
      dr.insert(dr.begin(), t.dynamicBatch);
      if (!t.sharesRhs) {
        b.insert(b.begin(), t.rhsBatch.value_or(t.batch));
        db.insert(db.begin(), t.dynamicBatch);
      }
    }
    layout.arguments = {Shape(t.type, a, da), Shape(t.type, b, db)};
    layout.result = Shape(t.resultType, r, dr);
    channels = t.nCols;
  }
  if (!t.biasType.empty())
    layout.arguments.push_back(Shape(t.biasType, {channels}));
  layout.epilogueBegin = layout.arguments.size();
  for (const std::string &step : t.steps) {
    std::string name = stepName(step);
    if (name == "affine")
      layout.arguments.insert(layout.arguments.end(), 2,
                              Shape(t.resultType, {channels}));
    if (name != "add" && name != "mul")
      continue;
    Shape operand = layout.result;
    if (t.broadcastsOperands && t.isConv)
      for (unsigned d = 2; d < 4; ++d) {
        operand.extents[d] = 1;
        operand.isDynamic[d] = false;
      }
    layout.arguments.push_back(operand);
  }
  return layout;
}

std::vector<std::vector<int64_t>> top::sweep::getArgumentShapes(const Case &t) {
  std::vector<std::vector<int64_t>> shapes;
  for (const Shape &shape : getLayout(t).arguments)
    shapes.push_back(shape.extents);
  return shapes;
}

std::string top::sweep::getModuleText(const Case &t) {
  Layout layout = getLayout(t);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto types = [&] {
    llvm::interleaveComma(layout.arguments, os,
                          [&](const Shape &s) { os << s.text(); });
  };
  os << "func.func @f(";
  for (auto [i, shape] : llvm::enumerate(layout.arguments))
    os << (i ? ", " : "") << "%arg" << i << ": " << shape.text();
  os << ") -> " << layout.result.text() << " {\n  %y = top."
     << (t.isConv ? "Conv2D" : "MatMul");
  for (unsigned i = 0; i < layout.epilogueBegin; ++i)
    os << (i ? ", " : " ") << "%arg" << i;
  if (layout.arguments.size() > layout.epilogueBegin) {
    os << " epilogue(";
    for (unsigned i = layout.epilogueBegin; i < layout.arguments.size(); ++i)
      os << (i > layout.epilogueBegin ? ", " : "") << "%arg" << i;
    os << ")";
  }
  auto array = [](llvm::ArrayRef<int64_t> values) {
    return "array<i64: " +
           llvm::join(llvm::map_range(
                          values, [](int64_t v) { return std::to_string(v); }),
                      ", ") +
           ">";
  };
  std::vector<std::string> attributes;
  if (t.isConv)
    attributes = {"strides = " + array(t.strides), "pads = " + array(t.pads),
                  "dilations = " + array(t.dilations),
                  "group = " + std::to_string(t.group) + " : i64"};
  else
    attributes = {
        std::string("transpose_a = ") + (t.transposeA ? "true" : "false"),
        std::string("transpose_b = ") + (t.transposeB ? "true" : "false")};
  if (!t.steps.empty()) {
    std::vector<std::string> steps;
    for (const std::string &step : t.steps)
      steps.push_back("#top.step<" + step + ">");
    attributes.push_back("epilogue = [" + llvm::join(steps, ", ") + "]");
  }
  os << " {" << llvm::join(attributes, ", ") << "}\n     : (";
  types();
  os << ") -> " << layout.result.text()
     << "\n  return %y : " << layout.result.text() << "\n}\n";
  return text;
}

std::string top::sweep::getTileOptions(const Case &t, bool unroll) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "batch=" << t.tileBatch << " ";
  if (t.isConv)
    os << "height=" << t.tileH << " width=" << t.tileW
       << " channels=" << t.tileF;
  else
    os << "m=" << t.tileM << " n=" << t.tileN;
  if (t.maxTileBytes)
    os << " max-tile-bytes=" << t.maxTileBytes;
  os << " form=" << (unroll ? "unroll" : "loop");
  return text;
}
