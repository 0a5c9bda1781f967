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

def TopAssignLayoutsPass : Pass<"top-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "let what goes from convolution to convolution be channels last";
  let description = [{
    Kernels of convolutions on tensor cores read their input channels last, and
    pack it first where it is not; they write either layout at the same speed. So
    the result of a `top.Conv2D` gets the encoding `#top.layout<channels_last>`
    where every use of it is

    * the `input` of a `top.Conv2D`, or
    * an operand of an `add` or `mul` step, not broadcast, of a `top.Conv2D`,

    with at least one of the first kind, and where the convolutions that write and
    read it then take less time by the model of time (docs/Schedules.md): packs
    that are saved count, and moves that depthwise kernels, which are channels
    first, would need. Two searches change one result at a time for the better,
    one from all that may be channels last and one from none; the better end is
    taken. Where an op has a schedule, that decides: engine `direct` leaves what
    the op reads and writes alone, `repack = false` what it reads, and
    `pixels = columns` what it writes. So do kernels of engine `simt`, whose time
    is not modelled.

    Input: any function, in front of `top-assign-schedule` or behind it. Arguments
    and results of the function keep their layouts: packing is left for the edges
    of a function. A remark (category `top-assign-layouts`) tells each result
    that was changed, and of each other that a convolution reads why not; one says
    that there are none. Fails for an unknown chip or card, with the list of what
    is known.

    Example, `top-assign-layouts{chip=sm_80}`:

    ```mlir
    %y = top.Conv2D %x, %w : (tensor<1x8x6x6xf16>, tensor<16x8x3x3xf16>) -> tensor<1x16x4x4xf16>
    %z = top.Conv2D %y, %v : (tensor<1x16x4x4xf16>, tensor<8x16x3x3xf16>) -> tensor<1x8x2x2xf16>
    // becomes
    %y = top.Conv2D %x, %w : (tensor<1x8x6x6xf16>, tensor<16x8x3x3xf16>) -> tensor<1x16x4x4xf16, #top.layout<channels_last>>
    %z = top.Conv2D %y, %v : (tensor<1x16x4x4xf16, #top.layout<channels_last>>, tensor<8x16x3x3xf16>) -> tensor<1x8x2x2xf16>
    ```
  }];
  let options = Top_TargetOptions<>.options;
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
    where there are no kernels for it. Fails, at the op, for a schedule that is
    there and cannot run, as `top-verify-schedule` does, and for an unknown chip
    or card, with the list of what is known. Remarks `Assigned` and `Kept` tell
    what was chosen and why; `LowOccupancy` says that fewer than 25 % of an SM's
    warps will be active.

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
