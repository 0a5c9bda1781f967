//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records products of matrices.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UTILS_GPU_GOLDEN_PRODUCTS_H
#define TOP_UTILS_GPU_GOLDEN_PRODUCTS_H

#include "Instructions.cuh"
#include "Recorder.cuh"

/// A product of one type: its registers of A and B, and of C where that is f32.
struct Product {
  std::string name;
  Format format;
  unsigned a, b;
  Format sums;
  unsigned c;
  int limit; ///< of eighths, so that sums are exact
};

inline Registers makeExact(const Product &p, Random &random) {
  Registers r;
  fill(r, 0, p.a + p.b, p.format,
       [&] { return makeEighth(random, p.format, p.limit); });
  fill(r, p.a + p.b, p.a + p.b + p.c, p.sums,
       [&] { return makeEighth(random, p.sums, p.limit); });
  return r;
}
inline Registers makeSpecials(const Product &p, Random &random) {
  Registers r;
  fill(r, 0, p.a, p.format, [&] { return makeSpecial(random, p.format, 6); });
  fill(r, p.a, p.a + p.b, p.format,
       [&] { return makeSpecial(random, p.format, 3); });
  fill(r, p.a + p.b, p.a + p.b + p.c, p.sums,
       [&] { return makeSpecial(random, p.sums, 2); });
  return r;
}
/// Factors of 2^low to 2^high, sums of 2^lowSum to 2^highSum; of A, only the
/// columns that `columns` has (bit 0: the first, bit 1: the one that register 2
/// begins with, or register 1 where there are two), all where it is 0.
inline Registers makeRandom(const Product &p, Random &random, int low, int high,
                            int lowSum, int highSum, unsigned columns = 0) {
  Registers r;
  fill(r, 0, p.a + p.b, p.format,
       [&] { return makeScaled(random, p.format, low, high); });
  fill(r, p.a + p.b, p.a + p.b + p.c, p.sums,
       [&] { return makeScaled(random, p.sums, lowSum, highSum); });
  const uint32_t first = p.format.bits == 32 ? ~0u : (1u << p.format.bits) - 1;
  for (unsigned i = 0; columns && i < p.a; ++i)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned column = i / 2;
      r[i][lane] &= lane % 4 == 0 && columns >> column & 1 ? first : 0;
    }
  return r;
}

/// The random cases that are kept, and, with `many`, those for study.
inline void addRandom(Recorder &recorder, const Product &p, Random &random,
                      unsigned many, std::vector<std::string> &names) {
  const bool isSmall = p.format.exponentBits <= 5;
  const int wide = isSmall ? p.format.getBias() - 1 : 30;
  const int narrowSum = p.sums.exponentBits == 5 ? 8 : 12;
  auto add = [&](const std::string &name, Registers r) {
    recorder.addInputs(p.name + name, std::move(r));
    names.push_back(p.name + name);
  };
  if (!many) {
    add("-random", makeRandom(p, random, -2, 0, -4, 2));
    add("-wide",
        makeRandom(p, random, -wide / 2, wide / 2, -narrowSum, narrowSum));
    return;
  }
  for (unsigned i = 0; i < many; ++i) {
    const std::string n = std::to_string(i);
    add("-random" + n, makeRandom(p, random, -2, 0, -4, 2));
    add("-wide" + n,
        makeRandom(p, random, -wide / 2, wide / 2, -narrowSum, narrowSum));
    add("-widest" + n,
        makeRandom(p, random, -wide, wide, -narrowSum, narrowSum));
    add("-one" + n, makeRandom(p, random, -3, 3, -narrowSum, narrowSum, 1));
    add("-two" + n, makeRandom(p, random, -3, 3, -narrowSum, narrowSum, 3));
    add("-sum" + n, makeRandom(p, random, -3, 0, narrowSum / 2, narrowSum));
    add("-special" + n, makeSpecials(p, random));
  }
}

inline Site getSite(const Product &p, const char *shape, const char *type,
                    const char *operand) {
  const bool isHalf = p.sums.bits == 16;
  const std::string sum = isHalf ? "vector<2xf16>" : "f32";
  Site site;
  site.op = "nvvm.mma.sync";
  site.attributes = {{"layoutA", "row"},
                     {"layoutB", "col"},
                     {"multiplicandAPtxType", type},
                     {"multiplicandBPtxType", type},
                     {"shape", shape}};
  site.segments = std::to_string(p.a) + " " + std::to_string(p.b) + " " +
                  std::to_string(p.c);
  for (unsigned i = 0; i < p.a + p.b; ++i)
    site.operands += std::string(operand) + "; ";
  site.result = "!llvm.struct<(";
  for (unsigned i = 0; i < p.c; ++i) {
    site.operands += (i ? "; " : "") + sum;
    site.result += (i ? ", " : "") + sum;
  }
  site.result += ")>";
  return site;
}

