// RUN: top-opt %s --top-tile-to-warps --split-input-file --verify-diagnostics

// An engine whose tiles are others.
func.func @engine() {
  // expected-error@+1 {{'scf.forall' op cannot be cut into warp tiles: engine 'wgmma' has no kernels yet; use 'simt' or 'mma_sync'}}
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = wgmma>}
  return
}

// -----

// Accumulators that the schedule does not speak of.
func.func @size() {
  // expected-error@+1 {{'scf.forall' op cannot be cut into warp tiles: expected accumulators of 128x128 that belong to the block, got '!top.tile<block 64x64xf32>'}}
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}

// -----

// Cut already.
func.func @twice() {
  // expected-error@+1 {{cannot be cut into warp tiles: expected accumulators of 128x128 that belong to the block, got '!top.tile<thread 8x8xf32>'}}
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
    %z = top.tile_zero : !top.tile<thread 8x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}
