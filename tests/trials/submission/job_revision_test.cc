// JobService::ReviseJob and what it decides by.

#include "trials/submission/job_revision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "store/present_space.h"
#include "tests/trials/submission/job_service_bed.h"
#include "trials/jobs/job_versions.h"
#include "trials/submission/spec_difference.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

constexpr char kWithCode[] = "command: [/bin/true], codeDir: /src";

class JobRevisionTest : public JobServiceTest {
 protected:
  StudyId CreateWithCode(const std::string& space = kSpace) {
    const auto created = service_.CreateJob(Parse("a", space, kWithCode), "");
    EXPECT_TRUE(created.ok()) << created.status();
    return (*created)->id;
  }

  void MustCommit(const std::vector<Change>& changes) {
    const absl::Status status = store_.Commit(changes, {});
    ASSERT_TRUE(status.ok()) << status;
  }

  /// The next trial runs and ends so.
  void RunTrial(StudyId study, TrialEndCause cause) {
    const TrialId trial{CountTrials(study) + 1};
    const AttemptKey key{study, trial, 1};
    EndAttempt end;
    end.attempt = key;
    end.event = AttemptEvent::kExit;
    end.cause = cause;
    end.exit_code = cause == TrialEndCause::kSuccess ? 0 : 1;
    MoveTrial move{study, trial, TrialEvent::kGiveUp, cause, "", std::nullopt};
    if (cause == TrialEndCause::kSuccess) {
      move.event = TrialEvent::kReportFinal;
      move.final_measurement = FinalMeasurement{1, 0.5};
    }
    MustCommit({CreateTrials{study, {{{{"x", 0.5}}, {"SOBOL", {}}}}},
                IntendLaunch{key, "nonce" + std::to_string(++nonces_), {}},
                ObserveAttempt{key, AttemptEvent::kRun}, end, move});
  }

  std::int64_t CountTrials(StudyId study) const {
    return static_cast<std::int64_t>(
        store_.Snapshot()->at(study)->trials.size());
  }

  /// A job whose three trials failed by a program that did not work.
  StudyId FailedJob() {
    const StudyId study = CreateWithCode();
    for (int i = 0; i < 3; ++i) RunTrial(study, TrialEndCause::kUserError);
    MustCommit({MoveJob{study, JobEvent::kRun, ""},
                MoveJob{study, JobEvent::kFail, "it did not work"}});
    return study;
  }

  static JobRevision GoesOn(const ParsedJob& job) {
    JobRevision asked;
    asked.job = job;
    asked.goes_on = true;
    return asked;
  }

  int nonces_ = 0;
};

TEST_F(JobRevisionTest, AMetricWithValuesIsRenamed) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  const auto edit = [&](const std::string& json) {
    JobRevision asked;
    asked.edit = json;
    return service_.ReviseJob("a", asked);
  };
  const auto tag = [](const std::string& name) {
    return R"({"trainingInput":{"hyperparameters":{"hyperparameterMetricTag":")" +
           name + R"("}})";
  };
  const auto bare = edit(tag("error") + "}");
  EXPECT_EQ(bare.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(bare.status().message()),
              HasSubstr("if error is only a new name of loss, an edit says so "
                        "by vernier.renamedFrom: {error: [loss]}"));
  const std::string all =
      tag("error") + R"(,"vernier":{"renamedFrom":{"error":["loss"]}}})";
  auto revised = edit(all);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("metric loss -> error"));
  EXPECT_EQ(ObjectiveOf(*revised->study->spec).name, "error");
  EXPECT_EQ(revised->study->trials.Brief(TrialId{1}).final_measurement->value,
            0.5);
  revised = edit(all);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, IsEmpty()) << "the same file again";
  revised = edit(R"({"trainingInput":{"hyperparameters":{"maxTrials":9}}})");
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_EQ(revised->study->spec->renamed_from,
            (FormerNames{{"error", {"loss"}}}))
      << "another edit keeps it";
  // The fields that name the metric follow by themselves.
  revised = edit(R"({"vernier":{"renamedFrom":{"cost":["error"]}}})");
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("metric error -> cost"));
  EXPECT_EQ(revised->study->spec->renamed_from,
            (FormerNames{{"cost", {"loss", "error"}}}));
}

TEST_F(JobRevisionTest, OnlyAnEditRenamesAMetric) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  JobRevision asked;
  asked.job = Parse("a", absl::StrReplaceAll(kSpace, {{"loss", "error"}}),
                    absl::StrCat(kWithCode, ", renamedFrom: {error: [loss]}"));
  EXPECT_THAT(std::string(service_.ReviseJob("a", asked).status().message()),
              HasSubstr("the metric \"loss\" is called \"error\"; a new search "
                        "needs a name of its own, and this one is edited by"));
}

TEST_F(JobRevisionTest, SeveralMetricsSwapTheirNames) {
  const auto created = service_.CreateJob(
      Parse("a", kSpace,
            absl::StrCat(kWithCode,
                         ", objectives: [{metric: loss, goal: "
                         "MINIMIZE}, {metric: size, goal: MINIMIZE}]"
                         ", metricConstraints: [{metric: size, max: "
                         "9}]")),
      "");
  ASSERT_TRUE(created.ok()) << created.status();
  RunTrial((*created)->id, TrialEndCause::kSuccess);
  JobRevision asked;
  asked.edit =
      R"({"vernier":{"renamedFrom":{"size":["loss"],"loss":["size"]}}})";
  const auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes,
              ElementsAre("metric loss -> size", "metric size -> loss"));
  EXPECT_EQ(ObjectiveOf(*revised->study->spec).name, "size");
  EXPECT_EQ(revised->study->spec->constraints[0].metric, "loss");
}

