//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seeded choices, and ops as text whose parts can be mutated one by one.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_UNITTESTS_DIALECT_TOP_FUZZMUTANTS_H
#define TOP_TEST_UNITTESTS_DIALECT_TOP_FUZZMUTANTS_H

#include "TestUtils.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <random>

namespace mlir::top::test {

inline int64_t fromEnvironment(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoll(text, nullptr, 10) : otherwise;
}

/// Deterministic choices; std distributions differ between libraries.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  uint64_t below(uint64_t n) { return engine() % n; }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  template <typename T>
  const T &pick(const std::vector<T> &values) {
    return values[below(values.size())];
  }

private:
  std::mt19937_64 engine;
};

/// Numbers that have made others fail.
inline int64_t drawNumber(Random &random) {
  static const std::vector<int64_t> numbers = {
      0,
      1,
      2,
      3,
      4,
      5,
      8,
      -1,
      -2,
      int64_t(1) << 31,
      (int64_t(1) << 31) - 1,
      -(int64_t(1) << 31),
      int64_t(1) << 32,
      (int64_t(1) << 32) + 1,
      int64_t(1) << 62,
      (int64_t(1) << 62) - 1,
      -(int64_t(1) << 62),
      std::numeric_limits<int64_t>::max(),
      std::numeric_limits<int64_t>::max() - 1,
      std::numeric_limits<int64_t>::min(),
      std::numeric_limits<int64_t>::min() + 1};
  return random.pick(numbers);
}

/// An extent: most are small, some dynamic, zero or huge.
inline int64_t drawExtent(Random &random) {
  if (random.oneIn(4))
    return ShapedType::kDynamic;
  if (!random.oneIn(4))
    return random.below(9);
  int64_t number = drawNumber(random);
  return number < 0 ? ShapedType::kDynamic : number;
}

struct TypeSpec {
  std::vector<int64_t> shape;
  std::string element;
  std::string text; ///< used instead, if set

  std::string str() const {
    if (!this->text.empty())
      return this->text;
    std::string text = "tensor<";
    for (int64_t extent : shape)
      text +=
          (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) + "x";
    return text + element + ">";
  }
};

/// An op as its parts, so that a mutation of one part leaves the text whole.
struct OpSpec {
  std::string name;
  std::vector<TypeSpec> operands;
  int64_t segments[4];
  std::vector<std::pair<std::string, std::string>> attributes;
  TypeSpec result;

  std::string str(bool generic) const {
    std::string types, values;
    for (auto [i, type] : llvm::enumerate(operands)) {
      types += (i ? ", " : "") + type.str();
      values += (i ? ", " : "") + ("%s#" + std::to_string(i));
    }
    std::string attrs;
    for (const auto &[key, value] : attributes)
      attrs += (attrs.empty() ? "" : ", ") + key +
               (value.empty() ? "" : " = " + value);
    std::string text = "func.func @f() -> " + result.str() + " {\n";
    if (!operands.empty())
      text += "  %s:" + std::to_string(operands.size()) +
              " = \"test.source\"() : () -> (" + types + ")\n";
    if (generic) {
      text += "  %r = \"" + name + "\"(" + values + ") <{" + attrs +
              (attrs.empty() ? "" : ", ") + "operandSegmentSizes = array<i32: ";
      for (auto [i, segment] : llvm::enumerate(segments))
        text += (i ? ", " : "") + std::to_string(segment);
      text += ">}>";
    } else {
      text += "  %r = " + name + " ";
      size_t plain = segments[0] + segments[1] + segments[2];
      for (size_t i = 0; i < operands.size(); ++i)
        text += (i == plain ? " epilogue("
                 : i        ? ", "
                            : "") +
                ("%s#" + std::to_string(i));
      text += operands.size() > plain ? ")" : "";
      text += attrs.empty() ? "" : " {" + attrs + "}";
    }
    return text + " : (" + types + ") -> " + result.str() +
           "\n  return %r : " + result.str() + "\n}\n";
  }
};

