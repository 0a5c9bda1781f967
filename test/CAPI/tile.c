//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API from a C program: parse, run a pipeline from its text, tile from the
// options struct, and get errors back with their places.
//
// RUN: top-capi-test | FileCheck %s
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"
#include "top-c/Dialects.h"
#include "top-c/Passes.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const source =
    "func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>)\n"
    "    -> tensor<2x8x16x16xf32> {\n"
    "  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>}\n"
    "     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>)\n"
    "    -> tensor<2x8x16x16xf32>\n"
    "  return %y : tensor<2x8x16x16xf32>\n"
    "}\n";

static void print(MlirStringRef text, void *userData) {
  (void)userData;
  fwrite(text.data, 1, text.length, stdout);
}

/* Prints a diagnostic and its place on a line, and counts it. */
static MlirLogicalResult report(MlirDiagnostic diagnostic, void *userData) {
  ++*(int *)userData;
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), print, NULL);
  printf(": %s: ", mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError
                       ? "error"
                       : "other");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static MlirModule parse(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreateFromCString(source));
  if (mlirModuleIsNull(module)) {
    printf("cannot parse\n");
    exit(1);
  }
  return module;
}

static void show(const char *title, MlirModule module) {
  printf("== %s\n", title);
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
}

static void runText(MlirContext context, const char *pipeline) {
  MlirModule module = parse(context);
  int numDiagnostics = 0;
  printf("-- %s\n", pipeline);
  if (mlirLogicalResultIsSuccess(
          topRunPipeline(module, mlirStringRefCreateFromCString(pipeline),
                         report, &numDiagnostics)))
    show("after", module);
  else
    printf("failed with %d diagnostics\n", numDiagnostics);
  mlirModuleDestroy(module);
}

static void tile(MlirContext context, TopTileOptions options) {
  MlirModule module = parse(context);
  int numDiagnostics = 0;
  if (mlirLogicalResultIsSuccess(
          topTileModule(module, &options, report, &numDiagnostics)))
    show("tiled", module);
  else
    printf("failed with %d diagnostics\n", numDiagnostics);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  topRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(
      registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  topRegisterAllPasses();
  topRegisterAllPasses(); /* no harm */

  /* The handle loads the dialect, and is the one that the parser uses. */
  MlirDialect dialect =
      mlirDialectHandleLoadDialect(mlirGetDialectHandle__top__(), context);
  MlirStringRef name = mlirDialectGetNamespace(dialect);
  printf("dialect %.*s\n", (int)name.length, name.data);
  // CHECK: dialect top

  runText(context, "builtin.module(func.func(top-tile{batch=1 form=unroll}))");
  // CHECK-LABEL: -- builtin.module(func.func(top-tile
  // CHECK: == after
  // CHECK-COUNT-2: top.Conv2D {{.*}} -> tensor<1x8x16x16xf32>

  runText(context, "builtin.module(top-tiling-pipeline{height=8},convert-top-to-linalg)");
  // CHECK-LABEL: -- builtin.module(top-tiling-pipeline
  // CHECK: == after
  // CHECK-NOT: top.Conv2D
  // CHECK: linalg.conv_2d_nchw_fchw

  runText(context, "builtin.module(func.func(top-tile{batch=-1}))");
  // CHECK-LABEL: -- builtin.module(func.func(top-tile
  // CHECK-NEXT: loc("-":1:1): error: 'func.func' op expected 'batch' to be at least 0, got -1
  // CHECK-NEXT: failed with 1 diagnostics

  runText(context, "builtin.module(func.func(top-tyle))");
  // CHECK-LABEL: -- builtin.module(func.func(top-tyle
  // CHECK-NEXT: error: {{.*}}'top-tyle' does not refer to a registered pass or pass pipeline
  // CHECK: failed with 1 diagnostics

  /* A pipeline that would silently find nothing to do. */
  runText(context, "func.func(top-tile)");
  // CHECK-LABEL: -- func.func(top-tile)
  // CHECK-NEXT: error: expected a pipeline on 'builtin.module', got one on 'func.func'
  // CHECK-NEXT: failed with 1 diagnostics

  tile(context, (TopTileOptions){.version = TOP_TILE_OPTIONS_VERSION,
                                 .form = TopTileFormUnroll,
                                 .height = 8});
  // CHECK: == tiled
  // CHECK: top.Conv2D {{.*}} {pads = array<i64: 1, 1, 0, 1>} {{.*}} -> tensor<2x8x8x16xf32>
  // CHECK: top.Conv2D {{.*}} {pads = array<i64: 0, 1, 1, 1>} {{.*}} -> tensor<2x8x8x16xf32>

  tile(context, (TopTileOptions){.version = TOP_TILE_OPTIONS_VERSION,
                                 .batch = 1,
                                 .width = 4,
                                 .channels = 2});
  // CHECK: == tiled
  // CHECK: scf.for
  // CHECK: top.Conv2D {{.*}} -> tensor<1x2x16x4xf32>

  tile(context, (TopTileOptions){.version = TOP_TILE_OPTIONS_VERSION,
                                 .maxTileBytes = 64});
  // CHECK: loc("-":3:8): error: 'top.Conv2D' op has no tile that fits 'max-tile-bytes' = 64
  // CHECK-NEXT: failed with 1 diagnostics

  tile(context, (TopTileOptions){.version = 1000});
  // CHECK: error: expected 'version' of TopTileOptions to be 1, got 1000
  // CHECK-NEXT: failed with 1 diagnostics
  tile(context, (TopTileOptions){.version = TOP_TILE_OPTIONS_VERSION,
                                 .form = 2});
  // CHECK: error: expected 'form' of TopTileOptions to be 0 (loop) or 1 (unroll), got 2
  // CHECK-NEXT: failed with 1 diagnostics

  mlirContextDestroy(context);
  printf("done\n");
  // CHECK: done
  return 0;
}
