// The promises that every operation makes, walked over the registry: equal bits on every executor and model, for every
// format, channel count, odd size, sub-rectangle and padded row; empty images; in place; refusals.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/threads.h"
#include "device/runtime.h"
#include "kernels/row.h"
#include "memory/context.h"
#include "registry/cases.h"
#include "support/everywhere.h"

namespace zp::test {
namespace {

using registry::OperationCase;

/// A hash, or the error.
std::string outcome(const OperationCase& c, std::span<const Image> inputs) {
  try {
    return registry::case_hash(c, inputs);
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::invalid_argument || error.kind() == ErrorKind::unsupported)
        << c.operation.name() << " " << c.text() << ": " << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(c.operation.name())) << error.what();
    return std::string("error: ") + error.what();
  }
}

/// Every remainder of a vector and of a tile of small widths; fewer where a sanitizer makes each run several times
/// slower.
#if defined(ZEROPLANE_SANITIZED)
constexpr int kWidths[] = {1, 2, 3, 5, 8, 17, 33};
#else
constexpr int kWidths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                           15, 16, 17, 18, 19, 23, 24, 25, 30, 31, 32, 33, 34, 39};
#endif

std::vector<PlaneShape> shapes(const OperationCase& c) {
  std::vector<PlaneShape> all;
  const Format f = c.shape.format;
  for (int channels = 1; channels <= 4; ++channels) {
    if (!(c.operation.info().channels & (1 << channels))) continue;
    all.push_back({7, 5, channels, f});
    all.push_back({1, 1, channels, f});
  }
  all.push_back({257, 129, c.shape.channels, f});
  for (const int width : kWidths) all.push_back({width, 3, c.shape.channels, f});
  all.push_back({1, 33, c.shape.channels, f});
  return all;
}

std::string key(const OperationCase& c) {
  return std::string(c.operation.name()) + " [" + c.arguments + "] " + describe(c.shape);
}

/// The cases of every operation of a family on every shape.
std::vector<OperationCase> everything(std::string_view family) {
  std::vector<OperationCase> all;
  for (const OperationCase& c : registry::all_cases(64, 48))
    if (c.operation.info().family == family)
      for (const PlaneShape& shape : shapes(c)) {
        all.push_back(c);
        all.back().shape = shape;
      }
  return all;
}

std::vector<std::string> families() {
  std::vector<std::string> all;
  for (const detail::Row* row : detail::all_rows())
    if (std::find(all.begin(), all.end(), row->info->family) == all.end()) all.emplace_back(row->info->family);
  return all;
}

class EveryOperationOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Family, EveryOperationOf, testing::ValuesIn(families()),
                         [](const auto& info) { return info.param; });

TEST_P(EveryOperationOf, HasTheSameBitsOnEveryExecutorModelFormatAndSize) {
  const std::vector<OperationCase> all = everything(GetParam());
  ASSERT_FALSE(all.empty());
  std::vector<std::string> expected;
  std::size_t refused = 0;
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    // The other suites run behind the caller; this one is long enough without waiting.
    if (auto* control = device::simulated_control(*memory::context()->runtime)) control->set_delay(0);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::vector<Image> inputs = registry::case_inputs(all[k]);
      const std::string found = outcome(all[k], inputs);
      if (place.executor == Executor::cpu) {
        expected.push_back(found);
        refused += found.starts_with("error");
      } else {
        ASSERT_EQ(found, expected[k]) << key(all[k]);
      }
    }
  }
  // Small images may be refused (a crop outside, a seed outside, a mosaic of one row), but not as a rule.
  EXPECT_LT(refused * 4, all.size());
  RecordProperty("runs", int(all.size()));
}

/// A plane inside a larger one, at an odd offset, with padded rows; everything around it is watched.
struct Watched {
  static constexpr int kLeft = 3, kTop = 2, kRight = 5, kBottom = 1;
  Image around;
  PlaneView view;
  std::vector<unsigned char> before;

