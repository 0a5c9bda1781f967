// Which steps of a launch plan wait for which. The script prints, for each
// function, the list `after` of each step.

// RUN: top-compile %s --chip=sm_80 --tile="batch=1" --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/print-order.py %t.json | FileCheck %s --check-prefix=BATCH
// RUN: top-compile %s --chip=sm_80 --tile="n=32" --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/print-order.py %t.json | FileCheck %s --check-prefix=COLUMNS
// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/print-order.py %t.json | FileCheck %s --check-prefix=WHOLE

// Tiles of one result do not wait for each other, images or columns, which
// interleave. Both layers of the chain: a tile of the second needs all columns
// of the first.
// BATCH:   batches {{\[\[\]}}, [], [], []]
// COLUMNS: chain {{\[\[\]}}, [], [], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
// WHOLE:   batches {{\[\[\]}}]
// WHOLE:   chain {{\[\[\]}}, [0]]

// The sum of parts of K waits for the parts; what leads to one
// side of the last product waits for nothing that leads to the other.
// WHOLE:   split {{\[\[\]}}, [0]]
// WHOLE:   diamond {{\[\[\]}}, [], [1], [0, 2]]

// In streams of their own they compute the same.
// RUN: top-opt %s --top-tile="n=32" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s --function=batches --target=sim --verify --guard=nan | FileCheck %s --check-prefix=SAME
// RUN: top-run %t.mlir --reference=%s --function=chain --target=sim --verify --guard=nan | FileCheck %s --check-prefix=SAME
// RUN: top-run %t.mlir --reference=%s --function=diamond --target=sim --verify --guard=nan | FileCheck %s --check-prefix=SAME
// RUN: top-run %s --function=split --target=sim --verify --guard=nan | FileCheck %s --check-prefix=SAME
// RUN: top-run %s --function=diamond --target=sim --verify --guard=nan | FileCheck %s --check-prefix=SAME
// SAME: PASS {{.*}}, max absolute error 0, max relative error 0

func.func @batches(%a: tensor<4x24x40xf32>, %b: tensor<4x40x80xf32>) -> tensor<4x24x80xf32> {
  %c = top.MatMul %a, %b : (tensor<4x24x40xf32>, tensor<4x40x80xf32>) -> tensor<4x24x80xf32>
  return %c : tensor<4x24x80xf32>
}

func.func @chain(%a: tensor<24x40xf32>, %b: tensor<40x80xf32>, %c: tensor<80x80xf32>) -> tensor<24x80xf32> {
  %d = top.MatMul %a, %b : (tensor<24x40xf32>, tensor<40x80xf32>) -> tensor<24x80xf32>
  %e = top.MatMul %d, %c : (tensor<24x80xf32>, tensor<80x80xf32>) -> tensor<24x80xf32>
  return %e : tensor<24x80xf32>
}

#split = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 2, split_k = 3>
func.func @split(%a: tensor<24x136xf16>, %b: tensor<136x80xf16>) -> tensor<24x80xf16> {
  %c = top.MatMul %a, %b {top.schedule = #split} : (tensor<24x136xf16>, tensor<136x80xf16>) -> tensor<24x80xf16>
  return %c : tensor<24x80xf16>
}

func.func @diamond(%a: tensor<24x40xf32>, %b: tensor<40x24xf32>, %c: tensor<24x80xf32>) -> tensor<24x80xf32> {
  %d = top.MatMul %a, %b : (tensor<24x40xf32>, tensor<40x24xf32>) -> tensor<24x24xf32>
  %e = top.MatMul %b, %c : (tensor<40x24xf32>, tensor<24x80xf32>) -> tensor<40x80xf32>
  %f = top.MatMul %a, %e : (tensor<24x40xf32>, tensor<40x80xf32>) -> tensor<24x80xf32>
  %g = top.MatMul %d, %f : (tensor<24x24xf32>, tensor<24x80xf32>) -> tensor<24x80xf32>
  return %g : tensor<24x80xf32>
}
