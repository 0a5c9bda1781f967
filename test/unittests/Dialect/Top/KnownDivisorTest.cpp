//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What getKnownDivisor says of an index must hold in every step of the loops
// round it: copies and stores are as wide as it allows. A number too large is
// an access that is not aligned, one too small a narrow access.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/KnownDivisor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::top;

namespace {

class KnownDivisor : public ::testing::Test {
protected:
  KnownDivisor() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, scf::SCFDialect>();
    context.allowUnregisteredDialects();
  }

  /// The divisor of the operand of the one "use" in the body of a function of
  /// arguments %x and %y, both of type index.
  int64_t of(StringRef body) {
    std::string text =
        ("func.func @f(%x: index, %y: index) {\n" + body + "\nreturn }").str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return -1;
    int64_t divisor = -1;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "use")
        divisor = getKnownDivisor(OpFoldResult(op->getOperand(0)));
    });
    return divisor;
  }

  /// Of affine.apply of `expr`, where d0 is a multiple of 32, d1 one of 12, and
  /// nothing is known of s0.
  int64_t ofExpr(StringRef expr) {
    return of(("%c0 = arith.constant 0 : index\n"
               "%c12 = arith.constant 12 : index\n"
               "%c32 = arith.constant 32 : index\n"
               "%c96 = arith.constant 96 : index\n"
               "scf.for %i = %c0 to %c96 step %c32 {\n"
               "scf.for %j = %c0 to %c96 step %c12 {\n"
               "%a = affine.apply affine_map<(d0, d1)[s0] -> (" +
               expr +
               ")>(%i, %j)[%x]\n"
               "\"use\"(%a) : (index) -> ()\n}}")
                  .str());
  }

  MLIRContext context;
};

TEST_F(KnownDivisor, Constants) {
  Builder b(&context);
  EXPECT_EQ(getKnownDivisor(b.getIndexAttr(24)), 24);
  EXPECT_EQ(getKnownDivisor(b.getIndexAttr(-24)), 24);
  // Everything divides 0.
  EXPECT_EQ(getKnownDivisor(b.getIndexAttr(0)), 0);
  EXPECT_EQ(of("%c = arith.constant 40 : index\n\"use\"(%c) : (index) -> ()"),
            40);
}

TEST_F(KnownDivisor, Unknown) {
  EXPECT_EQ(of("\"use\"(%x) : (index) -> ()"), 1);
  EXPECT_EQ(of("%s = arith.addi %x, %x : index\n\"use\"(%s) : (index) -> ()"),
            1);
}

TEST_F(KnownDivisor, InductionVariables) {
  auto ofFor = [&](StringRef bounds) {
    return of(("%c0 = arith.constant 0 : index\n"
               "%c8 = arith.constant 8 : index\n"
               "%c12 = arith.constant 12 : index\n"
               "%c96 = arith.constant 96 : index\n"
               "scf.for %i = " +
               bounds + " {\n\"use\"(%i) : (index) -> ()\n}")
                  .str());
  };
  EXPECT_EQ(ofFor("%c0 to %c96 step %c12"), 12);
  // It begins at 8: 8, 20, 32, ...
  EXPECT_EQ(ofFor("%c8 to %c96 step %c12"), 4);
  // The upper bound does not matter, the others are all that is known.
  EXPECT_EQ(ofFor("%c0 to %x step %c12"), 12);
  EXPECT_EQ(ofFor("%x to %c96 step %c12"), 1);
  EXPECT_EQ(ofFor("%c0 to %c96 step %x"), 1);
  // Each of a forall by its own bounds; a value that the loop carries is none.
  auto ofForall = [&](StringRef name) {
    return of(("scf.forall (%i, %j) = (0, 4) to (64, 64) step (16, 6) {\n"
               "\"use\"(" +
               name + ") : (index) -> ()\n}")
                  .str());
  };
  EXPECT_EQ(ofForall("%i"), 16);
  EXPECT_EQ(ofForall("%j"), 2);
  EXPECT_EQ(
      of("%c0 = arith.constant 0 : index\n"
         "%c8 = arith.constant 8 : index\n"
         "%r = scf.for %i = %c0 to %c8 step %c8 iter_args(%v = %c8) -> "
         "(index) {\n\"use\"(%v) : (index) -> ()\nscf.yield %x : index\n}"),
      1);
}

TEST_F(KnownDivisor, AffineApply) {
  EXPECT_EQ(ofExpr("d0"), 32);
  EXPECT_EQ(ofExpr("s0"), 1);
  EXPECT_EQ(ofExpr("d0 + d1"), 4);
  EXPECT_EQ(ofExpr("d0 + 16"), 16);
  EXPECT_EQ(ofExpr("d0 + s0"), 1);
  EXPECT_EQ(ofExpr("d0 * 3"), 96);
  EXPECT_EQ(ofExpr("s0 * 8"), 8);
  EXPECT_EQ(ofExpr("d0 * -1 + 64"), 32);
  // What a quotient or a rest is a multiple of, nobody says.
  EXPECT_EQ(ofExpr("d0 floordiv 8"), 1);
  EXPECT_EQ(ofExpr("d0 ceildiv 8"), 1);
  EXPECT_EQ(ofExpr("d0 mod 48"), 1);
}

// A product past 64 bits is not followed: 2^40 * 2^40.
TEST_F(KnownDivisor, Overflow) {
  EXPECT_EQ(
      of("%c0 = arith.constant 0 : index\n"
         "%s = arith.constant 1099511627776 : index\n"
         "scf.for %i = %c0 to %x step %s {\n"
         "%a = affine.apply affine_map<(d0) -> (d0 * 1099511627776)>(%i)\n"
         "\"use\"(%a) : (index) -> ()\n}"),
      1);
}

// The least of several is one of them.
TEST_F(KnownDivisor, AffineMin) {
  auto ofMin = [&](StringRef exprs) {
    return of(("%c0 = arith.constant 0 : index\n"
               "%c32 = arith.constant 32 : index\n"
               "scf.for %i = %c0 to %x step %c32 {\n"
               "%a = affine.min affine_map<(d0) -> (" +
               exprs + ")>(%i)\n\"use\"(%a) : (index) -> ()\n}")
                  .str());
  };
  EXPECT_EQ(ofMin("32, -d0 + 128"), 32);
  EXPECT_EQ(ofMin("32, -d0 + 104"), 8);
  EXPECT_EQ(ofMin("32, -d0 + 101"), 1);
}

} // namespace