  explicit Watched(const PlaneShape& s)
      : around(PlaneShape{s.width + kLeft + kRight, s.height + kTop + kBottom, s.channels, s.format}) {
    auto* bytes = static_cast<unsigned char*>(around.data());
    for (std::size_t i = 0; i < around.bytes(); ++i) bytes[i] = static_cast<unsigned char>(0x5A + i % 7);
    if (s.format == Format::f32)
      for (std::size_t i = 0; i < around.bytes() / 4; ++i)
        static_cast<float*>(around.data())[i] = -77.0f - float(i % 5);
    const std::size_t pixel = std::size_t(s.channels) * bytes_of(s.format);
    view = PlaneView(bytes + std::size_t(kTop) * around.shape().row_bytes() + std::size_t(kLeft) * pixel, s,
                     around.pitch());
    before.assign(bytes, bytes + around.bytes());
  }
  bool padding_untouched() const {
    const auto* bytes = static_cast<const unsigned char*>(around.data());
    const std::size_t row = around.shape().row_bytes(),
                      pixel = std::size_t(view.shape.channels) * bytes_of(view.shape.format);
    for (std::size_t i = 0; i < around.bytes(); ++i) {
      const std::size_t y = i / row, x = i % row;
      const bool inside = !view.shape.empty() && y >= kTop && y < kTop + std::size_t(view.shape.height) &&
                          x >= kLeft * pixel && x < kLeft * pixel + view.shape.row_bytes();
      if (!inside && bytes[i] != before[i]) return false;
    }
    return true;
  }
  void set(const ConstPlaneView& from) {
    for (int y = 0; y < from.shape.height; ++y)
      std::memcpy(static_cast<char*>(view.data) + y * view.pitch, static_cast<const char*>(from.data) + y * from.pitch,
                  from.shape.row_bytes());
  }
};

TEST(EveryOperation, WorksOnSubRectanglesAndLeavesPaddingAlone) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (OperationCase c : registry::all_cases(33, 21)) {
      const std::vector<Image> inputs = registry::case_inputs(c);
      std::vector<Watched> watched;
      std::vector<ConstPlaneView> tight, padded;
      for (const Image& in : inputs) {
        watched.emplace_back(in.shape());
        watched.back().set(in.view());
        watched.back().before.assign(
            static_cast<unsigned char*>(watched.back().around.data()),
            static_cast<unsigned char*>(watched.back().around.data()) + watched.back().around.bytes());
        tight.push_back(in.view());
      }
      for (const Watched& w : watched) padded.push_back(w.view);
      Values expected_values;
      const Image expected = c.operation.evaluate(tight, &expected_values);
      if (!c.operation.makes_image()) {
        Values values;
        c.operation.evaluate(padded, &values);
        EXPECT_EQ(registry::result_hash(nullptr, values), registry::result_hash(nullptr, expected_values)) << key(c);
        continue;
      }
      Watched out(expected.shape());
      const Values values = c.operation.run(padded, &out.view);
      EXPECT_EQ(hash_text(hash(out.view)), hash_text(hash(expected.view()))) << key(c);
      EXPECT_EQ(registry::result_hash(nullptr, values), registry::result_hash(nullptr, expected_values)) << key(c);
      EXPECT_TRUE(out.padding_untouched()) << key(c);
      for (const Watched& w : watched) EXPECT_TRUE(w.padding_untouched()) << key(c);
      if (HasFailure()) return;
    }
  }
}

TEST(EveryOperation, WorksInPlaceWhereTheShapeAllows) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const OperationCase& c : registry::all_cases(41, 23)) {
      if (!c.operation.makes_image()) continue;
      std::vector<Image> inputs = registry::case_inputs(c);
      const std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
      const Image expected = c.operation.evaluate(views);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (inputs[k].shape() != expected.shape()) continue;
        std::vector<Image> copies = registry::case_inputs(c);
        const std::vector<ConstPlaneView> in(copies.begin(), copies.end());
        const PlaneView out = copies[k].view();
        c.operation.run(in, &out);
        EXPECT_EQ(hash_text(hash(out)), hash_text(hash(expected.view()))) << key(c) << " into input " << k + 1;
      }
      if (HasFailure()) return;
    }
  }
}

TEST(EveryOperation, ShiftedOverlapGivesTheSameAsSeparatePlanes) {
  const At at({"none", "", Executor::cpu});
  for (const OperationCase& c : registry::all_cases(24, 17)) {
    if (!c.operation.makes_image()) continue;
    const std::vector<Image> inputs = registry::case_inputs(c);
    std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
    const Image expected = c.operation.evaluate(views);
    if (expected.shape() != inputs[0].shape()) continue;
    const std::size_t row = expected.shape().row_bytes();
    std::vector<char> both(expected.bytes() + row);
    std::memcpy(both.data() + row, inputs[0].data(), inputs[0].bytes());
    views[0] = ConstPlaneView(both.data() + row, inputs[0].shape());
    const PlaneView out(both.data(), expected.shape());
    c.operation.run(views, &out);
    EXPECT_EQ(hash_text(hash(out)), hash_text(hash(expected.view()))) << key(c);
  }
}

