//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works out a launch plan by going through the function that launches: index
// arithmetic is folded, loops are run, views become offsets.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Launch/LaunchPlan.h"

#include "StepOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::top;

/// Steps of a plan, at most: loops are run when it is made.
static constexpr size_t maxSteps = 1 << 20;

namespace {

/// A memref: where its first element is, and its strides in elements.
struct View {
  unsigned buffer;
  int64_t offset;
  SmallVector<int64_t> sizes, strides;
};

class PlanBuilder {
public:
  explicit PlanBuilder(func::FuncOp function) : function(function) {}
  FailureOr<LaunchPlan> build();

private:
  LogicalResult run(Block &block);
  LogicalResult run(Operation *op);
  LogicalResult fold(Operation *op);
  LogicalResult runFor(scf::ForOp loop);
  LogicalResult runLaunch(gpu::LaunchFuncOp launch);
  LogicalResult runCopy(memref::CopyOp copy);
  LogicalResult runSubview(memref::SubViewOp subview);
  LogicalResult runReshape(Operation *op);
  LogicalResult runReturn(func::ReturnOp op);
  FailureOr<unsigned> addBuffer(Operation *op, PlanBuffer::Kind kind,
                                unsigned index, MemRefType type);
  FailureOr<int64_t> getNumber(Operation *op, OpFoldResult value);
  View getWhole(unsigned buffer, MemRefType type) {
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)type.getStridesAndOffset(strides, offset);
    return {buffer, 0, SmallVector<int64_t>(type.getShape()), strides};
  }

  func::FuncOp function;
  LaunchPlan plan;
  DenseMap<Value, Attribute> numbers;
  DenseMap<Value, View> views;
  DenseMap<Operation *, unsigned> globals;
};

} // namespace

FailureOr<unsigned> PlanBuilder::addBuffer(Operation *op, PlanBuffer::Kind kind,
                                           unsigned index, MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return op->emitOpError("has no launch plan: expected memrefs of static "
                           "shape and identity layout, got ")
           << type;
  std::optional<int64_t> bytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    if (bytes)
      bytes = llvm::checkedMul(*bytes, extent);
  if (!bytes)
    return op->emitOpError("has no launch plan: the size of ")
           << type << " overflows 64 bits";
  plan.buffers.push_back({kind,
                          index,
                          type.getElementType(),
                          SmallVector<int64_t>(type.getShape()),
                          *bytes,
                          {}});
  return plan.buffers.size() - 1;
}

FailureOr<int64_t> PlanBuilder::getNumber(Operation *op, OpFoldResult value) {
  Attribute attr = dyn_cast<Attribute>(value);
  if (auto v = dyn_cast<Value>(value))
    attr = numbers.lookup(v);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return integer.getInt();
  return op->emitOpError("has no launch plan: it depends on a number that is "
                         "known only at run time");
}

/// Arithmetic on numbers that are known.
LogicalResult PlanBuilder::fold(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(numbers.lookup(operand));
  SmallVector<OpFoldResult> results;
  if (!isPure(op) || failed(op->fold(operands, results)) ||
      results.size() != op->getNumResults())
    return op->emitOpError("is not an op that a launch plan can do");
  for (auto [result, folded] : llvm::zip(op->getResults(), results)) {
    Attribute attr = dyn_cast<Attribute>(folded);
    if (!attr)
      attr = numbers.lookup(cast<Value>(folded));
    if (!attr)
      return op->emitOpError("is not an op that a launch plan can do");
    numbers[result] = attr;
  }
  return success();
}

LogicalResult PlanBuilder::runFor(scf::ForOp loop) {
  FailureOr<int64_t> lower = getNumber(loop, loop.getLowerBound());
  FailureOr<int64_t> upper = getNumber(loop, loop.getUpperBound());
  FailureOr<int64_t> step = getNumber(loop, loop.getStep());
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  if (*step < 1)
    return loop.emitOpError("has no launch plan: expected a positive step");
  auto assign = [&](ValueRange from, ValueRange to) {
    // Read all before any is written: a loop may swap what it carries.
    SmallVector<std::pair<Attribute, std::optional<View>>> state;
    for (Value value : from) {
      auto view = views.find(value);
      state.push_back(
          {numbers.lookup(value),
           view == views.end() ? std::nullopt : std::optional(view->second)});
    }
    for (auto [value, entry] : llvm::zip(to, state)) {
      numbers[value] = entry.first;
      if (entry.second)
        views[value] = *entry.second;
    }
  };
  assign(loop.getInitArgs(), loop.getRegionIterArgs());
  Builder b(loop.getContext());
  for (int64_t iv = *lower; iv < *upper; iv += *step) {
    numbers[loop.getInductionVar()] = b.getIndexAttr(iv);
    if (failed(run(*loop.getBody())))
      return failure();
    assign(loop.getBody()->getTerminator()->getOperands(),
           loop.getRegionIterArgs());
    if (iv > std::numeric_limits<int64_t>::max() - *step)
      break;
  }
  assign(loop.getRegionIterArgs(), loop.getResults());
  return success();
}

