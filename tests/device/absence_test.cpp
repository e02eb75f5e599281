// Every cause for which there is no device, in words.
// SPDX-License-Identifier: Apache-2.0
#include "device/absence.h"

#include <gtest/gtest.h>

#include "support/device_child.h"

namespace zp::device {
namespace {

constexpr int kRuntime = 13000;

Probe failed(int code, int driver_version) {
  Probe probe;
  probe.code = code;
  probe.driver_version = driver_version;
  probe.runtime_version = kRuntime;
  probe.error_name = "cudaErrorSomething";
  probe.error_text = "what it means";
  return probe;
}

testing::AssertionResult starts_with(const std::string& text, const std::string& start) {
  if (text.rfind(start, 0) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << text << "\" does not start with \"" << start << '"';
}

TEST(Absence, IsEmptyWhereTheDeviceAnswers) {
  Probe probe;
  probe.devices = 1;
  EXPECT_EQ(absence_in_words(probe), "");
  probe.ordinal = 0;
  EXPECT_EQ(absence_in_words(probe), "");
}

TEST(Absence, Error35WithoutAnyDriverVersionIsNoDriver) {
  EXPECT_TRUE(starts_with(absence_in_words(failed(35, 0)), "no driver"));
}

TEST(Absence, Error35WithAnOlderDriverNamesBothVersions) {
  const std::string words = absence_in_words(failed(35, 11040));
  EXPECT_TRUE(starts_with(words, "driver older than runtime"));
  EXPECT_NE(words.find("11.4"), std::string::npos) << words;
  EXPECT_NE(words.find("13.0"), std::string::npos) << words;
}

TEST(Absence, Error35WithANewerDriverDoesNotCallItOlder) {
  const std::string words = absence_in_words(failed(35, 13010));
  EXPECT_EQ(words.find("older"), std::string::npos) << words;
  EXPECT_NE(words.find("13.1"), std::string::npos) << words;
}

TEST(Absence, Error34IsTheStubLibrary) { EXPECT_TRUE(starts_with(absence_in_words(failed(34, 0)), "stub library")); }

TEST(Absence, Error100AndACountOfZeroAreNoDevice) {
  EXPECT_TRUE(starts_with(absence_in_words(failed(100, kRuntime)), "no device:"));
  EXPECT_TRUE(starts_with(absence_in_words(Probe{}), "no device:"));
}

TEST(Absence, AnOrdinalBeyondTheLastDeviceNamesTheNumberAndTheCount) {
  Probe probe;
  probe.devices = 2;
  probe.ordinal = 2;
  const std::string words = absence_in_words(probe);
  EXPECT_TRUE(starts_with(words, "no device 2"));
  EXPECT_NE(words.find("2 devices"), std::string::npos) << words;
}

TEST(Absence, ForkGoesBeforeEveryOtherCause) {
  Probe probe = failed(100, kRuntime);
  probe.forked = true;
  EXPECT_TRUE(starts_with(absence_in_words(probe), "after fork"));
}

TEST(Absence, Error3SpeaksOfForkAndNamesTheError) {
  const std::string words = absence_in_words(failed(3, kRuntime));
  EXPECT_NE(words.find("fork"), std::string::npos) << words;
  EXPECT_NE(words.find("cudaErrorSomething (3): what it means"), std::string::npos) << words;
}

TEST(Absence, AnyOtherErrorIsNamedWithNumberAndText) {
  const std::string words = absence_in_words(failed(802, kRuntime));
  EXPECT_NE(words.find("cudaErrorSomething (802): what it means"), std::string::npos) << words;
}

TEST(Version, IsMajorAndMinor) {
  EXPECT_EQ(version_in_words(12060), "12.6");
  EXPECT_EQ(version_in_words(13000), "13.0");
}

TEST(ProcessOfAnObject, IsForkedInTheChildAlone) {
  const Process process;
  EXPECT_FALSE(process.forked());
  EXPECT_EQ(test::run_in_child([&] { return process.forked() ? 0 : 1; }).exit_code, 0);
}

}  // namespace
}  // namespace zp::device
