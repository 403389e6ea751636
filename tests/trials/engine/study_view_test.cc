#include "trials/engine/study_view.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "study/constraint_parser.h"
#include "suggest/algorithms/proposal_suggester.h"
#include "tests/trials/study_builder.h"
#include "trials/engine/waiting_proposals.h"

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
  EXPECT_EQ(view.completed[0].trial, 1);
  EXPECT_EQ(view.completed[1].trial, 2);
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

// Gives the job of the builder another space, as a revision does.
void EditSpace(StudyBuilder& study, std::vector<ParameterSpec> space) {
  JobSpec spec = *study.job().spec;
  spec.training_input.hyperparameters->params = std::move(space);
  study.job().earlier_versions.push_back(
      std::make_shared<const JobVersion>(PresentVersion(study.job())));
  study.record().spec =
      std::make_shared<const StudySpec>(StudySpecOfStored(spec));
  study.job().spec = std::make_shared<const JobSpec>(std::move(spec));
}

void AtX(TrialRecord* trial, double x) { trial->parameters = {{"x", x}}; }

TEST(StudyViewTest, TrialsOutsideOfANarrowedSpaceAreNotSeen) {
  StudyBuilder study(TuningSpec(20, 9));
  const std::vector<ParameterSpec> whole = study.record().spec->parameters;
  for (const double x : {0.2, 0.8}) {
    const auto at_x = [x](TrialRecord* trial) { AtX(trial, x); };
    study.Completed(x).With(at_x).Active().With(at_x);
    study.Failed(TrialEndCause::kStoppedByUser).With(at_x);
  }
  std::vector<ParameterSpec> half = whole;
  half[0].max_value = 0.5;
  EditSpace(study, half);
  StudyView view = MakeStudyView(study.Build(), nullptr);
  EXPECT_EQ(view.completed.size(), 1u);
  EXPECT_EQ(view.completed[0].objective, 0.2);
  EXPECT_EQ(view.pending.size(), 1u);
  EXPECT_EQ(view.given_up.size(), 1u);
  EXPECT_EQ(view.trials_created, 6);
  EXPECT_EQ(CountOutside(study.Build()), 3u);
  EXPECT_FALSE(HasMoreObservedThan(study.Build(), 1));

  EditSpace(study, whole);
  view = MakeStudyView(study.Build(), nullptr);
  EXPECT_EQ(view.completed.size(), 2u) << "the edit is undone";
  EXPECT_EQ(view.pending.size(), 2u);
  EXPECT_EQ(CountOutside(study.Build()), 0u);
}

TEST(StudyViewTest, EarlierTrialsHaveTheDefaultOfAnAddedParameter) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5).Active();
  std::vector<ParameterSpec> space = study.record().spec->parameters;
  ParameterSpec added;
  added.name = "added";
  added.max_value = 1;
  added.default_value = 0.25;
  space.push_back(added);
  EditSpace(study, space);
  const Parameters present = {{"x", 0.5}, {"added", 0.25}};
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  ASSERT_EQ(view.completed.size(), 1u);
  EXPECT_EQ(view.completed[0].parameters, present);
  EXPECT_EQ(view.pending, std::vector<Parameters>{present});
}

void OfSource(TrialRecord* trial, const std::string& source) {
  trial->origin.record.emplace();
  trial->origin.record->method = SuggestionMethod::kProposal;
  trial->origin.record->source = source;
}

TEST(StudyViewTest, TrialsSayWhoProposedThem) {
  StudyBuilder study(TuningSpec(20, 9));
  const auto of_me = [](TrialRecord* trial) { OfSource(trial, "me"); };
  study.Completed(1).Completed(2).With(of_me).Active().With(of_me).Active();
  study.Failed(TrialEndCause::kInfrastructure).With(of_me);
  EXPECT_EQ(MakeStudyView(study.Build(), nullptr).trials_proposed, 0)
      << "nobody looks where nothing was proposed";
  study.Proposed("me", 0.5);
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  EXPECT_EQ(view.trials_proposed, 3);
  EXPECT_EQ(view.completed[0].source, "");
  EXPECT_EQ(view.completed[1].source, "me");
  EXPECT_EQ(view.pending_sources, std::vector<std::string>{"me"});
}

