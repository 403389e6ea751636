#include "trials/ask_tell_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/search_space.h"
#include "tests/fakes/manual_clock.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

using std::chrono::seconds;

StudySpec MakeSpec(std::vector<ParameterSpec> parameters) {
  StudySpec spec;
  spec.metrics = {{"value", Goal::kMaximize}};
  spec.parameters = std::move(parameters);
  return spec;
}

double Bowl(const TrialRecord& trial) {
  const double x = NumberOf(trial.parameters, 0);
  return -(x - 0.3) * (x - 0.3);
}

void ExpectSame(const TrialRecord& a, const TrialRecord& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.parameters, b.parameters) << ToInt(a.id);
  EXPECT_EQ(a.origin.record, b.origin.record) << ToInt(a.id);
}

// Working ahead saves time and changes nothing, whenever it is done.
TEST(AskTellStudyTest, PreparingChangesNoAnswer) {
  const StudySpec spec = MakeSpec(UnitCubeSpace(2));
  AskTellStudy plain(spec, 5);
  AskTellStudy ahead(spec, 5);
  TrialId told{};
  for (int round = 0; round < 24; ++round) {
    const int count = 1 + round % 4;
    if (round % 3 == 1) ahead.Prepare();
    while (round % 3 == 2 && ahead.Prepare()) {
    }
    const auto expected = plain.Ask(count);
    const auto asked = ahead.Ask(count);
    ASSERT_TRUE(expected.ok() && asked.ok());
    ASSERT_EQ(asked->size(), expected->size());
    for (std::size_t i = 0; i < asked->size(); ++i) {
      ExpectSame(*asked->at(i), *expected->at(i));
    }
    // Some trials stay pending; one in six is of no use.
    for (int i = 0; i < count && round % 5 != 4; ++i) {
      told = TrialId{ToInt(told) + 1};
      TrialOutcome outcome;
      if (ToInt(told) % 6 != 0) outcome.objective = Bowl(**plain.Find(told));
      ASSERT_TRUE(plain.Tell(told, outcome).ok());
      ahead.Prepare();
      ASSERT_TRUE(ahead.Tell(told, outcome).ok());
    }
  }
  EXPECT_EQ((*plain.Find(told))->origin.record->method,
            SuggestionMethod::kConfidenceBound);
}

// How often Prepare says that there is more to do.
int CountPrepared(AskTellStudy& study) {
  int more = 0;
  while (study.Prepare()) ++more;
  return more;
}

TEST(AskTellStudyTest, PreparesOnePointACallUpToTheLastCount) {
  AskTellStudy study(MakeSpec(UnitCubeSpace(2)), 5);
  EXPECT_EQ(CountPrepared(study), 0) << "nobody asked for more than one";
  ASSERT_TRUE(study.Ask(3).ok());
  EXPECT_EQ(CountPrepared(study), 2);
  EXPECT_EQ(CountPrepared(study), 0) << "all three are there";
  ASSERT_TRUE(study.Ask(2).ok());
  EXPECT_EQ(CountPrepared(study), 0) << "two are wanted, and one is there";
  ASSERT_TRUE(study.Tell(TrialId{1}, {0.5, {}}).ok());
  EXPECT_EQ(CountPrepared(study), 1);
}

TEST(AskTellStudyTest, DoesNotPrepareAWholeLargeBatch) {
  AskTellStudy study(MakeSpec(UnitCubeSpace(2)), 5);
  ASSERT_TRUE(study.Ask(300).ok());
  EXPECT_EQ(CountPrepared(study), AskTellStudy::kMostAhead - 1);
  EXPECT_EQ(study.Ask(300)->size(), 300u);
}

/// Has points for the first two trials, and then nothing but `status`.
class TwoPointSuggester final : public Suggester {
 public:
  explicit TwoPointSuggester(absl::Status status)
      : status_(std::move(status)) {}
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override {
    const auto left = static_cast<int>(2 - view.trials_created);
    const bool is_enough =
        count <= left || (left > 0 && absl::IsResourceExhausted(status_));
    if (!is_enough) return status_;
    return std::vector<Suggestion>(
        static_cast<std::size_t>(std::min(count, left)),
        {{{"x0", 0.5}}, SuggestionRecord{}});
  }

 private:
  const absl::Status status_;
};

/// Keeps the last view that it was asked with.
class RecordingSuggester final : public Suggester {
 public:
  explicit RecordingSuggester(StudyView* seen) : seen_(seen) {}
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override {
    *seen_ = view;
    std::vector<Suggestion> points;
    for (int k = 1; k <= count; ++k) {
      const auto trial = static_cast<double>(view.trials_created + k);
      points.push_back({{{"x0", trial / 16}}, SuggestionRecord{}});
    }
    return points;
  }

