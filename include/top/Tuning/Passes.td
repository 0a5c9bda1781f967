//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that decide about kernels, and that check what was decided.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_PASSES_TD
#define TOP_TUNING_PASSES_TD

include "mlir/Pass/PassBase.td"

class Top_TargetOptions {
  list<Option> options = [
    Option<"chip", "chip", "std::string", "\"\"",
      "architecture: sm_80, sm_86, sm_89, sm_90 or sm_90a; the card's, or sm_80, where it is left out">,
    Option<"card", "card", "std::string", "\"\"",
      "card: a100, a10, l4, h100-sxm or h200; a usual one of the chip where it is left out">
  ];
}

def TopAssignSchedulePass : Pass<"top-assign-schedule"> {
  let summary = "choose a schedule for the GPU kernel of each layer op";
  let description = [{
    Writes a `#top.schedule` on every `top.MatMul` and `top.Conv2D` that has
    none, found from the op's shape, its type and the card without measuring: by
    a model of time where the tensor cores have the type, else by rules of thumb.
    See docs/Schedules.md.

    Input: any op; sizes of the layer ops are static. After it, every layer op
    that a kernel can be made for carries a schedule that can run on the target.
    A schedule that is there and can run is kept.

    Leaves an op without a schedule, with a remark (category
    `top-assign-schedule`, name `NotAssigned`), where its sizes are dynamic, and
    where there are no kernels for it: as yet for convolutions. Fails, at the op, for a schedule that is there and
    cannot run, as `top-verify-schedule` does, and for an unknown chip or card,
    with the list of what is known. Remarks `Assigned` and `Kept` tell what was
    chosen and why; `LowOccupancy` says that fewer than 25 % of an SM's warps
    will be active.

    Example, `top-assign-schedule{chip=sm_80}`:

    ```mlir
    %c = top.MatMul %a, %b : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    // becomes
    %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2, order = grouped(8)>} : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    ```
  }];
  let options = Top_TargetOptions<>.options;
}

def TopVerifySchedulePass : Pass<"top-verify-schedule"> {
  let summary = "check that the schedules of ops can run on a chip";
  let description = [{
    Checks the `#top.schedule` of every op that carries one against the op's
    shape and type and the chip's limits: shared memory, registers, threads, MMA
    shapes, alignment, clusters, parts of K and grid size.

    Input: any op, before or after `convert-top-to-linalg`. Changes nothing. An
    op without a schedule is left alone.

    Fails, at the op, for a schedule that cannot run: what was needed and what
    the chip has, and in a note the nearest schedule that fits. Fails as well
    for a schedule on an op of dynamic size, or on one that multiplies no
    matrices, and for an unknown chip or card, with the list of what is known.
    A remark `Verified` (category `top-verify-schedule`) gives the predicted
    needs of one that stands.
  }];
  let options = Top_TargetOptions<>.options;
}

#endif // TOP_TUNING_PASSES_TD
