//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What files of MLIR of 2022 to 2025 hold that 22.1 refuses, and what to write
// instead. Matched by the texts of MLIR's errors, which its own tests fix; one
// that changes loses its hint and nothing else.
//
//===----------------------------------------------------------------------===//

#include "mlir/Support/LLVM.h"
#include "top/InputHints/InputHints.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::top;

namespace {

struct SyntaxHint {
  /// The op that the error quotes.
  StringLiteral op;
  /// A part of the error; empty: that there is no such op.
  StringLiteral error;
  StringLiteral hint;
};

} // namespace

static constexpr StringLiteral matmulMaps =
    "is now 'linalg.matmul' with indexing_maps, as in linalg.matmul "
    "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> "
    "(n, k)>, affine_map<(m, n, k) -> (m, n)>] for a transposed right side";
static constexpr StringLiteral batchMatmulMaps =
    "is now 'linalg.batch_matmul' with indexing_maps, as in "
    "linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, "
    "k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> "
    "(b, m, n)>] for a transposed right side";
static constexpr StringLiteral elementwise =
    "is now 'linalg.elementwise', as in linalg.elementwise "
    "kind=#linalg.elementwise_kind<exp> ins(...) outs(...)";
static constexpr StringLiteral isArith =
    "is now in the dialect 'arith': write 'arith.' in front";
static constexpr StringLiteral isCf =
    "is now in the dialect 'cf': write 'cf.' in front";
static constexpr StringLiteral tosaZeroPoints =
    "now takes the zero points of input and weight as two more operands "
    "(tensors of one element, 0 for floats) and an attribute acc_type, in "
    "place of quantization_info";
static constexpr StringLiteral tosaDivisible =
    "must now have windows that end with the padded input: lower the pads "
    "below and to the right until the stride divides, or cut the input by "
    "tosa.slice";
static constexpr StringLiteral tosaArrays =
    "now has its lists as array<i64: 1, 1>, in place of [1, 1]";
static constexpr StringLiteral noOp = "";
static constexpr StringLiteral operands = "operands, but found";

