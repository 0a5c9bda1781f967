//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launch plans on a driver made for tests: copies, limits, guards, failures
// and timing.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/PlanRunner.h"
#include "FakeCublas.h"
#include "Parse.h"
#include "top/Execution/TensorInit.h"

#include <cmath>
#include <cstring>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::top;
using llvm::Expected;

namespace {

std::string take(llvm::Error error) { return llvm::toString(std::move(error)); }

class PlanRunnerTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto opened = CudaContext::create(fake.getFunctions());
    ASSERT_TRUE(bool(opened)) << take(opened.takeError());
    cuda = std::move(*opened);
  }
  void TearDown() override {
    cuda.reset();
    EXPECT_EQ(fake.numLive(), 0);
  }

  unsigned addBuffer(LaunchPlan &plan, PlanBuffer::Kind kind, unsigned index,
                     ArrayRef<int64_t> shape) {
    int64_t bytes = 4;
    for (int64_t extent : shape)
      bytes *= extent;
    const unsigned number = plan.buffers.size();
    plan.buffers.push_back({kind, index, Float32Type::get(&context),
                            SmallVector<int64_t>(shape), bytes, nullptr});
    if (kind == PlanBuffer::Argument)
      plan.arguments.push_back(number);
    if (kind == PlanBuffer::Result)
      plan.results.push_back(number);
    return number;
  }
  /// A launch of `scale`, which writes result[i] = 2 * argument[i].
  LaunchPlan makeScalePlan() {
    LaunchPlan plan;
    plan.function = "f";
    addBuffer(plan, PlanBuffer::Argument, 0, {4});
    addBuffer(plan, PlanBuffer::Result, 0, {4});
    plan.steps.push_back(PlanLaunch{
        "scale", {1, 1, 1}, {32, 1, 1}, 1024, {{0, 0, {}}, {1, 0, {}}}});
    fake.kernels["scale"] = {2, [](const std::vector<uint64_t> &parameters) {
                               auto *in = asFloats(parameters[0]);
                               auto *out = asFloats(parameters[1]);
                               for (int i = 0; i < 4; ++i)
                                 out[i] = 2 * in[i];
                             }};
    return plan;
  }
  static float *asFloats(uint64_t address) {
    return reinterpret_cast<float *>(address);
  }
  /// The results, or what went wrong.
  Expected<std::vector<Tensor>> run(const LaunchPlan &plan,
                                    ArrayRef<const Tensor *> arguments,
                                    bool guarded = true) {
    Expected<PlanRunner> runner = PlanRunner::create(*cuda, plan, "ptx");
    if (!runner)
      return runner.takeError();
    return runner->run(arguments, guarded);
  }
  std::string runAndFail(const LaunchPlan &plan, bool guarded = true) {
    Expected<std::vector<Tensor>> results = run(plan, {&input}, guarded);
    return results ? "no error" : take(results.takeError());
  }

  MLIRContext context;
  FakeCuda fake;
  std::unique_ptr<CudaContext> cuda;
  Tensor input = makeTensor(ElementKind::F32, {4}, {1, 2, 3, 4});
};

TEST_F(PlanRunnerTest, Launch) {
  LaunchPlan plan = makeScalePlan();
  std::get<PlanLaunch>(plan.steps[0]).grid = {3, 2, 1};
  for (bool guarded : {false, true}) {
    auto results = run(plan, {&input}, guarded);
    ASSERT_TRUE(bool(results)) << take(results.takeError());
    ASSERT_EQ(results->size(), 1u);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ((*results)[0].get(i), 2 * (i + 1));
  }
  ASSERT_EQ(fake.launches.size(), 2u);
  EXPECT_EQ(fake.launches[0].kernel, "scale");
  EXPECT_EQ(fake.launches[0].grid, (std::array<unsigned, 3>{3, 2, 1}));
  EXPECT_EQ(fake.launches[0].block, (std::array<unsigned, 3>{32, 1, 1}));
  EXPECT_EQ(fake.launches[0].sharedBytes, 1024u);
}

