//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutated ops. A mutant is refused with a message, or it is an op like any
// other: it can be asked for its shape, canonicalized and tiled, and all that
// comes out is valid. Nothing may crash, hang or overflow (the latter shows
// under the `asan` preset).
//
// Seeded; TOP_FUZZ_SEED and TOP_FUZZ_COUNT in the environment ask for others.
//
//===----------------------------------------------------------------------===//

#include "TestUtils.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::test;

namespace {

int64_t fromEnvironment(const char *name, int64_t otherwise) {
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
int64_t drawNumber(Random &random) {
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
int64_t drawExtent(Random &random) {
  if (random.oneIn(4))
    return ShapedType::kDynamic;
  if (!random.oneIn(4))
    return random.below(9);
  int64_t number = drawNumber(random);
  return number < 0 ? ShapedType::kDynamic : number;
}

//===----------------------------------------------------------------------===//
// Mutants as text
//===----------------------------------------------------------------------===//

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

std::vector<OpSpec> validOps() {
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
std::string drawAttribute(Random &random) {
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

void mutate(OpSpec &op, Random &random) {
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
void garble(std::string &text, Random &random) {
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

//===----------------------------------------------------------------------===//
// What an accepted op must stand
//===----------------------------------------------------------------------===//

class FuzzTest : public ::testing::Test {
protected:
  FuzzTest()
      : random(fromEnvironment("TOP_FUZZ_SEED", 1)),
        mutants(fromEnvironment("TOP_FUZZ_COUNT", 5000)) {
    context->allowUnregisteredDialects();
    // A crash prints the mutant.
    llvm::EnablePrettyStackTrace();
    llvm::sys::PrintStackTraceOnErrorSignal("");
  }

  /// One op was refused: something was said, and not too much. A verifier says
  /// one thing; upstream's lexer may repeat itself.
  void checkRefusal(const std::string &what, size_t limit = 1) {
    std::vector<std::string> errors = context.takeErrors();
    ASSERT_GE(errors.size(), 1u) << "refused without an error:\n" << what;
    ASSERT_LE(errors.size(), limit) << what << llvm::join(errors, "\n");
    for (const std::string &error : errors)
      ASSERT_GT(error.size(), 8u) << what;
    ++refused;
  }

  /// Most mutants are only wrong in the type of the result. The error names the
  /// right one; with it the mutant is an op that nobody wrote down before.
  bool repairResult(OpSpec &op) {
    const std::string intro = "expected 'result' of type '";
    for (const std::string &error : context.errorsSoFar()) {
      size_t begin = error.find(intro);
      if (begin == std::string::npos)
        continue;
      begin += intro.size();
      op.result.text = error.substr(begin, error.find('\'', begin) - begin);
      return true;
    }
    return false;
  }

  void checkValid(ModuleOp module, const std::string &step,
                  const std::string &what) {
    if (succeeded(verify(module)))
      return;
    std::string text;
    llvm::raw_string_ostream(text) << module;
    FAIL() << "invalid after " << step << ":\n"
           << llvm::join(context.takeErrors(), "\n") << "\n"
           << what << "\n"
           << text;
  }

  static Operation *findLayer(ModuleOp module) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (isa<Conv2DOp, MatMulOp>(op))
        found = op;
    });
    return found;
  }

  void canonicalize(ModuleOp module, const std::string &what) {
    PassManager manager(module.getContext());
    manager.addPass(createCanonicalizerPass());
    ASSERT_TRUE(succeeded(manager.run(module))) << what;
    checkValid(module, "canonicalization", what);
  }

  void TearDown() override {
    RecordProperty("accepted", std::to_string(accepted));
    RecordProperty("refused", std::to_string(refused));
    RecordProperty("tiled", std::to_string(tilings));
    RecordProperty("static-tiles", std::to_string(staticTiles));
    RecordProperty("untileable", std::to_string(untileable));
  }

  /// The shape has as many dimensions as the result, and the static ones agree.
  void checkReification(ModuleOp module, Operation *op,
                        const std::string &what) {
    OpBuilder builder(op);
    ReifiedRankedShapedTypeDims shapes;
    ASSERT_TRUE(
        succeeded(cast<ReifyRankedShapedTypeOpInterface>(op).reifyResultShapes(
            builder, shapes)))
        << what;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    ASSERT_EQ(shapes.size(), 1u);
    ASSERT_EQ(static_cast<int64_t>(shapes[0].size()), type.getRank());
    for (auto [reified, extent] : llvm::zip(shapes[0], type.getShape())) {
      ASSERT_EQ(isa<Value>(reified), ShapedType::isDynamic(extent)) << what;
      if (isa<Attribute>(reified)) {
        ASSERT_EQ(getConstantIntValue(reified), extent) << what;
      }
    }
    checkValid(module, "reification", what);
  }

  /// Upstream's driver with random tile sizes and loops. Whether or not the op
  /// has such tiles, what is left is valid; a refusal has a reason.
  void checkTiling(ModuleOp module, Operation *op, const std::string &what) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    // insert_slice refuses offset 0 in a dimension of 0, whatever the op.
    if (llvm::is_contained(type.getShape(), 0))
      return;
    SmallVector<int64_t> sizes;
    for (int64_t d = 0; d < type.getRank(); ++d)
      sizes.push_back(random.oneIn(3)    ? 0
                      : random.oneIn(12) ? std::abs(drawNumber(random) / 2)
                                         : 1 + random.below(5));
    IRRewriter rewriter(op);
    scf::SCFTilingOptions options;
    options.setTileSizes(getAsIndexOpFoldResult(module.getContext(), sizes));
    if (random.oneIn(2))
      options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    FailureOr<scf::SCFTilingResult> tiled =
        scf::tileUsingSCF(rewriter, cast<TilingInterface>(op), options);
    if (failed(tiled)) {
      std::vector<std::string> errors = context.takeErrors();
      ASSERT_FALSE(errors.empty()) << what;
      // Only a tile of F may be impossible.
      ASSERT_NE(errors[0].find("cannot be tiled along F"), std::string::npos)
          << what << llvm::join(errors, "\n");
      ++untileable;
      return;
    }
    if (!tiled->replacements.empty())
      rewriter.replaceOp(op, tiled->replacements);
    checkValid(
        module,
        "tiling by " +
            llvm::join(llvm::map_range(
                           sizes, [](int64_t s) { return std::to_string(s); }),
                       ", "),
        what);
    if (!HasFatalFailure())
      canonicalize(module, what);
    ++tilings;
  }

  /// A static tile at random constant offsets, as top-tile asks for it.
  void checkStaticTile(ModuleOp module, Operation *op,
                       const std::string &what) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!type.hasStaticShape() || llvm::is_contained(type.getShape(), 0))
      return;
    SmallVector<int64_t> offsets, sizes;
    for (int64_t extent : type.getShape()) {
      offsets.push_back(random.below(extent));
      sizes.push_back(1 + random.below(extent - offsets.back()));
      if (random.oneIn(3)) {
        offsets.back() = 0;
        sizes.back() = extent;
      }
    }
    OpBuilder builder(op);
    FailureOr<TilingResult> tile =
        cast<TilingInterface>(op).getTiledImplementation(
            builder, getAsIndexOpFoldResult(module.getContext(), offsets),
            getAsIndexOpFoldResult(module.getContext(), sizes));
    if (failed(tile)) {
      std::vector<std::string> errors = context.takeErrors();
      ASSERT_EQ(errors.size(), 1u) << what;
      ASSERT_NE(errors[0].find("cannot be tiled along F"), std::string::npos)
          << what << errors[0];
      return;
    }
    ASSERT_EQ(cast<RankedTensorType>(tile->tiledValues[0].getType()).getShape(),
              ArrayRef<int64_t>(sizes))
        << what;
    checkValid(module, "a static tile", what);
    ++staticTiles;
  }

  void checkAccepted(ModuleOp module, const std::string &what) {
    ++accepted;
    Operation *op = findLayer(module);
    if (!op)
      return; // the text lost its op and is valid without
    ASSERT_NO_FATAL_FAILURE(checkReification(module, op, what));
    ASSERT_NO_FATAL_FAILURE(checkStaticTile(module, op, what));
    ASSERT_NO_FATAL_FAILURE(canonicalize(module, what));
    if ((op = findLayer(module))) {
      ASSERT_NO_FATAL_FAILURE(checkTiling(module, op, what));
    }
    ASSERT_TRUE(context.takeErrors().empty()) << what;
  }

  TestContext context;
  Random random;
  int64_t mutants;
  int64_t accepted = 0, refused = 0, tilings = 0, staticTiles = 0,
          untileable = 0;
};

TEST_F(FuzzTest, TheUnmutatedAreValid) {
  for (const OpSpec &op : validOps())
    for (bool generic : {false, true}) {
      std::string text = op.str(generic);
      OwningOpRef<ModuleOp> module = context.parse(text);
      ASSERT_TRUE(module) << text << llvm::join(context.takeErrors(), "\n");
      ASSERT_NO_FATAL_FAILURE(checkAccepted(*module, text));
    }
}

TEST_F(FuzzTest, Texts) {
  const std::vector<OpSpec> ops = validOps();
  for (int64_t i = 0; i < mutants; ++i) {
    OpSpec op = random.pick(ops);
    for (uint64_t n = random.oneIn(2) ? 1 : 1 + random.below(3); n > 0; --n)
      mutate(op, random);
    const bool generic = random.oneIn(2);
    std::string text = op.str(generic);
    if (random.oneIn(12))
      garble(text, random);
    llvm::PrettyStackTraceString trace(text.c_str());
    OwningOpRef<ModuleOp> module = context.parse(text);
    if (!module && repairResult(op)) {
      ASSERT_NO_FATAL_FAILURE(checkRefusal(text, 4));
      text = op.str(generic);
      module = context.parse(text);
    }
    if (module)
      ASSERT_NO_FATAL_FAILURE(checkAccepted(*module, text));
    else
      ASSERT_NO_FATAL_FAILURE(checkRefusal(text, 4));
  }
  // Enough of both that the test says something.
  EXPECT_GE(accepted * 10, mutants);
  EXPECT_GE(refused * 10, mutants);
  EXPECT_GE(tilings * 20, mutants);
  EXPECT_GE(staticTiles * 50, mutants);
}

//===----------------------------------------------------------------------===//
// Mutants that no text can express
//===----------------------------------------------------------------------===//

class BuiltOpFuzzTest : public FuzzTest {
protected:
  DenseI64ArrayAttr drawArray(size_t usual) {
    if (random.oneIn(20))
      return {};
    size_t size = random.oneIn(24) ? random.below(6) : usual;
    SmallVector<int64_t> values;
    for (size_t i = 0; i < size; ++i)
      values.push_back(random.oneIn(20) ? drawNumber(random)
                                        : 1 + random.below(2));
    return DenseI64ArrayAttr::get(*context, values);
  }

