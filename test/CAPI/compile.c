//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API from a C program: a product to PTX and its launch plan; a chip that
// is not known is a diagnostic; a convolution has kernels like a product.
//
// RUN: top-capi-compile-test | FileCheck %s
//
//===----------------------------------------------------------------------===//

#include "top-c/Compile.h"
#include "mlir-c/RegisterEverything.h"
#include "top-c/Dialects.h"

#include <stdio.h>

static const char *const product =
    "func.func @product(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>)\n"
    "    -> tensor<64x48xf32> {\n"
    "  %c = top.MatMul %a, %b : (tensor<64x32xf32>, tensor<32x48xf32>)\n"
    "    -> tensor<64x48xf32>\n"
    "  return %c : tensor<64x48xf32>\n"
    "}\n";

static const char *const convolution =
    "func.func @conv(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>)\n"
    "    -> tensor<1x4x6x6xf32> {\n"
    "  %y = top.Conv2D %x, %w : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)\n"
    "    -> tensor<1x4x6x6xf32>\n"
    "  return %y : tensor<1x4x6x6xf32>\n"
    "}\n";

static void print(MlirStringRef text, void *userData) {
  (void)userData;
  fwrite(text.data, 1, text.length, stdout);
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *userData) {
  (void)userData;
  printf("diagnostic: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void compile(MlirContext context, const char *source, const char *chip) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  printf("-- %s\n", chip);
  if (mlirLogicalResultIsFailure(
          topCompileToPTX(module, mlirStringRefCreateFromCString(chip), print,
                          print, NULL, report, NULL)))
    printf("failed\n");
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  topRegisterAllDialects(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);

  compile(context, product, "sm_80");
  // CHECK-LABEL: -- sm_80
  // CHECK: .target sm_80
  // CHECK: .visible .entry product_kernel(
  // CHECK: "launch": "product_kernel"

  compile(context, product, "sm_70");
  // CHECK-LABEL: -- sm_70
  // CHECK-NEXT: diagnostic: unknown chip 'sm_70', expected one of sm_80
  // CHECK-NEXT: failed

  compile(context, convolution, "sm_90a");
  // CHECK-LABEL: -- sm_90a
  // CHECK: .target sm_90a
  // CHECK: .visible .entry
  mlirContextDestroy(context);
  return 0;
}
