//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions whose kernels are to be run on the simulated GPU: as a choice on
// each of the axes along which kernels differ, or drawn at random.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_KERNELS_CONVCASE_H
#define TOP_TEST_KERNELS_CONVCASE_H

#include "SweepCase.h"

namespace top::kernels {

/// Engine with the types, how the input is read, kernel, strides, pads,
/// dilations, groups, channels, images, stages, tiles, boxes, parts of K,
/// epilogue, the level that is left out, filter, cuts by top-tile.
llvm::ArrayRef<AxisInfo> getConvAxes();

/// The case is called "conv" and the names of the choices.
SweepCase makeConvCase(const Choices &choices);

/// Convolution number `index` of a seed, called "conv seed=S random=I": choices
/// and sizes at random. The same for the same numbers.
SweepCase makeRandomConvCase(uint64_t seed, unsigned index);

} // namespace top::kernels

#endif // TOP_TEST_KERNELS_CONVCASE_H
