//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out a launch plan with its PTX on a CUDA device.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_PLANRUNNER_H
#define TOP_EXECUTION_PLANRUNNER_H

#include "top/Execution/CudaDriver.h"
#include "top/Execution/PlanTiming.h"
#include "top/Execution/StepStreams.h"
#include "top/GPU/Launch/LaunchPlan.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::top {

/// The buffers of a plan in the memory of a device. Guarded ones stand between
/// bands of NaN.
class PlanBuffers {
public:
  /// Allocates; a constant gets its values, which `constants` has by the
  /// number of the buffer.
  static llvm::Expected<PlanBuffers>
  create(CudaContext &context, const LaunchPlan &plan,
         ArrayRef<std::optional<Tensor>> constants, bool guarded);

  /// The first byte of buffer number `index`.
  CudaAddress getAddress(unsigned index) const;
  /// Makes buffers ready for a run: arguments are copied to the device; guarded
  /// buffers of the other kinds, constants left out, become NaN.
  llvm::Error upload(ArrayRef<const Tensor *> arguments);
  llvm::Error download(unsigned index, Tensor &into);
  /// Fails where a run has written outside of a guarded buffer, or into an
  /// argument or constant.
  llvm::Error check(ArrayRef<const Tensor *> arguments);

private:
  llvm::Error checkBand(unsigned index, CudaAddress band);
  llvm::Error checkUnchanged(unsigned index, const Tensor &original);

  CudaContext *context = nullptr;
  const LaunchPlan *plan = nullptr;
  ArrayRef<std::optional<Tensor>> constants;
  std::vector<CudaMemory> memory;
  bool guarded = false;
};

/// A plan whose kernels are loaded. `plan` and `context` must outlive it.
class PlanRunner {
public:
  /// Loads the kernels and checks every launch, so that a plan that breaks a
  /// limit of the device is not begun.
  static llvm::Expected<PlanRunner>
  create(CudaContext &context, const LaunchPlan &plan, StringRef ptx);

  /// One run: results, or the first failure. `arguments` fit the plan.
  llvm::Expected<std::vector<Tensor>> run(ArrayRef<const Tensor *> arguments,
                                          bool guarded);
  /// Times the plan, and `options.baseline` in turn with it: see PlanTiming.h.
  llvm::Expected<PlanTiming> benchmark(ArrayRef<const Tensor *> arguments,
                                       const PlanTimingOptions &options);
  /// The plan's launches, with what the driver says of their kernels.
  SmallVector<std::pair<const PlanLaunch *, const CudaKernel *>>
  getLaunches() const;

private:
  llvm::Error enqueue(const PlanBuffers &buffers, StepStreams &streams,
                      const CudaStream &stream);
  llvm::Error enqueue(const PlanLaunch &launch, const PlanBuffers &buffers,
                      const CudaStream &stream);
  llvm::Error enqueue(const PlanCopy &copy, const PlanBuffers &buffers,
                      const CudaStream &stream);

  CudaContext *context = nullptr;
  const LaunchPlan *plan = nullptr;
  CudaModule module;
  llvm::StringMap<CudaKernel> kernels;
  std::vector<std::optional<Tensor>> constants; ///< by buffer
};

/// A strided box of bytes as pieces that are copied alike: `rows` rows of
/// `width` bytes at a pitch, at each place of the loops around them.
struct BoxCopy {
  struct Loop {
    int64_t extent, sourceStride, destinationStride;
  };
  int64_t width = 0, rows = 0; ///< 0 rows: there is nothing to copy
  int64_t sourcePitch = 0, destinationPitch = 0;
  SmallVector<Loop> loops; ///< outermost first
};

/// The fewest pieces that 2-D copies with pitches up to `maxPitch` can do.
BoxCopy planBoxCopy(const PlanCopy &copy, int64_t maxPitch);

} // namespace mlir::top

#endif // TOP_EXECUTION_PLANRUNNER_H
