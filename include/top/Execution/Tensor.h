//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor in host memory: what a run takes and gives, and what the reference
// and the comparison read. Independent of any MLIRContext.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_TENSOR_H
#define TOP_EXECUTION_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mlir::top {

/// Element types that a run can handle. Of the integers a plain `top` function
/// has i8 and i32; others are constants and arguments of other functions.
enum class ElementKind : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  I64,
  I32,
  I16,
  I8,
  I1
};

/// The numbers of an element type.
struct ElementFormat {
  const char *name;
  unsigned bytes;
  bool isFloat;
  int precision;   ///< significand bits, the hidden one included
  int minExponent; ///< of the smallest normal number, 2^minExponent
  int maxExponent; ///< of the largest finite numbers, below 2^(maxExponent+1)
  double largest;  ///< the largest finite number (of an integer type)
};

const ElementFormat &getFormat(ElementKind kind);
/// Nullopt for a type that a run cannot handle.
std::optional<ElementKind> getElementKind(Type type);
Type getElementType(MLIRContext *context, ElementKind kind);

/// `value` rounded once, to nearest with ties to even, to the type `kind`. Too
/// large gives infinity, or NaN in f8E4M3FN, which has no infinity; NaN stays
/// NaN. An integer type gives its nearest number, and 0 for NaN.
double roundTo(ElementKind kind, double value);
/// Distance of the neighbouring numbers of `kind` at `value`: 2^(e-p+1) for
/// |value| in [2^e, 2^(e+1)), the distance of subnormals below the normals.
double ulpAt(ElementKind kind, double value);

/// What guard bands and poisoned buffers of elements of `kind` are filled with:
/// all ones, a NaN in every float type, or 0x80 for integers, which is the
/// smallest i8 and far from what the fills and most sums give in i32.
uint8_t getPoisonByte(ElementKind kind);

/// A dense tensor, row-major, optionally between guard bands of poison.
class Tensor {
public:
  Tensor() = default;
  /// Zeros. With `guarded`, at least `kGuardBytes` of poison stand directly in
  /// front of the first and behind the last element.
  Tensor(ElementKind kind, ArrayRef<int64_t> shape, bool guarded = false);

  static constexpr size_t kGuardBytes = 4096;

  Tensor clone(bool guarded) const;

  ElementKind getKind() const { return kind; }
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return numElements; }
  size_t getNumBytes() const { return numElements * getFormat(kind).bytes; }

  /// The first element; aligned to 64 bytes.
  char *getData() { return data; }
  const char *getData() const { return data; }

  /// Element `index` in row-major order. `set` rounds.
  double get(int64_t index) const;
  void set(int64_t index, double value);

  /// Position of the element with these coordinates, and back.
  int64_t linearize(ArrayRef<int64_t> coordinates) const;
  SmallVector<int64_t> delinearize(int64_t index) const;

  /// Fills the elements with the poison of their type: NaN in floats.
  void poison();
  /// Whether nobody wrote into the bands; true where there are none.
  bool guardsIntact() const;

  /// `2x3xf32`.
  std::string getTypeName() const;
  /// Nested braces as MLIR prints dense constants; at most `maxElements`.
  void print(raw_ostream &os, int64_t maxElements) const;

private:
  struct Free {
    void operator()(char *p) const { std::free(p); }
  };
  ElementKind kind = ElementKind::F32;
  SmallVector<int64_t> shape;
  int64_t numElements = 0;
  std::unique_ptr<char, Free> storage;
  size_t storageBytes = 0;
  char *data = nullptr;
};

/// The same numbers in another order: dimension `i` of the result is dimension
/// `order[i]` of `tensor`.
Tensor permute(const Tensor &tensor, ArrayRef<int64_t> order);

/// The same numbers in f64; integers are copied as they are.
Tensor widen(const Tensor &tensor);

} // namespace mlir::top

#endif // TOP_EXECUTION_TENSOR_H
