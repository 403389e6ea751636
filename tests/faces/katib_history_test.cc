#include "faces/katib/katib_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/faces/katib_experiment.h"

namespace vernier {
namespace {

using Status = katib::TrialStatus;
using testing::ElementsAre;
using testing::IsEmpty;

/// An experiment with one parameter, x from 1 to 9.
class KatibHistoryTest : public testing::Test {
 protected:
  KatibHistoryTest() {
    *request_.mutable_experiment() =
        KatibExperiment("tpe", {KatibNumber("x", katib::INT, "1", "9")});
    request_.set_current_request_number(1);
  }

  // Adds a trial at x, which ended at this second.
  katib::Trial& Add(int x, Status::TrialConditionType condition,
                    const std::string& loss = "", int ended = 0) {
    katib::Trial& trial = *request_.add_trials();
    trial = KatibTrial("t" + std::to_string(request_.trials_size()), condition,
                       {{"x", std::to_string(x)}}, loss);
    if (ended > 0) {
      trial.mutable_status()->set_completion_time("2026-01-01T00:00:0" +
                                                  std::to_string(ended) + "Z");
    }
    return trial;
  }

  StudyView View() {
    const auto space = KatibSpace::Read(
        request_.experiment().spec().parameter_specs().parameters());
    auto view = ViewOfKatib(request_, *space, 7);
    EXPECT_TRUE(view.ok()) << view.status();
    return *std::move(view);
  }

  static std::int64_t X(const Parameters& parameters) {
    return std::get<std::int64_t>(parameters.at(0).value);
  }
  static std::vector<std::int64_t> Xs(const std::vector<Parameters>& list) {
    std::vector<std::int64_t> xs;
    for (const Parameters& each : list) xs.push_back(X(each));
    return xs;
  }
  static std::vector<std::int64_t> Completed(const StudyView& view) {
    std::vector<std::int64_t> xs;
    for (const Observation& each : view.completed) {
      xs.push_back(X(each.parameters));
    }
    return xs;
  }

  katib::GetSuggestionsRequest request_;
};

TEST_F(KatibHistoryTest, EachConditionTeachesWhatItShould) {
  Add(1, Status::SUCCEEDED, "0.5", 1);
  Add(2, Status::EARLYSTOPPED, "0.7", 2);
  Add(3, Status::FAILED, "", 3);
  Add(4, Status::SUCCEEDED, "nan", 4);
  Add(5, Status::KILLED);
  Add(6, Status::METRICSUNAVAILABLE);
  Add(7, Status::SUCCEEDED, "unavailable");
  Add(8, Status::CREATED);
  Add(9, Status::RUNNING, "0.1");
  const StudyView view = View();
  ASSERT_THAT(Completed(view), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(view.completed[0].objective, 0.5);
  EXPECT_FALSE(view.completed[0].is_stopped_early);
  EXPECT_EQ(view.completed[1].objective, 0.7);
  EXPECT_TRUE(view.completed[1].is_stopped_early);
  EXPECT_EQ(view.completed[2].objective, std::nullopt);
  EXPECT_EQ(view.completed[3].objective, std::nullopt);
  EXPECT_THAT(Xs(view.given_up), testing::UnorderedElementsAre(5, 6, 7));
  EXPECT_THAT(Xs(view.pending), testing::UnorderedElementsAre(8, 9));
  EXPECT_EQ(view.goal, Goal::kMinimize);
  EXPECT_EQ(view.seed, 7u);
}

TEST_F(KatibHistoryTest, TrialsAreInTheOrderOfTheirEnds) {
  Add(1, Status::SUCCEEDED, "1", 3);
  Add(2, Status::SUCCEEDED, "1", 1);
  Add(3, Status::SUCCEEDED, "1", 2);
  EXPECT_THAT(Completed(View()), ElementsAre(2, 3, 1));
  request_.mutable_trials()->SwapElements(0, 2);
  EXPECT_THAT(Completed(View()), ElementsAre(2, 3, 1));
}

TEST_F(KatibHistoryTest, ANameCountsOnce) {
  Add(1, Status::SUCCEEDED, "1", 2).set_name("same");
  Add(2, Status::SUCCEEDED, "1", 1).set_name("same");
  EXPECT_THAT(Completed(View()), ElementsAre(2));
}

TEST_F(KatibHistoryTest, TheMetricIsTheTrialsOrTheExperiments) {
  katib::Trial& own = Add(1, Status::SUCCEEDED, "1", 1);
  own.mutable_spec()->mutable_objective()->set_objective_metric_name("other");
  Add(2, Status::SUCCEEDED, "3", 2)
      .mutable_spec()
      ->mutable_objective()
      ->clear_objective_metric_name();
  const StudyView view = View();
  ASSERT_THAT(Completed(view), ElementsAre(2));
  EXPECT_EQ(view.completed[0].objective, 3);
  EXPECT_THAT(Xs(view.given_up), ElementsAre(1));
}

TEST_F(KatibHistoryTest, TrialsOfAnotherSpaceAreLeftOutButCounted) {
  Add(12, Status::SUCCEEDED, "1");
  const StudyView view = View();
  EXPECT_THAT(view.completed, IsEmpty());
  EXPECT_EQ(view.trials_created, 1);
}

TEST_F(KatibHistoryTest, PointsThatTheControllerDoesNotShowAreCounted) {
  Add(1, Status::SUCCEEDED, "1");
  request_.set_total_request_number(6);
  EXPECT_EQ(View().trials_created, 5);
  request_.set_total_request_number(0);
  EXPECT_EQ(View().trials_created, 1);
}

}  // namespace
}  // namespace vernier
