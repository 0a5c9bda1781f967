//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction of the simulated GPU does, apart from the machine that
// threads meet in: a function of the operands of the lanes, reached by name
// from one table. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_INSTRUCTION_H
#define TOP_LIB_SIMULATION_INSTRUCTION_H

#include "top/Simulation/Machine.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

namespace mlir::top::sim {

/// One execution of an instruction: by one thread, or by the lanes of a warp
/// that meet in it. The machine makes it; tests make their own.
class Execution {
public:
  explicit Execution(const Site &site) : site(site) {}
  virtual ~Execution() = default;

  const Site &site;
  /// Bit l is set where lane l takes part; one bit for a thread's instruction.
  uint32_t lanes = 0;

  /// Operand number `index` of a lane; T may be smaller than the operand.
  template <typename T>
  T getOperand(unsigned lane, unsigned index) const {
    T value;
    std::memcpy(&value, operands[lane] + getSlotOffset(index), sizeof(T));
    return value;
  }
  /// Element `index` of the result, all elements being of type T.
  template <typename T>
  void setResult(unsigned lane, unsigned index, T value) {
    std::memcpy(results[lane] + index * sizeof(T), &value, sizeof(T));
  }

  /// The memory at a lane's address, shared or global, after all checks of a
  /// read; null where they have failed and a fault has been recorded.
  virtual const void *read(unsigned lane, uint64_t address, int64_t bytes) = 0;
  /// The same for a write, which the caller then does.
  virtual void *write(unsigned lane, uint64_t address, int64_t bytes) = 0;
  virtual void fault(unsigned lane, Fault::Kind kind,
                     const llvm::Twine &text) = 0;
  /// For the statistics: products of a matrix instruction.
  virtual void countMultiplyAdds(uint64_t count) = 0;

  std::array<const char *, 32> operands = {}; ///< slots, see topSimExecute
  std::array<char *, 32> results = {};

private:
  /// Slots are 8 bytes, wider ones for vectors and structs.
  unsigned getSlotOffset(unsigned index) const;
};

struct Instruction {
  llvm::StringRef name; ///< as Site::op
  enum Scope { Thread, Warp } scope;
  /// In a Warp instruction, the operand with the mask of the lanes that must
  /// come; -1 = all lanes of the warp that have not ended.
  int maskOperand;
  void (*execute)(Execution &execution);
};

/// The instruction of that name that computes; null where there is none. What
/// synchronises threads or copies is not here but in the machine's own table.
const Instruction *findInstruction(llvm::StringRef name);

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_INSTRUCTION_H
