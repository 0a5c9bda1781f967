// RUN: top-opt %s --split-input-file --top-lower-layouts | FileCheck %s
// RUN: top-opt %s --split-input-file --top-lower-layouts | FileCheck %s --check-prefix=NONE
// RUN: top-opt %s --split-input-file --top-lower-layouts --remark-format=emitRemark --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --allow-empty

// REMARK-NOT: remark
// No type has an encoding any more.
// NONE-NOT: {{(x|[0-9])[a-z0-9]+}}, #top.layout

!last = tensor<2x8x6x5xf16, #top.layout<channels_last>>

// The schedule, the pads and the epilogue stay on the op; the way back is no
// linalg.transpose.
// CHECK-DAG:   #[[$FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @conv(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x5x8xf16> {top.layout = #top.layout<channels_last>}, %[[W:[a-z0-9]*]]: tensor<8x8x3x3xf16>, %[[R:.*]]: tensor<2x8x6x5xf16>)
// CHECK-SAME:    -> (tensor<2x6x5x8xf16> {top.layout = #top.layout<channels_last>})
// CHECK-NEXT:    %[[E0:.*]] = tensor.empty() : tensor<2x8x6x5xf16>
// CHECK-NEXT:    %[[T0:.*]] = linalg.transpose ins(%[[X]] : tensor<2x6x5x8xf16>) outs(%[[E0]] : tensor<2x8x6x5xf16>) permutation = [0, 3, 1, 2]
// CHECK-NEXT:    %[[E1:.*]] = tensor.empty() : tensor<2x8x6x5xf16>
// CHECK-NEXT:    %[[T1:.*]] = linalg.transpose ins(%[[X]] : tensor<2x6x5x8xf16>) outs(%[[E1]] : tensor<2x8x6x5xf16>) permutation = [0, 3, 1, 2]
// CHECK-NEXT:    %[[Y:.*]] = top.Conv2D %[[T0]], %[[W]] epilogue(%[[R]], %[[T1]]) {epilogue = [#top.step<add>, #top.step<add>], pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<{{.*}}>}
// CHECK-SAME:      : (tensor<2x8x6x5xf16>, tensor<8x8x3x3xf16>, tensor<2x8x6x5xf16>, tensor<2x8x6x5xf16>) -> tensor<2x8x6x5xf16>
// CHECK-NEXT:    %[[E2:.*]] = tensor.empty() : tensor<2x6x5x8xf16>
// CHECK-NEXT:    %[[L:.*]] = linalg.generic {indexing_maps = [#[[$FIRST]], #[[$ID]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[Y]] : tensor<2x8x6x5xf16>) outs(%[[E2]] : tensor<2x6x5x8xf16>)
// CHECK:         return %[[L]]
func.func @conv(%x: !last, %w: tensor<8x8x3x3xf16>, %r: tensor<2x8x6x5xf16>) -> !last {
  %y = top.Conv2D %x, %w epilogue(%r, %x) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<add>], top.schedule = #top.schedule<>}
     : (!last, tensor<8x8x3x3xf16>, tensor<2x8x6x5xf16>, !last) -> !last
  return %y : !last
}

// -----

// Sizes in the order of memory.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x5x8xf32> {
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[H:.*]] = tensor.dim %[[X]], %c1
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]], %[[H]]) : tensor<?x8x?x5xf32>
// CHECK:         linalg.transpose ins(%[[X]] : tensor<?x?x5x8xf32>) outs(%[[E]] : tensor<?x8x?x5xf32>)
// CHECK:         %[[Y:.*]] = top.Conv2D
// CHECK-DAG:     %[[YN:.*]] = tensor.dim %[[Y]], %{{c0.*}}
// CHECK-DAG:     %[[YH:.*]] = tensor.dim %[[Y]], %{{c2.*}}
// CHECK:         tensor.empty(%[[YN]], %[[YH]]) : tensor<?x?x5x4xf32>
func.func @dynamic(%x: tensor<?x8x?x5xf32, #top.layout<channels_last>>, %w: tensor<4x8x1x1xf32>) -> tensor<?x4x?x5xf32, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w : (tensor<?x8x?x5xf32, #top.layout<channels_last>>, tensor<4x8x1x1xf32>) -> tensor<?x4x?x5xf32, #top.layout<channels_last>>
  return %y : tensor<?x4x?x5xf32, #top.layout<channels_last>>
}

// -----

