//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an access must fulfil, and what is said where it does not.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::top::sim;

static llvm::StringRef getVerb(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "reads";
  case AccessKind::Write:
    return "writes";
  case AccessKind::Atomic:
    return "atomically updates";
  case AccessKind::CopyRead:
    return "copies from";
  case AccessKind::CopyWrite:
    return "copies to";
  }
  llvm_unreachable("all kinds are named");
}

static Access makeAccess(const Thread &thread, const SiteInfo &info,
                         AccessKind kind) {
  Access access;
  access.isCopy = isCopy(kind);
  access.isAtomic = kind == AccessKind::Atomic;
  access.clock = access.isCopy ? thread.clock.committed + 1 : thread.clock.now;
  access.lanes = thread.getLaneBit();
  access.warp = thread.warp->index;
  access.site = info.index;
  return access;
}

bool Block::checkAlignment(const Thread &thread, const SiteInfo &info,
                           uint64_t address, uint32_t bytes, bool isShared) {
  const uint32_t needed = std::min(bytes & -bytes, info.alignment);
  if ((address & (needed - 1)) == 0)
    return true;
  const uint64_t offset = isShared ? address - window.getBegin() : address;
  fault(thread, info.index, Fault::Kind::Misaligned,
        llvm::formatv("accesses {0} bytes of {1} memory at {2}0x{3:x-}, which "
                      "is not a multiple of {4}",
                      bytes, isShared ? "shared" : "global",
                      isShared ? "offset " : "", offset, needed)
            .str());
  return false;
}

bool Block::checkShared(Thread &thread, const SiteInfo &info, uint64_t address,
                        uint32_t bytes, AccessKind kind) {
  const uint64_t offset = address - window.getBegin();
  if (offset < SharedWindow::kReserved || offset + bytes > launch->sharedEnd) {
    fault(thread, info.index, Fault::Kind::OutOfBounds,
          llvm::formatv("{0} {1} bytes at offset 0x{2:x-} of shared memory, "
                        "where the block has 0x{3:x-} to 0x{4:x-}",
                        getVerb(kind), bytes, int64_t(offset),
                        SharedWindow::kReserved, launch->sharedEnd)
              .str());
    return false;
  }
  if (!checkAlignment(thread, info, address, bytes, /*isShared=*/true))
    return false;

  Access access = makeAccess(thread, info, kind);
  const uint32_t end = offset + bytes;
  for (uint32_t begin = offset & ~(kGranuleBytes - 1); begin < end;
       begin += kGranuleBytes) {
    SharedGranule &granule = shared.get(begin / kGranuleBytes);
    access.bytes = getByteMask(begin, offset, bytes);
    if (kind != AccessKind::Read) {
      // An atomic access reads as well.
      if (kind == AccessKind::Atomic && (access.bytes & ~granule.initialized))
        reportUninitialized(thread, info, begin,
                            access.bytes & ~granule.initialized);
      granule.initialized |= access.bytes;
    } else if (const uint16_t unknown = access.bytes & ~granule.initialized) {
      reportUninitialized(thread, info, begin, unknown);
      granule.initialized |= unknown; // say it once
    }
    const Access other =
        granule.history.add(access, kind, thread, shared.getOverflow());
    if (other.bytes)
      reportConflict(
          thread, info,
          begin + llvm::countr_zero(unsigned(other.bytes & access.bytes)), kind,
          other, /*isShared=*/true);
  }
  return true;
}

