//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Memory.h.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace mlir::top::sim;

static llvm::Error makeError(const std::string &text) {
  return llvm::createStringError(text);
}

GlobalMemory::~GlobalMemory() {
  for (auto &[begin, buffer] : buffers)
    munmap(reinterpret_cast<void *>(buffer.mapping), buffer.mappingBytes);
}

llvm::Expected<uint64_t> GlobalMemory::allocate(int64_t bytes) {
  constexpr int64_t kMost = int64_t(1) << 46; // of a process on Linux, half
  if (bytes < 0 || bytes > kMost)
    return makeError(llvm::formatv("cannot allocate {0} bytes", bytes));
  const uint64_t mappingBytes = bytes + 2 * kRedZone + 2 * kAlignment;
  void *mapped = mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return makeError(llvm::formatv(
        "the host has no {0} bytes left for simulated memory", bytes));
  Buffer buffer;
  buffer.mapping = reinterpret_cast<uint64_t>(mapped);
  buffer.mappingBytes = mappingBytes;
  buffer.begin =
      llvm::alignTo(buffer.mapping + kRedZone, 2 * kAlignment) + kAlignment;
  buffer.end = buffer.begin + bytes;
  // Nothing must work by chance because memory was zero. NaN shows what is read
  // too far even where it is multiplied by zero, random bytes what takes NaN.
  char *to = reinterpret_cast<char *>(buffer.begin);
  for (int64_t left = bytes; left > 0; left -= 4, to += 4) {
    const uint32_t value = fillsWithNaN ? ~0u : random.next();
    std::memcpy(to, &value, std::min<int64_t>(left, 4));
  }
  const uint64_t begin = buffer.begin;
  buffers.emplace(begin, buffer);
  return begin;
}

llvm::Expected<Buffer &> GlobalMemory::get(uint64_t address) {
  auto found = buffers.find(address);
  if (found == buffers.end())
    return makeError(llvm::formatv("no buffer begins at 0x{0:x-}", address));
  return found->second;
}

llvm::Error GlobalMemory::release(uint64_t address) {
  llvm::Expected<Buffer &> buffer = get(address);
  if (!buffer)
    return buffer.takeError();
  munmap(reinterpret_cast<void *>(buffer->mapping), buffer->mappingBytes);
  buffers.erase(address);
  return llvm::Error::success();
}

llvm::Expected<char *> GlobalMemory::access(uint64_t address,
                                            int64_t bytes) const {
  if (bytes < 0 || !find(address, bytes))
    return makeError(
        llvm::formatv("{0} bytes at 0x{1:x-} are not inside of one buffer: {2}",
                      bytes, address, describe(address)));
  return reinterpret_cast<char *>(address);
}

const Buffer *GlobalMemory::find(uint64_t address, uint64_t bytes) const {
  auto above = buffers.upper_bound(address);
  if (above == buffers.begin())
    return nullptr;
  const Buffer &buffer = std::prev(above)->second;
  return address <= buffer.end && bytes <= buffer.end - address ? &buffer
                                                                : nullptr;
}

std::string GlobalMemory::describe(uint64_t address) const {
  auto above = buffers.upper_bound(address);
  const Buffer *next = above == buffers.end() ? nullptr : &above->second;
  const Buffer *last =
      above == buffers.begin() ? nullptr : &std::prev(above)->second;
  const uint64_t toNext = next ? next->begin - address : ~0ull;
  const uint64_t fromLast = !last                 ? ~0ull
                            : address < last->end ? 0
                                                  : address - last->end;
  if (last && address < last->end)
    return llvm::formatv("byte {0} of a buffer of {1} bytes",
                         address - last->begin, last->end - last->begin);
  // Farther away than the red zones no buffer has anything to do with it.
  if (fromLast <= toNext && fromLast < uint64_t(kRedZone))
    return llvm::formatv("{0} bytes beyond the end of a buffer of {1} bytes",
                         fromLast, last->end - last->begin);
  if (toNext <= uint64_t(kRedZone))
    return llvm::formatv("{0} bytes before a buffer of {1} bytes", toNext,
                         next->end - next->begin);
  return llvm::formatv("address 0x{0:x-}, which is in no buffer", address);
}

//===----------------------------------------------------------------------===//
// Windows of shared memory
//===----------------------------------------------------------------------===//

bool SharedWindow::reserve(uint32_t wanted) {
  if (wanted <= bytes)
    return true;
  if (bytes)
    munmap(reinterpret_cast<void *>(begin), bytes);
  bytes = 0;
  // Below 512 MB lie programs that are linked at a fixed address.
  for (uint64_t slice = 2; slice < (uint64_t(1) << (32 - kSliceBits));
       ++slice) {
    const uint64_t address = slice << kSliceBits;
    void *mapped =
        mmap(reinterpret_cast<void *>(address), wanted, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED)
      continue;
    // Kernels before Linux 4.17 take the address for a hint.
    if (reinterpret_cast<uint64_t>(mapped) != address) {
      munmap(mapped, wanted);
      continue;
    }
    begin = address;
    bytes = wanted;
    return true;
  }
  return false;
}

SharedWindow::~SharedWindow() {
  if (bytes)
    munmap(reinterpret_cast<void *>(begin), bytes);
}
