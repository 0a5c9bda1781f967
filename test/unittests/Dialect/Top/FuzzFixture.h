//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a mutant that is accepted must stand, and how one is refused.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_UNITTESTS_DIALECT_TOP_FUZZFIXTURE_H
#define TOP_TEST_UNITTESTS_DIALECT_TOP_FUZZFIXTURE_H

#include "FuzzMutants.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

namespace mlir::top::test {

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

} // namespace mlir::top::test

#endif // TOP_TEST_UNITTESTS_DIALECT_TOP_FUZZFIXTURE_H
