#include "trials/limits/progress_watch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/await_condition.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

std::shared_ptr<const StudySnapshot> WithResults(int count, int trials = 10) {
  JobSpec spec = TuningSpec(100, 1);
  spec.vernier.limits.no_progress = NoProgressLimit{trials, 0.01};
  StudyBuilder study(spec);
  for (int i = 0; i < count; ++i) {
    const double x = (i * 37 % 100) / 100.0;
    study.Completed((x - 0.3) * (x - 0.3)).With([x](TrialRecord* trial) {
      trial->parameters = {{"x", x}};
    });
  }
  return std::make_shared<const StudySnapshot>(study.Build());
}

TEST(ProgressWatchTest, AsksTheModelOnceThereAreEnoughResults) {
  std::vector<std::string> log;
  ResultModels models;
  ProgressWatch watch(models, nullptr,
                      [&](const std::string& line) { log.push_back(line); });
  EXPECT_FALSE(watch.PromiseOf(WithResults(9)).has_value());
  const auto promise = watch.PromiseOf(WithResults(12));
  ASSERT_TRUE(promise.has_value());
  EXPECT_GE(promise->expected_gain, 0);
  EXPECT_LT(promise->expected_gain, 0.01) << "a parabola is easy";
  EXPECT_FALSE(watch.PromiseOf(WithResults(20, 30)).has_value())
      << "it looks further ahead than back";
  EXPECT_TRUE(log.empty());
}

TEST(ProgressWatchTest, APoolComputesMeanwhile) {
  ResultModels models;
  ThreadPool pool(1);
  ProgressWatch watch(models, &pool, [](const std::string&) {});
  const auto study = WithResults(12);
  std::optional<NextTrialPromise> promise = watch.PromiseOf(study);
  ASSERT_TRUE(AwaitCondition([&] {
    if (!promise.has_value()) promise = watch.PromiseOf(study);
    return promise.has_value();
  }));
  EXPECT_GE(promise->expected_gain, 0);
  watch.Forget([](StudyId) { return true; });
}

}  // namespace
}  // namespace vernier