!last = tensor<2x8x6x5xf32, #top.layout<channels_last>>

// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x5x8xf32> {{.*}}, %[[I:[a-z0-9]*]]: index, %[[P:.*]]: tensor<1x4x6x5xf32>)
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][1, %[[I]], 0, 4] [1, 2, %[[I]], 4] [1, 1, 2, 1] : tensor<2x6x5x8xf32> to tensor<1x2x?x4xf32>
// CHECK:         %[[A:.*]] = tensor.insert_slice %[[S]] into %[[X]][0, 1, 2, 3] [1, 2, %[[I]], 4] [1, 1, 1, 1] : tensor<1x2x?x4xf32> into tensor<2x6x5x8xf32>
// The plain tile moves first.
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<1x4x6x5xf32>) outs(%{{.*}} : tensor<1x6x5x4xf32>)
// CHECK:         %[[B:.*]] = tensor.insert_slice %[[T]] into %[[A]][0, 0, 0, 4] [1, 6, 5, 4] [1, 1, 1, 1] : tensor<1x6x5x4xf32> into tensor<2x6x5x8xf32>
// CHECK:         %[[R:.*]] = tensor.extract_slice %[[B]][0, 0, 0, 0] [1, 6, 5, 8] [1, 1, 1, 1] : tensor<2x6x5x8xf32> to tensor<1x6x5x8xf32>
// CHECK:         %[[F:.*]] = linalg.transpose ins(%[[R]] : tensor<1x6x5x8xf32>)
// CHECK:         return %[[B]], %[[F]]
func.func @slices(%x: !last, %i: index, %p: tensor<1x4x6x5xf32>) -> (!last, tensor<1x8x6x5xf32>) {
  %s = tensor.extract_slice %x[1, 4, %i, 0] [1, 4, 2, %i] [1, 1, 1, 2] : !last to tensor<1x4x2x?xf32, #top.layout<channels_last>>
  %a = tensor.insert_slice %s into %x[0, 3, 1, 2] [1, 4, 2, %i] [1, 1, 1, 1] : tensor<1x4x2x?xf32, #top.layout<channels_last>> into !last
  %b = tensor.insert_slice %p into %a[0, 4, 0, 0] [1, 4, 6, 5] [1, 1, 1, 1] : tensor<1x4x6x5xf32> into !last
  %r = tensor.extract_slice %b[0, 0, 0, 0] [1, 8, 6, 5] [1, 1, 1, 1] : !last to tensor<1x8x6x5xf32>
  return %b, %r : !last, tensor<1x8x6x5xf32>
}

// -----

// Sizes, dimensions, positions and pads in the order of memory; the body of a
// pad knows where it is.
// CHECK-LABEL: func.func @tensor_ops(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x5x?xf32> {{.*}}, %[[N:[a-z0-9]*]]: index, %[[C:[a-z0-9]*]]: index, %[[V:.*]]: f32)
// CHECK:         tensor.empty(%[[N]], %[[C]]) : tensor<?x4x5x?xf32>
// CHECK:         %[[D:.*]] = arith.constant 3 : index
// CHECK:         %[[DIM:.*]] = tensor.dim %[[X]], %[[D]]
// CHECK:         %[[GOT:.*]] = tensor.extract %[[X]][%[[N]], %[[DIM]], %[[DIM]], %[[C]]]
// CHECK:         tensor.insert %[[GOT]] into %[[X]][%[[N]], %[[N]], %[[DIM]], %[[C]]]
// CHECK:         tensor.pad %{{.*}} low[0, 1, %[[N]], 0] high[%[[C]], 2, 0, 0] {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %[[PH:.*]]: index, %[[PW:.*]]: index, %[[PC:.*]]: index):
// CHECK:           %[[S:.*]] = arith.addi %[[PC]], %[[PH]]
// CHECK:           arith.addi %[[S]], %[[PW]]
// CHECK:         } : tensor<?x4x5x?xf32> to tensor<?x7x?x?xf32>
// CHECK:         tensor.cast %{{.*}} : tensor<?x7x?x?xf32> to tensor<?x7x?x8xf32>
func.func @tensor_ops(%x: tensor<?x?x4x5xf32, #top.layout<channels_last>>, %n: index, %c: index, %v: f32) -> tensor<?x8x7x?xf32, #top.layout<channels_last>> {
  %e = tensor.empty(%n, %c) : tensor<?x?x4x5xf32, #top.layout<channels_last>>
  %one = arith.constant 1 : index
  %dim = tensor.dim %x, %one : tensor<?x?x4x5xf32, #top.layout<channels_last>>
  %got = tensor.extract %x[%n, %c, %dim, %dim] : tensor<?x?x4x5xf32, #top.layout<channels_last>>
  %put = tensor.insert %got into %x[%n, %c, %n, %dim] : tensor<?x?x4x5xf32, #top.layout<channels_last>>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?x?x4x5xf32, #top.layout<channels_last>>) -> tensor<?x?x4x5xf32, #top.layout<channels_last>>
  %p = tensor.pad %f low[0, 0, 1, %n] high[%c, 0, 2, 0] {
  ^bb0(%pn: index, %pc: index, %ph: index, %pw: index):
    %s = arith.addi %pc, %ph : index
    %t = arith.addi %s, %pw : index
    %got2 = tensor.extract %put[%t, %t, %t, %t] : tensor<?x?x4x5xf32, #top.layout<channels_last>>
    tensor.yield %got2 : f32
  } : tensor<?x?x4x5xf32, #top.layout<channels_last>> to tensor<?x?x7x?xf32, #top.layout<channels_last>>
  %r = tensor.cast %p : tensor<?x?x7x?xf32, #top.layout<channels_last>> to tensor<?x8x7x?xf32, #top.layout<channels_last>>
  return %r : tensor<?x8x7x?xf32, #top.layout<channels_last>>
}

