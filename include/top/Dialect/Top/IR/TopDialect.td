//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect itself. The ops are in TopOps.td, the attributes in TopAttrs.td
// and TopSchedule.td.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOPDIALECT_TD
#define TOP_DIALECT_TOP_IR_TOPDIALECT_TD

include "mlir/IR/OpBase.td"

def Top_Dialect : Dialect {
  let name = "top";
  let cppNamespace = "::mlir::top";
  let summary = "Convolutions and matrix products on tensors, made to be tiled";
  let description = [{
    The layer ops `top.Conv2D` and `top.MatMul` have value semantics: tensors
    in, a tensor out, padding and strides as attributes. Both implement
    `TilingInterface`, so that they can be cut into tiles by `top-tile`, by
    `scf::tileUsingSCF` and by the transform dialect.

    Another compiler, tpu-mlir, prints ops of a dialect with the same name
    (`"top.Conv"`, `"top.Weight"`). Those are not ops of this dialect; they are
    refused with a note that says so.
  }];
  // What the interface implementations create.
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  // `top.schedule` is a schedule, and on an op that has use for one.
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTiles();

    /// What this dialect is, for a reader of a file with ops of tpu-mlir's
    /// dialect of the same name.
    static ::llvm::StringRef getUnknownOpNote();

    /// Refuses an unknown `top.X` in custom form, with a note that names the
    /// ops that exist.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef opName) const override;
  }];
}

#endif // TOP_DIALECT_TOP_IR_TOPDIALECT_TD
