//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and verifiers of the tile ops.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/TopTiles.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

#include "top/Dialect/Top/IR/TopTilesEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "top/Dialect/Top/IR/TopTilesTypes.cpp.inc"

#define GET_OP_CLASSES
#include "top/Dialect/Top/IR/TopTiles.cpp.inc"

/// Extents of a tile or a ring, at most: no shared memory or register file
/// comes near, and products of them fit 64 bits.
static constexpr int64_t maxTileExtent = 65536;

void TopDialect::registerTiles() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "top/Dialect/Top/IR/TopTilesTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "top/Dialect/Top/IR/TopTiles.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyExtents(EmitError emitError,
                                   ArrayRef<int64_t> extents) {
  for (int64_t extent : extents)
    if (extent < 1 || extent > maxTileExtent)
      return emitError() << "expected extents from 1 to " << maxTileExtent
                         << ", got " << extent;
  return success();
}

bool top::isTileElementType(Type type) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type) ||
         isFloat8(type) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(32);
}

static LogicalResult verifyElementType(EmitError emitError, Type type) {
  if (!isTileElementType(type))
    return emitError() << "expected element type f64, f32, f16, bf16, "
                          "f8E4M3FN, f8E5M2, i8 or i32, got "
                       << type;
  return success();
}

/// `N` integers and the element type: 3x128x32xf16.
static ParseResult parseShape(AsmParser &parser, unsigned count,
                              SmallVectorImpl<int64_t> &shape,
                              Type &elementType) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false))
    return failure();
  if (shape.size() != count)
    return parser.emitError(loc)
           << "expected " << count << " extents, got " << shape.size();
  return parser.parseType(elementType);
}

Type TileType::parse(AsmParser &parser) {
  StringRef keyword;
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<TileLevel> level = symbolizeTileLevel(keyword);
  if (!level)
    return parser.emitError(loc)
               << "expected 'block', 'warp' or 'thread', got '" << keyword
               << "'",
           Type();
  if (parseShape(parser, 2, shape, elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), *level, shape[0],
                                     shape[1], elementType);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<" << stringifyTileLevel(getLevel()) << " " << getRows() << "x"
          << getCols() << "x" << getElementType() << ">";
}

LogicalResult TileType::verify(EmitError emitError, TileLevel level,
                               int64_t rows, int64_t cols, Type elementType) {
  return failure(failed(verifyExtents(emitError, {rows, cols})) ||
                 failed(verifyElementType(emitError, elementType)));
}

Type RingType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShape(parser, 3, shape, elementType))
    return {};
  bool swizzle = false;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("swizzle"))
      return {};
    swizzle = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RingType>(loc, parser.getContext(), shape[0],
                                     shape[1], shape[2], elementType, swizzle);
}

void RingType::print(AsmPrinter &printer) const {
  printer << "<" << getStages() << "x" << getRows() << "x" << getCols() << "x"
          << getElementType() << (getSwizzle() ? ", swizzle>" : ">");
}

LogicalResult RingType::verify(EmitError emitError, int64_t stages,
                               int64_t rows, int64_t cols, Type elementType,
                               bool swizzle) {
  if (failed(verifyExtents(emitError, {stages, rows, cols})) ||
      failed(verifyElementType(emitError, elementType)))
    return failure();
  const int64_t rowBytes = cols * getElementBytes(elementType);
  if (swizzle && (rowBytes % 16 != 0 || !llvm::isPowerOf2_64(rowBytes / 16)))
    return emitError() << "expected rows of 2^n chunks of 16 bytes for a "
                          "swizzle, got "
                       << rowBytes << " bytes";
  return success();
}

int64_t RingType::getRowBytes() const {
  return getCols() * getElementBytes(getElementType());
}

int64_t RingType::getSwizzleChunks() const {
  return std::min<int64_t>(8, getRowBytes() / 16);
}

int64_t RingType::getSlotOffset(int64_t row, int64_t col) const {
  int64_t inRow = col * getElementBytes(getElementType());
  if (getSwizzle())
    inRow ^= row / getSwizzleRows() % getSwizzleChunks() * 16;
  return row * getRowBytes() + inRow;
}

RingType RingType::withStages(int64_t stages) const {
  return get(getContext(), stages, getRows(), getCols(), getElementType(),
             getSwizzle());
}

