//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See top/Simulation/Machine.h: the machine's memory, and launches with their
// workers.
//
//===----------------------------------------------------------------------===//

#include "top/Simulation/Machine.h"
#include "Block.h"
#include "llvm/Support/FormatVariadic.h"
#include <mutex>
#include <thread>

using namespace mlir::top::sim;

struct Machine::Impl {
  explicit Impl(const MachineOptions &options)
      : options(options), memory(options.seed) {}

  MachineOptions options;
  GlobalMemory memory;
  /// One for each worker, kept for its stacks and tables.
  std::vector<std::unique_ptr<Block>> workers;
  Statistics statistics;
};

Machine::Machine(const MachineOptions &options)
    : impl(std::make_unique<Impl>(options)) {}
Machine::~Machine() = default;

llvm::Expected<uint64_t> Machine::allocate(int64_t bytes) {
  return impl->memory.allocate(bytes);
}

llvm::Error Machine::release(uint64_t address) {
  return impl->memory.release(address);
}

llvm::Error Machine::setWritable(uint64_t address, bool writable) {
  llvm::Expected<Buffer &> buffer = impl->memory.get(address);
  if (!buffer)
    return buffer.takeError();
  buffer->isWritable = writable;
  return llvm::Error::success();
}

llvm::Error Machine::write(uint64_t address, const void *from, int64_t bytes) {
  llvm::Expected<char *> to = impl->memory.access(address, bytes);
  if (!to)
    return to.takeError();
  if (bytes)
    std::memcpy(*to, from, bytes);
  return llvm::Error::success();
}

llvm::Error Machine::read(void *to, uint64_t address, int64_t bytes) {
  llvm::Expected<char *> from = impl->memory.access(address, bytes);
  if (!from)
    return from.takeError();
  if (bytes)
    std::memcpy(to, *from, bytes);
  return llvm::Error::success();
}

llvm::Error Machine::fill(uint64_t address, uint8_t value, int64_t bytes) {
  llvm::Expected<char *> to = impl->memory.access(address, bytes);
  if (!to)
    return to.takeError();
  if (bytes)
    std::memset(*to, value, bytes);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// What has come of the first block, in number, that did something wrong.
class Outcome {
public:
  Outcome(Launch &launch) : launch(launch) {}

  /// Takes the block that a worker has run. For one worker at a time.
  void add(Block &block) {
    if (block.faults.getTotal()) {
      setFaulty(block.number, block.faults.take(), block.faults.getTotal());
      return;
    }
    if (block.number > launch.firstFaulty)
      return;
    std::vector<GlobalConflict> conflicts;
    launch.races.add(block.number, block.globals, conflicts);
    if (!conflicts.empty())
      addConflicts(conflicts, block);
  }

  llvm::Error take() {
    if (!total)
      return llvm::Error::success();
    return llvm::make_error<FaultError>(std::move(faults), total);
  }

private:
  void setFaulty(uint32_t number, std::vector<Fault> newFaults,
                 uint64_t newTotal) {
    if (number >= launch.firstFaulty)
      return;
    launch.firstFaulty = number;
    faults = std::move(newFaults);
    total = newTotal;
  }

  void addConflicts(llvm::ArrayRef<GlobalConflict> conflicts,
                    const Block &block) {
    // Those of the first block whose turn it was.
    Faults found;
    found.reset(launch.options.maxFaults);
    const uint32_t number = conflicts.front().block;
    for (const GlobalConflict &conflict : conflicts)
      if (conflict.block == number &&
          found.isNew(Fault::Kind::GlobalRace, conflict.site,
                      conflict.otherSite))
        found.keep(Fault::Kind::GlobalRace, describe(conflict, block));
    const uint64_t count = found.getTotal();
    setFaulty(number, found.take(), count);
  }

  std::string describe(const GlobalConflict &conflict, const Block &block) {
    const std::array<uint32_t, 3> &grid = launch.shape.grid;
    auto print = [&](uint32_t number) -> std::string {
      return llvm::formatv("block ({0},{1},{2})", number % grid[0],
                           number / grid[0] % grid[1],
                           number / grid[0] / grid[1]);
    };
    auto getVerb = [](GlobalKind kind) {
      return kind == kGlobalRead    ? "reads"
             : kind == kGlobalWrite ? "writes"
                                    : "atomically updates";
    };
    return llvm::formatv(
        "{0} at {1}: {2} global memory {3}, which {4} {5} at {6}: nothing "
        "orders two blocks",
        print(conflict.block), block.describeSite(conflict.site),
        getVerb(conflict.kind), launch.memory.describe(conflict.address),
        print(conflict.otherBlock), getVerb(conflict.otherKind),
        block.describeSite(conflict.otherSite));
  }

  Launch &launch;
  std::vector<Fault> faults;
  uint64_t total = 0;
};
} // namespace

llvm::Error Machine::launch(const Program &program, const Kernel &kernel,
                            const LaunchShape &shape,
                            llvm::ArrayRef<void *> parameters) {
  if (!kernel.function)
    return llvm::createStringError("the kernel '" + kernel.name +
                                   "' has no code");
  if (parameters.size() != kernel.numParameters)
    return llvm::createStringError(
        llvm::formatv("the kernel '{0}' takes {1} parameters, got {2}",
                      kernel.name, kernel.numParameters, parameters.size()));
  Launch launch(program, kernel, shape, const_cast<void **>(parameters.data()),
                impl->options, impl->memory, impl->options.seed);
  if (llvm::Error error = prepare(launch))
    return error;

  unsigned numWorkers = impl->options.workers
                            ? impl->options.workers
                            : std::thread::hardware_concurrency();
  numWorkers = std::clamp(numWorkers, 1u, launch.blocks);
  // The first worker is needed; others help where there is room for them.
  for (unsigned i = 0; i < numWorkers; ++i) {
    if (impl->workers.size() <= i)
      impl->workers.push_back(std::make_unique<Block>());
    if (llvm::Error error = impl->workers[i]->prepare(launch)) {
      if (i == 0)
        return error;
      llvm::consumeError(std::move(error));
      numWorkers = i;
    }
  }

  std::mutex mutex;
  Outcome outcome(launch);
  auto work = [&](Block &block) {
    for (;;) {
      const uint32_t number = launch.nextBlock++;
      if (number >= launch.blocks || number > launch.firstFaulty)
        return;
      block.run(number);
      std::lock_guard<std::mutex> lock(mutex);
      outcome.add(block);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < numWorkers; ++i)
    threads.emplace_back(work, std::ref(*impl->workers[i]));
  work(*impl->workers.front());
  for (std::thread &thread : threads)
    thread.join();

  Statistics &statistics = impl->statistics;
  statistics.sites.assign(program.sites.size(), {});
  for (unsigned i = 0; i < numWorkers; ++i)
    impl->workers[i]->counters.addTo(statistics, launch);
  ++statistics.launches;
  return outcome.take();
}

const Statistics &Machine::getStatistics() const { return impl->statistics; }

void Machine::resetStatistics() { impl->statistics = {}; }
