// Parameters from text and back: escapes, every type, ranges, near misses.
// SPDX-License-Identifier: Apache-2.0
#include "registry/arguments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/row.h"
#include "registry/cases.h"
#include "zeroplane/registry.h"

namespace zp::test {
namespace {

std::string message_of(const std::string& step) {
  try {
    AnyOperation::parse(step);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << step;
    return error.what();
  }
  ADD_FAILURE() << step << " was accepted";
  return "";
}
void expect_message(const std::string& step, const std::string& words) {
  const std::string message = message_of(step);
  EXPECT_NE(message.find(words), std::string::npos) << step << ": " << message;
}

using Parts = std::vector<std::string>;

TEST(Arguments, ABackslashKeepsTheSeparator) {
  EXPECT_EQ(registry::split("a,b\\,c,", ','), (Parts{"a", "b\\,c", ""}));
  EXPECT_EQ(registry::split("", ','), Parts{""});
  EXPECT_EQ(registry::split("a\\", ','), Parts{"a\\"});
  EXPECT_EQ(registry::unescape("b\\,c\\\\d\\:"), "b,c\\d:");
}

TEST(Arguments, NumbersPrintSoThatTheyReadBack) {
  EXPECT_EQ(registry::number_text(0.1), "0.1");
  EXPECT_EQ(registry::number_text(-INFINITY), "-inf");
  EXPECT_EQ(registry::number_text(NAN), "nan");
  EXPECT_EQ(registry::number_text(65536), "65536");
}

TEST(Arguments, EveryCaseReadsBackFromItsOwnText) {
  for (const registry::OperationCase& c : registry::all_cases(8, 8)) {
    const std::string text = c.operation.arguments();
    const AnyOperation again(c.operation.name(), text);
    EXPECT_EQ(again.arguments(), text) << c.operation.name() << " " << c.arguments;
    // What differs from the defaults is all that the case says, so its text is no longer than the case's list of keys.
    EXPECT_LE(registry::split(text, ',').size(), registry::split(c.arguments, ',').size()) << c.operation.name();
  }
}

TEST(Arguments, DefaultsHaveNoText) {
  for (const std::string_view name : operation_names()) EXPECT_EQ(AnyOperation(name).arguments(), "") << name;
}

TEST(Arguments, EveryRangeIsKept) {
  int ranges = 0;
  for (const detail::Row* row : detail::all_rows())
    for (const detail::ParameterRow& p : row->parameters) {
      const bool is_number = p.type == detail::ValueType::real || p.type == detail::ValueType::real64 ||
                             p.type == detail::ValueType::integer;
      if (!is_number) continue;
      for (const bool above : {false, true}) {
        const double end = above ? p.facts.high : p.facts.low;
        const double beyond = above ? end + std::fabs(end) + 1 : end - std::fabs(end) - 1;
        if (!std::isfinite(end) || std::fabs(beyond) > 1e9) continue;
        ++ranges;
        expect_message(std::string(row->info->name) + ":" + std::string(p.name) + "=" + registry::number_text(beyond),
                       std::string(p.name) + " = ");
      }
    }
  EXPECT_GT(ranges, 20);
}

TEST(Arguments, WrongTextNamesOperationKeyAndWhatIsWanted) {
  expect_message("invrt", "did you mean invert?");
  expect_message("qqqqqqqqqqq", "`zeroplane ops` lists them");
  expect_message("threshold:limt=1", "did you mean limit?");
  expect_message("threshold:qqqqqqqqq=1", "it takes limit");
  expect_message("threshold:kind=binry", "did you mean binary?");
  expect_message("threshold:kind=qqqqqqqqqqqq", "one of binary, binary_inverse, truncate, to_zero, to_zero_inverse");
  expect_message("gamma:gamma=1x", "gamma: gamma = '1x' is not a number");
  expect_message("gamma:gamma=", "is not a number");
  expect_message("gamma:gamma=1e999", "is not a number in range");
  expect_message("gamma:gamma=nan", "gamma");
  expect_message("gamma:2.2", "key=value");
  expect_message("gamma:gamma=1:2", "one colon");
  expect_message("resize:width=1.5", "is not a whole number");
  expect_message("clahe:tiles=8x8x8", "a size like 8x8");
  expect_message("warp_affine:matrix=1/0", "numbers");
}

TEST(Arguments, AutoIsWhatWasNotGiven) {
  AnyOperation resize("resize", "scale=0.5");
  EXPECT_EQ(resize.arguments(), "scale=0.5");
  resize.set("scale", "auto");
  EXPECT_EQ(resize.arguments(), "");
}

TEST(Arguments, AFileNameKeepsItsCommasAndColons) {
  for (const detail::Row* row : detail::all_rows())
    for (const detail::ParameterRow& p : row->parameters)
      if (p.type == detail::ValueType::text) {
        AnyOperation op(row->info->name);
        op.set(p.name, "C:\\a, b:c");
        EXPECT_EQ(op.arguments(), std::string(p.name) + "=C\\:\\\\a\\, b\\:c");
        EXPECT_EQ(AnyOperation(row->info->name, op.arguments()).arguments(), op.arguments());
      }
}

TEST(Arguments, CopiesAreIndependent) {
  AnyOperation one("gamma", "gamma=3");
  AnyOperation two = one;
  two.set("gamma", "4");
  EXPECT_EQ(one.arguments(), "gamma=3");
  EXPECT_EQ(two.arguments(), "gamma=4");
  const AnyOperation three = std::move(two);
  EXPECT_EQ(three.arguments(), "gamma=4");
}

TEST(Nearest, FindsSlipsAndBeginnings) {
  const std::string_view words[] = {"resize", "rotate90", "rgb_to_grey", "remap"};
  EXPECT_EQ(nearest("reszie", words), "resize");
  EXPECT_EQ(nearest("rotate", words), "rotate90");
  EXPECT_EQ(nearest("rgb_to_gray", words), "rgb_to_grey");
  EXPECT_EQ(nearest("completely", words), "");
  EXPECT_EQ(nearest("", words), "");
}

}  // namespace
}  // namespace zp::test