  ArrayAttr drawEpilogue() {
    if (!random.oneIn(3))
      return {};
    SmallVector<Attribute> steps;
    for (uint64_t n = random.below(4); n > 0; --n) {
      auto kind = static_cast<StepKind>(random.below(9));
      if (random.oneIn(20))
        steps.push_back(UnitAttr::get(*context));
      else if (kind == StepKind::clamp)
        steps.push_back(StepAttr::get(*context, -1.0, 6.0));
      else
        steps.push_back(StepAttr::get(*context, kind));
    }
    return ArrayAttr::get(*context, steps);
  }

  RankedTensorType drawType(ArrayRef<int64_t> usual) {
    Builder builder(*context);
    SmallVector<int64_t> shape(usual);
    for (int64_t &extent : shape)
      if (random.oneIn(25))
        extent = drawExtent(random);
    if (random.oneIn(60))
      shape.push_back(drawExtent(random));
    if (random.oneIn(60) && !shape.empty())
      shape.pop_back();
    Type element = random.oneIn(60)   ? Type(builder.getF16Type())
                   : random.oneIn(60) ? Type(builder.getI32Type())
                                      : Type(builder.getF32Type());
    Attribute encoding =
        random.oneIn(60) ? builder.getStringAttr("layout") : Attribute();
    return RankedTensorType::get(shape, element, encoding);
  }

