// RUN: top-opt %s --top-repack-operands --verify-diagnostics

func.func @dynamic(%a: tensor<?x51xf16>, %b: tensor<51x64xf16>, %init: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error@+1 {{'linalg.matmul' op cannot have operand #0 repacked: expected a static shape, got 'tensor<?x51xf16>'}}
  %c = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<?x51xf16>, tensor<51x64xf16>) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %c : tensor<?x64xf32>
}
