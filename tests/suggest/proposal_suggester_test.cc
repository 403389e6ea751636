#include "suggest/algorithms/proposal_suggester.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "suggest/algorithms/source_trust.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

Parameters PointAt(double x) { return {{"x0", x}}; }

StudyView ProposalView() {
  StudyView view;
  view.space = {DoubleParameter("x0", 0, 1)};
  view.goal = Goal::kMinimize;
  view.seed = 4;
  return view;
}

// Adds the result of a trial that `source` has proposed; empty: nobody has.
void AddResult(StudyView* view, const std::string& source,
               std::optional<double> value, double x) {
  Observation observation;
  observation.parameters = PointAt(x);
  observation.objective = value;
  observation.trial = ++view->trials_created;
  observation.source = source;
  view->trials_proposed += !source.empty();
  view->completed.push_back(std::move(observation));
}

// Adds results of the search itself, each worse than the one before.
void AddWorseAndWorse(StudyView* view, int count) {
  for (int i = 0; i < count; ++i) AddResult(view, "", 1 + i, 0.01 * i);
}

void ExpectScore(const SourceScore& score, int tried, int wins) {
  EXPECT_EQ(score.tried, tried);
  EXPECT_EQ(score.wins, wins);
}

TEST(SourceTrustTest, AWinIsBetterThanAllBefore) {
  StudyView view = ProposalView();
  AddWorseAndWorse(&view, 4);
  AddResult(&view, "agent", 0.5, 0.5);   // Wins.
  AddResult(&view, "agent", 0.5, 0.6);   // No better than the best.
  AddResult(&view, "agent", 0.25, 0.7);  // Wins.
  AddResult(&view, "other", 0.125, 0.8);
  ExpectScore(ScoreOf(view, "agent"), 3, 2);
  ExpectScore(ScoreOf(view, "other"), 1, 1);
  ExpectScore(ScoreOf(view, "nobody"), 0, 0);
}

TEST(SourceTrustTest, OneOfTheFirstThreeResultsIsNoWin) {
  for (const int before : {0, 2, 3}) {
    StudyView view = ProposalView();
    AddWorseAndWorse(&view, before);
    AddResult(&view, "agent", 0.5, 0.5);
    ExpectScore(ScoreOf(view, "agent"), 1, before == 3);
  }
}

TEST(SourceTrustTest, FailuresStoppedTrainingsAndBrokenConstraintsAreNoWins) {
  StudyView view = ProposalView();
  view.metrics = {{Goal::kMinimize}};
  view.num_constraints = 1;
  AddWorseAndWorse(&view, 4);
  for (Observation& result : view.completed) {
    result.values = {result.objective};
    result.slacks = {1.0};
  }
  AddResult(&view, "agent", std::nullopt, 0.5);
  AddResult(&view, "agent", 0.1, 0.6);
  view.completed.back().values = {0.1};
  view.completed.back().slacks = {-1.0};
  AddResult(&view, "agent", 0.2, 0.7);
  view.completed.back().values = {0.2};
  view.completed.back().slacks = {1.0};
  view.completed.back().is_stopped_early = true;
  ExpectScore(ScoreOf(view, "agent"), 3, 0);
  AddResult(&view, "agent", 0.3, 0.8);
  view.completed.back().values = {0.3};
  view.completed.back().slacks = {1.0};
  ExpectScore(ScoreOf(view, "agent"), 4, 1);
}

TEST(SourceTrustTest, OnAFrontOneMetricThatIsBetterSuffices) {
  StudyView view = ProposalView();
  view.metrics = {{Goal::kMinimize}, {Goal::kMaximize}};
  const auto add = [&](const std::string& source, double first, double second) {
    AddResult(&view, source, first, 0.1);
    view.completed.back().values = {first, second};
  };
  for (int i = 0; i < 4; ++i) add("", 1, 1);
  add("agent", 2, 2);
  add("agent", 1, 1);
  add("agent", 0.5, 0.5);
  add("agent", 3, 1.5);  // Both worse than those of the first.
  ExpectScore(ScoreOf(view, "agent"), 4, 2);
}

TEST(SourceTrustTest, RunningTrialsAreTriedAndTheSearchIsJudgedByItsNewest) {
  StudyView view = ProposalView();
  view.pending_sources = {"agent", "agent", "other"};
  ExpectScore(ScoreOf(view, "agent"), 2, 0);
  for (int i = 0; i < 8; ++i) AddResult(&view, "", 20 - i, 0.01 * i);
  AddResult(&view, "agent", 30, 0.5);
  AddWorseAndWorse(&view, 1);  // The best.
  for (int i = 0; i < 9; ++i) AddResult(&view, "", 40, 0.6);
  ExpectScore(ScoreOfSearch(view), 10, 1);
}

