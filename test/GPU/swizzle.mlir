// RUN: top-opt %s --top-swizzle --split-input-file | FileCheck %s
// RUN: top-opt %s --top-swizzle --split-input-file --remark-format=emitRemark --remarks-filter=top-swizzle -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Rings get another layout; slots, copies and views stay. A second run changes
// nothing. Rows of 24 f32 are 6 chunks of 16 bytes, and stay as they are.
// CHECK-LABEL: func @fires
// CHECK: %[[R:.*]] = top.tile_ring : !top.ring<2x64x16xf32, swizzle>
// CHECK: top.tile_ring : !top.ring<2x16x64xf16, swizzle>
// CHECK: top.tile_ring : !top.ring<2x64x24xf32>
// CHECK: top.tile_view %[[R]][%c1] : !top.ring<2x64x16xf32, swizzle> -> !top.tile<block 64x16xf32>
// REMARK: [Passed] Swizzled | Category:top-swizzle | Function=fires | Remark="2 rings"
// REMARK: [Missed] NotSwizzled | Category:top-swizzle | Function=fires | Reason="rows of 96 bytes are not 2^n chunks of 16"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @fires() {
  %c1 = arith.constant 1 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<2x64x16xf32>
    %q = top.tile_ring : !top.ring<2x16x64xf16>
    %o = top.tile_ring : !top.ring<2x64x24xf32>
    %v = top.tile_view %r[%c1] : !top.ring<2x64x16xf32> -> !top.tile<block 64x16xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// The schedule may say no.
// CHECK-LABEL: func @off
// CHECK: top.tile_ring : !top.ring<2x64x16xf32>
// REMARK: [Missed] NotSwizzled | Category:top-swizzle | Function=off | Reason="the schedule says 'swizzle = false'"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], swizzle = false>
func.func @off() {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<2x64x16xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// REMARK: [Missed] NotSwizzled | Category:top-swizzle | Function=nothing | Reason="nothing is in shared memory"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @nothing() {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// REMARK: [Missed] NotSwizzled | Category:top-swizzle | Function=none | Reason="no scf.forall carries top.schedule"
func.func @none() {
  return
}
