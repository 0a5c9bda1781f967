// Right pipelines, broken in one way each: every fault is an error at the op
// that comes too early, and the note says what it meets.
// RUN: sed 's/STAGES/3/' %s > %t.mlir && top-compile %t.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o %t.3.mlir
// RUN: sed 's/STAGES/2/' %s > %t.mlir && top-compile %t.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o %t.2.mlir
// RUN: sed 's/STAGES/1/' %s > %t.mlir && top-compile %t.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o %t.1.mlir
// RUN: top-opt %t.3.mlir --top-verify-pipeline -o /dev/null
// RUN: top-opt %t.1.mlir --top-verify-pipeline -o /dev/null

// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=drop-wait" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: error: 'top.tile_mma' op reads slot 0 before the asynchronous copy into it is waited for: expected a top.tile_wait behind the top.tile_commit of it, in step 0 of the loop
// WAIT: note: copied here

// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=wait-one-fewer" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: not top-opt %t.2.mlir --test-top-break-pipeline="fault=wait-one-fewer" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: error: 'top.tile_mma' op reads slot 0 before the asynchronous copy into it is waited for: expected the last top.tile_wait to leave at most {{[01]}} groups pending, in step 0 of the loop
// FEWER: note: waited here

// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=drop-commit" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=COMMIT
// COMMIT: error: 'top.tile_mma' op reads slot 0 before the asynchronous copy into it is committed: expected a top.tile_commit behind it, in step 0 of the loop
// COMMIT: note: copied here

// Only the last steps are wrong: their waits count groups that are not there.
// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=commit-only-copies" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=TAIL
// TAIL: error: 'top.tile_mma' op reads slot 0 before the asynchronous copy into it is waited for: expected the last top.tile_wait to leave at most 0 groups pending, in step 6 of the loop
// TAIL: note: waited here

// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=drop-barrier-before-read" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=READ
// READ: error: 'top.tile_mma' op reads slot 0 before other threads' copies into it are known to be finished: expected a barrier behind the wait, in step 0 of the loop
// READ: note: waited for here
// RUN: not top-opt %t.1.mlir --test-top-break-pipeline="fault=drop-barrier-before-read" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=READ1
// READ1: error: 'top.tile_mma' op reads slot 0 while other threads may still write it: expected a barrier behind the copy, in step 0 of the loop
// READ1: note: copied here

// Found in the second step: the first has nothing to overwrite.
// RUN: not top-opt %t.1.mlir --test-top-break-pipeline="fault=drop-barrier-before-write" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=WRITE1
// WRITE1: error: 'top.tile_copy' op writes slot 0 while other threads may still read it: expected a barrier behind the last read, in step 1 of the loop
// WRITE1: note: read here
// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=copy-before-barrier" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: 'top.tile_copy' op writes slot 0 while other threads may still read it: expected a barrier behind the last read, in step 1 of the loop
// WRITE: note: read here

// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=wrong-view-slot" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: 'top.tile_mma' op reads slot 1 before the asynchronous copy into it is waited for: expected the last top.tile_wait to leave at most 0 groups pending, in step 0 of the loop
// RUN: not top-opt %t.3.mlir --test-top-break-pipeline="fault=wrong-copy-slot" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: error: 'top.tile_mma' op reads slot 0 before the asynchronous copy into it is waited for: expected a top.tile_wait behind the top.tile_commit of it, in step 0 of the loop
// RUN: not top-opt %t.2.mlir --test-top-break-pipeline="fault=slot-beyond-ring" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: 'top.tile_view' op expected a slot from 0 to 1, got 2, in step 0 of the loop

// RUN: not top-opt %t.1.mlir --test-top-break-pipeline="fault=sync-to-async" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=ASYNC
// ASYNC: error: 'top.tile_mma' op reads slot 0 before the asynchronous copy into it is committed

// Synchronous copies in the same places are slower, and right.
// RUN: top-opt %t.3.mlir --test-top-break-pipeline="fault=async-to-sync" --top-verify-pipeline -o /dev/null

#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = STAGES>
func.func @f(%a: tensor<32x56xf32>, %b: tensor<56x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x56xf32>, tensor<56x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