// Else a pattern would find the metric that has the name now.
TEST_F(JobRevisionTest, PatternsFindTheRenamedMetrics) {
  const auto created = service_.CreateJob(
      Parse("a", kSpace,
            absl::StrCat(kWithCode,
                         ", objectives: [{metric: loss, goal: MINIMIZE}, "
                         "{metric: size, goal: MINIMIZE}], metricPatterns: "
                         "[{metric: loss, pattern: 'l (?P<value>.+)'}, "
                         "{metric: size, pattern: 's (?P<value>.+)'}, "
                         "{pattern: '(?P<name>.+): (?P<value>.+)'}]")),
      "");
  ASSERT_TRUE(created.ok()) << created.status();
  RunTrial((*created)->id, TrialEndCause::kSuccess);
  JobRevision asked;
  asked.edit =
      R"({"vernier":{"renamedFrom":{"size":["loss"],"loss":["size"]}}})";
  const auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes,
              ElementsAre("metric loss -> size", "metric size -> loss"));
  const auto patterns =
      JobOf(*revised->study).run().spec->vernier.metric_patterns;
  ASSERT_EQ(patterns.size(), 3u);
  EXPECT_EQ(patterns[0].metric, "size");
  EXPECT_EQ(patterns[1].metric, "loss");
  EXPECT_EQ(patterns[2].metric, "");
  // The same again, with the metrics as a file has them.
  asked.edit = R"({"vernier":{"renamedFrom":{"size":["loss"],"loss":["size"]},)"
               R"("objectives":[{"metric":"size","goal":"MINIMIZE"},)"
               R"({"metric":"loss","goal":"MINIMIZE"}]}})";
  const auto again = service_.ReviseJob("a", asked);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(again->changes, IsEmpty());
}

TEST_F(JobRevisionTest, AnEditWithTheFormerNameMustSaySo) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  JobRevision asked;
  asked.edit = R"({"vernier":{"renamedFrom":{"error":["loss"]}}})";
  ASSERT_TRUE(service_.ReviseJob("a", asked).ok());
  asked.edit = R"({"trainingInput":{"hyperparameters":)"
               R"({"hyperparameterMetricTag":"loss"}}})";
  const auto refused = service_.ReviseJob("a", asked);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("the metric \"loss\" is called \"error\" now: say "
                        "that, or rename it by renamedFrom: {loss: [error]}"));
  asked.edit =
      R"({"vernier":{"renamedFrom":{"loss":["error"]}},"trainingInput":)"
      R"({"hyperparameters":{"hyperparameterMetricTag":"loss"}}})";
  const auto renamed = service_.ReviseJob("a", asked);
  ASSERT_TRUE(renamed.ok()) << renamed.status();
  EXPECT_EQ(renamed->study->spec->renamed_from,
            (FormerNames{{"loss", {"loss", "error"}}}));
}

TEST_F(JobRevisionTest, AnEditMayNameSomeOfTheMetricsThatItRenames) {
  const auto created = service_.CreateJob(
      Parse("a", kSpace,
            absl::StrCat(kWithCode,
                         ", metricConstraints: [{metric: size, max: 9}]")),
      "");
  ASSERT_TRUE(created.ok()) << created.status();
  RunTrial((*created)->id, TrialEndCause::kSuccess);
  JobRevision asked;
  asked.edit =
      R"({"vernier":{"renamedFrom":{"bytes":["size"],"error":["loss"]},)"
      R"("metricConstraints":[{"metric":"bytes","max":9}]}})";
  const auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes,
              ElementsAre("metric loss -> error", "metric size -> bytes"));
  asked.edit =
      R"({"vernier":{"renamedFrom":{"error":["loss"],"cost":["loss"]}}})";
  EXPECT_THAT(std::string(service_.ReviseJob("a", asked).status().message()),
              HasSubstr("metric \"error\" gets two names"));
}

TEST_F(JobRevisionTest, TheSameFileAsksForTheSameStoppingRule) {
  const std::string space = absl::StrCat(std::string(kSpace, sizeof kSpace - 2),
                                         ", enableTrialEarlyStopping: true}");
  CreateWithCode(space);
  JobRevision asked;
  asked.job = Parse("a", space, kWithCode);
  asked.validate_only = true;
  auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, IsEmpty());

  // A job of an earlier release has no rule, and keeps the median rule.
  StudySnapshot old = *store_.Snapshot()->begin()->second;
  JobRunOf(old).spec = std::make_shared<const JobSpec>(asked.job->spec);
  JobRunOf(old).spec_json = asked.job->json;
  const auto kept = CompleteRevision(JobOf(old), asked);
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(StudySpecOfStored(kept->spec).stopping_rule, StoppingRule::kMedian);
}

constexpr char kTree[] =
    "hyperparameters: {goal: MINIMIZE, hyperparameterMetricTag: loss, "
    "maxTrials: 4, params: [{parameterName: x, type: DOUBLE, minValue: 0, "
    "maxValue: 1}, {parameterName: opt, type: CATEGORICAL, categoricalValues: "
    "[a, b, c], childParameterSpecs: [{parameterName: m, type: INTEGER, "
    "minValue: 1, maxValue: 9, parentCategoricalValues: {values: [a, b]}}]}]}";