RingType RingType::withSwizzle(bool swizzle) const {
  return get(getContext(), getStages(), getRows(), getCols(), getElementType(),
             swizzle);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A matrix of the same element type, each dimension at most the tile's.
static LogicalResult verifySource(Operation *op, Value source, int64_t rows,
                                  int64_t cols, Type elementType) {
  auto type = cast<ShapedType>(source.getType());
  if (type.getRank() != 2)
    return op->emitOpError("expected 'source' to have rank 2, got ") << type;
  if (type.getElementType() != elementType)
    return op->emitOpError("expected 'source' of element type ")
           << elementType << ", got " << type.getElementType();
  const int64_t extents[] = {rows, cols};
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) > extent)
      return op->emitOpError("expected dimension ")
             << dim << " of 'source' to be at most " << extent << ", got "
             << type.getDimSize(dim);
  return success();
}

/// `source` at `position`, and at most one of `window` and `dims`, which say
/// what of it a tile of `rows` x `cols` has.
static LogicalResult verifyLoad(Operation *op, Value source,
                                ValueRange position, WindowAttr window,
                                TileDimsAttr dims, int64_t rows, int64_t cols,
                                Type elementType) {
  auto type = cast<ShapedType>(source.getType());
  if (window && dims)
    return op->emitOpError("expected 'window' or 'dims', not both");
  const size_t numIndices = window ? 3 : dims ? dims.getRank() : 0;
  if (position.size() != numIndices)
    return op->emitOpError("expected ")
           << numIndices << " indices of 'position', got " << position.size();
  if (!window && !dims)
    return verifySource(op, source, rows, cols, elementType);
  const int64_t rank = window ? 4 : dims.getRank();
  if (type.getRank() != rank || type.getElementType() != elementType)
    return op->emitOpError("expected 'source' of rank ")
           << rank << " and element type " << elementType << ", got " << type;
  if (dims) {
    if (dims.getNumRows() > rows || dims.getNumCols() > cols)
      return op->emitOpError("expected no more rows and columns of 'dims' than "
                             "the tile has, ")
             << rows << " and " << cols << ", got " << dims.getNumRows()
             << " and " << dims.getNumCols();
    return success();
  }
  const int64_t pixels = window.isChannelsLast() ? rows : cols;
  if (window.getNumPixels() > pixels)
    return op->emitOpError("expected a box of no more pixels than the tile "
                           "has, ")
           << pixels << ", got " << window.getNumPixels();
  return success();
}

LogicalResult TileLoadOp::verify() {
  TileType type = getType();
  if (type.getLevel() != TileLevel::block)
    return emitOpError("expected a block tile, got ") << type;
  return verifyLoad(*this, getSource(), getPosition(), getWindowAttr(),
                    getDimsAttr(), type.getRows(), type.getCols(),
                    type.getElementType());
}

LogicalResult TileCopyOp::verify() {
  RingType ring = getRing().getType();
  const int64_t bytes = getVectorBytes();
  const int64_t element = getElementBytes(ring.getElementType());
  if (!llvm::isPowerOf2_64(bytes) || bytes < element || bytes > 16)
    return emitOpError("expected 'vector_bytes' to be a power of 2 from the ")
           << element << " bytes of an element to 16, got " << bytes;
  if (ring.getRowBytes() % bytes != 0)
    return emitOpError("expected 'vector_bytes' to divide the ring's rows of ")
           << ring.getRowBytes() << " bytes, got " << bytes;
  if (getAsync() && bytes < 4)
    return emitOpError("expected 'vector_bytes' of an asynchronous copy to be "
                       "4, 8 or 16, got ")
           << bytes;
  ArrayRef<int64_t> part = getPart();
  if (part.size() != 3 || part[0] < 0 || part[0] >= part[1] ||
      part[1] > part[2])
    return emitOpError("expected 'part' to be [begin, end, count] with 0 <= "
                       "begin < end <= count");
  auto source = cast<MemRefType>(getSource().getType());
  if (failed(verifyLoad(*this, getSource(), getPosition(), getWindowAttr(),
                        getDimsAttr(), ring.getRows(), ring.getCols(),
                        ring.getElementType())))
    return failure();
  SmallVector<int64_t> strides;
  int64_t offset;
  // Of a row of one element the stride means nothing, and a slice that drops
  // dimensions of extent 1 may have the stride of any of them.
  if (failed(source.getStridesAndOffset(strides, offset)) ||
      (strides.back() != 1 && source.getShape().back() != 1))
    return emitOpError("expected the elements of a row of 'source' to lie side "
                       "by side, got ")
           << source;
  return success();
}

