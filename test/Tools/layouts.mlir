// Channels-last arguments and results of a plan: their shapes are those of
// memory, and the plan says so. top-run puts them in order, so that a run of the
// same function without encodings has the same values.

// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python -c "import json, sys; f, = json.load(open(sys.argv[1]))['functions']; print(*map(json.dumps, f['buffers']), sep='\n')" %t.json | FileCheck %s --check-prefix=PLAN
// RUN: sed 's/, #top.layout<channels_last>//g' %s > %t.plain.mlir
// RUN: top-run %s --target=sim --reference=%t.plain.mlir --guard=nan --fill=normal --json=%t.last.json | FileCheck %s --check-prefix=SIM
// RUN: top-run %t.plain.mlir --target=sim --reference=%s --guard=nan --fill=normal --json=%t.plain.json | FileCheck %s --check-prefix=SIM
// RUN: %python -c "import json, sys; a, b = (json.load(open(f))['results'] for f in sys.argv[1:]); assert [r['digest'] for r in a] == [r['digest'] for r in b], (a, b)" %t.last.json %t.plain.json
// RUN: top-compile %s --chip=sm_80 --stop-after=top-verify-schedule -o - | FileCheck %s --check-prefix=BEFORE
// RUN: top-compile %s --chip=sm_80 --stop-after=top-lower-layouts -o - | FileCheck %s --check-prefix=AFTER

// PLAN: {"bytes": 768, "index": 0, "kind": "argument", "layout": "channels_last", "shape": [2, 3, 4, 8], "type": "f32"}
// PLAN: {"bytes": 384, "index": 0, "kind": "result", "layout": "channels_last", "shape": [1, 3, 4, 8], "type": "f32"}
// SIM: PASS slice: compared 96 of 96 elements
// BEFORE: func.func @slice(%{{.*}}: tensor<2x8x3x4xf32, #top.layout<channels_last>>)
// AFTER: func.func @slice(%{{.*}}: tensor<2x3x4x8xf32> {top.layout = #top.layout<channels_last>})
func.func @slice(%x: tensor<2x8x3x4xf32, #top.layout<channels_last>>) -> tensor<1x8x3x4xf32, #top.layout<channels_last>> {
  %s = tensor.extract_slice %x[1, 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1] : tensor<2x8x3x4xf32, #top.layout<channels_last>> to tensor<1x8x3x4xf32, #top.layout<channels_last>>
  return %s : tensor<1x8x3x4xf32, #top.layout<channels_last>>
}