constexpr char kTreeReordered[] =
    "hyperparameters: {goal: MINIMIZE, hyperparameterMetricTag: loss, "
    "maxTrials: 4, params: [{parameterName: opt, type: CATEGORICAL, "
    "categoricalValues: [c, a, b], childParameterSpecs: [{parameterName: m, "
    "type: INTEGER, minValue: 1, maxValue: 9, parentCategoricalValues: "
    "{values: [b, a]}}]}, {parameterName: x, type: DOUBLE, minValue: 0, "
    "maxValue: 1}]}";

TEST_F(JobRevisionTest, TheSameSpaceInAnotherOrderIsTheSame) {
  CreateWithCode(kTree);
  const std::string before = JobRunOf(*(*service_.GetJob("a"))).spec_json;
  const auto revised =
      service_.ReviseJob("a", GoesOn(Parse("a", kTreeReordered, kWithCode)));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_FALSE(revised->is_replaced);
  EXPECT_THAT(revised->changes, IsEmpty());
  EXPECT_EQ(JobRunOf(*revised->study).spec_json, before);
}

TEST(SameSpaceTest, ConditionsAndCategoriesCount) {
  const auto params = [](const std::string& space) {
    return ParseJob("jobId: a\ntrainingInput: {" + space +
                        "}\nvernier: {command: [/bin/true]}",
                    {})
        ->spec.training_input.hyperparameters->params;
  };
  const auto tree = params(kTree);
  const auto with = [&](const std::string& from, const std::string& to) {
    return params(absl::StrReplaceAll(kTreeReordered, {{from, to}}));
  };
  EXPECT_TRUE(IsSameSpaceReordered(tree, params(kTreeReordered)));
  EXPECT_FALSE(IsSameSpaceReordered(tree, tree));
  EXPECT_FALSE(IsSameSpaceReordered(tree, with("[b, a]", "[b, c]")));
  EXPECT_FALSE(IsSameSpaceReordered(tree, with("[c, a, b]", "[a, b]")));
  EXPECT_FALSE(IsSameSpaceReordered(tree, with("maxValue: 9", "maxValue: 8")));
  EXPECT_FALSE(IsSameSpaceReordered(tree, params(kSpace)));
}

TEST_F(JobRevisionTest, AFailedJobGoesOnWithNewCode) {
  const StudyId study = FailedJob();
  const std::string old_copy = JobRunOf(*(*service_.GetJob("a"))).code_dir;
  files_.source_content = "mended";
  const auto revised =
      service_.ReviseJob("a", GoesOn(Parse("a", kSpace, kWithCode)));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("new code"));
  EXPECT_EQ(revised->made_up_trials, 3);
  const StudyRecord& job = *revised->study;
  EXPECT_EQ(job.id, study);
  EXPECT_EQ(JobRunOf(job).state, JobState::kQueued);
  EXPECT_EQ(JobRunOf(job).code_version, 2);
  EXPECT_EQ(JobRunOf(job).max_trials, 4 + 3) << "three tell nothing";
  EXPECT_NE(JobRunOf(job).code_dir, old_copy);
  EXPECT_THAT(files_.copies, ElementsAre(JobRunOf(job).code_dir))
      << "nothing runs the old copy any more";
}

TEST_F(JobRevisionTest, WhatDidNotChangeGetsNoNewVersion) {
  FailedJob();
  const Words copies = files_.copies;
  const auto revised =
      service_.ReviseJob("a", GoesOn(Parse("a", kSpace, kWithCode)));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, IsEmpty());
  EXPECT_EQ(JobRunOf(*revised->study).code_version, 1);
  EXPECT_EQ(JobRunOf(*revised->study).state, JobState::kQueued);
  EXPECT_EQ(JobRunOf(*revised->study).max_trials, 7);
  EXPECT_EQ(files_.copies, copies);
}

TEST_F(JobRevisionTest, FailedTrialsAreMadeUpForOnce) {
  const StudyId study = FailedJob();
  const auto again = [&] {
    return service_.ReviseJob("a", GoesOn(Parse("a", kSpace, kWithCode)));
  };
  EXPECT_EQ(JobRunOf(*again()->study).max_trials, 7);
  MustCommit({MoveJob{study, JobEvent::kFail, ""}});
  EXPECT_EQ(JobRunOf(*again()->study).max_trials, 7) << "the same three";
  RunTrial(study, TrialEndCause::kUserError);
  EXPECT_EQ(JobRunOf(*again()->study).max_trials, 7) << "it runs";
  MustCommit({MoveJob{study, JobEvent::kFail, ""}});
  EXPECT_EQ(JobRunOf(*again()->study).max_trials, 8);
}

