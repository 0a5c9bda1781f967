//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SimulationTable.h.
//
//===----------------------------------------------------------------------===//

#include "SimulationTable.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "top/Conversion/NVVMToSim/NVVMToSim.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

std::string top::describeLocation(Location loc, StringRef fallback) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(),
                         file.getLine(), file.getColumn());
  if (auto name = dyn_cast<NameLoc>(loc)) {
    std::string where = describeLocation(name.getChildLoc(), "");
    const std::string label = name.getName().str();
    return where.empty() ? label : where + " (" + label + ")";
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return describeLocation(call.getCallee(), fallback);
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string text = describeLocation(part, ""); !text.empty())
        return text;
  return fallback.str();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

int32_t SimulationTable::addSite(Operation *op) {
  NamedAttrList site;
  NamedAttrList attributes(op->getAttrDictionary());
  StringRef name = op->getName().getStringRef();
  if (auto named = op->getAttrOfType<StringAttr>(instructionName)) {
    name = named.getValue();
    auto own = op->getAttrOfType<DictionaryAttr>(instructionAttributesName);
    attributes = own ? NamedAttrList(own) : NamedAttrList();
  }
  site.set(simulation::op, b.getStringAttr(name));
  if (auto segments = dyn_cast_or_null<DenseI32ArrayAttr>(
          attributes.erase(OpTrait::AttrSizedOperandSegments<
                           void>::getOperandSegmentSizeAttr())))
    site.set(simulation::segments, segments);
  site.set(simulation::attributes, attributes.getDictionary(b.getContext()));
  site.set(simulation::operands,
           b.getTypeArrayAttr(SmallVector<Type>(op->getOperandTypes())));
  if (op->getNumResults() != 0)
    site.set(simulation::result, TypeAttr::get(op->getResult(0).getType()));
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  site.set(simulation::location,
           b.getStringAttr(describeLocation(
               op->getLoc(), ("in '" + function.getName() + "'").str())));
  sites.push_back(site.getDictionary(b.getContext()));
  return sites.size() - 1;
}

int32_t SimulationTable::getRegister(StringRef name) {
  return registers.try_emplace(b.getStringAttr(name), registers.size())
      .first->second;
}

void SimulationTable::addShared(LLVM::GlobalOp variable, int64_t bytes,
                                int64_t alignment) {
  NamedAttrList entry;
  entry.set(simulation::name, variable.getSymNameAttr());
  entry.set(simulation::bytes, b.getI64IntegerAttr(bytes));
  entry.set(simulation::alignment, b.getI64IntegerAttr(alignment));
  // The launch says how large it is.
  if (bytes == 0)
    entry.set(simulation::isDynamic, b.getUnitAttr());
  sharedNumbers.try_emplace(variable.getSymNameAttr(), shared.size());
  shared.push_back(entry.getDictionary(b.getContext()));
}

int32_t SimulationTable::lookupShared(StringRef name) const {
  auto found = sharedNumbers.find(StringAttr::get(b.getContext(), name));
  return found == sharedNumbers.end() ? -1 : found->second;
}

void SimulationTable::addKernel(LLVM::LLVMFuncOp kernel, StringRef entry) {
  NamedAttrList attributes;
  int64_t threads = 0;
  if (auto required = kernel->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName())) {
    threads = 1;
    for (int32_t extent : required.asArrayRef())
      threads *= extent;
  }
  SmallVector<int64_t> readOnly, writable;
  for (auto [i, type] : llvm::enumerate(kernel.getFunctionType().getParams()))
    if (isa<LLVM::LLVMPointerType>(type) &&
        !kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      (kernel.getArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName())
           ? readOnly
           : writable)
          .push_back(i);
  attributes.set(simulation::name, kernel.getSymNameAttr());
  attributes.set(simulation::entry, b.getStringAttr(entry));
  attributes.set(simulation::threads, b.getI64IntegerAttr(threads));
  attributes.set(simulation::parameters,
                 b.getI64IntegerAttr(kernel.getNumArguments()));
  attributes.set(simulation::readOnly, b.getDenseI64ArrayAttr(readOnly));
  attributes.set(simulation::writable, b.getDenseI64ArrayAttr(writable));
  kernels.push_back(attributes.getDictionary(b.getContext()));
}

DictionaryAttr SimulationTable::getAttribute() {
  SmallVector<Attribute> names;
  for (auto [name, number] : registers)
    names.push_back(name);
  return b.getDictionaryAttr(
      {b.getNamedAttr(simulation::sites, b.getArrayAttr(sites)),
       b.getNamedAttr(simulation::registers, b.getArrayAttr(names)),
       b.getNamedAttr(simulation::shared, b.getArrayAttr(shared)),
       b.getNamedAttr(simulation::kernels, b.getArrayAttr(kernels))});
}
