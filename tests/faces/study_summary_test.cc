#include "faces/dashboard/study_summary.h"

#include <gtest/gtest.h>

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
  const auto counts = [&study](std::optional<int> running) {
    return ParseJson(DescribeStudy(study, {}, Timestamp{}, running))
        ->at("counts");
  };
  EXPECT_EQ(counts(0).at("running"), 0);
  EXPECT_EQ(counts(0).at("waiting"), 24);
  EXPECT_EQ(counts(1).at("running"), 1);
  EXPECT_EQ(counts(std::nullopt).at("running"), 24);
}

}  // namespace
}  // namespace vernier
