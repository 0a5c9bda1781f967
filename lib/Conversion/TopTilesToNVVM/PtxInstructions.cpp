//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PtxInstructions.h.
//
//===----------------------------------------------------------------------===//

#include "PtxInstructions.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;

static Value createAsm(const IndexMath &math, Type result, ValueRange operands,
                       StringRef text, StringRef constraints) {
  OpBuilder &b = math.b;
  return LLVM::InlineAsmOp::create(
             b, math.loc, result ? TypeRange(result) : TypeRange(), operands,
             text, constraints, /*has_side_effects=*/true,
             /*is_align_stack=*/false, LLVM::TailCallKind::None,
             /*asm_dialect=*/nullptr, /*operand_attrs=*/nullptr)
      .getRes();
}

void top::createCpAsyncIf(const IndexMath &math, Value condition,
                          PtxAddress destination, PtxAddress source,
                          int64_t bytes, Value size) {
  OpBuilder &b = math.b;
  Value shared =
      LLVM::PtrToIntOp::create(b, math.loc, b.getI32Type(), destination.base);
  // cp.async.cg, which passes by L1, exists for 16 bytes only (PTX ISA).
  const std::string text = llvm::formatv(
      "@$0 cp.async.{0}.shared.global [$1+{1}], [$2+{2}], {3}{4};",
      bytes == 16 ? "cg" : "ca", destination.offset, source.offset, bytes,
      size ? ", $3" : "");
  SmallVector<Value> operands = {condition, shared, source.base};
  std::string constraints = "b,r,l";
  if (size) {
    operands.push_back(size);
    constraints += ",r";
  }
  createAsm(math, Type(), operands, text, constraints + ",~{memory}");
}
