//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-swizzle: rings get the layout without bank conflicts.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPSWIZZLEPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

static bool canSwizzle(RingType ring) {
  const int64_t bytes = ring.getRowBytes();
  return bytes % 16 == 0 && llvm::isPowerOf2_64(bytes / 16);
}

unsigned top::swizzleRings(scf::ForallOp kernel) {
  unsigned count = 0;
  kernel.walk([&](TileRingOp op) {
    RingType ring = op.getType();
    if (ring.getSwizzle() || !canSwizzle(ring))
      return;
    op.getRing().setType(ring.withSwizzle(true));
    ++count;
  });
  return count;
}

namespace {

struct TopSwizzle : mlir::top::impl::TopSwizzlePassBase<TopSwizzle> {
  void runOnOperation() override {
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    auto missed = [&](Location loc, const std::string &reason) {
      remark::missed(loc, remarkOpts("NotSwizzled"))
          << remark::reason("{0}", reason);
    };
    SmallVector<scf::ForallOp> kernels = getKernels(getOperation());
    if (kernels.empty())
      missed(getOperation().getLoc(),
             "no scf.forall carries " + ScheduleAttr::name.str());
    for (scf::ForallOp kernel : kernels) {
      if (!ScheduleAttr::getFrom(kernel).getSwizzle()) {
        missed(kernel.getLoc(), "the schedule says 'swizzle = false'");
        continue;
      }
      if (unsigned count = swizzleRings(kernel))
        remark::passed(kernel.getLoc(), remarkOpts("Swizzled"))
            << remark::add("{0} rings", count);
      bool hasRing = false;
      kernel.walk([&](TileRingOp op) {
        hasRing = true;
        if (!canSwizzle(op.getType()))
          missed(op.getLoc(), "rows of " +
                                  std::to_string(op.getType().getRowBytes()) +
                                  " bytes are not 2^n chunks of 16");
      });
      if (!hasRing)
        missed(kernel.getLoc(), "nothing is in shared memory");
    }
  }
};

} // namespace
