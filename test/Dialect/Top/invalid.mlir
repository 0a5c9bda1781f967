// RUN: top-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

// Each refusal is one error, at the op, with what was expected and what was
// found. First Conv2D: its attributes alone.

func.func @zero_stride(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{'top.Conv2D' op expected 'strides' to be at least 1, got 0 at position 0}}
  %0 = top.Conv2D %x, %w {strides = array<i64: 0, 1>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @negative_stride(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'strides' to be at least 1, got -9223372036854775808 at position 1}}
  %0 = top.Conv2D %x, %w {strides = array<i64: 1, -9223372036854775808>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @zero_dilation(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'dilations' to be at least 1, got 0 at position 1}}
  %0 = top.Conv2D %x, %w {dilations = array<i64: 1, 0>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @negative_dilation(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'dilations' to be at least 1, got -1 at position 0}}
  %0 = top.Conv2D %x, %w {dilations = array<i64: -1, 1>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @zero_group(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'group' to be at least 1, got 0}}
  %0 = top.Conv2D %x, %w {group = 0 : i64} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @negative_group(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'group' to be at least 1, got -1}}
  %0 = top.Conv2D %x, %w {group = -1 : i64} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @negative_pad(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'pads' to be at least 0, got -1 at position 2; a crop is a tensor.extract_slice}}
  %0 = top.Conv2D %x, %w {pads = array<i64: 0, 0, -1, 0>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x29x30xf32>
  return
}

// -----

func.func @three_strides(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'strides' to have 2 elements, got 3}}
  %0 = top.Conv2D %x, %w {strides = array<i64: 1, 1, 1>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @no_dilations(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'dilations' to have 2 elements, got 0}}
  %0 = top.Conv2D %x, %w {dilations = array<i64>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @two_pads(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'pads' to have 4 elements, got 2}}
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x32x32xf32>
  return
}

// -----