inline std::vector<OpSpec> validOps() {
  auto f32 = [](std::vector<int64_t> shape) {
    return TypeSpec{shape, "f32", ""};
  };
  auto f16 = [](std::vector<int64_t> shape) {
    return TypeSpec{shape, "f16", ""};
  };
  const int64_t any = ShapedType::kDynamic;
  const std::string conv = "top.Conv2D", matmul = "top.MatMul";
  return {
      {conv,
       {f32({2, 4, 9, 8}), f32({6, 4, 3, 3}), f32({6})},
       {1, 1, 1, 0},
       {{"strides", "array<i64: 2, 1>"},
        {"pads", "array<i64: 1, 1, 1, 1>"},
        {"dilations", "array<i64: 1, 1>"},
        {"group", "1 : i64"}},
       f32({2, 6, 5, 8})},
      {conv,
       {f32({1, 4, 5, 5}), f32({8, 2, 3, 2}), f32({8}), f32({8}),
        f32({1, 8, 7, 6}), f32({1, 8, 1, 1})},
       {1, 1, 0, 4},
       {{"pads", "array<i64: 2, 1, 2, 1>"},
        {"group", "2 : i64"},
        {"epilogue", "[#top.step<affine>, #top.step<add>, #top.step<silu>, "
                     "#top.step<mul>]"}},
       f32({1, 8, 7, 6})},
      {conv,
       {f16({1, 2, 4, 4}), f16({4, 2, 1, 1})},
       {1, 1, 0, 0},
       {{"pads", "array<i64: 5, 0, 5, 0>"}, {"strides", "array<i64: 2, 3>"}},
       f32({1, 4, 7, 2})},
      {conv,
       {f32({any, 3, any, any}), f32({3, 1, 3, 3}), f32({any})},
       {1, 1, 1, 0},
       {{"pads", "array<i64: 1, 1, 1, 1>"},
        {"dilations", "array<i64: 2, 3>"},
        {"group", "3 : i64"},
        {"allow_tf32", ""}},
       f32({any, 3, any, any})},
      {conv,
       {f32({2, 3, 0, 8}), f32({4, 3, 3, 3})},
       {1, 1, 0, 0},
       {{"pads", "array<i64: 2, 0, 2, 0>"},
        {"epilogue", "[#top.step<clamp, min = 0.0, max = 6.0>]"}},
       f32({2, 4, 2, 6})},
      {matmul,
       {f32({8, 5}), f32({5, 7}), f32({7})},
       {1, 1, 1, 0},
       {{"transpose_a", "false"}, {"transpose_b", "false"}},
       f32({8, 7})},
      {matmul,
       {f16({3, 5, 8}), f16({7, 5}), f16({1, 8, 7})},
       {1, 1, 0, 1},
       {{"transpose_a", "true"},
        {"transpose_b", "true"},
        {"epilogue", "[#top.step<mul>, #top.step<gelu>, #top.step<relu>, "
                     "#top.step<relu>]"}},
       f16({3, 8, 7})},
      {matmul,
       {f32({any, any, any}), f32({4, any, any})},
       {1, 1, 0, 0},
       {},
       f32({4, any, any})},
      {matmul, {f32({4, 0}), f32({0, 6})}, {1, 1, 0, 0}, {}, f32({4, 6})},
  };
}

/// Attribute values: right ones of the wrong op, wrong kinds, broken ones.
inline std::string drawAttribute(Random &random) {
  auto number = [&] { return std::to_string(drawNumber(random)); };
  static const std::vector<std::string> fixed = {
      "array<i64>",
      "array<i32: 1, 1>",
      "array<i8: 1, 1, 1, 1>",
      "[1, 1]",
      "[]",
      "dense<1> : tensor<2xi64>",
      "dense<[]> : tensor<0xi64>",
      "1 : i32",
      "1 : index",
      "1 : si64",
      "1.0 : f32",
      "true",
      "unit",
      "\"1\"",
      "f32",
      "tensor<2xf32>",
      "{a = 1}",
      "affine_map<(d0) -> (d0)>",
      "@f",
      "[unit]",
      "#top.step<relu>",
      "[#top.step<relu>]",
      "[#top.step<affine>]",
      "[#top.step<add>, #top.step<mul>]",
      "[#top.step<relu>, 1]",
      "[[#top.step<relu>]]",
      "[#top.step<clamp, min = 0.0, max = 0.0>]",
      "[#top.step<clamp, min = 1.0, max = 0.0>]",
      "[#top.step<clamp, min = 0x7FF8000000000000, max = 0.0>]",
      "[#top.step<clamp, min = 0xFFF0000000000000, max = "
      "0x7FF0000000000000>]",
      "#top.step<clamp>",
      "#top.step<>",
      "#top.step",
      "#top.nothing<relu>"};
  switch (random.below(6)) {
  case 0:
    return "array<i64: " + number() + ", " + number() + ">";
  case 1:
    return "array<i64: " + number() + ", " + number() + ", " + number() + ", " +
           number() + ">";
  case 2:
    return "array<i64: " + number() + ", " + number() + ", " + number() + ">";
  case 3:
    return number() + " : i64";
  default:
    return random.pick(fixed);
  }
}

