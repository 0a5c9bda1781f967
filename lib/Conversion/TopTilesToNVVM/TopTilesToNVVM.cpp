//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-top-tiles-to-nvvm: each kernel, an scf.forall with a schedule, is
// outlined into a gpu.module as an llvm.func of nvvm ops, and launched from
// where it stood.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "top/Conversion/Passes.h"
#include "top/Target/GPUTarget.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::top {
#define GEN_PASS_DEF_CONVERTTOPTILESTONVVMPASS
#include "top/Conversion/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

static constexpr StringLiteral kernelModuleName = "top_kernels";
static constexpr StringLiteral sharedMemoryName = "top_shared_memory";

namespace {

/// What a kernel needs from outside, and the size of its grid.
struct KernelShape {
  SmallVector<Value> arguments; ///< memrefs and run-time numbers
  SmallVector<Operation *> constants;
  SmallVector<int64_t> counts; ///< blocks along each loop
  int64_t numBlocks = 1;
};

class KernelOutliner {
public:
  KernelOutliner(ModuleOp module, gpu::GPUModuleOp kernels)
      : module(module), kernels(kernels) {}

  LogicalResult outline(scf::ForallOp kernel);

private:
  FailureOr<KernelShape> readShape(scf::ForallOp kernel) const;
  LLVM::LLVMFuncOp createFunction(OpBuilder &b, scf::ForallOp kernel,
                                  const KernelShape &shape);
  Value getSharedMemory(OpBuilder &b, Location loc);
  LLVM::LLVMFuncOp findEqual(LLVM::LLVMFuncOp function);

  ModuleOp module;
  gpu::GPUModuleOp kernels;
  llvm::StringMap<std::pair<LLVM::LLVMFuncOp, int64_t>> known; ///< by text
};

} // namespace

FailureOr<KernelShape> KernelOutliner::readShape(scf::ForallOp kernel) const {
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError("cannot become a kernel: expected memrefs; "
                              "bufferize first");
  KernelShape shape;
  if (kernel.getRank() < 2)
    return kernel.emitOpError("cannot become a kernel: expected loops over "
                              "tile rows and columns");
  for (auto [lower, upper, step] :
       llvm::zip(kernel.getMixedLowerBound(), kernel.getMixedUpperBound(),
                 kernel.getMixedStep())) {
    std::optional<int64_t> end = getConstantIntValue(upper);
    std::optional<int64_t> width = getConstantIntValue(step);
    if (!isZeroInteger(lower) || !end || !width || *width < 1)
      return kernel.emitOpError("cannot become a kernel: expected constant "
                                "bounds that begin at 0");
    shape.counts.push_back(llvm::divideCeil(*end, *width));
    shape.numBlocks = llvm::SaturatingMultiply<uint64_t>(shape.numBlocks,
                                                         shape.counts.back());
  }
  if (shape.numBlocks > kMaxGridX)
    return kernel.emitOpError("needs ")
           << shape.numBlocks << " blocks, but a grid has at most " << kMaxGridX
           << "; use larger block tiles";

  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(kernel.getRegion(), captured);
  for (Value value : captured) {
    if (Operation *def = value.getDefiningOp();
        def && def->hasTrait<OpTrait::ConstantLike>()) {
      shape.constants.push_back(def);
      continue;
    }
    if (!isa<MemRefType>(value.getType()) &&
        !value.getType().isIntOrIndexOrFloat())
      return kernel.emitOpError("cannot become a kernel: it uses a value of "
                                "type ")
             << value.getType();
    shape.arguments.push_back(value);
  }
  return shape;
}

Value KernelOutliner::getSharedMemory(OpBuilder &b, Location loc) {
  auto global = kernels.lookupSymbol<LLVM::GlobalOp>(sharedMemoryName);
  if (!global) {
    // One external symbol for all: what gpu.dynamic_shared_memory makes is
    // internal, so that ptxas gives it a static byte and a place that static
    // arrays overlap.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(kernels.getBody());
    global = LLVM::GlobalOp::create(
        b, loc, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
        /*isConstant=*/false, LLVM::Linkage::External, sharedMemoryName,
        Attribute(), /*alignment=*/1024, sharedAddressSpace);
  }
  return LLVM::AddressOfOp::create(b, loc, global);
}

