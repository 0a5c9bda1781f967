//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SimulationReport.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/SimulationReport.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <map>

using namespace mlir;
using namespace mlir::top;
using llvm::format;
using llvm::StringRef;

namespace {

/// What Statistics and SiteCounts count, by name.
struct AccessKind {
  const char *name; ///< in the table
  const char *key;  ///< in JSON
  sim::AccessCounts sim::SiteCounts::*ofSite;
  sim::AccessCounts sim::Statistics::*total;
  bool isShared;
};
constexpr AccessKind kKinds[] = {
    {"global load", "global_load", &sim::SiteCounts::globalLoad,
     &sim::Statistics::globalLoad, false},
    {"global store", "global_store", &sim::SiteCounts::globalStore,
     &sim::Statistics::globalStore, false},
    {"shared load", "shared_load", &sim::SiteCounts::sharedLoad,
     &sim::Statistics::sharedLoad, true},
    {"shared store", "shared_store", &sim::SiteCounts::sharedStore,
     &sim::Statistics::sharedStore, true}};

/// Accesses of one kind by the sites of one op and location.
struct Line {
  const AccessKind *kind;
  const sim::Site *site; ///< the first
  unsigned sites = 0;
  sim::AccessCounts counts;
};

} // namespace

static double perRequest(uint64_t count, const sim::AccessCounts &counts) {
  return counts.requests ? static_cast<double>(count) / counts.requests : 0;
}

static std::vector<Line> getLines(const sim::Statistics &statistics,
                                  const sim::Program &program) {
  std::map<std::tuple<StringRef, StringRef, const AccessKind *>, Line> lines;
  for (auto [site, counts] : llvm::zip(program.sites, statistics.sites))
    for (const AccessKind &kind : kKinds) {
      const sim::AccessCounts &accesses = counts.*kind.ofSite;
      if (accesses.requests == 0)
        continue;
      Line &line = lines[{site.location, site.op, &kind}];
      if (line.sites++ == 0) {
        line.kind = &kind;
        line.site = &site;
      }
      line.counts += accesses;
    }
  std::vector<Line> sorted;
  for (auto &entry : lines)
    sorted.push_back(entry.second);
  llvm::stable_sort(sorted, [](const Line &a, const Line &b) {
    return a.counts.transactions > b.counts.transactions;
  });
  return sorted;
}

/// Sectors of global memory, wavefronts of shared memory; conflicts are those
/// among the latter.
static void printRatios(llvm::raw_ostream &os, const AccessKind &kind,
                        const sim::AccessCounts &counts) {
  os << format(kind.isShared ? "%.4g wavefronts" : "%.4g sectors",
               perRequest(counts.transactions, counts))
     << " a request";
  if (kind.isShared)
    os << format(", %.4g bank conflicts a request",
                 perRequest(counts.conflicts, counts));
}

void top::printSimulation(llvm::raw_ostream &os,
                          const sim::Statistics &statistics,
                          const sim::Program &program) {
  os << "simulated " << statistics.launches
     << (statistics.launches == 1 ? " launch, " : " launches, ")
     << statistics.blocks << " blocks, " << statistics.threads << " threads\n";
  for (const AccessKind &kind : kKinds) {
    const sim::AccessCounts &counts = statistics.*kind.total;
    os << "  " << kind.name << ": " << counts.requests << " requests, "
       << counts.bytes << " bytes, ";
    printRatios(os, kind, counts);
    os << '\n';
  }
  os << "  asynchronous copies: " << statistics.asyncCopy.requests
     << " requests, " << statistics.asyncCopy.bytes << " bytes\n"
     << "  multiply-adds of matrix instructions: " << statistics.multiplyAdds
     << '\n';
  std::map<StringRef, uint64_t> instructions;
  for (const auto &entry : statistics.instructions)
    instructions[entry.getKey()] = entry.getValue();
  for (auto [name, count] : instructions)
    os << "  " << name << ": " << count << " instructions of warps\n";
  os << "accesses of the last launch's module, by location and op\n";
  for (const Line &line : getLines(statistics, program)) {
    os << "  " << line.site->location << ": " << line.site->op << ", "
       << line.kind->name << ": " << line.counts.requests << " requests, "
       << line.counts.bytes << " bytes, ";
    printRatios(os, *line.kind, line.counts);
    if (line.sites > 1)
      os << ", at " << line.sites << " sites";
    os << '\n';
  }
}

static llvm::json::Object asJSON(const AccessKind &kind,
                                 const sim::AccessCounts &counts) {
  llvm::json::Object object{{"requests", static_cast<int64_t>(counts.requests)},
                            {"bytes", static_cast<int64_t>(counts.bytes)},
                            {kind.isShared ? "wavefronts" : "sectors",
                             static_cast<int64_t>(counts.transactions)}};
  if (kind.isShared)
    object["bank_conflicts"] = static_cast<int64_t>(counts.conflicts);
  return object;
}

llvm::json::Object top::simulationAsJSON(const sim::Statistics &statistics,
                                         const sim::Program &program) {
  llvm::json::Object object{
      {"launches", static_cast<int64_t>(statistics.launches)},
      {"blocks", static_cast<int64_t>(statistics.blocks)},
      {"threads", static_cast<int64_t>(statistics.threads)},
      {"multiply_adds", static_cast<int64_t>(statistics.multiplyAdds)},
      {"async_copy",
       llvm::json::Object{
           {"requests", static_cast<int64_t>(statistics.asyncCopy.requests)},
           {"bytes", static_cast<int64_t>(statistics.asyncCopy.bytes)}}}};
  for (const AccessKind &kind : kKinds)
    object[kind.key] = asJSON(kind, statistics.*kind.total);
  llvm::json::Object instructions;
  for (const auto &entry : statistics.instructions)
    instructions[entry.getKey()] = static_cast<int64_t>(entry.getValue());
  object["instructions"] = std::move(instructions);
  llvm::json::Array sites;
  for (const Line &line : getLines(statistics, program)) {
    llvm::json::Object entry = asJSON(*line.kind, line.counts);
    entry["location"] = line.site->location;
    entry["op"] = line.site->op;
    entry["access"] = line.kind->key;
    entry["sites"] = line.sites;
    sites.push_back(std::move(entry));
  }
  object["sites"] = std::move(sites);
  return object;
}

void top::printFaultNotes(llvm::raw_ostream &os,
                          llvm::ArrayRef<sim::Fault> faults, uint64_t total) {
  for (auto [number, fault] : llvm::enumerate(faults)) {
    llvm::SmallVector<StringRef> lines;
    StringRef(fault.message).split(lines, '\n');
    if (number != 0)
      os << "top-run: note: " << sim::getName(fault.kind) << ": "
         << lines.front() << '\n';
    for (StringRef line : llvm::drop_begin(lines))
      os << "top-run: note: " << line << '\n';
  }
  if (total > faults.size())
    os << "top-run: note: and " << total - faults.size() << " faults more\n";
}
