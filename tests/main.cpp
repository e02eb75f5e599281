// The main function of every test program: a program whose tests were all skipped says so by its exit code.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>

namespace {
constexpr int kSkipped = 77;  // as in automake; SKIP_RETURN_CODE in tests/CMakeLists.txt
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (testing::GTEST_FLAG(list_tests) || result != 0) return result;
  if (tests.successful_test_count() == 0 && tests.skipped_test_count() > 0) return kSkipped;
  if (tests.test_to_run_count() == 0) {
    std::fprintf(stderr, "no test ran\n");
    return 1;
  }
  return 0;
}