LogicalResult TileViewOp::verify() {
  RingType ring = getRing().getType();
  TileType tile = getType();
  if (tile.getLevel() != TileLevel::block || tile.getRows() != ring.getRows() ||
      tile.getCols() != ring.getCols() ||
      tile.getElementType() != ring.getElementType())
    return emitOpError("expected the tile of a slot of ")
           << ring << ", got " << tile;
  return success();
}

LogicalResult TileSliceOp::verify() {
  TileType source = getSource().getType(), result = getType();
  if (getStep().size() != 2 || getStep()[0] < 1 || getStep()[1] < 1)
    return emitOpError("expected 'step' to be two positive numbers");
  if (result.getLevel() < source.getLevel())
    return emitOpError("expected a tile of the same or a lower level than ")
           << source << ", got " << result;
  if (result.getElementType() != source.getElementType())
    return emitOpError("expected element type ")
           << source.getElementType() << ", got " << result.getElementType();
  if ((result.getRows() - 1) * getStep()[0] >= source.getRows() ||
      (result.getCols() - 1) * getStep()[1] >= source.getCols())
    return emitOpError("expected a part of ")
           << source << ", got " << result << " with steps of " << getStep()[0]
           << " and " << getStep()[1];
  return success();
}

LogicalResult TileFragmentOp::verify() {
  if (getType().getLevel() != TileLevel::warp)
    return emitOpError("expected the tile of a warp, got ") << getType();
  Type type = getType().getElementType();
  if (type.isF64() || type.isInteger(32))
    return emitOpError("expected an operand of f32, f16, bf16, f8E4M3FN, "
                       "f8E5M2 or i8, got ")
           << getType();
  return success();
}

LogicalResult TileMmaOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType();
  TileType acc = getAcc().getType();
  const int64_t m = getTransposeA() ? lhs.getCols() : lhs.getRows();
  const int64_t lhsK = getTransposeA() ? lhs.getRows() : lhs.getCols();
  const int64_t rhsK = getTransposeB() ? rhs.getCols() : rhs.getRows();
  const int64_t n = getTransposeB() ? rhs.getRows() : rhs.getCols();
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError("expected 'lhs' and 'rhs' of one element type, got ")
           << lhs << " and " << rhs;
  if (lhs.getElementType().isInteger(32))
    return emitOpError("expected operands of f64, f32, f16, bf16, f8E4M3FN, "
                       "f8E5M2 or i8, got ")
           << lhs;
  if (acc.getElementType() != getAccumulatorType(lhs.getElementType()))
    return emitOpError("expected accumulators of type ")
           << getAccumulatorType(lhs.getElementType()) << ", got " << acc;
  if (getAllowTf32() && !lhs.getElementType().isF32())
    return emitOpError("expected f32 operands for 'allow_tf32', got ") << lhs;
  if (lhsK != rhsK)
    return emitOpError("expected 'lhs' and 'rhs' of one depth K, got ")
           << lhsK << " and " << rhsK;
  if (m != acc.getRows() || n != acc.getCols())
    return emitOpError("expected accumulators of ")
           << m << "x" << n << ", got " << acc;
  if (lhs.getLevel() != acc.getLevel() || rhs.getLevel() != acc.getLevel())
    return emitOpError("expected tiles of one level, got ")
           << lhs << ", " << rhs << " and " << acc;
  return success();
}

