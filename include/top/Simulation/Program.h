//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel as the simulated GPU takes it: code of this machine that calls the
// simulator for every GPU instruction, and the table that says what each of
// these calls stands for. Made by top-nvvm-to-sim and the JIT, or by hand in
// tests; knows no IR.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_SIMULATION_PROGRAM_H
#define TOP_SIMULATION_PROGRAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::top::sim {

/// A CUDA thread that the machine runs; see Machine.h.
class Thread;

/// One place in the code where a GPU instruction or a memory access stands.
/// Threads that meet in a collective instruction must be at the same site.
struct Site {
  /// The op's name, "nvvm.ldmatrix", or what a hand-written instruction is
  /// called, "cp.async.if"; "llvm.load", "llvm.store", "llvm.atomicrmw" or
  /// "llvm.cmpxchg" for an access.
  std::string op;
  /// Attributes by name, their values as text: integers in decimal, what
  /// stands between the brackets of a dialect's attributes ("row" for
  /// #nvvm.mma_layout<row>), "true" where it is there without a value.
  llvm::StringMap<std::string> attributes;
  /// Types as MLIR prints them: "i32", "!llvm.ptr<3>", "vector<2xf16>".
  llvm::SmallVector<std::string, 4> operandTypes;
  std::string resultType; ///< empty = none
  /// How many operands each group has, for an op with groups; else empty.
  llvm::SmallVector<int32_t, 4> operandSegments;
  std::string location; ///< "product.mlir:12:8", for messages
};

/// A variable in the shared memory of a block.
struct SharedVariable {
  std::string name;
  int64_t bytes; ///< 0 for the one that takes the launch's dynamic bytes
  int64_t alignment;
  bool isDynamic;
};

/// Calls a kernel: `parameters[i]` points at the value of parameter i, as for
/// cuLaunchKernel.
using KernelFunction = void (*)(Thread *thread, void **parameters);

struct Kernel {
  std::string name;
  KernelFunction function = nullptr;
  /// Threads of a block that the kernel demands (nvvm.reqntid); 0 = any.
  int64_t requiredThreads = 0;
  unsigned numParameters = 0;
};

struct Program {
  std::vector<Site> sites;
  /// "tid.x", "ctaid.y", "laneid" and so on, as PTX names them.
  std::vector<std::string> registers;
  std::vector<SharedVariable> shared;
  std::vector<Kernel> kernels;
};

//===----------------------------------------------------------------------===//
// What the code calls
//===----------------------------------------------------------------------===//

extern "C" {
/// Carries out the instruction at `site`. `operands` holds each operand in a
/// slot of its size rounded up to 8 bytes; the result, a struct laid out as in
/// C, goes to `result`. May run other threads before it returns.
void topSimExecute(Thread *thread, int32_t site, const char *operands,
                   char *result);
/// Before a load (`isStore` = 0), a store (1) or an atomic read and write (2)
/// of `bytes` at `address`, in shared or in global memory. The code does the
/// access itself. Alignment: that of `bytes` up to 16, or what the site's
/// attribute "alignment" says where that is less. Does not return where the
/// access is not possible. May run other threads before it returns.
void topSimAccess(Thread *thread, int32_t site, const void *address,
                  int32_t bytes, int32_t isStore);
/// The special register `index` of the program's table. Pure.
int32_t topSimRegister(const Thread *thread, int32_t index);
/// The address of the shared variable `index` of the program's table. Pure.
void *topSimShared(const Thread *thread, int32_t index);
}

} // namespace mlir::top::sim

#endif // TOP_SIMULATION_PROGRAM_H
