//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage of host tensors and the rounding to their element types. Conversions
// work on bits, since APFloat takes minutes on the tensors of a real layer.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Tensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::top;

static constexpr size_t kAlignment = 64;

const ElementFormat &top::getFormat(ElementKind kind) {
  static const ElementFormat formats[] = {
      {"f64", 8, true, 53, -1022, 1023, 0x1.fffffffffffffp1023},
      {"f32", 4, true, 24, -126, 127, 0x1.fffffep127},
      {"f16", 2, true, 11, -14, 15, 65504},
      {"bf16", 2, true, 8, -126, 127, 0x1.fep127},
      // The largest exponent's last mantissa is NaN.
      {"f8E4M3FN", 1, true, 4, -6, 8, 448},
      {"f8E5M2", 1, true, 3, -14, 15, 57344},
      // The largest double below 2^63.
      {"i64", 8, false, 63, 0, 63, 0x1.fffffffffffffp62},
      {"i32", 4, false, 31, 0, 31, 2147483647},
      {"i16", 2, false, 15, 0, 15, 32767},
      {"i8", 1, false, 7, 0, 7, 127},
      {"i1", 1, false, 1, 0, 1, 1}};
  return formats[static_cast<unsigned>(kind)];
}

std::optional<ElementKind> top::getElementKind(Type type) {
  if (type.isF64())
    return ElementKind::F64;
  if (type.isF32())
    return ElementKind::F32;
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ElementKind::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ElementKind::F8E5M2;
  if (type.isIndex())
    return ElementKind::I64;
  if (!type.isInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 64:
    return ElementKind::I64;
  case 32:
    return ElementKind::I32;
  case 16:
    return ElementKind::I16;
  case 8:
    return ElementKind::I8;
  case 1:
    return ElementKind::I1;
  }
  return std::nullopt;
}

Type top::getElementType(MLIRContext *context, ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return Float64Type::get(context);
  case ElementKind::F32:
    return Float32Type::get(context);
  case ElementKind::F16:
    return Float16Type::get(context);
  case ElementKind::BF16:
    return BFloat16Type::get(context);
  case ElementKind::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ElementKind::F8E5M2:
    return Float8E5M2Type::get(context);
  case ElementKind::I1:
    return IntegerType::get(context, 1);
  default:
    return IntegerType::get(context, 8 * getFormat(kind).bytes);
  }
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

double top::ulpAt(ElementKind kind, double value) {
  const ElementFormat &format = getFormat(kind);
  int exponent = format.minExponent;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - format.precision + 1);
}

/// The nearest number of an integer type.
static double roundToInteger(ElementKind kind, double value) {
  if (std::isnan(value))
    return 0;
  if (kind == ElementKind::I1)
    return value != 0;
  const ElementFormat &format = getFormat(kind);
  return std::clamp(std::nearbyint(value), -std::ldexp(1.0, format.precision),
                    format.largest);
}

