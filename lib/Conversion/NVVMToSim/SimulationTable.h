//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code of the simulated GPU refers to by number: sites, special
// registers, shared variables, kernels. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_NVVMTOSIM_SIMULATIONTABLE_H
#define TOP_LIB_CONVERSION_NVVMTOSIM_SIMULATIONTABLE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::top {

/// A location in one line: "product.mlir:12:8 (top.tile_copy)", the name being
/// what a NameLoc says; `fallback` where nothing is known.
std::string describeLocation(Location loc, StringRef fallback);

class SimulationTable {
public:
  explicit SimulationTable(MLIRContext *context) : b(context) {}

  /// A site for `op`, which is still as the kernel has it.
  int32_t addSite(Operation *op);
  int32_t getRegister(StringRef name);
  void addShared(LLVM::GlobalOp variable, int64_t bytes, int64_t alignment);
  /// The number of a shared variable; -1 where there is none of that name.
  int32_t lookupShared(StringRef name) const;
  void addKernel(LLVM::LLVMFuncOp kernel, StringRef entry);

  DictionaryAttr getAttribute();

private:
  Builder b;
  SmallVector<Attribute> sites, shared, kernels;
  llvm::MapVector<StringAttr, int32_t> registers, sharedNumbers;
};

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_NVVMTOSIM_SIMULATIONTABLE_H
