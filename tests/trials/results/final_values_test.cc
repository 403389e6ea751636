#include "trials/results/final_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "tests/trials/study_builder.h"
#include "trials/engine/study_view.h"
#include "trials/results/pareto_front.h"

namespace vernier {
namespace {

using testing::ElementsAre;

// A loss to be small and a speed to be great, with memory up to 8.
StudySpec FrontSpec() {
  StudySpec spec = StudySpecOfStored(TuningSpec(20, 9));
  spec.metrics.push_back({"speed", Goal::kMaximize, 0.5});
  spec.constraints = {{"memory", std::nullopt, 8}};
  return spec;
}

StudyBuilder& Add(StudyBuilder& study, double loss,
                  std::vector<MetricValue> others) {
  return study.Completed(loss).With([&](TrialRecord* trial) {
    trial->final_report.emplace();
    trial->final_report->metrics = std::move(others);
  });
}

class FinalValuesTest : public testing::Test {
 protected:
  FinalValuesTest() : study_(TuningSpec(20, 9)) {
    study_.record().spec = std::make_shared<const StudySpec>(FrontSpec());
  }
  const TrialRecord& Last() const {
    const StudySnapshot& study = study_.Build();
    return study.trials.Get(
        TrialId{static_cast<std::int64_t>(study.trials.size())});
  }

  StudyBuilder study_;
};

TEST_F(FinalValuesTest, AreTheObjectivesAndTheReports) {
  Add(study_, 0.5, {{"speed", 3}, {"memory", 7.5}, {"other", 1}});
  const StudySpec spec = FrontSpec();
  EXPECT_EQ(FinalValueOf(spec, Last(), "loss"), 0.5);
  EXPECT_EQ(FinalValueOf(spec, Last(), "speed"), 3);
  EXPECT_EQ(FinalValueOf(spec, Last(), "other"), 1);
  EXPECT_EQ(FinalValueOf(spec, Last(), "nothing"), std::nullopt);
  EXPECT_THAT(*MeritsOf(spec, Last()), ElementsAre(-0.5, 3));
  EXPECT_THAT(SlacksOf(spec, Last()), ElementsAre(0.5));
  EXPECT_TRUE(MeetsConstraints(spec, Last()));
}

TEST_F(FinalValuesTest, WhatIsNotFiniteOrNotThereIsNotKnown) {
  Add(study_, 0.5, {{"speed", NAN}});
  const StudySpec spec = FrontSpec();
  EXPECT_EQ(FinalValueOf(spec, Last(), "speed"), std::nullopt);
  EXPECT_EQ(MeritsOf(spec, Last()), std::nullopt);
  EXPECT_THAT(SlacksOf(spec, Last()), ElementsAre(std::nullopt));
  EXPECT_FALSE(MeetsConstraints(spec, Last()));
}

TEST_F(FinalValuesTest, BrokenConstraintsAreNamed) {
  const auto broken = [&](std::vector<MetricValue> others) {
    Add(study_, 0.5, std::move(others));
    StudySpec spec = FrontSpec();
    spec.constraints.push_back({"speed", 1, 4});
    return BrokenConstraints(spec, Last());
  };
  EXPECT_THAT(broken({{"speed", 4}, {"memory", 8}}), ElementsAre());
  EXPECT_THAT(broken({{"speed", 3}, {"memory", 8.5}}),
              ElementsAre("memory <= 8"));
  EXPECT_THAT(broken({{"speed", 0}}),
              ElementsAre("memory <= 8 (no value)", "speed >= 1 and <= 4"));
}

TEST_F(FinalValuesTest, AFrontMeetsTheConstraints) {
  Add(study_, 0.5, {{"speed", 3}, {"memory", 8}});
  Add(study_, 0.1, {{"speed", 9}, {"memory", 8.5}});  // It is not allowed.
  Add(study_, 0.6, {{"speed", 2}, {"memory", 1}});    // The first beats it.
  Add(study_, 0.7, {{"speed", 4}, {"memory", 1}});
  Add(study_, 0.2, {{"memory", 1}});  // Its speed is not known.
  study_.Failed().Active();
  EXPECT_THAT(OptimalTrials(study_.Build()),
              ElementsAre(TrialId{1}, TrialId{4}));
}

TEST_F(FinalValuesTest, TheEngineSeesThemAll) {
  Add(study_, 0.5, {{"speed", 3}, {"memory", 9}});
  Add(study_, 0.2, {{"memory", 1}});
  study_.Failed();
  const StudyView view = MakeStudyView(study_.Build(), nullptr);
  ASSERT_EQ(view.metrics.size(), 2u);
  EXPECT_EQ(view.metrics[0].goal, Goal::kMinimize);
  EXPECT_EQ(view.metrics[0].reference, std::nullopt);
  EXPECT_EQ(view.metrics[1].goal, Goal::kMaximize);
  EXPECT_EQ(view.metrics[1].reference, 0.5);
  EXPECT_EQ(view.num_constraints, 1u);
  ASSERT_EQ(view.completed.size(), 3u);
  EXPECT_THAT(view.completed[0].values, ElementsAre(0.5, 3.0));
  EXPECT_THAT(view.completed[0].slacks, ElementsAre(-1.0));
  EXPECT_THAT(view.completed[1].values, ElementsAre(0.2, std::nullopt));
  EXPECT_TRUE(view.completed[2].values.empty());
}

TEST_F(FinalValuesTest, TheEngineSeesTwoBoundsOnOneMetric) {
  StudySpec spec = FrontSpec();
  spec.constraints = {{"speed", 1, 4}, {"memory", std::nullopt, 8}};
  study_.record().spec = std::make_shared<const StudySpec>(spec);
  Add(study_, 0.5, {{"speed", 3}, {"memory", 9}});
  Add(study_, 0.5, {{"memory", 9}});
  EXPECT_THAT(SlacksOf(spec, Last()), ElementsAre(std::nullopt, -1.0));
  const StudyView view = MakeStudyView(study_.Build(), nullptr);
  EXPECT_EQ(view.num_constraints, 3u);
  ASSERT_EQ(view.bands.size(), 1u);
  EXPECT_EQ(view.bands[0].first, 0u);
  EXPECT_EQ(view.bands[0].width, 3);
  EXPECT_THAT(view.completed[0].slacks, ElementsAre(2.0, 1.0, -1.0));
  EXPECT_THAT(view.completed[1].slacks,
              ElementsAre(std::nullopt, std::nullopt, -1.0));
}

TEST_F(FinalValuesTest, AStudyOfOneMetricHasNone) {
  study_.record().spec =
      std::make_shared<const StudySpec>(StudySpecOfStored(TuningSpec(20, 9)));
  study_.Completed(0.5);
  const StudyView view = MakeStudyView(study_.Build(), nullptr);
  EXPECT_TRUE(view.metrics.empty());
  EXPECT_TRUE(view.completed[0].values.empty());
}

}  // namespace
}  // namespace vernier
