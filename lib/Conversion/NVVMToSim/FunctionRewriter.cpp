//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrite of kernels to code that calls the simulator; see
// FunctionRewriter.h. It knows what memory accesses are, and calls; of
// instructions of the GPU only that they are ops of the nvvm dialect or have a
// name: what they do is the simulator's.
//
//===----------------------------------------------------------------------===//

#include "FunctionRewriter.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "top/Conversion/NVVMToSim/NVVMToSim.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

/// CUDA's shared memory in the LLVM dialect (NVPTX, "Address spaces").
static constexpr unsigned kSharedSpace = 3;
/// An operand takes a whole number of these.
static constexpr int64_t kSlotBytes = 8;
/// The widest access that the GPU has (PTX ISA, "ld": .v4.b32 and .v2.b64).
static constexpr int64_t kMaxAccessBytes = 16;

//===----------------------------------------------------------------------===//
// Functions of the simulator
//===----------------------------------------------------------------------===//

SimulatorFunctions::SimulatorFunctions(ModuleOp module) {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = module.getContext();
  Type none = LLVM::LLVMVoidType::get(context), i32 = b.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type sharedPointer = LLVM::LLVMPointerType::get(context, kSharedSpace);
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    return LLVM::LLVMFuncOp::create(
        b, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result, arguments));
  };
  // The same for a thread whenever it is asked, so that LLVM may ask once.
  auto setPure = [&](LLVM::LLVMFuncOp function) {
    const auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        context, {none, none, none, none, none, none}));
    function.setWillReturn(true);
    function.setNoUnwind(true);
  };
  execute = declare("topSimExecute", none, {pointer, i32, pointer, pointer});
  access = declare("topSimAccess", none, {pointer, i32, pointer, i32, i32});
  specialRegister = declare("topSimRegister", i32, {pointer, i32});
  sharedVariable = declare("topSimShared", sharedPointer, {pointer, i32});
  setPure(specialRegister);
  setPure(sharedVariable);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// The name of the special register that `op` reads; empty where it reads none.
static StringRef getRegisterName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return "";
  return name;
}

/// The pointer that a memory access goes through; null for other ops.
static Value getAddress(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<LLVM::LoadOp, LLVM::StoreOp>(
          [](auto access) { return access.getAddr(); })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [](auto access) { return access.getPtr(); })
      .Default(Value());
}

/// Whether `address` is in a thread's own memory, which is its stack.
static bool isLocal(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(op))
      return true;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      return false;
    address = op->getOperand(0);
  }
  return false;
}

static bool isAtomic(LLVM::AtomicOrdering ordering) {
  return ordering != LLVM::AtomicOrdering::not_atomic;
}

static InFlightDiagnostic refuse(Operation *op) {
  return op->emitOpError("cannot be simulated: ");
}

static FailureOr<OpRole> classifyCall(LLVM::CallOp call) {
  std::optional<StringRef> callee = call.getCallee();
  if (!callee)
    return refuse(call) << "expected the callee by its name";
  auto function = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      call, call.getCalleeAttr());
  if (!function || function.isExternal())
    return refuse(call) << "it calls '" << *callee
                        << "', which has no body here";
  return OpRole::Call;
}

FailureOr<OpRole> top::classify(Operation *op) {
  if (op->hasAttr(instructionName))
    return OpRole::Instruction;
  if (isa<NVVM::NVVMDialect>(op->getDialect())) {
    // A clock is an instruction: it is not the same whenever it is asked.
    if (!getRegisterName(op).empty() && isMemoryEffectFree(op) &&
        op->getResult(0).getType().isInteger(32))
      return OpRole::Register;
    return OpRole::Instruction;
  }
  if (!isa<LLVM::LLVMDialect>(op->getDialect()))
    return refuse(op) << "expected ops of the dialects llvm and nvvm only";
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return classifyCall(call);
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
    if (cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() ==
        kSharedSpace)
      return OpRole::Shared;
    return refuse(op) << "'" << address.getGlobalName()
                      << "' is not in shared memory, expected kernels to have "
                         "no other variables";
  }
  if (Value address = getAddress(op))
    if (!isLocal(address)) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op);
          load && isAtomic(load.getOrdering()))
        return refuse(op) << "atomic loads are not supported";
      if (auto store = dyn_cast<LLVM::StoreOp>(op);
          store && isAtomic(store.getOrdering()))
        return refuse(op) << "atomic stores are not supported";
      return OpRole::Access;
    }
  if (isa<LLVM::AssumeOp>(op))
    return OpRole::Drop;
  if (getAddress(op) || isMemoryEffectFree(op) ||
      isa<LLVM::AllocaOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
          LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp,
          LLVM::UnreachableOp>(op))
    return OpRole::Plain;
  if (isa<LLVM::InlineAsmOp>(op))
    return refuse(op) << "expected '" << instructionName
                      << "' to say what the assembly is";
  if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return refuse(op) << "it calls the intrinsic '" << intrinsic.getIntrin()
                      << "', which is no op";
  return refuse(op) << "its accesses to memory cannot be checked";
}

