//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA driver for tests: device memory is the host's, kernels are functions,
// every access of memory is checked, and any call can be made to fail.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UNITTESTS_EXECUTION_FAKECUDA_H
#define TOP_UNITTESTS_EXECUTION_FAKECUDA_H

#include "top/Execution/CudaFunctions.h"

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mlir::top {

/// One at a time: the functions of the table find it by a global.
class FakeCuda {
public:
  struct Kernel {
    size_t numParameters;
    std::function<void(const std::vector<uint64_t> &)> body;
    int maxThreads = 1024, staticSharedBytes = 0, registers = 32;
    int localBytes = 0;
  };
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> grid, block;
    unsigned sharedBytes;
    std::vector<uint64_t> parameters;
    unsigned number; ///< of the call
    /// With `tracksOrder` the launches, by number, that streams and events put
    /// in front of it.
    std::set<unsigned> before;
  };

  FakeCuda();
  FakeCuda(const FakeCuda &) = delete;
  ~FakeCuda();
  const CudaFunctions &getFunctions() const { return functions; }

  // What the test sets.
  int numDevices = 1;
  std::string name = "NVIDIA A100-SXM4-40GB";
  std::map<int, int> attributes; ///< of an A100 at first
  std::map<std::string, Kernel> kernels;
  std::map<std::string, CudaResult> failures; ///< by the name of the function
  std::string jitLog;
  bool tracksOrder = false; ///< takes time that is quadratic in launches

  // What the test reads.
  std::vector<std::string> calls;
  std::vector<Launch> launches;
  int numCalls(const std::string &call) const;
  /// Does now, or when the graph that is being captured is launched; for fakes
  /// of libraries.
  void enqueue(std::function<void()> work);
  /// Allocations, modules, streams, events, graphs and contexts not given back.
  int numLive() const { return live + allocations.size(); }

private:
  struct Functions;
  struct Graph {
    std::vector<std::function<void()>> nodes;
  };

  CudaResult enter(const char *call);
  bool isInside(CudaAddress address, size_t bytes) const;

  CudaFunctions functions;
  std::map<CudaAddress, std::vector<uint8_t>> allocations;
  std::map<CudaHandle, size_t> optedInBytes; ///< of shared memory
  /// Launches that a stream has, or that an event is behind.
  std::map<CudaHandle, std::set<unsigned>> behind;
  unsigned numLaunchCalls = 0;
  Graph *capturing = nullptr;
  int live = 0;
};

} // namespace mlir::top

#endif // TOP_UNITTESTS_EXECUTION_FAKECUDA_H
