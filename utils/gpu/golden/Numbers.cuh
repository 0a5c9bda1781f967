//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records what one thread computes: conversions, approximations, bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UTILS_GPU_GOLDEN_NUMBERS_H
#define TOP_UTILS_GPU_GOLDEN_NUMBERS_H

#include "Instructions.cuh"
#include "Recorder.cuh"

#include <algorithm>

inline void recordConversions(Recorder &recorder) {
  Random random = {10};
  std::vector<std::string> pairs, singles, halves, eighths;
  // The first is of the classes of numbers.
  const std::pair<int, int> ranges[] = {{1, 0},      {-28, -10},  {-12, 9},
                                        {-18, 17},   {-126, 127}, {-20, 16},
                                        {-127, -120}};
  for (unsigned i = 0; i < std::size(ranges); ++i) {
    const auto [low, high] = ranges[i];
    const Register first = makeConverted(random, low, high);
    Register second = makeConverted(random, low, high);
    std::rotate(second.begin(), second.begin() + 13, second.end());
    const std::string n = std::to_string(i);
    recorder.addInputs("pair" + n, {first, second});
    pairs.push_back("pair" + n);
    recorder.addInputs("single" + n, {first});
    singles.push_back("single" + n);
  }
  // Every number of 8 bits, and f16 with every way to round to 8 bits.
  for (unsigned i = 0; i < 4; ++i) {
    Register each, half;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint32_t first = 64 * i + 2 * lane;
      each[lane] = first | (first + 1) << 8;
      uint32_t word = 0;
      for (unsigned part = 0; part < 2; ++part) {
        uint32_t h = uint32_t(random.next()) & 0xffff;
        const unsigned cut = 6 + random.below(5);
        if (i == 0) {
          static const uint16_t fixed[] = {
              0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xffff, 0x7bff,
              0x0001, 0x03ff, 0x0400, 0x5f00, 0x5f40, 0x5f3f, 0x5f41, 0x7b7f};
          h = fixed[(lane + 8 * part) % 16];
        } else if (random.below(4)) {
          h = h >> cut << cut | (1u << (cut - 1));
          h += random.below(3) - 1;
        }
        word |= (h & 0xffff) << (16 * part);
      }
      half[lane] = word;
    }
    const std::string n = std::to_string(i);
    recorder.addInputs("eighth" + n, {each});
    recorder.addInputs("half" + n, {half});
    eighths.push_back("eighth" + n);
    halves.push_back("half" + n);
  }

  auto record = [&](auto kind, const char *op,
                    std::vector<std::pair<std::string, std::string>> attributes,
                    const char *operands, const char *result,
                    const std::vector<std::string> &names) {
    Site site;
    site.op = op;
    site.attributes = std::move(attributes);
    site.operands = operands;
    site.result = result;
    recorder.setSite(site);
    for (const std::string &name : names)
      recorder.run<decltype(kind)>(name);
  };
  auto toTF32 = [&](auto kind, const char *rounding, const char *saturation,
                    const char *relu) {
    record(kind, "nvvm.convert.float.to.tf32",
           {{"relu", relu}, {"rnd", rounding}, {"sat", saturation}}, "f32",
           "i32", singles);
  };
  toTF32(CvtTF32Rna{}, "rna", "none", "false");
  toTF32(CvtTF32RnaSat{}, "rna", "satfinite", "false");
  toTF32(CvtTF32Rn{}, "rn", "none", "false");
  toTF32(CvtTF32RnRelu{}, "rn", "none", "true");
  toTF32(CvtTF32Rz{}, "rz", "none", "false");
  toTF32(CvtTF32RzRelu{}, "rz", "none", "true");
  auto toPair = [&](auto kind, bool isBF16, const char *rounding,
                    const char *saturation, const char *relu) {
    record(kind,
           isBF16 ? "nvvm.convert.f32x2.to.bf16x2"
                  : "nvvm.convert.f32x2.to.f16x2",
           {{"relu", relu}, {"rnd", rounding}, {"sat", saturation}}, "f32; f32",
           isBF16 ? "vector<2xbf16>" : "vector<2xf16>", pairs);
  };
  toPair(CvtF16Rn{}, false, "rn", "none", "false");
  toPair(CvtF16RnRelu{}, false, "rn", "none", "true");
  toPair(CvtF16Rz{}, false, "rz", "none", "false");
  toPair(CvtF16RnSat{}, false, "rn", "satfinite", "false");
  toPair(CvtF16RzSatRelu{}, false, "rz", "satfinite", "true");
  toPair(CvtBF16Rn{}, true, "rn", "none", "false");
  toPair(CvtBF16RnRelu{}, true, "rn", "none", "true");
  toPair(CvtBF16Rz{}, true, "rz", "none", "false");
  toPair(CvtBF16RnSat{}, true, "rn", "satfinite", "false");
  auto toF8 = [&](auto kind, const char *type, const char *relu,
                  bool isFromF16) {
    if (isFromF16)
      record(kind, "nvvm.convert.f16x2.to.f8x2",
             {{"dstTy", type}, {"relu", relu}}, "vector<2xf16>", "i16", halves);
    else
      record(kind, "nvvm.convert.f32x2.to.f8x2",
             {{"dstTy", type},
              {"relu", relu},
              {"rnd", "rn"},
              {"sat", "satfinite"}},
             "f32; f32", "i16", pairs);
  };
  toF8(CvtE4M3{}, "f8E4M3FN", "false", false);
  toF8(CvtE4M3Relu{}, "f8E4M3FN", "true", false);
  toF8(CvtE5M2{}, "f8E5M2", "false", false);
  toF8(CvtE5M2Relu{}, "f8E5M2", "true", false);
  toF8(CvtE4M3F16{}, "f8E4M3FN", "false", true);
  toF8(CvtE4M3F16Relu{}, "f8E4M3FN", "true", true);
  toF8(CvtE5M2F16{}, "f8E5M2", "false", true);
  auto fromF8 = [&](auto kind, const char *type, const char *relu) {
    record(kind, "nvvm.convert.f8x2.to.f16x2",
           {{"relu", relu}, {"srcType", type}}, "vector<2xi8>", "vector<2xf16>",
           eighths);
  };
  fromF8(CvtF16E4M3{}, "f8E4M3FN", "false");
  fromF8(CvtF16E4M3Relu{}, "f8E4M3FN", "true");
  fromF8(CvtF16E5M2{}, "f8E5M2", "false");
  record(TruncF16{}, "llvm.fptrunc", {}, "f32", "f16", singles);
  record(TruncBF16{}, "llvm.fptrunc", {}, "f32", "bf16", singles);
  record(RcpApprox{}, "nvvm.rcp.approx.ftz.f", {}, "f32", "f32", singles);
  record(Ex2Approx{}, "ex2.approx", {}, "f32", "f32", singles);
  record(Ex2ApproxFtz{}, "ex2.approx.ftz", {}, "f32", "f32", singles);
}

