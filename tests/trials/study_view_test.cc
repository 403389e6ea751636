#include "trials/study_view.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

TEST(StudyViewTest, HoldsValuesLessonsAndPendingTrials) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5)
      .Failed(TrialEndCause::kUserError)
      .Active()
      .Failed(TrialEndCause::kInfrastructure)
      .Requested()
      .Stopping();
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  ASSERT_EQ(view.completed.size(), 2u);
  EXPECT_EQ(view.completed[0].objective, 0.5);
  EXPECT_EQ(view.completed[1].objective, std::nullopt);
  EXPECT_EQ(view.pending.size(), 3u);
  EXPECT_EQ(view.trials_created, 6);
  EXPECT_EQ(view.goal, Goal::kMinimize);
}

TEST(StudyViewTest, AFailureOfAnEarlierVersionTeachesNothing) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5)
      .Failed(TrialEndCause::kUserError)
      .Failed(TrialEndCause::kNoMetric)
      .Failed(TrialEndCause::kInfeasible)
      .Failed(TrialEndCause::kUserError)
      .With([](TrialRecord* trial) { trial->attempts[0].code_version = 2; });
  EXPECT_EQ(MakeStudyView(study.Build(), nullptr).completed.size(), 5u);
  study.job().code_version = 2;
  // Its value, what it refused, and the failure of the new one.
  EXPECT_EQ(MakeStudyView(study.Build(), nullptr).completed.size(), 3u);
}

// It would be the work of each new trial to look at all others.
TEST(StudyViewTest, RandomPointsNeedNoOthersWhereNoneIsRepeated) {
  JobSpec spec = TuningSpec(20, 9);
  std::vector<ParameterSpec>& params =
      spec.training_input.hyperparameters->params;
  const auto num_seen = [&](Algorithm algorithm) {
    StudyBuilder study(spec);
    study.Completed(0.5).Active();
    const StudySnapshot built = study.Build();
    const StudyView view = MakeStudyViewFor(algorithm, built, &built);
    EXPECT_EQ(view.trials_created, 2);
    EXPECT_EQ(view.goal, Goal::kMinimize);
    EXPECT_EQ(view.space.size(), params.size());
    return view.completed.size() + view.pending.size();
  };
  EXPECT_EQ(num_seen(Algorithm::kRandomSearch), 0u);
  EXPECT_EQ(num_seen(Algorithm::kQuasiRandomSearch), 0u);
  EXPECT_EQ(num_seen(Algorithm::kDefault), 3u);
  EXPECT_EQ(num_seen(Algorithm::kGridSearch), 3u);

  // Below a condition: without it, only "a" and "b" are left to repeat.
  ParameterSpec kind;
  kind.name = "kind";
  kind.type = ParameterType::kCategorical;
  kind.categorical_values = {"a", "b"};
  params[0].condition = ParameterCondition{0, {std::string("b")}};
  params.insert(params.begin(), kind);
  EXPECT_EQ(num_seen(Algorithm::kRandomSearch), 3u);
}

// Beside others a trial may end long after one that began later.
TEST(StudyViewTest, ObservationsAreInTheOrderOfTheirEnds) {
  StudyBuilder study(TuningSpec(20, 9));
  const auto ended_at = [](int seconds) {
    return [seconds](TrialRecord* trial) {
      trial->ended_at = Timestamp(std::chrono::seconds(seconds));
    };
  };
  study.Completed(0.5).With(ended_at(30));
  study.Failed(TrialEndCause::kUserError).With(ended_at(10));
  study.Completed(0.75).With(ended_at(20));
  study.Completed(0.25).With(ended_at(20));
  EXPECT_EQ(ObservedTrials(study.Build()),
            (std::vector{TrialId{2}, TrialId{3}, TrialId{4}, TrialId{1}}));
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  ASSERT_EQ(view.completed.size(), 4u);
  EXPECT_EQ(view.completed[1].objective, 0.75);
  EXPECT_EQ(view.completed[3].objective, 0.5);
}

TEST(StudyViewTest, TheLastValueOfACancelledTrialTeachesNothing) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5).With(
      [](TrialRecord* trial) { trial->end_cause = TrialEndCause::kCancelled; });
  EXPECT_TRUE(MakeStudyView(study.Build(), nullptr).completed.empty());
}

TEST(StudyViewTest, AnEarlyStopTeachesItsLastValueAndThatItIsNoFinalOne) {
  StudyBuilder study(TuningSpec(20, 9));
  const auto stop = [](TrialRecord* trial) {
    trial->state = TrialState::kStopped;
    trial->end_cause = TrialEndCause::kStoppedEarly;
  };
  study.Completed(0.5).Completed(0.75).With(stop).Completed(0.875).With(stop);
  study.With([](TrialRecord* trial) { trial->final_measurement.reset(); });
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  ASSERT_EQ(view.completed.size(), 2u) << "without a value it teaches nothing";
  EXPECT_FALSE(view.completed[0].is_stopped_early);
  EXPECT_EQ(view.completed[1].objective, 0.75);
  EXPECT_TRUE(view.completed[1].is_stopped_early);
}

TEST(StudyViewTest, AResumedStudyComesFirst) {
  StudyBuilder old(TuningSpec(2, 1));
  old.Completed(7).Active();
  StudyBuilder study(TuningSpec(2, 1));
  study.Completed(8);
  const StudyView view = MakeStudyView(study.Build(), &old.Build());
  ASSERT_EQ(view.completed.size(), 2u);
  EXPECT_EQ(view.completed[0].objective, 7);
  EXPECT_EQ(view.completed[1].objective, 8);
  EXPECT_EQ(view.trials_created, 1);
}

}  // namespace
}  // namespace vernier
