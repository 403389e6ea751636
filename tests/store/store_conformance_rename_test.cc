// What every Store does when metrics of a search get other names.

#include "study/metric_renames.h"
#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

class MetricRenameTest : public StoreConformanceTest {
 protected:
  ReviseStudy Renamed(StudyId study, const MetricRenames& renames) {
    const StudySnapshot before = Study(study);
    return {
        study, SpecVersionOf(ClientRunOf(before)),
        std::make_shared<const StudySpec>(WithRenames(*before.spec, renames)),
        "renamed", ""};
  }

  void Report(StudyId study, int trial, const std::string& metric, double value,
              std::int64_t step) {
    Measurement one;
    one.metric = metric;
    one.step = step;
    one.value = value;
    one.reported_at = At(static_cast<int>(step));
    MustCommit({AddMeasurements{Reporter(study, trial), {one}}});
  }

  // The metrics and values of a trial, in the order of the store.
  std::string Curve(StudyId study, int trial, const std::string& metric = "") {
    std::string text;
    const std::vector<Measurement> list =
        store().ListMeasurements(study, TrialId{trial}, metric, 100).value();
    for (const Measurement& one : list) {
      text +=
          one.metric + "=" + std::to_string(static_cast<int>(one.value)) + " ";
    }
    return text;
  }

  std::string Seen(StudyId study, int trial) {
    std::string text;
    const TrialRecord record = Trial(study, trial);
    for (const SeenMetric& one : record.metrics_seen) {
      text += one.name + " ";
    }
    return text;
  }
};

TEST_P(MetricRenameTest, OldValuesAreUnderTheNewName) {
  const StudyId study = AddRunningStudy({.metrics = 2});
  Report(study, 1, "loss", 5, 1);
  Report(study, 1, "m2", 6, 1);
  Report(study, 1, "extra", 7, 1);
  MustCommit({Renamed(study, {{"m2", "accuracy"}})});
  EXPECT_EQ(Curve(study, 1), "accuracy=6 extra=7 loss=5 ");
  EXPECT_EQ(Curve(study, 1, "accuracy"), "accuracy=6 ");
  EXPECT_EQ(Curve(study, 1, "m2"), "accuracy=6 ") << "its name of before";
  EXPECT_EQ(Seen(study, 1), "loss accuracy extra ");
  EXPECT_EQ(Trial(study, 1).others.count("accuracy"), 1u);
  const auto all =
      store().ListStudyMeasurements(study, TrialId{1}, TrialId{1}, 9).value();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].measurement.metric, "accuracy");
  const auto later =
      store()
          .ListMeasurementsAfter(Reporter(study, 1), "accuracy", 0, 9)
          .value();
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].metric, "accuracy");
}

TEST_P(MetricRenameTest, ProgramsReportUnderAnyNameThatTheMetricHad) {
  const StudyId study = AddRunningStudy();
  Report(study, 1, "loss", 3, 1);
  MustCommit({Renamed(study, {{"loss", "error"}})});
  Report(study, 1, "loss", 2, 2);
  MustCommit({Renamed(study, {{"error", "cost"}})});
  Report(study, 1, "error", 1, 3);
  Report(study, 1, "cost", 0, 4);
  EXPECT_EQ(Curve(study, 1), "cost=3 cost=2 cost=1 cost=0 ");
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 4);
  EXPECT_EQ(Trial(study, 1).objective.best->value, 0);
  EXPECT_EQ(Seen(study, 1), "cost ");
  MustCommit(CompleteForClient(study, 1, 7));  // It says "loss".
  const TrialRecord trial = Trial(study, 1);
  ASSERT_TRUE(trial.final_report.has_value());
  EXPECT_EQ(trial.final_report->metrics[0].metric, "cost");
  EXPECT_EQ(trial.final_report->metrics[1].metric, "extra");
}

