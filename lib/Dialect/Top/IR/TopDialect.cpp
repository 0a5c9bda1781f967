//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration of ops and attributes, and what is said of ops that only look
// like ours.
//
//===----------------------------------------------------------------------===//

#include "LayoutEncoding.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/Top.h"

using namespace mlir;
using namespace mlir::top;

#include "top/Dialect/Top/IR/TopDialect.cpp.inc"

/// tpu-mlir's dialect of the same name prints ops in generic form, which reach
/// the verifier as unregistered ops; only the diagnostic can carry our note.
static void explainUnknownOps(MLIRContext *context) {
  context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (StringRef(diagnostic.str()).contains("unregistered operation 'top."))
      diagnostic.attachNote() << TopDialect::getUnknownOpNote();
    return failure(); // let the other handlers print it
  });
}

StringRef TopDialect::getUnknownOpNote() {
  return "the dialect 'top' of this tool has the ops 'top.Conv2D' and "
         "'top.MatMul'; tpu-mlir has another dialect of the same name, whose "
         "files it does not read";
}

/// Custom form of an op that does not exist.
static ParseResult refuseUnknownOp(OpAsmParser &parser, OperationState &) {
  // The parser's own prefix names the op.
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc())
                             << "is not an op of dialect 'top'";
  error.attachNote() << TopDialect::getUnknownOpNote();
  return error;
}

std::optional<Dialect::ParseOpHook>
TopDialect::getParseOperationHook(StringRef opName) const {
  // A ParseOpHook does not own what it calls.
  return ParseOpHook(refuseUnknownOp);
}

void TopDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "top/Dialect/Top/IR/TopOps.cpp.inc"
      >();
  registerAttributes();
  attachLayoutEncoding(getContext());
  registerTiles();
  explainUnknownOps(getContext());
}