 private:
  StudyView* const seen_;
};

TEST(AskTellStudyTest, PreparesNothingBeforeTheFirstAsk) {
  StudyView seen;
  AskTellStudy study(MakeSpec(UnitCubeSpace(1)), 5, std::nullopt,
                     std::make_unique<RecordingSuggester>(&seen));
  ASSERT_TRUE(study.Add({{"x0", 1.0}}, {0.25, {}}).ok());
  EXPECT_FALSE(study.Prepare());
  EXPECT_TRUE(seen.completed.empty()) << "nobody was asked";
  ASSERT_TRUE(study.Ask(1).ok());
  ASSERT_TRUE(study.Add({{"x0", 0.5}}, {0.25, {}}).ok());
  study.Prepare();
  EXPECT_EQ(seen.completed.size(), 2u);
}

TEST(AskTellStudyTest, TheSuggesterSeesOutcomesInTheOrderInWhichTheyWereTold) {
  StudyView seen;
  AskTellStudy study(MakeSpec(UnitCubeSpace(1)), 5, std::nullopt,
                     std::make_unique<RecordingSuggester>(&seen));
  ASSERT_TRUE(study.Ask(6).ok());
  ASSERT_TRUE(study.Abandon(TrialId{1}).ok());
  ASSERT_TRUE(study.Tell(TrialId{5}, {0.5, 0.25}).ok());
  ASSERT_TRUE(study.Tell(TrialId{2}, {std::nullopt, {}}).ok());
  ASSERT_TRUE(study.Abandon(TrialId{3}).ok());
  ASSERT_TRUE(study.Tell(TrialId{1}, {0.75, 0}).ok());
  ASSERT_TRUE(study.Add({{"x0", 1.0}}, {0.25, {}}).ok());
  study.Prepare();
  study.Prepare();  // Two points ahead: trials 8 and 9.

  EXPECT_EQ(seen.trials_created, 8);
  std::vector<double> completed;
  for (const Observation& each : seen.completed) {
    completed.push_back(NumberOf(each.parameters, 0) * 16);
  }
  EXPECT_EQ(completed, (std::vector<double>{5, 2, 1, 16}));
  EXPECT_EQ(seen.completed[0].variance, 0.25);
  EXPECT_EQ(seen.completed[1].objective, std::nullopt);
  EXPECT_EQ(seen.completed[2].objective, 0.75);
  EXPECT_EQ(seen.completed[2].variance, 0);
  EXPECT_EQ(seen.completed[3].variance, std::nullopt);
  std::vector<double> pending;
  for (const Parameters& each : seen.pending) {
    pending.push_back(NumberOf(each, 0) * 16);
  }
  EXPECT_EQ(pending, (std::vector<double>{4, 6, 8}));
}

TEST(AskTellStudyTest, ARandomSearchSeesTheNumberOfTrialsOnly) {
  StudyView seen;
  StudySpec spec = MakeSpec(UnitCubeSpace(1));
  spec.algorithm = Algorithm::kRandomSearch;
  AskTellStudy study(spec, 5, std::nullopt,
                     std::make_unique<RecordingSuggester>(&seen));
  ASSERT_TRUE(study.Ask(3).ok());
  ASSERT_TRUE(study.Tell(TrialId{1}, {0.5, {}}).ok());
  study.Prepare();
  study.Prepare();
  EXPECT_EQ(seen.trials_created, 4);
  EXPECT_TRUE(seen.completed.empty());
  EXPECT_TRUE(seen.pending.empty());
}

// Whether some of the points had been prepared shows in no answer.
TEST(AskTellStudyTest, AnErrorDoesNotDependOnWhatWasPrepared) {
  for (const bool prepares : {false, true}) {
    AskTellStudy study(MakeSpec(UnitCubeSpace(1)), 5, std::nullopt,
                       std::make_unique<TwoPointSuggester>(
                           absl::InternalError("cannot be fitted")));
    if (prepares) study.Prepare();
    EXPECT_EQ(study.Ask(3).status(), absl::InternalError("cannot be fitted"));
    EXPECT_EQ(study.Ask(2)->size(), 2u) << "what was prepared is kept";
    if (prepares) study.Prepare();
    EXPECT_TRUE(absl::IsInternal(study.Ask(1).status()));
  }
}

