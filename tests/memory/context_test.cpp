// Choosing device, model and executor by options and environment; streams of threads; fork.
// SPDX-License-Identifier: Apache-2.0
#include "memory/context.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

#include "memory/pools.h"
#include "memory/simulated_device.h"
#include "zeroplane/image.h"

namespace zp::test {
namespace {

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (had_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

class ContextTest : public testing::Test {
 protected:
  void TearDown() override { initialize({.device = "none", .memory_model = "auto", .executor = "auto"}); }
};

TEST_F(ContextTest, NoneIsThePlainCpu) {
  initialize({.device = "none"});
  const DeviceReport report = device_report();
  EXPECT_EQ(report.model, MemoryModel::no_device);
  EXPECT_EQ(report.runtime, "none");
  EXPECT_EQ(report.executor, "auto");
  EXPECT_EQ(report.device, "");
  EXPECT_EQ(report.ordinal, -1);
  expect_words(report.reason, {"none"});
  EXPECT_EQ(memory_model(), MemoryModel::no_device);
  expect_words(message_of(ErrorKind::device, [] { memory::thread_stream(*memory::context()); }), {"no device"});
}

TEST_F(ContextTest, SimulatedDevicesHaveTheModelTheyImitate) {
  for (MemoryModel model : {MemoryModel::unified, MemoryModel::discrete, MemoryModel::coherent}) {
    initialize({.device = "simulated:" + std::string(name_of(model))});
    const DeviceReport report = device_report();
    EXPECT_EQ(report.model, model);
    EXPECT_EQ(report.runtime, "simulated");
    EXPECT_FALSE(report.device.empty());
    EXPECT_FALSE(report.reason.empty());
    EXPECT_GT(report.multiprocessors, 0);
    EXPECT_EQ(report.pageable_access, model == MemoryModel::coherent);
  }
}

TEST_F(ContextTest, AutoWithoutAGpuIsNoneAndKeepsTheReason) {
  initialize({.device = "auto"});
  const DeviceReport report = device_report();
  if (report.runtime == "cuda") GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(report.runtime, "none");
  EXPECT_GT(report.reason.size(), 5u);
  if (!device::cuda_built_in()) expect_words(report.reason, {"built without CUDA"});
}

TEST_F(ContextTest, CudaByNameWithoutAGpuIsADeviceErrorWithTheReason) {
  try {
    initialize({.device = "cuda"});
    GTEST_SKIP() << "this machine has a GPU";
  } catch (const Error&) {
  }
  for (const char* word : {"cuda", "cuda:0", "cuda:7"}) {
    const std::string message = message_of(ErrorKind::device, [&] { initialize({.device = word}); });
    expect_words(message, {word});
    if (!device::cuda_built_in()) expect_words(message, {"built without CUDA"});
  }
}

TEST_F(ContextTest, UnknownWordsAreRefusedWithTheLegalOnes) {
  for (const char* word : {"gpu", "simulated", "simulated:", "simulated:none", "cuda:", "cuda:x", "cuda:-1", "cuda:1x",
                           "cuda:99999999999", "None", " none", "none "})
    expect_words(message_of(ErrorKind::invalid_argument, [&] { initialize({.device = word}); }),
                 {"Options::device", word, "auto", "none", "cuda:N", "simulated:unified", "simulated:discrete",
                  "simulated:coherent"});
  for (const char* word : {"no_device", "none", "shared"})
    expect_words(message_of(ErrorKind::invalid_argument, [&] { initialize({.device = "none", .memory_model = word}); }),
                 {"Options::memory_model", word, "auto", "unified", "discrete", "coherent"});
  for (const char* word : {"gpu", "CPU", "none"})
    expect_words(message_of(ErrorKind::invalid_argument, [&] { initialize({.device = "none", .executor = word}); }),
                 {"Options::executor", word, "auto", "cpu", "cuda", "simulated"});
}

TEST_F(ContextTest, AFailedInitializeChangesNothing) {
  initialize({.device = "simulated:unified"});
  const auto before = memory::context();
  EXPECT_THROW(initialize({.device = "nonsense"}), Error);
  EXPECT_THROW(initialize({.device = "simulated:discrete", .memory_model = "coherent"}), Error);
  EXPECT_EQ(memory::context(), before);
}

TEST_F(ContextTest, VariablesCountWhereAnOptionIsEmpty) {
  const Variable device("ZEROPLANE_DEVICE", "simulated:discrete");
  const Variable executor("ZEROPLANE_EXECUTOR", "cpu");
  {
    const Variable model("ZEROPLANE_MEMORY_MODEL", "unified");
    initialize();
    EXPECT_EQ(device_report().runtime, "simulated");
    EXPECT_EQ(device_report().model, MemoryModel::unified);
    EXPECT_EQ(device_report().executor, "cpu");
    expect_words(device_report().reason, {"ZEROPLANE_MEMORY_MODEL=unified", "discrete"});
    initialize({.memory_model = "discrete"});
    EXPECT_EQ(device_report().model, MemoryModel::discrete);
  }
  initialize({.device = "none", .executor = "auto"});
  EXPECT_EQ(device_report().runtime, "none");
  EXPECT_EQ(device_report().executor, "auto");
  const Variable empty("ZEROPLANE_DEVICE", "");
  EXPECT_NO_THROW(initialize());
  const Variable bad("ZEROPLANE_DEVICE", "toaster");
  expect_words(message_of(ErrorKind::invalid_argument, [] { initialize(); }), {"ZEROPLANE_DEVICE=toaster"});
}

TEST_F(ContextTest, AModelMustBeLegalOnTheDevice) {
  const auto model_of = [](const char* device, const char* model) {
    initialize({.device = device, .memory_model = model});
    return memory_model();
  };
  EXPECT_EQ(model_of("simulated:unified", "discrete"), MemoryModel::discrete);
  EXPECT_EQ(model_of("simulated:discrete", "unified"), MemoryModel::unified);
  EXPECT_EQ(model_of("simulated:coherent", "discrete"), MemoryModel::discrete);
  EXPECT_EQ(model_of("simulated:coherent", "coherent"), MemoryModel::coherent);
  for (const char* device : {"simulated:unified", "simulated:discrete"})
    expect_words(
        message_of(ErrorKind::unsupported, [&] { initialize({.device = device, .memory_model = "coherent"}); }),
        {"coherent", "pageable"});
  for (const char* model : {"unified", "discrete", "coherent"})
    expect_words(message_of(ErrorKind::unsupported, [&] { initialize({.device = "none", .memory_model = model}); }),
                 {model, "no device"});
  EXPECT_NO_THROW(initialize({.device = "none", .memory_model = "auto"}));
}

TEST_F(ContextTest, AnExecutorNeedsItsRuntime) {
  for (const char* executor : {"auto", "cpu"})
    for (const char* device : {"none", "simulated:unified"}) {
      initialize({.device = device, .executor = executor});
      EXPECT_EQ(device_report().executor, executor);
    }
  initialize({.device = "simulated:coherent", .executor = "simulated"});
  EXPECT_EQ(device_report().executor, "simulated");
  expect_words(message_of(ErrorKind::unsupported, [] { initialize({.device = "none", .executor = "simulated"}); }),
               {"simulated executor", "simulated:unified"});
  expect_words(
      message_of(ErrorKind::unsupported, [] { initialize({.device = "simulated:unified", .executor = "cuda"}); }),
      {"cuda executor", "simulated"});
  expect_words(message_of(ErrorKind::device, [] { initialize({.device = "none", .executor = "cuda"}); }),
               {"cuda executor", "none"});
}

TEST_F(ContextTest, SaysWhatWasBuiltIn) {
  EXPECT_EQ(runtimes_built_in(), device::cuda_built_in() ? "cuda none simulated" : "none simulated");
}

TEST_F(ContextTest, EachThreadHasAStreamAndLeavesItToTheNext) {
  SimulatedDevice simulated("unified");
  const auto context = memory::context();
  const device::Stream mine = memory::thread_stream(*context);
  EXPECT_NE(mine, nullptr);
  EXPECT_EQ(memory::thread_stream(*context), mine);
  std::set<device::Stream> others;
  for (int i = 0; i < 5; ++i)
    std::thread([&] {
      others.insert(memory::thread_stream(*context));
      EXPECT_EQ(others.count(memory::thread_stream(*context)), 1u);
    }).join();
  EXPECT_EQ(others.size(), 1u);
  EXPECT_EQ(others.count(mine), 0u);
  EXPECT_EQ(simulated.control().ledger().live_streams, 2u);
}

TEST_F(ContextTest, ThreadsThatLiveTogetherHaveDifferentStreams) {
  SimulatedDevice simulated("unified");
  const auto context = memory::context();
  const device::Stream mine = memory::thread_stream(*context);
  device::Stream theirs = nullptr;
  std::thread([&] { theirs = memory::thread_stream(*context); }).join();
  EXPECT_NE(theirs, mine);
}

TEST_F(ContextTest, ReplacingAContextFreesWhatNobodyHolds) {
  initialize({.device = "simulated:unified"});
  const auto first = memory::context()->runtime;
  auto* control = device::simulated_control(*first);
  { Image image(Format::u8, 100, 100); }
  memory::thread_stream(*memory::context());
  EXPECT_GT(control->ledger().live_blocks, 0u);
  initialize({.device = "simulated:discrete"});
  EXPECT_EQ(control->ledger().live_blocks, 0u);
  EXPECT_EQ(control->ledger().live_streams, 0u);
}

TEST_F(ContextTest, AnImageOutlivesItsContextAndGoesBackTheWayItCame) {
  initialize({.device = "simulated:unified"});
  const auto first = memory::context()->runtime;
  auto* control = device::simulated_control(*first);
  {
    Image image(Format::u8, 64, 64);
    initialize({.device = "none"});
    static_cast<unsigned char*>(image.data())[4095] = 5;
    EXPECT_EQ(static_cast<unsigned char*>(image.data())[4095], 5);
    EXPECT_EQ(control->ledger().live_blocks, 1u);
  }
  EXPECT_EQ(control->ledger().live_blocks, 1u) << "a destructor never frees";
  trim_pools();
  EXPECT_EQ(control->ledger().live_blocks, 0u);
}

TEST_F(ContextTest, AThreadThatOutlivesTheContextGivesItsStreamBack) {
  initialize({.device = "simulated:unified"});
  const auto first = memory::context()->runtime;
  auto* control = device::simulated_control(*first);
  std::atomic<int> step{0};
  const auto reach = [&](int next) {
    step = next;
    step.notify_all();
  };
  const auto await = [&](int next) {
    for (int now = step; now < next; now = step) step.wait(now);
  };
  std::jthread thread([&] {
    memory::thread_stream(*memory::context());
    reach(1);
    await(2);
    memory::thread_stream(*memory::context());
    reach(3);
    await(4);
  });
  await(1);
  initialize({.device = "simulated:discrete"});
  reach(2);
  await(3);
  trim_pools();
  EXPECT_EQ(control->ledger().live_streams, 0u) << "while the thread still lives";
  reach(4);
}

/// Runs `check` in a child process; true if it returned true.
bool in_child(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    bool good = false;
    try {
      good = check();
    } catch (...) {
    }
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(ContextTest, TheChildOfAForkHasNoDevice) {
  SimulatedDevice simulated("unified");
  Image made_before(Format::u16, 32, 32);
  memory::thread_stream(*memory::context());
  EXPECT_TRUE(in_child([] { return memory_model() == MemoryModel::no_device; }));
  EXPECT_TRUE(in_child([] { return device_report().reason.find("after fork") != std::string::npos; }));
  EXPECT_TRUE(in_child([] {
    float samples[4] = {};
    try {
      DeviceView<float> view(samples, 4, Access::in);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::device && std::string(error.what()).find("after fork") != std::string::npos;
    }
    return false;
  }));
  EXPECT_TRUE(in_child([&] {
    { Image gone = std::move(made_before); }
    Image made_after(Format::u8, 10, 10);
    return made_after.data() != nullptr;
  }));
  EXPECT_TRUE(in_child([] {
    initialize({.device = "simulated:coherent"});
    return memory_model() == MemoryModel::coherent;
  })) << "a child may start over by asking";
  EXPECT_EQ(memory_model(), MemoryModel::unified) << "the parent keeps its device";
}

TEST_F(ContextTest, AChildFreesOrdinaryImagesOfItsParent) {
  initialize({.device = "none"});
  Image made_before(Format::u16, 32, 32);
  EXPECT_TRUE(in_child([&] {
    { Image gone = std::move(made_before); }
    trim_pools();
    return true;
  }));
}

TEST_F(ContextTest, ReleasingLeavesTheContextInUse) {
  SimulatedDevice simulated("discrete");
  for (int round = 0; round < 2; ++round) {
    auto scratch = memory::borrow_scratch(*memory::context(), 1000, memory::thread_stream(*memory::context()));
    scratch.reset();
    EXPECT_EQ(simulated.control().ledger().live_streams, 1u);
    memory::release_context();
    const auto ledger = simulated.control().ledger();
    EXPECT_EQ(ledger.live_streams, 0u);
    EXPECT_EQ(ledger.live_blocks, 0u);
  }
}

}  // namespace
}  // namespace zp::test
