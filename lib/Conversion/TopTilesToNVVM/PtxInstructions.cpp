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

#include "top/Conversion/NVVMToSim/NVVMToSim.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;

namespace {
/// An instruction for those that read the IR: `text` is for ptxas alone.
struct PtxInstruction {
  StringRef name;
  /// What the text has beside the operands.
  ArrayRef<NamedAttribute> attributes;
  StringRef text, constraints;
  bool hasSideEffects;
};
} // namespace

static Value createAsm(const IndexMath &math, Type result, ValueRange operands,
                       const PtxInstruction &instruction) {
  OpBuilder &b = math.b;
  auto op = LLVM::InlineAsmOp::create(
      b, math.loc, result ? TypeRange(result) : TypeRange(), operands,
      instruction.text, instruction.constraints, instruction.hasSideEffects,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      /*asm_dialect=*/nullptr, /*operand_attrs=*/nullptr);
  op->setDiscardableAttr(instructionName, b.getStringAttr(instruction.name));
  op->setDiscardableAttr(instructionAttributesName,
                         b.getDictionaryAttr(instruction.attributes));
  return op.getRes();
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
  constraints += ",~{memory}";
  const NamedAttribute attributes[] = {
      b.getNamedAttr("bytes", b.getI64IntegerAttr(bytes)),
      b.getNamedAttr("destinationOffset",
                     b.getI64IntegerAttr(destination.offset)),
      b.getNamedAttr("sourceOffset", b.getI64IntegerAttr(source.offset))};
  createAsm(
      math, Type(), operands,
      {"cp.async.if", attributes, text, constraints, /*hasSideEffects=*/true});
}

Value top::createMmaF8(const IndexMath &math, Type type, ValueRange lhs,
                       ValueRange rhs, ValueRange sums) {
  OpBuilder &b = math.b;
  Type result = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  SmallVector<Value> operands(lhs);
  llvm::append_range(operands, rhs);
  llvm::append_range(operands, sums);
  const std::string text = llvm::formatv(
      "mma.sync.aligned.m16n8k32.row.col.f32.{0}.{0}.f32 {{$0, $1, $2, $3}, "
      "{{$4, $5, $6, $7}, {{$8, $9}, {{$0, $1, $2, $3};",
      isa<Float8E4M3FNType>(type) ? "e4m3" : "e5m2");
  // The sums come in where they go out.
  const NamedAttribute attributes[] = {
      b.getNamedAttr("elementType", TypeAttr::get(type))};
  return createAsm(math, result, operands,
                   {"mma.f8", attributes, text,
                    "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3",
                    /*hasSideEffects=*/false});
}
