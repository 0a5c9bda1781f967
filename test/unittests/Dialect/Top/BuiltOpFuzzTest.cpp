//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutants that no text can express: ops built with attributes that are missing,
// of another type, or of another name. See FuzzTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "FuzzFixture.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::test;

namespace {

class BuiltOpFuzzTest : public FuzzTest {
protected:
  DenseI64ArrayAttr drawArray(size_t usual) {
    if (random.oneIn(20))
      return {};
    size_t size = random.oneIn(24) ? random.below(6) : usual;
    SmallVector<int64_t> values;
    for (size_t i = 0; i < size; ++i)
      values.push_back(random.oneIn(20) ? drawNumber(random)
                                        : 1 + random.below(2));
    return DenseI64ArrayAttr::get(*context, values);
  }

  ArrayAttr drawEpilogue() {
    if (!random.oneIn(3))
      return {};
    SmallVector<Attribute> steps;
    for (uint64_t n = random.below(4); n > 0; --n) {
      auto kind = static_cast<StepKind>(random.below(9));
      if (random.oneIn(20))
        steps.push_back(UnitAttr::get(*context));
      else if (kind == StepKind::clamp)
        steps.push_back(StepAttr::get(*context, -1.0, 6.0));
      else
        steps.push_back(StepAttr::get(*context, kind));
    }
    return ArrayAttr::get(*context, steps);
  }

  RankedTensorType drawType(ArrayRef<int64_t> usual) {
    Builder builder(*context);
    SmallVector<int64_t> shape(usual);
    for (int64_t &extent : shape)
      if (random.oneIn(25))
        extent = drawExtent(random);
    if (random.oneIn(60))
      shape.push_back(drawExtent(random));
    if (random.oneIn(60) && !shape.empty())
      shape.pop_back();
    Type element = random.oneIn(60)   ? Type(builder.getF16Type())
                   : random.oneIn(60) ? Type(builder.getI32Type())
                                      : Type(builder.getF32Type());
    Attribute encoding =
        random.oneIn(60) ? builder.getStringAttr("layout") : Attribute();
    return RankedTensorType::get(shape, element, encoding);
  }

  /// The op on operands of these types, in a function of its own.
  template <typename OpTy>
  void checkOp(ArrayRef<Type> operandTypes, Type resultType,
               function_ref<void(typename OpTy::Properties &)> setProperties) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(*context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Location loc = builder.getUnknownLoc();
    auto function = func::FuncOp::create(
        builder, loc, "f", builder.getFunctionType(operandTypes, resultType));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    OperationState state(loc, OpTy::getOperationName());
    state.addOperands(body->getArguments());
    state.addTypes(resultType);
    setProperties(state.getOrAddProperties<typename OpTy::Properties>());
    Operation *op = builder.create(state);
    func::ReturnOp::create(builder, loc, op->getResults());

    std::string what;
    llvm::raw_string_ostream stream(what);
    op->print(stream, OpPrintingFlags().printGenericOpForm());
    llvm::PrettyStackTraceString trace(what.c_str());
    if (failed(verify(*module)))
      checkRefusal(what);
    else
      checkAccepted(*module, what);
  }

  void setSegments(MutableArrayRef<int32_t> segments, size_t operands,
                   bool hasBias) {
    segments[0] = segments[1] = 1;
    segments[2] = hasBias;
    segments[3] = static_cast<int32_t>(operands) - 2 - hasBias;
    if (random.oneIn(24))
      segments[random.below(4)] = static_cast<int32_t>(drawNumber(random));
    if (random.oneIn(24)) { // the sum stays right
      // Unsigned, since a segment may be the smallest or largest number.
      auto add = [&](uint32_t number) {
        int32_t &segment = segments[random.below(4)];
        segment = static_cast<int32_t>(static_cast<uint32_t>(segment) + number);
      };
      add(-1u);
      add(1);
    }
  }