// "me:0.25 you:0.5".
std::string WaitingIn(const StudySnapshot& study) {
  std::string text;
  for (const Proposal& proposal : WaitingProposals(study)) {
    absl::StrAppend(&text, text.empty() ? "" : " ", proposal.source, ":",
                    std::get<double>(proposal.parameters[0].value));
  }
  return text;
}

TEST(StudyViewTest, AProposalWaitsUntilItIsATrial) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Proposed("me", 0.25).Proposed("you", 0.75).Proposed("me", 0.25);
  EXPECT_EQ(WaitingIn(study.Build()), "me:0.25 you:0.75 me:0.25");
  study.Active().With([](TrialRecord* trial) { AtX(trial, 0.25); });
  EXPECT_EQ(WaitingIn(study.Build()), "you:0.75");
  EXPECT_EQ(MakeStudyView(study.Build(), nullptr).proposals.size(), 1u);
}

TEST(StudyViewTest, ASourcesNewestProposalsWait) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Proposed("you", 0.5);
  for (int i = 1; i <= 40; ++i) study.Proposed("me", i / 100.0);
  const std::vector<Proposal> waiting = WaitingProposals(study.Build());
  ASSERT_EQ(waiting.size(), 1u + kMostProposalsConsidered);
  EXPECT_EQ(waiting[0].source, "you");
  EXPECT_EQ(std::get<double>(waiting[1].parameters[0].value), 0.25);
}

TEST(StudyViewTest, ProposalsFollowEditsOfTheSearch) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Proposed("me", 0.25).Proposed("me", 0.75);
  const std::vector<ParameterSpec> whole = study.record().spec->parameters;
  std::vector<ParameterSpec> half = whole;
  half[0].max_value = 0.5;
  EditSpace(study, half);
  EXPECT_EQ(WaitingIn(study.Build()), "me:0.25");
  EditSpace(study, whole);
  EXPECT_EQ(WaitingIn(study.Build()), "me:0.25 me:0.75") << "it is undone";
  StudySpec constrained = *study.record().spec;
  constrained.parameter_constraints = {
      *ParseParameterConstraint("x >= 0.5", constrained.parameters)};
  study.record().spec =
      std::make_shared<const StudySpec>(std::move(constrained));
  EXPECT_EQ(WaitingIn(study.Build()), "me:0.75");
}

TEST(StudyViewTest, AResumedStudyIsSeenInTheEditedSpace) {
  StudyBuilder resumed(TuningSpec(20, 9));
  for (const double x : {0.2, 0.8}) {
    resumed.Completed(x).With([x](TrialRecord* trial) { AtX(trial, x); });
  }
  StudyBuilder study(TuningSpec(20, 9));
  std::vector<ParameterSpec> half = study.record().spec->parameters;
  half[0].max_value = 0.5;
  EditSpace(study, half);
  const StudyView view = MakeStudyView(study.Build(), &resumed.Build());
  ASSERT_EQ(view.completed.size(), 1u);
  EXPECT_EQ(view.completed[0].objective, 0.2);
  EXPECT_EQ(view.completed[0].trial, 0);
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

// Its point would be the best to try next, again and again.
TEST(StudyViewTest, ATrialThatAUserStoppedIsGivenUp) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5)
      .Failed(TrialEndCause::kStoppedByUser)
      .With([](TrialRecord* trial) {
        trial->state = TrialState::kStopped;
        trial->parameters = {{"x", 0.25}};
        trial->final_measurement = FinalMeasurement{3, 0.125};
      })
      .Failed(TrialEndCause::kCancelled);
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  EXPECT_EQ(view.completed.size(), 1u);
  EXPECT_EQ(view.given_up, (std::vector<Parameters>{{{"x", 0.25}}}));
  StudyBuilder next(TuningSpec(2, 1));
  const StudySnapshot before = study.Build();
  EXPECT_EQ(MakeStudyView(next.Build(), &before).given_up.size(), 1u);
}

