//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes of where things lie: slots of rings, swizzles, offsets, and what the
// instructions of tensor cores make of them.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::top::mutate;

/// By which offsets are wrong: of one access of the widest kind.
static constexpr int64_t chunkBytes = 16;

static Value createIndex(Operation *op, int64_t value) {
  OpBuilder b(op);
  return arith::ConstantIndexOp::create(b, op->getLoc(), value);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// "(...) mod stages", the number of a ring's slot.
static AffineBinaryOpExpr getSlotExpr(Operation *op) {
  auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op);
  if (!apply)
    return nullptr;
  auto mod = dyn_cast<AffineBinaryOpExpr>(apply.getMap().getResult(0));
  return mod && mod.getKind() == AffineExprKind::Mod &&
                 isa<AffineConstantExpr>(mod.getRHS())
             ? mod
             : AffineBinaryOpExpr(nullptr);
}

static int64_t getStages(AffineBinaryOpExpr slot) {
  return cast<AffineConstantExpr>(slot.getRHS()).getValue();
}

static void setSlot(Operation *op, AffineExpr expr) {
  auto apply = cast<affine::AffineApplyOp>(op);
  AffineMap map = apply.getMap();
  apply.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr));
}

static unsigned countSlots(Operation *op) {
  AffineBinaryOpExpr slot = getSlotExpr(op);
  return slot && getStages(slot) > 1;
}

static void takeNextSlot(Operation *op, unsigned) {
  AffineBinaryOpExpr slot = getSlotExpr(op);
  setSlot(op, (slot.getLHS() + 1) % getStages(slot));
}

static void changeStages(Operation *op, int64_t by) {
  AffineBinaryOpExpr slot = getSlotExpr(op);
  setSlot(op, slot.getLHS() % (getStages(slot) + by));
}

static void wrapEarly(Operation *op, unsigned) { changeStages(op, -1); }
static void wrapLate(Operation *op, unsigned) { changeStages(op, 1); }

/// The ops of the kernel of `op` for which `is` holds.
static SmallVector<Operation *>
collectInKernel(Operation *op, function_ref<bool(Operation *)> is) {
  SmallVector<Operation *> ops;
  op->getParentOfType<LLVM::LLVMFuncOp>().walk<WalkOrder::PreOrder>(
      [&](Operation *inner) {
        if (is(inner))
          ops.push_back(inner);
      });
  return ops;
}

/// Slots of one number of stages, all of a kernel: copies and reads agree.
static SmallVector<Operation *> getSlotsLike(Operation *op) {
  AffineBinaryOpExpr slot = getSlotExpr(op);
  return collectInKernel(op, [&](Operation *inner) {
    AffineBinaryOpExpr other = getSlotExpr(inner);
    return other && getStages(other) == getStages(slot);
  });
}

static unsigned countRings(Operation *op) {
  return countSlots(op) && getSlotsLike(op).front() == op;
}

static void wrapAllEarly(Operation *op, unsigned) {
  for (Operation *slot : getSlotsLike(op))
    changeStages(slot, -1);
}

/// slot * bytes, in the loop.
static std::optional<int64_t> getSlotStride(Operation *op) {
  auto product = dyn_cast<arith::MulIOp>(op);
  if (!product || !getSlotExpr(product.getLhs().getDefiningOp()))
    return std::nullopt;
  return getConstantIntValue(product.getRhs());
}

static unsigned countSlotStrides(Operation *op) {
  return getSlotStride(op).value_or(0) > chunkBytes;
}

static void shortenSlot(Operation *op, unsigned) {
  op->setOperand(1, createIndex(op, *getSlotStride(op) - chunkBytes));
}

