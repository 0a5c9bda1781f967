//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stacks that code runs on in turns: each CUDA thread has one. A switch is one
// call of Boost.Context.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_FIBER_H
#define TOP_LIB_SIMULATION_FIBER_H

#include <cstddef>
#include <cstdint>

namespace mlir::top::sim {

/// A place in code that can be left and gone on with: a fiber of its own, or
/// where a worker called its first one. Belongs to one worker.
class Fiber {
public:
  using Body = void (*)(void *argument);

  Fiber() = default;
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  /// What was on the stack is given up, not unwound: it may be frames of
  /// compiled kernels, which know nothing of exceptions.
  ~Fiber() = default;

  /// The next switch to this fiber calls `body`, which must not return. What
  /// it did before is given up. `leaving` is the worker's variable for
  /// switchTo.
  void start(char *stack, size_t bytes, Body body, void *argument,
             Fiber **leaving);

  /// Goes on with `to`; returns when something switches back to `from`.
  static void switchTo(Fiber &from, Fiber &to, Fiber **leaving);

private:
  void arrive(Fiber **leaving);

  void *state = nullptr; ///< a boost::context::fiber, which is a pointer
  // For the address sanitizer, which must know the stack that code runs on.
  const void *stack = nullptr;
  size_t stackBytes = 0;
  void *fakeStack = nullptr;
};

/// Stacks of the fibers of a worker: memory that is there once it is touched,
/// each with a page below it that nothing may touch.
class Stacks {
public:
  /// Holds the locals of a kernel, and calls of the simulator.
  static constexpr size_t kBytes = 128 << 10;

  Stacks() = default;
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;
  ~Stacks();

  /// Makes room for so many; false where the host has none. Stacks so far are
  /// kept only where there are enough of them.
  bool reserve(unsigned count);
  unsigned size() const { return count; }
  /// The lowest byte of a stack of getBytes.
  char *get(unsigned index) const;
  /// Tops of stacks differ in their offset in a page: fibers run the same code,
  /// and would all use the same lines of the cache.
  size_t getBytes(unsigned index) const { return kBytes - index % 13 * 320; }
  bool contains(unsigned index, uint64_t address, uint64_t bytes) const {
    const uint64_t low = reinterpret_cast<uint64_t>(get(index));
    return address >= low && address + bytes <= low + kBytes;
  }

private:
  void unmap();

  char *memory = nullptr;
  unsigned count = 0;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_FIBER_H