static constexpr SyntaxHint hints[] = {
    // linalg and tensor
    {"tensor.expand_shape", "expected 'output_shape'",
     "now names the sizes of its result, as in tensor.expand_shape %x [[0], "
     "[1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>"},
    {"linalg.init_tensor", noOp,
     "is now 'tensor.empty', as in tensor.empty() : tensor<4x6xf32>"},
    {"linalg.fill", "[parseNamedStructuredOpRegion]",
     "is now written with ins and outs, as in linalg.fill ins(%value : f32) "
     "outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {"linalg.matmul_transpose_a", noOp, matmulMaps},
    {"linalg.matmul_transpose_b", noOp, matmulMaps},
    {"linalg.batch_matmul_transpose_a", noOp, batchMatmulMaps},
    {"linalg.batch_matmul_transpose_b", noOp, batchMatmulMaps},
    {"linalg.elemwise_unary", noOp, elementwise},
    {"linalg.elemwise_binary", noOp, elementwise},
    {"linalg.map", "to match the arity of mapper",
     "now has the value of its 'outs' as the last argument of its body, as in "
     "(%in: f32, %out: f32)"},
    {"linalg.pad_tensor", noOp,
     "is now 'tensor.pad', with tensor.yield at the end of its body"},
    {"linalg.tensor_expand_shape", noOp, "is now 'tensor.expand_shape'"},
    {"linalg.tensor_collapse_shape", noOp, "is now 'tensor.collapse_shape'"},
    {"linalg.conv_2d_nchw", noOp, "is now 'linalg.conv_2d_nchw_fchw'"},
    {"linalg.depthwise_conv_2d_nchw", noOp,
     "is now 'linalg.depthwise_conv_2d_nchw_chw'"},
    {"linalg.depthwise_conv_2d_nchw_chwm", noOp,
     "does not exist any more: write linalg.conv_2d_ngchw_gfchw, or "
     "linalg.depthwise_conv_2d_nhwc_hwcm between transposes"},
    {"tensor.pack", noOp, "is now 'linalg.pack'"},
    {"tensor.unpack", noOp, "is now 'linalg.unpack'"},
    // arith, math and what was `std`
    {"arith.maxf", noOp, "is now 'arith.maximumf'"},
    {"arith.minf", noOp, "is now 'arith.minimumf'"},
    {"math.abs", noOp,
     "is now 'math.absf' for floats and 'math.absi' for integers"},
    {"func", noOp, "is now 'func.func'"},
    {"select", noOp, isArith},
    {"addf", noOp, isArith},
    {"subf", noOp, isArith},
    {"mulf", noOp, isArith},
    {"divf", noOp, isArith},
    {"negf", noOp, isArith},
    {"cmpf", noOp, isArith},
    {"addi", noOp, isArith},
    {"subi", noOp, isArith},
    {"muli", noOp, isArith},
    {"cmpi", noOp, isArith},
    {"truncf", noOp, isArith},
    {"br", noOp, isCf},
    {"cond_br", noOp, isCf},
    {"assert", noOp, isCf},
    // bufferization and scf
    {"bufferization.to_memref", noOp, "is now 'bufferization.to_buffer'"},
    {"bufferization.to_tensor", "expected 'to'",
     "now names both types, as in bufferization.to_tensor %m : memref<4xf32> "
     "to tensor<4xf32>"},
    {"memref.tensor_load", noOp, "is now 'bufferization.to_tensor'"},
    {"scf.foreach_thread", noOp, "is now 'scf.forall'"},
    // tosa
    {"tosa.const", "requires attribute 'values'",
     "now has 'values' for 'value'"},
    {"tosa.conv2d", operands, tosaZeroPoints},
    {"tosa.depthwise_conv2d", operands, tosaZeroPoints},
    {"tosa.transpose_conv2d", operands, tosaZeroPoints},
    {"tosa.conv3d", operands, tosaZeroPoints},
    {"tosa.conv2d", "to be wholly divisible by stride", tosaDivisible},
    {"tosa.depthwise_conv2d", "to be wholly divisible by stride",
     tosaDivisible},
    {"tosa.max_pool2d", "to be wholly divisible by stride", tosaDivisible},
    {"tosa.avg_pool2d", "to be wholly divisible by stride", tosaDivisible},
    {"tosa.conv2d", "i64 dense array", tosaArrays},
    {"tosa.depthwise_conv2d", "i64 dense array", tosaArrays},
    {"tosa.max_pool2d", "i64 dense array", tosaArrays},
    {"tosa.avg_pool2d", "i64 dense array", tosaArrays},
    {"tosa.avg_pool2d", operands,
     "now takes the zero points of input and output as two more operands"},
    {"tosa.matmul", operands,
     "now takes the zero points of its sides as two more operands (tensors of "
     "one element, 0 for floats)"},
    {"tosa.negate", operands,
     "now takes the zero points of input and output as two more operands"},
    {"tosa.mul", operands,
     "now takes the shift as an operand, a constant of type tensor<1xi8>"},
    {"tosa.reshape", operands,
     "now takes the new shape as an operand, a tosa.const_shape"},
    {"tosa.reshape", "invalid properties",
     "now takes the new shape as an operand, a tosa.const_shape"},
    {"tosa.slice", operands,
     "now takes start and size as operands, each a tosa.const_shape"},
    {"tosa.pad", operands,
     "now takes the padding as a tosa.const_shape, and the value to pad with "
     "as a third operand"},
    {"tosa.transpose", "requires a single operand",
     "now has the permutation as an attribute, as in {perms = array<i32: 0, 2, "
     "3, 1>}"},
    {"tosa.clamp", "requires attribute",
     "now has 'min_val' and 'max_val', of the element type, for 'min_fp', "
     "'max_fp', 'min_int' and 'max_int'"},
    {"tosa.fully_connected", noOp,
     "does not exist any more: write tosa.matmul, or tosa.conv2d with a 1x1 "
     "filter"},
    {"tosa.div", noOp, "is now 'tosa.intdiv'"},
};

std::string top::getSyntaxHint(StringRef error) {
  // "custom op 'func' is unknown (tried 'builtin.func' as well)" and
  // "unregistered operation 'tosa.div' found in dialect ...".
  const bool isUnknown = error.contains("' is unknown") ||
                         error.starts_with("unregistered operation '");
  StringRef quoted = error.split('\'').second.split('\'').first;
  // "invalid properties {...} for op tosa.reshape: this operation ...".
  if (error.starts_with("invalid properties "))
    quoted = error.rsplit(" for op ").second.split(':').first;
  for (const SyntaxHint &hint : hints)
    if (quoted == hint.op &&
        (hint.error.empty() ? isUnknown : error.contains(hint.error)))
      return (Twine("'") + hint.op + "' " + hint.hint).str();
  if (error.starts_with("Dialect `std' not found"))
    return "the dialect 'std' became 'arith', 'cf', 'func' and 'math'";
  return {};
}
