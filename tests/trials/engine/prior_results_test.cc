#include "trials/engine/prior_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "store/study_names.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

void EndAtX(TrialRecord* trial, double x, int ended_at) {
  trial->parameters = {{"x", x}};
  trial->ended_at = Timestamp(seconds(ended_at));
}

StudyBuilder Prior(const std::string& name, StudyId id) {
  JobSpec spec = TuningSpec(20, 1);
  spec.job_id = name;
  StudyBuilder study(spec);
  study.record().id = id;
  study.Completed(0.5).With([](auto* trial) { EndAtX(trial, 0.25, 10); });
  return study;
}

StudySnapshot Asking(std::vector<std::string> names,
                     std::map<std::string, std::string> rename = {}) {
  JobSpec spec = TuningSpec(20, 1);
  spec.job_id = "asking";
  spec.vernier.prior_studies = {std::move(names), std::move(rename)};
  StudyBuilder study(spec);
  study.record().created_at = Timestamp(seconds(100));
  return study.Build();
}

StoreSnapshot SnapshotOf(const std::vector<StudySnapshot>& studies) {
  StoreSnapshot snapshot;
  for (const StudySnapshot& study : studies) {
    snapshot[study.id] = std::make_shared<const StudySnapshot>(study);
  }
  return snapshot;
}

std::vector<PriorStudy> ResultsOf(const StudySnapshot& asking,
                                  const StudySnapshot& prior) {
  return PriorResults(asking, {std::make_shared<const StudySnapshot>(prior)});
}

TEST(PriorResultsTest, AreWhatTheTrialsCameTo) {
  StudyBuilder prior = Prior("old", StudyId{1});
  prior.Failed(TrialEndCause::kUserError)
      .With([](auto* trial) { EndAtX(trial, 0.75, 11); })
      .Failed(TrialEndCause::kInfrastructure)
      .With([](auto* trial) { EndAtX(trial, 0.8, 12); })
      .Active();
  const auto results = ResultsOf(Asking({"old"}), prior.Build());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].name, "old");
  EXPECT_EQ(results[0].goal, Goal::kMinimize);
  ASSERT_EQ(results[0].trials.size(), 2u);
  EXPECT_EQ(results[0].trials[0].parameters, (Parameters{{"x", 0.25}}));
  EXPECT_EQ(results[0].trials[0].objective, 0.5);
  EXPECT_EQ(results[0].trials[1].objective, std::nullopt);
}

// Otherwise the same study would learn something else after a restart.
TEST(PriorResultsTest, WhatEndedLaterIsNotLearned) {
  StudyBuilder prior = Prior("old", StudyId{1});
  prior.Completed(0.25).With([](auto* trial) { EndAtX(trial, 0.75, 101); });
  EXPECT_EQ(ResultsOf(Asking({"old"}), prior.Build())[0].trials.size(), 1u);
}

TEST(PriorResultsTest, LastValuesOfStoppedTrialsAreNotFinal) {
  StudyBuilder prior = Prior("old", StudyId{1});
  prior.Completed(0.25).With([](TrialRecord* trial) {
    EndAtX(trial, 0.75, 11);
    trial->state = TrialState::kStopped;
    trial->end_cause = TrialEndCause::kStoppedEarly;
  });
  EXPECT_EQ(ResultsOf(Asking({"old"}), prior.Build())[0].trials.size(), 1u);
}

TEST(PriorResultsTest, ParametersHaveTheirNamesHere) {
  StudyBuilder prior = Prior("old", StudyId{1});
  prior.With([](auto* trial) {
    trial->parameters = {{"rate", 0.25}, {"other", std::int64_t{3}}};
  });
  EXPECT_EQ(ResultsOf(Asking({"old"}, {{"rate", "x"}}), prior.Build())[0]
                .trials[0]
                .parameters,
            (Parameters{{"x", 0.25}, {"other", std::int64_t{3}}}));
}

