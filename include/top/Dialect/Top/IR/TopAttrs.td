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

def Top_LayoutKind : I32EnumAttr<"LayoutKind",
    "in which order a tensor's elements lie in memory", [
    I32EnumAttrCase<"channels_first", 0>, I32EnumAttrCase<"channels_last", 1>]> {
  let cppNamespace = "::mlir::top";
  let genSpecializedAttr = 0;
}

def Top_LayoutAttr : Top_Attr<"Layout", "layout"> {
  let summary = "the order in which the elements of an NCHW tensor lie in memory";
  let description = [{
    The encoding of a tensor type of rank 4, whose shape stays N, C, H, W:
    `channels_last` elements lie in the order N, H, W, C, the channels of a pixel
    side by side. A tensor without an encoding is `channels_first`, which is
    never written.

    Example:

    ```mlir
    %y = top.Conv2D %x, %w : (tensor<8x64x56x56xf16, #top.layout<channels_last>>, tensor<32x64x1x1xf16>) -> tensor<8x32x56x56xf16>
    ```
  }];
  let parameters = (ins EnumParameter<Top_LayoutKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
}

def Top_WindowAttr : Top_Attr<"Window", "window"> {
  let summary = "which elements of an image the products of a tile of output pixels take";
  let description = [{
    A box of `TH x TW` output pixels of each of some images, of a convolution
    with a kernel of `KH x KW` taps. Pixel `p` of the box is

    ```
    i = p / (TH*TW), h = p / TW mod TH, w = p mod TW
    ```

    and with a window that begins at row `h0` and column `w0` of the image, tap
    `(kh, kw)` of pixel `(i, h, w)` is at row `h0 + h*sh + kh*dh` and column
    `w0 + w*sw + kw*dw` of image `i`; where the image has no such row or column,
    the value is 0. The depth `k` of the product, over taps and channels, goes
    in the order in which a filter of the same layout lies in memory:

    | `layout`         | images        | tile       | depth                     |
    |------------------|---------------|------------|---------------------------|
    | `channels_last`  | I x H x W x C | pixels x K | `k = (kh*KW + kw)*C + c`  |
    | `channels_first` | I x C x H x W | K x pixels | `k = (c*KH + kh)*KW + kw` |

    Example: a 3x3 kernel of stride 2 over a box of 4 x 56 output pixels.

    ```mlir
    #top.window<box = [4, 56], kernel = [3, 3], strides = [2, 2], dilations = [1, 1], layout = channels_last>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "TH, TW">:$box,
    ArrayRefParameter<"int64_t", "KH, KW">:$kernel,
    ArrayRefParameter<"int64_t", "sh, sw">:$strides,
    ArrayRefParameter<"int64_t", "dh, dw">:$dilations,
    EnumParameter<Top_LayoutKind>:$layout
  );
  let assemblyFormat = [{
    `<` `box` `=` `[` $box `]` `,` `kernel` `=` `[` $kernel `]` `,`
    `strides` `=` `[` $strides `]` `,` `dilations` `=` `[` $dilations `]` `,`
    `layout` `=` $layout `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Output pixels of the box in one image, and taps of the kernel.
    int64_t getNumPixels() const { return getBox()[0] * getBox()[1]; }
    int64_t getNumTaps() const { return getKernel()[0] * getKernel()[1]; }
    /// Rows (axis 0) or columns (axis 1) of an image that the box's windows
    /// span.
    int64_t getSpan(unsigned axis) const {
      return (getBox()[axis] - 1) * getStrides()[axis] +
             (getKernel()[axis] - 1) * getDilations()[axis] + 1;
    }
    bool isChannelsLast() const {
      return getLayout() == ::mlir::top::LayoutKind::channels_last;
    }
    /// Dimensions of the images: of C, and of H (axis 0) or W (axis 1).
    unsigned getChannelDim() const { return isChannelsLast() ? 3 : 1; }
    unsigned getImageDim(unsigned axis) const {
      return (isChannelsLast() ? 1 : 2) + axis;
    }
  }];
}

def Top_TileDimsAttr : Top_Attr<"TileDims", "tile_dims"> {
  let summary = "how the rows and columns of a tile are the dimensions of a tensor";
  let description = [{
    The rows of a tile are the elements of a box of `rows`, and its columns those
    of a box of `cols`, in row-major order. With the coordinates in the first box
    followed by those in the second, dimension `d` of the tensor has coordinate
    number `order[d]`.

    Example: rows are channels, columns the pixels of 1 x 4 x 56 in a tensor of N
    x F x OH x OW.

    ```mlir
    #top.tile_dims<rows = [128], cols = [1, 4, 56], order = [1, 0, 2, 3]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$rows,
    ArrayRefParameter<"int64_t">:$cols,
    ArrayRefParameter<"int64_t">:$order
  );
  let assemblyFormat = [{
    `<` `rows` `=` `[` $rows `]` `,` `cols` `=` `[` $cols `]` `,`
    `order` `=` `[` $order `]` `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements of the box of rows, and of columns.
    int64_t getNumRows() const;
    int64_t getNumCols() const;
    int64_t getRank() const { return getOrder().size(); }
  }];
}

#endif // TOP_DIALECT_TOP_IR_TOPATTRS_TD