TEST(AskTellStudyTest, ThereMayBeFewerPointsThanAreAskedFor) {
  for (const bool prepares : {false, true}) {
    AskTellStudy study(MakeSpec(UnitCubeSpace(1)), 5, std::nullopt,
                       std::make_unique<TwoPointSuggester>(
                           absl::ResourceExhaustedError("none is left")));
    if (prepares) study.Prepare();
    EXPECT_EQ(study.Ask(3)->size(), 2u);
    EXPECT_TRUE(absl::IsResourceExhausted(study.Ask(1).status()));
  }
}

// The second of two calls works while the first did it already.
TEST(AskTellStudyTest, WhatWasPreparedIsForgottenWithAnOutcome) {
  const StudySpec spec = MakeSpec(UnitCubeSpace(1));
  AskTellStudy study(spec, 5);
  for (std::int64_t id = 1; id <= 12; ++id) {
    ASSERT_TRUE(study.Ask(1).ok());
    study.Prepare();
    ASSERT_TRUE(
        study.Tell(TrialId{id}, {Bowl(**study.Find(TrialId{id})), {}}).ok());
  }
  const auto next = study.Ask(1);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(next->front()->origin.record->num_completed, 12);
}

TEST(AskTellStudyTest, PreparingAnExhaustedStudyIsHarmless) {
  AskTellStudy study(MakeSpec({CategoricalParameter("c", 2)}), 1);
  ASSERT_TRUE(study.Ask(2).ok());
  study.Prepare();
  study.Prepare();
  EXPECT_TRUE(absl::IsResourceExhausted(study.Ask(2).status()));
  // A trial that was lost makes its point free again.
  ASSERT_TRUE(study.Abandon(TrialId{1}).ok());
  study.Prepare();
  const auto again = study.Ask(2);
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(again->size(), 1u);
  EXPECT_EQ(again->front()->id, TrialId{3});
  EXPECT_EQ(again->front()->parameters, (*study.Find(TrialId{1}))->parameters);
}

TEST(AskTellStudyTest, ALeaseEnds) {
  ManualClock clock;
  const AskTellStudy::Lease lease{seconds{60}, &clock};
  AskTellStudy study(MakeSpec({CategoricalParameter("c", 3)}), 1, lease);
  ASSERT_TRUE(study.Ask(2).ok());
  clock.Advance(seconds{59});
  ASSERT_EQ(study.Ask(1)->front()->id, TrialId{3});
  EXPECT_TRUE(absl::IsResourceExhausted(study.Ask(1).status()));
  clock.Advance(seconds{1});
  const auto again = study.Ask(5);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->size(), 2u);  // The third trial's lease goes on.
}

// Hundreds of trials that never return cost nothing and teach nothing.
TEST(AskTellStudyTest, LostTrialsLeaveNoTrace) {
  ManualClock clock;
  const StudySpec spec = MakeSpec(UnitCubeSpace(2));
  AskTellStudy study(spec, 9, AskTellStudy::Lease{seconds{60}, &clock});
  ASSERT_TRUE(study.Ask(500).ok());
  clock.Advance(seconds{61});
  for (std::int64_t id = 501; id <= 515; ++id) {
    const auto trial = study.Ask(1);
    ASSERT_TRUE(trial.ok());
    EXPECT_EQ(trial->front()->origin.record->num_pending, 0);
    ASSERT_TRUE(study.Tell(TrialId{id}, {Bowl(*trial->front()), {}}).ok());
  }
  EXPECT_EQ(study.Ask(1)->front()->origin.record->method,
            SuggestionMethod::kImprovement);
}

// As doubles, both numbers would be the maximum.
TEST(AskTellStudyTest, AnIntegerJustOutOfRangeIsRefused) {
  const double huge = 9007199254740992.0;  // 2^53.
  AskTellStudy study(MakeSpec({IntegerParameter("n", huge - 9, huge)}), 1);
  const auto max = static_cast<std::int64_t>(huge);
  EXPECT_TRUE(
      absl::IsInvalidArgument(study.Add({{"n", max + 1}}, {0.5, {}}).status()));
  EXPECT_TRUE(study.Add({{"n", max}}, {0.5, {}}).ok());
}

