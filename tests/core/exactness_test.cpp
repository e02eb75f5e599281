// The self-test of the arithmetic passes here, and fails where subnormals are flushed.
// SPDX-License-Identifier: Apache-2.0
#include "core/exactness.h"

#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace zp {
namespace {

TEST(Exactness, ArithmeticOfThisBuildIsExact) {
  EXPECT_EQ(arithmetic_fault(), "");
  EXPECT_NO_THROW(require_exact_arithmetic());
}

#if defined(__x86_64__)
TEST(Exactness, FlushedSubnormalsAndOtherRoundingsAreSeen) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero: what fast-math start-up code sets
  const std::string flushed = arithmetic_fault();
  _mm_setcsr((before & ~0x6000u) | 0x4000u);  // round up
  const std::string upward = arithmetic_fault();
  _mm_setcsr(before);
  EXPECT_NE(flushed.find("subnormal"), std::string::npos) << flushed;
  EXPECT_FALSE(upward.empty());
  EXPECT_EQ(arithmetic_fault(), "");
}
#endif

}  // namespace
}  // namespace zp
