// The simulated device is strict: each test is a mistake that must show, and how.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <csignal>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "support/device_child.h"
#include "support/device_runtimes.h"

namespace zp::test {
namespace {

using Call = device::SimulatedControl::Call;

class Simulated : public testing::TestWithParam<MemoryModel> {
 protected:
  std::shared_ptr<device::Runtime> runtime_ = simulated(GetParam());
  device::SimulatedControl& control_ = *device::simulated_control(*runtime_);
};

INSTANTIATE_TEST_SUITE_P(Models, Simulated,
                         testing::Values(MemoryModel::unified, MemoryModel::discrete, MemoryModel::coherent),
                         [](const auto& info) { return std::string(name_of(info.param)); });

bool contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// ---- addresses ----------------------------------------------------------------------------------------------------

TEST_P(Simulated, HostThatTouchesDeviceMemoryFaults) {
  void* block = runtime_->allocate(MemoryKind::device, 100);
  EXPECT_TRUE(runtime_->is_device_address(block));
  EXPECT_EQ(signal_of_read(block), SIGSEGV);
  EXPECT_EQ(signal_of_write(at(block, 99)), SIGSEGV);
  runtime_->free(MemoryKind::device, block);
  EXPECT_EQ(signal_of_read(block), SIGSEGV) << "freed memory must fault as well";
}

TEST_P(Simulated, HostMayTouchMappedMemoryByItsHostAddressAlone) {
  void* host = runtime_->allocate(MemoryKind::mapped, 100);
  EXPECT_FALSE(runtime_->is_device_address(host));
  EXPECT_EQ(signal_of_write(host), 0);
  void* seen = runtime_->query(host).device_address;
  if (GetParam() == MemoryModel::coherent) {
    EXPECT_EQ(seen, host);
  } else {
    EXPECT_NE(seen, host);
    EXPECT_TRUE(runtime_->is_device_address(seen));
    EXPECT_EQ(signal_of_read(seen), SIGSEGV);
  }
  runtime_->free(MemoryKind::mapped, host);
}

TEST_P(Simulated, TranslatesWhatTheDeviceReachesToTheBytesOfTheHost) {
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::mapped}) {
    char* host = static_cast<char*>(runtime_->allocate(kind, 100));
    void* seen = runtime_->query(host).device_address;
    EXPECT_EQ(runtime_->translate(seen, 100), host);
    EXPECT_EQ(runtime_->translate(at(seen, 60), 40), host + 60);
    EXPECT_EQ(runtime_->reachable(at(seen, 60)), 40u);
    runtime_->free(kind, host);
  }
  void* block = runtime_->allocate(MemoryKind::device, 100);
  EXPECT_FALSE(runtime_->is_device_address(runtime_->translate(block, 100)));
  EXPECT_EQ(runtime_->translate(at(block, 30), 1), at(runtime_->translate(block, 1), 30));
  EXPECT_EQ(runtime_->reachable(at(block, 30)), 70u);
  runtime_->free(MemoryKind::device, block);
}