// It prints "error" as something else, which was not known when it got it.
TEST_P(MetricRenameTest, AProgramThatSaysBothNamesMeansTheFirst) {
  const StudyId study = AddRunningStudy();
  MustCommit({Renamed(study, {{"loss", "error"}})});
  Measurement first;
  first.metric = "error";
  first.step = 1;
  first.value = 107;
  first.reported_at = At(1);
  first.road = MetricRoad::kStdout;
  Measurement second = first;
  second.metric = "loss";
  second.value = 7;
  MustCommit({AddMeasurements{Reporter(study, 1), {first, second}}});
  EXPECT_EQ(Curve(study, 1), "error=7 ");
  // Another source is not asked by this one.
  first.step = second.step = 2;
  first.road = MetricRoad::kMetricFile;
  MustCommit({AddMeasurements{Reporter(study, 1), {first, second}}});
  EXPECT_EQ(Trial(study, 1).objective.last->value, 107);
}

TEST_P(MetricRenameTest, TheFirstNameUndoesAllRenames) {
  const StudyId study = AddRunningStudy();
  Report(study, 1, "loss", 3, 1);
  MustCommit({Renamed(study, {{"loss", "error"}})});
  EXPECT_EQ(Study(study).spec->renamed_from,
            (FormerNames{{"error", {"loss"}}}));
  Report(study, 1, "error", 2, 2);
  MustCommit({Renamed(study, {{"error", "loss"}})});
  EXPECT_EQ(Curve(study, 1), "loss=3 loss=2 ");
  Report(study, 1, "error", 1, 3);
  EXPECT_EQ(Curve(study, 1, "loss"), "loss=3 loss=2 loss=1 ");
}

TEST_P(MetricRenameTest, TwoMetricsSwapTheirNamesAndSwapThemBack) {
  const StudyId study = AddRunningStudy({.metrics = 2});
  Report(study, 1, "loss", 5, 1);
  Report(study, 1, "m2", 6, 1);
  const MetricRenames swap = {{"loss", "m2"}, {"m2", "loss"}};
  Refuses(StatusCode::kFailedPrecondition, {Renamed(study, swap)});
  MoveTrial end = Complete(study, TrialId{1}, 5);
  end.final_report = MetricReport{1, {}, {{"loss", 5}, {"m2", 6}}};
  MustCommit({end});
  MustCommit({Renamed(study, swap)});
  EXPECT_EQ(ObjectiveOf(*Study(study).spec).name, "m2");
  EXPECT_EQ(Curve(study, 1), "loss=6 m2=5 ");
  EXPECT_EQ(Trial(study, 1).final_report->metrics[0].metric, "m2");
  MustCommit(Assign(study, 2, "c"));
  Report(study, 2, "m2", 4, 1);  // The program has the new names.
  EXPECT_EQ(Trial(study, 2).objective.last->value, 4);
  MoveTrial other = Complete(study, TrialId{2}, 4);
  other.final_report = MetricReport{1, {}, {{"m2", 4}, {"loss", 8}}};
  MustCommit({other});
  EXPECT_EQ(Trial(study, 2).final_report->metrics[0].metric, "m2");
  MustCommit({Renamed(study, swap)});
  EXPECT_TRUE(Study(study).spec->renamed_from.empty());
  EXPECT_EQ(Curve(study, 1), "loss=5 m2=6 ");
  EXPECT_EQ(Curve(study, 2), "loss=4 ");
  EXPECT_EQ(Trial(study, 2).final_report->metrics[1].metric, "m2");
}

TEST_P(MetricRenameTest, WhatATrialReportedKeepsItsName) {
  const StudyId study = AddRunningStudy();
  MustCommit(CompleteForClient(study, 1, 0.5));  // It has "extra", too.
  Refuses(StatusCode::kFailedPrecondition,
          {Renamed(study, {{"loss", "extra"}})});
}

TEST_P(MetricRenameTest, PointsBringTheirReportsAlong) {
  const StudyId study = AddClientStudy();
  NewTrial trial = MakeClientTrial(0.5);
  trial.brought = {{1, {}, {{"loss", 0.5}}}};
  MustCommit({CreateTrials{study, {trial}}});
  MustCommit({Renamed(study, {{"loss", "error"}})});
  EXPECT_EQ(Trial(study, 1).brought[0].metrics[0].metric, "error");
  MustCommit({CreateTrials{study, {trial}}});
  EXPECT_EQ(Trial(study, 2).brought[0].metrics[0].metric, "error");
}

INSTANTIATE_TEST_SUITE_P(Stores, MetricRenameTest,
                         testing::ValuesIn(AllStoreKinds()), NameOfKind);

}  // namespace
}  // namespace vernier