/// Row and column of the tile with number `tile` among rows x cols, by the
/// schedule's order.
static std::pair<OpFoldResult, OpFoldResult>
getTileIndices(const IndexMath &math, ScheduleAttr schedule, int64_t rows,
               int64_t cols, OpFoldResult tile) {
  // One row or column of tiles is the same in every order.
  if (rows == 1)
    return {math.constant(0), tile};
  if (cols == 1)
    return {tile, math.constant(0)};
  if (schedule.getOrder() == BlockOrder::row)
    return {math.div(tile, cols), math.rem(tile, cols)};
  if (schedule.getOrder() == BlockOrder::column)
    return {math.rem(tile, rows), math.div(tile, rows)};
  // Bands of G rows; the last one may have fewer.
  const int64_t group = std::min(schedule.getGroupSize(), rows);
  OpFoldResult first = math.mul(math.div(tile, group * cols), group);
  OpFoldResult inBand = math.rem(tile, group * cols);
  if (rows % group == 0)
    return {math.add(first, math.rem(inBand, group)), math.div(inBand, group)};
  Value height = math.value(
      math.min(math.sub(math.constant(rows), first), math.constant(group)));
  Value position = math.value(inBand);
  OpFoldResult row = math.add(
      first,
      arith::RemUIOp::create(math.b, math.loc, position, height).getResult());
  return {
      row,
      arith::DivUIOp::create(math.b, math.loc, position, height).getResult()};
}

/// Indices of the block with number `id` along each loop, by the schedule's
/// order.
static SmallVector<OpFoldResult> getBlockIndices(const IndexMath &math,
                                                 ScheduleAttr schedule,
                                                 ArrayRef<int64_t> counts,
                                                 OpFoldResult id) {
  const int64_t rows = counts[counts.size() - 2], cols = counts.back();
  OpFoldResult outer = math.div(id, rows * cols);
  OpFoldResult tile = counts.size() > 2 ? math.rem(id, rows * cols) : id;
  auto [row, col] = getTileIndices(math, schedule, rows, cols, tile);
  // Round the tiles the batch, and round that the parts of K.
  SmallVector<OpFoldResult> indices(counts.size());
  indices[counts.size() - 2] = row;
  indices[counts.size() - 1] = col;
  for (size_t loop = counts.size() - 2; loop-- > 0;) {
    indices[loop] = loop == 0 ? outer : math.rem(outer, counts[loop]);
    outer = math.div(outer, counts[loop]);
  }
  return indices;
}

static Value readRegister(OpBuilder &b, Location loc, Value value) {
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value);
}

LLVM::LLVMFuncOp KernelOutliner::createFunction(OpBuilder &b,
                                                scf::ForallOp kernel,
                                                const KernelShape &shape) {
  Location loc = kernel.getLoc();
  MLIRContext *context = b.getContext();
  llvm::SmallPtrSet<Value, 2> stored;
  kernel.walk([&](Operation *op) {
    if (!isa<TileStoreOp, TileMapOp, TilePackOp>(op))
      return;
    // An argument may itself be a view, of a buffer outside.
    Value dest = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
    stored.insert(dest);
    while (auto view = dest.getDefiningOp<ViewLikeOpInterface>()) {
      dest = view.getViewSource();
      stored.insert(dest);
    }
  });

  SmallVector<Type> types;
  for (Value argument : shape.arguments) {
    Type type = argument.getType();
    if (isa<MemRefType>(type))
      type = LLVM::LLVMPointerType::get(context, globalAddressSpace);
    else if (type.isIndex())
      type = b.getI64Type();
    types.push_back(type);
  }
  b.setInsertionPointToEnd(kernels.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, loc, "kernel",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  ScheduleAttr schedule = ScheduleAttr::getFrom(kernel);
  const auto threads = static_cast<int32_t>(schedule.getNumThreads());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    b.getDenseI32ArrayAttr({threads, 1, 1}));
  // Without it, ptxas may keep registers down for an occupancy that nobody
  // asked for, and spill.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    b.getI32IntegerAttr(1));
  schedule.setOn(function);

  // No kernel writes what it or another argument reads: the destination is a
  // buffer of its own. So inputs may go through the read-only cache.
  for (auto [index, argument] : llvm::enumerate(shape.arguments)) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
    if (!stored.contains(argument))
      function.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(),
                          b.getUnitAttr());
  }
  function.addEntryBlock(b);
  return function;
}

