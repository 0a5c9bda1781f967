// Pipelines of 1, 2, 3 and 5 stages, over 1 to 7 steps, are found right: those
// of 16-byte asynchronous copies, and those of 2-byte synchronous ones.
// RUN: sed 's/STAGES/1/' %s > %t.1.mlir && top-compile %t.1.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o - | top-opt --top-verify-pipeline --remark-format=emitRemark --remarks-filter=top-verify-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: sed 's/STAGES/2/' %s > %t.2.mlir && top-compile %t.2.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o - | top-opt --top-verify-pipeline --remark-format=emitRemark --remarks-filter=top-verify-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/STAGES/3/' %s > %t.3.mlir && top-compile %t.3.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o - | top-opt --top-verify-pipeline --remark-format=emitRemark --remarks-filter=top-verify-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/STAGES/5/' %s > %t.5.mlir && top-compile %t.5.mlir --chip=sm_80 --stop-after=top-tile-to-warps -o - | top-opt --top-verify-pipeline --remark-format=emitRemark --remarks-filter=top-verify-pipeline -o /dev/null 2>&1 | FileCheck %s
// The whole pipeline runs the check.
// RUN: top-compile %t.3.mlir --chip=sm_80 --emit=tiles -o /dev/null
// Slower forms are right as well.
// RUN: top-compile %t.3.mlir --chip=sm_80 --emit=tiles --without=top-multi-buffer,top-tile-to-warps -o /dev/null
// RUN: top-compile %t.3.mlir --chip=sm_80 --emit=tiles --without=top-promote-shared -o /dev/null

// With one stage there is a barrier on each side of the product.
// ONE: Function=k1 | Remark="2 copies, 0 of them asynchronous, 2 reads and 2 barriers in 1 steps"
// ONE: Function=k7 | Remark="14 copies, 0 of them asynchronous, 14 reads and 14 barriers in 7 steps"
// ONE: Function=narrow7 | Remark="14 copies, 0 of them asynchronous, 14 reads and 14 barriers in 7 steps"
// ONE: Function=k0 | Remark="0 copies, 0 of them asynchronous, 0 reads and 0 barriers in 0 steps"

// With more there is one a step. Nothing is copied twice, and nothing beyond the
// last step.
// CHECK: Function=k1 | Remark="2 copies, 0 of them asynchronous, 2 reads and 2 barriers in 1 steps"
// CHECK: Function=k2 | Remark="4 copies, 4 of them asynchronous, 4 reads and 2 barriers in 2 steps"
// CHECK: Function=k3 | Remark="6 copies, 6 of them asynchronous, 6 reads and 3 barriers in 3 steps"
// CHECK: Function=k4 | Remark="8 copies, 8 of them asynchronous, 8 reads and 4 barriers in 4 steps"
// CHECK: Function=k5 | Remark="10 copies, 10 of them asynchronous, 10 reads and 5 barriers in 5 steps"
// CHECK: Function=k6 | Remark="12 copies, 12 of them asynchronous, 12 reads and 6 barriers in 6 steps"
// CHECK: Function=k7 | Remark="14 copies, 14 of them asynchronous, 14 reads and 7 barriers in 7 steps"
// CHECK: Function=narrow2 | Remark="4 copies, 0 of them asynchronous, 4 reads and 2 barriers in 2 steps"
// CHECK: Function=narrow7 | Remark="14 copies, 0 of them asynchronous, 14 reads and 7 barriers in 7 steps"
// CHECK: Function=k0 | Remark="0 copies, 0 of them asynchronous, 0 reads and 0 barriers in 0 steps"
// CHECK: Function=none | Reason="no scf.forall carries top.schedule"

#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = STAGES>
func.func @k1(%a: tensor<32x8xf32>, %b: tensor<8x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x8xf32>, tensor<8x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @k2(%a: tensor<32x12xf32>, %b: tensor<12x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x12xf32>, tensor<12x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @k3(%a: tensor<32x20xf32>, %b: tensor<20x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x20xf32>, tensor<20x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @k4(%a: tensor<32x28xf32>, %b: tensor<28x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x28xf32>, tensor<28x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @k5(%a: tensor<32x36xf32>, %b: tensor<36x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x36xf32>, tensor<36x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @k6(%a: tensor<32x44xf32>, %b: tensor<44x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x44xf32>, tensor<44x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @k7(%a: tensor<32x52xf32>, %b: tensor<52x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x52xf32>, tensor<52x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @narrow2(%a: tensor<17x13xf16>, %b: tensor<13x33xf16>) -> tensor<17x33xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<17x13xf16>, tensor<13x33xf16>) -> tensor<17x33xf16>
  return %c : tensor<17x33xf16>
}
func.func @narrow7(%a: tensor<17x53xf16>, %b: tensor<53x33xf16>) -> tensor<17x33xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<17x53xf16>, tensor<53x33xf16>) -> tensor<17x33xf16>
  return %c : tensor<17x33xf16>
}
func.func @k0(%a: tensor<32x0xf32>, %b: tensor<0x32xf32>) -> tensor<32x32xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<32x0xf32>, tensor<0x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
func.func @none(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
