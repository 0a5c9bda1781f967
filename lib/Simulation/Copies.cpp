//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asynchronous copies: cp.async in its two forms, and their groups.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Block.h"
#include <cstring>

using namespace mlir::top::sim;

static void carryOut(Copy &copy) {
  if (copy.isDone)
    return;
  copy.isDone = true;
  // Whole vectors are the common case, and no call then.
  constexpr uint32_t kVector = 16;
  if (copy.bytes == kVector && copy.fromBytes == kVector) {
    std::memcpy(copy.to, copy.from, kVector);
    return;
  }
  std::memcpy(copy.to, copy.from, copy.fromBytes);
  std::memset(copy.to + copy.fromBytes, 0, copy.bytes - copy.fromBytes);
}

void Copies::issue(Thread &thread, const Copy &copy) {
  copies.push_back(copy);
  Block &block = *thread.block;
  const CompletionMode mode = block.launch->options.mode;
  if (mode == CompletionMode::Eager ||
      (mode == CompletionMode::Random && block.random.oneIn(3)))
    carryOut(copies.back());
}

void Copies::mayArrive(Thread &thread) {
  Block &block = *thread.block;
  if (copies.empty() || block.launch->options.mode != CompletionMode::Random)
    return;
  // Any of them: copies arrive in no order.
  if (block.random.oneIn(4))
    carryOut(copies[block.random.below(copies.size())]);
}

void Copies::commit(Thread &thread) {
  ++thread.clock.committed;
  mayArrive(thread);
}

void Copies::wait(Thread &thread, uint32_t pending) {
  ThreadClock &clock = thread.clock;
  if (clock.committed <= pending || clock.committed - pending <= clock.retired)
    return;
  clock.retired = clock.committed - pending;
  while (!copies.empty() && copies.front().group <= clock.retired) {
    carryOut(copies.front());
    copies.pop_front();
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Issues a copy of the thread, after all checks of both sides. A wrong copy is
/// not carried out; what it should have written counts as written, so that it
/// is reported once.
static void issueCopy(Thread &thread, const SiteInfo &info, uint64_t to,
                      uint64_t from, uint32_t bytes, uint32_t fromBytes) {
  Block &block = *thread.block;
  if (fromBytes > bytes) {
    block.fault(thread, info.index, Fault::Kind::InvalidOperand,
                "copies " + llvm::Twine(fromBytes) + " bytes of " +
                    llvm::Twine(bytes));
    fromBytes = bytes;
  }
  const uint32_t group = thread.clock.committed + 1;
  const bool isToRight =
      block.checkShared(thread, info, to, bytes, AccessKind::CopyWrite);
  const bool isFromRight =
      block.checkAlignment(thread, info, from, bytes, /*isShared=*/false) &&
      (fromBytes == 0 ||
       block.checkGlobal(thread, info, from, fromBytes, AccessKind::CopyRead));
  if (!isToRight || !isFromRight)
    return;
  block.counters.addCopy(thread, info, from, fromBytes, to, bytes);
  thread.copies.issue(thread, {reinterpret_cast<char *>(to),
                               reinterpret_cast<const char *>(from), bytes,
                               fromBytes, info.index, group, false});
}

template <typename T>
static T readOperand(const SiteInfo &info, const char *operands,
                     unsigned index) {
  T value;
  std::memcpy(&value, operands + info.prepared.slots[index], sizeof(T));
  return value;
}

/// nvvm.cp.async.shared.global: destination, source and maybe the bytes to
/// read. arguments[0] = bytes to write.
static void executeCpAsync(Thread &thread, const SiteInfo &info,
                           const char *operands, char *) {
  const uint32_t bytes = info.arguments[0];
  issueCopy(thread, info, readOperand<uint64_t>(info, operands, 0),
            readOperand<uint64_t>(info, operands, 1), bytes,
            info.prepared.slots.size() > 2
                ? readOperand<uint32_t>(info, operands, 2)
                : bytes);
}

/// cp.async.if: a condition, then the same with the destination as a number of
/// 32 bits. arguments[1] and [2] are added to the two addresses.
static void executeCpAsyncIf(Thread &thread, const SiteInfo &info,
                             const char *operands, char *) {
  if (!(readOperand<uint8_t>(info, operands, 0) & 1))
    return;
  const uint32_t bytes = info.arguments[0];
  issueCopy(
      thread, info,
      uint32_t(readOperand<uint32_t>(info, operands, 1) + info.arguments[1]),
      readOperand<uint64_t>(info, operands, 2) + info.arguments[2], bytes,
      info.prepared.slots.size() > 3 ? readOperand<uint32_t>(info, operands, 3)
                                     : bytes);
}

static void executeCommit(Thread &thread, const SiteInfo &info, const char *,
                          char *) {
  thread.copies.commit(thread);
  thread.block->counters.addThread(thread, info);
}

static void executeWait(Thread &thread, const SiteInfo &info, const char *,
                        char *) {
  thread.copies.wait(thread, info.arguments[0]);
  thread.block->counters.addThread(thread, info);
}

/// cp.async.wait_all takes in the copies of no group too (PTX ISA).
static void executeWaitAll(Thread &thread, const SiteInfo &info, const char *,
                           char *) {
  thread.copies.commit(thread);
  thread.copies.wait(thread, 0);
  thread.block->counters.addThread(thread, info);
}

llvm::Expected<bool> mlir::top::sim::findCopy(SiteInfo &info) {
  const Site &site = *info.site;
  auto expectOperands = [&](size_t least, size_t most) -> llvm::Error {
    const size_t count = site.operandTypes.size();
    if (count >= least && count <= most)
      return llvm::Error::success();
    return llvm::createStringError("expected " + llvm::Twine(least) + " to " +
                                   llvm::Twine(most) + " operands, got " +
                                   llvm::Twine(count));
  };
  auto expectBytes = [&](llvm::StringRef name) -> llvm::Error {
    if (llvm::Error error = readInteger(site, name, info.arguments[0]))
      return error;
    const int64_t bytes = info.arguments[0];
    if (bytes == 4 || bytes == 8 || bytes == 16)
      return llvm::Error::success();
    return llvm::createStringError(
        "expected '" + name + "' to be 4, 8 or 16, got " + llvm::Twine(bytes));
  };
  if (site.op == "nvvm.cp.async.shared.global") {
    if (llvm::Error error = expectOperands(2, 3))
      return error;
    if (llvm::Error error = expectBytes("size"))
      return error;
    info.execute = executeCpAsync;
    return true;
  }
  if (site.op == "cp.async.if") {
    if (llvm::Error error = expectOperands(3, 4))
      return error;
    if (llvm::Error error = expectBytes("bytes"))
      return error;
    if (llvm::Error error =
            readInteger(site, "destinationOffset", info.arguments[1]))
      return error;
    if (llvm::Error error =
            readInteger(site, "sourceOffset", info.arguments[2]))
      return error;
    info.execute = executeCpAsyncIf;
    return true;
  }
  if (site.op == "nvvm.cp.async.commit.group") {
    info.execute = executeCommit;
    return true;
  }
  if (site.op == "nvvm.cp.async.wait.group") {
    if (llvm::Error error = readInteger(site, "n", info.arguments[0]))
      return error;
    if (info.arguments[0] < 0)
      return llvm::createStringError("expected 'n' to be at least 0, got " +
                                     llvm::Twine(info.arguments[0]));
    info.execute = executeWait;
    return true;
  }
  if (site.op == "nvvm.cp.async.wait.all") {
    info.execute = executeWaitAll;
    return true;
  }
  return false;
}
