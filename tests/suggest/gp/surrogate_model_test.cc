#include "suggest/gp/surrogate_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/calls/call_meter.h"
#include "base/rng.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/algorithms/instruction_set.h"
#include "suggest/algorithms/random_search_suggester.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

double Bowl(const Parameters& parameters) {
  double sum = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    sum -= std::pow(NumberOf(parameters, i) - 0.3, 2);
  }
  return sum + 0.1 * std::sin(20 * NumberOf(parameters, 0));
}

StudyView RandomStudy(int n, int d = 3) {
  StudyView view;
  view.space = UnitCubeSpace(d);
  view.seed = 11;
  return RunStudy(RandomSearchSuggester(), view, n, Bowl);
}

StudyView FirstOf(const StudyView& view, int n) {
  StudyView first = view;
  first.completed.resize(static_cast<std::size_t>(n));
  first.trials_created = n;
  return first;
}

Posterior PosteriorOf(SurrogateCache& history, const StudyView& view) {
  const SearchSpaceEncoding encoding(view.space);
  const auto model = history.Get(view, encoding);
  EXPECT_TRUE(model.ok()) << model.status();
  Eigen::MatrixXd queries(3, encoding.num_columns());
  queries.row(0).setConstant(0.1);
  queries.row(1).setConstant(0.45);
  queries.row(2).setConstant(0.9);
  return (*model)->gp.Predict(queries, false);
}

// A model that grew with its study, one that was made at once, and one that
// saw another history before are the same to the last bit.
void ExpectRemembersNothingThatMatters(const StudyView& study) {
  StudyView other = RandomStudy(40, 3);
  other.completed[3].objective = 17;
  SurrogateCache grown;
  for (int n = 190; n <= 230; ++n) {
    const StudyView view = FirstOf(study, n);
    const Posterior expected = PosteriorOf(grown, view);
    if (n % 10 != 0 && n != 203 && n != 205) continue;
    SurrogateCache fresh;
    SurrogateCache misled;
    PosteriorOf(misled, other);
    for (SurrogateCache* history : {&fresh, &misled}) {
      const Posterior posterior = PosteriorOf(*history, view);
      EXPECT_EQ(posterior.mean, expected.mean) << n;
      EXPECT_EQ(posterior.variance, expected.variance) << n;
    }
  }
}

TEST(SurrogateCacheTest, RemembersNothingThatMatters) {
  ExpectRemembersNothingThatMatters(RandomStudy(230));
}

// The variance of a row is scaled by the slope of the warp, which every result
// changes.
TEST(SurrogateCacheTest, RemembersNothingThatMattersAboutReportedVariances) {
  StudyView study = RandomStudy(230);
  for (std::size_t i = 0; i < study.completed.size(); ++i) {
    if (i % 3 == 0) study.completed[i].variance = 1e-3;
  }
  ExpectRemembersNothingThatMatters(study);
}

