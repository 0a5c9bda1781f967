//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program does to run a function on a GPU: buffers, kernel launches and
// copies in order. Made from the function on memrefs that launches the kernels,
// with everything that does not depend on data worked out.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_LAUNCH_LAUNCHPLAN_H
#define TOP_GPU_LAUNCH_LAUNCHPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"
#include <variant>
#include <vector>

namespace mlir::top {

/// A buffer in the memory of the GPU, dense and row major. Addresses are
/// multiples of `alignment` bytes.
struct PlanBuffer {
  enum Kind { Argument, Result, Constant, Workspace };
  static constexpr int64_t alignment = 256;
  Kind kind;
  unsigned index; ///< of the argument; of the first result that it is
  Type elementType;
  SmallVector<int64_t> shape;
  int64_t bytes;
  DenseElementsAttr values; ///< of a constant, or null
  /// Whether the tensor of the function is channels last: `shape`, as always in
  /// the order of memory, is N, H, W, C then.
  bool channelsLast = false;
};

/// A kernel's argument: a place in a buffer, or a number.
struct PlanArgument {
  unsigned buffer = 0;
  int64_t byteOffset = 0;
  std::optional<int64_t> scalar; ///< passed as a 64-bit integer
  /// What the kernel may access from that place on: a box of elements, with
  /// strides in bytes, and whether it writes there.
  SmallVector<int64_t> shape = {}, strides = {};
  bool isWritten = true;
};

/// Elements of a buffer; strides in bytes.
struct PlanBox {
  unsigned buffer;
  int64_t offset; ///< of the first element, in bytes
  SmallVector<int64_t> shape, strides;
  int64_t elementBytes;

  bool isEmpty() const { return llvm::is_contained(shape, 0); }
  /// Whether a byte belongs to both: exact for boxes of one tensor, cut along
  /// its dimensions, as for any others unless that takes long; then true.
  bool overlaps(const PlanBox &other) const;
};

struct PlanLaunch {
  std::string kernel;
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes; ///< dynamic
  SmallVector<PlanArgument> arguments;
};

/// A copy of a strided box from one buffer to another; strides in bytes.
struct PlanCopy {
  unsigned source, destination;
  int64_t sourceOffset, destinationOffset;
  SmallVector<int64_t> shape, sourceStrides, destinationStrides;
  int64_t elementBytes;
};

struct LaunchPlan {
  std::string function, chip;
  SmallVector<PlanBuffer> buffers;
  /// For each argument and result of the function, its buffer.
  SmallVector<unsigned> arguments, results;
  std::vector<std::variant<PlanLaunch, PlanCopy>> steps;
  /// For each step the earlier ones, in ascending order, that must have ended
  /// before it begins; those that one of them waits for are left out. Steps
  /// that do not wait for each other may run at the same time. Empty = all in
  /// order.
  std::vector<SmallVector<unsigned>> after = {};
};

/// Works out the plan of `function`, which must be what
/// `convert-top-tiles-to-nvvm` leaves: straight-line code and loops of constant
/// bounds over memrefs of static shape. Fails with an error at the op that a
/// plan cannot do.
FailureOr<LaunchPlan> buildLaunchPlan(func::FuncOp function);

/// Plans as one JSON document; docs/LaunchPlan.md describes it.
llvm::json::Value toJSON(ArrayRef<LaunchPlan> plans);

} // namespace mlir::top

#endif // TOP_GPU_LAUNCH_LAUNCHPLAN_H