LogicalResult PlanBuilder::runSubview(memref::SubViewOp subview) {
  const View &source = views.find(subview.getSource())->second;
  View view{source.buffer, source.offset, {}, {}};
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  for (auto [index, offset, size, step] :
       llvm::enumerate(subview.getMixedOffsets(), subview.getMixedSizes(),
                       subview.getMixedStrides())) {
    FailureOr<int64_t> position = getNumber(subview, offset);
    FailureOr<int64_t> extent = getNumber(subview, size);
    FailureOr<int64_t> stride = getNumber(subview, step);
    if (failed(position) || failed(extent) || failed(stride))
      return failure();
    view.offset += *position * source.strides[index];
    if (dropped.test(index))
      continue;
    view.sizes.push_back(*extent);
    view.strides.push_back(*stride * source.strides[index]);
  }
  views[subview.getResult()] = view;
  return success();
}

/// Collapsing and expanding dimensions: the same elements, with the shape and
/// the strides that the result's type says.
LogicalResult PlanBuilder::runReshape(Operation *op) {
  const View &source = views.find(op->getOperand(0))->second;
  auto type = cast<MemRefType>(op->getResult(0).getType());
  View view{
      source.buffer, source.offset, SmallVector<int64_t>(type.getShape()), {}};
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(view.strides, offset)) ||
      llvm::any_of(view.strides, ShapedType::isDynamic))
    return op->emitOpError("has no launch plan: expected a view of static "
                           "shape and strides, got ")
           << type;
  views[op->getResult(0)] = view;
  return success();
}

LogicalResult PlanBuilder::runLaunch(gpu::LaunchFuncOp launch) {
  PlanLaunch step;
  step.kernel = launch.getKernelName().str();
  auto getDims = [&](gpu::KernelDim3 dims,
                     std::array<int64_t, 3> &numbers) -> LogicalResult {
    const Value values[] = {dims.x, dims.y, dims.z};
    for (auto [index, value] : llvm::enumerate(values)) {
      FailureOr<int64_t> number = getNumber(launch, value);
      if (failed(number))
        return failure();
      numbers[index] = *number;
    }
    return success();
  };
  if (failed(getDims(launch.getGridSizeOperandValues(), step.grid)) ||
      failed(getDims(launch.getBlockSizeOperandValues(), step.block)))
    return failure();
  step.sharedBytes = 0;
  if (Value shared = launch.getDynamicSharedMemorySize()) {
    FailureOr<int64_t> bytes = getNumber(launch, shared);
    if (failed(bytes))
      return failure();
    step.sharedBytes = *bytes;
  }
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()));
  for (Value operand : launch.getKernelOperands()) {
    PlanArgument argument;
    if (auto view = views.find(operand); view != views.end()) {
      const View &place = view->second;
      argument.buffer = place.buffer;
      const int64_t bytes =
          plan.buffers[place.buffer].elementType.getIntOrFloatBitWidth() / 8;
      argument.byteOffset = place.offset * bytes;
      argument.shape = place.sizes;
      for (int64_t stride : place.strides)
        argument.strides.push_back(stride * bytes);
      argument.isWritten =
          !kernel ||
          !kernel.getArgAttr(step.arguments.size(),
                             LLVM::LLVMDialect::getReadonlyAttrName());
    } else {
      if (!operand.getType().isIndex())
        return launch.emitOpError("has no launch plan: expected arguments that "
                                  "are memrefs or of type index, got ")
               << operand.getType();
      FailureOr<int64_t> number = getNumber(launch, operand);
      if (failed(number))
        return failure();
      argument.scalar = *number;
    }
    step.arguments.push_back(argument);
  }
  plan.steps.push_back(std::move(step));
  return success();
}

LogicalResult PlanBuilder::runCopy(memref::CopyOp copy) {
  const View &source = views.find(copy.getSource())->second;
  const View &target = views.find(copy.getTarget())->second;
  const int64_t bytes =
      plan.buffers[source.buffer].elementType.getIntOrFloatBitWidth() / 8;
  PlanCopy step{source.buffer,
                target.buffer,
                source.offset * bytes,
                target.offset * bytes,
                source.sizes,
                {},
                {},
                bytes};
  for (auto [s, t] : llvm::zip(source.strides, target.strides)) {
    step.sourceStrides.push_back(s * bytes);
    step.destinationStrides.push_back(t * bytes);
  }
  plan.steps.push_back(std::move(step));
  return success();
}

/// Whether `view` has all elements of the buffer, in order.
static bool isWhole(const View &view, const PlanBuffer &buffer) {
  int64_t elements = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip(view.sizes, view.strides))) {
    if (size != 1 && stride != elements)
      return false;
    elements *= size;
  }
  return view.offset == 0 &&
         elements == ShapedType::getNumElements(buffer.shape);
}

