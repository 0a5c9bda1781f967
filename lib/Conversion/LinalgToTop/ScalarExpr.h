//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an elementwise part of a function computes, as one scalar expression of
// the value of a layer op. Where the cuts between linalg ops were does not show
// in it, so that fused, unfused and partly fused input look the same. Equal
// expressions are one node.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_SCALAREXPR_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_SCALAREXPR_H

#include "Rearrange.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/Allocator.h"

#include <deque>

namespace mlir::top::raise {

/// One node of an expression.
struct Expr : public llvm::FoldingSetNode {
  enum Kind {
    X,        ///< the value of the layer op
    Constant, ///< a number
    Tensor,   ///< an element of `source`
    Scalar,   ///< `source`, a scalar known at run time only
    Op,       ///< a scalar op on `operands`
  };
  Kind kind;
  Type type;
  double number = 0;
  mlir::Value source;
  /// Of a tensor: the loop that each of its dimensions is read along; -1: 0.
  SmallVector<int64_t> index;
  StringRef opName;
  DictionaryAttr attributes;
  SmallVector<const Expr *> operands;

  /// Order of creation; operands come before what uses them.
  unsigned id = 0;
  bool usesX = false;
  /// The loops along which an expression without X varies.
  llvm::SmallBitVector loops;
  /// It reads a computed tensor of as many elements as the result. Where all
  /// but the channels are of extent 1, that is what tells a residual from a
  /// bias.
  bool readsTensor = false;

  template <typename OpTy>
  bool is() const {
    return kind == Op && opName == OpTy::getOperationName();
  }
  void Profile(llvm::FoldingSetNodeID &id) const;
};

/// Owns expressions over one iteration space: the elements of a layer op's
/// result, or of a rearrangement of it.
class ExprPool {
public:
  /// Expressions over the elements of `type`, whose dimensions are the loops;
  /// bias vectors run along `channelLoop` (-1: along none).
  ExprPool(RankedTensorType type, int64_t channelLoop);

  /// The value that expressions are of, and the ops that are computed from it.
  /// Where `dropCasts` is set, roundings of X to 16 bits and back are left out:
  /// layer ops compute in f32 and round once.
  void setX(mlir::Value value, llvm::DenseSet<Operation *> ops, bool drop) {
    x = value;
    dependent = std::move(ops);
    dropCasts = drop;
  }

  /// The expression of `value`, whose dimensions are the loops; null, with a
  /// reason, where it is not one.
  const Expr *get(mlir::Value value);
  StringRef getReason() const { return reason; }

  const Expr *constant(double number, Type type);
  /// A scalar op by name, with the attributes of none.
  template <typename OpTy>
  const Expr *op(Type type, ArrayRef<const Expr *> operands) {
    return make(OpTy::getOperationName(), DictionaryAttr::get(context), type,
                operands);
  }
  /// The expression as a value of the type, extended or rounded as needed.
  const Expr *cast(const Expr *expr, FloatType type);

  ArrayRef<int64_t> getExtents() const { return extents; }
  int64_t getChannelLoop() const { return channelLoop; }

  /// Whether an expression without X is the same everywhere.
  static bool isUniform(const Expr *expr) { return expr->loops.none(); }
  /// Whether it varies along the channels at most.
  bool isPerChannel(const Expr *expr) const;

private:
  using Index = SmallVector<int64_t>;

  const Expr *build(mlir::Value value, ArrayRef<int64_t> index, unsigned depth);
  const Expr *buildLeaf(mlir::Value value, ArrayRef<int64_t> index);
  const Expr *inlineOp(linalg::LinalgOp op, ArrayRef<int64_t> index,
                       unsigned depth);
  const Expr *buildScalar(mlir::Value value, linalg::LinalgOp op,
                          ArrayRef<int64_t> loopIndex, unsigned depth);
  const Expr *make(StringRef name, DictionaryAttr attributes, Type type,
                   ArrayRef<const Expr *> operands);
  const Expr *unique(Expr &&expr);
  const Expr *fail(const Twine &why);

  MLIRContext *context;
  mlir::Value x;
  SmallVector<int64_t> extents;
  int64_t channelLoop;
  llvm::DenseSet<Operation *> dependent;
  bool dropCasts = false;
  std::string reason;
  std::deque<Expr> storage;
  llvm::FoldingSet<Expr> nodes;
};

/// The number that an expression is everywhere, a splat constant included.
std::optional<double> getNumber(const Expr *expr);

/// The values of an expression without X along the channels (or just one where
/// it is uniform), computed in double and rounded where it says so; nullopt
/// where they are not all known.
std::optional<SmallVector<double>>
evaluate(const Expr *expr, int64_t channelLoop, int64_t numChannels);

/// Writes the scalar ops that compute an expression without X. `leaf` gives the
/// value of each Tensor node.
mlir::Value emitScalar(OpBuilder &builder, Location loc, const Expr *expr,
                       function_ref<mlir::Value(const Expr *)> leaf);

/// The Tensor nodes in an expression, in order.
SmallVector<const Expr *> getTensors(const Expr *expr);

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_SCALAREXPR_H
