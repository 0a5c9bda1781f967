//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix products whose kernels are to be run on the simulated GPU, as a choice
// on each of the axes along which kernels differ.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_KERNELS_KERNELCASE_H
#define TOP_TEST_KERNELS_KERNELCASE_H

#include "SweepCase.h"

namespace top::kernels {

/// Engine with the types of operands and result, transposes, edges along M, N
/// and K, alignment, stages, tiles, order of blocks, a batch and parts of K,
/// epilogue, the level that is left out, where operands come from.
llvm::ArrayRef<AxisInfo> getProductAxes();

SweepCase makeProductCase(const Choices &choices);

} // namespace top::kernels

#endif // TOP_TEST_KERNELS_KERNELCASE_H