/// An earlier kernel with the same text, or null. `function` is then gone.
LLVM::LLVMFuncOp KernelOutliner::findEqual(LLVM::LLVMFuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  auto [entry, isNew] = known.try_emplace(text, function, 0);
  if (isNew)
    return {};
  function.erase();
  return entry->second.first;
}

LogicalResult KernelOutliner::outline(scf::ForallOp kernel) {
  FailureOr<KernelShape> shape = readShape(kernel);
  if (failed(shape))
    return failure();
  if (shape->numBlocks == 0) { // an empty result
    kernel.erase();
    return success();
  }
  Location loc = kernel.getLoc();
  ScheduleAttr schedule = ScheduleAttr::getFrom(kernel);
  OpBuilder b(module.getContext());
  LLVM::LLVMFuncOp function = createFunction(b, kernel, *shape);
  nameLocations(kernel);

  b.setInsertionPointToStart(&function.getBody().front());
  IRMapping mapping;
  for (auto [argument, parameter] :
       llvm::zip(shape->arguments, function.getArguments()))
    mapping.map(argument, argument.getType().isIndex()
                              ? readRegister(b, loc, parameter)
                              : Value(parameter));
  for (Operation *constant : shape->constants)
    b.clone(*constant, mapping);
  IndexMath math(b, loc);
  Value thread =
      readRegister(b, loc, NVVM::ThreadIdXOp::create(b, loc, b.getI32Type()));
  Value block =
      readRegister(b, loc, NVVM::BlockIdXOp::create(b, loc, b.getI32Type()));
  SmallVector<OpFoldResult> indices =
      getBlockIndices(math, schedule, shape->counts, block);
  for (auto [iv, index, step] :
       llvm::zip(kernel.getInductionVars(), indices, kernel.getMixedStep()))
    mapping.map(iv, math.value(math.mul(index, *getConstantIntValue(step))));
  bool usesShared = false;
  kernel.walk(
      [&](Operation *op) { usesShared |= isa<TileRingOp, TilePackOp>(op); });
  // The sums of warps pass through it.
  kernel.walk([&](TileStoreOp store) {
    usesShared |= store.getTile().getType().getLevel() == TileLevel::warp;
  });
  Value shared = usesShared ? getSharedMemory(b, loc) : Value();
  KernelBody body(b, schedule, thread, shared, mapping);
  if (failed(body.convert(*kernel.getBody())))
    return failure();
  LLVM::ReturnOp::create(b, loc, ValueRange());

  LLVM::LLVMFuncOp equal = findEqual(function);
  if (!equal) {
    auto parent = kernel->getParentOfType<FunctionOpInterface>();
    SymbolTable table(kernels);
    table.remove(function);
    function.setName((parent.getName() + "_kernel").str());
    table.insert(function, kernels.getBody()->end());
    equal = function;
  }

  b.setInsertionPoint(kernel);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = constant(1);
  Value sharedBytes = arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(body.getSharedBytes()));
  auto symbol = SymbolRefAttr::get(
      kernels.getNameAttr(), {FlatSymbolRefAttr::get(equal.getNameAttr())});
  gpu::LaunchFuncOp::create(
      b, loc, symbol, gpu::KernelDim3{constant(shape->numBlocks), one, one},
      gpu::KernelDim3{constant(schedule.getNumThreads()), one, one},
      sharedBytes, shape->arguments);
  kernel.erase();
  return success();
}

