//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs instructions on a GPU and writes what went in and what came out, for the
// tests of the simulated one. Files are lines of text; numbers are hexadecimal:
//
//   inputs NAME          registers of 32 lanes, kept for the cases that follow:
//   in W0 .. W31         one line an operand; "in =W" where all lanes have W
//   memory W...          shared memory (cp.async: global), optional
//   op NAME              what runs from here on, as a Site of the simulator:
//   with NAME VALUE      an attribute
//   segments N N N
//   operands TYPE; TYPE
//   result TYPE
//   case NAME            one execution on the inputs of that name:
//   lanes MASK           those that take part, all by default
//   out W0 .. W31        one line a register of the result
//   after W...           memory afterwards, where the instruction writes it
//
// usage: record OUT [N]: writes the files of test/Simulation/golden into OUT,
// and N cases of random products for each type into OUT/random-mma.txt, by
// which the order and the rounding of sums was studied.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Instructions.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

constexpr int memoryWords = 512;

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "record: error: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class F>
__global__ void runWarp(const uint32_t *in, uint32_t *out, uint32_t *memory,
                        uint32_t lanes) {
  __shared__ alignas(16) uint32_t shared[memoryWords];
  const int lane = threadIdx.x;
  for (int i = lane; i < memoryWords; i += 32)
    shared[i] = memory[i];
  __syncwarp();
  uint32_t r[F::ins] = {}, d[F::outs + 1] = {};
  for (int i = 0; i < F::ins; ++i)
    r[i] = in[i * 32 + lane];
  if (lanes >> lane & 1)
    F::run(r, d, uint32_t(__cvta_generic_to_shared(shared)));
  __syncwarp();
  for (int i = 0; i < F::outs; ++i)
    out[i * 32 + lane] = d[i];
  for (int i = lane; i < memoryWords; i += 32)
    memory[i] = shared[i];
}

/// Operands: offset in shared memory, offset in global memory, bytes to read.
template <int Bytes>
__global__ void runCopy(const uint32_t *in, uint32_t *out,
                        const uint32_t *memory) {
  __shared__ alignas(16) uint32_t shared[memoryWords];
  const int lane = threadIdx.x;
  for (int i = lane; i < memoryWords; i += 32)
    shared[i] = 0xffffffff;
  __syncwarp();
  const uint32_t to = uint32_t(__cvta_generic_to_shared(shared)) + in[lane];
  const char *from = reinterpret_cast<const char *>(memory) + in[32 + lane];
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(from), "r"(in[64 + lane])
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to),
                 "l"(from), "r"(in[64 + lane]), "n"(Bytes)
                 : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  for (int i = lane; i < memoryWords; i += 32)
    out[i] = shared[i];
}

struct Site {
  std::string op;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string segments, operands, result;
};

class Recorder {
public:
  explicit Recorder(const std::string &folder) : folder(folder) {
    check(cudaMalloc(&in, 4096 * 4));
    check(cudaMalloc(&out, 4096 * 4));
    check(cudaMalloc(&memory, memoryWords * 4));
  }

  void open(const std::string &name, const char *what) {
    if (file)
      std::fclose(file);
    const std::string path = folder + "/" + name;
    file = std::fopen(path.c_str(), "w");
    if (!file) {
      std::fprintf(stderr, "record: error: cannot write '%s'\n", path.c_str());
      std::exit(1);
    }
    known.clear();
    std::fprintf(file,
                 "# %s, by utils/gpu/golden/record.cu on an %s.\n"
                 "# The lines are explained there.\n",
                 what, device.c_str());
  }
  void close() { std::fclose(file); }

  void addInputs(const std::string &name, Registers registers,
                 std::vector<uint32_t> words = {}) {
    std::fprintf(file, "inputs %s\n", name.c_str());
    for (const Register &each : registers)
      writeWords("in", each.data(), 32);
    if (!words.empty())
      writeWords("memory", words.data(), words.size());
    words.resize(memoryWords);
    known[name] = {std::move(registers), std::move(words)};
  }

  void setSite(const Site &site) {
    std::fprintf(file, "op %s\n", site.op.c_str());
    for (const auto &[name, value] : site.attributes)
      std::fprintf(file, "with %s %s\n", name.c_str(), value.c_str());
    if (!site.segments.empty())
      std::fprintf(file, "segments %s\n", site.segments.c_str());
    std::fprintf(file, "operands %s\n", site.operands.c_str());
    if (!site.result.empty())
      std::fprintf(file, "result %s\n", site.result.c_str());
  }

  template <class F>
  void run(const std::string &name, uint32_t lanes = ~0u, int wordsAfter = 0) {
    const Inputs &inputs = known.at(name);
    if (inputs.registers.size() != F::ins) {
      std::fprintf(stderr, "record: error: %zu registers in '%s', not %d\n",
                   inputs.registers.size(), name.c_str(), F::ins);
      std::exit(1);
    }
    upload(inputs);
    runWarp<F><<<1, 32>>>(in, out, memory, lanes);
    check(cudaDeviceSynchronize());
    begin(name, lanes);
    std::vector<uint32_t> words(F::outs * 32 + 1);
    check(cudaMemcpy(words.data(), out, F::outs * 128, cudaMemcpyDefault));
    for (int i = 0; i < F::outs; ++i)
      writeWords("out", words.data() + 32 * i, 32);
    if (wordsAfter)
      writeAfter(memory, wordsAfter);
  }

