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

struct Instruction;

/// A site of the program with what is worked out once a launch, so that an
/// execution reads no text.
struct PreparedSite {
  const Site *site = nullptr;
  const Instruction *instruction = nullptr; ///< null where none has the name
  /// Where each operand's slot begins, in bytes.
  llvm::SmallVector<uint32_t, 8> slots;
  /// What Instruction::prepare has made of the attributes and types.
  std::shared_ptr<const void> details;
};

/// Fails where the instruction refuses the site, or an operand has a type of
/// unknown size.
llvm::Expected<PreparedSite> prepareSite(const Site &site);

/// Bytes of a slot: those of the type rounded up to 8. Fails on types other
/// than integers, floats, pointers, and vectors and structs of these.
llvm::Expected<uint32_t> getSlotBytes(llvm::StringRef type);

/// One execution of an instruction: by one thread, or by the lanes of a warp
/// that meet in it. The machine makes it; tests make their own.
class Execution {
public:
  explicit Execution(const PreparedSite &prepared)
      : site(*prepared.site), prepared(prepared) {}
  virtual ~Execution() = default;

  const Site &site;
  /// What Instruction::prepare returned for the site, which must be a T.
  template <typename T>
  const T &getDetails() const {
    return *static_cast<const T *>(prepared.details.get());
  }
  /// Bit l is set where lane l takes part; one bit for a thread's instruction.
  uint32_t lanes = 0;

  /// Operand number `index` of a lane; T may be smaller than the operand.
  template <typename T>
  T getOperand(unsigned lane, unsigned index) const {
    T value;
    std::memcpy(&value, operands[lane] + prepared.slots[index], sizeof(T));
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

  std::array<const char *, 32> operands; ///< slots, see topSimExecute
  std::array<char *, 32> results;

private:
  const PreparedSite &prepared;
};

struct Instruction {
  llvm::StringRef name; ///< as Site::op
  enum Scope { Thread, Warp } scope;
  /// In a Warp instruction, the operand with the mask of the lanes that must
  /// come; -1, or an operand that the site has not, = all lanes of the warp
  /// that have not ended.
  int maskOperand;
  void (*execute)(Execution &execution);
  /// Reads a site's attributes and types before the launch; `execute` gets what
  /// it returns as Execution::getDetails. It fails where the site is one that
  /// the instruction does not do, with what was expected and what was found.
  /// Null where there is nothing to read.
  llvm::Expected<std::shared_ptr<const void>> (*prepare)(const Site &site) =
      nullptr;
};

/// The instruction of that name that computes; null where there is none. What
/// synchronises threads or copies is not here but in the machine's own table.
const Instruction *findInstruction(llvm::StringRef name);

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_INSTRUCTION_H