TEST(SurrogateCacheTest, TheOrderOfWhatCameAfterTheFitDoesNotMatter) {
  const StudyView study = RandomStudy(203);
  ASSERT_EQ(LastFit(203), 200);
  SurrogateCache history;
  const Posterior grown = PosteriorOf(history, study);
  StudyView shuffled = study;
  // GCC 12 finds a swap of these uninitialised, wrongly.
  shuffled.completed[200] = study.completed[202];
  shuffled.completed[202] = study.completed[200];
  const Posterior other = PosteriorOf(history, shuffled);
  EXPECT_LT((grown.mean - other.mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((grown.variance - other.variance).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(SurrogateCacheTest, ARepetitionIsMergedNotAppended) {
  StudyView study = RandomStudy(203);
  study.completed[202].parameters = study.completed[10].parameters;
  SurrogateCache history;
  const SearchSpaceEncoding encoding(study.space);
  const auto model = history.Get(study, encoding);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ((*model)->gp.num_data(), 202);
  EXPECT_EQ((*model)->data.regression.noise_scale[10], 0.5);
}

// What was cut short is not the best, and not as bad as its last value says.
TEST(SurrogateCacheTest, AStoppedTrainingIsImputed) {
  StudyView study = RandomStudy(30, 2);
  Observation& stopped = study.completed[7];
  stopped.parameters = {{"x0", 0.31}, {"x1", 0.29}};  // A good place.
  stopped.objective = -50;                            // An early value.
  stopped.is_stopped_early = true;
  SurrogateCache history;
  const SearchSpaceEncoding encoding(study.space);
  const auto model = history.Get(study, encoding);
  ASSERT_TRUE(model.ok());
  const TrainingData& data = (*model)->data;
  ASSERT_EQ(data.censored, (std::vector<Eigen::Index>{7}));
  EXPECT_LE(data.regression.targets[7], data.warp.targets.maxCoeff());
  EXPECT_GT(data.regression.targets[7], data.warp.targets.mean());
  EXPECT_GT(data.regression.known_noise[7], 0);
}

TEST(SurrogateCacheTest, IfNearlyAllWereStoppedTheirValuesCount) {
  StudyView study = RandomStudy(12, 2);
  for (std::size_t i = 2; i < 12; ++i) {
    study.completed[i].is_stopped_early = true;
  }
  const SearchSpaceEncoding encoding(study.space);
  const TrainingData data = MakeTrainingData(study, encoding, 12);
  EXPECT_TRUE(data.censored.empty());
  EXPECT_EQ(data.warp.targets.size(), 12);
}

// Estimates that are far off do not make the model believe in a short length
// scale or in noise: its hyperparameters are those of the measured values.
TEST(SurrogateCacheTest, EstimatesDoNotChangeTheHyperparameters) {
  const StudyView measured = RandomStudy(15, 2);
  StudyView study = measured;
  std::mt19937_64 rng = MakeRng(5, 5);
  for (int i = 0; i < 10; ++i) {
    Observation observation;
    observation.parameters = {{"x0", UniformDouble(rng)},
                              {"x1", UniformDouble(rng)}};
    observation.objective = -1;
    observation.is_stopped_early = true;
    observation.estimate = FinalEstimate{-1 + Normal(rng), 1e-4, {}};
    study.completed.push_back(observation);
  }
  const SearchSpaceEncoding encoding(study.space);
  const TrainingData all = MakeTrainingData(study, encoding, 25);
  EXPECT_EQ(all.estimated.size(), 10u);
  SurrogateCache history;
  const auto model = history.Get(study, encoding);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ((*model)->gp.num_data(), 25);
  EXPECT_GT((*model)->gp.inverse_length_scales().minCoeff(), 0);
  EXPECT_LT((*model)->gp.inverse_length_scales().maxCoeff(), 8);
}

TEST(SurrogateCacheTest, AReportedVarianceTakesThePlaceOfTheFittedOne) {
  StudyView study = RandomStudy(40, 2);
  for (Observation& observation : study.completed) observation.variance = 1e-8;
  // One result is known to be worthless.
  study.completed[5].parameters = {{"x0", 0.9}, {"x1", 0.9}};
  study.completed[5].objective = 10;
  study.completed[5].variance = 1e4;
  const SearchSpaceEncoding encoding(study.space);
  SurrogateCache history;
  const auto model = history.Get(study, encoding);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ((*model)->data.regression.noise_scale.maxCoeff(), 0);
  const Posterior there = (*model)->gp.Predict(
      encoding.Encode(study.completed[5].parameters), false);
  EXPECT_LT(there.mean[0], (*model)->data.regression.targets[5] - 0.3);
}

TEST(RecommendTest, DistrustsALuckyResult) {
  StudyView study = RandomStudy(60, 1);
  std::mt19937_64 rng = MakeRng(4, 4);
  for (Observation& observation : study.completed) {
    const double x = std::get<double>(observation.parameters[0].value);
    observation.objective = -std::pow(x - 0.5, 2) + 0.02 * Normal(rng);
  }
  study.completed[20].parameters = {{"x0", 0.95}};
  study.completed[20].objective = 0.05;
  const GaussianProcessSuggester suggester;
  const auto recommended = suggester.Recommend(study);
  ASSERT_TRUE(recommended.ok() && recommended->has_value());
  EXPECT_EQ(BestObserved(study)->completed, 20u);
  EXPECT_NE((*recommended)->completed, 20u);
  const auto& chosen = study.completed[(*recommended)->completed];
  EXPECT_NEAR(std::get<double>(chosen.parameters[0].value), 0.5, 0.2);
  const Prediction prediction = *(*recommended)->prediction;
  EXPECT_LE(prediction.low, prediction.mean);
  EXPECT_LE(prediction.mean, prediction.high);
  EXPECT_NEAR(prediction.mean, 0, 0.05);
}

TEST(RecommendTest, PredictsInTheUsersSignAndUnits) {
  StudyView study = RandomStudy(40, 2);
  study.goal = Goal::kMinimize;
  for (Observation& observation : study.completed) {
    observation.objective = 1000 - 500 * *observation.objective;
  }
  const auto recommended = GaussianProcessSuggester().Recommend(study);
  ASSERT_TRUE(recommended.ok() && recommended->has_value());
  const double value = *study.completed[(*recommended)->completed].objective;
  EXPECT_NEAR((*recommended)->prediction->mean, value, 30);
  EXPECT_LE((*recommended)->prediction->low, (*recommended)->prediction->mean);
}

// The two copies of the engine round differently, but compute the same.
TEST(InstructionSetTest, BothEnginesAgree) {
  const auto baseline = MakeSuggester(Algorithm::kDefault, kBaseline);
  const auto fast = MakeSuggester(Algorithm::kDefault, kX8664V3);
  ASSERT_NE(baseline, nullptr);
  EXPECT_EQ(MakeSuggester(Algorithm::kDefault, "avx1024"), nullptr);
  if (fast == nullptr) GTEST_SKIP() << "this processor or build has no AVX2";
  const StudyView study = RandomStudy(40);
  const auto a = baseline->Suggest(study, 1);
  const auto b = fast->Suggest(study, 1);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->front().record.instruction_set, kBaseline);
  EXPECT_EQ(b->front().record.instruction_set, kX8664V3);
  const auto mean = [&](const Suggester& suggester) {
    return (*suggester.Recommend(study))->prediction->mean;
  };
  EXPECT_NEAR(mean(*baseline), mean(*fast), 1e-5);
}

// A call whose client leaves once it was asked so many times.
class LeavingClient : public CallMeter {
 public:
  explicit LeavingClient(int asked) : left_(asked) {}
  absl::Status Use(const CallCost& /*cost*/) override {
    return left_-- > 0 ? absl::OkStatus() : absl::CancelledError("it has left");
  }
  int asked_since() const { return -left_; }

 private:
  int left_;
};

TEST(SurrogateCacheTest, AFitEndsWithItsCallAndTheNextOneIsAsIfItHadNotBeen) {
  const StudyView study = RandomStudy(60);
  const SearchSpaceEncoding encoding(study.space);
  SurrogateCache undisturbed;
  const Posterior expected = PosteriorOf(undisturbed, study);
  for (const int asked : {0, 1, 70}) {
    SurrogateCache interrupted;
    LeavingClient client(asked);
    {
      const CallMeterScope scope(&client);
      const auto model = interrupted.Get(study, encoding);
      EXPECT_EQ(model.status(), absl::CancelledError("it has left"));
    }
    EXPECT_EQ(client.asked_since(), 1) << "it went on after " << asked;
    const Posterior after = PosteriorOf(interrupted, study);
    EXPECT_EQ(after.mean, expected.mean);
    EXPECT_EQ(after.variance, expected.variance);
  }
}

}  // namespace
}  // namespace vernier