TEST(AskTellStudyTest, AnOutcomeAfterTheLeaseStillCounts) {
  AskTellStudy study(MakeSpec(UnitCubeSpace(1)), 1);
  ASSERT_TRUE(study.Ask(1).ok());
  ASSERT_TRUE(study.Abandon(TrialId{1}).ok());
  ASSERT_TRUE(study.Abandon(TrialId{1}).ok());
  ASSERT_TRUE(study.Tell(TrialId{1}, {0.5, {}}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(study.Abandon(TrialId{1})));
  EXPECT_TRUE(absl::IsNotFound(study.Abandon(TrialId{2})));
  EXPECT_EQ((*study.FindBest())->seen->id, TrialId{1});
}

// A study of one parameter, to be maximised, under a stopping rule.
AskTellStudy StudyWithRule(StoppingRule rule, StudyView* seen) {
  StudySpec spec = MakeSpec(UnitCubeSpace(1));
  spec.stopping_rule = rule;
  return AskTellStudy(spec, 5, std::nullopt,
                      std::make_unique<RecordingSuggester>(seen));
}

// Trains the next trial for `last` steps to 0.5, and ends it so.
void Train(AskTellStudy& study, std::int64_t last) {
  const TrialId id = study.Ask(1)->front()->id;
  for (std::int64_t step = 1; step <= last; ++step) {
    const double left = static_cast<double>(last - step);
    ASSERT_TRUE(study.Report(id, step, 0.5 - 0.001 * left).ok());
  }
  ASSERT_TRUE(study.Tell(id, {0.5, {}}).ok());
}

// Of a training that reports often only a sample is kept, with its best report.
TEST(AskTellStudyTest, WhoWasTheBestOnceIsNotStopped) {
  for (const std::int64_t peak : {0, 211, 333}) {
    StudyView seen;
    AskTellStudy study = StudyWithRule(StoppingRule::kMedian, &seen);
    for (int i = 0; i < 6; ++i) Train(study, 500);
    const TrialId id = study.Ask(1)->front()->id;
    std::string reason;
    for (std::int64_t step = 1; step <= 400; ++step) {
      reason = *study.Report(id, step, step == peak ? 0.9 : -1);
    }
    EXPECT_EQ(reason.empty(), peak > 0) << peak << reason;
  }
}

// A client may send what it has collected in any order, and again.
TEST(AskTellStudyTest, TheOrderOfReportsDoesNotMatter) {
  std::string expected;
  for (const bool is_reversed : {false, true}) {
    StudyView seen;
    AskTellStudy study = StudyWithRule(StoppingRule::kMedian, &seen);
    for (int i = 0; i < 6; ++i) Train(study, 20);
    const TrialId id = study.Ask(1)->front()->id;
    std::string reason;
    for (std::int64_t k = 1; k <= 10; ++k) {
      const std::int64_t step = is_reversed ? 11 - k : k;
      ASSERT_TRUE(study.Report(id, step, 5).ok());
      reason = *study.Report(id, step, -1 - 0.1 * static_cast<double>(step));
    }
    EXPECT_NE(reason, "");
    if (is_reversed) {
      EXPECT_EQ(reason, expected);
    }
    expected = reason;
  }
}

TEST(AskTellStudyTest, WhatAStoppedTrialHasReportedTeaches) {
  StudyView seen;
  AskTellStudy study = StudyWithRule(StoppingRule::kAuto, &seen);
  for (int i = 0; i < 6; ++i) {
    const TrialId id = study.Ask(1)->front()->id;
    for (std::int64_t step = 1; step <= 20; ++step) {
      const double part = static_cast<double>(step) / 20;
      ASSERT_TRUE(study.Report(id, step, part * (1 + 0.1 * i)).ok());
    }
    ASSERT_TRUE(study.Tell(id, {1 + 0.1 * i, {}}).ok());
  }
  const TrialId id = study.Ask(1)->front()->id;
  EXPECT_EQ(seen.stopped_part, 1);
  for (std::int64_t step = 1; step <= 5; ++step) {
    ASSERT_TRUE(study.Report(id, step, 0.01 * static_cast<double>(step)).ok());
  }
  TrialOutcome stopped;
  stopped.is_stopped_early = true;
  ASSERT_TRUE(study.Tell(id, stopped).ok());
  ASSERT_TRUE(study.Ask(1).ok());
  EXPECT_EQ(seen.stopped_part, 0.25);
  ASSERT_EQ(seen.completed.size(), 7u);
  EXPECT_EQ(seen.completed.back().objective, 0.05);
  ASSERT_TRUE(seen.completed.back().estimate.has_value());
  EXPECT_GT(seen.completed.back().estimate->mean, 0.06);
}

TEST(AskTellStudyTest, AReportLeavesWhatWasPrepared) {
  AskTellStudy study(MakeSpec(UnitCubeSpace(2)), 5);
  ASSERT_TRUE(study.Ask(3).ok());
  EXPECT_EQ(CountPrepared(study), 2);
  ASSERT_TRUE(study.Report(TrialId{1}, 1, 0.5).ok());
  EXPECT_FALSE(study.Prepare());
  EXPECT_EQ(CountPrepared(study), 0) << "all three are there";
  EXPECT_EQ(study.Ask(3)->size(), 3u);
}

}  // namespace
}  // namespace vernier
