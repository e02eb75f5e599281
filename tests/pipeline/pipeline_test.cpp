// Pipelines: steps from text, further inputs from files, values, the observer, equal bits on every device.
// SPDX-License-Identifier: Apache-2.0
#include "zeroplane/pipeline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "zeroplane/hash.h"
#include "zeroplane/synth.h"

namespace zp::test {
namespace {

using Steps = std::vector<std::string>;

class PipelineTest : public testing::Test {
 protected:
  void SetUp() override {
    initialize({.device = "none"});
    folder_ = std::filesystem::temp_directory_path() / ("zeroplane_pipeline_" + std::to_string(::getpid()) + "_" +
                                                        testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    initialize({.device = "none"});
    std::filesystem::remove_all(folder_);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static Image row(std::initializer_list<std::uint8_t> samples) {
    Image image(Format::u8, int(samples.size()), 1);
    std::copy(samples.begin(), samples.end(), static_cast<std::uint8_t*>(image.data()));
    return image;
  }
  static std::vector<int> samples(const Image& image) {
    const auto view = image.as<std::uint8_t>();
    return std::vector<int>(view.data, view.data + view.width);
  }

  std::filesystem::path folder_;
};

TEST(PipelineText, StepsAreWordsAndCommentsEndWithTheLine) {
  EXPECT_EQ(Pipeline::split_steps("a b:c=d\n# x y\n  e #f\ng#h\r\n\n"), (Steps{"a", "b:c=d", "e", "g#h"}));
  EXPECT_EQ(Pipeline::split_steps("a:file=my\\ file\\,1.tif b"), (Steps{"a:file=my file\\,1.tif", "b"}));
  EXPECT_EQ(Pipeline::split_steps(""), Steps{});
  EXPECT_EQ(Pipeline::split_steps("# only"), Steps{});
}

TEST_F(PipelineTest, RunsItsStepsInOrder) {
  const Pipeline pipeline(Steps{"add_constant:constant=10", "multiply_constant:factor=2"});
  EXPECT_EQ(pipeline.size(), 2u);
  EXPECT_EQ(samples(pipeline.run(row({0, 1, 100, 250}))), (std::vector<int>{20, 22, 220, 255}));
  const Pipeline turned(Steps{"multiply_constant:factor=2", "add_constant:constant=10"});
  EXPECT_EQ(samples(turned.run(row({0, 1, 100, 250}))), (std::vector<int>{10, 12, 210, 255}));
}

TEST_F(PipelineTest, WithoutStepsTheImageIsHandedOn) {
  Image image = row({1, 2, 3});
  const void* pixels = image.data();
  EXPECT_EQ(Pipeline().run(std::move(image)).data(), pixels);
}

TEST_F(PipelineTest, ReadsFurtherInputsByName) {
  write(file("a, b: c.png"), row({1, 2, 3}));
  std::string escaped;
  for (const char c : file("a, b: c.png")) escaped += (c == ',' || c == ':' ? std::string("\\") : std::string()) + c;
  Pipeline pipeline(Steps{"add:with=" + escaped, "subtract:with=" + escaped, "add:with=" + escaped});
  EXPECT_EQ(pipeline.files(), Steps(3, file("a, b: c.png")));
  EXPECT_EQ(samples(pipeline.run(row({10, 20, 30}))), (std::vector<int>{11, 22, 33}));
  pipeline.prepare();
  std::filesystem::remove(file("a, b: c.png"));  // read once, used for every frame
  EXPECT_EQ(samples(pipeline.run(row({10, 20, 30}))), (std::vector<int>{11, 22, 33}));
  EXPECT_EQ(samples(pipeline.run(row({1, 1, 1}))), (std::vector<int>{2, 3, 4}));
}

TEST_F(PipelineTest, AnOptionalInputMayBeLeftOut) {
  write(file("flat.png"), row({10, 20, 40}));
  write(file("dark.png"), row({0, 10, 20}));
  const std::string flat = "flat_field:target=10,flat=" + file("flat.png");
  // v * 10 / flat, and (v - dark) * 10 / (flat - dark).
  EXPECT_EQ(samples(Pipeline(Steps{flat}).run(row({5, 20, 80}))), (std::vector<int>{5, 10, 20}));
  EXPECT_EQ(samples(Pipeline(Steps{flat + ",dark=" + file("dark.png")}).run(row({5, 20, 80}))),
            (std::vector<int>{5, 10, 30}));
}

TEST_F(PipelineTest, RefusesWhatCannotRun) {
  const auto message = [](const Steps& steps) -> std::string {
    try {
      Pipeline{steps};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message({"invert", "invrt"}).find("did you mean invert?"), std::string::npos);
  EXPECT_NE(message({"flat_field"}).find("flat_field:flat=FILE"), std::string::npos);
  EXPECT_NE(message({"flat_field:dark=x.tif"}).find("flat=FILE"), std::string::npos);
  EXPECT_NE(message({"add:wth=x.tif"}), "accepted");
  EXPECT_NE(message({"invert:a=1:b=2"}).find("one colon"), std::string::npos);
  EXPECT_NE(message({"threshold:limit=x"}).find("is not a number"), std::string::npos);
  try {
    Pipeline(Steps{"add:with=" + file("missing.tif")}).run(row({1}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find("missing.tif"), std::string::npos);
  }
  write(file("two.png"), row({1, 2}));
  try {
    Pipeline(Steps{"add:with=" + file("two.png")}).run(row({1, 2, 3}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_TRUE(std::string(error.what()).starts_with("add: ")) << error.what();
  }
}

TEST_F(PipelineTest, OperationsWithoutAnImageHandTheirsOnAndTheirValuesAreKept) {
  std::vector<std::pair<std::string, Values>> values;
  std::vector<std::string> seen;
  const Pipeline pipeline(Steps{"mean", "add_constant:constant=1", "mean"});
  const Image image = pipeline.run(row({1, 2, 6}), &values, [&](const StepReport& step) {
    seen.push_back(step.operation);
    EXPECT_EQ(step.output, (PlaneShape{3, 1, 1, Format::u8}));
    EXPECT_EQ(step.values.empty(), step.operation != "mean");
    EXPECT_EQ(step.run.executor, Executor::cpu);
    EXPECT_EQ(step.run.executor_reason, "no device");
    EXPECT_GE(step.milliseconds, 0);
  });
  EXPECT_EQ(seen, (Steps{"mean", "add_constant:constant=1", "mean"}));
  EXPECT_EQ(samples(image), (std::vector<int>{2, 3, 7}));
  ASSERT_EQ(values.size(), 2u);
  const auto mean = [&](std::size_t k) { return std::get<std::vector<double>>(values[k].second.at(0).second).at(0); };
  EXPECT_EQ(mean(0), 3.0);
  EXPECT_EQ(mean(1), 4.0);
}

TEST_F(PipelineTest, StagesNothingOnUnifiedAndGivesTheSameBitsEverywhere) {
  const Steps steps{"demosaic", "gamma:gamma=2", "gaussian:sigma=1.5", "resize:scale=0.5", "rotate90"};
  const auto frame = [] { return std::move(synth(Scene::bayer, {.width = 301, .height = 203})[0]); };
  const std::uint64_t expected = hash(Pipeline(steps).run(frame()).view());
  for (const char* model : {"unified", "discrete", "coherent"}) {
    initialize({.device = std::string("simulated:") + model});
    const ExecutorScope scope(Executor::simulated);
    std::size_t steps_seen = 0, staged = 0;
    const Image image = Pipeline(steps).run(frame(), nullptr, [&](const StepReport& step) {
      ++steps_seen;
      staged += step.counted.views_staged;
      EXPECT_EQ(step.run.executor, Executor::simulated);
      EXPECT_EQ(step.run.operands.size(), 2u);
    });
    EXPECT_EQ(hash(image.view()), expected) << model;
    EXPECT_EQ(steps_seen, steps.size());
    if (std::string_view(model) != "discrete") {
      EXPECT_EQ(staged, 0u) << model;
    }
  }
}

TEST_F(PipelineTest, OneServesSeveralThreads) {
  Pipeline pipeline(Steps{"gaussian:sigma=2", "invert"});
  pipeline.prepare();
  const auto frame = [](unsigned seed) {
    return std::move(synth(Scene::noise, {.width = 120, .height = 90, .seed = seed})[0]);
  };
  std::vector<std::uint64_t> alone, together(8);
  for (unsigned k = 0; k < 8; ++k) alone.push_back(hash(pipeline.run(frame(k)).view()));
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < 8; ++k) threads.emplace_back([&, k] { together[k] = hash(pipeline.run(frame(k)).view()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
}

}  // namespace
}  // namespace zp::test
