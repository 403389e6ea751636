#include "trials/engine/failure_report.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/trials/study_builder.h"
#include "trials/engine/study_view.h"

namespace vernier {
namespace {

using std::chrono::seconds;

/// A study of models of which the large ones run out of memory.
class FailureReportTest : public testing::Test {
 protected:
  FailureReportTest() : study_(Spec()) {}

  static JobSpec Spec() {
    JobSpec spec = TuningSpec(100, 1);
    ParameterSpec depth;
    depth.name = "depth";
    depth.type = ParameterType::kInteger;
    depth.min_value = 1;
    depth.max_value = 64;
    ParameterSpec width = depth;
    width.name = "width";
    width.max_value = 4096;
    spec.training_input.hyperparameters->params = {depth, width};
    return spec;
  }

  static Parameters At(std::int64_t depth, std::int64_t width) {
    return {{"depth", depth}, {"width", width}};
  }

  /// Gives the newest trial its point and the time that it ran.
  void Place(const Parameters& parameters, seconds lasted) {
    study_.With([&](TrialRecord* trial) {
      trial->parameters = parameters;
      trial->attempts.back().lasted = lasted;
    });
  }

  void AddCompleted(const Parameters& parameters) {
    study_.Completed(0.5);
    Place(parameters, seconds(240));
  }

  void AddDead(TrialEndCause cause, const Parameters& parameters) {
    study_.Failed(cause);
    Place(parameters, seconds(12));
  }

  void AddStopped(const Parameters& parameters) {
    study_.Completed(0.7).With([](TrialRecord* trial) {
      trial->state = TrialState::kStopped;
      trial->end_cause = TrialEndCause::kStoppedEarly;
    });
    Place(parameters, seconds(60));
  }

  /// Points with products up to 8000, and from 9600 on.
  void AddSmallAndLarge(TrialEndCause cause) {
    for (int i = 1; i <= 20; ++i) AddCompleted(At(i, 8000 / i));
    for (int i = 1; i <= 6; ++i) AddDead(cause, At(4 * i, 9600 / (4 * i) + 1));
  }

  std::vector<FailureReport> Report() const {
    return ReportFailures(study_.Build(), ObservedTrials(study_.Build()));
  }

  StudyBuilder study_;
};

TEST_F(FailureReportTest, SaysHowManyDiedHowSoonAndWhere) {
  AddSmallAndLarge(TrialEndCause::kOutOfMemory);
  const auto reports = Report();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, FailureKind::kOutOfMemory);
  EXPECT_EQ(reports[0].count, 6);
  EXPECT_EQ(reports[0].observed, 26);
  EXPECT_EQ(reports[0].time_to_death, seconds(12));
  EXPECT_EQ(reports[0].time_of_success, seconds(240));
  EXPECT_EQ(DescribeFailures(reports[0]),
            "6 of 26 trials (23 %) ran out of memory, after 12 s in the "
            "median; a success takes 4 min. Of trials with depth × width above "
            "9000, 6 of 6 did, and 0 of 20 others.");
}

TEST_F(FailureReportTest, TellsKindsApart) {
  AddSmallAndLarge(TrialEndCause::kOutOfMemory);
  for (int i = 1; i <= 3; ++i) {
    AddDead(TrialEndCause::kNotFinite, At(i, i));
    AddDead(TrialEndCause::kTimeLimit, At(i, i));
  }
  AddDead(TrialEndCause::kUserError, At(1, 1));
  AddDead(TrialEndCause::kInfeasible, At(1, 2));
  AddDead(TrialEndCause::kInfrastructure, At(1, 3));
  std::string kinds;
  for (const FailureReport& report : Report()) {
    kinds += std::string(ToString(report.kind)) + " ";
  }
  // Two of other kinds are too few, and a fault of the machine is none.
  EXPECT_EQ(kinds, "OUT_OF_MEMORY DIVERGENCE TIME_LIMIT ");
}

TEST_F(FailureReportTest, OnlySomeKindsTakeStoppedTrialsForLiving) {
  for (const TrialEndCause cause :
       {TrialEndCause::kOutOfMemory, TrialEndCause::kNotFinite}) {
    study_ = StudyBuilder(Spec());
    AddSmallAndLarge(cause);
    for (int i = 1; i <= 10; ++i) AddStopped(At(i, i));
    const auto reports = Report();
    ASSERT_EQ(reports.size(), 1u);
    ASSERT_TRUE(reports[0].boundary.has_value());
    EXPECT_EQ(reports[0].boundary->outside,
              cause == TrialEndCause::kOutOfMemory ? 30 : 20);
    EXPECT_EQ(reports[0].observed, 36);
    EXPECT_EQ(reports[0].time_of_success, seconds(240));
  }
}

TEST_F(FailureReportTest, SaysNothingOfWhereWithoutSuccesses) {
  for (int i = 1; i <= 5; ++i) AddDead(TrialEndCause::kUserError, At(i, i));
  const auto reports = Report();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(DescribeFailures(reports[0]),
            "5 of 5 trials (100 %) failed or were infeasible, after 12 s in "
            "the median.");
}

TEST_F(FailureReportTest, SaysOnWhichSideAPointLies) {
  AddSmallAndLarge(TrialEndCause::kOutOfMemory);
  EXPECT_EQ(DescribeBoundariesAt(study_.Build(), At(16, 256)),
            "So far 6 of 6 trials with depth × width above 9000 ran out of "
            "memory, and 0 of 20 others; this one has 4096.");
  EXPECT_EQ(DescribeBoundariesAt(study_.Build(), {}),
            "So far 6 of 6 trials with depth × width above 9000 ran out of "
            "memory, and 0 of 20 others; this one has none.")
      << "both are inactive";
}

TEST_F(FailureReportTest, SaysNothingOfAPointWhereNothingSeparates) {
  for (int i = 1; i <= 12; ++i) {
    AddCompleted(At(i, 100));
    AddDead(TrialEndCause::kOutOfMemory, At(i, 100));
  }
  EXPECT_EQ(DescribeBoundariesAt(study_.Build(), At(1, 100)), "");
  EXPECT_FALSE(Report()[0].boundary.has_value());
}

}  // namespace
}  // namespace vernier
