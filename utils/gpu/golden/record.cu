//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs instructions on a GPU and writes what went in and what came out, for the
// tests of the simulated one; Recorder.cuh says what the files look like.
//
// usage: record OUT [N]: writes the files of test/Simulation/golden into OUT,
// and N cases of random products for each type into OUT/random-mma.txt, by
// which the order and the rounding of sums was studied.
//
//===----------------------------------------------------------------------===//

#include "Lanes.cuh"
#include "Numbers.cuh"
#include "Products.cuh"

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