  /// Bias and epilogue operands as the steps want them, or about.
  void addOperands(SmallVectorImpl<Type> &types, ArrayAttr epilogue,
                   ArrayRef<int64_t> result, int64_t channels, bool hasBias) {
    if (hasBias)
      types.push_back(drawType({channels}));
    for (Attribute attr :
         epilogue ? epilogue.getValue() : ArrayRef<Attribute>()) {
      auto step = dyn_cast<StepAttr>(attr);
      for (unsigned i = 0; step && i < step.getNumOperands(); ++i)
        types.push_back(step.getKind() == StepKind::affine
                            ? drawType({channels})
                            : drawType(result));
    }
    if (random.oneIn(20))
      types.push_back(drawType(result));
  }
};

} // namespace

TEST_F(BuiltOpFuzzTest, Conv2D) {
  for (int64_t i = 0; i < mutants; ++i) {
    const int64_t group = 1 + random.below(3);
    RankedTensorType input = drawType({2, 2 * group, 7, 6});
    RankedTensorType filter = drawType({3 * group, 2, 3, 2});
    DenseI64ArrayAttr strides = drawArray(2), pads = drawArray(4),
                      dilations = drawArray(2);
    Attribute groupAttr = IntegerAttr::get(
        IntegerType::get(*context, random.oneIn(30) ? 32 : 64),
        random.oneIn(10) ? static_cast<int32_t>(drawNumber(random)) : group);
    // The result that follows, where there is one: most mutants then reach the
    // last checks.
    RankedTensorType result = drawType({2, 3 * group, 5, 5});
    Conv2DAttrs attrs;
    attrs.group = cast<IntegerAttr>(groupAttr).getInt();
    bool sizes = true;
    auto copy = [&](DenseI64ArrayAttr array, MutableArrayRef<int64_t> to) {
      if (array && array.size() != static_cast<int64_t>(to.size()))
        sizes = false;
      else if (array)
        llvm::copy(array.asArrayRef(), to.begin());
    };
    copy(strides, attrs.strides);
    copy(pads, attrs.pads);
    copy(dilations, attrs.dilations);
    if (sizes && !random.oneIn(10)) {
      FailureOr<RankedTensorType> inferred =
          Conv2DOp::inferResultType(nullptr, input, filter, attrs);
      ASSERT_TRUE(context.takeErrors().empty()) << "a quiet call spoke";
      if (succeeded(inferred))
        result = *inferred;
    }
    const bool hasBias = random.oneIn(2);
    ArrayAttr epilogue = drawEpilogue();
    SmallVector<Type> types = {input, filter};
    addOperands(types, epilogue, result.getShape(), 3 * group, hasBias);
    ASSERT_NO_FATAL_FAILURE(
        checkOp<Conv2DOp>(types, result, [&](Conv2DOp::Properties &properties) {
          properties.strides = strides;
          properties.pads = pads;
          properties.dilations = dilations;
          properties.group = cast<IntegerAttr>(groupAttr);
          properties.epilogue = epilogue;
          setSegments(properties.operandSegmentSizes, types.size(), hasBias);
        }));
  }
  EXPECT_GE(accepted * 10, mutants);
  EXPECT_GE(refused * 10, mutants);
}

