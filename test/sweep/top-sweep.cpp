//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-sweep: runs many layer ops, tiled in both forms, against the independent
// reference, and compares what the compiler refuses with what the rules refuse.
//
//   top-sweep --cases=500 --seed=1        random cases
//   top-sweep --edge-cases=FILE           the rows of edge_cases.json
//   top-sweep ... --only=ID               one of them, printed in full
//
// A case is INVALID where the compiler refuses it and the rules of Case.h say
// that it must, with a diagnostic that names what they name. Everything else
// that does not compute the right numbers, a refusal of a legal case included,
// is a FAIL. Exit status 1 if there is one, 2 for usage.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "top/Execution/Compare.h"
#include "top/Execution/Reference.h"
#include "top/Execution/Runner.h"
#include "top/Execution/TensorInit.h"
#include "top/Execution/TileMap.h"
#include "top/InitAll.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;
using ::top::sweep::Case;

namespace cl = llvm::cl;

static cl::OptionCategory category("top-sweep options");
static cl::opt<int64_t> numCases("cases", cl::desc("random cases to run"),
                                 cl::init(500), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("of the random cases"),
                              cl::init(1), cl::cat(category));
static cl::opt<std::string> edgeCases("edge-cases",
                                      cl::desc("run the rows of this file"),
                                      cl::cat(category));
static cl::opt<std::string> only("only",
                                 cl::desc("run the case with this id or index"),
                                 cl::cat(category));
static cl::opt<unsigned> optLevel("opt-level",
                                  cl::desc("of the code generator"),
                                  cl::init(1), cl::cat(category));

/// Unrolled forms above this are tiled and verified but not run: LLVM would
/// take longer than the test is worth.
static constexpr int64_t maxUnrolledTiles = 1000;

namespace {

/// What became of a case.
struct Outcome {
  enum Kind { Right, Invalid, Failed } kind = Right;
  std::string text; ///< why it failed, or what refused it
  int runs = 0, notRun = 0;

  static Outcome fail(std::string text) { return {Failed, std::move(text)}; }
};

/// Runs one case in a context of its own.
class CaseRunner {
public:
  CaseRunner(const DialectRegistry &registry, const Case &test)
      : context(registry, MLIRContext::Threading::DISABLED), test(test),
        handler(&context, [this](Diagnostic &diagnostic) {
          llvm::raw_string_ostream(messages) << diagnostic << "\n";
        }) {}

  Outcome run();

private:
  Outcome runForm(ModuleOp module, bool unroll, ReferenceFunction &reference);
  void makeArguments();
  /// Compares a refusal with the rule that asked for it.
  Outcome refused(const std::optional<std::string> &rule, StringRef what);

  MLIRContext context;
  const Case &test;
  std::string messages; ///< diagnostics since they were last looked at
  ScopedDiagnosticHandler handler;
  std::vector<Tensor> arguments;
};

} // namespace

Outcome CaseRunner::refused(const std::optional<std::string> &rule,
                            StringRef what) {
  if (!rule)
    return Outcome::fail(("a legal case was refused by " + what + ": ").str() +
                         messages);
  if (messages.empty())
    return Outcome::fail((what + " refused without a diagnostic").str());
  if (!StringRef(messages).contains(*rule))
    return Outcome::fail("expected a diagnostic with '" + *rule +
                         "', got: " + messages);
  return {Outcome::Invalid, *rule};
}

void CaseRunner::makeArguments() {
  auto shapes = ::top::sweep::getArgumentShapes(test);
  ElementKind kinds[64];
  auto module =
      parseSourceString<ModuleOp>(::top::sweep::getModuleText(test), &context);
  auto func = *module->getOps<func::FuncOp>().begin();
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    kinds[i] = *getElementKind(cast<RankedTensorType>(type).getElementType());
  std::optional<Fill> fill = Fill::parse(
      test.fill == "const60" ? StringRef("const:60") : StringRef(test.fill));
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    Tensor tensor(kinds[i], shape);
    fillTensor(tensor, fill.value_or(Fill()), seed, i);
    arguments.push_back(std::move(tensor));
  }
  if (test.fill == "identity_arange") {
    fillIdentity(arguments[0]);
    fillArange(arguments[1]);
  } else if (test.fill == "nan_unread") {
    Conv2DAttrs attrs{test.strides, test.pads, test.dilations, test.group};
    poisonUnread(arguments[0], attrs, test.kh, test.kw);
  }
}

