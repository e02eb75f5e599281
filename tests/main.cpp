// The main function of every test program: a program whose tests were all skipped says so by its exit code.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>

namespace {
constexpr int kSkipped = 77;  // as in automake; SKIP_RETURN_CODE in tests/CMakeLists.txt

const char* first_skip_reason(const testing::UnitTest& tests) {
  for (int i = 0; i < tests.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *tests.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestResult& result = *suite.GetTestInfo(j)->result();
      for (int k = 0; k < result.total_part_count(); ++k) {
        if (result.GetTestPartResult(k).skipped()) return result.GetTestPartResult(k).message();
      }
    }
  }
  return "";
}
}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (testing::GTEST_FLAG(list_tests) || result != 0) return result;
  if (tests.successful_test_count() == 0 && tests.skipped_test_count() > 0) {
    std::printf("skipped: %s\n", first_skip_reason(tests));
    return kSkipped;
  }
  if (tests.test_to_run_count() == 0) {
    std::fprintf(stderr, "no test ran\n");
    return 1;
  }
  return 0;
}
