//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two tables, and the look-ups. Sources:
//   [1] CUDA C++ Programming Guide, "Technical Specifications per Compute
//       Capability" and "Shared Memory" of the sections on 8.x and 9.0.
//   [2] PTX ISA, "Release History" and the target notes of `mma` and `wgmma`.
//   [3] NVIDIA's data sheets and architecture white papers of the cards; peaks
//       are the dense ones.
//   [4] arXiv 2402.13499, which measured mma.sync on Hopper.
//
//===----------------------------------------------------------------------===//

#include "top/Target/GPUTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::top;
using llvm::StringRef;
using llvm::Twine;

static constexpr int64_t kKiB = 1024;
static constexpr int64_t kMiB = 1024 * kKiB;
static constexpr double kGiga = 1e9, kTera = 1e12;

StringRef top::stringifyNumericType(NumericType type) {
  switch (type) {
  case NumericType::f64:
    return "f64";
  case NumericType::f32:
    return "f32";
  case NumericType::tf32:
    return "tf32";
  case NumericType::f16:
    return "f16";
  case NumericType::bf16:
    return "bf16";
  case NumericType::f8:
    return "f8";
  case NumericType::i8:
    return "i8";
  }
  llvm_unreachable("a numeric type without a name");
}

int64_t top::getNumericTypeBytes(NumericType type) {
  switch (type) {
  case NumericType::f64:
    return 8;
  case NumericType::f32:
  case NumericType::tf32:
    return 4;
  case NumericType::f16:
  case NumericType::bf16:
    return 2;
  case NumericType::f8:
  case NumericType::i8:
    return 1;
  }
  llvm_unreachable("a numeric type without a size");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// mma.sync with f32 (f64, s32) accumulators [2]; each table begins with those
/// of the one before.
static constexpr MmaShape kMmaShapes[] = {
    // sm_80
    {NumericType::f64, 8, 8, 4},
    {NumericType::tf32, 16, 8, 4},
    {NumericType::tf32, 16, 8, 8},
    {NumericType::f16, 16, 8, 8},
    {NumericType::f16, 16, 8, 16},
    {NumericType::bf16, 16, 8, 8},
    {NumericType::bf16, 16, 8, 16},
    {NumericType::i8, 16, 8, 16},
    {NumericType::i8, 16, 8, 32},
    // sm_89
    {NumericType::f8, 16, 8, 32},
    // sm_90
    {NumericType::f64, 16, 8, 4},
    {NumericType::f64, 16, 8, 8},
    {NumericType::f64, 16, 8, 16},
};
static constexpr size_t kNumMmaSm80 = 9, kNumMmaSm89 = 10, kNumMmaSm90 = 13;
static_assert(kNumMmaSm90 == std::size(kMmaShapes));

/// wgmma.mma_async, sm_90a only [2].
static constexpr MmaShape kWgmmaShapes[] = {
    {NumericType::tf32, 64, 8, 8},  {NumericType::f16, 64, 8, 16},
    {NumericType::bf16, 64, 8, 16}, {NumericType::f8, 64, 8, 32},
    {NumericType::i8, 64, 8, 32},
};

static llvm::ArrayRef<MmaShape> firstMmaShapes(size_t count) {
  return llvm::ArrayRef<MmaShape>(kMmaShapes).take_front(count);
}

/// Limits that the architectures have in common are the struct's own.
static GPUArchitecture makeArch(StringRef chip, unsigned capability,
                                bool isSpecific, unsigned minPtxVersion,
                                int64_t sharedKiBPerSM, int64_t warpsPerSM,
                                int64_t blocksPerSM, size_t numMmaShapes) {
  GPUArchitecture arch{};
  arch.chip = chip;
  arch.capability = capability;
  arch.isSpecific = isSpecific;
  arch.minPtxVersion = minPtxVersion;
  arch.sharedBytesPerSM = sharedKiBPerSM * kKiB;
  // One block alone gets all but what is reserved for it.
  arch.sharedBytesPerBlock =
      arch.sharedBytesPerSM - arch.reservedSharedBytesPerBlock;
  arch.warpsPerSM = warpsPerSM;
  arch.blocksPerSM = blocksPerSM;
  const bool isHopper = capability >= 90;
  arch.blocksPerCluster = isHopper ? 8 : 1; // [1]: "8 is portable"
  arch.hasAsyncCopy = true;                 // since sm_80
  arch.hasTMA = isHopper;
  arch.mmaShapes = firstMmaShapes(numMmaShapes);
  if (isSpecific)
    arch.wgmmaShapes = kWgmmaShapes;
  // [4]: m16n8k16 f16 at 490.7 of 756.5 TFLOP/s on an H800. Earlier chips have
  // no other way to their peak.
  arch.mmaSyncShare = isHopper ? 0.649 : 1.0;
  return arch;
}

llvm::ArrayRef<GPUArchitecture> top::getArchitectures() {
  // chip, capability, specific, PTX [2]; shared KiB, warps, blocks per SM [1].
  static const GPUArchitecture table[] = {
      makeArch("sm_80", 80, false, 70, 164, 64, 32, kNumMmaSm80),
      makeArch("sm_86", 86, false, 71, 100, 48, 16, kNumMmaSm80),
      makeArch("sm_89", 89, false, 78, 100, 48, 24, kNumMmaSm89),
      makeArch("sm_90", 90, false, 78, 228, 64, 32, kNumMmaSm90),
      makeArch("sm_90a", 90, true, 80, 228, 64, 32, kNumMmaSm90),
  };
  return table;
}

/// Figures of [3]. Where a sheet gives peaks with sparsity, half of them.
llvm::ArrayRef<GPUCard> top::getCards() {
  static const GPUCard table[] = {
      // A100 80GB SXM: 108 SMs, HBM2e.
      {"a100", "sm_80", 108, int64_t(80 * kGiga), 40 * kMiB, 2039 * kGiga,
       19.5 * kTera, 9.7 * kTera, 19.5 * kTera, 156 * kTera, 312 * kTera, 0,
       624 * kTera},
      // A10: GA102 with 72 SMs; f64 at 1/64 of f32 (white paper of GA102).
      {"a10", "sm_86", 72, int64_t(24 * kGiga), 6 * kMiB, 600 * kGiga,
       31.2 * kTera, 31.2 / 64 * kTera, 31.2 / 64 * kTera, 62.5 * kTera,
       125 * kTera, 0, 250 * kTera},
      // L4: AD104 with 58 SMs; f64 at 1/64 of f32.
      {"l4", "sm_89", 58, int64_t(24 * kGiga), 48 * kMiB, 300 * kGiga,
       30.3 * kTera, 30.3 / 64 * kTera, 30.3 / 64 * kTera, 60 * kTera,
       121 * kTera, 242.5 * kTera, 242.5 * kTera},
      // H100 SXM5 80GB: 132 SMs at 1.83 GHz, HBM3.
      {"h100-sxm", "sm_90a", 132, int64_t(80 * kGiga), 50 * kMiB, 3350 * kGiga,
       67 * kTera, 34 * kTera, 67 * kTera, 494.7 * kTera, 989.4 * kTera,
       1979 * kTera, 1979 * kTera},
      // H200 SXM: the chip of the H100 with HBM3e. Its sheet gives no L2; the
      // driver reports 60 MiB (62914560 bytes).
      {"h200", "sm_90a", 132, int64_t(141 * kGiga), 60 * kMiB, 4800 * kGiga,
       67 * kTera, 34 * kTera, 67 * kTera, 494.7 * kTera, 989.4 * kTera,
       1979 * kTera, 1979 * kTera},
  };
  return table;
}

double GPUCard::getCudaCorePeak(NumericType type) const {
  return type == NumericType::f64 ? peakF64 : peakF32;
}

double GPUCard::getTensorPeak(NumericType type) const {
  switch (type) {
  case NumericType::f64:
    return tensorF64;
  case NumericType::f32:
    return 0;
  case NumericType::tf32:
    return tensorTF32;
  case NumericType::f16:
  case NumericType::bf16:
    return tensorF16;
  case NumericType::f8:
    return tensorF8;
  case NumericType::i8:
    return tensorI8;
  }
  llvm_unreachable("a numeric type without a peak");
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Expected<GPUArchitecture> top::lookupArchitecture(StringRef chip) {
  for (const GPUArchitecture &arch : getArchitectures())
    if (arch.chip == chip)
      return arch;
  auto names =
      llvm::map_range(getArchitectures(),
                      [](const GPUArchitecture &arch) { return arch.chip; });
  return makeError("unknown chip '" + chip + "', expected one of " +
                   llvm::join(names, ", "));
}

llvm::Expected<GPUCard> top::lookupCard(StringRef name) {
  for (const GPUCard &card : getCards())
    if (card.name == name)
      return card;
  auto names = llvm::map_range(getCards(),
                               [](const GPUCard &card) { return card.name; });
  return makeError("unknown card '" + name + "', expected one of " +
                   llvm::join(names, ", "));
}

/// Code for a specific architecture runs on that one alone, other PTX on every
/// later one.
static bool canRun(const GPUArchitecture &code, const GPUArchitecture &device) {
  return code.isSpecific ? code.capability == device.capability
                         : code.capability <= device.capability;
}

llvm::Expected<GPUTarget> top::lookupTarget(StringRef chip,
                                            StringRef cardName) {
  if (chip.empty() && cardName.empty())
    chip = "sm_80";
  std::optional<GPUCard> card;
  if (!cardName.empty()) {
    llvm::Expected<GPUCard> found = lookupCard(cardName);
    if (!found)
      return found.takeError();
    card = *found;
  }
  llvm::Expected<GPUArchitecture> arch =
      lookupArchitecture(chip.empty() ? card->chip : chip);
  if (!arch)
    return arch.takeError();
  auto archOf = [](const GPUCard &card) {
    return *llvm::find_if(getArchitectures(), [&](const GPUArchitecture &arch) {
      return arch.chip == card.chip;
    });
  };
  if (!card)
    card = *llvm::find_if(getCards(), [&](const GPUCard &card) {
      return archOf(card).capability == arch->capability;
    });
  const GPUArchitecture device = archOf(*card);
  if (!canRun(*arch, device))
    return makeError("card '" + card->name + "' is of '" + card->chip +
                     "' and cannot run code for '" + chip + "'");
  GPUTarget target{*arch, *card};
  target.arch.sharedBytesPerSM = device.sharedBytesPerSM;
  target.arch.sharedBytesPerBlock = device.sharedBytesPerBlock;
  target.arch.warpsPerSM = device.warpsPerSM;
  target.arch.blocksPerSM = device.blocksPerSM;
  target.arch.mmaSyncShare = device.mmaSyncShare;
  return target;
}

static std::string formatVersion(unsigned version) {
  return (Twine(version / 10) + "." + Twine(version % 10)).str();
}

unsigned top::getDefaultPtxVersion(const GPUArchitecture &arch) {
  // mma.sync of 8-bit floats is of PTX 8.4 (PTX ISA, "mma").
  const unsigned wanted = arch.capability >= 89 ? 84 : 80;
  return std::max(wanted, arch.minPtxVersion);
}

llvm::Expected<unsigned> top::selectPtxVersion(const GPUArchitecture &arch,
                                               unsigned requested,
                                               unsigned ptxasVersion) {
  const unsigned version = requested ? requested : arch.minPtxVersion;
  if (version < arch.minPtxVersion)
    return makeError("PTX version " + formatVersion(version) +
                     " does not know '" + arch.chip + "', which needs " +
                     formatVersion(arch.minPtxVersion) + " or later");
  // Versions go on from 7.8 to 8.0 and from 8.8 to 9.0.
  if (version > kNewestPtxVersion || version % 10 > 8)
    return makeError("PTX version " + formatVersion(version) +
                     " cannot be written, expected one from " +
                     formatVersion(arch.minPtxVersion) + " to " +
                     formatVersion(kNewestPtxVersion));
  if (ptxasVersion && version > ptxasVersion)
    return makeError("PTX version " + formatVersion(version) +
                     (requested ? "" : ", which '" + arch.chip + "' needs,") +
                     " is newer than " + formatVersion(ptxasVersion) +
                     ", the newest that the ptxas found takes");
  return version;
}
