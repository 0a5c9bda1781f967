//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records what a warp does together but for products: loads and stores of
// matrices, shuffles, votes; and copies.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UTILS_GPU_GOLDEN_LANES_H
#define TOP_UTILS_GPU_GOLDEN_LANES_H

#include "Instructions.cuh"
#include "Recorder.cuh"

//===----------------------------------------------------------------------===//
// Matrices, copies
//===----------------------------------------------------------------------===//

inline void recordMatrices(Recorder &recorder) {
  Random random = {5};
  std::vector<uint32_t> words(32 * 4);
  for (unsigned i = 0; i < words.size(); ++i)
    words[i] = (2 * i) | (2 * i + 1) << 16;
  // 32 rows of 16 bytes in any order, some of them twice for loads.
  Registers rows(1);
  std::array<uint32_t, 32> order;
  for (unsigned i = 0; i < 32; ++i)
    order[i] = i;
  for (unsigned i = 31; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  for (unsigned i = 0; i < 32; ++i)
    rows[0][i] = 16 * order[i];
  recorder.addInputs("rows", rows, words);
  Registers repeated = rows;
  for (unsigned i = 0; i < 32; i += 3)
    repeated[0][i] = rows[0][31 - i];
  recorder.addInputs("repeated", repeated, words);

  Site site;
  site.op = "nvvm.ldmatrix";
  site.operands = "!llvm.ptr<3>";
  auto load = [&](auto plain, auto transposed, const char *num,
                  const char *result) {
    site.result = result;
    for (bool isTransposed : {false, true}) {
      site.attributes = {{"eltType", "b16"},
                         {"layout", isTransposed ? "col" : "row"},
                         {"num", num},
                         {"shape", "m = 8, n = 8"}};
      recorder.setSite(site);
      for (const char *name : {"rows", "repeated"})
        if (isTransposed)
          recorder.run<decltype(transposed)>(name);
        else
          recorder.run<decltype(plain)>(name);
    }
  };
  load(LdMatrix1{}, LdMatrix1T{}, "1", "i32");
  load(LdMatrix2{}, LdMatrix2T{}, "2", "!llvm.struct<(i32, i32)>");
  load(LdMatrix4{}, LdMatrix4T{}, "4", "!llvm.struct<(i32, i32, i32, i32)>");

  site = Site();
  site.op = "nvvm.stmatrix";
  site.operands = "!llvm.ptr<3>";
  auto store = [&](auto plain, auto transposed, const std::string &name) {
    site.operands += "; i32";
    if (name == "store4")
      site.operands += "; i32";
    Registers r = rows;
    r.resize(decltype(plain)::ins);
    for (unsigned i = 1; i < r.size(); ++i)
      for (unsigned lane = 0; lane < 32; ++lane) {
        const uint32_t element = 0x100 + (i - 1) * 64 + 2 * lane;
        r[i][lane] = element | (element + 1) << 16;
      }
    recorder.addInputs(name, r, words);
    for (bool isTransposed : {false, true}) {
      site.attributes = {{"eltType", "b16"},
                         {"layout", isTransposed ? "col" : "row"},
                         {"shape", "m = 8, n = 8"}};
      recorder.setSite(site);
      if (isTransposed)
        recorder.run<decltype(transposed)>(name, ~0u, words.size());
      else
        recorder.run<decltype(plain)>(name, ~0u, words.size());
    }
  };
  store(StMatrix1{}, StMatrix1T{}, "store1");
  store(StMatrix2{}, StMatrix2T{}, "store2");
  store(StMatrix4{}, StMatrix4T{}, "store4");
}

inline void recordCopies(Recorder &recorder) {
  Random random = {6};
  std::vector<uint32_t> words(32 * 4);
  for (uint32_t &word : words)
    word = uint32_t(random.next()) | 0x01010101; // no byte is zero
  auto copy = [&](auto bytes, const char *size) {
    constexpr int n = decltype(bytes)::value;
    Registers r(3);
    for (unsigned lane = 0; lane < 32; ++lane) {
      r[0][lane] = n * (31 - lane);
      r[1][lane] = n * ((7 * lane) % 32);
      r[2][lane] = lane % (n + 1);
    }
    recorder.addInputs(std::string("copy") + size, r, words);
    Site site;
    site.op = "nvvm.cp.async.shared.global";
    site.attributes = {{"modifier", n == 16 ? "cg" : "ca"}, {"size", size}};
    site.operands = "!llvm.ptr<3>; !llvm.ptr<1>; i32";
    recorder.setSite(site);
    recorder.runCopyOf<n>(std::string("copy") + size, words.size());
  };
  copy(std::integral_constant<int, 4>(), "4");
  copy(std::integral_constant<int, 8>(), "8");
  copy(std::integral_constant<int, 16>(), "16");
}

//===----------------------------------------------------------------------===//
// Between lanes
//===----------------------------------------------------------------------===//

inline void recordShuffles(Recorder &recorder) {
  Random random = {8};
  auto make = [&](uint32_t mask, auto offset, auto clamp) {
    Registers r(4);
    for (unsigned lane = 0; lane < 32; ++lane) {
      r[0][lane] = mask;
      r[1][lane] = 0xa0 + lane;
      r[2][lane] = offset(lane);
      r[3][lane] = clamp(lane);
    }
    return r;
  };
  auto any = [&](unsigned) { return random.below(40); };
  auto constant = [](uint32_t value) {
    return [value](unsigned) { return value; };
  };
  std::vector<std::string> names;
  auto add = [&](const char *name, Registers r) {
    recorder.addInputs(name, r);
    names.push_back(name);
  };
  add("whole-up", make(~0u, any, constant(0)));
  add("whole-down", make(~0u, any, constant(31)));
  add("by-1", make(~0u, constant(1), constant(31)));
  add("by-33", make(~0u, constant(33), constant(31)));
  add("width-8", make(~0u, any, constant(0x181f)));
  add("width-8-up", make(~0u, any, constant(0x1800)));
  add("width-16-by-5", make(~0u, constant(5), constant(0x100f)));
  add("clamp-20", make(~0u, any, constant(20)));
  add("any-clamp", make(~0u, any, [&](unsigned) {
        return random.below(32) | random.below(32) << 8 | random.below(8) << 5;
      }));
  // In half a warp, which takes values of that half alone.
  add("half", make(
                  0xffff0000, [&](unsigned) { return random.below(8); },
                  constant(0x181f)));
  auto record = [&](auto kind, const char *name) {
    Site site;
    site.op = "nvvm.shfl.sync";
    site.attributes = {{"kind", name}, {"return_value_and_is_valid", "true"}};
    site.operands = "i32; i32; i32; i32";
    site.result = "!llvm.struct<(i32, i1)>";
    recorder.setSite(site);
    for (const std::string &each : names)
      recorder.run<decltype(kind)>(each, each == "half" ? 0xffff0000 : ~0u);
  };
  record(ShflBfly{}, "bfly");
  record(ShflUp{}, "up");
  record(ShflDown{}, "down");
  record(ShflIdx{}, "idx");
}

inline void recordVotes(Recorder &recorder) {
  Random random = {9};
  const uint32_t masks[] = {~0u, ~0u, ~0u, ~0u, 0x00ff00f0, 0x80000001};
  std::vector<std::pair<std::string, uint32_t>> votes, values;
  for (unsigned i = 0; i < std::size(masks); ++i) {
    Registers r(2), v(2), m(2);
    for (unsigned lane = 0; lane < 32; ++lane) {
      r[0][lane] = masks[i];
      r[1][lane] = i == 0   ? 0
                   : i == 1 ? 1
                   : i == 2 ? lane == 17
                            : random.below(2);
      v[0][lane] = i == 0 ? random.below(100) : uint32_t(random.next());
      v[1][lane] = masks[i];
      m[0][lane] = masks[i];
      m[1][lane] = i % 2 == 0 ? random.below(4) : 7;
    }
    const std::string n = std::to_string(i);
    recorder.addInputs("vote" + n, r);
    recorder.addInputs("value" + n, v);
    recorder.addInputs("match" + n, m);
    recorder.addInputs("elect" + n, {r[0]});
  }
  auto record = [&](auto kind, const char *op, const char *attribute,
                    const char *operands, const char *result,
                    const char *inputs) {
    Site site;
    site.op = op;
    if (*attribute)
      site.attributes = {{"kind", attribute}};
    site.operands = operands;
    site.result = result;
    recorder.setSite(site);
    for (unsigned i = 0; i < std::size(masks); ++i)
      recorder.run<decltype(kind)>(inputs + std::to_string(i), masks[i]);
  };
  auto vote = [&](auto kind, const char *name, const char *result) {
    record(kind, "nvvm.vote.sync", name, "i32; i1", result, "vote");
  };
  vote(VoteAny{}, "any", "i1");
  vote(VoteAll{}, "all", "i1");
  vote(VoteUni{}, "uni", "i1");
  vote(VoteBallot{}, "ballot", "i32");
  auto redux = [&](auto kind, const char *name) {
    record(kind, "nvvm.redux.sync", name, "i32; i32", "i32", "value");
  };
  redux(ReduxAdd{}, "add");
  redux(ReduxMin{}, "min");
  redux(ReduxMax{}, "max");
  redux(ReduxUmin{}, "umin");
  redux(ReduxUmax{}, "umax");
  redux(ReduxAnd{}, "and");
  redux(ReduxOr{}, "or");
  redux(ReduxXor{}, "xor");
  record(MatchAny{}, "nvvm.match.sync", "any", "i32; i32", "i32", "match");
  record(MatchAll{}, "nvvm.match.sync", "all", "i32; i32",
         "!llvm.struct<(i32, i1)>", "match");
  record(ElectSync{}, "nvvm.elect.sync", "", "i32", "i1", "elect");
}

#endif // TOP_UTILS_GPU_GOLDEN_LANES_H
