//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what utils/gpu/golden/record.cu has written on a GPU, and runs
// instructions of the simulator without a machine.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UNITTESTS_SIMULATION_GOLDEN_H
#define TOP_UNITTESTS_SIMULATION_GOLDEN_H

#include "Instruction.h"

namespace mlir::top::sim {

/// A register of each lane.
using Register = std::array<uint64_t, 32>;

/// One execution on the hardware.
struct GoldenCase {
  const Site *site;
  std::string name; ///< of the inputs
  uint32_t lanes = ~0u;
  std::vector<Register> operands, results;
  std::vector<uint32_t> memory, after;
};

struct GoldenFile {
  std::vector<std::unique_ptr<Site>> sites;
  std::vector<GoldenCase> cases;
};

/// Reads test/Simulation/golden/NAME; a failure of the test where it cannot.
GoldenFile readGolden(llvm::StringRef name);

/// The types of the elements of a result: of a struct, or of a single value.
llvm::SmallVector<llvm::StringRef> getResultTypes(const Site &site);

/// Instructions on operands that the test gives, in memory that it has.
class Bench : public Execution {
public:
  /// Operands and results of all lanes, bytes of memory that addresses are
  /// offsets in.
  Bench(const PreparedSite &prepared, llvm::ArrayRef<Register> operands,
        uint32_t lanes = ~0u, llvm::ArrayRef<uint32_t> memory = {});

  /// For each part of the result a register, with as many bits as it has.
  std::vector<Register> run();

  const void *read(unsigned lane, uint64_t address, int64_t bytes) override;
  void *write(unsigned lane, uint64_t address, int64_t bytes) override;
  void fault(unsigned lane, Fault::Kind kind, const llvm::Twine &text) override;
  void countMultiplyAdds(uint64_t count) override { multiplyAdds += count; }

  std::vector<uint32_t> memory;
  std::vector<std::string> faults; ///< "lane 3: takes the value of ..."
  uint64_t multiplyAdds = 0;

private:
  const PreparedSite &prepared;
  std::vector<char> in, out;
};

/// A site that an instruction must accept; a failure of the test where not.
PreparedSite prepare(const Site &site);

} // namespace mlir::top::sim

#endif // TOP_UNITTESTS_SIMULATION_GOLDEN_H