  /// The op on operands of these types, in a function of its own.
  template <typename OpTy>
  void checkOp(ArrayRef<Type> operandTypes, Type resultType,
               function_ref<void(typename OpTy::Properties &)> setProperties) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(*context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Location loc = builder.getUnknownLoc();
    auto function = func::FuncOp::create(
        builder, loc, "f", builder.getFunctionType(operandTypes, resultType));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    OperationState state(loc, OpTy::getOperationName());
    state.addOperands(body->getArguments());
    state.addTypes(resultType);
    setProperties(state.getOrAddProperties<typename OpTy::Properties>());
    Operation *op = builder.create(state);
    func::ReturnOp::create(builder, loc, op->getResults());

    std::string what;
    llvm::raw_string_ostream stream(what);
    op->print(stream, OpPrintingFlags().printGenericOpForm());
    llvm::PrettyStackTraceString trace(what.c_str());
    if (failed(verify(*module)))
      checkRefusal(what);
    else
      checkAccepted(*module, what);
  }

  void setSegments(MutableArrayRef<int32_t> segments, size_t operands,
                   bool hasBias) {
    segments[0] = segments[1] = 1;
    segments[2] = hasBias;
    segments[3] = static_cast<int32_t>(operands) - 2 - hasBias;
    if (random.oneIn(24))
      segments[random.below(4)] = static_cast<int32_t>(drawNumber(random));
    if (random.oneIn(24)) { // the sum stays right
      // Unsigned, since a segment may be the smallest or largest number.
      auto add = [&](uint32_t number) {
        int32_t &segment = segments[random.below(4)];
        segment = static_cast<int32_t>(static_cast<uint32_t>(segment) + number);
      };
      add(-1u);
      add(1);
    }
  }