TEST_F(JobRevisionTest, TellsWhatChanged) {
  FailedJob();
  const std::string space =
      "args: [--fast], hyperparameters: {goal: MINIMIZE, "
      "hyperparameterMetricTag: loss, maxTrials: 9, maxParallelTrials: 2, "
      "params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]}";
  const auto revised = service_.ReviseJob(
      "a", GoesOn(Parse("a", space,
                        "command: [/bin/false], codeDir: /elsewhere, "
                        "environment: {KEY: secret}, "
                        "retry: {maxUserErrorRetries: 2}")));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(
      revised->changes,
      ElementsAre("args changed", "maxParallelTrials unset -> 2",
                  "command changed", "environment changed (KEY)",
                  "retry.maxUserErrorRetries unset -> 2", "maxTrials 4 -> 9"));
  EXPECT_EQ(
      JobRunOf(*revised->study).spec->vernier.retry.max_user_error_retries, 2);
  EXPECT_EQ(JobRunOf(*revised->study).max_trials, 9 + 3);
  EXPECT_EQ(JobRunOf(*revised->study).version_changes.find("secret"),
            std::string::npos);
}

TEST_F(JobRevisionTest, AMistypedMetricIsCorrectedWhileNoTrialHasAValue) {
  FailedJob();
  const auto revised = service_.ReviseJob(
      "a", GoesOn(Parse("a",
                        "hyperparameters: {goal: MINIMIZE, "
                        "hyperparameterMetricTag: los, maxTrials: 4, params: "
                        "[{parameterName: x, type: DOUBLE, minValue: 0, "
                        "maxValue: 1}]}",
                        kWithCode)));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes,
              ElementsAre("hyperparameterMetricTag loss -> los"));
}

TEST_F(JobRevisionTest, ASearchKeepsGoalMetricAndSpace) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  MustCommit({MoveJob{study, JobEvent::kRun, ""},
              MoveJob{study, JobEvent::kFail, "it did not work"}});
  const struct {
    const char* space;
    const char* message;
  } kCases[] = {
      {"hyperparameters: {goal: MAXIMIZE, hyperparameterMetricTag: loss, "
       "maxTrials: 4, params: [{parameterName: x, type: DOUBLE, minValue: 0, "
       "maxValue: 1}]}",
       "the goal was MINIMIZE and is MAXIMIZE; a new search needs a name of "
       "its own, and has this one as its memory with priorStudies: [a]"},
      {"hyperparameters: {goal: MINIMIZE, hyperparameterMetricTag: los, "
       "maxTrials: 4, params: [{parameterName: x, type: DOUBLE, minValue: 0, "
       "maxValue: 1}]}",
       "hyperparameterMetricTag was \"loss\" and is \"los\""},
      {"hyperparameters: {goal: MINIMIZE, hyperparameterMetricTag: loss, "
       "maxTrials: 4, params: [{parameterName: x, type: DOUBLE, minValue: 0, "
       "maxValue: 2}]}",
       "params differ in x"},
      {"args: []", "it had hyperparameters and has none now"},
  };
  for (const auto& each : kCases) {
    const auto revised =
        service_.ReviseJob("a", GoesOn(Parse("a", each.space, kWithCode)));
    EXPECT_EQ(revised.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(revised.status().message()),
                HasSubstr(each.message));
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(
      service_
          .ReviseJob(
              "a", GoesOn(Parse("a", kSpace, "command: [/bin/true], seed: 7")))
          .status()));
}

TEST_F(JobRevisionTest, ASearchKeepsItsConstraints) {
  const auto with = [](const char* constraints) {
    return absl::StrCat(kWithCode, ", parameterConstraints: ", constraints);
  };
  const auto created =
      service_.CreateJob(Parse("a", kSpace, with("[2*x <= 1]").c_str()), "");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ((*created)->spec->parameter_constraints.size(), 1u);
  RunTrial((*created)->id, TrialEndCause::kSuccess);
  const auto revise = [&](const std::string& section) {
    return service_.ReviseJob("a", GoesOn(Parse("a", kSpace, section.c_str())))
        .status();
  };
  EXPECT_THAT(std::string(revise(with("[2*x <= 1.5]")).message()),
              HasSubstr("parameterConstraints has \"2*x <= 1.5\" in place of "
                        "\"2*x <= 1\""));
  EXPECT_THAT(std::string(revise(kWithCode).message()),
              HasSubstr("parameterConstraints has no \"2*x <= 1\" any more"));
  EXPECT_TRUE(revise(with("['2 * x<=1']")).ok());
}

constexpr char kNarrower[] =
    R"({"trainingInput": {"hyperparameters": {"params": [{"parameterName": "x",
    "type": "DOUBLE", "minValue": 0, "maxValue": 0.25}]}}})";

JobRevision EditOf(const std::string& fields) {
  JobRevision asked;
  asked.edit = fields;
  return asked;
}

TEST_F(JobRevisionTest, AnEditNarrowsTheSearchAndLeavesTheRest) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  const JobRun before = JobRunOf(*(*service_.GetJob("a")));
  files_.source_content = "changed meanwhile";
  const auto told = service_.ReviseJob("a", [] {
    JobRevision asked = EditOf(kNarrower);
    asked.validate_only = true;
    return asked;
  }());
  ASSERT_TRUE(told.ok()) << told.status();
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).code_version, 1);

  const auto revised = service_.ReviseJob("a", EditOf(kNarrower));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("x: range 0..1 -> 0..0.25"));
  EXPECT_EQ(told->changes, revised->changes);
  const StudyRecord& job = *revised->study;
  EXPECT_EQ(JobRunOf(job).code_version, 2);
  EXPECT_EQ(JobRunOf(job).version_changes, "x: range 0..1 -> 0..0.25");
  EXPECT_EQ(JobRunOf(job).code_dir, before.code_dir)
      << "no field names the code";
  EXPECT_EQ(JobRunOf(job).spec->vernier.command, before.spec->vernier.command);
  EXPECT_EQ(JobRunOf(job).max_trials, before.max_trials);
  EXPECT_EQ(job.spec->parameters[0].max_value, 0.25);
  EXPECT_TRUE(PresentSpace(job).edits().has_value());

  EXPECT_THAT(service_.ReviseJob("a", EditOf(kNarrower))->changes, IsEmpty());
  const auto widened = service_.ReviseJob(
      "a", EditOf(absl::StrReplaceAll(kNarrower, {{"0.25", "2"}})));
  EXPECT_THAT(widened->changes, ElementsAre("x: range 0..0.25 -> 0..2"));
}