TEST_P(Simulated, PageableMemoryIsReachedByACoherentDeviceOnly) {
  std::vector<char> foreign(100);
  if (GetParam() == MemoryModel::coherent) {
    EXPECT_EQ(runtime_->translate(foreign.data(), 100), foreign.data());
    EXPECT_GE(runtime_->reachable(foreign.data()), 100u);
  } else {
    const auto error = error_of([&] { runtime_->translate(foreign.data(), 100); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::device);
    EXPECT_TRUE(contains(error->what(), "pageable")) << error->what();
    std::ostringstream address;
    address << static_cast<void*>(foreign.data());
    EXPECT_TRUE(contains(error->what(), address.str())) << error->what();
    EXPECT_EQ(runtime_->reachable(foreign.data()), 0u);
  }
  EXPECT_EQ(runtime_->query(foreign.data()).device_address, nullptr);
}

TEST_P(Simulated, HostAddressOfMappedMemoryIsNoDeviceAddress) {
  if (GetParam() == MemoryModel::coherent) GTEST_SKIP() << "a coherent device reaches every host address";
  void* host = runtime_->allocate(MemoryKind::mapped, 100);
  EXPECT_TRUE(contains(message_of([&] { runtime_->translate(host, 100); }), "host address of mapped memory"));
  runtime_->free(MemoryKind::mapped, host);
}

TEST_P(Simulated, RefusesRangesPastTheEndOfABlock) {
  void* block = runtime_->allocate(MemoryKind::device, 100);
  const std::string words = message_of([&] { runtime_->translate(at(block, 50), 53); });
  EXPECT_TRUE(contains(words, "3 bytes past the end")) << words;
  EXPECT_TRUE(contains(words, "100-byte block of device memory")) << words;
  EXPECT_NE(message_of([&] { runtime_->translate(at(block, 100), 1); }), "");
  EXPECT_NE(message_of([&] { runtime_->translate(at(block, -1), 1); }), "");
  EXPECT_EQ(runtime_->query(at(block, 100)).kind, PointerInfo::Kind::foreign);
  EXPECT_EQ(runtime_->query(at(block, -1)).kind, PointerInfo::Kind::foreign);
  EXPECT_EQ(runtime_->reachable(at(block, 100)), 0u);
  runtime_->free(MemoryKind::device, block);
}

TEST_P(Simulated, LeavesRoomBetweenBlocks) {
  std::vector<void*> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(runtime_->allocate(MemoryKind::device, 4096));
  for (void* block : blocks) EXPECT_EQ(runtime_->query(at(block, 4096 + 60000)).kind, PointerInfo::Kind::foreign);
  for (void* block : blocks) runtime_->free(MemoryKind::device, block);
}

TEST_P(Simulated, RefusesFreedBlocksAndDoesNotReuseTheirAddressesSoon) {
  std::set<void*> seen;
  for (int i = 0; i < 2000; ++i) {
    void* block = runtime_->allocate(MemoryKind::device, 256);
    ASSERT_TRUE(seen.insert(block).second) << "address given out again after " << i << " allocations";
    ASSERT_TRUE(runtime_->free(MemoryKind::device, block));
    ASSERT_TRUE(contains(message_of([&] { runtime_->translate(block, 1); }), "freed"));
  }
}

TEST_P(Simulated, RefusesNullAndAddressesNobodyWasGiven) {
  EXPECT_TRUE(contains(message_of([&] { runtime_->translate(nullptr, 1); }), "null"));
  void* block = runtime_->allocate(MemoryKind::device, 100);
  EXPECT_TRUE(contains(message_of([&] { runtime_->translate(at(block, 1 << 28), 1); }), "no block"));
  runtime_->free(MemoryKind::device, block);
}

TEST_P(Simulated, RegisteredMemoryHasADeviceAddressUntilItIsUnregistered) {
  std::vector<char> mine(10000);
  runtime_->register_host(mine.data() + 1, 5000);
  EXPECT_EQ(control_.ledger().registered_ranges, 1u);
  void* seen = runtime_->query(mine.data() + 11).device_address;
  EXPECT_EQ(runtime_->translate(seen, 4990), mine.data() + 11);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(seen) % 256, reinterpret_cast<std::uintptr_t>(mine.data() + 11) % 256);
  if (GetParam() != MemoryModel::coherent) {
    EXPECT_TRUE(runtime_->is_device_address(seen));
    EXPECT_NE(message_of([&] { runtime_->translate(seen, 4991); }), "");
  }
  EXPECT_EQ(runtime_->query(mine.data()).kind, PointerInfo::Kind::foreign);
  EXPECT_EQ(runtime_->query(mine.data() + 5001).kind, PointerInfo::Kind::foreign);
  runtime_->unregister_host(mine.data() + 1);
  EXPECT_EQ(control_.ledger().registered_ranges, 0u);
  if (GetParam() != MemoryModel::coherent) {
    EXPECT_TRUE(contains(message_of([&] { runtime_->translate(seen, 1); }), "unregistered"));
  }
}