  /// Bias and epilogue operands as the steps want them, or about.
  void addOperands(SmallVectorImpl<Type> &types, ArrayAttr epilogue,
                   ArrayRef<int64_t> result, int64_t channels, bool hasBias) {
    if (hasBias)
      types.push_back(drawType({channels}));
    for (Attribute attr :
         epilogue ? epilogue.getValue() : ArrayRef<Attribute>()) {
      auto step = dyn_cast<StepAttr>(attr);
      for (unsigned i = 0; step && i < step.getNumOperands(); ++i)
        types.push_back(step.getKind() == StepKind::affine
                            ? drawType({channels})
                            : drawType(result));
    }
    if (random.oneIn(20))
      types.push_back(drawType(result));
  }
};

TEST_F(BuiltOpFuzzTest, Conv2D) {
  for (int64_t i = 0; i < mutants; ++i) {
    const int64_t group = 1 + random.below(3);
    RankedTensorType input = drawType({2, 2 * group, 7, 6});
    RankedTensorType filter = drawType({3 * group, 2, 3, 2});
    DenseI64ArrayAttr strides = drawArray(2), pads = drawArray(4),
                      dilations = drawArray(2);
    Attribute groupAttr = IntegerAttr::get(
        IntegerType::get(*context, random.oneIn(30) ? 32 : 64),
        random.oneIn(10) ? static_cast<int32_t>(drawNumber(random)) : group);
    // The result that follows, where there is one: most mutants then reach the
    // last checks.
    RankedTensorType result = drawType({2, 3 * group, 5, 5});
    Conv2DAttrs attrs;
    attrs.group = cast<IntegerAttr>(groupAttr).getInt();
    bool sizes = true;
    auto copy = [&](DenseI64ArrayAttr array, MutableArrayRef<int64_t> to) {
      if (array && array.size() != static_cast<int64_t>(to.size()))
        sizes = false;
      else if (array)
        llvm::copy(array.asArrayRef(), to.begin());
    };
    copy(strides, attrs.strides);
    copy(pads, attrs.pads);
    copy(dilations, attrs.dilations);
    if (sizes && !random.oneIn(10)) {
      FailureOr<RankedTensorType> inferred =
          Conv2DOp::inferResultType(nullptr, input, filter, attrs);
      ASSERT_TRUE(context.takeErrors().empty()) << "a quiet call spoke";
      if (succeeded(inferred))
        result = *inferred;
    }
    const bool hasBias = random.oneIn(2);
    ArrayAttr epilogue = drawEpilogue();
    SmallVector<Type> types = {input, filter};
    addOperands(types, epilogue, result.getShape(), 3 * group, hasBias);
    ASSERT_NO_FATAL_FAILURE(
        checkOp<Conv2DOp>(types, result, [&](Conv2DOp::Properties &properties) {
          properties.strides = strides;
          properties.pads = pads;
          properties.dilations = dilations;
          properties.group = cast<IntegerAttr>(groupAttr);
          properties.epilogue = epilogue;
          setSegments(properties.operandSegmentSizes, types.size(), hasBias);
        }));
  }
  EXPECT_GE(accepted * 10, mutants);
  EXPECT_GE(refused * 10, mutants);
}

TEST_F(BuiltOpFuzzTest, MatMul) {
  for (int64_t i = 0; i < mutants; ++i) {
    const bool transposeA = random.oneIn(2), transposeB = random.oneIn(2);
    const bool batched = random.oneIn(2), shared = random.oneIn(2);
    SmallVector<int64_t> lhsShape = {8, 5}, rhsShape = {5, 7};
    if (transposeA)
      std::swap(lhsShape[0], lhsShape[1]);
    if (transposeB)
      std::swap(rhsShape[0], rhsShape[1]);
    if (batched)
      lhsShape.insert(lhsShape.begin(), 3);
    if (batched && !shared)
      rhsShape.insert(rhsShape.begin(), 3);
    RankedTensorType lhs = drawType(lhsShape), rhs = drawType(rhsShape);
    RankedTensorType result = drawType({8, 7});
    FailureOr<RankedTensorType> inferred =
        MatMulOp::inferResultType(nullptr, lhs, rhs, transposeA, transposeB);
    ASSERT_TRUE(context.takeErrors().empty()) << "a quiet call spoke";
    if (succeeded(inferred) && !random.oneIn(10))
      result = *inferred;
    const bool hasBias = random.oneIn(2);
    ArrayAttr epilogue = drawEpilogue();
    SmallVector<Type> types = {lhs, rhs};
    addOperands(types, epilogue, result.getShape(), 7, hasBias);
    ASSERT_NO_FATAL_FAILURE(
        checkOp<MatMulOp>(types, result, [&](MatMulOp::Properties &properties) {
          if (transposeA || random.oneIn(4))
            properties.transpose_a = BoolAttr::get(*context, transposeA);
          if (transposeB || random.oneIn(4))
            properties.transpose_b = BoolAttr::get(*context, transposeB);
          properties.epilogue = epilogue;
          setSegments(properties.operandSegmentSizes, types.size(), hasBias);
        }));
  }
  EXPECT_GE(accepted * 10, mutants);
  EXPECT_GE(refused * 10, mutants);
}

/// What C++ may do to a valid op: remove an attribute, or replace it by one of
/// another kind.
TEST_F(BuiltOpFuzzTest, AttributesRemoved) {
  for (const OpSpec &spec : validOps())
    for (bool replace : {false, true})
      for (const char *name : {"strides", "pads", "dilations", "group",
                               "transpose_a", "transpose_b"}) {
        OwningOpRef<ModuleOp> module = context.parse(spec.str(false));
        ASSERT_TRUE(module);
        Operation *op = findLayer(*module);
        if (!op->hasAttr(name))
          continue;
        if (replace)
          op->setAttr(name, StringAttr::get(*context, "x"));
        else
          op->removeAttr(name);
        ASSERT_TRUE(failed(verify(*module)));
        EXPECT_EQ(context.takeErrors(),
                  std::vector<std::string>(
                      {"'" + op->getName().getStringRef().str() +
                       "' op requires attribute '" + name + "'"}));
      }
}

/// The builders' way: attributes by name, of any kind, through OperationState.
TEST_F(BuiltOpFuzzTest, AttributesByName) {
  static const std::vector<std::string> names = {
      "strides",    "pads",     "dilations",          "group",
      "allow_tf32", "epilogue", "operandSegmentSizes"};
  Type f32 = Float32Type::get(*context);
  for (int64_t i = 0; i < mutants / 4; ++i) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(*context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    SmallVector<Type> types = {RankedTensorType::get({1, 4, 6, 6}, f32),
                               RankedTensorType::get({4, 4, 3, 3}, f32)};
    Type resultType = RankedTensorType::get({1, 4, 4, 4}, f32);
    auto function =
        func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                             builder.getFunctionType(types, resultType));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    OperationState state(builder.getUnknownLoc(), "top.Conv2D");
    state.addOperands(body->getArguments());
    state.addTypes(resultType);
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr({1, 1, 0, 0}));
    std::string what;
    for (uint64_t n = 1 + random.below(2); n > 0; --n) {
      std::string name = random.pick(names), text = drawAttribute(random);
      Attribute attr = parseAttribute(text, *context);
      context.takeErrors();
      if (attr && name != "operandSegmentSizes")
        state.attributes.set(name, attr);
      what += name + " = " + text + "\n";
    }
    llvm::PrettyStackTraceString trace(what.c_str());
    Operation *op = builder.create(state);
    func::ReturnOp::create(builder, builder.getUnknownLoc(), op->getResults());
    context.takeErrors();
    if (failed(verify(*module)))
      ASSERT_NO_FATAL_FAILURE(checkRefusal(what));
    else
      ASSERT_NO_FATAL_FAILURE(checkAccepted(*module, what));
  }
  EXPECT_GE(accepted * 40, mutants);
  EXPECT_GE(refused * 40, mutants);
}

} // namespace
