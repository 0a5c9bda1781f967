/*===-- top-c/Passes.h ----------------------------------------------------===*\
|*                                                                            *|
|* Part of the top project, under the Apache License v2.0 with LLVM           *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Passes and pipelines for C programs: run any by its text, or tile with     *|
|* sizes from a struct. Errors come back as diagnostics, with location and    *|
|* notes, to a function of the caller.                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TOP_C_PASSES_H
#define TOP_C_PASSES_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes every pass and pipeline of the project known by its command-line name,
 * to topRunPipeline and to mlirParsePassPipeline. Calls after the first do
 * nothing. */
MLIR_CAPI_EXPORTED void topRegisterAllPasses(void);

/* Runs a pipeline, written as for mlir-opt's --pass-pipeline, on `module`:
 *
 *   "builtin.module(func.func(top-tile{batch=1 form=unroll}))"
 *
 * As long as the call lasts, `handler` gets every diagnostic of the module's
 * context, and `userData` with it; what is wrong with the text of the pipeline
 * comes that way too. Where it returns failure, or is NULL, the handlers
 * attached to the context get it. It may be called from any thread, by one at a
 * time. Since it hears the whole context, run one pipeline at a time in one.
 *
 * After a failure the module is valid to destroy and may be half transformed.
 */
MLIR_CAPI_EXPORTED MlirLogicalResult
topRunPipeline(MlirModule module, MlirStringRef pipeline,
               MlirDiagnosticHandler handler, void *userData);

/* Values of TopTileOptions::form. */
enum {
  TopTileFormLoop = 0,  /* loops over the interior, border tiles apart */
  TopTileFormUnroll = 1 /* every tile written out */
};

/* The version of TopTileOptions that this header describes. Fields will only
 * ever be added, at the end and with a new version, so that a program goes on
 * working with a later library. */
#define TOP_TILE_OPTIONS_VERSION 1

/* What to cut; the meaning is that of the options of `top-tile`. Everything but
 * `version` may stay 0: a size of 0 leaves the axis whole. */
typedef struct TopTileOptions {
  int32_t version;      /* TOP_TILE_OPTIONS_VERSION */
  int32_t form;         /* TopTileFormLoop or TopTileFormUnroll */
  int64_t batch;        /* N, or the batch of a product */
  int64_t height;       /* OH */
  int64_t width;        /* OW */
  int64_t channels;     /* F */
  int64_t m;            /* rows of a product */
  int64_t n;            /* columns of a product */
  int64_t maxTileBytes; /* find the sizes that are 0; 0 = off */
} TopTileOptions;

/* Runs `top-tiling-pipeline` on `module`: layer ops in canonical form, cut into
 * tiles. Needs no registration of passes. `handler` and `userData` are as for
 * topRunPipeline. Fails, with a diagnostic, for a version or form that the
 * library does not know and for whatever `top-tile` refuses. */
MLIR_CAPI_EXPORTED MlirLogicalResult
topTileModule(MlirModule module, const TopTileOptions *options,
              MlirDiagnosticHandler handler, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* TOP_C_PASSES_H */