LogicalResult PlanBuilder::runReturn(func::ReturnOp op) {
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    auto view = views.find(value);
    if (view == views.end())
      return op.emitOpError("has no launch plan: expected results that are "
                            "tensors or memrefs");
    const View &place = view->second;
    PlanBuffer &buffer = plan.buffers[place.buffer];
    // A result has the shape that it is returned with.
    if (buffer.kind == PlanBuffer::Workspace && isWhole(place, buffer))
      buffer.shape = place.sizes;
    if (place.offset != 0 || place.sizes != buffer.shape)
      return op.emitOpError("has no launch plan: result #")
             << index << " is a part of a buffer";
    if (buffer.kind == PlanBuffer::Workspace) {
      buffer.kind = PlanBuffer::Result;
      buffer.index = index;
      buffer.channelsLast = !!function.getResultAttr(index, kLayoutAttrName);
    }
    plan.results.push_back(place.buffer);
  }
  return success();
}

LogicalResult PlanBuilder::run(Operation *op) {
  if (plan.steps.size() > maxSteps)
    return op->emitOpError("has no launch plan: more than ")
           << maxSteps << " steps";
  // Views are looked up without a check below.
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()) && !views.contains(operand))
      return op->emitOpError("has no launch plan: an operand is not a buffer "
                             "of the plan");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::AllocOp alloc) -> LogicalResult {
        FailureOr<unsigned> buffer =
            addBuffer(op, PlanBuffer::Workspace, 0, alloc.getType());
        if (failed(buffer))
          return failure();
        views[alloc] = getWhole(*buffer, alloc.getType());
        return success();
      })
      .Case([&](memref::GetGlobalOp get) -> LogicalResult {
        auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            op, get.getNameAttr());
        auto values = dyn_cast_or_null<DenseElementsAttr>(
            global.getInitialValue().value_or(Attribute()));
        if (!values)
          return op->emitOpError("has no launch plan: expected a constant "
                                 "with dense values");
        auto [entry, isNew] = globals.try_emplace(global, 0);
        if (isNew) {
          FailureOr<unsigned> buffer =
              addBuffer(op, PlanBuffer::Constant, 0, global.getType());
          if (failed(buffer))
            return failure();
          entry->second = *buffer;
          plan.buffers[*buffer].values = values;
        }
        views[get] = getWhole(entry->second, get.getType());
        return success();
      })
      .Case([&](memref::CastOp cast) {
        views[cast] = View(views.find(cast.getSource())->second);
        return success();
      })
      .Case([&](memref::SubViewOp subview) { return runSubview(subview); })
      .Case<memref::CollapseShapeOp, memref::ExpandShapeOp>(
          [&](auto) { return runReshape(op); })
      .Case([&](memref::CopyOp copy) { return runCopy(copy); })
      .Case([&](memref::DeallocOp) { return success(); })
      .Case([&](scf::ForOp loop) { return runFor(loop); })
      .Case([&](gpu::LaunchFuncOp launch) { return runLaunch(launch); })
      .Case([&](func::ReturnOp ret) { return runReturn(ret); })
      .Default([&](Operation *) -> LogicalResult {
        // An elementwise op of an empty batch, say, has nothing to write.
        if (auto dps = dyn_cast<DestinationStyleOpInterface>(op);
            dps && dps.hasPureBufferSemantics() &&
            llvm::all_of(dps.getDpsInits(), [](Value init) {
              return llvm::is_contained(
                  cast<MemRefType>(init.getType()).getShape(), 0);
            }))
          return success();
        return fold(op);
      });
}

LogicalResult PlanBuilder::run(Block &block) {
  for (Operation &op : block) {
    if (isa<scf::YieldOp>(op))
      continue;
    if (failed(run(&op)))
      return failure();
  }
  return success();
}

FailureOr<LaunchPlan> PlanBuilder::build() {
  plan.function = function.getName().str();
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return function.emitOpError("has no launch plan: expected a body of one "
                                "block");
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      return function.emitOpError("has no launch plan: expected arguments that "
                                  "are tensors or memrefs, got ")
             << argument.getType();
    FailureOr<unsigned> buffer = addBuffer(function, PlanBuffer::Argument,
                                           argument.getArgNumber(), type);
    if (failed(buffer))
      return failure();
    plan.buffers[*buffer].channelsLast =
        !!function.getArgAttr(argument.getArgNumber(), kLayoutAttrName);
    plan.arguments.push_back(*buffer);
    views[argument] = getWhole(*buffer, type);
  }
  if (failed(run(function.getBody().front())))
    return failure();
  if (auto module = function->getParentOfType<ModuleOp>())
    module.walk([&](gpu::GPUModuleOp kernels) {
      if (ArrayAttr targets = kernels.getTargetsAttr())
        for (Attribute target : targets)
          if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
            plan.chip = nvvm.getChip().str();
    });
  orderSteps(plan);
  return std::move(plan);
}

FailureOr<LaunchPlan> top::buildLaunchPlan(func::FuncOp function) {
  return PlanBuilder(function).build();
}
