//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes that kernels carry on their way to the simulated GPU.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_CONVERSION_NVVMTOSIM_NVVMTOSIM_H
#define TOP_CONVERSION_NVVMTOSIM_NVVMTOSIM_H

#include "mlir/Support/LLVM.h"

namespace mlir::top {

/// On inline assembly: what the instruction is called, a string, and what its
/// text has beside the operands, a dictionary. With them an instruction that no
/// op of the nvvm dialect stands for is one to all that read the IR, and
/// nothing needs to understand the text.
inline constexpr llvm::StringLiteral instructionName = "top.instruction";
inline constexpr llvm::StringLiteral instructionAttributesName =
    "top.instruction_attributes";

/// On the module that top-nvvm-to-sim leaves: a dictionary of what sim::Program
/// has, as the arrays below.
inline constexpr llvm::StringLiteral simulationName = "top.simulation";

/// The entries of that dictionary, and those of their elements. Numbers in the
/// code, as arguments of the simulator's functions, are positions in these
/// arrays.
namespace simulation {
/// Of dictionaries: `op`, a string; `attributes`, a dictionary; `operands`, an
/// array of types; `result`, a type, left out where there is none; `segments`,
/// an array of i32, for an op with groups of operands; `location`, a string.
inline constexpr llvm::StringLiteral sites = "sites";
inline constexpr llvm::StringLiteral op = "op";
inline constexpr llvm::StringLiteral attributes = "attributes";
inline constexpr llvm::StringLiteral operands = "operands";
inline constexpr llvm::StringLiteral result = "result";
inline constexpr llvm::StringLiteral segments = "segments";
inline constexpr llvm::StringLiteral location = "location";
/// Of strings.
inline constexpr llvm::StringLiteral registers = "registers";
/// Of dictionaries: `name`; `bytes`, 0 for dynamic ones, and `alignment`, i64;
/// `dynamic`, a unit attribute.
inline constexpr llvm::StringLiteral shared = "shared";
inline constexpr llvm::StringLiteral name = "name";
inline constexpr llvm::StringLiteral bytes = "bytes";
inline constexpr llvm::StringLiteral alignment = "alignment";
inline constexpr llvm::StringLiteral isDynamic = "dynamic";
/// Of dictionaries: `name`; `entry`, the function to call; `threads`, i64, of a
/// block, 0 = any; `parameters`, i64, how many; `read_only` and `writable`,
/// arrays of i64, the parameters that are pointers, by whether their memory is
/// only read.
inline constexpr llvm::StringLiteral kernels = "kernels";
inline constexpr llvm::StringLiteral entry = "entry";
inline constexpr llvm::StringLiteral threads = "threads";
inline constexpr llvm::StringLiteral parameters = "parameters";
inline constexpr llvm::StringLiteral readOnly = "read_only";
inline constexpr llvm::StringLiteral writable = "writable";
} // namespace simulation

} // namespace mlir::top

#endif // TOP_CONVERSION_NVVMTOSIM_NVVMTOSIM_H
