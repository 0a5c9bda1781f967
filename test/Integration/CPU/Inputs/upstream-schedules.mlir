// Schedules in upstream's transform dialect, used by upstream-tiling.mlir and
// upstream-fusion.mlir.

module attributes {transform.with_named_sequence} {
  // One row and one column a tile: with large pads many tiles lie wholly in
  // padding.
  transform.named_sequence @single(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:3 = transform.structured.tile_using_for %ops tile_sizes [1, 0, 1, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  // Sizes that divide little.
  transform.named_sequence @uneven(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.tile_using_for %ops tile_sizes [0, 0, 3, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  // Parallel, then the tiles tiled again.
  transform.named_sequence @twice(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_forall %ops tile_sizes [1, 0, 4, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %again, %loops:2 = transform.structured.tile_using_for %tiles tile_sizes [0, 0, 2, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  // Threads of which some have no work, at offsets beyond the end.
  transform.named_sequence @threads(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_forall %ops num_threads [0, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @channels(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_forall %ops tile_sizes [0, 2, 3, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @matmul(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.MatMul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:3 = transform.structured.tile_using_for %ops tile_sizes [1, 3, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  // The second convolution of each function, with all that it reads.
  transform.named_sequence @fuse(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} attributes {consumer} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.fuse %ops tile_sizes [0, 0, 1, 2] interchange [0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
