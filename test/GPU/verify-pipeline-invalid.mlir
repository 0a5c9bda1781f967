// RUN: top-opt %s --top-verify-pipeline --split-input-file --verify-diagnostics

// What is wrong in ways that the levels never write, and what cannot be followed.

// A slot that nothing was copied into.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    gpu.barrier
    %va = top.tile_view %ra[%c0] : !top.ring<2x16x8xf32> -> !top.tile<block 16x8xf32>
    // expected-note@+1 {{viewed here}}
    %vb = top.tile_view %rb[%c0] : !top.ring<2x8x32xf32> -> !top.tile<block 8x32xf32>
    // expected-error@+1 {{'top.tile_mma' op reads slot 0 before anything is copied into it}}
    %m = top.tile_mma %va, %vb, %z : !top.tile<block 16x8xf32>, !top.tile<block 8x32xf32> -> !top.tile<block 16x32xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Two copies into one slot: which of them comes last?
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-note@+1 {{copied here}}
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    // expected-error@+1 {{'top.tile_copy' op writes slot 0 while other threads may still write it: expected a barrier behind the last copy}}
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// ... and with an asynchronous one that is under way.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-note@+1 {{copied here}}
    top.tile_copy %a into %ra[%c0] async {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    top.tile_commit
    gpu.barrier
    // expected-error@+1 {{'top.tile_copy' op writes slot 0 while an asynchronous copy into it may be under way: expected a top.tile_wait for that}}
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Copies that nobody waits for.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'top.tile_copy' op is never waited for: expected a top.tile_wait before the kernel ends}}
    top.tile_copy %a into %ra[%c0] async {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    top.tile_commit
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Copies that are in no group.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'top.tile_copy' op is never committed: expected a top.tile_commit before the kernel ends}}
    top.tile_copy %a into %ra[%c0] async {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    top.tile_wait {pending = 0 : i64}
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A barrier before the wait does not tell the other threads.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    top.tile_copy %a into %ra[%c0] async {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    top.tile_copy %b into %rb[%c0] async {vector_bytes = 16 : i64} : memref<8x32xf32>, !top.ring<2x8x32xf32>
    top.tile_commit
    gpu.barrier
    // expected-note@+1 {{waited for here}}
    top.tile_wait {pending = 0 : i64}
    %va = top.tile_view %ra[%c0] : !top.ring<2x16x8xf32> -> !top.tile<block 16x8xf32>
    %vb = top.tile_view %rb[%c0] : !top.ring<2x8x32xf32> -> !top.tile<block 8x32xf32>
    // expected-error@+1 {{'top.tile_mma' op reads slot 0 before other threads' copies into it are known to be finished: expected a barrier behind the wait}}
    %m = top.tile_mma %va, %vb, %z : !top.tile<block 16x8xf32>, !top.tile<block 8x32xf32> -> !top.tile<block 16x32xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Slots before the first and behind the last.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    %n = arith.subi %c0, %c1 : index
    // expected-error@+1 {{'top.tile_copy' op expected a slot from 0 to 1, got -1}}
    top.tile_copy %a into %ra[%n] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A slot that is only known at run time.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'top.tile_copy' op cannot be checked: its slot is no number that follows from constants and the steps of loops}}
    top.tile_copy %a into %ra[%s] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A slot that depends on the block.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'top.tile_copy' op cannot be checked: its slot is no number}}
    top.tile_copy %a into %ra[%i] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A copy that is only made in some blocks.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    %t = arith.cmpi slt, %i, %c4 : index
    // expected-error@+1 {{'scf.if' op cannot be checked: its condition does not follow from constants and the steps of loops}}
    scf.if %t {
      top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A loop whose length is not known.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'scf.for' op cannot be checked: expected bounds that follow from constants, and a positive step}}
    scf.for %k = %c0 to %s step %c1 {
      gpu.barrier
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A loop that stands still.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'scf.for' op cannot be checked: expected bounds that follow from constants, and a positive step}}
    scf.for %k = %c0 to %c4 step %c0 {
      gpu.barrier
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A loop that goes on for long.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    %many = arith.constant 100000000 : index
    // expected-error@+1 {{'scf.for' op cannot be checked: loops are followed for 1048576 steps at most, in step 1048576 of the loop}}
    scf.for %k = %c0 to %many step %c1 {
      gpu.barrier
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A loop of another kind.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    // expected-error@+1 {{'scf.while' op cannot be checked: expected tile ops in scf.for and scf.if only}}
    scf.while : () -> () {
      %t = arith.constant false
      scf.condition(%t)
    } do {
      gpu.barrier
      scf.yield
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A ring that is one of two.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    %t = arith.constant true
    // expected-error@+1 {{'arith.select' op cannot be checked: expected tiles and rings that tile ops make}}
    %r = arith.select %t, %ra, %ra : !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A tile that is carried from step to step is read where it is used.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
    top.tile_copy %b into %rb[%c0] {vector_bytes = 16 : i64} : memref<8x32xf32>, !top.ring<2x8x32xf32>
    %va = top.tile_view %ra[%c0] : !top.ring<2x16x8xf32> -> !top.tile<block 16x8xf32>
    %vb = top.tile_view %rb[%c0] : !top.ring<2x8x32xf32> -> !top.tile<block 8x32xf32>
    gpu.barrier
    %l = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %va) -> (!top.tile<block 16x8xf32>) {
      // expected-note@+1 {{read here}}
      %m = top.tile_mma %t, %vb, %z : !top.tile<block 16x8xf32>, !top.tile<block 8x32xf32> -> !top.tile<block 16x32xf32>
      scf.yield %t : !top.tile<block 16x8xf32>
    }
    // expected-error@+1 {{'top.tile_copy' op writes slot 0 while other threads may still read it: expected a barrier behind the last read}}
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Right: slots by arithmetic of every kind, and a branch that is never taken.
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 1>
func.func @f(%a: memref<16x8xf32>, %b: memref<8x32xf32>, %c: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %ra = top.tile_ring : !top.ring<2x16x8xf32>
    %rb = top.tile_ring : !top.ring<2x8x32xf32>
    %z = top.tile_zero : !top.tile<block 16x32xf32>
    %c2 = arith.constant 2 : index
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %c0) -> (index) {
      %n = arith.remui %k, %c2 : index
      top.tile_copy %a into %ra[%s] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
      top.tile_copy %b into %rb[%n] {vector_bytes = 16 : i64} : memref<8x32xf32>, !top.ring<2x8x32xf32>
      gpu.barrier
      %va = top.tile_view %ra[%n] : !top.ring<2x16x8xf32> -> !top.tile<block 16x8xf32>
      %vb = top.tile_view %rb[%s] : !top.ring<2x8x32xf32> -> !top.tile<block 8x32xf32>
      %m = top.tile_mma %va, %vb, %z : !top.tile<block 16x8xf32>, !top.tile<block 8x32xf32> -> !top.tile<block 16x32xf32>
      %never = arith.cmpi sgt, %k, %c4 : index
      scf.if %never {
        top.tile_copy %a into %ra[%n] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
      }
      %next = arith.subi %c1, %s : index
      scf.yield %next : index
    }
    gpu.barrier
    %q = arith.floordivsi %r, %c2 : index
    %x = arith.maxsi %q, %r : index
    %t = arith.cmpi eq, %x, %c0 : index
    %y = arith.select %t, %c1, %c4 : index
    top.tile_copy %a into %ra[%y] {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<2x16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}
