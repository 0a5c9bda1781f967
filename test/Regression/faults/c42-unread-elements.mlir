// RUN: top-sweep --edge-cases=%top_src/test/cases/edge_cases.json --only=cv046 | FileCheck %s

// Odd rows hold NaN and no window reads them: the result stays finite. The row
// of the case file names the fill.

// CHECK: 1 passed, 0 failed
