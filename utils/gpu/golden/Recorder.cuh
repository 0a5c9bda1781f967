//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one instruction and writes what went in and what came out. Files are
// lines of text; numbers are hexadecimal:
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
//===----------------------------------------------------------------------===//

#ifndef TOP_UTILS_GPU_GOLDEN_RECORDER_H
#define TOP_UTILS_GPU_GOLDEN_RECORDER_H

#include "Inputs.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

constexpr int memoryWords = 512;

inline void check(cudaError_t error) {
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

#endif // TOP_UTILS_GPU_GOLDEN_RECORDER_H
