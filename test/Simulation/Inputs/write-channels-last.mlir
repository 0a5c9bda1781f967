// What test/Simulation/write-channels-last.mlir computes, by upstream's ops.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

func.func @normalized(%x: tensor<2x16x9x11xf32>, %b: tensor<16xf32>, %w: tensor<8x16x3x3xf32>, %v: tensor<8x16x1x1xf32>) -> (tensor<2x8x9x11xf32>, tensor<2x8x5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x16x9x11xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : tensor<2x16x9x11xf32>, tensor<16xf32>) outs(%e : tensor<2x16x9x11xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.mulf %a, %m : f32
    %s = arith.addf %d, %one : f32
    linalg.yield %s : f32
  } -> tensor<2x16x9x11xf32>
  %p = tensor.pad %n low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x16x9x11xf32> to tensor<2x16x11x13xf32>
  %e0 = tensor.empty() : tensor<2x8x9x11xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x8x9x11xf32>) -> tensor<2x8x9x11xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x16x11x13xf32>, tensor<8x16x3x3xf32>) outs(%f0 : tensor<2x8x9x11xf32>) -> tensor<2x8x9x11xf32>
  %e1 = tensor.empty() : tensor<2x8x5x6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x8x5x6xf32>) -> tensor<2x8x5x6xf32>
  %1 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%n, %v : tensor<2x16x9x11xf32>, tensor<8x16x1x1xf32>) outs(%f1 : tensor<2x8x5x6xf32>) -> tensor<2x8x5x6xf32>
  return %0, %1 : tensor<2x8x9x11xf32>, tensor<2x8x5x6xf32>
}

func.func @groups(%x: tensor<2x16x9x11xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<2x8x9x11xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x16x9x11xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x9x11xf32>) outs(%e : tensor<2x16x9x11xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %one : f32
    linalg.yield %m : f32
  } -> tensor<2x16x9x11xf32>
  %p = tensor.pad %n low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x16x9x11xf32> to tensor<2x16x11x13xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [2, 2, 8, 11, 13] : tensor<2x16x11x13xf32> into tensor<2x2x8x11x13xf32>
  %u = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [2, 4, 8, 3, 3] : tensor<8x8x3x3xf32> into tensor<2x4x8x3x3xf32>
  %e0 = tensor.empty() : tensor<2x2x4x9x11xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x2x4x9x11xf32>) -> tensor<2x2x4x9x11xf32>
  %0 = linalg.conv_2d_ngchw_gfchw ins(%g, %u : tensor<2x2x8x11x13xf32>, tensor<2x4x8x3x3xf32>) outs(%f0 : tensor<2x2x4x9x11xf32>) -> tensor<2x2x4x9x11xf32>
  %r = tensor.collapse_shape %0 [[0], [1, 2], [3], [4]] : tensor<2x2x4x9x11xf32> into tensor<2x8x9x11xf32>
  return %r : tensor<2x8x9x11xf32>
}

func.func @last(%x: tensor<2x16x9x11xf32>, %l: tensor<2x9x11x16xf32>, %w: tensor<8x16x3x3xf32>) -> tensor<2x8x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x9x11xf32>
  %t = linalg.transpose ins(%l : tensor<2x9x11x16xf32>) outs(%e : tensor<2x16x9x11xf32>) permutation = [0, 3, 1, 2]
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %t : tensor<2x16x9x11xf32>, tensor<2x16x9x11xf32>) outs(%e : tensor<2x16x9x11xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x16x9x11xf32>
  %e0 = tensor.empty() : tensor<2x8x7x9xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x8x7x9xf32>) -> tensor<2x8x7x9xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%n, %w : tensor<2x16x9x11xf32>, tensor<8x16x3x3xf32>) outs(%f0 : tensor<2x8x7x9xf32>) -> tensor<2x8x7x9xf32>
  return %0 : tensor<2x8x7x9xf32>
}