inline void recordBytes(Recorder &recorder) {
  Random random = {11};
  for (const char *name : {"words", "selected"}) {
    Registers r(3);
    for (Register &each : r)
      for (uint32_t &word : each)
        word = uint32_t(random.next());
    recorder.addInputs(name, r);
    recorder.addInputs(std::string(name) + "-low", {r[0], r[2]});
  }
  auto dot = [&](auto kind, bool isFourWay, const char *a, const char *b,
                 const char *high) {
    Site site;
    site.op =
        isFourWay ? "nvvm.dot.accumulate.4way" : "nvvm.dot.accumulate.2way";
    site.attributes = {{"a_type", a}, {"b_type", b}};
    if (!isFourWay)
      site.attributes.push_back({"b_hi", high});
    site.operands = isFourWay ? "vector<4xi8>; vector<4xi8>; i32"
                              : "vector<2xi16>; vector<4xi8>; i32";
    site.result = "i32";
    recorder.setSite(site);
    recorder.run<decltype(kind)>("words");
  };
  dot(Dp4aSS{}, true, "signed", "signed", "");
  dot(Dp4aSU{}, true, "signed", "unsigned", "");
  dot(Dp4aUS{}, true, "unsigned", "signed", "");
  dot(Dp4aUU{}, true, "unsigned", "unsigned", "");
  dot(Dp2aLoSS{}, false, "signed", "signed", "false");
  dot(Dp2aHiSU{}, false, "signed", "unsigned", "true");
  dot(Dp2aHiUS{}, false, "unsigned", "signed", "true");
  dot(Dp2aLoUU{}, false, "unsigned", "unsigned", "false");
  auto permute = [&](auto kind, const char *mode, bool hasHigh) {
    Site site;
    site.op = "nvvm.prmt";
    site.attributes = {{"mode", mode}};
    site.operands = hasHigh ? "i32; i32; i32" : "i32; i32";
    site.result = "i32";
    recorder.setSite(site);
    recorder.run<decltype(kind)>(hasHigh ? "selected" : "selected-low");
  };
  permute(PrmtDefault{}, "default", true);
  permute(PrmtF4e{}, "f4e", true);
  permute(PrmtB4e{}, "b4e", true);
  permute(PrmtRc8{}, "rc8", false);
  permute(PrmtEcl{}, "ecl", false);
  permute(PrmtEcr{}, "ecr", false);
  permute(PrmtRc16{}, "rc16", false);
}

#endif // TOP_UTILS_GPU_GOLDEN_NUMBERS_H
