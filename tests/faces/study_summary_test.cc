#include "faces/dashboard/study_summary.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/json.h"

namespace vernier {
namespace {

StudySnapshot StudyWithOpenTrials(int count) {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}};
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  spec.parameters = {x};
  StudySnapshot study;
  study.name = "owners/me/studies/digits";
  study.spec = std::make_shared<const StudySpec>(spec);
  for (int n = 1; n <= count; ++n) {
    auto trial = std::make_shared<TrialRecord>();
    trial->id = TrialId{n};
    trial->state = TrialState::kActive;
    trial->parameters = {{"x", 0.5}};
    study.open.push_back(trial->id);
    study.trials.Put(std::move(trial));
  }
  return study;
}

TEST(DescribeStudyTest, WhatAProgramThatEndedLeftOpenDoesNotRun) {
  const StudySnapshot study = StudyWithOpenTrials(24);
  const auto counts = [&study](std::optional<StudyWork> work) {
    return ParseJson(DescribeStudy(study, {}, Timestamp{}, work))->at("counts");
  };
  EXPECT_EQ(counts(StudyWork{0, {}}).at("running"), 0);
  EXPECT_EQ(counts(StudyWork{0, {}}).at("waiting"), 24);
  EXPECT_EQ(counts(StudyWork{1, {}}).at("running"), 1);
  EXPECT_EQ(counts(std::nullopt).at("running"), 24);
}

TEST(DescribeStudyTest, AnIdleStudySaysSinceWhen) {
  const StudySnapshot study = StudyWithOpenTrials(1);
  const auto idle_since = [&study](std::optional<StudyWork> work) {
    return ParseJson(DescribeStudy(study, {}, Timestamp{}, work))
        ->at("idleSince");
  };
  EXPECT_EQ(
      idle_since(StudyWork{0, Timestamp{} + std::chrono::milliseconds(1500)}),
      1500);
  EXPECT_TRUE(idle_since(StudyWork{1, {}}).is_null());
  EXPECT_TRUE(idle_since(std::nullopt).is_null()) << "a job";
}

TEST(DescribeStudyTest, TheBestTrialHasTheMeanOfItsPoint) {
  StudySnapshot study = StudyWithOpenTrials(3);
  study.open.clear();
  const std::vector<double> values = {1, 3, 2.5};
  for (int n = 1; n <= 3; ++n) {
    auto trial = std::make_shared<TrialRecord>(study.trials.Get(TrialId{n}));
    trial->state = TrialState::kCompleted;
    trial->end_cause = TrialEndCause::kSuccess;
    trial->final_measurement =
        FinalMeasurement{1, values[static_cast<std::size_t>(n) - 1]};
    if (n == 3) trial->parameters = {{"x", 0.75}};
    study.trials.Put(std::move(trial));
  }
  const auto best = [&study] {
    return ParseJson(DescribeStudy(study, {}, Timestamp{}))->at("best");
  };
  EXPECT_TRUE(best().at("point").is_null()) << "no point is repeated";
  StudySpec spec = *study.spec;
  spec.repeats = {RepeatPolicy::kFixed, 2};
  study.spec = std::make_shared<const StudySpec>(spec);
  const Json point = best().at("point");
  EXPECT_EQ(best().at("trial"), 1)
      << "2 less an error of 1 is below 2.5 less 1.4";
  EXPECT_EQ(point.at("trialId"), "1");
  EXPECT_EQ(point.at("count"), 2);
  EXPECT_EQ(point.at("mean"), 2.0);
  // One degree of freedom: 12.7 standard errors, of which each is 1.
  EXPECT_NEAR(point.at("low").get<double>(), 2 - 12.706, 0.01);
  EXPECT_NEAR(point.at("high").get<double>(), 2 + 12.706, 0.01);
}

TEST(DescribeStudyTest, WhatIsSaidAboutAStudyIsTold) {
  StudySnapshot study = StudyWithOpenTrials(0);
  study.metadata = std::make_shared<const Metadata>(
      Metadata{{{":attributes", "data"}, {true, "\"v3\""}},
               {{"elsewhere", "x"}, {true, "1"}}});
  EXPECT_EQ(ParseJson(DescribeStudy(study, {}, Timestamp{}))->at("attributes"),
            Json::object({{"data", "\"v3\""}}));
}

}  // namespace
}  // namespace vernier
