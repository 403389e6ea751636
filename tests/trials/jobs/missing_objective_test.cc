#include "trials/jobs/missing_objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

JobSpec Spec() {
  JobSpec spec = TuningSpec(9, 2);
  spec.training_input.hyperparameters->metric_tag = "val_accuracy";
  return spec;
}

std::string Describe(std::vector<std::string> seen,
                     std::vector<std::string> problems = {}) {
  TrialRecord trial;
  for (std::string& name : seen) {
    trial.metrics_seen.push_back({std::move(name), MetricRoad::kStdout});
  }
  trial.metric_problems = std::move(problems);
  return DescribeMissingMetric("val_accuracy", trial, "epoch 9\nbye");
}

TEST(MissingObjectiveTest, NamesWhatWasReportedAndTheNearest) {
  EXPECT_EQ(Describe({"loss", "val_acuracy", "accuracy"}),
            "the program ended well but reported no value of the metric "
            "\"val_accuracy\"; it reported: \"loss\" (STDOUT), "
            "\"val_acuracy\" (STDOUT), \"accuracy\" (STDOUT); did you mean "
            "\"val_acuracy\"?");
  EXPECT_THAT(Describe({"loss"}), EndsWith("it reported: \"loss\" (STDOUT)"));
}

TEST(MissingObjectiveTest, AnAbbreviationIsNearToItsName) {
  TrialRecord trial;
  trial.metrics_seen = {{"loss", MetricRoad::kStdout}, {"acc"}};
  EXPECT_THAT(DescribeMissingMetric("accuracy", trial, ""),
              EndsWith("it reported: \"loss\" (STDOUT), \"acc\" (REPORT); did "
                       "you mean \"acc\"?"));
}

TEST(MissingObjectiveTest, NamesOnlyTheFirstOfManyMetrics) {
  std::vector<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.push_back("m" + std::to_string(i));
  EXPECT_THAT(Describe(seen), HasSubstr("\"m9\" (STDOUT) and 90 more"));
}

TEST(MissingObjectiveTest, NamesWhatCouldNotBeUnderstood) {
  EXPECT_THAT(
      Describe({}, {"no JSON: accuracy=0.9", "no number: \"0,5\""}),
      EndsWith("\"val_accuracy\"; of its reports could not be taken: no JSON: "
               "accuracy=0.9; no number: \"0,5\""));
}

TEST(MissingObjectiveTest, ShowsTheLogOfAProgramThatReportedNothing) {
  EXPECT_THAT(Describe({}),
              EndsWith("it reported no metric at all. The last lines of its "
                       "log:\nepoch 9\nbye"));
}

TEST(MissingObjectiveTest, ARunningJobSaysThatItsTrialsHaveNoValue) {
  StudyBuilder study(Spec());
  EXPECT_EQ(MissingObjectiveNote(study.Build()), "");
  study.Failed(TrialEndCause::kNoMetric).Failed().Active();
  EXPECT_EQ(MissingObjectiveNote(study.Build()),
            "1 trial has ended without a value of the metric "
            "\"val_accuracy\", and none with one. Trial 1: it broke");
  study.Failed(TrialEndCause::kNoMetric);
  EXPECT_THAT(MissingObjectiveNote(study.Build()),
              HasSubstr("2 trials have ended without"));
  EXPECT_THAT(MissingObjectiveNote(study.Build()), HasSubstr("Trial 4: "));
  study.Completed(1);
  EXPECT_EQ(MissingObjectiveNote(study.Build()), "");
}

TEST(MissingObjectiveTest, AJobWithoutTuningMissesNothing) {
  StudyBuilder study(PlainSpec());
  study.Failed(TrialEndCause::kNoMetric);
  EXPECT_EQ(MissingObjectiveNote(study.Build()), "");
  EXPECT_EQ(OtherMetricsNote(study.Build()), "");
}

TEST(MissingObjectiveTest, ATrialThatRunsIsToldByItsOtherMetrics) {
  StudyBuilder study(Spec());
  study.Active();
  EXPECT_EQ(OtherMetricsNote(study.Build()), "");
  study.With([](TrialRecord* trial) { trial->metrics_seen = {{"accuracy"}}; });
  EXPECT_EQ(OtherMetricsNote(study.Build()),
            "No value of the metric \"val_accuracy\" yet; trial 1 has "
            "reported: \"accuracy\" (REPORT); did you mean \"accuracy\"?");
  study.Active().With(
      [](TrialRecord* trial) { trial->objective.finite_count = 1; });
  EXPECT_EQ(OtherMetricsNote(study.Build()), "");
}

}  // namespace
}  // namespace vernier
