//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AccessHistory.h.
//
//===----------------------------------------------------------------------===//

#include "AccessHistory.h"
#include "Block.h"

using namespace mlir::top::sim;

uint32_t AccessOverflow::add() {
  if (used == lists.size())
    lists.emplace_back();
  Lists &list = lists[used];
  list.writes.clear();
  list.reads.clear();
  return ++used;
}

/// Calls `action` for every access that has bytes left.
template <typename Action>
static void forEach(llvm::MutableArrayRef<Access> first,
                    llvm::MutableArrayRef<Access> more, Action action) {
  for (Access &access : first)
    if (access.bytes)
      action(access);
  for (Access &access : more)
    if (access.bytes)
      action(access);
}

/// Puts `access` where there is none; false where there is no such place.
static bool place(const Access &access, llvm::MutableArrayRef<Access> places) {
  for (Access &old : places)
    if (!old.bytes) {
      old = access;
      return true;
    }
  return false;
}

/// Whether `access` has become part of `old`: the same threads with more bytes,
/// or more threads with the same bytes.
static bool merge(Access &old, const Access &access) {
  if (!old.isSameActor(access))
    return false;
  const bool hasLane = (old.lanes & access.lanes) == access.lanes;
  if (hasLane && (access.bytes & ~old.bytes) == 0)
    return true;
  if (old.site != access.site)
    return false;
  if (old.lanes == access.lanes) {
    old.bytes |= access.bytes;
    return true;
  }
  if (old.bytes == access.bytes) {
    old.lanes |= access.lanes;
    return true;
  }
  return false;
}

template <unsigned kReaders>
Access AccessHistory<kReaders>::addRead(const Access &access,
                                        const Thread &thread,
                                        AccessOverflow &more) {
  Access conflict;
  AccessOverflow::Lists *lists = overflow ? &more.get(overflow) : nullptr;
  forEach(write, lists ? lists->writes : llvm::MutableArrayRef<Access>(),
          [&](const Access &old) {
            if ((old.bytes & access.bytes) && !conflict.bytes &&
                !thread.hasSeen(old))
              conflict = old;
          });

  // A later write that this read is ordered before is ordered after all that
  // this read has seen: those need not be kept for these bytes.
  bool isMerged = false;
  forEach(reads, lists ? lists->reads : llvm::MutableArrayRef<Access>(),
          [&](Access &old) {
            if (isMerged)
              return;
            if (merge(old, access))
              isMerged = true;
            else if ((old.bytes & access.bytes) && thread.hasSeen(old))
              old.bytes &= ~access.bytes;
          });
  if (isMerged)
    return conflict;
  if (place(access, reads))
    return conflict;
  if (!lists) {
    overflow = more.add();
    lists = &more.get(overflow);
  }
  if (!place(access, lists->reads))
    lists->reads.push_back(access);
  return conflict;
}

template <unsigned kReaders>
Access AccessHistory<kReaders>::addWrite(const Access &access,
                                         const Thread &thread,
                                         AccessOverflow &more) {
  Access conflict;
  AccessOverflow::Lists *lists = overflow ? &more.get(overflow) : nullptr;
  bool isMerged = false;
  forEach(write, lists ? lists->writes : llvm::MutableArrayRef<Access>(),
          [&](Access &old) {
            const bool seen = thread.hasSeen(old);
            if ((old.bytes & access.bytes) && !seen) {
              // Atomic accesses stay beside each other, for later ones.
              if (access.isAtomic && old.isAtomic) {
                isMerged = isMerged || merge(old, access);
                return;
              }
              if (!conflict.bytes)
                conflict = old;
            }
            if (old.lanes == access.lanes && merge(old, access))
              isMerged = true;
            else
              old.bytes &= ~access.bytes;
          });
  forEach(reads, lists ? lists->reads : llvm::MutableArrayRef<Access>(),
          [&](Access &old) {
            if (!(old.bytes & access.bytes))
              return;
            if (!conflict.bytes && !thread.hasSeen(old))
              conflict = old;
            old.bytes &= ~access.bytes;
          });
  if (isMerged)
    return conflict;
  if (place(access, write))
    return conflict;
  if (!lists) {
    overflow = more.add();
    lists = &more.get(overflow);
  }
  if (!place(access, lists->writes))
    lists->writes.push_back(access);
  return conflict;
}

template struct mlir::top::sim::AccessHistory<kSharedReaders>;
template struct mlir::top::sim::AccessHistory<kGlobalReaders>;