TEST(PriorResultsTest, StudiesAreThoseOfTheProject) {
  const StudySnapshot other = Prior("old@elsewhere", StudyId{2}).Build();
  const StudySnapshot own = Prior("older", StudyId{3}).Build();
  StudySnapshot clients = own;
  clients.id = StudyId{4};
  clients.name = "owners/default/studies/theirs";
  clients.run = ClientRun{};
  const StoreSnapshot snapshot = SnapshotOf({other, own, clients});
  const std::string project(ProjectOf(own));
  const auto check = [&](const std::string& name) {
    return std::string(
        CheckPriorNames(snapshot, project, {{"older", name}, {}}).message());
  };
  EXPECT_EQ(check("theirs"), "");
  EXPECT_EQ(check(clients.name), "");
  for (const char* hidden : {"old", "old@elsewhere", "none", "nobody/studies/x",
                             "old@elsewhere/studies"}) {
    EXPECT_EQ(check(hidden),
              absl::StrCat("priorStudies[1]: there is no job or study \"",
                           hidden, "\""));
  }
  const auto found =
      FindPriorStudies(snapshot, Asking({"older", "old", "theirs", "asking"}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]->id, StudyId{3});
  EXPECT_EQ(found[1]->id, StudyId{4});
}

TEST(PriorResultsTest, WithoutNamesTheyAreThoseThatAreLike) {
  const auto like = [](const std::string& name, int id, int trials,
                       const std::string& parameter = "x") {
    JobSpec spec = TuningSpec(20, 1);
    spec.job_id = name;
    spec.training_input.hyperparameters->params[0].name = parameter;
    StudyBuilder study(spec);
    study.record().id = StudyId{id};
    for (int i = 0; i < trials; ++i) {
      study.Completed(0.5).With(
          [](auto* trial) { trial->ended_at = Timestamp(seconds(10)); });
    }
    // It has ended too late to count.
    study.Completed(0.5).With(
        [](auto* trial) { trial->ended_at = Timestamp(seconds(101)); });
    return study.Build();
  };
  StudySnapshot asking = Asking({"auto"}, {{"rate", "x"}});
  asking.id = StudyId{50};
  const StoreSnapshot snapshot = SnapshotOf(
      {like("a", 1, 5), like("b", 2, 4), like("c", 3, 5, "y"),
       like("d", 4, 9, "rate"), like("e@elsewhere", 5, 9), like("f", 60, 9)});
  EXPECT_TRUE(
      CheckPriorNames(snapshot, "default", asking.spec->prior_studies).ok());
  const auto found = FindPriorStudies(snapshot, asking);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]->name, "d");
  EXPECT_EQ(found[1]->name, "a");
}

TEST(PriorResultsTest, OfSeveralMetricsTheOneOfThisNameCounts) {
  StudyBuilder prior = Prior("old", StudyId{1});
  auto spec = *prior.Build().spec;
  spec.metrics = {{"accuracy", Goal::kMaximize}, {"loss", Goal::kMinimize}};
  prior.record().spec = std::make_shared<const StudySpec>(spec);
  prior.With([](TrialRecord* trial) {
    trial->final_report.emplace().metrics = {{"accuracy", 0.5}, {"loss", 2}};
  });
  const auto results = ResultsOf(Asking({"old"}), prior.Build());
  EXPECT_EQ(results[0].goal, Goal::kMinimize);
  ASSERT_EQ(results[0].trials.size(), 1u);
  EXPECT_EQ(results[0].trials[0].objective, 2);
}

TEST(PriorResultsTest, ARenamedMetricStaysTheSame) {
  StudyBuilder prior = Prior("old", StudyId{1});
  const auto objective = [&](const StudySnapshot& asking,
                             const std::string& name) {
    auto spec = *prior.Build().spec;
    spec.metrics = {{"accuracy", Goal::kMaximize}, {name, Goal::kMinimize}};
    if (name != "loss") spec.renamed_from = {{name, {"loss"}}};
    prior.record().spec = std::make_shared<const StudySpec>(spec);
    prior.With([&](TrialRecord* trial) {
      trial->final_report.emplace().metrics = {{"accuracy", 0.5}, {name, 2}};
    });
    return ResultsOf(asking, prior.Build())[0].trials[0].objective;
  };
  StudySnapshot asking = Asking({"old"});  // Its objective is "loss".
  EXPECT_EQ(objective(asking, "error"), 2);
  auto spec = *asking.spec;
  spec.metrics[0].name = "cost";
  spec.renamed_from = {{"cost", {"loss"}}};
  asking.spec = std::make_shared<const StudySpec>(spec);
  EXPECT_EQ(objective(asking, "loss"), 2);
  EXPECT_EQ(objective(asking, "error"), 2);
}

}  // namespace
}  // namespace vernier