TEST_F(JobRevisionTest, AnEditMayChangeSettingsAndConstraintsToo) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  const auto revised = service_.ReviseJob(
      "a", EditOf(R"({"trainingInput": {"hyperparameters": {"maxTrials": 9}},
                      "vernier": {"parameterConstraints": ["2*x <= 1"],
                                  "environment": {"KEY": "value"}}})"));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes,
              ElementsAre("constraint added: \"2*x <= 1\"",
                          "environment changed (KEY)", "maxTrials 4 -> 9"));
  const auto undone = service_.ReviseJob(
      "a", EditOf(R"({"vernier": {"parameterConstraints": []}})"));
  ASSERT_TRUE(undone.ok()) << undone.status();
  EXPECT_THAT(undone->changes, ElementsAre("constraint dropped: \"2*x <= 1\""));
}

TEST_F(JobRevisionTest, AnEditThatCannotBeSaysWhyAndWhatToDo) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  const struct {
    const char* edit;
    const char* message;
  } kCases[] = {
      {R"({"trainingInput": {"hyperparameters": {"params": [{"parameterName":
       "x", "type": "DOUBLE", "minValue": 0, "maxValue": 1}, {"parameterName":
       "y", "type": "DOUBLE", "minValue": 0, "maxValue": 1}]}}})",
       "cannot be edited so: parameter \"y\" is new and has no default"},
      {R"({"trainingInput": {"hyperparameters": {"params": [{"parameterName":
       "x", "type": "DOUBLE", "minValue": 0, "maxValue": 1}, {"parameterName":
       "y", "type": "DOUBLE", "minValue": 0, "maxValue": 1}]}}})",
       "a new search needs a name of its own, and has this one as its memory "
       "with priorStudies: [a]"},
      {R"({"vernier": {"parameterConstraints": ["x <= 0.2", "x >= 0.8"]}})",
       "cannot be edited so"},
      {R"({"trainingInput": {"hyperparameters": {"goal": "MAXIMIZE"}}})",
       "the goal was MINIMIZE and is MAXIMIZE"},
      {R"({"trainingInput": {"hyperparameters": {"hyperparameterMetricTag":
       "los"}}})",
       "hyperparameterMetricTag was \"loss\" and is \"los\""},
  };
  for (const auto& each : kCases) {
    const auto refused = service_.ReviseJob("a", EditOf(each.edit));
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition)
        << refused.status();
    EXPECT_THAT(std::string(refused.status().message()),
                HasSubstr(each.message));
  }
  for (const char* never :
       {R"({"jobId": "b"})", R"({"trainingInput": {"packageUris": ["p"]}})",
        R"({"nonsense": 1})", "[]"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        service_.ReviseJob("a", EditOf(never)).status()))
        << never;
  }
}

// A mapping is a value like any other, not a list of fields to change.
TEST_F(JobRevisionTest, AnEditReplacesAMappingAsAWhole) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  const auto edit = [this](const char* vernier) {
    const auto revised = service_.ReviseJob(
        "a", EditOf(absl::StrCat(R"({"vernier": )", vernier, "}")));
    EXPECT_TRUE(revised.ok()) << revised.status();
    return revised->changes;
  };
  EXPECT_THAT(edit(R"({"limits": {"target": 0.5, "maxTime": "100s"}})"),
              Not(IsEmpty()));
  EXPECT_THAT(
      edit(R"({"limits": {"target": 0.25}})"),
      ElementsAre("limits.maxTime 100s -> unset", "limits.target 0.5 -> 0.25"));
  EXPECT_THAT(edit(R"({"limits": {}})"),
              ElementsAre("limits.target 0.25 -> unset"));
  const auto scheduled = [this](const char* fields) {
    return service_
        .ReviseJob("a",
                   EditOf(absl::StrCat(R"({"trainingInput": {"scheduling": )",
                                       fields, "}}")))
        ->changes;
  };
  EXPECT_THAT(scheduled(R"({"maxRunningTime": "7200s", "priority": 7})"),
              Not(IsEmpty()));
  // These are fields of their own in a study file.
  EXPECT_THAT(scheduled(R"({"priority": 5})"),
              ElementsAre("scheduling.priority 7 -> 5"));
  EXPECT_THAT(edit(R"({"beliefs": {"x": {"near": 0.5}}})"), Not(IsEmpty()));
  EXPECT_THAT(edit(R"({"beliefs": {}})"), Not(IsEmpty()));
  EXPECT_TRUE(service_.GetJob("a").value()->spec->beliefs.empty());
  // There were none.
  EXPECT_THAT(edit(R"({"beliefs": {}, "metricConstraints": []})"), IsEmpty());
}