inline void mutate(OpSpec &op, Random &random) {
  static const std::vector<std::string> elements = {"f64",
                                                    "f32",
                                                    "f16",
                                                    "bf16",
                                                    "f16",
                                                    "i8",
                                                    "i32",
                                                    "i1",
                                                    "index",
                                                    "f8E4M3FN",
                                                    "si8",
                                                    "f128",
                                                    "tf32",
                                                    "complex<f32>",
                                                    "vector<4xf32>",
                                                    "f32, 1",
                                                    "f80",
                                                    "none",
                                                    "f32, \"layout\"",
                                                    "!llvm.ptr"};
  static const std::vector<std::string> names = {
      "strides",     "pads",        "dilations", "group", "allow_tf32",
      "transpose_a", "transpose_b", "epilogue",  "other", "test.tag"};
  auto type = [&]() -> TypeSpec & {
    size_t i = random.below(op.operands.size() + 1);
    return i < op.operands.size() ? op.operands[i] : op.result;
  };
  switch (random.below(12)) {
  case 0:
  case 1:
  case 2:
    if (TypeSpec &t = type(); !t.shape.empty())
      t.shape[random.below(t.shape.size())] = drawExtent(random);
    return;
  case 3:
    if (TypeSpec &t = type(); !t.shape.empty())
      t.shape.erase(t.shape.begin() + random.below(t.shape.size()));
    return;
  case 4: {
    TypeSpec &t = type();
    t.shape.insert(t.shape.begin() + random.below(t.shape.size() + 1),
                   drawExtent(random));
    return;
  }
  case 5:
    type().element = random.pick(elements);
    return;
  case 6: { // the same element type everywhere, which may be legal
    std::string element = random.pick(elements);
    for (TypeSpec &operand : op.operands)
      operand.element = element;
    op.result.element = element;
    return;
  }
  case 7:
    if (!op.operands.empty()) {
      op.operands.erase(op.operands.begin() + random.below(op.operands.size()));
      if (random.oneIn(2))
        for (int i = 3; i >= 0; --i)
          if (op.segments[i] > 0) {
            --op.segments[i];
            break;
          }
    }
    return;
  case 8:
    op.operands.push_back(random.oneIn(2) ? op.result : type());
    ++op.segments[2 + random.below(2)];
    return;
  case 9:
    op.segments[random.below(4)] += static_cast<int64_t>(random.below(5)) - 2;
    if (random.oneIn(2)) { // the sum stays right
      op.segments[0] = op.operands.size();
      for (int i = 1; i < 4; ++i)
        op.segments[0] -= op.segments[i];
    }
    return;
  default:
    break;
  }
  if (op.attributes.empty() || random.oneIn(3)) {
    op.attributes.push_back({random.pick(names), drawAttribute(random)});
    return;
  }
  auto &[name, value] = op.attributes[random.below(op.attributes.size())];
  if (random.oneIn(6)) {
    name = random.pick(names);
    return;
  }
  // One number of the value, or the value.
  SmallVector<size_t> digits;
  for (size_t i = 0; i < value.size(); ++i)
    if (isdigit(value[i]) && (i == 0 || value[i - 1] == ' '))
      digits.push_back(i);
  if (digits.empty() || random.oneIn(3)) {
    value = drawAttribute(random);
    return;
  }
  size_t at = digits[random.below(digits.size())], end = at;
  while (end < value.size() && isdigit(value[end]))
    ++end;
  value.replace(at, end - at, std::to_string(drawNumber(random)));
}

/// Damage that no structure survives.
inline void garble(std::string &text, Random &random) {
  static const std::vector<std::string> pieces = {
      "<",         ">",  "(",        ")",    "{",  "}",
      "[",         "]",  ",",        ":",    "->", "=",
      "x",         "?",  "tensor",   "%s#0", "-1", "99999999999999999999",
      "#top.step", "\"", "epilogue", "\xff", "//"};
  size_t at = text.find("%r") + random.below(text.size() - text.find("%r"));
  switch (random.below(3)) {
  case 0:
    text.erase(at, 1 + random.below(4));
    return;
  case 1:
    text.insert(at, random.pick(pieces));
    return;
  default:
    text.insert(at, text.substr(at, 1 + random.below(12)));
  }
}

} // namespace mlir::top::test

#endif // TOP_TEST_UNITTESTS_DIALECT_TOP_FUZZMUTANTS_H