TEST(EveryOperation, TakesEmptyImages) {
  for (const Place& place : places()) {
    SCOPED_TRACE(place.text());
    const At at(place);
    for (const OperationCase& first : registry::all_cases(64, 48))
      for (const auto& [w, h] : {std::pair{0, 0}, {0, 5}, {5, 0}}) {
        OperationCase c = first;
        c.shape.width = w;
        c.shape.height = h;
        const std::string found = outcome(c, registry::case_inputs(c));
        EXPECT_FALSE(found.empty()) << key(c);
      }
  }
}

TEST(EveryOperation, IsIndependentOfThreadsAndInstructionSet) {
  const At at({"none", "", Executor::cpu});
  const std::vector<OperationCase> all = registry::all_cases(257, 129);
  std::vector<std::string> expected;
  for (const OperationCase& c : all) expected.push_back(registry::case_hash(c, registry::case_inputs(c)));
  for (const int threads : {1, 2, 3, 8})
    for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::avx2, CpuLevel::avx512}) {
      if (level > best_cpu_level()) continue;
      if (threads != 1 && threads != 8 && level != best_cpu_level()) continue;
      set_threads(threads);
      set_cpu_level(level);
      for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_EQ(registry::case_hash(all[k], registry::case_inputs(all[k])), expected[k])
            << key(all[k]) << " with " << threads << " threads, level " << int(level);
    }
  set_threads(0);
  set_cpu_level(best_cpu_level());
}

TEST(EveryOperation, RefusesWrongFormatsChannelsInputsAndOutputsByName) {
  const At at({"none", "", Executor::cpu});
  for (const detail::Row* row : detail::all_rows()) {
    const AnyOperation op(row->info->name);
    const auto refused = [&](std::span<const ConstPlaneView> in, const PlaneView* out) {
      try {
        op.run(in, out);
        ADD_FAILURE() << row->info->name << " took what it must refuse";
      } catch (const Error& error) {
        EXPECT_TRUE(std::string_view(error.what()).starts_with(row->info->name)) << error.what();
      }
    };
    const OperationCase c{op, "", PlaneShape{16, 16, 1, Format::u8}};
    std::vector<Image> inputs = registry::case_inputs(c);
    std::vector<ConstPlaneView> none;
    PlaneView out = inputs[0].view();
    refused(none, &out);
    std::vector<ConstPlaneView> many(std::size_t(row->info->max_inputs) + 1, inputs[0].view());
    refused(many, &out);
    std::vector<ConstPlaneView> views(inputs.begin(), inputs.end());
    views[0].data = nullptr;
    refused(views, &out);
    views[0] = inputs[0].view();
    views[0].shape.channels = 5;
    refused(views, &out);
    for (int channels = 1; channels <= 4; ++channels)
      if (!(row->info->channels & (1 << channels))) {
        Image wrong(Format::u8, 16, 16, channels);
        std::vector<ConstPlaneView> v(views.size(), wrong.view());
        refused(v, &out);
      }
    for (const Format f : {Format::u8, Format::u16, Format::f32, Format::u32})
      if (!(row->info->formats & bit(f))) {
        Image wrong(f, 16, 16, 3);
        std::vector<ConstPlaneView> v(views.size(), wrong.view());
        refused(v, &out);
      }
  }
}

TEST(EveryOperation, DescribesItselfCompletely) {
  std::set<std::string_view> names;
  for (const detail::Row* row : detail::all_rows()) {
    EXPECT_TRUE(names.insert(row->info->name).second) << row->info->name << " twice";
    EXPECT_FALSE(row->info->summary.empty()) << row->info->name;
    EXPECT_GE(row->cases.size(), 1u) << row->info->name;
    const AnyOperation fresh(row->info->name);
    EXPECT_EQ(fresh.arguments(), "") << row->info->name;
    for (const Case& c : row->cases) {
      const AnyOperation op(row->info->name, c.arguments);
      const AnyOperation again(row->info->name, op.arguments());
      EXPECT_EQ(again.arguments(), op.arguments()) << row->info->name << " " << c.arguments;
    }
    for (const detail::ParameterRow& p : row->parameters) {
      EXPECT_FALSE(p.help.empty()) << row->info->name << " " << p.name;
      if (p.facts.high < std::numeric_limits<double>::infinity() && p.type == detail::ValueType::real) {
        EXPECT_THROW(AnyOperation(row->info->name, std::string(p.name) + "=" + std::to_string(p.facts.high * 2 + 10)),
                     Error)
            << row->info->name << " " << p.name;
      }
    }
    EXPECT_THROW(AnyOperation(row->info->name, "no_such_key=1"), Error);
  }
}

}  // namespace
}  // namespace zp::test