// The wrong kind of attribute.
func.func @strides_of_i32(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{attribute 'strides' failed to satisfy constraint: i64 dense array attribute}}
  %0 = top.Conv2D %x, %w {strides = array<i32: 1, 1>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

func.func @group_of_i32(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{attribute 'group' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = top.Conv2D %x, %w {group = 1 : i32} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x30x30xf32>
  return
}

// -----

// Conv2D: channels, groups and kernel.

func.func @group_not_of_channels(%x: tensor<1x6x8x8xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'group' to divide the channels C of 'input', got group 4 and C 6}}
  %0 = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x6x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @group_not_of_outputs(%x: tensor<1x8x8x8xf32>, %w: tensor<6x2x3x3xf32>) {
  // expected-error@+1 {{expected 'group' to divide the output channels F of 'filter', got group 4 and F 6}}
  %0 = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x8x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @filter_channels(%x: tensor<1x8x8x8xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected the channels of 'filter' to be C/group = 8/4 = 2, got 4}}
  %0 = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x8x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @group_beyond_channels(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{expected 'group' to divide the channels C of 'input', got group 4611686018427387904 and C 8}}
  %0 = top.Conv2D %x, %w {group = 4611686018427387904 : i64} : (tensor<1x8x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @no_channels(%x: tensor<1x0x8x8xf32>, %w: tensor<8x0x3x3xf32>) {
  // expected-error@+1 {{expected the channels C of 'input' to be at least 1, got 0}}
  %0 = top.Conv2D %x, %w : (tensor<1x0x8x8xf32>, tensor<8x0x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @dynamic_channels(%x: tensor<1x?x8x8xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected the channels C of 'input' to be static, got '?'}}
  %0 = top.Conv2D %x, %w : (tensor<1x?x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @no_outputs(%x: tensor<1x4x8x8xf32>, %w: tensor<0x4x3x3xf32>) {
  // expected-error@+1 {{expected the output channels F of 'filter' to be at least 1, got 0}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<0x4x3x3xf32>) -> tensor<1x0x6x6xf32>
  return
}

// -----

func.func @dynamic_outputs(%x: tensor<1x4x8x8xf32>, %w: tensor<?x4x3x3xf32>) {
  // expected-error@+1 {{expected the output channels F of 'filter' to be static, got '?'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<?x4x3x3xf32>) -> tensor<1x?x6x6xf32>
  return
}

// -----

func.func @no_filter_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<8x0x3x3xf32>) {
  // expected-error@+1 {{expected the channels C/group of 'filter' to be at least 1, got 0}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x0x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @dynamic_filter_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<8x?x3x3xf32>) {
  // expected-error@+1 {{expected the channels C/group of 'filter' to be static, got '?'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x?x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @no_kernel_rows(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x0x3xf32>) {
  // expected-error@+1 {{expected the rows KH of 'filter' to be at least 1, got 0}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x0x3xf32>) -> tensor<1x8x9x6xf32>
  return
}

// -----

func.func @dynamic_kernel_rows(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x?x3xf32>) {
  // expected-error@+1 {{expected the rows KH of 'filter' to be static, got '?'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x?x3xf32>) -> tensor<1x8x?x6xf32>
  return
}

// -----

func.func @no_kernel_columns(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x0xf32>) {
  // expected-error@+1 {{expected the columns KW of 'filter' to be at least 1, got 0}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x0xf32>) -> tensor<1x8x6x9xf32>
  return
}

// -----

func.func @dynamic_kernel_columns(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x?xf32>) {
  // expected-error@+1 {{expected the columns KW of 'filter' to be static, got '?'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x?xf32>) -> tensor<1x8x6x?xf32>
  return
}

// -----

// Conv2D: ranks, element types, encodings.

func.func @scalar_input(%x: tensor<f32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected 'input' to have rank 4 (N x C x H x W), got 0}}
  %0 = top.Conv2D %x, %w : (tensor<f32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @rank_5_filter(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3x3xf32>) {
  // expected-error@+1 {{expected 'filter' to have rank 4 (F x C/group x KH x KW), got 5}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @integer_input(%x: tensor<1x4x8x8xi32>, %w: tensor<8x4x3x3xi32>) {
  // expected-error@+1 {{expected 'input' to have element type f64, f32, f16 or bf16, got 'i32'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xi32>, tensor<8x4x3x3xi32>) -> tensor<1x8x6x6xi32>
  return
}

// -----

func.func @integer_filter(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xi8>) {
  // expected-error@+1 {{expected 'filter' to have element type f64, f32, f16 or bf16, got 'i8'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xi8>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @mixed_element_types(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x3x3xbf16>) {
  // expected-error@+1 {{expected 'filter' to have the element type of 'input', 'f16', got 'bf16'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf16>, tensor<8x4x3x3xbf16>) -> tensor<1x8x6x6xf16>
  return
}

// -----

func.func @narrower_result(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected 'result' to have element type 'f32', got 'f16'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf16>
  return
}

// -----

func.func @wider_result(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x3x3xf16>) {
  // expected-error@+1 {{expected 'result' to have element type 'f16' or 'f32', got 'f64'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf16>, tensor<8x4x3x3xf16>) -> tensor<1x8x6x6xf64>
  return
}

// -----

func.func @integer_result(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x3x3xf16>) {
  // expected-error@+1 {{expected 'result' to have element type 'f16' or 'f32', got 'index'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf16>, tensor<8x4x3x3xf16>) -> tensor<1x8x6x6xindex>
  return
}

// -----

func.func @encoded_input(%x: tensor<1x4x8x8xf32, "nhwc">, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected 'input' without encoding or with #top.layout<channels_last>, got "nhwc"}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32, "nhwc">, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @encoded_filter(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32, 1 : i32>) {
  // expected-error@+1 {{expected 'filter' without encoding, got 1 : i32}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32, 1 : i32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @encoded_result(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<1x8x6x6xf32>', got 'tensor<1x8x6x6xf32, "nhwc">'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32, "nhwc">
  return
}

// -----

// Conv2D: sizes.

// C++ division truncates -1/2 to 0 and would find one row.
func.func @truncating_division(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{expected an output height of at least 1, got 0: input 4 with pads 0 and 0 is smaller than the window of 5}}
  %0 = top.Conv2D %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @kernel_beyond_padded_width(%x: tensor<1x1x8x4xf32>, %w: tensor<1x1x3x7xf32>) {
  // expected-error@+1 {{expected an output width of at least 1, got 0: input 4 with pads 1 and 1 is smaller than the window of 7}}
  %0 = top.Conv2D %x, %w {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x1x8x4xf32>, tensor<1x1x3x7xf32>) -> tensor<1x1x6x1xf32>
  return
}

// -----

func.func @no_rows_no_pads(%x: tensor<1x1x0x4xf32>, %w: tensor<1x1x1x1xf32>) {
  // expected-error@+1 {{expected an output height of at least 1, got 0: input 0 with pads 0 and 0 is smaller than the window of 1}}
  %0 = top.Conv2D %x, %w : (tensor<1x1x0x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x0x4xf32>
  return
}

// -----

// A window of 2^32 - 1 rows does not wrap to one that fits.
func.func @dilation_2_31(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{expected an output height of at least 1, got -4294967286: input 8 with pads 0 and 0 is smaller than the window of 4294967295}}
  %0 = top.Conv2D %x, %w {dilations = array<i64: 2147483647, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x10x6xf32>
  return
}

// -----

func.func @dilation_2_62(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{window width overflows 64 bits: kernel 3, dilation 4611686018427387904, stride 1, input 8, pads 0 and 0}}
  %0 = top.Conv2D %x, %w {dilations = array<i64: 1, 4611686018427387904>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x10xf32>
  return
}

// -----

func.func @pads_2_62(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{window height overflows 64 bits: kernel 3, dilation 1, stride 1, input 8, pads 4611686018427387904 and 4611686018427387904}}
  %0 = top.Conv2D %x, %w {pads = array<i64: 4611686018427387904, 0, 4611686018427387904, 0>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

// The attributes of a dynamic axis are checked too.
func.func @pads_2_62_dynamic(%x: tensor<1x1x?x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{window height overflows 64 bits: kernel 3, dilation 1, stride 1, input 0, pads 4611686018427387904 and 4611686018427387904}}
  %0 = top.Conv2D %x, %w {pads = array<i64: 4611686018427387904, 0, 4611686018427387904, 0>} : (tensor<1x1x?x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x?x6xf32>
  return
}

// -----

func.func @stride_2_63(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{window height overflows 64 bits: kernel 3, dilation 1, stride 9223372036854775807, input 8, pads 0 and 0}}
  %0 = top.Conv2D %x, %w {strides = array<i64: 9223372036854775807, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x1x6xf32>
  return
}

// -----

func.func @result_size_overflows(%x: tensor<1x1x1x1xf32>, %w: tensor<1x1x1x1xf32>) {
  // expected-error@+1 {{size of 'result' overflows 64 bits: 'tensor<1x1x4294967297x4294967297xf32>'}}
  %0 = top.Conv2D %x, %w {pads = array<i64: 2147483648, 2147483648, 2147483648, 2147483648>} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @input_size_overflows(%x: tensor<0x1x4294967296x4294967296xf32>, %w: tensor<1x1x1x1xf32>) {
  // expected-error@+1 {{size of 'input' overflows 64 bits: 'tensor<0x1x4294967296x4294967296xf32>'}}
  %0 = top.Conv2D %x, %w : (tensor<0x1x4294967296x4294967296xf32>, tensor<1x1x1x1xf32>) -> tensor<0x1x4294967296x4294967296xf32>
  return
}

// -----

func.func @filter_size_overflows(%x: tensor<1x1x1x1xf32>, %w: tensor<1x1x9223372036854775807x1xf32>) {
  // expected-error@+1 {{size of 'filter' overflows 64 bits: 'tensor<1x1x9223372036854775807x1xf32>'}}
  %0 = top.Conv2D %x, %w : (tensor<1x1x1x1xf32>, tensor<1x1x9223372036854775807x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @result_shape(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<1x1x6x6xf32>', got 'tensor<1x1x6x8xf32>'}}
  %0 = top.Conv2D %x, %w : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x8xf32>
  return
}

// -----

func.func @result_rank(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<1x1x6x6xf32>', got 'tensor<1x36xf32>'}}
  %0 = top.Conv2D %x, %w : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x36xf32>
  return
}

// -----

// A static result of a dynamic input is not what follows from the operands.
func.func @result_of_dynamic_input(%x: tensor<?x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<?x1x6x6xf32>', got 'tensor<2x1x6x6xf32>'}}
  %0 = top.Conv2D %x, %w : (tensor<?x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<2x1x6x6xf32>
  return
}

// -----

// Bias of both ops.

func.func @bias_size(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %b: tensor<1xf32>) {
  // expected-error@+1 {{expected 'bias' to have 4 elements (F), got 1}}
  %0 = top.Conv2D %x, %w, %b : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<1xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @bias_rank(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %b: tensor<1x4xf32>) {
  // expected-error@+1 {{expected 'bias' to have rank 1 (F), got 2}}
  %0 = top.Conv2D %x, %w, %b : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<1x4xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @bias_type(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %b: tensor<4xf16>) {
  // expected-error@+1 {{expected 'bias' to have element type 'f32', got 'f16'}}
  %0 = top.Conv2D %x, %w, %b : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<4xf16>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @bias_integer(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %b: tensor<4xi64>) {
  // expected-error@+1 {{expected 'bias' to have element type 'f32', got 'i64'}}
  %0 = top.Conv2D %x, %w, %b : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<4xi64>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @matmul_bias_type(%a: tensor<2x3xf16>, %b: tensor<3x4xf16>, %bias: tensor<4xbf16>) {
  // expected-error@+1 {{expected 'bias' to have element type 'f16' or 'f32', got 'bf16'}}
  %0 = top.MatMul %a, %b, %bias : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xbf16>) -> tensor<2x4xf16>
  return
}

// -----

func.func @matmul_bias_size(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %bias: tensor<2xf32>) {
  // expected-error@+1 {{expected 'bias' to have 4 elements (N), got 2}}
  %0 = top.MatMul %a, %b, %bias : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_bias_encoding(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %bias: tensor<4xf32, 1>) {
  // expected-error@+1 {{expected 'bias' without encoding, got 1 : i64}}
  %0 = top.MatMul %a, %b, %bias : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32, 1>) -> tensor<2x4xf32>
  return
}

// -----

// Epilogues.

func.func @epilogue_of_integers(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{expected 'epilogue' to hold #top.step attributes, got 3 : i64 at position 1}}
  %0 = top.MatMul %a, %b {epilogue = [#top.step<relu>, 3]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @epilogue_not_an_array(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{attribute 'epilogue' failed to satisfy constraint: array attribute}}
  %0 = top.MatMul %a, %b {epilogue = #top.step<relu>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @epilogue_operand_missing(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %v: tensor<4xf32>) {
  // expected-error@+1 {{expected 2 epilogue operands for the steps in 'epilogue', got 1}}
  %0 = top.MatMul %a, %b epilogue(%v) {epilogue = [#top.step<affine>]} : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @epilogue_operand_without_step(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %v: tensor<2x4xf32>) {
  // expected-error@+1 {{expected 0 epilogue operands for the steps in 'epilogue', got 1}}
  %0 = top.MatMul %a, %b epilogue(%v) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @affine_size(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %s: tensor<4xf32>, %t: tensor<6xf32>) {
  // expected-error@+1 {{expected epilogue operand #1 ('affine') to have 4 elements (F), got 6}}
  %0 = top.Conv2D %x, %w epilogue(%s, %t) {epilogue = [#top.step<affine>]} : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<4xf32>, tensor<6xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @affine_rank(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %s: tensor<1x4x1x1xf32>, %t: tensor<4xf32>) {
  // expected-error@+1 {{expected epilogue operand #0 ('affine') to have rank 1 (F), got 4}}
  %0 = top.Conv2D %x, %w epilogue(%s, %t) {epilogue = [#top.step<affine>]} : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<1x4x1x1xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @add_rank(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %r: tensor<4xf32>) {
  // expected-error@+1 {{expected epilogue operand #0 ('add') to have rank 4 as the result, got 1}}
  %0 = top.Conv2D %x, %w epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @mul_shape(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %r: tensor<1x4x6x6xf32>, %g: tensor<1x2x1x1xf32>) {
  // expected-error@+1 {{expected dimension 1 of epilogue operand #1 ('mul') to be 4 as in the result, or 1, got 'tensor<1x2x1x1xf32>'}}
  %0 = top.Conv2D %x, %w epilogue(%r, %g) {epilogue = [#top.step<add>, #top.step<mul>]} : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>, tensor<1x4x6x6xf32>, tensor<1x2x1x1xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @add_type(%x: tensor<1x1x8x8xf16>, %w: tensor<4x1x3x3xf16>, %r: tensor<1x4x6x6xf64>) {
  // expected-error@+1 {{expected epilogue operand #0 ('add') to have element type 'f16' or 'f32', got 'f64'}}
  %0 = top.Conv2D %x, %w epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<1x1x8x8xf16>, tensor<4x1x3x3xf16>, tensor<1x4x6x6xf64>) -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @add_integer(%x: tensor<1x1x8x8xf16>, %w: tensor<4x1x3x3xf16>, %r: tensor<1x4x6x6xi8>) {
  // expected-error@+1 {{expected epilogue operand #0 ('add') to have element type 'f16' or 'f32', got 'i8'}}
  %0 = top.Conv2D %x, %w epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<1x1x8x8xf16>, tensor<4x1x3x3xf16>, tensor<1x4x6x6xi8>) -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @affine_type(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %s: tensor<4xf64>, %t: tensor<4xf32>) {
  // expected-error@+1 {{expected epilogue operand #0 ('affine') to have element type 'f32', got 'f64'}}
  %0 = top.MatMul %a, %b epilogue(%s, %t) {epilogue = [#top.step<affine>]} : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf64>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_affine_size(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %s: tensor<4xf32>, %t: tensor<2xf32>) {
  // expected-error@+1 {{expected epilogue operand #1 ('affine') to have 4 elements (N), got 2}}
  %0 = top.MatMul %a, %b epilogue(%s, %t) {epilogue = [#top.step<affine>]} : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

// The attribute #top.step.

// expected-error@+1 {{expected an epilogue step (affine, add, mul, relu, clamp, silu, hardswish, sigmoid or gelu), got 'tanh'}}
func.func private @unknown_step() attributes {test.step = #top.step<tanh>}

// -----

// expected-error@+1 {{expected 'min' of a 'clamp' step to be at most 'max', got 6.000000e+00 and 0.000000e+00}}
func.func private @clamp_order() attributes {test.step = #top.step<clamp, min = 6.0, max = 0.0>}

// -----

// expected-error@+1 {{expected 'min' of a 'clamp' step to be at most 'max', got 0.000000e+00 and nan}}
func.func private @clamp_nan() attributes {test.step = #top.step<clamp, min = 0.0, max = 0x7FF8000000000000>}

// -----

// expected-error@+1 {{expected ','}}
func.func private @clamp_without_bounds() attributes {test.step = #top.step<clamp>}

// -----

// expected-error@+1 {{expected 'max'}}
func.func private @clamp_without_max() attributes {test.step = #top.step<clamp, min = 0.0, min = 1.0>}

// -----

// expected-error@+1 {{expected '>'}}
func.func private @bounds_on_relu() attributes {test.step = #top.step<relu, min = 0.0, max = 6.0>}

// -----

// expected-error@+1 {{expected valid keyword}}
func.func private @step_without_kind() attributes {test.step = #top.step<>}

// -----

// expected-error@+1 {{unknown attribute `stage` in dialect `top`}}
func.func private @unknown_attribute() attributes {test.step = #top.stage<relu>}

// -----

// MatMul.

func.func @matmul_rank_1(%a: tensor<3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{expected 'lhs' to have rank 2 or 3, got 1}}
  %0 = top.MatMul %a, %b : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @matmul_rank_4(%a: tensor<2x3xf32>, %b: tensor<1x1x3x4xf32>) {
  // expected-error@+1 {{expected 'rhs' to have rank 2 or 3, got 4}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<1x1x3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_batched_rhs_only(%a: tensor<2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error@+1 {{expected 'rhs' to have rank 2 as 'lhs', got 3}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @matmul_inner(%a: tensor<16x24xf32>, %b: tensor<25x16xf32>) {
  // expected-error@+1 {{expected the inner dimensions K of 'lhs' and 'rhs' to be equal, got 24 and 25 ('tensor<16x24xf32>' and 'tensor<25x16xf32>')}}
  %0 = top.MatMul %a, %b : (tensor<16x24xf32>, tensor<25x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

// Both transposed: K is dimension 0 of lhs and 1 of rhs.
func.func @matmul_inner_transposed(%a: tensor<16x24xf32>, %b: tensor<25x17xf32>) {
  // expected-error@+1 {{expected the inner dimensions K of 'lhs' and 'rhs' to be equal, got 16 and 17}}
  %0 = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<16x24xf32>, tensor<25x17xf32>) -> tensor<24x25xf32>
  return
}

// -----

func.func @matmul_batch(%a: tensor<2x16x24xf32>, %b: tensor<3x24x16xf32>) {
  // expected-error@+1 {{expected the batch sizes of 'lhs' and 'rhs' to be equal, got 2 and 3}}
  %0 = top.MatMul %a, %b : (tensor<2x16x24xf32>, tensor<3x24x16xf32>) -> tensor<2x16x16xf32>
  return
}

// -----

// A batch of 1 is not broadcast.
func.func @matmul_batch_1(%a: tensor<2x16x24xf32>, %b: tensor<1x24x16xf32>) {
  // expected-error@+1 {{expected the batch sizes of 'lhs' and 'rhs' to be equal, got 2 and 1}}
  %0 = top.MatMul %a, %b : (tensor<2x16x24xf32>, tensor<1x24x16xf32>) -> tensor<2x16x16xf32>
  return
}

// -----

func.func @matmul_mixed(%a: tensor<2x3xf32>, %b: tensor<3x4xf64>) {
  // expected-error@+1 {{expected 'rhs' to have the element type of 'lhs', 'f32', got 'f64'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return
}

// -----

func.func @matmul_f8(%a: tensor<2x3xf8E4M3FNUZ>, %b: tensor<3x4xf8E4M3FNUZ>) {
  // expected-error@+1 {{expected 'lhs' to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got 'f8E4M3FNUZ'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf8E4M3FNUZ>, tensor<3x4xf8E4M3FNUZ>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_complex(%a: tensor<2x3xf32>, %b: tensor<3x4xcomplex<f32>>) {
  // expected-error@+1 {{expected 'rhs' to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got 'complex<f32>'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<3x4xcomplex<f32>>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_encoding(%a: tensor<2x3xf32>, %b: tensor<3x4xf32, "x">) {
  // expected-error@+1 {{expected 'rhs' without encoding, got "x"}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32, "x">) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_result_type(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>) {
  // expected-error@+1 {{expected 'result' to have element type 'f64', got 'f32'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_result_shape(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<2x4xf32>', got 'tensor<4x2xf32>'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_result_overflows(%a: tensor<4294967296x1xf32>, %b: tensor<1x4294967296xf32>) {
  // expected-error@+1 {{size of 'result' overflows 64 bits: 'tensor<4294967296x4294967296xf32>'}}
  %0 = top.MatMul %a, %b : (tensor<4294967296x1xf32>, tensor<1x4294967296xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @transpose_of_i32(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{attribute 'transpose_a' failed to satisfy constraint: bool attribute}}
  %0 = top.MatMul %a, %b {transpose_a = 0 : i32} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// What no operand or segment can be.

func.func @unranked(%x: tensor<*xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of any type values, but got 'tensor<*xf32>'}}
  %0 = top.Conv2D %x, %w : (tensor<*xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @memref(%a: memref<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of any type values, but got 'memref<2x3xf32>'}}
  %0 = top.MatMul %a, %b : (memref<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @segments(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %0 = "top.MatMul"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// The sum is right and the parts are not.
func.func @two_inputs(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{expected 'operandSegmentSizes' to give 1 value to 'input', got 2}}
  %0 = "top.Conv2D"(%x, %w) <{operandSegmentSizes = array<i32: 2, 0, 0, 0>}> : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @no_rhs(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{expected 'operandSegmentSizes' to give 1 value to 'rhs', got 0}}
  %0 = "top.MatMul"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @two_biases(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %v: tensor<4xf32>) {
  // expected-error@+1 {{operand group starting at #2 requires 0 or 1 element, but found 2}}
  %0 = "top.MatMul"(%a, %b, %v, %v) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// Files of tpu-mlir, in the generic form that it prints.

func.func @other_dialect(%x: tensor<1x3x8x8xf32>, %w: tensor<8x3x3x3xf32>, %b: none) {
  // expected-error@+2 {{unregistered operation 'top.Conv' found in dialect ('top') that does not allow unknown operations}}
  // expected-note@+1 {{the dialect 'top' of this tool has the ops 'top.Conv2D' and 'top.MatMul'; tpu-mlir has another dialect of the same name, whose files it does not read}}
  %0 = "top.Conv"(%x, %w, %b) {strides = [1, 1], pads = [0, 0, 0, 0]} : (tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>, none) -> tensor<1x8x6x6xf32>
  return
}

// -----

// expected-error@+2 {{unregistered operation 'top.Weight' found in dialect ('top') that does not allow unknown operations}}
// expected-note@+1 {{tpu-mlir has another dialect of the same name}}
%0 = "top.Weight"() : () -> tensor<8x3x3x3xf32>

// -----

// The custom form.

func.func @custom_form(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+2 {{custom op 'top.Matmul' is not an op of dialect 'top'}}
  // expected-note@+1 {{the dialect 'top' of this tool has the ops 'top.Conv2D' and 'top.MatMul'}}
  %0 = top.Matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// An op of another unregistered dialect gets no note of ours.
func.func @not_ours() {
  "tops.Conv"() : () -> ()
  return
}

// -----

// Eight bits: products only.

func.func @conv_of_i8(%x: tensor<1x4x8x8xi8>, %w: tensor<8x4x3x3xi8>) {
  // expected-error@+1 {{expected 'input' to have element type f64, f32, f16 or bf16, got 'i8'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xi8>, tensor<8x4x3x3xi8>) -> tensor<1x8x6x6xi32>
  return
}

// -----

func.func @conv_of_f8(%x: tensor<1x4x8x8xf8E5M2>, %w: tensor<8x4x3x3xf8E5M2>) {
  // expected-error@+1 {{expected 'input' to have element type f64, f32, f16 or bf16, got 'f8E5M2'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf8E5M2>, tensor<8x4x3x3xf8E5M2>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @unsigned(%a: tensor<2x3xui8>, %b: tensor<3x4xui8>) {
  // expected-error@+1 {{expected 'lhs' to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got 'ui8'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xui8>, tensor<3x4xui8>) -> tensor<2x4xi32>
  return
}

// -----

func.func @i32_factors(%a: tensor<2x3xi32>, %b: tensor<3x4xi32>) {
  // expected-error@+1 {{expected 'lhs' to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got 'i32'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @mixed_f8(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x4xf8E5M2>) {
  // expected-error@+1 {{expected 'rhs' to have the element type of 'lhs', 'f8E4M3FN', got 'f8E5M2'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf8E4M3FN>, tensor<3x4xf8E5M2>) -> tensor<2x4xf32>
  return
}

// -----

func.func @i8_to_i8(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) {
  // expected-error@+1 {{expected 'result' to have element type 'i32', got 'i8'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi8>
  return
}

// -----

func.func @f8_to_f8(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x4xf8E4M3FN>) {
  // expected-error@+1 {{expected 'result' to have element type 'f32', 'f16' or 'bf16', got 'f8E4M3FN'}}
  %0 = top.MatMul %a, %b : (tensor<2x3xf8E4M3FN>, tensor<3x4xf8E4M3FN>) -> tensor<2x4xf8E4M3FN>
  return
}

// -----

func.func @float_bias_of_i8(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>, %c: tensor<4xf32>) {
  // expected-error@+1 {{expected 'bias' to have element type 'i32', got 'f32'}}
  %0 = top.MatMul %a, %b, %c : (tensor<2x3xi8>, tensor<3x4xi8>, tensor<4xf32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @i8_operand_of_i32(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>, %r: tensor<2x4xi8>) {
  // expected-error@+1 {{expected epilogue operand #0 ('add') to have element type 'i32', got 'i8'}}
  %0 = top.MatMul %a, %b epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<2x3xi8>, tensor<3x4xi8>, tensor<2x4xi8>) -> tensor<2x4xi32>
  return
}

// -----

func.func @f8_bias(%a: tensor<2x3xf8E5M2>, %b: tensor<3x4xf8E5M2>, %c: tensor<4xf8E5M2>) {
  // expected-error@+1 {{expected 'bias' to have element type 'bf16' or 'f32', got 'f8E5M2'}}
  %0 = top.MatMul %a, %b, %c : (tensor<2x3xf8E5M2>, tensor<3x4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<2x4xbf16>
  return
}

// -----

func.func @sigmoid_of_i32(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) {
  // expected-error@+1 {{expected epilogue steps that are exact in 'i32', the type of 'result' (affine, add, mul, relu, clamp), got 'sigmoid' at position 1}}
  %0 = top.MatMul %a, %b {epilogue = [#top.step<relu>, #top.step<sigmoid>]} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return
}

// -----

func.func @fraction(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) {
  // expected-error@+1 {{expected 'max' of the clamp at position 0 to be a whole number of 'i32', the type of 'result', got 6.500000e+00}}
  %0 = top.MatMul %a, %b {epilogue = [#top.step<clamp, min = 0.0, max = 6.5>]} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return
}

// -----

func.func @above_i32(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) {
  // expected-error@+1 {{expected 'max' of the clamp at position 0 to be a whole number of 'i32', the type of 'result', got 0x41E0000000000000}}
  %0 = top.MatMul %a, %b {epilogue = [#top.step<clamp, min = -2147483648.0, max = 2147483648.0>]} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return
}

// -----

func.func @nan_of_i32(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) {
  // expected-error@+1 {{expected no 'nan' in the clamp at position 0, since 'result' is of 'i32', got 6.000000e+00}}
  %0 = top.MatMul %a, %b {epilogue = [#top.step<clamp, min = 0.0, max = 6.0, nan = 6.0>]} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return
}
