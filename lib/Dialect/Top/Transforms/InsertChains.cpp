//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-insert-chains-to-destination: a chain of tensor.insert_slice, the way in
// which tiles are put together on tensors, becomes one buffer that each tile is
// written into. One-shot bufferization would find the same buffer, but by an
// analysis whose time grows with the fourth power of the chain.
//
// A chain is a value that is handed on from link to link, each of which is
// its only user:
//
//   link  = tensor.insert_slice _ into %previous
//         | scf.for iter_args(%a = %previous) { chain from %a to the yield }
//
// Since no one else sees the values between, writing all of them into one place
// changes nothing that can be observed. The result of the chain is a tensor
// again.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPINSERTCHAINSTODESTINATIONPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// A chain that starts from values that must be kept is worth a copy of them
/// only where one-shot bufferization, which may do without, gets slow: its
/// fourth power of 32 links is 16 ms, of 128 links 4 s.
static constexpr int64_t kMinLengthWithCopy = 32;

static constexpr StringLiteral kCategory = "top-insert-chains-to-destination";

namespace {

/// A chain as described above. Links inside loops are in `inserts` too.
struct InsertChain {
  Value root;   ///< what the first link writes into
  Value result; ///< what the last link gives
  Operation *first = nullptr, *last = nullptr; ///< links in one block
  SmallVector<tensor::InsertSliceOp> inserts;
  SmallVector<OpResult> loopResults; ///< of the loops that are links

  bool isDecided = false, isConverted = false;
  /// If set, the link of another chain that does nothing but copy this one's
  /// result: this one then writes to where that link would.
  tensor::InsertSliceOp forwarding;
  Value destination; ///< once made

  int64_t length() const { return inserts.size(); }
  tensor::EmptyOp getEmptyRoot() {
    return root.getDefiningOp<tensor::EmptyOp>();
  }
};

/// The chains of a function and what becomes of them.
class ChainRewriter {
public:
  ChainRewriter(RewriterBase &rewriter, FunctionOpInterface func,
                int64_t minLength)
      : rewriter(rewriter), func(func), minLength(minLength) {}

  void run();

private:
  void collect();
  void decide(InsertChain &chain);
  bool canForward(InsertChain &chain, tensor::InsertSliceOp insert);
  Value getDestination(InsertChain &chain);
  Value createBuffer(InsertChain &chain);
  Value createSubview(tensor::InsertSliceOp insert, Value dest);
  void rewrite(InsertChain &chain);

  RewriterBase &rewriter;
  FunctionOpInterface func;
  int64_t minLength;
  DominanceInfo dominance;
  std::vector<InsertChain> chains;
  DenseMap<Operation *, size_t> chainOfInsert;
  DenseSet<Operation *> forwardedInserts; ///< with nothing left to copy
};

} // namespace

static bool isSupported(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() &&
         BaseMemRefType::isValidElementType(type.getElementType());
}

/// Adds the user at the end of `use` to `chain` and returns the value that it
/// hands on; null, with the chain as it was, where it is no link.
static Value appendLink(OpOperand &use, InsertChain &chain) {
  Operation *user = use.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(user)) {
    if (&use != &insert.getDestMutable())
      return {};
    chain.inserts.push_back(insert);
    return insert.getResult();
  }
  auto loop = dyn_cast<scf::ForOp>(user);
  BlockArgument iterArg = loop ? loop.getTiedLoopRegionIterArg(&use) : nullptr;
  if (!iterArg)
    return {};
  const size_t numInserts = chain.inserts.size();
  const size_t numLoops = chain.loopResults.size();
  chain.loopResults.push_back(loop.getTiedLoopResult(&use));
  Value yielded = loop.getTiedLoopYieldedValue(iterArg)->get();
  Value value = iterArg;
  while (value && value != yielded) {
    OpOperand *next = value.hasOneUse() ? &*value.getUses().begin() : nullptr;
    value = next && next->getOwner()->getBlock() == loop.getBody()
                ? appendLink(*next, chain)
                : nullptr;
  }
  // The yield must be the only one to see the last value.
  if (value && value != iterArg && value.hasOneUse())
    return chain.loopResults[numLoops];
  chain.inserts.resize(numInserts);
  chain.loopResults.resize(numLoops);
  return {};
}

