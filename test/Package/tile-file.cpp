//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Embedding in C++: register, build the tiling pipeline from its options
// struct, run it. usage: tile-file FILE HEIGHT
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "top/InitAll.h"
#include "top/Pipelines/Pipelines.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: tile-file FILE HEIGHT\n";
    return 2;
  }

  // What the files of this compiler are written in.
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::tensor::TensorDialect>();
  mlir::top::registerAllTopDialects(registry);
  mlir::top::registerAllTopExtensions(registry);

  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  mlir::top::TopTilingPipelineOptions options;
  options.batch = 1;
  options.height = std::atoi(argv[2]);
  options.form = mlir::top::TileForm::Unroll;
  mlir::PassManager pm(&context);
  mlir::top::buildTopTilingPipeline(pm, options);
  if (mlir::failed(pm.run(*module)))
    return 1;

  module->print(llvm::outs());
  return 0;
}