// -----

// A cast moves elements to the other layout, and back.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: tensor<1x2x3x4xf32>)
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<1x2x3x4xf32>) outs(%{{.*}} : tensor<1x3x4x2xf32>)
// CHECK:         %[[C:.*]] = tensor.cast %[[A]] : tensor<1x3x4x2xf32> to tensor<1x3x?x2xf32>
// CHECK:         %[[B:.*]] = linalg.transpose ins(%[[C]] : tensor<1x3x?x2xf32>) outs(%{{.*}} : tensor<1x2x3x?xf32>) permutation = [0, 3, 1, 2]
// CHECK:         return %[[B]]
func.func @casts(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x?xf32> {
  %a = tensor.cast %x : tensor<1x2x3x4xf32> to tensor<1x2x3x4xf32, #top.layout<channels_last>>
  %b = tensor.cast %a : tensor<1x2x3x4xf32, #top.layout<channels_last>> to tensor<1x2x3x?xf32>
  return %b : tensor<1x2x3x?xf32>
}

// -----

// Constants are written down as N, C, H, W, and put in the order of memory.
// CHECK-LABEL: func.func @constants(
// CHECK:         arith.constant dense<{{\[\[\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK:         arith.constant dense<5> : tensor<1x3x4x2xi8>
// CHECK:         arith.constant dense_resource<{{.*}}> : tensor<1x1x2x2xi8>
// CHECK:         values{{.*}}: "0x0400000001030204"
func.func @constants() -> (tensor<1x2x1x2xf32, #top.layout<channels_last>>, tensor<1x2x3x4xi8, #top.layout<channels_last>>, tensor<1x2x1x2xi8, #top.layout<channels_last>>) {
  %a = arith.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32, #top.layout<channels_last>>
  %b = arith.constant dense<5> : tensor<1x2x3x4xi8, #top.layout<channels_last>>
  %c = arith.constant dense_resource<values> : tensor<1x2x1x2xi8, #top.layout<channels_last>>
  return %a, %b, %c : tensor<1x2x1x2xf32, #top.layout<channels_last>>, tensor<1x2x3x4xi8, #top.layout<channels_last>>, tensor<1x2x1x2xi8, #top.layout<channels_last>>
}

{-#
  dialect_resources: { builtin: { values: "0x0400000001020304" } }
#-}

// -----

!last = tensor<1x2x3x4xf32, #top.layout<channels_last>>

// What loops, branches and calls carry.
// CHECK:       func.func private @callee(tensor<1x3x4x2xf32> {top.layout = #top.layout<channels_last>}) -> (tensor<1x3x4x2xf32> {top.layout = #top.layout<channels_last>})
// CHECK-LABEL: func.func @control(
// CHECK:         scf.for {{.*}} -> (tensor<1x3x4x2xf32>)
// CHECK:           scf.if {{.*}} -> (tensor<1x3x4x2xf32>)
// CHECK:           func.call @callee(%{{.*}}) : (tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
// CHECK:         cf.br ^bb1(%{{.*}} : tensor<1x3x4x2xf32>)
// CHECK:       ^bb1(%{{.*}}: tensor<1x3x4x2xf32>)
// CHECK:         arith.addf %{{.*}} : tensor<1x3x4x2xf32>
// CHECK:         arith.select %{{.*}} : tensor<1x3x4x2xf32>
func.func private @callee(!last) -> !last
func.func @control(%x: !last, %b: i1, %n: index) -> !last {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> !last {
    %r = scf.if %b -> !last {
      %s = func.call @callee(%a) : (!last) -> !last
      scf.yield %s : !last
    } else {
      scf.yield %a : !last
    }
    scf.yield %r : !last
  }
  cf.br ^bb1(%f : !last)
^bb1(%y: !last):
  %z = arith.addf %x, %y : !last
  %s = arith.select %b, %z, %x : !last
  return %s : !last
}

// -----

// CHECK-LABEL: func.func @forall(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x3x4xf32>, %[[D:.*]]: tensor<2x3x4x8xf32> {
// CHECK:         scf.forall (%[[I:.*]]) in (2) shared_outs(%[[O:.*]] = %[[D]]) -> (tensor<2x3x4x8xf32>)
// CHECK:           %[[S:.*]] = tensor.extract_slice %[[X]][%[[I]], 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1]
// CHECK:           %[[T:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<1x8x3x4xf32>)
// CHECK:           scf.forall.in_parallel
// CHECK-NEXT:        tensor.parallel_insert_slice %[[T]] into %[[O]][%[[I]], 0, 0, 0] [1, 3, 4, 8] [1, 1, 1, 1] : tensor<1x3x4x8xf32> into tensor<2x3x4x8xf32>
func.func @forall(%x: tensor<2x8x3x4xf32>, %d: tensor<2x8x3x4xf32, #top.layout<channels_last>>) -> tensor<2x8x3x4xf32, #top.layout<channels_last>> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %d) -> tensor<2x8x3x4xf32, #top.layout<channels_last>> {
    %s = tensor.extract_slice %x[%i, 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1] : tensor<2x8x3x4xf32> to tensor<1x8x3x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1] : tensor<1x8x3x4xf32> into tensor<2x8x3x4xf32, #top.layout<channels_last>>
    }
  }
  return %r : tensor<2x8x3x4xf32, #top.layout<channels_last>>
}

