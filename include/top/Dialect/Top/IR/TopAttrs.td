//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes: `#top.step`, one step of an epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOPATTRS_TD
#define TOP_DIALECT_TOP_IR_TOPATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "top/Dialect/Top/IR/TopDialect.td"

class Top_Attr<string name, string attrMnemonic> : AttrDef<Top_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Top_StepKind : I32EnumAttr<"StepKind", "what one epilogue step computes", [
    I32EnumAttrCase<"affine", 0>, I32EnumAttrCase<"add", 1>,
    I32EnumAttrCase<"mul", 2>, I32EnumAttrCase<"relu", 3>,
    I32EnumAttrCase<"clamp", 4>, I32EnumAttrCase<"silu", 5>,
    I32EnumAttrCase<"hardswish", 6>, I32EnumAttrCase<"sigmoid", 7>,
    I32EnumAttrCase<"gelu", 8>]> {
  let cppNamespace = "::mlir::top";
  let genSpecializedAttr = 0;
}

def Top_StepAttr : Top_Attr<"Step", "step"> {
  let summary = "one step of the epilogue of a layer op";
  let description = [{
    A step maps the value `x` of one result element; a list of them runs in
    order, after the bias, in the accumulator's type (f32, f64 for f64, i32 for
    i8), and the last value is rounded once to the result type.

    | step                    | value                              | operands |
    |-------------------------|------------------------------------|----------|
    | `affine`                | `x * scale[f] + shift[f]`          | scale, shift: one value per result channel (Conv2D) or column (MatMul) |
    | `add`                   | `x + t`                            | t: the result's shape, or 1 in any dimension |
    | `mul`                   | `x * t`                            | t: as for `add` |
    | `relu`                  | `max(x, 0)`, NaN stays NaN         | none |
    | `clamp, min = a, max = b` | `min(max(x, a), b)`, NaN stays NaN | none |
    | `clamp, min = a, max = b, nan = c` | the same, NaN becomes c | none |
    | `silu`                  | `x / (1 + exp(-x))`                | none |
    | `hardswish`             | `x * min(max(x + 3, 0), 6) / 6`    | none |
    | `sigmoid`               | `1 / (1 + exp(-x))`                | none |
    | `gelu`                  | `x * (1 + erf(x / sqrt(2))) / 2`   | none |

    Operands have the result's element type or f32 (i32 results: i32, and only
    the steps that `top.MatMul` lists). `nan` says what networks do
    that clamp by comparing and selecting: a relu6 as torch-mlir prints it gives
    6 for NaN.

    Example:

    ```mlir
    [#top.step<affine>, #top.step<add>, #top.step<clamp, min = 0.0, max = 6.0>]
    ```
  }];
  let parameters = (ins
    "::mlir::top::StepKind":$kind,
    OptionalParameter<"::mlir::FloatAttr">:$min,
    OptionalParameter<"::mlir::FloatAttr">:$max,
    OptionalParameter<"::mlir::FloatAttr">:$nan
  );
  let builders = [
    AttrBuilder<(ins "::mlir::top::StepKind":$kind), [{
      return $_get($_ctxt, kind, FloatAttr(), FloatAttr(), FloatAttr());
    }]>,
    /// A clamp to [min, max]; NaN becomes `nan`, or stays if that is nullopt.
    AttrBuilder<(ins "double":$min, "double":$max,
                     CArg<"std::optional<double>", "std::nullopt">:$nan), [{
      Type f64 = Float64Type::get($_ctxt);
      return $_get($_ctxt, StepKind::clamp, FloatAttr::get(f64, min),
                   FloatAttr::get(f64, max),
                   nan ? FloatAttr::get(f64, *nan) : FloatAttr());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// How many epilogue operands this step takes: 2 for affine, 1 for add and
    /// mul, 0 for the others.
    unsigned getNumOperands() const;
  }];
}

#endif // TOP_DIALECT_TOP_IR_TOPATTRS_TD
