// Channels-last arguments and results of a plan: their shapes are those of
// memory, and the plan says so. top-run puts them in order, so that a run of the
// same function without encodings has the same values.

// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python -c "import json, sys; f, = json.load(open(sys.argv[1]))['functions']; print(*map(json.dumps, f['buffers']), sep='\n')" %t.json | FileCheck %s --check-prefix=PLAN
// RUN: sed 's/, #top.layout<channels_last>//g' %s > %t.plain.mlir
// RUN: top-run %s --target=sim --guard=nan --json=%t.sim.json
// RUN: top-run %t.plain.mlir --target=sim --guard=nan --json=%t.plain-sim.json
// RUN: top-run %s --guard=nan --json=%t.cpu.json
// RUN: top-run %t.plain.mlir --guard=nan --json=%t.plain.json
// RUN: %python -c "import json, sys; a, *others = (json.load(open(f))['results'] for f in sys.argv[1:]); assert len(a) == 2 and a[0]['shape'] == [1, 8, 3, 4] and all(a == b for b in others), (a, others)" %t.sim.json %t.plain-sim.json %t.cpu.json %t.plain.json
// RUN: top-compile %s --chip=sm_80 --stop-after=top-verify-schedule -o - | FileCheck %s --check-prefix=BEFORE
// RUN: top-compile %s --chip=sm_80 --stop-after=top-lower-layouts -o - | FileCheck %s --check-prefix=AFTER

// PLAN: {"bytes": 768, "index": 0, "kind": "argument", "layout": "channels_last", "shape": [2, 3, 4, 8], "type": "f32"}
// PLAN: {"bytes": 64, "index": 1, "kind": "argument", "shape": [4, 4], "type": "f32"}
// PLAN: {"bytes": 384, "index": 0, "kind": "result", "layout": "channels_last", "shape": [1, 3, 4, 8], "type": "f32"}
// BEFORE: func.func @slice(%{{.*}}: tensor<2x8x3x4xf32, #top.layout<channels_last>>, %
// AFTER: func.func @slice(%{{.*}}: tensor<2x3x4x8xf32> {top.layout = #top.layout<channels_last>}, %
func.func @slice(%x: tensor<2x8x3x4xf32, #top.layout<channels_last>>, %a: tensor<4x4xf32>) -> (tensor<1x8x3x4xf32, #top.layout<channels_last>>, tensor<4x4xf32>) {
  %s = tensor.extract_slice %x[1, 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1] : tensor<2x8x3x4xf32, #top.layout<channels_last>> to tensor<1x8x3x4xf32, #top.layout<channels_last>>
  %c = top.MatMul %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s, %c : tensor<1x8x3x4xf32, #top.layout<channels_last>>, tensor<4x4xf32>
}
