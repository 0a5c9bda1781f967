//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Fiber.h. The one file that needs exceptions switched on, for Boost's
// headers; nothing here throws.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define TOP_SIMULATION_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TOP_SIMULATION_ASAN 1
#endif
#endif
#ifdef TOP_SIMULATION_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

using namespace mlir::top::sim;
using Context = boost::context::fiber;

static_assert(sizeof(Context) == sizeof(void *) &&
                  alignof(Context) <= alignof(void *),
              "a fiber of Boost.Context is expected to be a pointer");

namespace {
/// What the constructor of a fiber asks for; the stacks are ours.
struct NoAllocator {
  boost::context::stack_context allocate() { return {}; }
  void deallocate(boost::context::stack_context &) noexcept {}
};
} // namespace

/// Tells the address sanitizer that frames in this memory are gone, which have
/// left their marks: fibers are given up in the middle of their code. Not by
/// ASAN_UNPOISON_MEMORY_REGION, which the option allow_user_poisoning=0 turns
/// off.
#ifdef TOP_SIMULATION_ASAN
__attribute__((no_sanitize("address"))) static void forgetFrames(char *lowest,
                                                                 size_t bytes) {
  size_t scale, offset;
  __asan_get_shadow_mapping(&scale, &offset);
  auto *mark = reinterpret_cast<volatile char *>(
      (reinterpret_cast<uintptr_t>(lowest) >> scale) + offset);
  for (size_t i = 0; i < bytes >> scale; ++i)
    mark[i] = 0;
}
#else
static void forgetFrames(char *, size_t) {}
#endif

static Context &getContext(void *&state) {
  return *std::launder(reinterpret_cast<Context *>(&state));
}

void Fiber::start(char *lowest, size_t bytes, Body body, void *argument,
                  Fiber **leaving) {
  stack = lowest;
  stackBytes = bytes;
  fakeStack = nullptr;
  forgetFrames(lowest, bytes);
  boost::context::stack_context context;
  context.sp = lowest + bytes;
  context.size = bytes;
  // In place of the old one, whose destructor would unwind its stack.
  new (&state)
      Context(std::allocator_arg,
              boost::context::preallocated(context.sp, context.size, context),
              NoAllocator(), [this, body, argument, leaving](Context &&from) {
                getContext((*leaving)->state) = std::move(from);
                arrive(leaving);
                body(argument);
                return Context(); // not reached
              });
}

void Fiber::arrive(Fiber **leaving) {
#ifdef TOP_SIMULATION_ASAN
  const void *bottom;
  size_t bytes;
  __sanitizer_finish_switch_fiber(fakeStack, &bottom, &bytes);
  (*leaving)->stack = bottom;
  (*leaving)->stackBytes = bytes;
#else
  (void)leaving;
#endif
}

void Fiber::switchTo(Fiber &from, Fiber &to, Fiber **leaving) {
  *leaving = &from;
#ifdef TOP_SIMULATION_ASAN
  __sanitizer_start_switch_fiber(&from.fakeStack, to.stack, to.stackBytes);
#endif
  Context back = std::move(getContext(to.state)).resume();
  // Whoever has come back here is not always `to`.
  getContext((*leaving)->state) = std::move(back);
  from.arrive(leaving);
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

static size_t getPageBytes() {
  static const size_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

char *Stacks::get(unsigned index) const {
  const size_t guard = getPageBytes();
  return memory + index * (kBytes + guard) + guard;
}

bool Stacks::reserve(unsigned wanted) {
  if (wanted <= count)
    return true;
  unmap();
  const size_t guard = getPageBytes();
  const size_t bytes = wanted * (kBytes + guard);
  void *mapped = mmap(nullptr, bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return false;
  memory = static_cast<char *>(mapped);
  count = wanted;
  for (unsigned i = 0; i < count; ++i)
    if (mprotect(get(i), kBytes, PROT_READ | PROT_WRITE) != 0) {
      unmap();
      return false;
    }
  return true;
}

void Stacks::unmap() {
  for (unsigned i = 0; i < count; ++i)
    forgetFrames(get(i), kBytes);
  if (memory)
    munmap(memory, count * (kBytes + getPageBytes()));
  memory = nullptr;
  count = 0;
}

Stacks::~Stacks() { unmap(); }