TEST(SourceTrustTest, ASourceThatNeverWinsIsTriedTwiceAtMost) {
  EXPECT_GT(TrustIn({0, 0}), TrustInSearch({0, 0}));
  EXPECT_GT(TrustIn({1, 0}), TrustInSearch({10, 0}));
  EXPECT_FALSE(TrustIn({2, 0}) > TrustInSearch({10, 0}));
  EXPECT_FALSE(TrustIn({2, 0}) > TrustInSearch({1000, 0}));
  EXPECT_FALSE(TrustIn({1, 0}) > TrustInSearch({10, 1}));
  EXPECT_FALSE(TrustIn({1, 0}) > TrustInSearch({4, 1}));
  EXPECT_GT(TrustIn({2, 1}), TrustInSearch({10, 2}));
}

// What a wrapped suggester was asked for.
struct Request {
  int count = 0;
  std::int64_t trials_created = 0;
  std::size_t num_pending = 0;

  friend bool operator==(const Request&, const Request&) = default;
};

// Predicts the place as the value, with a deviation of 0.1, and suggests the
// middle.
class PlaceModel final : public Suggester {
 public:
  explicit PlaceModel(std::vector<Request>* requests) : requests_(requests) {}

  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override {
    requests_->push_back({count, view.trials_created, view.pending.size()});
    return std::vector<Suggestion>(static_cast<std::size_t>(count),
                                   Suggestion{PointAt(0.5), {}});
  }

  absl::StatusOr<std::vector<Prediction>> Predict(
      const StudyView& view,
      const std::vector<Parameters>& points) const override {
    std::vector<Prediction> predictions;
    if (view.completed.size() < 5) return predictions;
    for (const Parameters& point : points) {
      const double x = std::get<double>(point.front().value);
      predictions.push_back({x, x - 0.1, x + 0.1});
    }
    return predictions;
  }

 private:
  std::vector<Request>* const requests_;
};

using Places = std::vector<std::pair<double, std::string>>;

// Returns the places of the next points with their sources.
Places NextPoints(const StudyView& view, int count,
                  std::vector<Request>* requests = nullptr) {
  std::vector<Request> unused;
  const ProposalSuggester suggester(
      std::make_unique<PlaceModel>(requests != nullptr ? requests : &unused));
  const auto points = suggester.Suggest(view, count);
  EXPECT_TRUE(points.ok()) << points.status();
  Places places;
  for (const Suggestion& point : *points) {
    EXPECT_EQ(point.record.method == SuggestionMethod::kProposal,
              !point.record.source.empty());
    places.emplace_back(std::get<double>(point.parameters.front().value),
                        point.record.source);
  }
  return places;
}

// A study with four results of the search itself, of which the last is the best
// with 0.4.
StudyView ViewWithResults() {
  StudyView view = ProposalView();
  AddWorseAndWorse(&view, 3);
  AddResult(&view, "", 0.4, 0.03);
  return view;
}

TEST(ProposalSuggesterTest, AnUnknownSourceGetsOneTrialUntilItIsKnown) {
  StudyView view = ViewWithResults();
  view.proposals = {{"agent", PointAt(0.1)}, {"agent", PointAt(0.2)}};
  std::vector<Request> requests;
  EXPECT_EQ(NextPoints(view, 3, &requests),
            (Places{{0.1, "agent"}, {0.5, ""}, {0.5, ""}}));
  // The points of the search are numbered without it.
  EXPECT_EQ(requests, (std::vector<Request>{{2, 4, 1}}));
  view.pending_sources = {"agent"};
  view.pending = {PointAt(0.1)};
  view.trials_created = 5;
  view.trials_proposed = 1;
  requests.clear();
  EXPECT_EQ(NextPoints(view, 1, &requests), (Places{{0.5, ""}}));
  EXPECT_EQ(requests, (std::vector<Request>{{1, 4, 1}}));
  // Another one does not wait for it.
  view.proposals.push_back({"other", PointAt(0.3)});
  EXPECT_EQ(NextPoints(view, 2), (Places{{0.3, "other"}, {0.5, ""}}));
}

TEST(ProposalSuggesterTest, TheSearchHasFourResultsOfItsOwnFirst) {
  StudyView view = ViewWithResults();
  view.completed.pop_back();
  AddResult(&view, "agent", 0.1, 0.9);
  view.proposals = {{"agent", PointAt(0.1)}};
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.5, ""}}));
  AddResult(&view, "", 2, 0.8);
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.1, "agent"}}));
}

TEST(ProposalSuggesterTest, SaysWhoProposedThePointAndHowFarItIsTrusted) {
  StudyView view = ViewWithResults();
  AddResult(&view, "", 3, 0.9);
  view.proposals = {{"agent", PointAt(0.2)}};
  std::vector<Request> requests;
  const ProposalSuggester suggester(std::make_unique<PlaceModel>(&requests));
  const auto points = suggester.Suggest(view, 1);
  ASSERT_TRUE(points.ok()) << points.status();
  const SuggestionRecord& record = points->front().record;
  EXPECT_EQ(record.method, SuggestionMethod::kProposal);
  EXPECT_EQ(record.source, "agent");
  EXPECT_EQ(record.acquisition, 0.5);
  EXPECT_EQ(record.num_completed, 5);
  ASSERT_TRUE(record.prediction.has_value());
  EXPECT_DOUBLE_EQ(record.prediction->mean, 0.2);
  EXPECT_TRUE(requests.empty());
}

