#include "trials/engine/result_models.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "suggest/algorithms/random_search_suggester.h"
#include "tests/fakes/row_meter.h"
#include "tests/trials/results/study_of_two_metrics.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

struct Counts {
  std::atomic<int> made = 0;
  std::atomic<int> examined = 0;
  std::atomic<int> at_once = 0;
  std::atomic<bool> overlapped = false;
  std::atomic<bool> is_broken = false;
};

// Says how many results it saw.
class CountingSuggester final : public Suggester {
 public:
  explicit CountingSuggester(Counts& counts) : counts_(counts) {
    ++counts_.made;
  }

  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override {
    return RandomSearchSuggester().Suggest(view, count);
  }

  absl::StatusOr<Insights> Examine(
      const StudyView& view,
      const InsightsRequest& /*request*/) const override {
    if (++counts_.at_once > 1) counts_.overlapped = true;
    ++counts_.examined;
    std::this_thread::yield();
    --counts_.at_once;
    if (counts_.is_broken) return absl::InternalError("no memory");
    Insights insights;
    insights.num_observations = std::ssize(view.completed);
    return insights;
  }

 private:
  Counts& counts_;
};

StudyBuilder InsightsStudy(int completed, std::int64_t id = 7) {
  StudyBuilder study(TuningSpec(50, 1));
  study.record().id = StudyId{id};
  for (int i = 0; i < completed; ++i) study.Completed(i);
  return study;
}

class ResultModelsTest : public testing::Test {
 protected:
  std::int64_t Observed(const StudyBuilder& study,
                        const InsightsRequest& request = {}) {
    const auto answer = models_.Examine(study.Build(), request);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? (*answer)->insights.num_observations : -1;
  }

  Counts counts_;
  ResultModels models_{
      [this] { return std::make_unique<CountingSuggester>(counts_); }};
};

TEST_F(ResultModelsTest, RemembersUntilAnotherTrialEnds) {
  StudyBuilder study = InsightsStudy(3);
  EXPECT_EQ(Observed(study), 3);
  EXPECT_EQ(Observed(study), 3);
  study.Active();
  EXPECT_EQ(Observed(study), 3);
  EXPECT_EQ(counts_.examined, 1);
  study.Completed(9);
  EXPECT_EQ(Observed(study), 4);
  EXPECT_EQ(counts_.examined, 2);
  EXPECT_EQ(counts_.made, 1) << "the model is kept";
}

TEST_F(ResultModelsTest, ComputesEachContourOnce) {
  const StudyBuilder study = InsightsStudy(3);
  const InsightsRequest contour{{{"x", "y"}}};
  for (int i = 0; i < 2; ++i) {
    Observed(study);
    Observed(study, contour);
  }
  EXPECT_EQ(counts_.examined, 2);
}

TEST_F(ResultModelsTest, ACallThatMayReadLessGetsNoModel) {
  RowMeter meter(2);
  const CallMeterScope scope(&meter);
  EXPECT_EQ(models_.Examine(InsightsStudy(3).Build(), {}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(counts_.examined, 0);
}

TEST_F(ResultModelsTest, ForgetsTheStudyThatWasAskedForLongestAgo) {
  const int most = static_cast<int>(ResultModels::kMostModels);
  for (int id = 1; id <= most; ++id) Observed(InsightsStudy(1, id));
  Observed(InsightsStudy(1, 1));  // So that the second is the oldest.
  Observed(InsightsStudy(1, most + 1));
  EXPECT_EQ(counts_.examined, most + 1);
  Observed(InsightsStudy(1, 1));
  EXPECT_EQ(counts_.examined, most + 1);
  Observed(InsightsStudy(1, 2));
  EXPECT_EQ(counts_.examined, most + 2);
}

// Of each metric there is a model, of the trials that have it.
TEST_F(ResultModelsTest, EachMetricHasItsOwn) {
  StudySnapshot study = StudyOfTwoMetrics({{0, 10}, {2, 2}, {}, {10, 0}});
  const auto first = models_.Examine(study, {});
  const auto second = models_.Examine(study, {}, 1);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ((*first)->metric, 0u);
  EXPECT_EQ((*second)->metric, 1u);
  EXPECT_EQ(counts_.made, 2);
  EXPECT_EQ((*second)->observed.size(), 4u) << "failures tell, too";
  ASSERT_TRUE(models_.Examine(study, {}, 1).ok());
  EXPECT_EQ(counts_.examined, 2);
}

TEST_F(ResultModelsTest, PassesErrorsOnAndRemembersNone) {
  const StudyBuilder study = InsightsStudy(2);
  counts_.is_broken = true;
  EXPECT_TRUE(absl::IsInternal(models_.Examine(study.Build(), {}).status()));
  counts_.is_broken = false;
  EXPECT_EQ(Observed(study), 2);
}

TEST_F(ResultModelsTest, AJobWithoutParametersHasNoModel) {
  const StudyBuilder study(PlainSpec());
  const auto answer = models_.Examine(study.Build(), {});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer)->insights.reason, "it tunes no parameters");
  EXPECT_EQ(counts_.made, 0);
}

TEST_F(ResultModelsTest, NumbersTrialsAsTheStudyDoes) {
  StudyBuilder study(TuningSpec(50, 1));
  study.Failed(TrialEndCause::kInfrastructure).Active().Completed(0.25);
  const auto answer = models_.Examine(study.Build(), {});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer)->observed, std::vector<TrialId>{TrialId{3}});
}

TEST_F(ResultModelsTest, ManyWhoAskAtOnceWaitForOneComputation) {
  const StudyBuilder study = InsightsStudy(5);
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] { Observed(study); });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(counts_.examined, 1);
  EXPECT_FALSE(counts_.overlapped);
}

// The default: the model of the default algorithm.
TEST(InsightsOfAModelTest, ComeFromTheResults) {
  StudyBuilder study(TuningSpec(50, 1));
  for (int i = 0; i < 20; ++i) {
    const double x = i / 20.0;
    study.Completed((x - 0.3) * (x - 0.3)).With([x](TrialRecord* trial) {
      trial->parameters = {{"x", x}};
    });
  }
  ResultModels models;
  const auto answer = models.Examine(study.Build(), {});
  ASSERT_TRUE(answer.ok()) << answer.status();
  const Insights& insights = (*answer)->insights;
  EXPECT_EQ(insights.reason, "");
  ASSERT_EQ(insights.best.size(), 1u);
  EXPECT_NEAR(std::get<double>(insights.best[0].value), 0.3, 0.03);
}

}  // namespace
}  // namespace vernier
