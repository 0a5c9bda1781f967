//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code compiled by the JIT calls in place of the C library: a heap that
// knows all its blocks, and an abort that returns to the caller of the code.
// Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_JITRUNTIME_H
#define TOP_LIB_EXECUTION_JITRUNTIME_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

#include <csetjmp>
#include <string>

namespace mlir::top {

/// The heap of one call of compiled code. At most one is active in a thread.
class JitCall {
public:
  /// With `guard` every block starts as NaN between bands of NaN.
  explicit JitCall(bool guard) : guard(guard) {}
  JitCall(const JitCall &) = delete;
  JitCall &operator=(const JitCall &) = delete;
  /// Frees what the code left allocated, results included.
  ~JitCall();

  /// Calls `function(args)`. Returns false where the code called abort;
  /// `getMessage` is then what it printed last.
  bool invoke(void (*function)(void **), void **args);

  const std::string &getMessage() const { return message; }
  /// Whether some block was written outside of its bounds, so far.
  bool wroteOutside();
  /// With `guard`: whether the block that holds `data` has been written
  /// outside of [data, data + bytes).
  bool wroteOutside(const char *data, size_t bytes) const;

  // The functions that the code calls.
  void *allocate(size_t bytes, size_t alignment);
  void release(void *pointer);
  void print(const char *text);
  [[noreturn]] void stop();

private:
  struct Block;
  bool isIntact(const Block &block) const;

  bool guard;
  bool damaged = false;
  Block *blocks = nullptr;
  std::string message;
  std::jmp_buf escape;
};

/// malloc, free, aligned_alloc, puts, abort and memrefCopy for the JIT.
llvm::orc::SymbolMap jitSymbols(llvm::orc::MangleAndInterner interner);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_JITRUNTIME_H
