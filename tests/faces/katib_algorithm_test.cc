#include "faces/katib/katib_algorithm.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/faces/katib_experiment.h"

namespace vernier {
namespace {

const std::vector<katib::ParameterSpec> kTwoNumbers = {
    KatibNumber("x", katib::INT, "1", "5"),
    KatibNumber("y", katib::INT, "9", "10")};

std::string Fault(const katib::Experiment& experiment) {
  const absl::Status status = CheckKatibExperiment(experiment);
  if (status.ok()) return "";
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

// The message about one setting.
std::string SettingFault(const std::string& algorithm, const std::string& name,
                         const std::string& value) {
  return Fault(KatibExperiment(algorithm, kTwoNumbers, {{name, value}}));
}

TEST(KatibAlgorithmTest, KatibsNamesMeanOurAlgorithms) {
  const auto algorithm = [](const std::string& name) {
    return ReadKatibSearch(KatibExperiment(name, {}))->algorithm;
  };
  for (const char* name : {"vernier", "bayesianoptimization", "tpe",
                           "multivariate-tpe", "cmaes"}) {
    EXPECT_EQ(algorithm(name), Algorithm::kDefault) << name;
  }
  EXPECT_EQ(algorithm("random"), Algorithm::kRandomSearch);
  EXPECT_EQ(algorithm("grid"), Algorithm::kGridSearch);
  EXPECT_EQ(algorithm("sobol"), Algorithm::kQuasiRandomSearch);
}

TEST(KatibAlgorithmTest, UnknownNamesAreRefusedInKatibsWords) {
  EXPECT_EQ(Fault(KatibExperiment("hyperband", kTwoNumbers)),
            "unknown algorithm name hyperband");
  EXPECT_EQ(SettingFault("random", "unknown_conf", "1111"),
            "unknown setting unknown_conf for algorithm random");
  EXPECT_EQ(SettingFault("tpe", "n_ei_candidate", "-1"),
            "unknown setting n_ei_candidate for algorithm tpe");
}

TEST(KatibAlgorithmTest, SettingsAreCheckedInKatibsWords) {
  EXPECT_EQ(SettingFault("tpe", "gamma", "1.5"),
            "gamma should be in the range of (0, 1)");
  EXPECT_EQ(SettingFault("tpe", "gamma", "nan"),
            "gamma should be in the range of (0, 1)");
  EXPECT_EQ(SettingFault("tpe", "n_EI_candidates", "0"),
            "n_EI_candidates should be great than zero");
  EXPECT_EQ(SettingFault("tpe", "prior_weight", "0"),
            "prior_weight should be great than zero");
  EXPECT_EQ(SettingFault("multivariate-tpe", "n_startup_trials", "-1"),
            "n_startup_trials should be greate or equal than zero");
  EXPECT_EQ(SettingFault("bayesianoptimization", "base_estimator", "XX"),
            "base_estimator XX is not supported in Bayesian optimization");
  EXPECT_EQ(SettingFault("cmaes", "restart_strategy", "bipop"),
            "restart_strategy bipop is not supported in CMAES optimization");
  EXPECT_EQ(SettingFault("cmaes", "sigma", "-1"),
            "sigma should be greate or equal than zero");
  EXPECT_EQ(SettingFault("random", "random_state", "-1"),
            "random_state should be great or equal than zero");
  EXPECT_EQ(SettingFault("random", "random_state", "ten"),
            "failed to validate random_state(ten): invalid literal for int() "
            "with base 10: 'ten'");
  EXPECT_EQ(SettingFault("cmaes", "sigma", "wide"),
            "failed to validate sigma(wide): could not convert string to "
            "float: 'wide'");
}

TEST(KatibAlgorithmTest, RightSettingsAreAccepted) {
  EXPECT_EQ(SettingFault("tpe", "gamma", "0.25"), "");
  EXPECT_EQ(SettingFault("tpe", "n_EI_candidates", "24"), "");
  EXPECT_EQ(SettingFault("tpe", "n_ei_candidates", "0"), "");
  EXPECT_EQ(SettingFault("cmaes", "restart_strategy", "ipop"), "");
  EXPECT_EQ(SettingFault("sobol", "random_state", "7"), "");
  EXPECT_EQ(SettingFault("bayesianoptimization", "acq_func", "gp_hedge"), "");
  EXPECT_EQ(Fault(KatibExperiment("tpe", {})), "");
}

TEST(KatibAlgorithmTest, CmaEsNeedsTwoNumbers) {
  EXPECT_EQ(Fault(KatibExperiment("cmaes", {kTwoNumbers[0]})),
            "cmaes only supports two or more dimensional continuous search "
            "space.");
}

TEST(KatibAlgorithmTest, AGridNeedsStepsAndEnoughConfigurations) {
  katib::Experiment experiment = KatibExperiment("grid", kTwoNumbers);
  experiment.mutable_spec()->set_max_trial_count(10);
  EXPECT_EQ(Fault(experiment), "");
  experiment.mutable_spec()->set_max_trial_count(11);
  EXPECT_EQ(Fault(experiment),
            "Max Trial Count: 11 > all possible search combinations: 10");
  EXPECT_EQ(Fault(KatibExperiment("grid",
                                  {KatibNumber("x", katib::DOUBLE, "1", "5")})),
            "failed to validate parameters(x): Param x step is nil; For "
            "discrete search space, all parameters must include step");
  EXPECT_EQ(Fault(KatibExperiment(
                "grid", {KatibNumber("x", katib::DOUBLE, "1", "5", "1")})),
            "");
}

TEST(KatibAlgorithmTest, ASpaceThatCannotBeSearchedIsRefusedBeforeItBegins) {
  EXPECT_EQ(Fault(KatibExperiment("random",
                                  {KatibNumber("x", katib::INT, "5", "1")})),
            "parameter x: min must be <= max: 5 > 1");
}

TEST(KatibAlgorithmTest, TheSeedIsTheExperimentsOrFollowsFromItsName) {
  katib::Experiment experiment = KatibExperiment("random", kTwoNumbers);
  const std::uint64_t first = ReadKatibSearch(experiment)->seed;
  EXPECT_EQ(ReadKatibSearch(experiment)->seed, first);
  experiment.set_name("other");
  EXPECT_NE(ReadKatibSearch(experiment)->seed, first);
  EXPECT_EQ(ReadKatibSearch(KatibExperiment("random", kTwoNumbers,
                                            {{"random_state", "71"}}))
                ->seed,
            71u);
}

TEST(KatibAlgorithmTest, LongNamesAreShortenedInMessages) {
  const std::string fault =
      Fault(KatibExperiment(std::string(100'000, 'x'), kTwoNumbers));
  EXPECT_LT(fault.size(), 300u);
}

}  // namespace
}  // namespace vernier