TEST(ProposalSuggesterTest, TheModelObjectsToWhatItIsSureOf) {
  StudyView view = ViewWithResults();
  AddResult(&view, "", 3, 0.9);
  // A deviation below 0.55 is worse than the best, 0.4.
  view.proposals = {{"agent", PointAt(0.55)}};
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.5, ""}}));
  for (const double x : {0.48, 0.45, 0.47}) {
    view.proposals.push_back({"agent", PointAt(x)});
  }
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.45, "agent"}}));
  // The same where larger is better.
  view.goal = Goal::kMaximize;
  for (Observation& result : view.completed) *result.objective = 0.6;
  view.proposals = {{"agent", PointAt(0.45)}};
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.5, ""}}));
  view.proposals.push_back({"agent", PointAt(0.53)});
  view.proposals.push_back({"agent", PointAt(0.55)});
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.55, "agent"}}));
}

TEST(ProposalSuggesterTest, TheModelDoesNotObjectToASourceThatMostlyWins) {
  StudyView view = ViewWithResults();
  AddResult(&view, "agent", 0.3, 0.9);
  view.proposals = {{"agent", PointAt(0.95)}};
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.95, "agent"}}));
  AddResult(&view, "agent", 0.3, 0.8);
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.5, ""}}));
}

TEST(ProposalSuggesterTest, TheMostTrustedSourceComesFirst) {
  StudyView view = ViewWithResults();
  AddResult(&view, "good", 0.3, 0.9);
  view.proposals = {{"new", PointAt(0.3)}, {"good", PointAt(0.2)}};
  EXPECT_EQ(NextPoints(view, 2), (Places{{0.2, "good"}, {0.3, "new"}}));
}

TEST(ProposalSuggesterTest, APointThatWasTriedOrRunsIsNotTriedAgain) {
  StudyView view = ViewWithResults();
  view.pending = {PointAt(0.2)};
  view.given_up = {PointAt(0.3)};
  for (const double x : {0.03, 0.2, 0.3}) {
    view.proposals.push_back({"agent", PointAt(x)});
  }
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.5, ""}}));
}

TEST(ProposalSuggesterTest, OfManyTheNewestAreLookedAt) {
  StudyView view = ViewWithResults();
  for (int i = 0; i < kMostProposalsConsidered + 2; ++i) {
    view.proposals.push_back({"agent", PointAt(0.125 + i / 64.0)});
  }
  EXPECT_EQ(NextPoints(view, 1), (Places{{0.15625, "agent"}}));
}

TEST(ProposalSuggesterTest, AnOracleIsFollowedAndAnAdversaryIsNot) {
  const auto value = [](double x) { return (x - 0.83) * (x - 0.83); };
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const auto tried = [&](double place, double step) {
    StudyView view = ProposalView();
    int count = 0;
    for (int i = 0; i < 20; ++i) {
      view.proposals.push_back({"agent", PointAt(place + step * i)});
      const auto next = suggester->Suggest(view, 1);
      EXPECT_TRUE(next.ok()) << next.status();
      const Suggestion& point = next->front();
      const double x = std::get<double>(point.parameters.front().value);
      count += !point.record.source.empty();
      AddResult(&view, point.record.source, value(x), x);
      std::erase_if(view.proposals, [&](const Proposal& proposal) {
        return proposal.parameters == point.parameters;
      });
    }
    return count;
  };
  EXPECT_GE(tried(0.80, 0.0014), 3);  // Each is better than the one before.
  EXPECT_LE(tried(0.05, 0.001), 2);
}

TEST(ProposalSuggesterTest, TheSearchHasItsOwnFirstPointsBesideProposals) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView alone = ProposalView();
  StudyView beside = ProposalView();
  AddResult(&beside, "agent", 9, 0.77);
  for (int i = 0; i < 4; ++i) {
    const auto point = suggester->Suggest(alone, 1);
    const auto other = suggester->Suggest(beside, 1);
    ASSERT_TRUE(point.ok() && other.ok());
    EXPECT_EQ(other->front().parameters, point->front().parameters) << i;
    const double x = std::get<double>(point->front().parameters.front().value);
    AddResult(&alone, "", x, x);
    AddResult(&beside, "", x, x);
  }
}

TEST(ProposalSuggesterTest, TheModelPredictsWhereItHasResults) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView view = ProposalView();
  const std::vector<Parameters> points = {PointAt(0.15), PointAt(0.55)};
  auto predictions = suggester->Predict(view, points);
  ASSERT_TRUE(predictions.ok()) << predictions.status();
  EXPECT_TRUE(predictions->empty());
  for (int i = 0; i < 8; ++i) AddResult(&view, "", 0.1 * i, 0.1 * i);
  predictions = suggester->Predict(view, points);
  ASSERT_TRUE(predictions.ok()) << predictions.status();
  ASSERT_EQ(predictions->size(), 2u);
  EXPECT_NEAR((*predictions)[0].mean, 0.15, 0.05);
  EXPECT_LT((*predictions)[0].mean, (*predictions)[1].low);
  EXPECT_LT((*predictions)[1].low, (*predictions)[1].high);
}

}  // namespace
}  // namespace vernier
