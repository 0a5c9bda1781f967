/*===-- top-c/Dialects.h --------------------------------------------------===*\
|*                                                                            *|
|* Part of the top project, under the Apache License v2.0 with LLVM           *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The `top` dialect for C programs. They link libTopC, which also has the    *|
|* functions of MLIR's own C API (mlir-c), and nothing else.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TOP_C_DIALECTS_H
#define TOP_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__top__(): the dialect alone. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Top, top);

/* Puts the dialect into `registry`, with what attaches to other dialects when
 * they load (the ops of the transform dialect). What most programs want. */
MLIR_CAPI_EXPORTED void topRegisterAllDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif /* TOP_C_DIALECTS_H */
