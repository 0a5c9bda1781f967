//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library as a compiler uses it that works on several files at once: each
// thread has its context and its options, and none knows of the others.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "top/InitAll.h"
#include "top/Pipelines/Pipelines.h"
#include "gtest/gtest.h"

#include <atomic>
#include <thread>

using namespace mlir;

static constexpr char source[] = R"(
  func.func @conv(%x: tensor<4x3x32x32xf32>, %w: tensor<8x3x3x3xf32>)
      -> tensor<4x8x32x32xf32> {
    %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>}
       : (tensor<4x3x32x32xf32>, tensor<8x3x3x3xf32>) -> tensor<4x8x32x32xf32>
    return %y : tensor<4x8x32x32xf32>
  }
  func.func @product(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>)
      -> tensor<64x64xf32> {
    %c = top.MatMul %a, %b
       : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  })";

/// One compilation from nothing: a context, the options, the tiled module as
/// text; empty where something failed.
static std::string tile(int64_t height, top::TileForm form) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect>();
  top::registerAllTopDialects(registry);
  top::registerAllTopExtensions(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return "";
  top::TopTilingPipelineOptions options;
  options.batch = 1;
  options.height = height;
  options.m = height;
  options.form = form;
  PassManager pm(&context);
  top::buildTopTilingPipeline(pm, options);
  if (failed(pm.run(*module)))
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

TEST(Threads, ContextsTileInParallel) {
  const std::string unrolled = tile(4, top::TileForm::Unroll);
  const std::string looped = tile(9, top::TileForm::Loop);
  // The options arrive: 4 images of 8 tiles against loops.
  ASSERT_NE(unrolled.find("top.Conv2D"), std::string::npos);
  ASSERT_EQ(unrolled.find("scf.for"), std::string::npos);
  ASSERT_NE(looped.find("scf.for"), std::string::npos);

  constexpr int rounds = 40;
  std::atomic<int> ready = 0;
  auto work = [&](const std::string &expected, int64_t height,
                  top::TileForm form, int &equal) {
    // Start together, contexts and all: loading a dialect is what shares most.
    ++ready;
    while (ready < 2)
      std::this_thread::yield();
    for (int round = 0; round < rounds; ++round)
      equal += tile(height, form) == expected;
  };
  int equalUnrolled = 0, equalLooped = 0;
  std::thread first(work, std::cref(unrolled), 4, top::TileForm::Unroll,
                    std::ref(equalUnrolled));
  std::thread second(work, std::cref(looped), 9, top::TileForm::Loop,
                     std::ref(equalLooped));
  first.join();
  second.join();
  EXPECT_EQ(equalUnrolled, rounds);
  EXPECT_EQ(equalLooped, rounds);
}