TEST_F(JobRevisionTest, TrialsOfAJobThatSucceededCannotFall) {
  const StudyId study = CreateWithCode();
  for (int i = 0; i < 4; ++i) RunTrial(study, TrialEndCause::kSuccess);
  MustCommit({MoveJob{study, JobEvent::kSucceed, ""}});
  const auto with = [](const char* trials) {
    return EditOf(
        absl::StrCat(R"({"trainingInput": {"hyperparameters": {"maxTrials": )",
                     trials, "}}}"));
  };
  EXPECT_THAT(
      std::string(service_.ReviseJob("a", with("2")).status().message()),
      HasSubstr("has succeeded with 4 trials: maxTrials cannot fall to 2"));
  EXPECT_THAT(service_.ReviseJob("a", with("6"))->changes,
              ElementsAre("maxTrials 4 -> 6"));
  // The room is there already; the job goes on for it.
  const auto extended = service_.ExtendJob("a", 6);
  ASSERT_TRUE(extended.ok()) << extended.status();
  EXPECT_EQ(JobRunOf(**extended).state, JobState::kQueued);
}

TEST_F(JobRevisionTest, PointsForAJobThatHasEndedAreRefused) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kSuccess);
  MustCommit({MoveJob{study, JobEvent::kSucceed, ""}});
  const auto revised = service_.ReviseJob(
      "a", EditOf(R"({"vernier": {"initialPoints": [{"x": 0.125}]}})"));
  EXPECT_THAT(std::string(revised.status().message()),
              HasSubstr("points to try first have no trial to come"));
}

TEST_F(JobRevisionTest, AnExtensionIsNotUndone) {
  const StudyId study = FailedJob();
  ASSERT_TRUE(service_.ExtendJob("a", 20).ok());
  MustCommit({MoveJob{study, JobEvent::kFail, ""}});
  const auto revised =
      service_.ReviseJob("a", GoesOn(Parse("a", kSpace, kWithCode)));
  EXPECT_THAT(revised->changes, IsEmpty());
  EXPECT_EQ(JobRunOf(*revised->study).max_trials, 23);
}

TEST_F(JobRevisionTest, MaxTrialsFallsToWhatThereIs) {
  FailedJob();
  const auto with = [](int trials) {
    return "hyperparameters: {goal: MINIMIZE, hyperparameterMetricTag: loss, "
           "maxTrials: " +
           std::to_string(trials) +
           ", params: [{parameterName: x, type: DOUBLE, minValue: 0, "
           "maxValue: 1}]}";
  };
  JobRevision asked;
  asked.job = Parse("a", with(2), kWithCode);
  const auto refused = service_.ReviseJob("a", asked);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("maxTrials must be at least 3"));
  const auto revised =
      service_.ReviseJob("a", GoesOn(Parse("a", with(2), kWithCode)));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("maxTrials 4 -> 2"));
  EXPECT_EQ(JobRunOf(*revised->study).max_trials, 5);
}

TEST_F(JobRevisionTest, OnlySaysWhatWouldChangeIfAsked) {
  FailedJob();
  const Words copies = files_.copies;
  files_.source_content = "mended";
  JobRevision asked = GoesOn(Parse("a", kSpace, kWithCode));
  asked.validate_only = true;
  const auto told = service_.ReviseJob("a", asked);
  EXPECT_THAT(told->changes, ElementsAre("new code"));
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).code_version, 1);
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).state, JobState::kFailed);
  EXPECT_EQ(files_.copies, copies);
}

TEST_F(JobRevisionTest, CodeAloneIsUpdatedWhileTheJobRuns) {
  const StudyId study = CreateWithCode();
  const std::string old_copy = JobRunOf(*(*service_.GetJob("a"))).code_dir;
  const AttemptKey live{study, TrialId{1}, 1};
  MustCommit({CreateTrials{study, {{{{"x", 0.5}}, {"SOBOL", {}}}}},
              IntendLaunch{live, "nonce", {}},
              ObserveAttempt{live, AttemptEvent::kRun}});
  files_.source_content = "mended";
  JobRevision asked;
  asked.code_dir = "/elsewhere";
  const auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("new code"));
  EXPECT_EQ(revised->restarted, 0);
  EXPECT_EQ(JobRunOf(*revised->study).spec->vernier.code_dir, "/elsewhere");
  EXPECT_EQ(files_.copies.size(), 2u) << "the attempt runs the old copy";
  EXPECT_THAT(CodeInUse(*store_.Snapshot()),
              testing::UnorderedElementsAre(
                  old_copy, JobRunOf(*revised->study).code_dir));

  asked.restarts = true;
  const auto restarted = service_.ReviseJob("a", asked);
  ASSERT_TRUE(restarted.ok()) << restarted.status();
  EXPECT_THAT(restarted->changes, IsEmpty());
  EXPECT_EQ(restarted->restarted, 1);
  EXPECT_TRUE(restarted->study->trials.Get(TrialId{1}).attempts[0].kill_wanted);
  ASSERT_TRUE(service_.CancelJob("a").ok());
  EXPECT_TRUE(
      absl::IsFailedPrecondition(service_.ReviseJob("a", asked).status()));
}

