//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that extend the transform dialect, so that a schedule written in IR can
// do what the passes do.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_TRANSFORMOPS_TOPTRANSFORMOPS_TD
#define TOP_DIALECT_TOP_TRANSFORMOPS_TOPTRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformAttrs.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Top_TileTransformOp : Op<Transform_Dialect, "top.tile", [
    DeclareOpInterfaceMethods<TransformOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    ReportTrackingListenerFailuresOpTrait]> {
  let cppNamespace = "::mlir::top";
  let summary = "cut layer ops into tiles, as top-tile does";
  let description = [{
    Cuts every `top.Conv2D` and `top.MatMul` that `target` refers to. The
    attributes are the options of the pass `top-tile`, with the same meaning and
    defaults; `form` is "loop" or "unroll".

    `target` is consumed. `tiles` refers to the ops that compute the tiles, in
    the order in which they stand: layer ops, and `linalg.fill` or
    `linalg.generic` for a tile wholly in padding. An op of which no axis is cut
    is its own tile.

    Fails silenceably, with the payload unchanged, where the pass would report
    an error.

    Example:

    ```mlir
    %conv = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles = transform.top.tile %conv {batch = 1, height = 8, form = "unroll"} : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins
    TransformHandleTypeInterface:$target,
    DefaultValuedAttr<I64Attr, "0">:$batch,
    DefaultValuedAttr<I64Attr, "0">:$height,
    DefaultValuedAttr<I64Attr, "0">:$width,
    DefaultValuedAttr<I64Attr, "0">:$channels,
    DefaultValuedAttr<I64Attr, "0">:$m,
    DefaultValuedAttr<I64Attr, "0">:$n,
    DefaultValuedStrAttr<StrAttr, "loop">:$form,
    DefaultValuedAttr<I64Attr, "0">:$max_tile_bytes
  );
  let results = (outs TransformHandleTypeInterface:$tiles);
  let assemblyFormat =
      "$target attr-dict `:` functional-type($target, results)";
  let hasVerifier = 1;
}

#endif // TOP_DIALECT_TOP_TRANSFORMOPS_TOPTRANSFORMOPS_TD
