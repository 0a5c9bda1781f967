//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration of the test-only passes, which are linked into top-opt alone.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_LIB_TESTPASSES_H
#define TOP_TEST_LIB_TESTPASSES_H

namespace mlir::top::test {

void registerTestBreakPipelinePass();
void registerTestFoldConstantPackPass();
void registerTestFoldLayoutsPass();
void registerTestShiftWindowPass();

} // namespace mlir::top::test

#endif // TOP_TEST_LIB_TESTPASSES_H
