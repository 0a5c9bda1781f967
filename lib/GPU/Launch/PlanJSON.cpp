//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launch plans as JSON; docs/LaunchPlan.md describes it.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Launch/LaunchPlan.h"

#include "top/Dialect/Top/IR/Top.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::top;

static std::string stringify(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Values of a constant as hexadecimal bytes in memory order; one element where
/// all are equal.
static llvm::json::Object toJSON(DenseElementsAttr values) {
  ArrayRef<char> raw = values.getRawData();
  return llvm::json::Object{
      {"splat", values.isSplat()},
      {"hex", llvm::toHex(StringRef(raw.data(), raw.size()))}};
}

static llvm::json::Object toJSON(const PlanBuffer &buffer) {
  static constexpr StringLiteral kinds[] = {"argument", "result", "constant",
                                            "workspace"};
  llvm::json::Object object{{"kind", kinds[buffer.kind]},
                            {"type", stringify(buffer.elementType)},
                            {"shape", llvm::json::Array(buffer.shape)},
                            {"bytes", buffer.bytes}};
  if (buffer.kind == PlanBuffer::Argument || buffer.kind == PlanBuffer::Result)
    object["index"] = buffer.index;
  if (buffer.channelsLast)
    object["layout"] = stringifyLayoutKind(LayoutKind::channels_last);
  if (buffer.values)
    object["values"] = toJSON(buffer.values);
  return object;
}

static llvm::json::Object toJSON(const PlanLaunch &launch) {
  llvm::json::Array arguments;
  for (const PlanArgument &argument : launch.arguments) {
    if (argument.scalar)
      arguments.push_back(llvm::json::Object{{"scalar", *argument.scalar}});
    else
      arguments.push_back(llvm::json::Object{{"buffer", argument.buffer},
                                             {"offset", argument.byteOffset}});
  }
  return llvm::json::Object{{"launch", launch.kernel},
                            {"grid", llvm::json::Array(launch.grid)},
                            {"block", llvm::json::Array(launch.block)},
                            {"shared_bytes", launch.sharedBytes},
                            {"arguments", std::move(arguments)}};
}

static llvm::json::Object toJSON(const PlanCopy &copy) {
  return llvm::json::Object{
      {"copy",
       llvm::json::Object{
           {"source", copy.source},
           {"source_offset", copy.sourceOffset},
           {"source_strides", llvm::json::Array(copy.sourceStrides)},
           {"destination", copy.destination},
           {"destination_offset", copy.destinationOffset},
           {"destination_strides", llvm::json::Array(copy.destinationStrides)},
           {"shape", llvm::json::Array(copy.shape)},
           {"element_bytes", copy.elementBytes}}}};
}

static llvm::json::Object toJSON(const LaunchPlan &plan) {
  llvm::json::Array buffers, steps;
  for (const PlanBuffer &buffer : plan.buffers)
    buffers.push_back(::toJSON(buffer));
  for (auto [index, step] : llvm::enumerate(plan.steps)) {
    llvm::json::Object object =
        std::visit([](const auto &s) { return ::toJSON(s); }, step);
    if (!plan.after.empty())
      object["after"] = llvm::json::Array(plan.after[index]);
    steps.push_back(std::move(object));
  }
  return llvm::json::Object{{"version", 1},
                            {"function", plan.function},
                            {"chip", plan.chip},
                            {"buffers", std::move(buffers)},
                            {"arguments", llvm::json::Array(plan.arguments)},
                            {"results", llvm::json::Array(plan.results)},
                            {"steps", std::move(steps)}};
}

llvm::json::Value top::toJSON(ArrayRef<LaunchPlan> plans) {
  llvm::json::Array functions;
  for (const LaunchPlan &plan : plans)
    functions.push_back(::toJSON(plan));
  return llvm::json::Object{{"version", 1},
                            {"alignment", PlanBuffer::alignment},
                            {"functions", std::move(functions)}};
}
