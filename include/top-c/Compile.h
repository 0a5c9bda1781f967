/*===-- top-c/Compile.h ---------------------------------------------------===*\
|*                                                                            *|
|* Part of the top project, under the Apache License v2.0 with LLVM           *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Layer ops to PTX for C programs.                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TOP_C_COMPILE_H
#define TOP_C_COMPILE_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compiles the functions of `module` for `chip` ("sm_80", ...), as top-compile
 * does, and leaves the module as it is. On success `ptx` gets the PTX and then,
 * if it is not NULL, `plan` the launch plan as JSON (docs/LaunchPlan.md), each
 * in one call and with `textData`; on failure neither is called. `handler` and
 * `userData` are as for topRunPipeline (top-c/Passes.h). Fails, with a
 * diagnostic, for an unknown chip, and for ops that no kernel can be made of.
 *
 * What compiling needs (LLVM's NVPTX target and the translations to it) is
 * registered with the module's context. */
MLIR_CAPI_EXPORTED MlirLogicalResult
topCompileToPTX(MlirModule module, MlirStringRef chip, MlirStringCallback ptx,
                MlirStringCallback plan, void *textData,
                MlirDiagnosticHandler handler, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* TOP_C_COMPILE_H */