  template <int Bytes>
  void runCopyOf(const std::string &name, int wordsAfter) {
    upload(known.at(name));
    runCopy<Bytes><<<1, 32>>>(in, out, memory);
    check(cudaDeviceSynchronize());
    begin(name, ~0u);
    writeAfter(out, wordsAfter);
  }

  std::string device;

private:
  struct Inputs {
    Registers registers;
    std::vector<uint32_t> memory;
  };

  void upload(const Inputs &inputs) {
    check(cudaMemcpy(in, inputs.registers.data(),
                     inputs.registers.size() * sizeof(Register),
                     cudaMemcpyDefault));
    check(cudaMemcpy(memory, inputs.memory.data(), memoryWords * 4,
                     cudaMemcpyDefault));
  }
  void begin(const std::string &name, uint32_t lanes) {
    std::fprintf(file, "case %s\n", name.c_str());
    if (lanes != ~0u)
      std::fprintf(file, "lanes %x\n", lanes);
  }
  void writeAfter(const uint32_t *from, int count) {
    std::vector<uint32_t> words(count);
    check(cudaMemcpy(words.data(), from, count * 4, cudaMemcpyDefault));
    writeWords("after", words.data(), count);
  }
  void writeWords(const char *what, const uint32_t *words, size_t count) {
    bool equal = count == 32;
    for (size_t i = 1; i < count; ++i)
      equal &= words[i] == words[0];
    std::fputs(what, file);
    if (equal)
      std::fprintf(file, " =%x", words[0]);
    for (size_t i = 0; !equal && i < count; ++i)
      std::fprintf(file, " %x", words[i]);
    std::fputc('\n', file);
  }

  std::string folder;
  std::FILE *file = nullptr;
  std::map<std::string, Inputs> known;
  uint32_t *in, *out, *memory;
};

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// A product of one type: its registers of A and B, and of C where that is f32.
struct Product {
  std::string name;
  Format format;
  unsigned a, b;
  Format sums;
  unsigned c;
  int limit; ///< of eighths, so that sums are exact
};

static Registers makeExact(const Product &p, Random &random) {
  Registers r;
  fill(r, 0, p.a + p.b, p.format,
       [&] { return makeEighth(random, p.format, p.limit); });
  fill(r, p.a + p.b, p.a + p.b + p.c, p.sums,
       [&] { return makeEighth(random, p.sums, p.limit); });
  return r;
}
static Registers makeSpecials(const Product &p, Random &random) {
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
static Registers makeRandom(const Product &p, Random &random, int low, int high,
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
static void addRandom(Recorder &recorder, const Product &p, Random &random,
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

static Site getSite(const Product &p, const char *shape, const char *type,
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
static void recordProduct(Recorder &recorder, const Product &p,
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

static void recordFloatProducts(Recorder &recorder, unsigned many) {
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
static void recordInt(Recorder &recorder, bool isK32, const char *a,
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

static void recordIntProducts(Recorder &recorder) {
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

//===----------------------------------------------------------------------===//
// Matrices, copies
//===----------------------------------------------------------------------===//

static void recordMatrices(Recorder &recorder) {
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

static void recordCopies(Recorder &recorder) {
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

static void recordShuffles(Recorder &recorder) {
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

static void recordVotes(Recorder &recorder) {
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

//===----------------------------------------------------------------------===//
// Of one thread
//===----------------------------------------------------------------------===//

static void recordConversions(Recorder &recorder) {
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

static void recordBytes(Recorder &recorder) {
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

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: record OUT [N]\n");
    return 2;
  }
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  Recorder recorder(argv[1]);
  recorder.device = properties.name;
  recorder.open("mma-float.txt", "Products of floating-point matrices");
  recordFloatProducts(recorder, 0);
  recorder.open("mma-int.txt", "Products of integer matrices");
  recordIntProducts(recorder);
  recorder.open("matrix.txt", "Loads and stores of matrices");
  recordMatrices(recorder);
  recorder.open("copy.txt", "Asynchronous copies");
  recordCopies(recorder);
  recorder.open("shuffle.txt", "Shuffles");
  recordShuffles(recorder);
  recorder.open("vote.txt", "Votes, reductions, matches, elections");
  recordVotes(recorder);
  recorder.open("convert.txt", "Conversions and approximations");
  recordConversions(recorder);
  recorder.open("bytes.txt", "Dot products and permutations of bytes");
  recordBytes(recorder);
  if (const int many = argc == 3 ? std::atoi(argv[2]) : 0) {
    recorder.open("random-mma.txt", "Random products, for study");
    recordFloatProducts(recorder, many);
  }
  recorder.close();
  std::printf("recorded on %s\n", properties.name);
  return 0;
}