TEST_F(JobRevisionTest, ASucceededJobGoesOnForMoreTrialsOnly) {
  const StudyId study = CreateWithCode();
  for (int i = 0; i < 4; ++i) RunTrial(study, TrialEndCause::kSuccess);
  MustCommit({MoveJob{study, JobEvent::kSucceed, ""}});
  files_.source_content = "mended";
  JobRevision asked = GoesOn(Parse("a", kSpace, kWithCode));
  EXPECT_TRUE(
      absl::IsFailedPrecondition(service_.ReviseJob("a", asked).status()));
  asked.validate_only = true;
  const auto told = service_.ReviseJob("a", asked);
  ASSERT_TRUE(told.ok()) << told.status();
  EXPECT_THAT(told->changes, ElementsAre("new code"));
  EXPECT_FALSE(told->has_more_trials);
  std::string space = kSpace;
  space.replace(space.find("maxTrials: 4"), 12, "maxTrials: 6");
  const auto more =
      service_.ReviseJob("a", GoesOn(Parse("a", space, kWithCode)));
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_TRUE(more->has_more_trials);
  EXPECT_THAT(more->changes, ElementsAre("new code", "maxTrials 4 -> 6"));
  EXPECT_EQ(JobRunOf(*more->study).state, JobState::kQueued);
  EXPECT_EQ(JobRunOf(*more->study).max_trials, 6);
}

TEST_F(JobRevisionTest, AJobThatNeverRanIsReplaced) {
  const StudyId study = CreateWithCode();
  MustCommit({MoveJob{study, JobEvent::kFail, "no such program"}});
  std::string space = kSpace;
  space.replace(space.find("MINIMIZE"), 8, "MAXIMIZE");
  JobRevision asked = GoesOn(Parse("a", space, kWithCode));
  asked.request_id = "r";
  const auto replaced = service_.ReviseJob("a", asked);
  ASSERT_TRUE(replaced.ok()) << replaced.status();
  EXPECT_TRUE(replaced->is_replaced);
  EXPECT_NE(replaced->study->id, study);
  EXPECT_EQ(replaced->study->name, "a");
  EXPECT_EQ(files_.removed, Words{"a"});
  EXPECT_THAT(files_.copies, ElementsAre(JobRunOf(*replaced->study).code_dir));
  const auto repeated = service_.ReviseJob("a", asked);
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  EXPECT_EQ(repeated->study->id, replaced->study->id);
}

TEST_F(JobRevisionTest, AJobThatWaitsIsReplacedOnlyIfItDiffers) {
  const StudyId study = CreateWithCode();
  const auto same =
      service_.ReviseJob("a", GoesOn(Parse("a", kSpace, kWithCode)));
  EXPECT_FALSE(same->is_replaced);
  EXPECT_EQ(same->study->id, study);
  const auto other = service_.ReviseJob(
      "a", GoesOn(Parse("a", kSpace, "command: [/bin/false]")));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_TRUE(other->is_replaced);
}

TEST_F(JobRevisionTest, AJobWithoutTuningStartsAgain) {
  const auto created = service_.CreateJob(Parse("plain", "args: []"), "");
  ASSERT_TRUE(created.ok()) << created.status();
  const StudyId study = (*created)->id;
  const AttemptKey key{study, TrialId{1}, 1};
  EndAttempt end;
  end.attempt = key;
  end.event = AttemptEvent::kExit;
  end.cause = TrialEndCause::kUserError;
  end.exit_code = 1;
  MustCommit({CreateTrials{study, {{{}, {"NONE", {}}}}},
              IntendLaunch{key, "nonce", {}}, end,
              MoveTrial{study, TrialId{1}, TrialEvent::kGiveUp,
                        TrialEndCause::kUserError, "", std::nullopt},
              MoveJob{study, JobEvent::kFail, "status 1"}});
  const auto resumed = service_.ResumeJob("plain");
  ASSERT_TRUE(resumed.ok()) << resumed.status();
  EXPECT_EQ(JobRunOf(*(*resumed)).max_trials, 2);
  EXPECT_EQ(JobRunOf(*(*resumed)).state, JobState::kQueued);
}

TEST_F(JobRevisionTest, ARepeatedRequestIsAnsweredOnce) {
  FailedJob();
  files_.source_content = "mended";
  JobRevision asked = GoesOn(Parse("a", kSpace, kWithCode));
  asked.request_id = "r";
  ASSERT_TRUE(service_.ReviseJob("a", asked).ok());
  files_.source_content = "mended twice";
  const auto repeated = service_.ReviseJob("a", asked);
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  EXPECT_EQ(JobRunOf(*repeated->study).code_version, 2);
  asked.restarts = true;
  EXPECT_TRUE(absl::IsInvalidArgument(service_.ReviseJob("a", asked).status()));
}

TEST_F(JobRevisionTest, APausedJobGoesOnAndNewPointsWait) {
  const StudyId study = CreateWithCode();
  RunTrial(study, TrialEndCause::kUserError);
  ASSERT_TRUE(service_.PauseJob("a", "lunch").ok());
  const auto revised = service_.ReviseJob(
      "a",
      GoesOn(Parse("a", kSpace,
                   std::string(kWithCode) + ", initialPoints: [{x: 0.25}]")));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("initialPoints changed"));
  EXPECT_EQ(JobRunOf(*revised->study).wanted, JobWanted::kRun);
  ASSERT_EQ(revised->study->queued.size(), 1u);
}

