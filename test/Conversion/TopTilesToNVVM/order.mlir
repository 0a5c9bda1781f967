// RUN: sed 's/ORDER/row/' %s | top-compile - --chip=sm_80 --emit=nvvm | FileCheck %s --check-prefixes=CHECK,ROW
// RUN: sed 's/ORDER/column/' %s | top-compile - --chip=sm_80 --emit=nvvm | FileCheck %s --check-prefixes=CHECK,COLUMN
// RUN: sed 's/ORDER/grouped(2)/' %s | top-compile - --chip=sm_80 --emit=nvvm | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: sed 's/ORDER/grouped(8)/' %s | top-compile - --chip=sm_80 --emit=nvvm | FileCheck %s --check-prefixes=CHECK,EIGHT

// Which tile a block has: 5 rows of 3 tiles, all 15 blocks along x.
// CHECK: %[[BLOCKS:.*]] = arith.constant 15 : index
// CHECK: blocks in (%[[BLOCKS]], %{{.*}}, %{{.*}})
// CHECK: llvm.func
// CHECK: %[[R:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK: %[[ID:.*]] = arith.index_castui %[[R]]

// ROW: %[[I:.*]] = arith.divui %[[ID]], %c3{{.*}} : index
// ROW: %[[J:.*]] = arith.remui %[[ID]], %c3{{.*}} : index
// ROW: arith.muli %[[I]], %c64
// ROW: arith.muli %[[J]], %c64

// COLUMN: %[[I:.*]] = arith.remui %[[ID]], %c5{{.*}} : index
// COLUMN: %[[J:.*]] = arith.divui %[[ID]], %c5{{.*}} : index
// COLUMN: arith.muli %[[I]], %c64
// COLUMN: arith.muli %[[J]], %c64

// Bands of 2 rows; the last has 1.
// TWO: %[[BAND:.*]] = arith.divui %[[ID]], %c6{{.*}} : index
// TWO: %[[FIRST:.*]] = arith.muli %[[BAND]], %c2{{.*}} : index
// TWO: %[[IN:.*]] = arith.remui %[[ID]], %c6{{.*}} : index
// TWO: %[[LEFT:.*]] = arith.subi %c5{{.*}}, %[[FIRST]]
// TWO: %[[HEIGHT:.*]] = arith.minsi %[[LEFT]], %c2
// TWO: %[[R0:.*]] = arith.remui %[[IN]], %[[HEIGHT]]
// TWO: arith.addi %[[FIRST]], %[[R0]]
// TWO: arith.divui %[[IN]], %[[HEIGHT]]

// A band higher than all rows is all rows: as by columns.
// EIGHT: arith.divui %[[ID]], %c15{{.*}} : index
// EIGHT: arith.remui %{{.*}}, %c5{{.*}} : index
// EIGHT: arith.divui %{{.*}}, %c5{{.*}} : index
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], order = ORDER>
func.func @f(%a: tensor<300x72xf32>, %b: tensor<72x130xf32>) -> tensor<300x130xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<300x72xf32>, tensor<72x130xf32>) -> tensor<300x130xf32>
  return %c : tensor<300x130xf32>
}