void ChainRewriter::collect() {
  DenseSet<Value> linked;
  auto start = [&](OpOperand &use, Value result) {
    InsertChain chain;
    chain.root = use.get();
    if (linked.contains(result) || !isSupported(chain.root))
      return;
    chain.result = appendLink(use, chain);
    if (!chain.result)
      return;
    chain.first = chain.last = use.getOwner();
    while (chain.result.hasOneUse()) {
      OpOperand &next = *chain.result.getUses().begin();
      if (next.getOwner()->getBlock() != chain.first->getBlock())
        break;
      Value value = appendLink(next, chain);
      if (!value)
        break;
      chain.result = value;
      chain.last = next.getOwner();
    }
    for (tensor::InsertSliceOp insert : chain.inserts) {
      linked.insert(insert.getResult());
      chainOfInsert[insert] = chains.size();
    }
    linked.insert_range(chain.loopResults);
    chains.push_back(std::move(chain));
  };
  // Outside in, so that a loop is a link of the chain round it before its body
  // is looked at; in order, so that a chain is entered at its first link.
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      start(insert.getDestMutable(), insert.getResult());
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      for (OpOperand &init : loop.getInitArgsMutable())
        start(init, loop.getTiedLoopResult(&init));
  });
}

/// Whether `chain` can write where `insert`, which copies its result, would. It
/// can if it starts from nothing, if no one else sees its result, and if the
/// other chain writes nothing in the meantime.
bool ChainRewriter::canForward(InsertChain &chain,
                               tensor::InsertSliceOp insert) {
  if (!chain.getEmptyRoot() || insert->getBlock() != chain.first->getBlock() ||
      chain.result == insert.getDest())
    return false;
  InsertChain &outer = chains[chainOfInsert.at(insert)];
  decide(outer);
  if (!outer.isConverted)
    return false;
  // The other buffer is made at its first link, or at the tensor.empty that it
  // starts from; it must be there before this chain begins.
  if (insert == outer.first &&
      (outer.forwarding || !outer.getEmptyRoot() ||
       outer.getEmptyRoot()->getBlock() != outer.first->getBlock()))
    return false;
  // The source is the first operand; with the destination, all that the other
  // chain has written is there.
  return llvm::all_of(
      llvm::drop_begin(insert->getOperands()), [&](Value operand) {
        return dominance.properlyDominates(operand, chain.first);
      });
}

void ChainRewriter::decide(InsertChain &chain) {
  if (chain.isDecided)
    return;
  chain.isDecided = true;
  if (chain.result.hasOneUse()) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(*chain.result.user_begin());
    if (insert && canForward(chain, insert))
      chain.forwarding = insert;
  }
  remark::RemarkOpts opts =
      remark::RemarkOpts::name("Chain").category(kCategory).function(
          func.getName());
  if (chain.forwarding) {
    chain.isConverted = true;
  } else if (chain.length() < minLength) {
    remark::missed(chain.result.getLoc(), opts)
        << "left a chain of " << remark::metric("Links", chain.length())
        << " tensor.insert_slice to bufferization, fewer than 'min-length'";
  } else if (!chain.getEmptyRoot() && chain.length() < kMinLengthWithCopy) {
    remark::missed(chain.result.getLoc(), opts)
        << "left a chain of " << remark::metric("Links", chain.length())
        << " tensor.insert_slice to bufferization: it starts from values that "
           "would have to be copied";
  } else {
    chain.isConverted = true;
    remark::passed(chain.result.getLoc(), opts)
        << "wrote a chain of " << remark::metric("Links", chain.length())
        << " tensor.insert_slice into one buffer";
  }
}

/// The part of `dest` that `insert` writes.
Value ChainRewriter::createSubview(tensor::InsertSliceOp insert, Value dest) {
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      insert.getSourceType().getShape(), cast<MemRefType>(dest.getType()),
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
  return memref::SubViewOp::create(
      rewriter, insert.getLoc(), type, dest, insert.getMixedOffsets(),
      insert.getMixedSizes(), insert.getMixedStrides());
}