//===----------------------------------------------------------------------===//
// FunctionRewriter
//===----------------------------------------------------------------------===//

FunctionRewriter::FunctionRewriter(LLVM::LLVMFuncOp function,
                                   SimulatorFunctions &simulator,
                                   SimulationTable &table)
    : function(function), simulator(simulator), table(table),
      layout(function->getParentOfType<ModuleOp>()), b(function.getContext()),
      thread(function.getArgument(0)) {}

Value FunctionRewriter::constant(Location loc, int32_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
}

Value FunctionRewriter::getSlot(Location loc, Value base, int64_t offset) {
  return LLVM::GEPOp::create(
      b, loc, base.getType(), b.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

/// `buffer`, which is made or made larger so that it has `bytes`.
Value FunctionRewriter::getBuffer(Value &buffer, int64_t bytes) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = function.getLoc();
  if (!buffer) {
    // In front of everything, as LLVM takes a buffer there only to be on the
    // stack for good.
    b.setInsertionPointToStart(&function.getBody().front());
    Value one = constant(loc, 1);
    buffer = LLVM::AllocaOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext()),
        LLVM::LLVMArrayType::get(b.getI8Type(), kSlotBytes), one,
        /*alignment=*/kMaxAccessBytes);
  }
  auto alloca = buffer.getDefiningOp<LLVM::AllocaOp>();
  auto type = cast<LLVM::LLVMArrayType>(alloca.getElemType());
  if (static_cast<int64_t>(type.getNumElements()) < bytes)
    alloca.setElemType(LLVM::LLVMArrayType::get(b.getI8Type(), bytes));
  return buffer;
}

LogicalResult FunctionRewriter::rewriteInstruction(Operation *op) {
  if (op->getNumResults() > 1)
    return refuse(op) << "expected at most one result, got "
                      << op->getNumResults();
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return refuse(op) << "expected no regions and no successors";
  auto isSized = [](Type type) {
    return LLVM::isCompatibleType(type) && !isa<LLVM::LLVMTokenType>(type);
  };
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!isSized(type))
      return refuse(op) << "it has a value of type " << type;
  Location loc = op->getLoc();
  const int32_t site = table.addSite(op);
  int64_t offset = 0;
  SmallVector<int64_t> offsets;
  for (Type type : op->getOperandTypes()) {
    offsets.push_back(offset);
    offset +=
        llvm::alignTo(layout.getTypeSize(type).getFixedValue(), kSlotBytes);
  }
  Value in = getBuffer(operands, std::max(offset, kSlotBytes));
  for (auto [operand, at] : llvm::zip(op->getOperands(), offsets))
    LLVM::StoreOp::create(b, loc, operand, getSlot(loc, in, at),
                          /*alignment=*/kSlotBytes);
  const bool hasResult = op->getNumResults() != 0;
  const int64_t resultBytes =
      hasResult ? layout.getTypeSize(op->getResult(0).getType()).getFixedValue()
                : 0;
  Value out = getBuffer(result, std::max(resultBytes, kSlotBytes));
  LLVM::CallOp::create(b, loc, simulator.execute,
                       ValueRange{thread, constant(loc, site), in, out});
  if (hasResult)
    op->getResult(0).replaceAllUsesWith(
        LLVM::LoadOp::create(b, loc, op->getResult(0).getType(), out,
                             /*alignment=*/kSlotBytes));
  op->erase();
  return success();
}

void FunctionRewriter::rewriteRegister(Operation *op) {
  Location loc = op->getLoc();
  const int32_t number = table.getRegister(getRegisterName(op));
  auto call = LLVM::CallOp::create(b, loc, simulator.specialRegister,
                                   ValueRange{thread, constant(loc, number)});
  op->getResult(0).replaceAllUsesWith(call.getResult());
  op->erase();
}

void FunctionRewriter::rewriteShared(LLVM::AddressOfOp op) {
  Location loc = op.getLoc();
  const int32_t number = table.lookupShared(op.getGlobalName());
  auto call = LLVM::CallOp::create(b, loc, simulator.sharedVariable,
                                   ValueRange{thread, constant(loc, number)});
  op.getResult().replaceAllUsesWith(call.getResult());
  op.erase();
}