TEST_P(Simulated, RegistrationOverlapsAreSeenFromEverySide) {
  std::vector<char> mine(10000);
  runtime_->register_host(mine.data() + 4000, 2000);
  const auto refused = [&](std::size_t offset, std::size_t bytes) {
    return contains(message_of([&] { runtime_->register_host(mine.data() + offset, bytes); }), "712");
  };
  EXPECT_TRUE(refused(4000, 2000));
  EXPECT_TRUE(refused(3000, 1001));
  EXPECT_TRUE(refused(5999, 1));
  EXPECT_TRUE(refused(0, 10000));
  runtime_->register_host(mine.data() + 3000, 1000);
  runtime_->register_host(mine.data() + 6000, 1000);
  EXPECT_NE(message_of([&] { runtime_->register_host(nullptr, 10); }), "");
  EXPECT_NE(message_of([&] { runtime_->register_host(mine.data(), 0); }), "");
  for (const int offset : {3000, 4000, 6000}) runtime_->unregister_host(mine.data() + offset);
  void* pinned = runtime_->allocate(MemoryKind::pinned, 100);
  EXPECT_NE(message_of([&] { runtime_->register_host(at(pinned, 10), 10); }), "")
      << "pinned memory is registered already";
  EXPECT_NE(message_of([&] { runtime_->unregister_host(pinned); }), "");
  runtime_->free(MemoryKind::pinned, pinned);
}

TEST_P(Simulated, RefusesCopiesThatRunPastABlock) {
  const device::Stream stream = runtime_->create_stream();
  void* block = runtime_->allocate(MemoryKind::device, 100);
  char* pinned = static_cast<char*>(runtime_->allocate(MemoryKind::pinned, 100));
  std::vector<char> mine(1000);
  EXPECT_NE(message_of([&] { runtime_->copy(block, mine.data(), 101, stream); }), "");
  EXPECT_NE(message_of([&] { runtime_->copy(mine.data(), at(block, 1), 100, stream); }), "");
  EXPECT_NE(message_of([&] { runtime_->copy(pinned + 1, block, 100, stream); }), "");
  EXPECT_NE(message_of([&] { runtime_->copy_2d(block, 60, mine.data(), 60, 41, 2, stream); }), "");
  runtime_->copy_2d(block, 60, mine.data(), 60, 40, 2, stream);
  EXPECT_NE(message_of([&] { runtime_->copy_2d(block, -60, mine.data(), 60, 40, 2, stream); }), "");
  EXPECT_NE(message_of([&] { runtime_->copy_2d(block, PTRDIFF_MAX, mine.data(), 60, 40, 4, stream); }), "");
  EXPECT_NE(message_of([&] { runtime_->copy(block, nullptr, 1, stream); }), "");
  EXPECT_NE(message_of([&] { runtime_->fill(block, 0, 101, stream); }), "");
  if (GetParam() != MemoryModel::coherent) {
    EXPECT_NE(message_of([&] { runtime_->fill(mine.data(), 0, 10, stream); }), "");
  }
  runtime_->register_host(mine.data() + 500, 100);
  EXPECT_NE(message_of([&] { runtime_->copy(block, mine.data() + 450, 100, stream); }), "");
  runtime_->wait_stream(stream);
  runtime_->unregister_host(mine.data() + 500);
  runtime_->free(MemoryKind::device, block);
  runtime_->free(MemoryKind::pinned, pinned);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, FreshMemoryIsPoisoned) {
  void* block = runtime_->allocate(MemoryKind::device, 1000);
  const device::Stream stream = runtime_->create_stream();
  std::vector<char> found(1000);
  runtime_->copy(found.data(), block, 1000, stream);
  runtime_->wait_stream(stream);
  EXPECT_EQ(found, std::vector<char>(1000, static_cast<char>(0xCB)));
  runtime_->free(MemoryKind::device, block);
  runtime_->destroy_stream(stream);
}

// ---- time ---------------------------------------------------------------------------------------------------------

