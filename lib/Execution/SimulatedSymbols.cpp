//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SimulatedSymbols.h. Which conversions a C compiler's library has depends
// on its version, so they are ours.
//
//===----------------------------------------------------------------------===//

#include "SimulatedSymbols.h"

#include "top/Simulation/Program.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::top;
using llvm::APFloat;

/// A 16-bit float as it is passed to a function and returned: in the low bits
/// of the register that holds a float (AMD64 and AArch64 calling conventions).
using InRegister = float;

template <typename From>
static InRegister narrow(From value, const llvm::fltSemantics &to) {
  APFloat number(value);
  bool losesInfo;
  number.convert(to, APFloat::rmNearestTiesToEven, &losesInfo);
  return llvm::bit_cast<float>(
      static_cast<uint32_t>(number.bitcastToAPInt().getZExtValue()));
}

static InRegister floatToBFloat(float value) {
  return narrow(value, APFloat::BFloat());
}
static InRegister doubleToBFloat(double value) {
  return narrow(value, APFloat::BFloat());
}
static InRegister floatToHalf(float value) {
  return narrow(value, APFloat::IEEEhalf());
}
static InRegister doubleToHalf(double value) {
  return narrow(value, APFloat::IEEEhalf());
}
static float halfToFloat(InRegister value) {
  APFloat number(APFloat::IEEEhalf(),
                 llvm::APInt(16, llvm::bit_cast<uint32_t>(value) & 0xffff));
  bool losesInfo;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToFloat();
}

llvm::orc::SymbolMap
top::getSimulatedSymbols(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported |
                                   llvm::JITSymbolFlags::Callable};
  };
  add("topSimExecute", &sim::topSimExecute);
  add("topSimAccess", &sim::topSimAccess);
  add("topSimRegister", &sim::topSimRegister);
  add("topSimShared", &sim::topSimShared);
  // Names of GCC's low-level library, as LLVM's code generator calls them.
  add("__truncsfbf2", &floatToBFloat);
  add("__truncdfbf2", &doubleToBFloat);
  add("__truncsfhf2", &floatToHalf);
  add("__truncdfhf2", &doubleToHalf);
  add("__extendhfsf2", &halfToFloat);
  return symbols;
}
