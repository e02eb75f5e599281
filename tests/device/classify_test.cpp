// The memory model of every platform whose attributes are known.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/runtime.h"

namespace zp {
namespace {

struct Platform {
  const char* name;
  int major, minor;
  bool integrated, concurrent_managed, pageable_access, uses_host_page_tables, can_map;
  MemoryModel model;
  const char* reason;  // words that must be in it
};

constexpr Platform kPlatforms[] = {
    {"Xavier", 7, 2, true, false, false, false, true, MemoryModel::unified, "mapped host memory in place"},
    {"Orin", 8, 7, true, false, false, false, true, MemoryModel::unified, "mapped host memory in place"},
    {"Thor", 11, 0, true, true, true, true, true, MemoryModel::coherent, "one memory"},
    {"GB10", 12, 1, true, true, true, true, true, MemoryModel::coherent, "one memory"},
    {"GH200", 9, 0, false, true, true, true, true, MemoryModel::coherent, "its own memory besides"},
    {"x86_open_kernel_modules", 9, 0, false, true, true, false, true, MemoryModel::discrete, "page faults"},
    {"x86", 8, 9, false, true, false, false, true, MemoryModel::discrete, "cannot read pageable"},
    {"Windows", 8, 6, false, false, false, false, true, MemoryModel::discrete, "cannot read pageable"},
    {"integrated_without_mapping", 5, 3, true, false, false, false, false, MemoryModel::discrete, "cannot map"},
};

device::Traits traits_of(const Platform& platform) {
  device::Traits traits;
  traits.ordinal = 0;
  traits.compute_major = platform.major;
  traits.compute_minor = platform.minor;
  traits.integrated = platform.integrated;
  traits.concurrent_managed = platform.concurrent_managed;
  traits.pageable_access = platform.pageable_access;
  traits.uses_host_page_tables = platform.uses_host_page_tables;
  traits.can_map_host_memory = platform.can_map;
  return traits;
}

class Classify : public testing::TestWithParam<Platform> {};

TEST_P(Classify, FindsTheModelAndSaysWhy) {
  std::string reason;
  EXPECT_EQ(name_of(device::classify(traits_of(GetParam()), reason)), name_of(GetParam().model));
  EXPECT_NE(reason.find(GetParam().reason), std::string::npos) << reason;
}

INSTANTIATE_TEST_SUITE_P(Platforms, Classify, testing::ValuesIn(kPlatforms),
                         [](const auto& info) { return info.param.name; });

TEST(ClassifyNothing, IsNoDevice) {
  std::string reason;
  EXPECT_EQ(device::classify(device::Traits{}, reason), MemoryModel::no_device);
  EXPECT_EQ(reason, "there is no device");
}

TEST(ClassifySimulated, EachSimulatedDeviceIsOfTheModelItImitates) {
  for (const MemoryModel model : {MemoryModel::unified, MemoryModel::discrete, MemoryModel::coherent}) {
    device::SimulatedOptions options;
    options.model = model;
    std::string reason;
    EXPECT_EQ(device::classify(device::make_simulated(options)->traits(), reason), model) << name_of(model);
  }
}

TEST(DeviceNames, AreTheWordsOfTheEnumerations) {
  EXPECT_EQ(name_of(MemoryModel::no_device), "no_device");
  EXPECT_EQ(name_of(MemoryModel::coherent), "coherent");
  EXPECT_EQ(device::name_of(device::MemoryKind::mapped), "mapped");
  EXPECT_EQ(device::name_of(device::MemoryKind::ordinary), "ordinary");
}

}  // namespace
}  // namespace zp