TEST_P(Simulated, MissingWaitShowsOldBytes) {
  const device::Stream stream = runtime_->create_stream();
  void* block = runtime_->allocate(MemoryKind::device, 8);
  runtime_->fill(block, 2, 8, stream);
  char* pinned = static_cast<char*>(runtime_->allocate(MemoryKind::pinned, 8));
  std::vector<char> pageable(8, 1);
  std::fill_n(pinned, 8, 1);
  Gate gate(*runtime_, stream);
  runtime_->copy(pinned, block, 8, stream);
  runtime_->copy(pageable.data(), block, 8, stream);
  EXPECT_EQ(peek(pinned), 1);
  EXPECT_EQ(peek(pageable.data()), 1);
  gate.open();
  runtime_->wait_stream(stream);
  EXPECT_EQ(pinned[7], 2);
  EXPECT_EQ(pageable[7], 2);
  runtime_->free(MemoryKind::device, block);
  runtime_->free(MemoryKind::pinned, pinned);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, PinnedSourceIsReadWhenTheCopyRuns) {
  const device::Stream stream = runtime_->create_stream();
  void* block = runtime_->allocate(MemoryKind::device, 1);
  char* pinned = static_cast<char*>(runtime_->allocate(MemoryKind::pinned, 1));
  char found = 0;
  *pinned = 1;
  {
    Gate gate(*runtime_, stream);
    runtime_->copy(block, pinned, 1, stream);
    *pinned = 2;  // too early: the copy has not been waited for
  }
  runtime_->copy(&found, block, 1, stream);
  runtime_->wait_stream(stream);
  EXPECT_EQ(found, 2);
  runtime_->free(MemoryKind::device, block);
  runtime_->free(MemoryKind::pinned, pinned);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, PageableSourceIsReadDuringTheCallWhereItHasToBeStaged) {
  if (GetParam() == MemoryModel::coherent) GTEST_SKIP() << "a coherent device reads it in place";
  const device::Stream stream = runtime_->create_stream();
  void* block = runtime_->allocate(MemoryKind::device, 3);
  std::vector<char> mine(3, 1), found(3);
  runtime_->copy(block, mine.data(), 3, stream);
  mine.assign(3, 2);
  mine = {};
  runtime_->copy(found.data(), block, 3, stream);
  runtime_->wait_stream(stream);
  EXPECT_EQ(found, std::vector<char>(3, 1));
  runtime_->free(MemoryKind::device, block);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, EveryItemWaitsTheDelay) {
  using namespace std::chrono;
  control_.set_delay(30000);
  const device::Stream stream = runtime_->create_stream();
  const auto start = steady_clock::now();
  steady_clock::time_point ran;
  runtime_->launch(stream, "note the time", [&] { ran = steady_clock::now(); });
  runtime_->wait_stream(stream);
  EXPECT_GE(ran - start, milliseconds(30));
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, ItemsOfOneStreamRunInOrderAndBehindTheCaller) {
  const device::Stream stream = runtime_->create_stream();
  std::vector<int> order;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> on_caller{false};
  for (int i = 0; i < 100; ++i) {
    runtime_->launch(stream, "append", [&, i] {
      order.push_back(i);
      if (std::this_thread::get_id() == caller) on_caller = true;
    });
  }
  runtime_->wait_stream(stream);
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
  EXPECT_FALSE(on_caller);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, EventsSplitWhatHasRunFromWhatHasNot) {
  const device::Stream first = runtime_->create_stream();
  const device::Stream second = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  std::atomic<int> value{0};
  int seen = -1;
  {
    Gate gate(*runtime_, first);
    runtime_->launch(first, "set", [&] { value = 1; });
    runtime_->record(event, first);
    EXPECT_FALSE(runtime_->finished(event));
    runtime_->stream_waits(second, event);
    runtime_->launch(second, "see", [&] { seen = value; });
    EXPECT_EQ(value, 0);
  }
  runtime_->wait_event(event);
  EXPECT_EQ(value, 1);
  EXPECT_TRUE(runtime_->finished(event));
  runtime_->wait_stream(second);
  EXPECT_EQ(seen, 1);

  Gate later(*runtime_, first);
  runtime_->wait_event(event);  // work behind the record is not waited for
  later.open();
  runtime_->destroy_event(event);
  runtime_->destroy_stream(first);
  runtime_->destroy_stream(second);
}

