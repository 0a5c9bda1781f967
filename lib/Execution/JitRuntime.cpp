//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime of JIT-compiled code; see JitRuntime.h.
//
//===----------------------------------------------------------------------===//

#include "JitRuntime.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::top;

static thread_local JitCall *activeCall = nullptr;

/// Bytes on either side of a guarded block.
static constexpr size_t kBand = 256;
static constexpr size_t kBlockAlignment = 64;

/// In front of the payload (and of its band): links of the list of live blocks.
struct JitCall::Block {
  Block *previous, *next;
  size_t bytes;
  char *payload;
};

static bool isPoison(const char *begin, const char *end) {
  return std::all_of(
      begin, end, [](char c) { return static_cast<unsigned char>(c) == 0xff; });
}

/// The header's address is found from the payload's alone, so that every block
/// has the same distance between them, whatever its alignment.
static constexpr size_t kHeader = kBlockAlignment;
static_assert(sizeof(void *) * 2 + sizeof(size_t) + sizeof(char *) <= kHeader);

bool JitCall::isIntact(const Block &block) const {
  if (!guard)
    return true;
  const char *end = block.payload + block.bytes;
  return isPoison(block.payload - kBand, block.payload) &&
         isPoison(end, end + kBand);
}

void *JitCall::allocate(size_t bytes, size_t alignment) {
  const size_t band = guard ? kBand : 0;
  alignment = std::max(alignment, kBlockAlignment);
  // The header and the front band lie in a prefix of a multiple of the
  // alignment.
  const size_t prefix = llvm::alignTo(kHeader + band, alignment);
  const size_t total = llvm::alignTo(prefix + bytes + band, alignment);
  auto *base = static_cast<char *>(std::aligned_alloc(alignment, total));
  if (!base)
    llvm::report_bad_alloc_error("out of memory in compiled code");
  char *payload = base + prefix;
  auto *block = reinterpret_cast<Block *>(payload - band - kHeader);
  if (guard)
    std::memset(payload - band, 0xff, bytes + 2 * band);
  *block = {nullptr, blocks, bytes, payload};
  if (blocks)
    blocks->previous = block;
  blocks = block;
  // `base` follows from the alignment, which the block does not keep.
  static_assert(sizeof(Block) + sizeof(char *) <= kHeader);
  std::memcpy(reinterpret_cast<char *>(block) + sizeof(Block), &base,
              sizeof(base));
  return payload;
}

void JitCall::release(void *pointer) {
  if (!pointer)
    return;
  auto *block = reinterpret_cast<Block *>(static_cast<char *>(pointer) -
                                          (guard ? kBand : 0) - kHeader);
  damaged |= !isIntact(*block);
  (block->previous ? block->previous->next : blocks) = block->next;
  if (block->next)
    block->next->previous = block->previous;
  char *base;
  std::memcpy(&base, reinterpret_cast<char *>(block) + sizeof(Block),
              sizeof(base));
  std::free(base);
}

JitCall::~JitCall() {
  while (blocks)
    release(blocks->payload);
}

bool JitCall::wroteOutside() {
  for (Block *block = blocks; block; block = block->next)
    damaged |= !isIntact(*block);
  return damaged;
}

bool JitCall::wroteOutside(const char *data, size_t bytes) const {
  for (Block *block = blocks; block && guard; block = block->next) {
    const char *end = block->payload + block->bytes;
    if (data >= block->payload && data <= end)
      return !isPoison(block->payload - kBand, data) ||
             !isPoison(data + bytes, end + kBand);
  }
  return false; // not of this heap: an argument or a constant
}

void JitCall::print(const char *text) { message = text; }

void JitCall::stop() { std::longjmp(escape, 1); }

bool JitCall::invoke(void (*function)(void **), void **args) {
  JitCall *outer = activeCall;
  activeCall = this;
  // Compiled code has no destructors, so that jumping out of it leaves nothing
  // behind but its blocks.
  const bool finished = setjmp(escape) == 0;
  if (finished)
    function(args);
  activeCall = outer;
  return finished;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static void *jitMalloc(size_t bytes) { return activeCall->allocate(bytes, 1); }
static void *jitAlignedAlloc(size_t alignment, size_t bytes) {
  return activeCall->allocate(bytes, alignment);
}
static void jitFree(void *pointer) { activeCall->release(pointer); }
static int jitPuts(const char *text) {
  activeCall->print(text);
  return 0;
}
static void jitAbort() { activeCall->stop(); }

namespace {
/// A memref descriptor whose rank is known at run time only.
struct UnrankedDescriptor {
  int64_t rank;
  int64_t *fields; // allocated, aligned, offset, sizes, strides

  char *data(int64_t elementBytes) const {
    return reinterpret_cast<char *>(fields[1]) + fields[2] * elementBytes;
  }
  int64_t size(int64_t d) const { return fields[3 + d]; }
  int64_t stride(int64_t d) const { return fields[3 + rank + d]; }
};
} // namespace

/// `memref.copy` of layouts that memcpy cannot do.
static void jitMemrefCopy(int64_t elementBytes, UnrankedDescriptor *source,
                          UnrankedDescriptor *target) {
  const int64_t rank = source->rank;
  const char *from = source->data(elementBytes);
  char *to = target->data(elementBytes);
  llvm::SmallVector<int64_t> at(rank, 0);
  for (int64_t d = 0; d < rank; ++d)
    if (source->size(d) == 0)
      return;
  while (true) {
    std::memcpy(to, from, elementBytes);
    int64_t d = rank;
    while (d-- > 0) {
      from += source->stride(d) * elementBytes;
      to += target->stride(d) * elementBytes;
      if (++at[d] < source->size(d))
        break;
      from -= at[d] * source->stride(d) * elementBytes;
      to -= at[d] * target->stride(d) * elementBytes;
      at[d] = 0;
    }
    if (d < 0)
      return;
  }
}

llvm::orc::SymbolMap top::jitSymbols(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported |
                                   llvm::JITSymbolFlags::Callable};
  };
  add("malloc", &jitMalloc);
  add("aligned_alloc", &jitAlignedAlloc);
  add("free", &jitFree);
  add("puts", &jitPuts);
  add("abort", &jitAbort);
  add("memrefCopy", &jitMemrefCopy);
  return symbols;
}