bool Block::checkGlobal(Thread &thread, const SiteInfo &info, uint64_t address,
                        uint32_t bytes, AccessKind kind) {
  if (!lastBuffer || address < lastBuffer->begin ||
      address + bytes > lastBuffer->end) {
    const Buffer *buffer = launch->memory.find(address, bytes);
    if (!buffer) {
      fault(thread, info.index, Fault::Kind::OutOfBounds,
            llvm::formatv("{0} {1} bytes of global memory at {2}",
                          getVerb(kind), bytes,
                          launch->memory.describe(address))
                .str());
      return false;
    }
    lastBuffer = buffer;
  }
  if (!checkAlignment(thread, info, address, bytes, /*isShared=*/false))
    return false;
  if (!lastBuffer->isWritable) {
    if (!isWrite(kind))
      return true; // nothing can conflict with it
    fault(thread, info.index, Fault::Kind::ReadOnly,
          llvm::formatv("{0} {1} bytes at {2}, which may only be read",
                        getVerb(kind), bytes, launch->memory.describe(address))
              .str());
    return false;
  }

  Access access = makeAccess(thread, info, kind);
  const GlobalKind globalKind = getGlobalKind(kind);
  const uint64_t end = address + bytes;
  for (uint64_t begin = address & ~uint64_t(kGranuleBytes - 1); begin < end;
       begin += kGranuleBytes) {
    BlockGlobals::Entry &entry = globals.get(begin / kGranuleBytes);
    access.bytes = getByteMask(begin, address, bytes);
    if (!entry.touch.bytes[globalKind])
      entry.touch.site[globalKind] = info.index;
    entry.touch.bytes[globalKind] |= access.bytes;
    const Access other =
        entry.history.add(access, kind, thread, globals.getOverflow());
    if (other.bytes)
      reportConflict(
          thread, info,
          begin + llvm::countr_zero(unsigned(other.bytes & access.bytes)), kind,
          other, /*isShared=*/false);
  }
  return true;
}

bool Block::checkAccess(Thread &thread, const SiteInfo &info, uint64_t address,
                        uint32_t bytes, AccessKind kind) {
  return window.contains(address)
             ? checkShared(thread, info, address, bytes, kind)
             : checkGlobal(thread, info, address, bytes, kind);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

std::string Block::describeSite(int32_t site) const {
  const Site &described = launch->program.sites[site];
  if (described.location.empty())
    return described.op;
  return described.op + " (" + described.location + ")";
}

std::string Block::describeThread(const Thread &thread) const {
  return llvm::formatv("block ({0},{1},{2}) warp {3} lane {4}", id[0], id[1],
                       id[2], thread.warp->index, thread.lane);
}

void Block::fault(const Thread &thread, int32_t site, Fault::Kind kind,
                  const llvm::Twine &text, int32_t otherSite) {
  if (faults.getTotal() >= Faults::kEnough)
    mostSteps = 0;
  if (faults.isNew(kind, site, otherSite))
    faults.keep(kind, describeThread(thread) + " at " + describeSite(site) +
                          ": " + text);
}

void Block::reportUninitialized(const Thread &thread, const SiteInfo &info,
                                uint32_t granule, uint16_t bytes) {
  fault(thread, info.index, Fault::Kind::Uninitialized,
        llvm::formatv("reads shared memory at offset 0x{0:x-}, which nothing "
                      "has written",
                      granule + llvm::countr_zero(unsigned(bytes)))
            .str());
}

void Block::reportConflict(Thread &thread, const SiteInfo &info,
                           uint64_t address, AccessKind kind,
                           const Access &other, bool isShared) {
  // Of several lanes, one that this thread has not heard of.
  uint32_t lane = llvm::countr_zero(other.lanes);
  for (uint32_t lanes = other.lanes; lanes; lanes &= lanes - 1) {
    Access one = other;
    one.lanes = lanes & -lanes;
    if (thread.hasSeen(one))
      continue;
    lane = llvm::countr_zero(lanes);
    break;
  }
  const Thread &who = warps[other.warp].threads[lane];
  const bool isInFlight = other.isCopy && who.clock.retired < other.clock;
  const std::string place =
      isShared
          ? llvm::formatv("shared memory at offset 0x{0:x-}", address).str()
          : llvm::formatv("global memory {0}", launch->memory.describe(address))
                .str();
  fault(thread, info.index,
        isInFlight ? Fault::Kind::InFlight
        : isShared ? Fault::Kind::SharedRace
                   : Fault::Kind::GlobalRace,
        llvm::formatv(
            isInFlight
                ? "{0} {1}, where a copy by warp {2} lane {3} at {4} is in "
                  "flight: it has not been waited for"
                : "{0} {1}, and nothing orders it after the access by warp "
                  "{2} lane {3} at {4}",
            getVerb(kind), place, other.warp, lane, describeSite(other.site))
            .str(),
        other.site);
}