TEST_P(Simulated, WaitingForAnEventMeansItsLastRecordBeforeTheCall) {
  const device::Stream slow = runtime_->create_stream();
  const device::Stream fast = runtime_->create_stream();
  const device::Stream waiting = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  std::atomic<bool> slow_done{false}, saw_it{false};
  {
    Gate gate(*runtime_, slow);
    runtime_->launch(slow, "slow", [&] { slow_done = true; });
    runtime_->record(event, slow);
    runtime_->stream_waits(waiting, event);
    runtime_->launch(waiting, "see", [&] { saw_it = slow_done.load(); });
    runtime_->record(event, fast);
    runtime_->wait_event(event);
    EXPECT_TRUE(runtime_->finished(event));
    EXPECT_FALSE(slow_done);
  }
  runtime_->wait_stream(waiting);
  EXPECT_TRUE(saw_it);
  runtime_->destroy_event(event);
  for (const device::Stream stream : {slow, fast, waiting}) runtime_->destroy_stream(stream);
}

TEST_P(Simulated, FreeingMemoryOfTheDeviceWaitsForAllOfItsWork) {
  const device::Stream stream = runtime_->create_stream();
  for (const MemoryKind kind : {MemoryKind::device, MemoryKind::pinned, MemoryKind::mapped}) {
    void* block = runtime_->allocate(kind, 10);
    std::atomic<bool> done{false};
    runtime_->launch(stream, "sleep", [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
    EXPECT_TRUE(runtime_->free(kind, block));
    EXPECT_TRUE(done) << device::name_of(kind);
  }
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, RunsWhatIsQueuedBeforeItDies) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 3; ++i) {
    const device::Stream stream = runtime_->create_stream();
    for (int j = 0; j < 10; ++j) runtime_->launch(stream, "count", [&] { ++ran; });
    if (i == 0) runtime_->destroy_stream(stream);
  }
  runtime_.reset();
  EXPECT_EQ(ran, 30);
}

// ---- failures -----------------------------------------------------------------------------------------------------

