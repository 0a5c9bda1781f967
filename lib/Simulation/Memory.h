//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of the simulated device: buffers of global memory on the host, and
// windows of shared memory at addresses that fit in 32 bits.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_MEMORY_H
#define TOP_LIB_SIMULATION_MEMORY_H

#include "Random.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>

namespace mlir::top::sim {

/// A buffer of global memory: bytes [begin, end), in a mapping of its own with
/// bytes on both sides that no access may touch.
struct Buffer {
  uint64_t begin, end;
  bool isWritable = true;
  uint64_t mapping, mappingBytes;
};

class GlobalMemory {
public:
  /// More than any access goes astray by one row or tile; what lies beyond may
  /// be another buffer.
  static constexpr int64_t kRedZone = 64 << 10;
  /// What cuMemAlloc promises. Buffers are aligned to no more.
  static constexpr int64_t kAlignment = 256;

  explicit GlobalMemory(uint64_t seed)
      : fillsWithNaN(seed % 2 == 0), random(seed, /*stream=*/~0ull) {}
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;
  ~GlobalMemory();

  llvm::Expected<uint64_t> allocate(int64_t bytes);
  llvm::Error release(uint64_t address);
  /// The buffer that begins at `address`.
  llvm::Expected<Buffer &> get(uint64_t address);
  /// The host's view of [address, address + bytes), which must lie in one
  /// buffer.
  llvm::Expected<char *> access(uint64_t address, int64_t bytes) const;

  /// The buffer that holds all of the bytes; null where none does.
  const Buffer *find(uint64_t address, uint64_t bytes) const;
  /// Where `address` lies, to follow "at": "byte 48 of a buffer of 64 bytes",
  /// "8 bytes beyond the end of a buffer of 64 bytes".
  std::string describe(uint64_t address) const;

private:
  std::map<uint64_t, Buffer> buffers; ///< by their beginnings
  bool fillsWithNaN;
  Random random;
};

/// Shared memory of the blocks of one worker, one at a time.
class SharedWindow {
public:
  /// The bits of an address above these are the worker's; those of rank in the
  /// cluster follow the 16 MB of a block.
  static constexpr unsigned kSliceBits = 28, kRankBits = 24;
  /// The system has the first KB of a block's window (CUDA C++ Programming
  /// Guide, "Shared Memory" of compute capability 8.x and 9.0).
  static constexpr uint32_t kReserved = 1024;

  SharedWindow() = default;
  SharedWindow(const SharedWindow &) = delete;
  SharedWindow &operator=(const SharedWindow &) = delete;
  ~SharedWindow();

  /// Maps `bytes` at the first free slice below 4 GB; false where there is
  /// none. Does nothing where so many are mapped.
  bool reserve(uint32_t bytes);
  uint64_t getBegin() const { return begin; }
  bool contains(uint64_t address) const {
    return address - begin < (uint64_t(1) << kSliceBits);
  }

private:
  uint64_t begin = ~0ull;
  uint32_t bytes = 0;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_MEMORY_H
