//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer ops, `top.Conv2D` and `top.MatMul`.
//
// Dimension names, here and in every diagnostic, loop comment and document:
//   N batch; C input channels; H, W input rows and columns; F output channels;
//   KH, KW filter rows and columns; OH, OW output rows and columns;
//   M, N, K rows, columns and depth of a matrix product; B its batch.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOPOPS_TD
#define TOP_DIALECT_TOP_IR_TOPOPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "top/Dialect/Top/IR/TopAttrs.td"
include "top/Dialect/Top/IR/TopDialect.td"
include "top/Dialect/Top/IR/TopSchedule.td"

/// A layer op: tensors in, one tensor out, an optional bias and an optional
/// epilogue that runs as the result is stored.
class Top_LayerOp<string opMnemonic> : Op<Top_Dialect, opMnemonic, [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition", "generateResultTileValue",
      "getIterationDomainTileFromResultTile",
      "getIterationDomainTileFromOperandTiles",
      "getTiledImplementationFromOperandTiles"]>]> {
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let hasCanonicalizer = 1;

  // The iteration domain of a layer op is its result: a tile of the one is the
  // same tile of the other. What differs from op to op has a file of its own.
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::getResultTilePosition(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultOffsets,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultSizes) {
      resultOffsets.assign(offsets.begin(), offsets.end());
      resultSizes.assign(sizes.begin(), sizes.end());
      return ::mlir::success();
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::generateResultTileValue(
        ::mlir::OpBuilder &b, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return getTiledImplementation(b, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::getIterationDomainTileFromResultTile(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &domainOffsets,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &domainSizes) {
      domainOffsets.assign(offsets.begin(), offsets.end());
      domainSizes.assign(sizes.begin(), sizes.end());
      return ::mlir::success();
    }
    ::mlir::FailureOr<::mlir::TilingResult>
    $cppClass::getTiledImplementationFromOperandTiles(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<unsigned> operandNumbers,
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::OpFoldResult>> allOffsets,
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::OpFoldResult>> allSizes) {
      ::llvm::SmallVector<::mlir::OpFoldResult> offsets, sizes;
      if (failed(getIterationDomainTileFromOperandTiles(
              b, operandNumbers, allOffsets, allSizes, offsets, sizes)))
        return ::mlir::failure();
      return getTiledImplementation(b, offsets, sizes);
    }
  }];

  /// C++ shared by the layer ops.
  code layerOpDeclaration = [{
    ::mlir::RankedTensorType getResultType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getResult().getType());
    }
    /// The type that products are summed in: f64 for f64, i32 for i8, else f32.
    ::mlir::Type getAccumulatorType();
    /// The steps of the epilogue in order; empty where there is none.
    ::llvm::SmallVector<::mlir::top::StepAttr> getSteps() {
      return ::mlir::top::getSteps(getEpilogueAttr());
    }
  }];
}

