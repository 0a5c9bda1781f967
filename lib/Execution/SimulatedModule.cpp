//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing, compiling with MLIR's ExecutionEngine, and reading the table of the
// program; see SimulatedModule.h.
//
//===----------------------------------------------------------------------===//

#include "SimulatedModule.h"

#include "HostMachine.h"
#include "SimulatedSymbols.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "top/Conversion/NVVMToSim/NVVMToSim.h"
#include "top/InitAll.h"

using namespace mlir;
using namespace mlir::top;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// What LLVM does to the code. More than 1 costs compile time and gains little:
/// most of the time is spent in the simulator.
static constexpr unsigned kOptLevel = 1;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// An attribute's value as sim::Site has it.
static std::string getText(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto string = dyn_cast<StringAttr>(value))
    return string.getValue().str();
  if (isa<UnitAttr>(value))
    return "true";
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return boolean.getValue() ? "true" : "false";
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    integer.getValue().print(
        os, /*isSigned=*/!integer.getType().isUnsignedInteger());
    return text;
  }
  value.print(os);
  // "#nvvm.mma_layout<row>" and "#nvvm<mma_layout row>" alike say "row".
  StringRef rest = text;
  if (!rest.consume_front("#") || !rest.consume_back(">"))
    return text;
  auto [mnemonic, inner] = rest.split('<');
  return (mnemonic.contains('.') ? inner : inner.split(' ').second).str();
}

static std::string getText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string getString(DictionaryAttr from, StringRef name) {
  auto value = from.getAs<StringAttr>(name);
  return value ? value.getValue().str() : "";
}

static int64_t getInteger(DictionaryAttr from, StringRef name) {
  auto value = from.getAs<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}

static sim::Site readSite(DictionaryAttr from) {
  sim::Site site;
  site.op = getString(from, simulation::op);
  site.location = getString(from, simulation::location);
  if (auto attributes = from.getAs<DictionaryAttr>(simulation::attributes))
    for (NamedAttribute attribute : attributes)
      site.attributes[attribute.getName()] = getText(attribute.getValue());
  if (auto types = from.getAs<ArrayAttr>(simulation::operands))
    for (Type type : types.getAsValueRange<TypeAttr>())
      site.operandTypes.push_back(getText(type));
  if (auto type = from.getAs<TypeAttr>(simulation::result))
    site.resultType = getText(type.getValue());
  if (auto segments = from.getAs<DenseI32ArrayAttr>(simulation::segments))
    llvm::append_range(site.operandSegments, segments.asArrayRef());
  return site;
}

static sim::SharedVariable readShared(DictionaryAttr from) {
  return {getString(from, simulation::name),
          getInteger(from, simulation::bytes),
          getInteger(from, simulation::alignment),
          from.contains(simulation::isDynamic)};
}

Error SimulatedModule::read(ModuleOp module) {
  auto table = module->getAttrOfType<DictionaryAttr>(simulationName);
  if (!table)
    return createStringError("expected a module with '" + simulationName +
                             "', which top-nvvm-to-sim leaves");
  auto forEach = [&](StringRef name, auto body) {
    if (auto array = table.getAs<ArrayAttr>(name))
      for (Attribute entry : array)
        body(entry);
  };
  forEach(simulation::sites, [&](Attribute entry) {
    if (auto site = dyn_cast<DictionaryAttr>(entry))
      program.sites.push_back(readSite(site));
  });
  forEach(simulation::registers, [&](Attribute entry) {
    if (auto name = dyn_cast<StringAttr>(entry))
      program.registers.push_back(name.getValue().str());
  });
  forEach(simulation::shared, [&](Attribute entry) {
    if (auto variable = dyn_cast<DictionaryAttr>(entry))
      program.shared.push_back(readShared(variable));
  });
  Error error = Error::success();
  forEach(simulation::kernels, [&](Attribute entry) {
    auto from = dyn_cast<DictionaryAttr>(entry);
    if (!from || error)
      return;
    Expected<void *> function =
        engine->lookup(getString(from, simulation::entry));
    if (!function) {
      error = llvm::joinErrors(std::move(error), function.takeError());
      return;
    }
    sim::Kernel kernel;
    kernel.name = getString(from, simulation::name);
    kernel.function = reinterpret_cast<sim::KernelFunction>(*function);
    kernel.requiredThreads = getInteger(from, simulation::threads);
    kernel.numParameters = getInteger(from, simulation::parameters);
    program.kernels.push_back(std::move(kernel));
    SimulatedKernel known{&program, nullptr, {}, {}};
    auto readNumbers = [&](StringRef name, SmallVector<unsigned> &numbers) {
      if (auto array = from.getAs<DenseI64ArrayAttr>(name))
        llvm::append_range(numbers, array.asArrayRef());
    };
    readNumbers(simulation::readOnly, known.readOnly);
    readNumbers(simulation::writable, known.writable);
    kernels.push_back(std::move(known));
  });
  // Kernels of the program do not move any more.
  for (auto [known, kernel] : llvm::zip(kernels, program.kernels))
    known.kernel = &kernel;
  return error;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<SimulatedModule>>
SimulatedModule::load(StringRef text) {
  DialectRegistry registry;
  registry.insert<DLTIDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registerAllTopDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string reason;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    if (reason.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      reason = diagnostic.str();
  });
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  if (!module)
    return createStringError("cannot read the kernels: " + reason);

  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createHostMachine("", llvm::CodeGenOptLevel::Less);
  if (!machine)
    return machine.takeError();
  ExecutionEngineOptions options;
  auto optimize =
      makeOptimizingTransformer(kOptLevel, /*sizeLevel=*/0, machine->get());
  options.transformer = optimize;
  options.jitCodeGenOptLevel = (*machine)->getOptLevel();
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  Expected<std::unique_ptr<ExecutionEngine>> engine =
      ExecutionEngine::create(*module, options, std::move(*machine));
  if (!engine) {
    std::string text = llvm::toString(engine.takeError());
    return createStringError(reason.empty() ? text : reason);
  }
  std::unique_ptr<SimulatedModule> result(new SimulatedModule());
  result->engine = std::move(*engine);
  result->engine->registerSymbols(getSimulatedSymbols);
  if (Error error = result->read(*module))
    return std::move(error);
  return result;
}

const SimulatedKernel *SimulatedModule::lookup(StringRef name) const {
  for (const SimulatedKernel &each : kernels)
    if (each.kernel->name == name)
      return &each;
  return nullptr;
}

int64_t SimulatedModule::getStaticSharedBytes() const {
  int64_t bytes = 0;
  for (const sim::SharedVariable &variable : program.shared)
    if (!variable.isDynamic)
      bytes = llvm::alignTo(bytes, std::max<int64_t>(variable.alignment, 1)) +
              variable.bytes;
  return bytes;
}