TEST_F(PlanRunnerTest, OffsetsAndScalars) {
  LaunchPlan plan = makeScalePlan();
  auto &launch = std::get<PlanLaunch>(plan.steps[0]);
  launch.arguments = {{0, 8, {}}, {1, 4, {}}, {0, 0, -7}};
  uint64_t in = 0, out = 0, scalar = 0;
  fake.kernels["scale"] = {3, [&](const std::vector<uint64_t> &parameters) {
                             in = parameters[0];
                             out = parameters[1];
                             scalar = parameters[2];
                             // What it does not write is NaN.
                             asFloats(out)[0] = asFloats(in)[1];
                           }};
  auto results = run(plan, {&input});
  ASSERT_TRUE(bool(results)) << take(results.takeError());
  EXPECT_EQ(static_cast<int64_t>(scalar), -7);
  EXPECT_TRUE(std::isnan((*results)[0].get(0)));
  EXPECT_EQ((*results)[0].get(1), 4);
  EXPECT_TRUE(std::isnan((*results)[0].get(2)));
}

TEST_F(PlanRunnerTest, Constant) {
  LaunchPlan plan = makeScalePlan();
  unsigned constant = addBuffer(plan, PlanBuffer::Constant, 0, {4});
  auto type = RankedTensorType::get({4}, Float32Type::get(&context));
  plan.buffers[constant].values =
      DenseElementsAttr::get(type, ArrayRef<float>{5, 6, 7, 8});
  std::get<PlanLaunch>(plan.steps[0]).arguments[0].buffer = constant;
  auto results = run(plan, {&input});
  ASSERT_TRUE(bool(results)) << take(results.takeError());
  EXPECT_EQ((*results)[0].get(3), 16);

  fake.kernels["scale"].body = [](const std::vector<uint64_t> &parameters) {
    asFloats(parameters[0])[0] = 0;
  };
  EXPECT_EQ(runAndFail(plan), "wrote into a constant");
}