TEST_P(Simulated, ThrowsWhatALaunchedBodyThrewAtTheNextWaitAndOnce) {
  const device::Stream stream = runtime_->create_stream();
  std::atomic<bool> ran_behind{false};
  runtime_->launch(stream, "sharpen", [] { throw Error(ErrorKind::unsupported, "this far and no further"); });
  runtime_->launch(stream, "behind", [&] { ran_behind = true; });
  const auto error = error_of([&] { runtime_->wait_stream(stream); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::unsupported);
  EXPECT_EQ(std::string(error->what()), "sharpen: this far and no further");
  EXPECT_FALSE(ran_behind) << "work behind a failure has nothing to build on";
  runtime_->launch(stream, "afterwards", [&] { ran_behind = true; });
  runtime_->wait_stream(stream);
  EXPECT_TRUE(ran_behind);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, MakesAnErrorOfEveryException) {
  const device::Stream stream = runtime_->create_stream();
  runtime_->launch(stream, "blur", [] { throw std::runtime_error("odd"); });
  EXPECT_TRUE(contains(message_of([&] { runtime_->wait_stream(stream); }), "odd"));
  runtime_->launch(stream, "blur", [] { throw 5; });
  EXPECT_TRUE(contains(message_of([&] { runtime_->wait_stream(stream); }), "blur"));
  runtime_->launch(stream, "blur", [] { throw std::bad_alloc(); });
  const auto error = error_of([&] { runtime_->wait_stream(stream); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::out_of_memory);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, FailureReachesWaitsForEventsAndForStreamsBehindThem) {
  const device::Stream first = runtime_->create_stream();
  const device::Stream second = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  runtime_->launch(first, "erode", [] { throw Error(ErrorKind::device, "broke"); });
  runtime_->record(event, first);
  runtime_->stream_waits(second, event);
  EXPECT_TRUE(contains(message_of([&] { runtime_->wait_event(event); }), "broke"));
  EXPECT_EQ(message_of([&] { runtime_->wait_event(event); }), "");
  EXPECT_EQ(message_of([&] { runtime_->wait_stream(first); }), "") << "told already";
  EXPECT_TRUE(contains(message_of([&] { runtime_->wait_stream(second); }), "broke"));
  runtime_->destroy_event(event);
  runtime_->destroy_stream(first);
  runtime_->destroy_stream(second);
}

TEST_P(Simulated, AnyCallFailsOnItsNthUseAndOnlyThen) {
  const device::Stream stream = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  void* block = runtime_->allocate(MemoryKind::device, 16);
  std::vector<char> mine(16);
  const std::vector<std::pair<Call, std::function<void()>>> uses = {
      {Call::allocate, [&] { runtime_->free(MemoryKind::pinned, runtime_->allocate(MemoryKind::pinned, 16)); }},
      {Call::copy, [&] { runtime_->copy(block, mine.data(), 16, stream); }},
      {Call::copy, [&] { runtime_->copy_2d(block, 4, mine.data(), 4, 2, 2, stream); }},
      {Call::copy, [&] { runtime_->fill(block, 1, 16, stream); }},
      {Call::launch, [&] { runtime_->launch(stream, "nothing", [] {}); }},
      {Call::wait, [&] { runtime_->wait_stream(stream); }},
      {Call::wait, [&] { runtime_->wait_event(event); }},
      {Call::register_host,
       [&] {
         runtime_->register_host(mine.data(), 16);
         runtime_->unregister_host(mine.data());
       }},
      {Call::query, [&] { runtime_->query(block); }},
      {Call::create, [&] { runtime_->destroy_stream(runtime_->create_stream()); }},
      {Call::create, [&] { runtime_->destroy_event(runtime_->create_event()); }},
  };
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto& [call, use] = uses[i];
    const std::uint64_t before = control_.calls(call);
    control_.fail(call, 3);
    EXPECT_FALSE(error_of(use)) << i;
    EXPECT_FALSE(error_of(use)) << i;
    const auto error = error_of(use);
    ASSERT_TRUE(error) << i;
    EXPECT_EQ(error->kind(), call == Call::allocate ? ErrorKind::out_of_memory : ErrorKind::device) << i;
    EXPECT_FALSE(error_of(use)) << i;
    EXPECT_EQ(control_.calls(call), before + 4) << i;
    control_.fail(call, 1);
    control_.fail(call, 0);
    EXPECT_FALSE(error_of(use)) << "cleared, " << i;
  }
  runtime_->wait_stream(stream);
  runtime_->free(MemoryKind::device, block);
  runtime_->destroy_event(event);
  runtime_->destroy_stream(stream);
  EXPECT_EQ(control_.ledger().live_blocks, 0u);
}

TEST_P(Simulated, WaitThatFailsLeavesNothingRunning) {
  const device::Stream stream = runtime_->create_stream();
  std::atomic<bool> done{false};
  control_.set_delay(20000);
  runtime_->launch(stream, "late", [&] { done = true; });
  control_.fail(Call::wait, 1);
  EXPECT_NE(message_of([&] { runtime_->wait_stream(stream); }), "");
  EXPECT_TRUE(done);
  runtime_->destroy_stream(stream);
}

TEST_P(Simulated, RefusesHandlesThatAreNotAlive) {
  const device::Stream stream = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  runtime_->destroy_stream(stream);
  runtime_->destroy_event(event);
  runtime_->destroy_stream(stream);
  for (const device::Stream gone : {stream, device::Stream{}}) {
    EXPECT_NE(message_of([&] { runtime_->wait_stream(gone); }), "");
    EXPECT_NE(message_of([&] { runtime_->launch(gone, "x", [] {}); }), "");
  }
  EXPECT_NE(message_of([&] { runtime_->wait_event(event); }), "");
  EXPECT_NE(message_of([&] { runtime_->finished(event); }), "");
}

// ---- ledger -------------------------------------------------------------------------------------------------------

TEST_P(Simulated, LedgerCountsWhatIsAlive) {
  void* a = runtime_->allocate(MemoryKind::device, 100);
  void* b = runtime_->allocate(MemoryKind::mapped, 20);
  void* c = runtime_->allocate(MemoryKind::ordinary, 3);
  const device::Stream stream = runtime_->create_stream();
  const device::Event event = runtime_->create_event();
  auto ledger = control_.ledger();
  EXPECT_EQ(ledger.live_blocks, 3u);
  EXPECT_EQ(ledger.live_bytes, 123u);
  EXPECT_EQ(ledger.live_streams, 1u);
  EXPECT_EQ(ledger.live_events, 1u);
  EXPECT_EQ(ledger.allocated, 3u);
  EXPECT_EQ(ledger.freed, 0u);

  EXPECT_FALSE(runtime_->free(MemoryKind::pinned, b)) << "another kind";
  EXPECT_FALSE(runtime_->free(MemoryKind::device, at(a, 1))) << "not the start";
  EXPECT_TRUE(runtime_->free(MemoryKind::device, a));
  EXPECT_FALSE(runtime_->free(MemoryKind::device, a)) << "twice";
  EXPECT_TRUE(runtime_->free(MemoryKind::mapped, b));
  ledger = control_.ledger();
  EXPECT_EQ(ledger.live_blocks, 1u);
  EXPECT_EQ(ledger.live_bytes, 3u);
  EXPECT_EQ(ledger.freed, 2u);
  EXPECT_TRUE(runtime_->free(MemoryKind::ordinary, c));
  runtime_->destroy_event(event);
  runtime_->destroy_stream(stream);
  ledger = control_.ledger();
  EXPECT_EQ(ledger.live_blocks + ledger.live_bytes + ledger.live_streams + ledger.live_events, 0u);
}

TEST_P(Simulated, ManyThreadsWithAStreamEach) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const device::Stream stream = runtime_->create_stream();
      for (int i = 0; i < 25; ++i) {
        void* block = runtime_->allocate(MemoryKind::device, 64);
        char* bytes = static_cast<char*>(runtime_->translate(block, 64));
        std::vector<char> mine(64, static_cast<char>(t));
        runtime_->copy(block, mine.data(), 64, stream);
        runtime_->launch(stream, "add", [=] {
          for (int k = 0; k < 64; ++k) bytes[k] = static_cast<char>(bytes[k] + i);
        });
        runtime_->copy(mine.data(), block, 64, stream);
        runtime_->wait_stream(stream);
        if (mine != std::vector<char>(64, static_cast<char>(t + i))) ++wrong;
        if (!runtime_->free(MemoryKind::device, block)) ++wrong;
      }
      runtime_->destroy_stream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(control_.ledger().allocated, 100u);
  EXPECT_EQ(control_.ledger().freed, 100u);
}

