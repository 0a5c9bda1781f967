// Chips and cards are looked up before anything else hears of them: one error,
// that lists what is known.

// RUN: not top-opt %s --top-assign-schedule="chip=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not top-opt %s --top-verify-schedule="chip=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_70', expected one of sm_80, sm_86, sm_89, sm_90, sm_90a
// CHIP-NOT: error:
// RUN: not top-opt %s --top-assign-schedule="card=v100" 2>&1 | FileCheck %s --check-prefix=CARD
// CARD: error: unknown card 'v100', expected one of a100, a10, l4, h100-sxm, h200
// CARD-NOT: error:
// RUN: not top-opt %s --top-verify-schedule="chip=sm_90a card=l4" 2>&1 | FileCheck %s --check-prefix=PAIR
// PAIR: error: card 'l4' is of 'sm_89' and cannot run code for 'sm_90a'
// PAIR-NOT: error:

func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = top.MatMul %a, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
