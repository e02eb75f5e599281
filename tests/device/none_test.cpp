// The runtime without a device refuses with its reason.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "support/device_runtimes.h"

namespace zp::test {
namespace {

TEST(NoneRuntime, SaysItsNameAndReason) {
  const auto runtime = device::make_none("driver on holiday");
  EXPECT_EQ(runtime->name(), "none");
  EXPECT_EQ(runtime->absence(), "driver on holiday");
  EXPECT_NE(device::make_none("")->absence(), "") << "an empty absence would mean that there is a device";
  EXPECT_EQ(runtime->traits().ordinal, -1);
  EXPECT_EQ(device::simulated_control(*runtime), nullptr);
}

TEST(NoneRuntime, RefusesEveryRequestWithItsReason) {
  const auto runtime = device::make_none("driver on holiday");
  char bytes[16] = {};
  const std::vector<std::function<void()>> requests = {
      [&] { runtime->allocate(MemoryKind::pinned, 64); },
      [&] { runtime->allocate(MemoryKind::mapped, 64); },
      [&] { runtime->allocate(MemoryKind::device, 64); },
      [&] { runtime->register_host(bytes, sizeof bytes); },
      [&] { runtime->unregister_host(bytes); },
      [&] { runtime->copy(bytes, bytes + 8, 8, nullptr); },
      [&] { runtime->copy_2d(bytes, 4, bytes + 8, 4, 2, 2, nullptr); },
      [&] { runtime->fill(bytes, 0, 8, nullptr); },
      [&] { runtime->create_stream(); },
      [&] { runtime->wait_stream(nullptr); },
      [&] { runtime->create_event(); },
      [&] { runtime->record(nullptr, nullptr); },
      [&] { runtime->finished(nullptr); },
      [&] { runtime->wait_event(nullptr); },
      [&] { runtime->stream_waits(nullptr, nullptr); },
      [&] { runtime->launch(nullptr, "threshold", [] {}); },
      [&] { runtime->translate(bytes, 8); },
      [&] { runtime->reachable(bytes); },
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto error = error_of(requests[i]);
    ASSERT_TRUE(error) << "request " << i << " was granted";
    EXPECT_EQ(error->kind(), ErrorKind::device) << i;
    EXPECT_NE(std::string(error->what()).find("driver on holiday"), std::string::npos) << error->what();
  }
}

TEST(NoneRuntime, NamesTheBytesItRefuses) {
  const auto runtime = device::make_none("no driver");
  EXPECT_NE(message_of([&] { runtime->allocate(MemoryKind::pinned, 12345); }).find("12345 bytes of pinned"),
            std::string::npos);
}

TEST(NoneRuntime, AllocatesOrdinaryMemoryAlignedAndWritable) {
  const auto runtime = device::make_none("no driver");
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, (std::size_t{4} << 20) + 3}) {
    auto* block = static_cast<char*>(runtime->allocate(MemoryKind::ordinary, bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 256, 0u) << bytes;
    if (bytes > 0) block[0] = block[bytes - 1] = 1;
    EXPECT_TRUE(runtime->free(MemoryKind::ordinary, block));
  }
}

TEST(NoneRuntime, SaysOutOfMemoryWhereOrdinaryMemoryEnds) {
  const auto error = error_of([&] { device::make_none("no driver")->allocate(MemoryKind::ordinary, SIZE_MAX - 8); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::out_of_memory);
  EXPECT_NE(std::string(error->what()).find(std::to_string(SIZE_MAX - 8)), std::string::npos) << error->what();
}

TEST(NoneRuntime, CallsEveryPointerForeign) {
  int here = 0;
  EXPECT_EQ(device::make_none("no driver")->query(&here).kind, PointerInfo::Kind::foreign);
}

}  // namespace
}  // namespace zp::test
