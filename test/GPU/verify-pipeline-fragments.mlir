// Kernels whose operands are read a step ahead, broken in one way each. Reads are
// those of top.tile_fragment here, a product reads registers; a slot is there when
// all shares of its copies are.
// RUN: top-compile %s --chip=sm_80 --stop-after=top-prefetch-fragments -o %t.mlir
// RUN: top-opt %t.mlir --top-verify-pipeline -o /dev/null

// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=drop-wait" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: error: 'top.tile_fragment' op reads slot 0 before the asynchronous copy into it is waited for: expected a top.tile_wait behind the top.tile_commit of it{{$}}
// WAIT: note: copied here

// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=wait-one-fewer" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: error: 'top.tile_fragment' op reads slot 0 before the asynchronous copy into it is waited for: expected the last top.tile_wait to leave at most 1 groups pending{{$}}
// FEWER: note: waited here

// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=drop-commit" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=COMMIT
// COMMIT: error: 'top.tile_fragment' op reads slot 0 before the asynchronous copy into it is committed: expected a top.tile_commit behind it{{$}}
// COMMIT: note: copied here

// Wrong in the last steps only: what is read in step 5 is multiplied in step 6.
// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=commit-only-copies" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=TAIL
// TAIL: error: 'top.tile_fragment' op reads slot 0 before the asynchronous copy into it is waited for: expected the last top.tile_wait to leave at most 0 groups pending, in step 5 of the loop{{$}}
// TAIL: note: waited here

// The barrier of the loop: that of step 0 stands in front of it, and is there.
// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=drop-barrier-before-read" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=BARRIER
// BARRIER: error: 'top.tile_fragment' op reads slot 1 before other threads' copies into it are known to be finished: expected a barrier behind the wait, in step 0 of the loop{{$}}
// BARRIER: note: waited for here

// The next slot is read too early: behind its wait, in front of its barrier.
// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=read-before-barrier" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: 'top.tile_fragment' op reads slot 0 before other threads' copies into it are known to be finished: expected a barrier behind the wait{{$}}
// EARLY: note: waited for here

// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=wrong-view-slot" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: 'top.tile_fragment' op reads slot 1 before the asynchronous copy into it is waited for: expected the last top.tile_wait to leave at most 0 groups pending{{$}}
// VIEW: note: waited here

// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=wrong-copy-slot" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: error: 'top.tile_copy' op writes slot 0 while other threads may still read it: expected a barrier behind the last read, in step 0 of the loop{{$}}
// COPY: note: read here

// A share that nobody copies, at the beginning or at the end of a tile.
// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=drop-first-parts" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: error: 'top.tile_fragment' op reads slot 2 before anything is copied into it, in step 1 of the loop{{$}}
// FIRST: note: viewed here

// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=drop-last-parts" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: error: 'top.tile_fragment' op reads slot 2 before anything is copied into it, in step 1 of the loop{{$}}
// LAST: note: viewed here

// Parts that are not counted in the same shares.
// RUN: not top-opt %t.mlir --test-top-break-pipeline="fault=finer-parts" --top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=FINER
// FINER: error: 'top.tile_copy' op cannot be checked: expected 'part' to count as many shares as in other copies into the ring{{$}}
// FINER: note: copied here

#s = #top.schedule<engine = mma_sync, block = [64, 64, 32], warp = [32, 32], stages = 3>
func.func @f(%a: tensor<128x224xf16>, %b: tensor<224x128xf16>) -> tensor<128x128xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x224xf16>, tensor<224x128xf16>) -> tensor<128x128xf16>
  return %c : tensor<128x128xf16>
}