// -----

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#sum = affine_map<(n, c, h, w) -> (n, c)>

// Loops over a result follow its memory; others stay, and read where elements
// are.
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[$FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-DAG:   #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG:   #[[$LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
// CHECK-DAG:   #[[$SUM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-LABEL: func.func @generics(
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$FIRST]], #[[$CHANNEL]], #[[$ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[$LAST]], #[[$SUM]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
func.func @generics(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>, %y: tensor<1x8x3x4xf32>, %b: tensor<8xf32>, %s: tensor<1x8xf32>) -> (tensor<1x8x3x4xf32, #top.layout<channels_last>>, tensor<1x8xf32>) {
  %e = tensor.empty() : tensor<1x8x3x4xf32, #top.layout<channels_last>>
  %0 = linalg.generic {indexing_maps = [#id, #id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %y, %b : tensor<1x8x3x4xf32, #top.layout<channels_last>>, tensor<1x8x3x4xf32>, tensor<8xf32>) outs(%e : tensor<1x8x3x4xf32, #top.layout<channels_last>>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %q = arith.addf %p, %k : f32
    linalg.yield %q : f32
  } -> tensor<1x8x3x4xf32, #top.layout<channels_last>>
  %1 = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%0 : tensor<1x8x3x4xf32, #top.layout<channels_last>>) outs(%s : tensor<1x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.addf %i, %o : f32
    linalg.yield %p : f32
  } -> tensor<1x8xf32>
  return %0, %1 : tensor<1x8x3x4xf32, #top.layout<channels_last>>, tensor<1x8xf32>
}

// -----

// Nothing to do.
// CHECK-LABEL: func.func @plain(%{{.*}}: tensor<1x8x3x4xf32>, %{{.*}}: tensor<2x3xf32, "other">)
// CHECK-NEXT:    return
func.func @plain(%x: tensor<1x8x3x4xf32>, %y: tensor<2x3xf32, "other">) {
  return
}
