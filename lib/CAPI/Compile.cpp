//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer ops to PTX for C programs.
//
//===----------------------------------------------------------------------===//

#include "top-c/Compile.h"

#include "CallerHandler.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "top/GPU/Compile/Compile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

MlirLogicalResult topCompileToPTX(MlirModule module, MlirStringRef chip,
                                  MlirStringCallback ptx,
                                  MlirStringCallback plan, void *textData,
                                  MlirDiagnosticHandler handler,
                                  void *userData) {
  ModuleOp op = unwrap(module);
  top::CallerHandler scope(op.getContext(), handler, userData);
  top::CompileOptions options;
  llvm::Expected<top::GPUTarget> target = top::lookupTarget(unwrap(chip));
  if (!target) {
    emitError(op.getLoc()) << llvm::toString(target.takeError());
    return mlirLogicalResultFailure();
  }
  options.target = *target;
  options.ptxVersion = top::getDefaultPtxVersion(target->arch);

  DialectRegistry registry;
  top::registerCompileDialects(registry);
  op.getContext()->appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> copy = op.clone();
  if (failed(top::compileToLevel(*copy, options, top::GPULevel::NVVM)))
    return mlirLogicalResultFailure();
  FailureOr<std::vector<top::LaunchPlan>> plans = top::buildLaunchPlans(*copy);
  FailureOr<std::string> text = top::translateKernelsToPTX(*copy);
  if (failed(plans) || failed(text))
    return mlirLogicalResultFailure();
  ptx(wrap(StringRef(*text)), textData);
  if (plan)
    plan(wrap(StringRef(llvm::formatv("{0:2}\n", top::toJSON(*plans)).str())),
         textData);
  return mlirLogicalResultSuccess();
}
