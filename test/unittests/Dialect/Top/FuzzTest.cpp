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

#include "FuzzFixture.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::test;

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