/// A new buffer with the values that `chain` starts from.
Value ChainRewriter::createBuffer(InsertChain &chain) {
  Location loc = chain.result.getLoc();
  auto type = cast<RankedTensorType>(chain.root.getType());
  tensor::EmptyOp empty = chain.getEmptyRoot();
  SmallVector<Value> sizes;
  rewriter.setInsertionPoint(chain.first);
  if (empty) {
    sizes = llvm::to_vector(empty.getDynamicSizes());
    // Early, for chains that are forwarded into this one; but not out of a
    // loop, since the results of its iterations may be alive at once.
    if (empty->getBlock() == chain.first->getBlock())
      rewriter.setInsertionPoint(empty);
  } else {
    for (int64_t dim = 0, rank = type.getRank(); dim < rank; ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(rewriter, loc, chain.root, dim));
  }
  Value buffer = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
      sizes);
  if (!empty)
    bufferization::MaterializeInDestinationOp::create(
        rewriter, loc, /*result=*/Type(), chain.root, buffer,
        /*restrict=*/false, /*writable=*/true);
  return buffer;
}

Value ChainRewriter::getDestination(InsertChain &chain) {
  if (chain.destination)
    return chain.destination;
  if (chain.forwarding) {
    Value outer = getDestination(chains[chainOfInsert.at(chain.forwarding)]);
    rewriter.setInsertionPoint(chain.first);
    chain.destination = createSubview(chain.forwarding, outer);
  } else {
    chain.destination = createBuffer(chain);
  }
  return chain.destination;
}

void ChainRewriter::rewrite(InsertChain &chain) {
  if (!chain.forwarding) {
    rewriter.setInsertionPointAfter(chain.last);
    Value tensor = bufferization::ToTensorOp::create(
        rewriter, chain.result.getLoc(), chain.result.getType(),
        chain.destination, /*restrict=*/true, /*writable=*/true);
    rewriter.replaceAllUsesWith(chain.result, tensor);
  }
  for (tensor::InsertSliceOp insert : chain.inserts) {
    if (!forwardedInserts.contains(insert)) {
      rewriter.setInsertionPoint(insert);
      // Computing the source in place is safe only where no one reads it after
      // the chain: its buffer may then be written through the result.
      const bool isOnlyUse = insert.getSource().hasOneUse();
      bufferization::MaterializeInDestinationOp::create(
          rewriter, insert.getLoc(), /*result=*/Type(), insert.getSource(),
          createSubview(insert, chain.destination), /*restrict=*/isOnlyUse,
          /*writable=*/true);
    }
    rewriter.replaceOp(insert, insert.getDest());
  }
}

void ChainRewriter::run() {
  collect();
  for (InsertChain &chain : chains)
    decide(chain);
  for (InsertChain &chain : chains)
    if (chain.forwarding)
      forwardedInserts.insert(chain.forwarding);
  // Every place before the first link is gone.
  for (InsertChain &chain : chains)
    if (chain.isConverted)
      getDestination(chain);
  SetVector<Operation *> loops;
  for (InsertChain &chain : chains)
    if (chain.isConverted) {
      for (OpResult result : chain.loopResults)
        loops.insert(result.getOwner());
      rewrite(chain);
    }
  // The loops now hand on what they were given; inner ones first, each ceases
  // to.
  RewritePatternSet patterns(func.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, func.getContext());
  FrozenRewritePatternSet frozen(std::move(patterns));
  for (Operation *loop : llvm::reverse(loops))
    (void)applyOpPatternsGreedily(loop, frozen,
                                  GreedyRewriteConfig().setStrictness(
                                      GreedyRewriteStrictness::ExistingOps));
}

void top::writeInsertChainsToDestination(RewriterBase &rewriter,
                                         FunctionOpInterface func,
                                         int64_t minLength) {
  ChainRewriter(rewriter, func, minLength).run();
}

namespace {

struct TopInsertChainsToDestinationPass
    : top::impl::TopInsertChainsToDestinationPassBase<
          TopInsertChainsToDestinationPass> {
  using TopInsertChainsToDestinationPassBase::
      TopInsertChainsToDestinationPassBase;
  void runOnOperation() override {
    if (minLength < 1) {
      getOperation()->emitError("expected 'min-length' to be at least 1, got ")
          << minLength;
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    writeInsertChainsToDestination(rewriter, getOperation(), minLength);
  }
};

} // namespace