double top::roundTo(ElementKind kind, double value) {
  if (!getFormat(kind).isFloat)
    return roundToInteger(kind, value);
  if (kind == ElementKind::F8E4M3FN && std::isinf(value))
    return std::numeric_limits<double>::quiet_NaN();
  if (kind == ElementKind::F64 || !std::isfinite(value) || value == 0)
    return value;
  if (kind == ElementKind::F32)
    return static_cast<float>(value);
  // Dividing by a power of two is exact here (the quotient is far from the
  // ends of the range of double), so that this rounds once.
  double ulp = ulpAt(kind, value);
  double rounded = std::nearbyint(value / ulp) * ulp;
  if (std::fabs(rounded) <= getFormat(kind).largest)
    return rounded;
  if (kind == ElementKind::F8E4M3FN)
    return std::numeric_limits<double>::quiet_NaN();
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

/// Bits of a number that is representable in the type of 8 or 16 bits.
static uint16_t encode(ElementKind kind, double value) {
  const ElementFormat &format = getFormat(kind);
  const int mantissaBits = format.precision - 1;
  const int signBit = 8 * format.bytes - 1;
  const int exponentMask = (1 << (signBit - mantissaBits)) - 1;
  uint16_t sign = std::signbit(value) << signBit;
  if (std::isnan(value)) {
    if (kind == ElementKind::F8E4M3FN)
      return sign | 0x7f;
    return sign | exponentMask << mantissaBits | 1 << (mantissaBits - 1);
  }
  value = std::fabs(value);
  if (std::isinf(value))
    return sign | exponentMask << mantissaBits;
  if (value == 0)
    return sign;
  int exponent = std::max(format.minExponent, std::ilogb(value));
  auto mantissa =
      static_cast<uint32_t>(std::ldexp(value, mantissaBits - exponent));
  // The hidden bit, where there is one, adds 1 to the exponent field.
  return sign | (((exponent - format.minExponent) << mantissaBits) + mantissa);
}

static double decode(ElementKind kind, uint16_t bits) {
  if (kind == ElementKind::BF16)
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  const ElementFormat &format = getFormat(kind);
  const int mantissaBits = format.precision - 1;
  const int signBit = 8 * format.bytes - 1;
  const int exponentMask = (1 << (signBit - mantissaBits)) - 1;
  int exponent = bits >> mantissaBits & exponentMask;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double value;
  if (kind == ElementKind::F8E4M3FN && (bits & 0x7f) == 0x7f)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (kind != ElementKind::F8E4M3FN && exponent == exponentMask)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(mantissa, format.minExponent - mantissaBits);
  else
    value = std::ldexp(mantissa + (1 << mantissaBits),
                       exponent - 1 + format.minExponent - mantissaBits);
  return bits >> signBit & 1 ? -value : value;
}

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

uint8_t top::getPoisonByte(ElementKind kind) {
  return getFormat(kind).isFloat ? 0xff : 0x80;
}

Tensor::Tensor(ElementKind kind, ArrayRef<int64_t> shape, bool guarded)
    : kind(kind), shape(shape), numElements(1) {
  for (int64_t extent : shape)
    numElements *= extent;
  const size_t guard = guarded ? kGuardBytes : 0;
  storageBytes = llvm::alignTo(2 * guard + getNumBytes(), kAlignment);
  storageBytes = std::max(storageBytes, kAlignment);
  storage.reset(
      static_cast<char *>(std::aligned_alloc(kAlignment, storageBytes)));
  if (!storage)
    llvm::report_bad_alloc_error("out of memory for a tensor");
  data = storage.get() + guard;
  std::memset(storage.get(), guarded ? getPoisonByte(kind) : 0, storageBytes);
  std::memset(data, 0, getNumBytes());
}

Tensor Tensor::clone(bool guarded) const {
  Tensor copy(kind, shape, guarded);
  std::memcpy(copy.data, data, getNumBytes());
  return copy;
}

template <typename T>
static T loadAs(const char *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void storeAs(char *data, int64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

double Tensor::get(int64_t index) const {
  switch (kind) {
  case ElementKind::F64:
    return loadAs<double>(data, index);
  case ElementKind::F32:
    return loadAs<float>(data, index);
  case ElementKind::F16:
  case ElementKind::BF16:
    return decode(kind, loadAs<uint16_t>(data, index));
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return decode(kind, loadAs<uint8_t>(data, index));
  case ElementKind::I64:
    return loadAs<int64_t>(data, index);
  case ElementKind::I32:
    return loadAs<int32_t>(data, index);
  case ElementKind::I16:
    return loadAs<int16_t>(data, index);
  case ElementKind::I8:
    return loadAs<int8_t>(data, index);
  case ElementKind::I1:
    return data[index] & 1;
  }
  llvm_unreachable("all element kinds are handled");
}

void Tensor::set(int64_t index, double value) {
  value = roundTo(kind, value);
  switch (kind) {
  case ElementKind::F64:
    return storeAs<double>(data, index, value);
  case ElementKind::F32:
    return storeAs<float>(data, index, value);
  case ElementKind::F16:
  case ElementKind::BF16:
    return storeAs<uint16_t>(data, index, encode(kind, value));
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return storeAs<uint8_t>(data, index, encode(kind, value));
  case ElementKind::I64:
    return storeAs<int64_t>(data, index, value);
  case ElementKind::I32:
    return storeAs<int32_t>(data, index, value);
  case ElementKind::I16:
    return storeAs<int16_t>(data, index, value);
  case ElementKind::I8:
    return storeAs<int8_t>(data, index, value);
  case ElementKind::I1:
    data[index] = value != 0;
    return;
  }
}

int64_t Tensor::linearize(ArrayRef<int64_t> coordinates) const {
  int64_t index = 0;
  for (auto [extent, coordinate] : llvm::zip_equal(shape, coordinates))
    index = index * extent + coordinate;
  return index;
}

SmallVector<int64_t> Tensor::delinearize(int64_t index) const {
  SmallVector<int64_t> coordinates(shape.size());
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    coordinates[d] = index % shape[d];
  return coordinates;
}

void Tensor::poison() { std::memset(data, getPoisonByte(kind), getNumBytes()); }

bool Tensor::guardsIntact() const {
  if (data == storage.get())
    return true;
  auto isPoison = [poison = getPoisonByte(kind)](char c) {
    return static_cast<uint8_t>(c) == poison;
  };
  const char *begin = storage.get(), *end = begin + storageBytes;
  return std::all_of(begin, getData(), isPoison) &&
         std::all_of(getData() + getNumBytes(), end, isPoison);
}

std::string Tensor::getTypeName() const {
  std::string name;
  for (int64_t extent : shape)
    name += std::to_string(extent) + "x";
  return name + getFormat(kind).name;
}

void Tensor::print(raw_ostream &os, int64_t maxElements) const {
  int64_t position = 0;
  auto printFrom = [&](auto &self, size_t d) -> void {
    if (d == shape.size()) {
      // Of an integer, all digits.
      os << llvm::format(getFormat(kind).isFloat ? "%.6g" : "%.0f",
                         get(position++));
      return;
    }
    os << '[';
    for (int64_t i = 0; i < shape[d]; ++i) {
      if (i)
        os << ", ";
      if (position >= maxElements && numElements > maxElements) {
        os << "...";
        break;
      }
      self(self, d + 1);
    }
    os << ']';
  };
  printFrom(printFrom, 0);
}

Tensor top::permute(const Tensor &tensor, ArrayRef<int64_t> order) {
  const size_t rank = order.size();
  const size_t width = getFormat(tensor.getKind()).bytes;
  SmallVector<int64_t> strides(rank, 1), shape, steps;
  for (size_t d = rank; d-- > 1;)
    strides[d - 1] = strides[d] * tensor.getShape()[d];
  for (int64_t d : order) {
    shape.push_back(tensor.getShape()[d]);
    steps.push_back(strides[d]);
  }
  Tensor result(tensor.getKind(), shape);
  SmallVector<int64_t> at(rank, 0);
  int64_t from = 0;
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    std::memcpy(result.getData() + i * width, tensor.getData() + from * width,
                width);
    for (size_t d = rank; d-- > 0;) {
      from += steps[d];
      if (++at[d] < shape[d])
        break;
      from -= steps[d] * shape[d];
      at[d] = 0;
    }
  }
  return result;
}

Tensor top::widen(const Tensor &tensor) {
  if (!getFormat(tensor.getKind()).isFloat ||
      tensor.getKind() == ElementKind::F64)
    return tensor.clone(/*guarded=*/false);
  Tensor wide(ElementKind::F64, tensor.getShape());
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    wide.set(i, tensor.get(i));
  return wide;
}