TEST_F(BuiltOpFuzzTest, MatMul) {
  for (int64_t i = 0; i < mutants; ++i) {
    const bool transposeA = random.oneIn(2), transposeB = random.oneIn(2);
    const bool batched = random.oneIn(2), shared = random.oneIn(2);
    SmallVector<int64_t> lhsShape = {8, 5}, rhsShape = {5, 7};
    if (transposeA)
      std::swap(lhsShape[0], lhsShape[1]);
    if (transposeB)
      std::swap(rhsShape[0], rhsShape[1]);
    if (batched)
      lhsShape.insert(lhsShape.begin(), 3);
    if (batched && !shared)
      rhsShape.insert(rhsShape.begin(), 3);
    RankedTensorType lhs = drawType(lhsShape), rhs = drawType(rhsShape);
    RankedTensorType result = drawType({8, 7});
    FailureOr<RankedTensorType> inferred =
        MatMulOp::inferResultType(nullptr, lhs, rhs, transposeA, transposeB);
    ASSERT_TRUE(context.takeErrors().empty()) << "a quiet call spoke";
    if (succeeded(inferred) && !random.oneIn(10))
      result = *inferred;
    const bool hasBias = random.oneIn(2);
    ArrayAttr epilogue = drawEpilogue();
    SmallVector<Type> types = {lhs, rhs};
    addOperands(types, epilogue, result.getShape(), 7, hasBias);
    ASSERT_NO_FATAL_FAILURE(
        checkOp<MatMulOp>(types, result, [&](MatMulOp::Properties &properties) {
          if (transposeA || random.oneIn(4))
            properties.transpose_a = BoolAttr::get(*context, transposeA);
          if (transposeB || random.oneIn(4))
            properties.transpose_b = BoolAttr::get(*context, transposeB);
          properties.epilogue = epilogue;
          setSegments(properties.operandSegmentSizes, types.size(), hasBias);
        }));
  }
  EXPECT_GE(accepted * 10, mutants);
  EXPECT_GE(refused * 10, mutants);
}

/// What C++ may do to a valid op: remove an attribute, or replace it by one of
/// another kind.
TEST_F(BuiltOpFuzzTest, AttributesRemoved) {
  for (const OpSpec &spec : validOps())
    for (bool replace : {false, true})
      for (const char *name : {"strides", "pads", "dilations", "group",
                               "transpose_a", "transpose_b"}) {
        OwningOpRef<ModuleOp> module = context.parse(spec.str(false));
        ASSERT_TRUE(module);
        Operation *op = findLayer(*module);
        if (!op->hasAttr(name))
          continue;
        if (replace)
          op->setAttr(name, StringAttr::get(*context, "x"));
        else
          op->removeAttr(name);
        ASSERT_TRUE(failed(verify(*module)));
        EXPECT_EQ(context.takeErrors(),
                  std::vector<std::string>(
                      {"'" + op->getName().getStringRef().str() +
                       "' op requires attribute '" + name + "'"}));
      }
}

/// The builders' way: attributes by name, of any kind, through OperationState.
TEST_F(BuiltOpFuzzTest, AttributesByName) {
  static const std::vector<std::string> names = {
      "strides",    "pads",     "dilations",          "group",
      "allow_tf32", "epilogue", "operandSegmentSizes"};
  Type f32 = Float32Type::get(*context);
  for (int64_t i = 0; i < mutants / 4; ++i) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(*context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    SmallVector<Type> types = {RankedTensorType::get({1, 4, 6, 6}, f32),
                               RankedTensorType::get({4, 4, 3, 3}, f32)};
    Type resultType = RankedTensorType::get({1, 4, 4, 4}, f32);
    auto function =
        func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                             builder.getFunctionType(types, resultType));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    OperationState state(builder.getUnknownLoc(), "top.Conv2D");
    state.addOperands(body->getArguments());
    state.addTypes(resultType);
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr({1, 1, 0, 0}));
    std::string what;
    for (uint64_t n = 1 + random.below(2); n > 0; --n) {
      std::string name = random.pick(names), text = drawAttribute(random);
      Attribute attr = parseAttribute(text, *context);
      context.takeErrors();
      if (attr && name != "operandSegmentSizes")
        state.attributes.set(name, attr);
      what += name + " = " + text + "\n";
    }
    llvm::PrettyStackTraceString trace(what.c_str());
    Operation *op = builder.create(state);
    func::ReturnOp::create(builder, builder.getUnknownLoc(), op->getResults());
    context.takeErrors();
    if (failed(verify(*module)))
      ASSERT_NO_FATAL_FAILURE(checkRefusal(what));
    else
      ASSERT_NO_FATAL_FAILURE(checkAccepted(*module, what));
  }
  EXPECT_GE(accepted * 40, mutants);
  EXPECT_GE(refused * 40, mutants);
}