/// Outside a kernel tile ops mean nothing, and would be left where they are.
static LogicalResult checkTilesAreInKernels(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (auto forall = dyn_cast<scf::ForallOp>(op);
        forall && ScheduleAttr::getFrom(forall))
      return WalkResult::skip();
    if (!isa<TileZeroOp, TileLoadOp, TileRingOp, TileCopyOp, TileCommitOp,
             TileWaitOp, TileViewOp, TileSliceOp, TileFragmentOp, TileMmaOp,
             TileConvOp, TileMapOp, TilePackOp, TileStoreOp>(op))
      return WalkResult::advance();
    op->emitOpError("cannot be lowered outside a kernel: expected it in an "
                    "scf.forall with ")
        << ScheduleAttr::name;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// mma.sync takes 8-bit floats from sm_89 and PTX 8.4 on (PTX ISA, "mma").
static LogicalResult checkMmaTypes(ModuleOp module, const GPUArchitecture &arch,
                                   unsigned ptxVersion) {
  WalkResult result = module.walk([&](TileMmaOp op) {
    Type type = op.getLhs().getType().getElementType();
    if (op.getType().getLevel() != TileLevel::warp || !isFloat8(type) ||
        (arch.capability >= 89 && ptxVersion >= 84))
      return WalkResult::advance();
    op.emitOpError("cannot be lowered: products of ")
        << type << " on the tensor cores need sm_89 or later and PTX 8.4 or "
        << "later, got '" << arch.chip << "' and PTX " << ptxVersion / 10 << "."
        << ptxVersion % 10;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {

struct ConvertTopTilesToNVVM
    : mlir::top::impl::ConvertTopTilesToNVVMPassBase<ConvertTopTilesToNVVM> {
  using ConvertTopTilesToNVVMPassBase::ConvertTopTilesToNVVMPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkTilesAreInKernels(module)))
      return signalPassFailure();
    SmallVector<scf::ForallOp> kernels;
    module.walk([&](scf::ForallOp op) {
      if (ScheduleAttr::getFrom(op))
        kernels.push_back(op);
    });
    if (kernels.empty()) {
      remark::missed(
          module.getLoc(),
          remark::RemarkOpts::name("NoKernel").category(getArgument()))
          << remark::reason("no scf.forall carries {0}",
                            ScheduleAttr::name.str());
      return;
    }
    SymbolTable table(module);
    if (table.lookup(kernelModuleName)) {
      module.emitError("expected no symbol '")
          << kernelModuleName << "' in the module";
      return signalPassFailure();
    }
    // LLVM stops the program at a chip or a PTX version that it does not know.
    llvm::Expected<GPUArchitecture> arch = lookupArchitecture(chip);
    if (!arch) {
      module.emitError(llvm::toString(arch.takeError()));
      return signalPassFailure();
    }
    llvm::Expected<unsigned> version = selectPtxVersion(
        *arch, ptxVersion ? unsigned(ptxVersion) : getDefaultPtxVersion(*arch),
        /*ptxasVersion=*/0);
    if (!version) {
      module.emitError(llvm::toString(version.takeError()));
      return signalPassFailure();
    }
    if (failed(checkMmaTypes(module, *arch, *version)))
      return signalPassFailure();
    const std::string features = "+ptx" + std::to_string(*version);
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    auto target = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip, features);
    auto gpuModule = gpu::GPUModuleOp::create(
        b, module.getLoc(), kernelModuleName, b.getArrayAttr({target}));
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    b.getUnitAttr());
    KernelOutliner outliner(module, gpuModule);
    for (scf::ForallOp kernel : kernels)
      if (failed(outliner.outline(kernel)))
        return signalPassFailure();
  }
};

} // namespace