TEST_F(PlanRunnerTest, EmptyBuffers) {
  LaunchPlan plan;
  addBuffer(plan, PlanBuffer::Argument, 0, {0, 3});
  addBuffer(plan, PlanBuffer::Result, 0, {0, 3});
  Tensor empty(ElementKind::F32, {0, 3});
  for (bool guarded : {false, true}) {
    auto results = run(plan, {&empty}, guarded);
    ASSERT_TRUE(bool(results)) << take(results.takeError());
    EXPECT_EQ((*results)[0].getNumElements(), 0);
  }
  // Without a launch there is no PTX to load.
  EXPECT_EQ(fake.numCalls("cuModuleLoadDataEx"), 0);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

TEST_F(PlanRunnerTest, WritesOutside) {
  LaunchPlan plan = makeScalePlan();
  addBuffer(plan, PlanBuffer::Workspace, 0, {3});
  std::get<PlanLaunch>(plan.steps[0]).arguments.push_back({2, 0, {}});
  struct Case {
    unsigned parameter;
    int64_t element;
    const char *error;
  };
  for (const Case &c : {Case{0, -1, "wrote outside of argument #0"},
                        Case{0, 0, "wrote into argument #0"},
                        Case{0, 4, "wrote outside of argument #0"},
                        Case{1, -1024, "wrote outside of result #0"},
                        Case{1, 4, "wrote outside of result #0"},
                        Case{1, 1027, "wrote outside of result #0"},
                        Case{2, 3, "wrote outside of a buffer of its own"}}) {
    fake.kernels["scale"] = {3, [&](const std::vector<uint64_t> &parameters) {
                               asFloats(parameters[c.parameter])[c.element] = 0;
                             }};
    EXPECT_EQ(runAndFail(plan), c.error) << c.parameter << ' ' << c.element;
  }
}

//===----------------------------------------------------------------------===//
// Limits and failures
//===----------------------------------------------------------------------===//

TEST_F(PlanRunnerTest, LaunchLimits) {
  struct Case {
    std::array<int64_t, 3> grid, block;
    int64_t sharedBytes;
    const char *error;
  };
  const Case cases[] = {
      {{1, 70000, 1},
       {32, 1, 1},
       0,
       "needs a grid of 70000 along y, but 'NVIDIA A100-SXM4-40GB' allows 1 to "
       "65535"},
      {{0, 1, 1},
       {32, 1, 1},
       0,
       "needs a grid of 0 along x, but 'NVIDIA A100-SXM4-40GB' allows 1 to "
       "2147483647"},
      {{1, 1, 1},
       {1, 1, 65},
       0,
       "needs a block of 65 along z, but 'NVIDIA A100-SXM4-40GB' allows 1 to "
       "64"},
      {{1, 1, 1},
       {64, 32, 1},
       0,
       "needs 2048 threads a block, but 'NVIDIA A100-SXM4-40GB' allows 1024"},
      {{1, 1, 1},
       {1024, 1, 1},
       0,
       "needs 1024 threads a block, but with 128 registers a thread it can "
       "have 512"},
      {{1, 1, 1},
       {512, 1, 1},
       166800,
       "needs 166928 bytes of shared memory, but 'NVIDIA A100-SXM4-40GB' "
       "allows 166912"}};
  LaunchPlan good = makeScalePlan();
  fake.kernels["scale"].maxThreads = 512;
  fake.kernels["scale"].registers = 128;
  fake.kernels["scale"].staticSharedBytes = 128;
  for (const Case &c : cases) {
    // A good launch in front of it is not begun either.
    LaunchPlan plan = makeScalePlan();
    fake.kernels["scale"].maxThreads = 512;
    fake.kernels["scale"].registers = 128;
    fake.kernels["scale"].staticSharedBytes = 128;
    plan.steps.push_back(PlanLaunch{
        "scale", c.grid, c.block, c.sharedBytes, {{0, 0, {}}, {1, 0, {}}}});
    EXPECT_EQ(runAndFail(plan),
              std::string("cannot launch kernel 'scale': it ") + c.error);
    EXPECT_TRUE(fake.launches.empty());
  }
  // All that is allowed; above 48 KiB only after opting in.
  std::get<PlanLaunch>(good.steps[0]).block = {512, 1, 1};
  std::get<PlanLaunch>(good.steps[0]).sharedBytes = 166912 - 128;
  EXPECT_EQ(runAndFail(good), "no error");
  EXPECT_EQ(fake.launches.size(), 1u);
}

TEST_F(PlanRunnerTest, MissingKernelAndJitErrors) {
  LaunchPlan plan = makeScalePlan();
  std::get<PlanLaunch>(plan.steps[0]).kernel = "other";
  EXPECT_EQ(runAndFail(plan),
            "cuModuleGetFunction failed: error 500 for kernel 'other'");
  fake.failures["cuModuleLoadDataEx"] = 218;
  fake.jitLog = "ptxas application ptx input, line 9; fatal : Parsing error\n"
                "ptxas fatal : Ptx assembly aborted\n";
  EXPECT_EQ(runAndFail(plan),
            "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX: ptxas "
            "application ptx input, line 9; fatal : Parsing error; ptxas fatal "
            ": Ptx assembly aborted");
}

/// Whichever call fails, the error names it, nothing is left behind, and the
/// next run is right.
TEST_F(PlanRunnerTest, EveryCallMayFail) {
  LaunchPlan plan = makeScalePlan();
  addBuffer(plan, PlanBuffer::Result, 1, {2, 2});
  plan.steps.push_back(PlanCopy{1, 2, 0, 0, {4}, {4}, {4}, 4});
  addBuffer(plan, PlanBuffer::Result, 2, {4, 2});
  plan.steps.push_back(PlanCopy{1, 3, 0, 0, {4}, {4}, {8}, 4});
  plan.after = {{}, {0}, {0}}; // streams and events
  Expected<PlanRunner> runner = PlanRunner::create(*cuda, plan, "ptx");
  ASSERT_TRUE(bool(runner)) << take(runner.takeError());
  fake.calls.clear();
  PlanTimingOptions brief;
  brief.blocks = 1;
  auto attempt = [&]() -> std::string {
    auto results = runner->run({&input}, /*guarded=*/true);
    if (!results)
      return take(results.takeError());
    auto timing = runner->benchmark({&input}, brief);
    return timing ? "" : take(timing.takeError());
  };
  ASSERT_EQ(attempt(), "");
  const std::set<std::string> used(fake.calls.begin(), fake.calls.end());
  EXPECT_TRUE(used.count("cuMemcpy2DAsync_v2"));
  EXPECT_TRUE(used.count("cuGraphLaunch"));
  EXPECT_TRUE(used.count("cuStreamWaitEvent"));
  const int live = fake.numLive();
  for (const std::string &call : used) {
    // What is given back is not reported, see CudaOwned.
    if (StringRef(call).contains("Destroy") || StringRef(call).contains("Free"))
      continue;
    fake.failures[call] = 700;
    EXPECT_TRUE(StringRef(attempt()).starts_with(
        call + " failed: CUDA_ERROR_ILLEGAL_ADDRESS"))
        << call;
    fake.failures.clear();
    EXPECT_EQ(fake.numLive(), live) << call;
  }
  EXPECT_EQ(attempt(), "");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(BoxCopyTest, Pieces) {
  auto plan = [](SmallVector<int64_t> shape, SmallVector<int64_t> source,
                 SmallVector<int64_t> destination, int64_t maxPitch = 1 << 30) {
    return planBoxCopy({0, 1, 0, 0, shape, source, destination, 4}, maxPitch);
  };
  // All dense: one row, whatever the order of the dimensions.
  BoxCopy whole = plan({2, 3, 5}, {60, 20, 4}, {60, 20, 4});
  EXPECT_EQ(whole.width, 120);
  EXPECT_EQ(whole.rows, 1);
  EXPECT_TRUE(whole.loops.empty());
  EXPECT_EQ(plan({5, 3}, {4, 20}, {4, 20}).width, 60);
  // A slice of rows out of planes: planes of 40 bytes at pitches 60 and 40.
  BoxCopy slice = plan({3, 2, 5}, {60, 20, 4}, {40, 20, 4});
  EXPECT_EQ(slice.width, 40);
  EXPECT_EQ(slice.rows, 3);
  EXPECT_EQ(slice.sourcePitch, 60);
  EXPECT_EQ(slice.destinationPitch, 40);
  // A slice of columns: the planes go on where one another end.
  BoxCopy columns = plan({3, 2, 5}, {80, 40, 4}, {40, 20, 4});
  EXPECT_EQ(columns.width, 20);
  EXPECT_EQ(columns.rows, 6);
  EXPECT_TRUE(columns.loops.empty());
  // A transpose: the longer dimension is the rows.
  BoxCopy transposed = plan({3, 7}, {28, 4}, {4, 12});
  EXPECT_EQ(transposed.width, 4);
  EXPECT_EQ(transposed.rows, 7);
  EXPECT_EQ(transposed.loops.size(), 1u);
  // A broadcast has no pitch, and a pitch may be too large.
  EXPECT_EQ(plan({9}, {0}, {4}).rows, 1);
  EXPECT_EQ(plan({9}, {0}, {4}).loops.size(), 1u);
  EXPECT_EQ(plan({9}, {400}, {4}, /*maxPitch=*/399).rows, 1);
  EXPECT_EQ(plan({9, 0}, {4, 4}, {4, 4}).rows, 0);
  // Scalars, of rank 0.
  EXPECT_EQ(plan({}, {}, {}).width, 4);
}

TEST_F(PlanRunnerTest, StridedCopies) {
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  for (int round = 0; round < 300; ++round) {
    const int64_t rank = pick(1, 4);
    SmallVector<int64_t> shape, sourceShape, targetShape;
    for (int64_t d = 0; d < rank; ++d) {
      shape.push_back(pick(1, 4));
      sourceShape.push_back(shape.back() + pick(0, 2));
      targetShape.push_back(shape.back() + pick(0, 2));
    }
    // A dimension of the box is one of the buffer's, in some order.
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (pick(0, 1))
      std::shuffle(order.begin(), order.end(), random);
    auto place = [&](ArrayRef<int64_t> extents, ArrayRef<int64_t> order,
                     SmallVectorImpl<int64_t> &strides, int64_t &offset,
                     SmallVectorImpl<int64_t> &bufferShape) {
      strides.resize(rank);
      offset = 0;
      int64_t stride = 4;
      for (int64_t i = rank; i-- > 0;) {
        const int64_t d = order[i];
        strides[d] = stride;
        offset += pick(0, extents[d] - shape[d]) * stride;
        stride *= extents[d];
      }
      for (int64_t d : order)
        bufferShape.push_back(extents[d]);
    };
    PlanCopy copy{0, 1, 0, 0, shape, {}, {}, 4};
    SmallVector<int64_t> inShape, outShape;
    place(sourceShape, llvm::to_vector(llvm::seq<int64_t>(0, rank)),
          copy.sourceStrides, copy.sourceOffset, inShape);
    place(targetShape, order, copy.destinationStrides, copy.destinationOffset,
          outShape);

    LaunchPlan plan;
    addBuffer(plan, PlanBuffer::Argument, 0, inShape);
    addBuffer(plan, PlanBuffer::Result, 0, outShape);
    plan.steps.push_back(copy);
    Tensor in(ElementKind::F32, inShape);
    fillArange(in);
    // One by one.
    Tensor expected(ElementKind::F32, outShape);
    expected.poison();
    Tensor box(ElementKind::F32, shape);
    for (int64_t i = 0; i < box.getNumElements(); ++i) {
      int64_t from = copy.sourceOffset, to = copy.destinationOffset;
      for (auto [d, at] : llvm::enumerate(box.delinearize(i))) {
        from += at * copy.sourceStrides[d];
        to += at * copy.destinationStrides[d];
      }
      expected.set(to / 4, in.get(from / 4));
    }
    auto results = run(plan, {&in});
    ASSERT_TRUE(bool(results)) << take(results.takeError());
    ASSERT_EQ(std::memcmp((*results)[0].getData(), expected.getData(),
                          expected.getNumBytes()),
              0)
        << "round " << round;
  }
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

TEST_F(PlanRunnerTest, Benchmark) {
  LaunchPlan plan = makeScalePlan();
  Expected<PlanRunner> runner = PlanRunner::create(*cuda, plan, "ptx");
  ASSERT_TRUE(bool(runner)) << take(runner.takeError());
  auto timing = runner->benchmark({&input}, PlanTimingOptions());
  ASSERT_TRUE(bool(timing)) << take(timing.takeError());
  // An L2 of 1000 bytes, 32 bytes a call; a replay takes 80 ms.
  EXPECT_EQ(timing->sets, 63);
  EXPECT_EQ(timing->rotatedBytes, 63 * 32);
  EXPECT_EQ(timing->ours.calls, 63);
  EXPECT_FALSE(timing->baseline);
  ASSERT_EQ(timing->ours.blocks.size(), 5u);
  // Four, though a tenth of a second is over after two.
  for (const TimedBlock &block : timing->ours.blocks)
    EXPECT_EQ(block.seconds.size(), 4u);
  const std::vector<double> seconds = timing->ours.getSortedSeconds();
  ASSERT_EQ(seconds.size(), 20u);
  EXPECT_NEAR(seconds[0], 0.08 / 63, 1e-9);
  // Three say how long one takes, two warm up, and before each series there is
  // one that is not timed.
  EXPECT_EQ(fake.numCalls("cuGraphLaunch"), 4 + 3 + 5 * 5);
  std::set<uint64_t> outputs;
  for (const FakeCuda::Launch &launch : fake.launches)
    outputs.insert(launch.parameters[1]);
  EXPECT_EQ(outputs.size(), 63u);
}

/// Short runs make up longer graphs, and buffers of the plan's own do not count
/// as what is gone through.
TEST_F(PlanRunnerTest, BenchmarkOfShortCalls) {
  LaunchPlan plan = makeScalePlan();
  addBuffer(plan, PlanBuffer::Workspace, 0, {1000});
  Expected<PlanRunner> runner = PlanRunner::create(*cuda, plan, "ptx");
  ASSERT_TRUE(bool(runner)) << take(runner.takeError());
  PlanTimingOptions options;
  options.replaySeconds = 0.25; // 80 ms a graph
  options.blocks = 1;
  auto timing = runner->benchmark({&input}, options);
  ASSERT_TRUE(bool(timing)) << take(timing.takeError());
  EXPECT_EQ(timing->sets, 63);
  EXPECT_EQ(timing->ours.calls, 4 * 63);
  // As many as a graph may have.
  options.replaySeconds = 1e3;
  timing = runner->benchmark({&input}, options);
  ASSERT_TRUE(bool(timing)) << take(timing.takeError());
  EXPECT_EQ(timing->ours.calls, kMaxGraphNodes / 63 * 63);
}

/// A library that computes the plan's function on the host.
class ScaleLibrary : public Baseline {
public:
  explicit ScaleLibrary(FakeCuda &fake) : fake(fake) {}
  StringRef getName() const override { return "lib"; }
  std::string getVersion() const override { return "1"; }
  llvm::Error begin(const CudaStream &) override {
    ++begun;
    return llvm::Error::success();
  }
  void end() override { ++ended; }
  llvm::Error enqueue(ArrayRef<CudaAddress> arguments,
                      CudaAddress result) override {
    inputs.insert(arguments[0]);
    outputs.insert(result);
    const CudaAddress from = arguments[0];
    fake.enqueue([=] {
      for (int i = 0; i < 4; ++i)
        reinterpret_cast<float *>(result)[i] =
            2 * reinterpret_cast<const float *>(from)[i];
    });
    return llvm::Error::success();
  }

  FakeCuda &fake;
  int begun = 0, ended = 0;
  std::set<uint64_t> inputs, outputs;
};

TEST_F(PlanRunnerTest, BenchmarkInTurns) {
  LaunchPlan plan = makeScalePlan();
  Expected<PlanRunner> runner = PlanRunner::create(*cuda, plan, "ptx");
  ASSERT_TRUE(bool(runner)) << take(runner.takeError());
  ScaleLibrary library(fake);
  FakeNvml nvml;
  std::unique_ptr<DeviceMonitor> monitor =
      DeviceMonitor::create(&nvml.getFunctions(), *cuda);
  ASSERT_TRUE(monitor);
  EXPECT_EQ(nvml.busId, "0000:19:00.0");
  PlanTimingOptions options;
  options.baseline = &library;
  options.monitor = monitor.get();
  options.blocks = 2;
  std::vector<std::string> order;
  options.onBlock = [&](StringRef name, int number, const TimedBlock &block) {
    order.push_back((name + " " + Twine(number)).str());
    EXPECT_EQ(block.state.smMHz, 1755u);
    EXPECT_EQ(block.state.memoryMHz, 3201u);
    EXPECT_EQ(block.state.celsius, 45u);
    EXPECT_EQ(block.state.watts, 650.4);
  };
  auto timing = runner->benchmark({&input}, options);
  ASSERT_TRUE(bool(timing)) << take(timing.takeError());
  EXPECT_EQ(order,
            (std::vector<std::string>{"ours 0", "lib 1", "ours 2", "lib 3"}));
  ASSERT_TRUE(timing->baseline);
  EXPECT_EQ(timing->baseline->blocks.size(), 2u);
  EXPECT_EQ(timing->baseline->calls, 63);
  EXPECT_EQ(library.begun, 1);
  EXPECT_EQ(library.ended, 1);
  ASSERT_EQ(timing->baselineResults.size(), 1u);
  EXPECT_EQ(timing->baselineResults[0].get(3), 8);
  // Both on the very same buffers.
  std::set<uint64_t> inputs, outputs;
  for (const FakeCuda::Launch &launch : fake.launches) {
    inputs.insert(launch.parameters[0]);
    outputs.insert(launch.parameters[1]);
  }
  EXPECT_EQ(library.inputs, inputs);
  EXPECT_EQ(library.outputs, outputs);
  // What a device does not tell is left out.
  nvml.hasPower = false;
  EXPECT_FALSE(monitor->read().watts);
  EXPECT_TRUE(monitor->read().smMHz);
  monitor.reset();
  EXPECT_EQ(nvml.numOpen, 0);
  nvml.isDeviceKnown = false;
  EXPECT_FALSE(DeviceMonitor::create(&nvml.getFunctions(), *cuda));
  EXPECT_EQ(nvml.numOpen, 0);
}

} // namespace
