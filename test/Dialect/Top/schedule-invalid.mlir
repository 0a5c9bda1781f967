// RUN: top-opt %s --verify-diagnostics --split-input-file

// What a schedule alone can show to be wrong is one error, and so is a schedule
// where nothing reads it.

// expected-error@+1 {{expected a field of a schedule (engine, block, warp, thread, stages, swizzle, cluster, split_k, order, repack, box or pixels), got 'tile'}}
func.func private @unknown_field() attributes {a = #top.schedule<tile = [1, 1]>}

// -----

// expected-error@+1 {{field 'stages' is given twice}}
func.func private @twice() attributes {a = #top.schedule<stages = 2, stages = 3>}

// -----

// expected-error@+1 {{expected 'engine' to be simt, mma_sync, wgmma or direct, got 'dmma'}}
func.func private @engine() attributes {a = #top.schedule<engine = dmma>}

// -----

// expected-error@+1 {{expected 'order' to be row, column or grouped(G), got 'hilbert'}}
func.func private @order() attributes {a = #top.schedule<order = hilbert>}

// -----

// expected-error@+1 {{expected '('}}
func.func private @group_size() attributes {a = #top.schedule<order = grouped>}

// -----

// expected-error@+1 {{expected 'group size' to be between 1 and 65536, got 0}}
func.func private @no_group() attributes {a = #top.schedule<order = grouped(0)>}

// -----

// expected-error@+1 {{expected 'swizzle' to be true or false, got 'on'}}
func.func private @swizzle() attributes {a = #top.schedule<swizzle = on>}

// -----

// expected-error@+1 {{expected 'block' to be [BM, BN, BK], got 2 values}}
func.func private @block_of_two() attributes {a = #top.schedule<block = [128, 128]>}

// -----

// expected-error@+1 {{expected 'warp' to be [WM, WN], got 0 values}}
func.func private @no_warp() attributes {a = #top.schedule<warp = []>}

// -----

// expected-error@+1 {{expected 'block' to be between 1 and 65536, got 0}}
func.func private @zero_block() attributes {a = #top.schedule<block = [128, 0, 32]>}

// -----

// expected-error@+1 {{expected 'block' to be between 1 and 65536, got 9223372036854775807}}
func.func private @huge_block() attributes {a = #top.schedule<block = [128, 128, 9223372036854775807]>}

// -----

// expected-error@+1 {{integer value too large}}
func.func private @too_many_digits() attributes {a = #top.schedule<stages = 99999999999999999999999>}

// -----

// expected-error@+1 {{expected 'warp' to be between 1 and 65536, got -32}}
func.func private @negative_warp() attributes {a = #top.schedule<warp = [-32, 64]>}

// -----

// expected-error@+1 {{expected 'stages' to be between 1 and 65536, got 0}}
func.func private @no_stages() attributes {a = #top.schedule<stages = 0>}

// -----

// expected-error@+1 {{expected 'stages' to be between 1 and 65536, got -1}}
func.func private @negative_stages() attributes {a = #top.schedule<stages = -1>}

// -----

// expected-error@+1 {{expected 'split_k' to be between 1 and 65536, got 0}}
func.func private @no_split() attributes {a = #top.schedule<split_k = 0>}

// -----

// expected-error@+1 {{expected 'cluster' to be [CM, CN], got 3 values}}
func.func private @cluster_of_three() attributes {a = #top.schedule<cluster = [2, 1, 1]>}

// -----

// expected-error@+1 {{expected 'cluster' to have at most 8 blocks, got 16}}
func.func private @large_cluster() attributes {a = #top.schedule<cluster = [4, 4]>}

// -----

// expected-error@+1 {{expected 'block' M of 128 to be a multiple of 'warp' M, 48}}
func.func private @block_by_warp_m() attributes {a = #top.schedule<warp = [48, 64]>}

// -----

// expected-error@+1 {{expected 'block' N of 96 to be a multiple of 'warp' N, 64}}
func.func private @block_by_warp_n() attributes {a = #top.schedule<block = [128, 96, 32]>}

// -----

// expected-error@+1 {{expected 'warp' M of 32 to be a multiple of 'thread' M, 12}}
func.func private @warp_by_thread_m() attributes {a = #top.schedule<thread = [12, 8]>}

// -----

// expected-error@+1 {{expected 'warp' N of 64 to be a multiple of 'thread' N, 7}}
func.func private @warp_by_thread_n() attributes {a = #top.schedule<thread = [8, 7]>}

// -----

// expected-error@+1 {{expected 'warp' to hold 32 'thread' tiles, one a thread, got 8 x 8}}
func.func private @lanes() attributes {a = #top.schedule<thread = [4, 8]>}

// -----

// expected-error@+1 {{expected 'thread' only for the engines 'simt' and 'direct', not for 'mma_sync'}}
func.func private @thread_tile() attributes {a = #top.schedule<engine = mma_sync, thread = [8, 8]>}

// -----

// expected-error@+1 {{expected 'warp' M of 8 to be a multiple of the MMA shape's M, 16}}
func.func private @mma_m() attributes {a = #top.schedule<engine = mma_sync, warp = [8, 64]>}

// -----

// expected-error@+1 {{expected 'warp' N of 4 to be a multiple of the MMA shape's N, 8}}
func.func private @mma_n() attributes {a = #top.schedule<engine = mma_sync, warp = [64, 4]>}

// -----

// expected-error@+1 {{expected 'block' K of 12 to be a multiple of the MMA shape's K, 8}}
func.func private @mma_k() attributes {a = #top.schedule<engine = mma_sync, block = [128, 128, 12]>}

// -----

// expected-error@+1 {{expected 'warp' M of 32 to be a multiple of the MMA shape's M, 64}}
func.func private @wgmma_m() attributes {a = #top.schedule<engine = wgmma, warp = [32, 256]>}

// -----

// expected-error@+1 {{expected a block of at most 1024 threads, got 2048; enlarge 'warp' or lower 'block'}}
func.func private @threads() attributes {a = #top.schedule<block = [256, 512, 32]>}

// -----

// Seven consumer warpgroups and the producer are 1024 threads; eight are not.
func.func private @seven_consumers() attributes {a = #top.schedule<engine = wgmma, block = [448, 256, 64]>}
// expected-error@+1 {{expected a block of at most 1024 threads, got 1152}}
func.func private @eight_consumers() attributes {a = #top.schedule<engine = wgmma, block = [512, 256, 64]>}

// -----

func.func @not_a_schedule(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{'top.MatMul' op expected 'top.schedule' to be a #top.schedule, got "fast"}}
  %c = top.MatMul %a, %a {top.schedule = "fast"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @wrong_place(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{'arith.addf' op expected 'top.schedule' on a layer op of 'top' or on what it becomes, not here}}
  %c = arith.addf %a, %a {top.schedule = #top.schedule<>} : tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