TEST_F(JobRevisionTest, ALostRaceLeavesNoCopy) {
  FailedJob();
  const Words copies = files_.copies;
  files_.source_content = "mended";
  store_.FailNextWrite(absl::AbortedError("raced"));
  EXPECT_TRUE(absl::IsAborted(
      service_.ReviseJob("a", GoesOn(Parse("a", kSpace, kWithCode))).status()));
  EXPECT_EQ(files_.copies, copies);
}

TEST_F(JobRevisionTest, AnEditThatLosesARaceIsMadeAgain) {
  CreateWithCode();
  store_.FailNextWrite(absl::AbortedError("raced"));
  const auto revised =
      service_.ReviseJob("a", EditOf(R"({"vernier": {"killGrace": "7s"}})"));
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("killGrace unset -> 7s"));
}

TEST_F(JobRevisionTest, APackageOfTheSameNameMayHoldNewCode) {
  const ParsedJob job = Parse(
      "a",
      std::string("pythonModule: m, packageUris: [/srv/a.tar.gz], ") + kSpace,
      "seed: 99");
  const auto created = service_.CreateJob(job, "");
  ASSERT_TRUE(created.ok()) << created.status();
  const StudyId study = (*created)->id;
  RunTrial(study, TrialEndCause::kUserError);
  MustCommit({MoveJob{study, JobEvent::kFail, ""}});
  JobRevision asked = GoesOn(job);
  asked.validate_only = true;
  EXPECT_THAT(service_.ReviseJob("a", asked)->changes, IsEmpty());
  files_.package_content = "package 2";
  asked.validate_only = false;
  const auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, ElementsAre("new code"));
  EXPECT_EQ(JobRunOf(*revised->study).code_version, 2);
  EXPECT_EQ(JobRunOf(*revised->study).code_dir, "");
}

TEST_F(JobRevisionTest, ATrialKeepsTheSpecOfItsVersion) {
  const StudyId study = FailedJob();
  const auto revised = service_.ReviseJob(
      "a", GoesOn(Parse("a", kSpace, "command: [/bin/false], codeDir: /src")));
  ASSERT_TRUE(revised.ok()) << revised.status();
  const JobRef now = JobOf(*revised->study);
  EXPECT_EQ(SpecRunBy(now, now->trials.Get(TrialId{1})).vernier.command,
            Words{"/bin/true"});
  EXPECT_EQ(VersionOf(now, 1).number, 1);
  EXPECT_EQ(VersionOf(now, 2).spec->vernier.command, Words{"/bin/false"});
  EXPECT_EQ(VersionOf(now, 2).changes, "command changed");
  EXPECT_EQ(now->id, study);
}

TEST_F(JobRevisionTest, AJobKeepsItsName) {
  FailedJob();
  EXPECT_TRUE(absl::IsInvalidArgument(
      service_.ReviseJob("a", GoesOn(Parse("b", kSpace, kWithCode))).status()));
  EXPECT_TRUE(absl::IsNotFound(
      service_.ReviseJob("b", GoesOn(Parse("b", kSpace, kWithCode))).status()));
}

TEST_F(JobRevisionTest, NewSecretsAreANewVersionAndTheSameAreNone) {
  const StudyId study = FailedJob();
  ParsedJob job = Parse("a", kSpace, kWithCode);
  job.secrets = {{"API_KEY", "canary"}};
  JobRevision asked = GoesOn(job);
  asked.request_id = "1";
  const auto revised = service_.ReviseJob("a", asked);
  ASSERT_TRUE(revised.ok()) << revised.status();
  EXPECT_THAT(revised->changes, testing::Contains("secrets changed"));
  const std::string file = JobRunOf(*revised->study).spec->vernier.secrets_file;
  EXPECT_EQ(files_.secrets[file], job.secrets);
  EXPECT_EQ(JobRunOf(*revised->study).spec_json.find("canary"),
            std::string::npos);

  asked.request_id = "2";
  const auto again = service_.ReviseJob("a", asked);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(again->changes, IsEmpty());
  EXPECT_EQ(files_.secrets.size(), 1u);

  asked.request_id = "3";
  asked.job->secrets = {{"API_KEY", "another"}};
  asked.validate_only = true;
  const auto asked_only = service_.ReviseJob("a", asked);
  ASSERT_TRUE(asked_only.ok()) << asked_only.status();
  EXPECT_THAT(asked_only->changes, ElementsAre("secrets changed"));
  EXPECT_EQ(files_.secrets.size(), 1u);
  EXPECT_EQ(JobRunOf(*store_.Snapshot()->at(study)).spec->vernier.secrets_file,
            file);
}

TEST_F(JobRevisionTest, AReplacedJobTakesItsSecretsAlong) {
  ParsedJob job = Parse("a", kSpace);
  job.secrets = {{"API_KEY", "canary"}};
  ASSERT_TRUE(service_.CreateJob(job, "1").ok());
  ASSERT_TRUE(service_.PauseJob("a", "by a test").ok());
  JobRevision asked = GoesOn(job);
  asked.request_id = "2";
  const auto replaced = service_.ReviseJob("a", asked);
  ASSERT_TRUE(replaced.ok()) << replaced.status();
  EXPECT_TRUE(replaced->is_replaced);
  EXPECT_EQ(
      files_.secrets[JobRunOf(*replaced->study).spec->vernier.secrets_file],
      job.secrets);
}

}  // namespace
}  // namespace vernier