Outcome CaseRunner::runForm(ModuleOp original, bool unroll,
                            ReferenceFunction &reference) {
  const std::string form = unroll ? "form=unroll: " : "form=loop: ";
  OwningOpRef<ModuleOp> module = original.clone();
  PassManager passes(&context);
  std::string error;
  llvm::raw_string_ostream errorStream(error);
  if (failed(parsePassPipeline("func.func(top-tile{" +
                                   ::top::sweep::getTileOptions(test, unroll) +
                                   "})",
                               passes, errorStream)))
    return Outcome::fail(form + "bad pipeline: " + error);
  std::optional<std::string> rule = ::top::sweep::whyNotTileable(test, unroll);
  messages.clear();
  if (failed(passes.run(*module)))
    return refused(rule, form + "top-tile");
  if (rule)
    return Outcome::fail(form + "expected top-tile to refuse: " + *rule);

  func::FuncOp func = *module->getOps<func::FuncOp>().begin();
  int64_t tiles = 0;
  func.walk([&](Operation *op) { tiles += isa<Conv2DOp, MatMulOp>(op); });
  if (unroll && tiles > maxUnrolledTiles)
    return {Outcome::Right, "", 0, 1};

  CPUCompileOptions options;
  options.optLevel = optLevel;
  FailureOr<CompiledFunction> compiled = compileForCPU(*module, "f", options);
  if (failed(compiled))
    return Outcome::fail(form + "does not compile: " + messages);
  SmallVector<const Tensor *> args;
  for (const Tensor &tensor : arguments)
    args.push_back(&tensor);
  RunOptions runOptions;
  runOptions.guard = true;
  FailureOr<std::vector<Tensor>> results = compiled->run(args, runOptions);
  if (failed(results))
    return Outcome::fail(form + "does not run: " + messages);
  SampleOptions sample;
  sample.seed = seed;
  Comparison comparison =
      compareWithReference(results->front(), reference, 0, sample);
  if (comparison.isRight())
    return {Outcome::Right, "", 1, 0};
  if (!comparison.first)
    return Outcome::fail(form + comparison.shapeError);

  SmallVector<SmallVector<int64_t>> shapes;
  for (const Tensor &tensor : arguments)
    shapes.emplace_back(tensor.getShape());
  const Tensor &got = results->front();
  SmallVector<int64_t> at = got.delinearize(comparison.first->index);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << form << comparison.wrong << " of " << comparison.compared
     << " elements wrong, the first at [";
  llvm::interleaveComma(at, os);
  os << "]: got " << formatNumber(got.getKind(), comparison.first->got)
     << ", expected " << formatNumber(got.getKind(), comparison.first->expected)
     << ", " << findTile(func, 0, at, got.getShape(), shapes).str();
  return Outcome::fail(text);
}

Outcome CaseRunner::run() {
  std::optional<std::string> rule = ::top::sweep::whyInvalid(test);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(::top::sweep::getModuleText(test), &context);
  if (!module)
    return refused(rule, "the verifier");
  if (rule)
    return Outcome::fail("expected a refusal that names " + *rule);

  makeArguments();
  SmallVector<const Tensor *> args;
  for (const Tensor &tensor : arguments)
    args.push_back(&tensor);
  FailureOr<ReferenceFunction> reference =
      ReferenceFunction::create(*module->getOps<func::FuncOp>().begin(), args);
  if (failed(reference))
    return refused(::top::sweep::whyNotRunnable(test), "the reference");
  Outcome total;
  for (bool unroll : {false, true}) {
    Outcome outcome = runForm(*module, unroll, *reference);
    if (outcome.kind == Outcome::Failed)
      return outcome;
    // Refused in one form only (an unrolled dynamic axis) still counts as a
    // case that ran.
    if (outcome.kind == Outcome::Invalid && total.runs == 0)
      total = outcome;
    else if (outcome.kind == Outcome::Right)
      total.kind = Outcome::Right;
    total.runs += outcome.runs;
    total.notRun += outcome.notRun;
  }
  return total;
}

/// The cases that the flags ask for.
static llvm::Expected<std::vector<Case>> getCases() {
  if (!edgeCases.empty())
    return ::top::sweep::readEdgeCases(edgeCases);
  std::vector<Case> cases;
  for (int64_t i = 0; i < numCases; ++i)
    if (only.empty() || only == std::to_string(i))
      cases.push_back(::top::sweep::makeRandomCase(seed, i));
  return cases;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "compares tiled layer ops with a reference\n");
  llvm::Expected<std::vector<Case>> cases = getCases();
  if (!cases) {
    llvm::errs() << "top-sweep: " << llvm::toString(cases.takeError()) << "\n";
    return 2;
  }
  registerAllTopPasses();
  DialectRegistry registry;
  registerExecutionDialects(registry);

  int64_t passed = 0, failed = 0, valid = 0, invalid = 0, runs = 0, notRun = 0,
          large = 0, selected = 0;
  for (const Case &test : *cases) {
    if (!only.empty() && !edgeCases.empty() && only != test.id)
      continue;
    ++selected;
    if (!only.empty())
      llvm::outs() << ::top::sweep::getModuleText(test) << "// top-tile{"
                   << ::top::sweep::getTileOptions(test, false) << "}, fill "
                   << test.fill << "\n";
    if (test.isLarge) {
      ++large;
      continue;
    }
    Outcome outcome = CaseRunner(registry, test).run();
    // The file's own word must agree with the rules.
    if (!edgeCases.empty() && outcome.kind != Outcome::Failed &&
        test.isInvalid != (outcome.kind == Outcome::Invalid))
      outcome = Outcome::fail(test.isInvalid ? "the file says invalid"
                                             : "the file says valid");
    runs += outcome.runs;
    notRun += outcome.notRun;
    if (outcome.kind == Outcome::Failed) {
      ++failed;
      llvm::outs() << "FAIL " << test.id << ": " << outcome.text << "\n"
                   << ::top::sweep::getModuleText(test) << "// top-tile{"
                   << ::top::sweep::getTileOptions(test, false) << "}, fill "
                   << test.fill << "\n";
      continue;
    }
    ++passed;
    (outcome.kind == Outcome::Right ? valid : invalid) += 1;
    if (!only.empty())
      llvm::outs() << (outcome.kind == Outcome::Right ? "RIGHT" : "INVALID")
                   << " " << outcome.text << "\n";
  }
  if (selected == 0) {
    llvm::errs() << "top-sweep: no case to run\n";
    return 2;
  }
  llvm::outs() << selected << " cases: " << valid << " valid and right ("
               << valid * 100 / selected << " %), " << invalid
               << " refused as they must be, " << large
               << " large ones left out; " << runs << " runs, " << notRun
               << " unrolled forms of over " << maxUnrolledTiles
               << " tiles not run\n";
  llvm::outs() << passed << " passed, " << failed << " failed\n";
  return failed != 0;
}