// A client may say what an infeasible trial had come to.
TEST(StudyViewTest, AnInfeasibleTrialHasNoValue) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5).With([](TrialRecord* trial) {
    trial->state = TrialState::kInfeasible;
    trial->end_cause = TrialEndCause::kInfeasible;
  });
  const StudyView view = MakeStudyView(study.Build(), nullptr);
  ASSERT_EQ(view.completed.size(), 1u);
  EXPECT_EQ(view.completed[0].objective, std::nullopt);
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
  EXPECT_EQ(view.completed[0].trial, 0) << "a number of another study";
  EXPECT_EQ(view.completed[1].trial, 1);
  EXPECT_EQ(view.completed[0].objective, 7);
  EXPECT_EQ(view.completed[1].objective, 8);
  EXPECT_EQ(view.trials_created, 1);
}

// A trial that took so many seconds.
auto Lasting(int seconds) {
  return [seconds](TrialRecord* trial) {
    trial->attempts[0].lasted = std::chrono::seconds(seconds);
    trial->attempts[0].devices = {DeviceId{0}, DeviceId{1}};
  };
}

TEST(StudyViewTest, TellsDurationsWhereTheyCount) {
  JobSpec spec = TuningSpec(20, 9);
  const auto view_of = [&] {
    StudyBuilder study(spec);
    study.Completed(0.5).With(Lasting(30)).Completed(0.4);
    return MakeStudyView(study.Build(), nullptr);
  };
  EXPECT_EQ(view_of().cost_weight, 0);
  EXPECT_EQ(view_of().completed[0].duration, std::nullopt);
  spec.vernier.is_per_cost = true;
  EXPECT_EQ(view_of().cost_weight, 1);
  EXPECT_EQ(view_of().completed[0].duration, 30);
  EXPECT_EQ(view_of().completed[1].duration, std::nullopt) << "nobody saw it";
}

TEST(StudyViewTest, AClientsTrialLastsFromItsStartToItsEnd) {
  StudyBuilder study(TuningSpec(20, 9));
  study.Completed(0.5).With([](TrialRecord* trial) {
    trial->attempts.clear();
    trial->started_at = Timestamp(std::chrono::seconds(100));
    trial->ended_at = Timestamp(std::chrono::seconds(107));
  });
  StudySnapshot snapshot = study.Build();
  auto other = std::make_shared<StudySpec>(*snapshot.spec);
  other->is_per_cost = true;
  snapshot.spec = other;
  EXPECT_EQ(MakeStudyView(snapshot, nullptr).completed[0].duration, 7);
}

// Of a budget of time, the less is left, the less it matters what a trial
// costs.
TEST(StudyViewTest, ABudgetOfTimeIsSpentByGainPerSecond) {
  JobSpec spec = TuningSpec(20, 2);
  const auto weight_of = [&] {
    StudyBuilder study(spec);
    study.Completed(0.5).With(Lasting(30)).Completed(0.4).With(Lasting(20));
    study.Active().With(Lasting(1000));  // It has not ended yet.
    return MakeStudyView(study.Build(), nullptr).cost_weight;
  };
  spec.vernier.limits.max_time = std::chrono::seconds(100);
  EXPECT_DOUBLE_EQ(weight_of(), 0.75) << "two run at once";
  spec.vernier.limits.max_gpu_time = std::chrono::seconds(200);
  EXPECT_DOUBLE_EQ(weight_of(), 0.5) << "two GPUs each";
  spec.vernier.limits.max_gpu_time = std::chrono::seconds(60);
  EXPECT_EQ(weight_of(), 0);
  spec.vernier.is_per_cost = true;
  EXPECT_EQ(weight_of(), 1) << "as it was asked for";
}

}  // namespace
}  // namespace vernier
