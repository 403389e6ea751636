#include "faces/katib/katib_stopping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/faces/katib_experiment.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using Settings = std::vector<std::pair<std::string, std::string>>;

katib::EarlyStoppingSpec Spec(const std::string& algorithm,
                              const Settings& settings = {}) {
  katib::EarlyStoppingSpec spec;
  spec.set_algorithm_name(algorithm);
  for (const auto& [name, value] : settings) {
    katib::EarlyStoppingSetting* const setting = spec.add_algorithm_settings();
    setting->set_name(name);
    setting->set_value(value);
  }
  return spec;
}

std::string StoppingFault(const std::string& algorithm,
                          const Settings& settings) {
  const auto stopping = ReadKatibStopping(Spec(algorithm, settings));
  if (stopping.ok()) return "";
  EXPECT_EQ(stopping.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(stopping.status().message());
}

katib::ObservationLog Log(const std::vector<std::string>& values) {
  katib::ObservationLog log;
  for (const std::string& value : values) {
    log.add_metric_logs()->mutable_metric()->set_value(value);
  }
  return log;
}

TEST(KatibStoppingTest, SettingsHaveKatibsDefaults) {
  const auto stopping = ReadKatibStopping(Spec("medianstop"));
  ASSERT_TRUE(stopping.ok());
  EXPECT_EQ(stopping->min_trials_required, 3);
  EXPECT_EQ(stopping->start_step, 4);
  const auto given = ReadKatibStopping(
      Spec("medianstop", {{"min_trials_required", "2"}, {"start_step", "5"}}));
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->min_trials_required, 2);
  EXPECT_EQ(given->start_step, 5);
}

TEST(KatibStoppingTest, WrongSettingsAreRefusedInKatibsWords) {
  EXPECT_EQ(StoppingFault("unknown", {}), "unknown algorithm name unknown");
  EXPECT_EQ(StoppingFault("medianstop", {{"unknown_conf", "100"}}),
            "unknown setting unknown_conf for algorithm medianstop");
  EXPECT_EQ(StoppingFault("medianstop", {{"min_trials_required", "0"}}),
            "min_trials_required must be greater than zero (>0)");
  EXPECT_EQ(StoppingFault("medianstop", {{"start_step", "0"}}),
            "start_step must be greater or equal than one (>=1)");
  EXPECT_EQ(StoppingFault("medianstop", {{"start_step", "soon"}}),
            "failed to validate start_step(soon): invalid literal for int() "
            "with base 10: 'soon'");
}

TEST(KatibStoppingTest, OnlyTrialsThatHaveSucceededCountAndEachOnce) {
  using Status = katib::TrialStatus;
  katib::GetEarlyStoppingRulesRequest request;
  for (const auto& [name, condition] :
       std::vector<std::pair<std::string, Status::TrialConditionType>>{
           {"c", Status::SUCCEEDED},
           {"a", Status::SUCCEEDED},
           {"c", Status::SUCCEEDED},
           {"b", Status::EARLYSTOPPED},
           {"d", Status::RUNNING},
           {"e", Status::FAILED}}) {
    *request.add_trials() = KatibTrial(name, condition, {});
  }
  EXPECT_THAT(*SucceededTrials(request), ElementsAre("a", "c"));
  for (int i = 0; i <= 10'000; ++i) request.add_trials();
  EXPECT_EQ(SucceededTrials(request).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(KatibStoppingTest, AMeanIsOfTheFirstReportsThatAreNumbers) {
  EXPECT_EQ(MeanOfFirstReports(Log({"1", "2", "6", "100"}), 3), 3);
  EXPECT_EQ(MeanOfFirstReports(Log({"1", "2"}), 3), 1.5);
  EXPECT_EQ(MeanOfFirstReports(Log({"nan", "unavailable", "6", "100"}), 3), 6);
  EXPECT_EQ(MeanOfFirstReports(Log({"nan", "unavailable"}), 3), std::nullopt);
  EXPECT_EQ(MeanOfFirstReports(Log({}), 3), std::nullopt);
  EXPECT_EQ(MeanOfFirstReports(Log({"1e308", "1e308"}), 3), std::nullopt);
}

TEST(KatibStoppingTest, TheRuleIsTheMedianOnceThereAreEnoughTrials) {
  katib::ExperimentSpec spec = KatibExperiment("random", {}).spec();
  const auto rules = [&spec](const std::vector<double>& means) {
    katib::GetEarlyStoppingRulesReply reply;
    AddMedianRule(spec, {3, 4}, means, &reply);
    return reply.early_stopping_rules();
  };
  EXPECT_EQ(rules({1, 2}).size(), 0);
  ASSERT_EQ(rules({1, 1000, 2.5}).size(), 1);
  const katib::EarlyStoppingRule rule = rules({1, 1000, 2.5})[0];
  EXPECT_EQ(rule.name(), "loss");
  EXPECT_EQ(rule.value(), "2.5");
  EXPECT_EQ(rule.comparison(), katib::GREATER);
  EXPECT_EQ(rule.start_step(), 4);
  spec.mutable_objective()->set_type(katib::MAXIMIZE);
  EXPECT_EQ(rules({1, 1000, 2.5})[0].comparison(), katib::LESS);
}

}  // namespace
}  // namespace vernier