def Top_Conv2DOp : Top_LayerOp<"Conv2D"> {
  let summary = "2-D convolution of an NCHW input with an FCHW filter";
  let description = [{
    ```
    result[n, f, oh, ow] = epilogue(bias[f] + sum over c, kh, kw of
        input[n, g*(C/group) + c, oh*sh - pt + kh*dh, ow*sw - pl + kw*dw]
        * filter[f, c, kh, kw])        with g = f / (F/group), c < C/group
    ```

    A tap outside the input contributes nothing (with a non-finite weight there
    it is unspecified whether it gives 0 or NaN).

    * `input`: N x C x H x W; `filter`: F x C/group x KH x KW; `bias`: F.
    * `strides` [sh, sw], `dilations` [dh, dw]: at least 1.
    * `pads` [top, left, bottom, right]: zeros round the input, at least 0. A
      crop is a `tensor.extract_slice`.
    * `group` divides C and F.
    * `result`: N x F x OH x OW, at least 1 in OH and OW, where

    ```
    OH = floor((H + pt + pb - (KH-1)*dh - 1) / sh) + 1
    OW = floor((W + pl + pr - (KW-1)*dw - 1) / sw) + 1
    ```

    Element types: f64, f32, f16, bf16, the same for input and filter. Sums of
    16-bit products are f32. The result has the input's type, or f32 for 16-bit
    inputs; bias and epilogue operands have the result's type or f32.

    N, H and W may be dynamic, and OH and OW are then; C, F, KH, KW are static.
    An empty batch is legal. The values of `epilogue` are described at
    `#top.step`; their operands follow in the order of the steps.

    Example:

    ```mlir
    %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
       : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
    %z = top.Conv2D %y, %v epilogue(%scale, %shift, %res) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>]}
       : (tensor<2x8x8x8xf32>, tensor<4x8x1x1xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$input, AnyRankedTensor:$filter,
    Optional<AnyRankedTensor>:$bias,
    Variadic<AnyRankedTensor>:$epilogue_operands,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$group,
    UnitAttr:$allow_tf32,
    OptionalAttr<ArrayAttr>:$epilogue
  );
  let assemblyFormat = [{
    $input `,` $filter (`,` $bias^)?
    (`epilogue` `(` $epilogue_operands^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let builders = [
    /// A convolution without epilogue. The result type follows from the
    /// operands (see inferResultType) and must be inferable.
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$filter,
                   "::mlir::Value":$bias,
                   "::mlir::top::Conv2DAttrs":$attrs,
                   CArg<"::mlir::Type", "{}">:$resultElementType)>
  ];
  let extraClassDeclaration = layerOpDeclaration # [{
    ::mlir::RankedTensorType getInputType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getInput().getType());
    }
    ::mlir::RankedTensorType getFilterType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getFilter().getType());
    }
    /// The spatial attributes as plain numbers.
    ::mlir::top::Conv2DAttrs getConvAttrs();
    /// Formulas of the H axis (0) or the W axis (1). A dynamic extent is
    /// ShapedType::kDynamic. The op must have been verified.
    ::mlir::top::AxisGeometry getAxisGeometry(unsigned axis);

    /// The type of the result, or failure after one error through `emitError`
    /// that names the operand or attribute, what was expected and what was
    /// found (none where `emitError` is null). `resultElementType` null means
    /// the input's.
    static ::mlir::FailureOr<::mlir::RankedTensorType> inferResultType(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::mlir::RankedTensorType input, ::mlir::RankedTensorType filter,
        const ::mlir::top::Conv2DAttrs &attrs,
        ::mlir::Type resultElementType = {});
  }];
}

def Top_MatMulOp : Top_LayerOp<"MatMul"> {
  let summary = "matrix product, optionally batched";
  let description = [{
    ```
    result[b, m, n] = epilogue(bias[n] + sum over k of lhs[b, m, k] * rhs[b, k, n])
    ```

    * `lhs`: M x K, or B x M x K; with `transpose_a`, K x M or B x K x M.
    * `rhs`: K x N, or B x K x N; with `transpose_b`, N x K or B x N x K. A 2-D
      `rhs` under a 3-D `lhs` is shared by the whole batch.
    * `bias`: N.
    * `result`: M x N, or B x M x N.

    | operands         | sums | result             | bias, epilogue operands |
    |------------------|------|--------------------|-------------------------|
    | f64              | f64  | f64                | f64, f32                |
    | f32              | f32  | f32                | f32                     |
    | f16, bf16        | f32  | the operands', f32 | the result's, f32       |
    | f8E4M3FN, f8E5M2 | f32  | f32, f16, bf16     | the result's, f32       |
    | i8               | i32  | i32                | i32                     |

    Both operands have one type. i8 is signed; sums and the epilogue of i32 are
    in two's complement and wrap. So the steps that are exact in integers are
    the ones an i32 result takes: `affine`, `add`, `mul`, `relu`, and `clamp`
    with whole `min` and `max` that are numbers of i32.

    The epilogue is that of `top.Conv2D`; an `affine` step has one scale and
    shift per column N. B, M, N and K may be dynamic. M, N or B of 0 gives an
    empty result, K of 0 the bias or zeros.

    Example:

    ```mlir
    %c = top.MatMul %a, %b {transpose_b = true}
       : (tensor<4x128x64xf16>, tensor<4x256x64xf16>) -> tensor<4x128x256xf16>
    %d = top.MatMul %p, %q, %bias {epilogue = [#top.step<relu>]}
       : (tensor<64x32xi8>, tensor<32x48xi8>, tensor<48xi32>) -> tensor<64x48xi32>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$lhs, AnyRankedTensor:$rhs,
    Optional<AnyRankedTensor>:$bias,
    Variadic<AnyRankedTensor>:$epilogue_operands,
    DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
    DefaultValuedAttr<BoolAttr, "false">:$transpose_b,
    UnitAttr:$allow_tf32,
    OptionalAttr<ArrayAttr>:$epilogue
  );
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` $bias^)?
    (`epilogue` `(` $epilogue_operands^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let builders = [
    /// A product without epilogue. The result type follows from the operands
    /// (see inferResultType) and must be inferable.
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$bias, CArg<"bool", "false">:$transposeA,
                   CArg<"bool", "false">:$transposeB,
                   CArg<"::mlir::Type", "{}">:$resultElementType)>
  ];
  let extraClassDeclaration = layerOpDeclaration # [{
    ::mlir::RankedTensorType getLhsType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getLhs().getType());
    }
    ::mlir::RankedTensorType getRhsType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getRhs().getType());
    }
    /// Whether the product has a batch dimension B in front.
    bool isBatched() { return getLhsType().getRank() == 3; }
    /// Dimensions of `lhs` and `rhs` that hold M, N and K.
    unsigned getLhsDimM() { return getLhsType().getRank() - 2 + getTransposeA(); }
    unsigned getLhsDimK() { return getLhsType().getRank() - 1 - getTransposeA(); }
    unsigned getRhsDimN() { return getRhsType().getRank() - 1 - getTransposeB(); }
    unsigned getRhsDimK() { return getRhsType().getRank() - 2 + getTransposeB(); }

    /// As Conv2DOp::inferResultType.
    static ::mlir::FailureOr<::mlir::RankedTensorType> inferResultType(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::mlir::RankedTensorType lhs, ::mlir::RankedTensorType rhs,
        bool transposeA, bool transposeB, ::mlir::Type resultElementType = {});
  }];
}

#endif // TOP_DIALECT_TOP_IR_TOPOPS_TD
