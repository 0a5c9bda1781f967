//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Embedding in C: the same with the C API. usage: tile-file-c FILE HEIGHT
//
//===----------------------------------------------------------------------===//

#include "mlir-c/RegisterEverything.h"
#include "top-c/Dialects.h"
#include "top-c/Passes.h"

#include <stdio.h>
#include <stdlib.h>

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *userData) {
  (void)userData;
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), print, stderr);
  fputs(": ", stderr);
  mlirDiagnosticPrint(diagnostic, print, stderr);
  fputc('\n', stderr);
  return mlirLogicalResultSuccess();
}

static char *readFile(const char *name) {
  static char text[1 << 16];
  FILE *file = fopen(name, "r");
  if (!file)
    return NULL;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  const char *text = argc == 3 ? readFile(argv[1]) : NULL;
  if (!text) {
    fputs("usage: tile-file-c FILE HEIGHT\n", stderr);
    return 2;
  }

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  topRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(
      registry, /*threadingEnabled=*/true);
  mlirDialectRegistryDestroy(registry);

  int status = 1;
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (!mlirModuleIsNull(module)) {
    TopTileOptions options = {.version = TOP_TILE_OPTIONS_VERSION,
                              .form = TopTileFormUnroll,
                              .batch = 1,
                              .height = atoi(argv[2])};
    if (mlirLogicalResultIsSuccess(
            topTileModule(module, &options, report, NULL))) {
      mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
      status = 0;
    }
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return status;
}