/// Only what this product differs in for `F`; `f8` names an 8-bit type, which
/// has no operation of the dialect.
template <class F>
inline void recordProduct(Recorder &recorder, const Product &p,
                          const char *shape, const char *type,
                          const char *operand, unsigned many,
                          const char *f8 = nullptr) {
  Random random = {uint64_t(p.a * 1000 + p.c * 100 + p.format.mantissaBits)};
  std::vector<std::string> names;
  if (!many) {
    recorder.addInputs(p.name + "-exact", makeExact(p, random));
    recorder.addInputs(p.name + "-special", makeSpecials(p, random));
    names = {p.name + "-exact", p.name + "-special"};
    if (p.format.getShift() != 0) { // with bits where the format has none
      Product whole = p;
      whole.format = f32;
      recorder.addInputs(p.name + "-cut",
                         makeRandom(whole, random, -2, 0, -4, 2));
      names.push_back(p.name + "-cut");
    }
  }
  addRandom(recorder, p, random, many, names);
  Site site = getSite(p, shape, type, operand);
  if (f8) {
    site.op = "mma.f8";
    site.attributes = {{"elementType", f8}};
    site.segments.clear();
  }
  recorder.setSite(site);
  for (const std::string &name : names)
    recorder.run<F>(name);
}

inline void recordFloatProducts(Recorder &recorder, unsigned many) {
  const char *k16 = "m = 16, n = 8, k = 16", *k8 = "m = 16, n = 8, k = 8",
             *k4 = "m = 16, n = 8, k = 4";
  const char *pair = "vector<2xf16>";
  recordProduct<MmaF16>(recorder, {"f16", f16, 4, 2, f32, 4, 64}, k16, "f16",
                        pair, many);
  recordProduct<MmaF16K8>(recorder, {"f16k8", f16, 2, 1, f32, 4, 64}, k8, "f16",
                          pair, many);
  recordProduct<MmaF16Half>(recorder, {"half", f16, 4, 2, f16, 2, 8}, k16,
                            "f16", pair, many);
  recordProduct<MmaF16HalfK8>(recorder, {"halfk8", f16, 2, 1, f16, 2, 8}, k8,
                              "f16", pair, many);
  recordProduct<MmaBF16>(recorder, {"bf16", bf16, 4, 2, f32, 4, 64}, k16,
                         "bf16", "i32", many);
  recordProduct<MmaBF16K8>(recorder, {"bf16k8", bf16, 2, 1, f32, 4, 64}, k8,
                           "bf16", "i32", many);
  recordProduct<MmaTF32>(recorder, {"tf32", tf32, 4, 2, f32, 4, 512}, k8,
                         "tf32", "i32", many);
  recordProduct<MmaTF32K4>(recorder, {"tf32k4", tf32, 2, 1, f32, 4, 512}, k4,
                           "tf32", "i32", many);
  recordProduct<MmaE4M3>(recorder, {"e4m3", e4m3, 4, 2, f32, 4, 15}, k16, "",
                         "i32", many, "f8E4M3FN");
  recordProduct<MmaE5M2>(recorder, {"e5m2", e5m2, 4, 2, f32, 4, 7}, k16, "",
                         "i32", many, "f8E5M2");
}

template <class F>
inline void recordInt(Recorder &recorder, bool isK32, const char *a,
                      const char *b, const char *overflow,
                      const std::vector<std::string> &names) {
  Site site;
  site.op = "nvvm.mma.sync";
  site.attributes = {
      {"intOverflowBehavior", overflow},
      {"layoutA", "row"},
      {"layoutB", "col"},
      {"multiplicandAPtxType", a},
      {"multiplicandBPtxType", b},
      {"shape", isK32 ? "m = 16, n = 8, k = 32" : "m = 16, n = 8, k = 16"}};
  site.segments = isK32 ? "4 2 4" : "2 1 4";
  site.operands = isK32 ? "i32; i32; i32; i32; i32; i32; i32; i32; i32; i32"
                        : "i32; i32; i32; i32; i32; i32; i32";
  site.result = "!llvm.struct<(i32, i32, i32, i32)>";
  recorder.setSite(site);
  for (const std::string &name : names)
    recorder.run<F>(name);
}

inline void recordIntProducts(Recorder &recorder) {
  Random random = {77};
  for (bool isK32 : {true, false}) {
    const unsigned factors = isK32 ? 6 : 3;
    for (bool isLarge : {false, true}) {
      Registers r(factors + 4);
      for (unsigned i = 0; i < r.size(); ++i)
        for (uint32_t &word : r[i]) {
          word = uint32_t(random.next());
          if (i >= factors && isLarge) // near both ends
            word = word & 1 ? 0x7fffffff - (word >> 14)
                            : 0x80000000 + (word >> 14);
        }
      recorder.addInputs(std::string(isK32 ? "int" : "intk16") +
                             (isLarge ? "-overflow" : ""),
                         r);
    }
  }
  const std::vector<std::string> k32 = {"int", "int-overflow"},
                                 k16 = {"intk16", "intk16-overflow"};
  recordInt<MmaS8>(recorder, true, "s8", "s8", "wrapped", k32);
  recordInt<MmaU8>(recorder, true, "u8", "u8", "wrapped", k32);
  recordInt<MmaS8U8>(recorder, true, "s8", "u8", "wrapped", {k32[0]});
  recordInt<MmaS8Sat>(recorder, true, "s8", "s8", "satfinite", k32);
  recordInt<MmaU8S8Sat>(recorder, true, "u8", "s8", "satfinite", {k32[1]});
  recordInt<MmaS8K16>(recorder, false, "s8", "s8", "wrapped", k16);
  recordInt<MmaU8K16Sat>(recorder, false, "u8", "u8", "satfinite", k16);
}

#endif // TOP_UTILS_GPU_GOLDEN_PRODUCTS_H