/// The byte offset that a pointer to shared memory gets, if it is constant.
static std::optional<int64_t> getSharedOffset(Operation *op) {
  auto gep = dyn_cast<LLVM::GEPOp>(op);
  if (!gep || gep.getIndices().size() != 1 || !gep.getElemType().isInteger(8) ||
      cast<LLVM::LLVMPointerType>(gep.getType()).getAddressSpace() !=
          static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
    return std::nullopt;
  if (gep.getDynamicIndices().empty())
    return gep.getRawConstantIndices()[0];
  Value index = gep.getDynamicIndices().front();
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    index = cast.getIn();
  return getConstantIntValue(index);
}

static void setSharedOffset(Operation *op, int64_t bytes) {
  auto gep = cast<LLVM::GEPOp>(op);
  OpBuilder b(op);
  Value moved = LLVM::GEPOp::create(
      b, op->getLoc(), gep.getType(), gep.getElemType(), gep.getBase(),
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
  gep.getResult().replaceAllUsesWith(moved);
  gep.erase();
}

static unsigned countSharedOffsets(Operation *op) {
  return getSharedOffset(op).value_or(0) >= chunkBytes;
}

static void moveShared(Operation *op, unsigned) {
  setSharedOffset(op, *getSharedOffset(op) - chunkBytes);
}

namespace {

/// Where a ring's slots are computed: products in the loop, and constant
/// offsets of those that are filled ahead of it.
struct RingUses {
  int64_t stride;
  SmallVector<Operation *> products, offsets;
};

} // namespace

/// Of the ring whose first slot stride is `op`.
static RingUses getRingUses(Operation *op) {
  RingUses uses;
  uses.stride = *getSlotStride(op);
  uses.products = collectInKernel(op, [&](Operation *inner) {
    return getSlotStride(inner) == uses.stride;
  });
  const int64_t stages =
      getStages(getSlotExpr(op->getOperand(0).getDefiningOp()));
  // What the products are added to: the rings of this stride.
  llvm::SmallPtrSet<Value, 2> bases;
  for (Operation *gep : collectInKernel(
           op, [](Operation *inner) { return isa<LLVM::GEPOp>(inner); }))
    for (Value index : cast<LLVM::GEPOp>(gep).getDynamicIndices())
      if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
        if (llvm::is_contained(uses.products, cast.getIn().getDefiningOp()))
          bases.insert(gep->getOperand(0));
  uses.offsets = collectInKernel(op, [&](Operation *inner) {
    std::optional<int64_t> offset = getSharedOffset(inner);
    return offset && *offset > 0 && *offset % uses.stride == 0 &&
           *offset < stages * uses.stride &&
           bases.contains(inner->getOperand(0));
  });
  return uses;
}

static unsigned countOverlaps(Operation *op) {
  return countSlotStrides(op) && getRingUses(op).products.front() == op;
}

static void overlapSlots(Operation *op, unsigned) {
  RingUses uses = getRingUses(op);
  for (Operation *product : uses.products)
    shortenSlot(product, 0);
  for (Operation *offset : uses.offsets) {
    const int64_t bytes = *getSharedOffset(offset);
    setSharedOffset(offset, bytes - bytes / uses.stride * chunkBytes);
  }
}

//===----------------------------------------------------------------------===//
// Swizzles and addresses
//===----------------------------------------------------------------------===//

static unsigned countSwizzles(Operation *op) {
  return isa<arith::XOrIOp>(op) && op->getResult(0).getType().isIndex();
}

/// The emitters put the position first, what changes it second.
static void keepFirst(Operation *op, unsigned) {
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  op->erase();
}

static bool isSecondZero(Operation *op, unsigned, const Ranges &ranges) {
  std::optional<Ranges::Range> range = ranges.get(op->getOperand(1));
  return range && range->min == 0 && range->max == 0;
}

static unsigned countRemainders(Operation *op) {
  return isa<arith::RemUIOp, arith::RemSIOp>(op);
}

static bool isRemainderIdle(Operation *op, unsigned, const Ranges &ranges) {
  std::optional<Ranges::Range> value = ranges.get(op->getOperand(0));
  std::optional<Ranges::Range> divisor = ranges.get(op->getOperand(1));
  return value && divisor && value->min >= 0 && value->max < divisor->min;
}

/// Pointers of accesses that need more alignment than an element has, with the
/// bytes that must divide them.
static SmallVector<std::pair<unsigned, int64_t>> getAligned(Operation *op) {
  SmallVector<std::pair<unsigned, int64_t>> operands;
  auto addVector = [&](unsigned operand, Type type, int64_t alignment) {
    if (isa<VectorType>(type))
      operands.push_back({operand, alignment});
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    addVector(0, load.getType(), load.getAlignment().value_or(0));
  else if (auto store = dyn_cast<LLVM::StoreOp>(op))
    addVector(1, store.getValue().getType(), store.getAlignment().value_or(0));
  else if (isa<NVVM::LdMatrixOp>(op))
    operands.push_back({0, chunkBytes});
  else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
    for (unsigned operand : {0, 1})
      operands.push_back({operand, copy.getSize()});
  llvm::erase_if(operands, [](auto &entry) { return entry.second < 4; });
  return operands;
}

static unsigned countAligned(Operation *op) { return getAligned(op).size(); }

static void misalign(Operation *op, unsigned way) {
  auto [operand, bytes] = getAligned(op)[way];
  OpBuilder b(op);
  Value pointer = op->getOperand(operand);
  op->setOperand(operand,
                 LLVM::GEPOp::create(
                     b, op->getLoc(), pointer.getType(), b.getI8Type(), pointer,
                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes / 2)}));
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

static unsigned countMatrixLoads(Operation *op) {
  return isa<NVVM::LdMatrixOp>(op);
}

static void transposeMatrix(Operation *op, unsigned) {
  auto load = cast<NVVM::LdMatrixOp>(op);
  load.setLayout(load.getLayout() == NVVM::MMALayout::row
                     ? NVVM::MMALayout::col
                     : NVVM::MMALayout::row);
}

ArrayRef<MutantClass> top::mutate::getLayoutClasses() {
  static const MutantClass classes[] = {
      {"slot-next", "a copy or a read takes the slot behind its own",
       countSlots, takeNextSlot, nullptr, /*isOfValues=*/true},
      {"slot-wraps-early", "a slot is counted modulo one stage less",
       countSlots, wrapEarly, nullptr, /*isOfValues=*/true},
      {"slot-wraps-late", "a slot is counted modulo one stage more", countSlots,
       wrapLate, nullptr, /*isOfValues=*/true},
      {"ring-short", "copies and reads alike use one stage less", countRings,
       wrapAllEarly, nullptr},
      {"slot-stride-short", "a slot begins 16 bytes a slot too low",
       countSlotStrides, shortenSlot, nullptr, /*isOfValues=*/true},
      {"slots-overlap",
       "copies and reads alike have slots that overlap by 16 "
       "bytes",
       countOverlaps, overlapSlots, nullptr},
      {"shared-offset-short",
       "a constant offset in shared memory is 16 bytes "
       "too low",
       countSharedOffsets, moveShared, nullptr},
      {"swizzle-dropped", "an address lacks its swizzle", countSwizzles,
       keepFirst, isSecondZero, /*isOfValues=*/true},
      {"remainder-dropped", "a number does not wrap", countRemainders,
       keepFirst, isRemainderIdle, /*isOfValues=*/true},
      {"access-misaligned", "an access begins half of its width too high",
       countAligned, misalign, nullptr},
      {"matrix-transposed", "ldmatrix transposes, or does not",
       countMatrixLoads, transposeMatrix, nullptr},
  };
  return classes;
}
