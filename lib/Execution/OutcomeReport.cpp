//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the results of a run compare, see OutcomeReport.h.
//
//===----------------------------------------------------------------------===//

#include "OutcomeReport.h"

#include "top/Execution/BenchReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::top;

/// How the results were compared with a compiled reference: the loosest of
/// their criteria.
static std::string describeCriterion(const Verification &verification) {
  auto loosest = llvm::max_element(
      verification.results, [](const Comparison &a, const Comparison &b) {
        return std::tie(a.criterion, a.tolerance) <
               std::tie(b.criterion, b.tolerance);
      });
  if (loosest == verification.results.end())
    return "";
  std::string text;
  llvm::raw_string_ostream out(text);
  switch (loosest->criterion) {
  case Criterion::Bounds:
    break;
  case Criterion::Exact:
    out << ", equality asked for";
    break;
  case Criterion::OwnError:
    out << llvm::format(" in double, tolerance %.3g (own rounding error %.3g)",
                        loosest->tolerance, loosest->ownError);
    break;
  case Criterion::Tolerance:
    out << llvm::format(", tolerance %.3g", loosest->tolerance);
    if (!verification.notInDouble.empty())
      out << " (not run in double: " << verification.notInDouble << ')';
    break;
  }
  return text;
}

void top::printOutcome(raw_ostream &os, StringRef function,
                       ArrayRef<Tensor> results,
                       const Verification *verification, int64_t repeats) {
  if (!verification) {
    os << "RAN " << function << ": " << results.size()
       << (results.size() == 1 ? " result" : " results") << ", not compared";
    if (repeats > 1)
      os << ", " << repeats << " runs equal";
    os << '\n';
    return;
  }
  Comparison sum;
  for (const Comparison &result : verification->results) {
    sum.total += result.total;
    sum.compared += result.compared;
    sum.undetermined += result.undetermined;
    sum.nonFinite += result.nonFinite;
    sum.wrong += result.wrong;
    sum.maxAbsoluteError =
        std::max(sum.maxAbsoluteError, result.maxAbsoluteError);
    sum.maxRelativeError =
        std::max(sum.maxRelativeError, result.maxRelativeError);
  }
  auto printNumbers = [&] {
    os << "compared " << sum.compared << " of " << sum.total << " elements";
    if (sum.compared + sum.undetermined < sum.total)
      os << " (a sample)";
    os << " with the "
       << (verification->evaluated ? "reference in double"
                                   : "reference lowered by upstream passes")
       << describeCriterion(*verification) << ", max absolute error "
       << llvm::format("%.3g", sum.maxAbsoluteError) << ", max relative error "
       << llvm::format("%.3g", sum.maxRelativeError);
    if (sum.nonFinite)
      os << ", " << sum.nonFinite << " elements not finite in both";
    if (sum.undetermined)
      os << ", " << sum.undetermined << " elements undetermined";
  };
  if (verification->isRight()) {
    os << "PASS " << function << ": ";
    printNumbers();
    if (repeats > 1)
      os << ", " << repeats << " runs equal";
    os << '\n';
    return;
  }
  os << function << ": " << sum.wrong << " elements wrong, ";
  printNumbers();
  os << '\n';
}

/// The same for results that are equal bit by bit, on whatever machine.
static std::string getDigest(const Tensor &tensor) {
  return llvm::utohexstr(
      llvm::xxh3_64bits(
          ArrayRef(reinterpret_cast<const uint8_t *>(tensor.getData()),
                   tensor.getNumBytes())),
      /*LowerCase=*/true, /*Width=*/16);
}

llvm::json::Array top::outcomeAsJSON(ArrayRef<Tensor> results,
                                     const Verification *verification) {
  llvm::json::Array array;
  for (auto [number, tensor] : llvm::enumerate(results)) {
    llvm::json::Object object{{"shape", llvm::json::Array(tensor.getShape())},
                              {"type", getFormat(tensor.getKind()).name},
                              {"digest", getDigest(tensor)}};
    if (verification) {
      const Comparison &outcome = verification->results[number];
      object["elements"] = outcome.total;
      object["compared"] = outcome.compared;
      object["wrong"] = outcome.wrong;
      object["undetermined"] = outcome.undetermined;
      object["max_absolute_error"] = outcome.maxAbsoluteError;
      object["max_relative_error"] = outcome.maxRelativeError;
      if (outcome.criterion == Criterion::OwnError ||
          outcome.criterion == Criterion::Tolerance)
        object["tolerance"] = outcome.tolerance;
      if (outcome.first) {
        const Tile &tile = verification->tiles[number];
        object["first_wrong"] = llvm::json::Object{
            {"element",
             llvm::json::Array(tensor.delinearize(outcome.first->index))},
            {"got", numberAsJson(outcome.first->got)},
            {"expected", numberAsJson(outcome.first->expected)},
            {"tile_begin", llvm::json::Array(tile.begin)},
            {"tile_end", llvm::json::Array(tile.end)},
            {"pads", llvm::json::Array(tile.pads)}};
      }
    }
    array.push_back(std::move(object));
  }
  return array;
}