/// What stores and elementwise ops have in common: a destination, a result on
/// tensors, inputs that are read at positions which maps select, and a region
/// that gets one element of each behind those of `leading` types.
template <typename OpTy>
static LogicalResult verifyElementwise(OpTy op, TypeRange leading,
                                       unsigned rank = 2) {
  auto dest = cast<ShapedType>(op.getDest().getType());
  if (dest.getRank() != rank)
    return op.emitOpError("expected 'dest' to have rank ")
           << rank << ", got " << dest;
  const bool isTensor = isa<TensorType>(dest);
  if (isTensor != (op.getResult() != nullptr) ||
      (isTensor && op.getResult().getType() != dest))
    return op.emitOpError(
        "expected a result exactly where 'dest' is a tensor, of the same type");
  SmallVector<AffineMap> maps;
  if (ArrayAttr attr = op.getIndexingMapsAttr())
    maps = llvm::to_vector(attr.template getAsValueRange<AffineMapAttr>());
  if (maps.size() != op.getInputs().size())
    return op.emitOpError("expected one indexing map an input, got ")
           << maps.size() << " for " << op.getInputs().size();
  Block *body = &op.getBody().front();
  const unsigned first = leading.size();
  if (body->getNumArguments() != first + op.getInputs().size())
    return op.emitOpError("expected a region of ")
           << first + op.getInputs().size() << " arguments, got "
           << body->getNumArguments();
  for (auto [index, type] : llvm::enumerate(leading))
    if (body->getArgument(index).getType() != type)
      return op.emitOpError("expected region argument #")
             << index << " of type " << type << ", got "
             << body->getArgument(index).getType();
  for (auto [index, input, map] : llvm::enumerate(op.getInputs(), maps)) {
    auto type = cast<ShapedType>(input.getType());
    if (isa<TensorType>(type) != isTensor)
      return op.emitOpError("expected inputs to be tensors exactly where "
                            "'dest' is one, got ")
             << type;
    if (map.getNumDims() != rank || map.getNumSymbols() != 0 ||
        map.getNumResults() != static_cast<unsigned>(type.getRank()))
      return op.emitOpError("expected indexing map #")
             << index << " from " << rank << " dimensions to " << type.getRank()
             << ", got " << AffineMapAttr::get(map);
    // What an input's position is computed from: nothing but the element's own.
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr) && expr != 0)
        return op.emitOpError("expected indexing map #")
               << index << " of dimensions and zeros, got "
               << AffineMapAttr::get(map);
    if (body->getArgument(first + index).getType() != type.getElementType())
      return op.emitOpError("expected region argument #")
             << first + index << " of type " << type.getElementType()
             << ", got " << body->getArgument(first + index).getType();
  }
  auto yield = dyn_cast<YieldOp>(body->getTerminator());
  if (!yield || yield.getValue().getType() != dest.getElementType())
    return op.emitOpError("expected the region to yield one ")
           << dest.getElementType();
  return success();
}

/// Writes to the destination, reads of all else.
template <typename OpTy>
static void
addElementwiseEffects(OpTy op,
                      SmallVectorImpl<MemoryEffects::EffectInstance> &effects,
                      MutableArrayRef<OpOperand> read) {
  if (!isa<MemRefType>(op.getDest().getType()))
    return;
  effects.emplace_back(MemoryEffects::Write::get(), &op.getDestMutable(),
                       SideEffects::DefaultResource::get());
  for (OpOperand &operand : read)
    effects.emplace_back(MemoryEffects::Read::get(), &operand,
                         SideEffects::DefaultResource::get());
}

LogicalResult TileStoreOp::verify() {
  if (!getOffsets().empty() && getOffsets().size() != 2)
    return emitOpError("expected 2 offsets or none, got ")
           << getOffsets().size();
  if (getStep().size() != 2 || getStep()[0] < 1 || getStep()[1] < 1)
    return emitOpError("expected 'step' to be two positive numbers");
  Type sum = getTile().getType().getElementType();
  if (TileDimsAttr dims = getDimsAttr())
    return verifyElementwise(*this, sum, dims.getRank());
  return verifyElementwise(*this, sum);
}

void TileStoreOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addElementwiseEffects(*this, effects, getInputsMutable());
}

LogicalResult TileMapOp::verify() {
  if (!getParts())
    return verifyElementwise(*this, TypeRange());
  auto parts = cast<ShapedType>(getParts().getType());
  auto dest = cast<ShapedType>(getDest().getType());
  if (isa<TensorType>(parts) != isa<TensorType>(dest))
    return emitOpError("expected 'parts' to be a tensor exactly where 'dest' "
                       "is one, got ")
           << parts;
  if (parts.getRank() != 3 || parts.isDynamicDim(0) ||
      parts.getDimSize(0) == 0 ||
      (dest.getRank() == 2 && parts.getShape().drop_front() != dest.getShape()))
    return emitOpError("expected 'parts' to be a static number of what has "
                       "the shape of 'dest', got ")
           << parts << " for " << dest;
  if (!isa<FloatType>(parts.getElementType()) &&
      !parts.getElementType().isSignlessInteger(32))
    return emitOpError("expected 'parts' of floats or i32, got ") << parts;
  return verifyElementwise(*this, parts.getElementType());
}

void TileMapOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // The operands behind 'dest': parts and inputs.
  addElementwiseEffects(*this, effects,
                        getOperation()->getOpOperands().drop_front());
}

//===----------------------------------------------------------------------===//
// Tiles of convolutions
//===----------------------------------------------------------------------===//

LogicalResult TilePackOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  auto dest = cast<ShapedType>(getDest().getType());
  const bool isTensor = isa<TensorType>(dest);
  if (isa<TensorType>(source) != isTensor)
    return emitOpError("expected 'source' to be a tensor exactly where 'dest' "
                       "is one, got ")
           << source;
  if (isTensor != (getResult() != nullptr) ||
      (isTensor && getResult().getType() != dest))
    return emitOpError("expected a result exactly where 'dest' is a tensor, of "
                       "the same type");
  // A dest of TH x TW x 1 x C' has a source with its channels last, TH x TW x
  // C.
  const bool fills = dest.getRank() == 4 && dest.getDimSize(2) == 1;
  if (source.getRank() != 3 || (dest.getRank() != 3 && !fills) ||
      source.getElementType() != dest.getElementType() ||
      !isTileElementType(dest.getElementType()))
    return emitOpError("expected 'source' and 'dest' of rank 3, or 'dest' of "
                       "TH x TW x 1 x C', and one element type that tiles "
                       "have, got ")
           << source << " and " << dest;
  const unsigned rows = fills ? 0 : 1, channels = fills ? 2 : 0;
  for (unsigned axis = 0; axis < 2; ++axis)
    if (!source.isDynamicDim(rows + axis) && !dest.isDynamicDim(axis) &&
        source.getDimSize(rows + axis) != dest.getDimSize(axis))
      return emitOpError("expected as many rows and columns of pixels in "
                         "'source' as in 'dest', got ")
             << source << " and " << dest;
  const int64_t packed = dest.getShape().back();
  if (!source.isDynamicDim(channels) && !ShapedType::isDynamic(packed) &&
      source.getDimSize(channels) > packed)
    return emitOpError("expected no more channels in 'source' than in 'dest', "
                       "got ")
           << source << " and " << dest;
  return success();
}

void TilePackOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!isa<MemRefType>(getDest().getType()))
    return;
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(),
                       SideEffects::DefaultResource::get());
}

LogicalResult TileConvOp::verify() {
  TileType input = getInput().getType(), acc = getAcc().getType();
  auto filter = cast<ShapedType>(getFilter().getType());
  WindowAttr window = getWindow();
  if (getPosition().size() != 3)
    return emitOpError("expected 3 indices of 'position', got ")
           << getPosition().size();
  if (window.isChannelsLast())
    return emitOpError("expected a window of layout channels_first");
  if ((filter.getRank() != 3 && filter.getRank() != 4) ||
      filter.getElementType() != input.getElementType() ||
      filter.getShape().take_back(2) != window.getKernel())
    return emitOpError("expected 'filter' of F x C x ")
           << window.getKernel()[0] << " x " << window.getKernel()[1]
           << " elements of type " << input.getElementType() << ", got "
           << filter;
  const int64_t channels = filter.getRank() == 3 ? 1 : filter.getDimSize(1);
  if (input.getCols() < window.getSpan(1) ||
      input.getRows() < window.getSpan(0) ||
      (!ShapedType::isDynamic(channels) &&
       input.getRows() / window.getSpan(0) < channels))
    return emitOpError("expected 'input' to have the ")
           << window.getSpan(0) << " x " << window.getSpan(1)
           << " elements that the window spans in each channel, got " << input
           << " for " << filter;
  const int64_t run = getRun();
  if (acc.getCols() % run != 0 || run > window.getBox()[1] ||
      acc.getCols() / run > window.getBox()[0])
    return emitOpError("expected accumulators of whole runs of ")
           << run << " pixels, and no more than the window's box of "
           << window.getBox()[0] << " x " << window.getBox()[1] << " has, got "
           << acc;
  if (acc.getElementType() != getAccumulatorType(input.getElementType()))
    return emitOpError("expected accumulators of type ")
           << getAccumulatorType(input.getElementType()) << ", got " << acc;
  return success();
}
