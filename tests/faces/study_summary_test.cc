#include "faces/dashboard/study_summary.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>

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
