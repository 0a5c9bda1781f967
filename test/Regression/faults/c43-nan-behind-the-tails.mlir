// RUN: top-sweep --edge-cases=%top_src/test/cases/edge_cases.json --only=mm035 | FileCheck %s
// RUN: top-sweep --edge-cases=%top_src/test/cases/edge_cases.json --only=mm036 | FileCheck %s

// A depth of 17 over tiles of 16, and memory behind both operands holds NaN.

// CHECK: 1 passed, 0 failed
