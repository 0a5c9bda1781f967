// The sums of tensor cores pass through shared memory without bank conflicts,
// whatever a lane stores at once: runs of 8 sums (16 bytes of f16 or bf16), of 4
// (f32, i32), or fewer where rows are not aligned. 2 wavefronts are what 8 bytes
// of each lane take, and 4 what 16 bytes take. A layout of rows alone had 4 in
// place of 2 for those that lie a multiple of 128 bytes apart, or else 8 in
// place of 4 for runs of 8.

// DEFINE: %{turns} =
// DEFINE: %{function} =
// DEFINE: %{check} = top-run %s --target=sim --chip=sm_90a --function=%{function} --verify --guard=nan --sim-report | grep 'PASS\|tile_store.* shared ' | FileCheck %s -DTURNS=%{turns}

// CHECK:     PASS
// CHECK-DAG: shared store: {{.*}} bytes, 2 wavefronts a request, 0 bank conflicts a request
// CHECK-DAG: shared load: {{.*}} bytes, [[TURNS]] wavefronts a request, 0 bank conflicts a request

// The bias and a tensor of the result's size are read like the result is written.
// REDEFINE: %{function} = f16
// REDEFINE: %{turns} = 4
// RUN: %{check}
func.func @f16(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %bias: tensor<128xf16>, %r: tensor<64x128xf16>) -> tensor<64x128xf16> {
  %c = top.MatMul %a, %b, %bias epilogue(%r) {epilogue = [#top.step<add>, #top.step<relu>], top.schedule = #top.schedule<engine = mma_sync, block = [32, 128, 16], warp = [16, 64], stages = 2>}
     : (tensor<64x32xf16>, tensor<32x128xf16>, tensor<128xf16>, tensor<64x128xf16>) -> tensor<64x128xf16>
  return %c : tensor<64x128xf16>
}

// 4 rows of 16 columns are a turn; a tail along M.
// REDEFINE: %{function} = bf16
// REDEFINE: %{turns} = 4
// RUN: %{check}
func.func @bf16(%a: tensor<40x32xbf16>, %b: tensor<32x40xbf16>) -> tensor<40x40xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 16], warp = [16, 16], stages = 2>}
     : (tensor<40x32xbf16>, tensor<32x40xbf16>) -> tensor<40x40xbf16>
  return %c : tensor<40x40xbf16>
}

// 3 runs a row, which end within a turn; 48 a band, half of whose second access
// is of 16 lanes.
// REDEFINE: %{function} = columns24
// REDEFINE: %{turns} = 3
// RUN: %{check}
func.func @columns24(%a: tensor<32x32xf16>, %b: tensor<32x48xf16>) -> tensor<32x48xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [16, 48, 16], warp = [16, 24], stages = 2>}
     : (tensor<32x32xf16>, tensor<32x48xf16>) -> tensor<32x48xf16>
  return %c : tensor<32x48xf16>
}

// One run a row, for half of the lanes.
// REDEFINE: %{function} = columns8
// REDEFINE: %{turns} = 2
// RUN: %{check}
func.func @columns8(%a: tensor<32x32xf16>, %b: tensor<32x16xf16>) -> tensor<32x16xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [16, 16, 16], warp = [16, 8], stages = 2>}
     : (tensor<32x32xf16>, tensor<32x16xf16>) -> tensor<32x16xf16>
  return %c : tensor<32x16xf16>
}

// Runs of 4, of which 2 rows are a turn.
// REDEFINE: %{function} = tf32
// REDEFINE: %{turns} = 4
// RUN: %{check}
func.func @tf32(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {allow_tf32, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 8], warp = [16, 16], stages = 2>}
     : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// A tile of 48 columns, 12 runs a row.
// REDEFINE: %{function} = i8
// REDEFINE: %{turns} = 4
// RUN: %{check}
func.func @i8(%a: tensor<32x64xi8>, %b: tensor<96x64xi8>) -> tensor<32x96xi32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 96, 32], warp = [16, 48], stages = 2>}
     : (tensor<32x64xi8>, tensor<96x64xi8>) -> tensor<32x96xi32>
  return %c : tensor<32x96xi32>
}

// Parts of K are stored as f32 for a second kernel to add, which is the one that
// has its accesses listed: the totals of both.
// RUN: top-run %s --target=sim --chip=sm_90a --function=parts --verify --guard=nan --sim-report | FileCheck %s --check-prefix=PARTS
// PARTS: simulated 2 launches
// PARTS: shared load: {{.*}} wavefronts a request, 0 bank conflicts a request
// PARTS: shared store: {{.*}} wavefronts a request, 0 bank conflicts a request
func.func @parts(%a: tensor<32x256xf16>, %b: tensor<32x256xf16>) -> tensor<32x32xf16> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 2, split_k = 2>}
     : (tensor<32x256xf16>, tensor<32x256xf16>) -> tensor<32x32xf16>
  return %c : tensor<32x32xf16>
}

// Rows of 41 f16: one sum at a time, a wavefront for all lanes.
// REDEFINE: %{function} = odd
// REDEFINE: %{turns} = 1
// RUN: %{check}
func.func @odd(%a: tensor<32x32xf16>, %b: tensor<32x41xf16>) -> tensor<32x41xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 16], warp = [16, 16], stages = 2>}
     : (tensor<32x32xf16>, tensor<32x41xf16>) -> tensor<32x41xf16>
  return %c : tensor<32x41xf16>
}

// A convolution reads windows of its input: rows of 16 channels, columns of pixels.
// REDEFINE: %{function} = conv1x1
// REDEFINE: %{turns} = 4
// RUN: %{check}
func.func @conv1x1(%x: tensor<2x32x8x16xf16>, %w: tensor<64x32x1x1xf16>, %bias: tensor<64xf16>) -> tensor<2x64x8x16xf16> {
  %y = top.Conv2D %x, %w, %bias {epilogue = [#top.step<relu>], top.schedule = #top.schedule<engine = mma_sync, block = [32, 128, 32], warp = [16, 64], stages = 2, box = [1, 8, 16]>}
     : (tensor<2x32x8x16xf16>, tensor<64x32x1x1xf16>, tensor<64xf16>) -> tensor<2x64x8x16xf16>
  return %y : tensor<2x64x8x16xf16>
}

// REDEFINE: %{function} = conv3x3
// REDEFINE: %{turns} = 4
// RUN: %{check}
func.func @conv3x3(%x: tensor<2x16x8x16xf16>, %w: tensor<32x16x3x3xf16>) -> tensor<2x32x8x16xf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = mma_sync, block = [32, 64, 16], warp = [16, 32], stages = 2, repack = true, box = [1, 4, 16]>}
     : (tensor<2x16x8x16xf16>, tensor<32x16x3x3xf16>) -> tensor<2x32x8x16xf16>
  return %y : tensor<2x32x8x16xf16>
}
