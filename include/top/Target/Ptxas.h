//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVIDIA's assembler, where the CUDA toolkit is on the machine: finding it,
// which PTX it takes, and what it says of a kernel. Nothing needs it.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TARGET_PTXAS_H
#define TOP_TARGET_PTXAS_H

#include "top/Target/GPUTarget.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::top {

/// A ptxas that answers.
struct Ptxas {
  std::string path;
  unsigned cudaMajor = 0, cudaMinor = 0;
  /// The newest PTX that it takes: 90 for 9.0.
  unsigned ptxVersion = 0;
};

/// The path of a ptxas: on PATH, else in `$CUDA_HOME/bin`, else in
/// /usr/local/cuda/bin; nullopt where there is none.
std::optional<std::string> findPtxas();

/// The newest PTX version that the ptxas of a CUDA release takes, as 70 for
/// 7.0; of a release later than the table, that of the table's last. 0 for
/// releases before 11.0, which know none of our chips.
unsigned getPtxVersionOfCuda(unsigned major, unsigned minor);

/// Reads what `ptxas --version` prints. Fails, naming what was looked for,
/// where it names no release or one before 11.0.
llvm::Expected<Ptxas> parsePtxasVersion(llvm::StringRef text);

/// Runs `PATH --version`. Fails where that cannot be run or read.
llvm::Expected<Ptxas> queryPtxas(llvm::StringRef path);

/// selectPtxVersion for the ptxas of this machine, where there is one. Fails as
/// that does, and where the ptxas found cannot be queried.
llvm::Expected<unsigned> selectPtxVersionHere(const GPUArchitecture &arch,
                                              unsigned requested = 0);

/// What `ptxas -v` says of one kernel.
struct PtxasKernelInfo {
  std::string name;
  int64_t registers = 0;
  int64_t spillStoreBytes = 0, spillLoadBytes = 0;
  int64_t stackBytes = 0;
  int64_t staticSharedBytes = 0; ///< without what the launch adds
  int64_t barriers = 0;
};

struct PtxasReport {
  std::vector<PtxasKernelInfo> kernels;
  /// Lines with a code C75xx: losses of performance, printed as information,
  /// such as wgmma instructions that are serialized.
  std::vector<std::string> performanceNotes;

  /// The entry of kernel `name`, or null.
  const PtxasKernelInfo *find(llvm::StringRef name) const;
};

/// Reads what `ptxas -v` prints.
PtxasReport parsePtxasOutput(llvm::StringRef text);

/// Assembles `ptxFile` for `chip` with `-v`, into `cubinFile` where that is not
/// empty. Fails with what ptxas printed where it refuses the file.
llvm::Expected<PtxasReport> runPtxas(llvm::StringRef path,
                                     llvm::StringRef ptxFile,
                                     llvm::StringRef chip,
                                     llvm::StringRef cubinFile = "");

} // namespace mlir::top

#endif // TOP_TARGET_PTXAS_H
