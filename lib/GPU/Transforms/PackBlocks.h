//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a pack of channels is cut into blocks. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_PACKBLOCKS_H
#define TOP_LIB_GPU_TRANSFORMS_PACKBLOCKS_H

#include "top/Dialect/Top/IR/Schedule.h"

namespace mlir::top {

/// What one block packs: rows and columns of pixels of one image, and channels
/// of the result.
struct PackBox {
  int64_t height, width, channels;
};

/// How a linalg.pack puts channels last that become C' of each pixel.
enum class PackForm {
  Move, ///< [batch x] C x H x W to [batch x] H x W x 1 x C'
  Fill  ///< [batch x] H x W x C to [batch x] H x W x 1 x C'
};

/// The box for `images` of `height` x `width` pixels with `packedChannels` in
/// the result, of `elementBytes` each; `pixelStep` elements of a channel lie
/// between two columns of the source.
PackBox getPackBox(PackForm form, int64_t images, int64_t packedChannels,
                   int64_t height, int64_t width, int64_t elementBytes,
                   int64_t pixelStep);

/// The schedule of a kernel whose blocks have that box: block = [channels,
/// pixels, 1], rounded up to powers of two, and box = [1, height, width].
ScheduleAttr getPackSchedule(MLIRContext *context, const PackBox &box,
                             int64_t elementBytes);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_PACKBLOCKS_H