TEST_P(Simulated, IsAbsentInAChildOfFork) {
  const device::Stream stream = runtime_->create_stream();
  void* block = runtime_->allocate(MemoryKind::mapped, 10);
  Gate gate(*runtime_, stream);
  const ChildEnd end = run_in_child([&] {
    if (!contains(runtime_->absence(), "after fork")) return 1;
    if (!contains(message_of([&] { runtime_->allocate(MemoryKind::device, 10); }), "after fork")) return 2;
    if (!contains(message_of([&] { runtime_->wait_stream(stream); }), "after fork")) return 3;
    if (runtime_->free(MemoryKind::mapped, block)) return 4;
    runtime_->destroy_stream(stream);
    runtime_.reset();
    return 0;
  });
  EXPECT_EQ(end.signal, 0) << "14 means that the child hung";
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(runtime_->absence(), "");
  gate.open();
  EXPECT_TRUE(runtime_->free(MemoryKind::mapped, block));
  runtime_->destroy_stream(stream);
}

TEST(SimulatedOptions, SeedDecidesTheShuffles) {
  device::SimulatedOptions options;
  options.seed = 7;
  const auto first = device::make_simulated(options), again = device::make_simulated(options);
  options.seed = 8;
  const auto other = device::make_simulated(options);
  const auto next = [](const auto& runtime) { return device::simulated_control(*runtime)->next_seed(); };
  const std::uint64_t a = next(first);
  EXPECT_EQ(a, next(again));
  EXPECT_NE(a, next(other));
  EXPECT_NE(a, next(first));
}

TEST(SimulatedOptions, NoDeviceIsNoModelToImitate) {
  device::SimulatedOptions options;
  options.model = MemoryModel::no_device;
  const auto error = error_of([&] { device::make_simulated(options); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace zp::test