void FunctionRewriter::rewriteCall(LLVM::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      op, op.getCalleeAttr());
  SmallVector<Value> arguments = {thread};
  llvm::append_range(arguments, op.getOperands());
  auto call = LLVM::CallOp::create(b, op.getLoc(), callee, arguments);
  if (op.getNumResults() != 0)
    op.getResult().replaceAllUsesWith(call.getResult());
  op.erase();
}

void FunctionRewriter::callAccess(OpBuilder &builder, Location loc,
                                  int32_t site, Value address, int64_t bytes,
                                  int32_t kind) {
  LLVM::CallOp::create(builder, loc, simulator.access,
                       ValueRange{thread, constant(loc, site), address,
                                  constant(loc, bytes), constant(loc, kind)});
}

/// Bytes that the GPU moves at a time where `size` bytes lie at a multiple of
/// `alignment`: an access that is not known to be aligned is several.
static int64_t getPieceBytes(int64_t size, int64_t alignment) {
  int64_t piece = std::min<int64_t>(
      {int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(size)),
       static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(alignment))),
       kMaxAccessBytes});
  return std::max<int64_t>(piece, 1);
}

LogicalResult FunctionRewriter::rewriteAccess(Operation *op) {
  enum Kind : int32_t { Load = 0, Store = 1, Atomic = 2 };
  Location loc = op->getLoc();
  Type type;
  Kind kind = Atomic;
  std::optional<uint64_t> alignment;
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    kind = Load;
    type = load.getType();
    alignment = load.getAlignment();
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    kind = Store;
    type = store.getValue().getType();
    alignment = store.getAlignment();
  } else {
    // The value, for both kinds; of a compare and exchange it is the new one.
    type = op->getOperands().back().getType();
  }
  const int64_t size = layout.getTypeSize(type).getFixedValue();
  if (size == 0)
    return refuse(op) << "expected an access of at least one byte";
  const int64_t piece = getPieceBytes(
      size, alignment ? *alignment : layout.getTypeABIAlignment(type));
  if (kind == Atomic && piece != size)
    return refuse(op) << "atomic access of " << type << " in parts";
  const int32_t site = table.addSite(op);
  Value address = getAddress(op);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  if (address.getType() != pointer)
    address = LLVM::AddrSpaceCastOp::create(b, loc, pointer, address);
  for (int64_t at = 0; at < size; at += piece)
    callAccess(b, loc, site, at == 0 ? address : getSlot(loc, address, at),
               piece, kind);

  // Without what the GPU's compiler is promised (alias scopes, "invariant"):
  // the access must stay behind its check. Nor is it taken to be aligned, since
  // the check lets the program go on where it is not.
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    load.replaceAllUsesWith(
        LLVM::LoadOp::create(b, loc, type, load.getAddr(), /*alignment=*/1)
            .getResult());
    op->erase();
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    LLVM::StoreOp::create(b, loc, store.getValue(), store.getAddr(),
                          /*alignment=*/1);
    op->erase();
  }
  return success();
}

LogicalResult FunctionRewriter::rewrite(Operation *op, OpRole role) {
  b.setInsertionPoint(op);
  switch (role) {
  case OpRole::Plain:
    return success();
  case OpRole::Drop:
    op->erase();
    return success();
  case OpRole::Instruction:
    return rewriteInstruction(op);
  case OpRole::Register:
    rewriteRegister(op);
    return success();
  case OpRole::Shared:
    rewriteShared(cast<LLVM::AddressOfOp>(op));
    return success();
  case OpRole::Call:
    rewriteCall(cast<LLVM::CallOp>(op));
    return success();
  case OpRole::Access:
    return rewriteAccess(op);
  }
  llvm_unreachable("all roles are handled");
}

LogicalResult FunctionRewriter::run() {
  SmallVector<std::pair<Operation *, OpRole>> ops;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      FailureOr<OpRole> role = classify(&op);
      if (failed(role))
        return failure();
      ops.push_back({&op, *role});
      // A broken kernel may compute an address outside of everything; that is
      // for the check of the access to find, not for LLVM to use.
      if (auto address = dyn_cast<LLVM::GEPOp>(op))
        address.setNoWrapFlags(LLVM::GEPNoWrapFlags::none);
    }
  for (auto [op, role] : ops)
    if (failed(rewrite(op, role)))
      return failure();
  return success();
}
