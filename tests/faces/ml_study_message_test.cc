#include "faces/ml/ml_study_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "study/parameter_value.h"
#include "trials/client_data.h"

namespace vernier {
namespace {

ml::StudyConfig Config() {
  ml::StudyConfig config;
  auto* metric = config.add_metrics();
  metric->set_metric("loss");
  metric->set_goal(ml::StudyConfig::MetricSpec::MINIMIZE);
  auto* parameter = config.add_parameters();
  parameter->set_parameter("x");
  parameter->set_type(ml::ParameterSpec::DOUBLE);
  parameter->mutable_double_value_spec()->set_max_value(1);
  return config;
}

StudySpec Read(const ml::StudyConfig& config) {
  const auto spec = FromMl(config);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.value_or(StudySpec{});
}

TEST(MlStudyMessageTest, EachStoppingConfigHasItsRule) {
  ml::StudyConfig config = Config();
  EXPECT_EQ(Read(config).stopping_rule, StoppingRule::kNone);
  config.mutable_automated_stopping_config()
      ->mutable_median_automated_stopping_config();
  EXPECT_EQ(Read(config).stopping_rule, StoppingRule::kMedian);
  config.mutable_automated_stopping_config()
      ->mutable_decay_curve_stopping_config();
  EXPECT_EQ(Read(config).stopping_rule, StoppingRule::kDecayCurve);
}

TEST(MlStudyMessageTest, OurOwnSectionHasAnyRuleAndItsOptions) {
  ml::StudyConfig config = Config();
  config.mutable_automated_stopping_config()
      ->mutable_median_automated_stopping_config();
  auto* own = config.mutable_vernier();
  own->set_algorithm("QUASI_RANDOM_SEARCH");
  own->set_per_cost(true);
  own->mutable_early_stopping()->set_min_steps(2);
  EXPECT_EQ(Read(config).stopping_rule, StoppingRule::kAuto);
  own->mutable_early_stopping()->set_rule("HYPERBAND");
  own->mutable_early_stopping()->set_max_steps(81);
  own->mutable_early_stopping()->set_reduction_factor(4);
  own->mutable_early_stopping()->set_brackets(3);
  own->mutable_early_stopping()->set_min_win_probability(0.1);
  const StudySpec spec = Read(config);
  EXPECT_EQ(spec.stopping_rule, StoppingRule::kHyperband);
  EXPECT_EQ(spec.stopping_options, (EarlyStoppingOptions{2, 81, 4, 3, 0.1}));
  EXPECT_EQ(spec.algorithm, Algorithm::kQuasiRandomSearch);
  EXPECT_TRUE(spec.is_per_cost);
}

TEST(MlStudyMessageTest, OurOwnSectionHasRepeats) {
  ml::StudyConfig config = Config();
  while (config.metrics_size() > 1) config.mutable_metrics()->RemoveLast();
  config.mutable_vernier()->mutable_repeats()->set_number_value(3);
  EXPECT_EQ(Read(config).repeats, (Repeats{RepeatPolicy::kFixed, 3}));
  config.mutable_vernier()->mutable_repeats()->set_string_value("auto");
  EXPECT_EQ(Read(config).repeats.policy, RepeatPolicy::kAuto);
  config.mutable_vernier()->mutable_repeats()->set_number_value(2.5);
  EXPECT_THAT(std::string(FromMl(config).status().message()),
              testing::HasSubstr("studyConfig.vernier.repeats must be a whole "
                                 "number from 2 to 100, or AUTO"));
}

TEST(MlStudyMessageTest, OurOwnSectionHasPriorStudies) {
  ml::StudyConfig config = Config();
  while (config.metrics_size() > 1) config.mutable_metrics()->RemoveLast();
  config.mutable_vernier()->add_prior_studies("old");
  const std::string name = config.parameters(0).parameter();
  (*config.mutable_vernier()->mutable_prior_rename())["rate"] = name;
  const StudySpec spec = Read(config);
  EXPECT_EQ(spec.prior_studies,
            (PriorStudySettings{{"old"}, {{"rate", name}}}));
  (*config.mutable_vernier()->mutable_prior_rename())["rate"] = "none";
  EXPECT_THAT(std::string(FromMl(config).status().message()),
              testing::HasSubstr("priorRename gives \"rate\" the name"));
}

TEST(MlStudyMessageTest, OurOwnSectionHasBeliefs) {
  ml::StudyConfig config = Config();
  const ParameterSpec parameter = Read(config).parameters[0];
  const double near = parameter.max_value;
  auto& belief = (*config.mutable_vernier()->mutable_beliefs())[parameter.name];
  belief.mutable_near()->set_number_value(near);
  belief.mutable_within()->set_string_value("2x");
  EXPECT_EQ(
      Read(config).beliefs,
      (std::vector<Belief>{{parameter.name, near, BeliefWidth{2, true}}}));
  belief.mutable_near()->set_number_value(near + 1);
  EXPECT_THAT(std::string(FromMl(config).status().message()),
              testing::HasSubstr("studyConfig.vernier.beliefs." +
                                 parameter.name + ".near: must be a number"));
}

TEST(MlStudyMessageTest, OurOwnSectionHasDefaults) {
  ml::StudyConfig config = Config();
  auto* second = config.add_parameters();
  *second = config.parameters(0);
  second->set_parameter("y");
  const ParameterSpec parameter = Read(config).parameters[0];
  auto& defaults = *config.mutable_vernier()->mutable_defaults();
  defaults[parameter.name].set_number_value(parameter.max_value);
  const StudySpec spec = Read(config);
  EXPECT_EQ(spec.parameters[0].default_value,
            ValueOf(parameter, parameter.max_value));
  EXPECT_EQ(spec.parameters[1].default_value, std::nullopt);
  defaults[parameter.name].set_number_value(parameter.max_value + 1);
  EXPECT_THAT(std::string(FromMl(config).status().message()),
              testing::HasSubstr("vernier.defaults has \"" + parameter.name +
                                 "\", which must be "));
  defaults.clear();
  defaults["none"].set_string_value("a");
  EXPECT_THAT(std::string(FromMl(config).status().message()),
              testing::HasSubstr("\"none\", which is no parameter"));
}

TEST(MlStudyMessageTest, OurOwnSectionHasConstraintsBetweenParameters) {
  ml::StudyConfig config = Config();
  const std::string name = config.parameters(0).parameter();
  const std::string number =
      std::to_string(Read(config).parameters[0].max_value);
  config.mutable_vernier()->add_parameter_constraints("\"" + name + "\" < " +
                                                      number);
  EXPECT_EQ(Read(config).parameter_constraints.size(), 1u);
  config.mutable_vernier()->add_parameter_constraints("nobody <= 1");
  EXPECT_THAT(std::string(FromMl(config).status().message()),
              ::testing::HasSubstr("no parameter is called \"nobody\""));
}

TEST(MlStudyMessageTest, NamesWhatIsWrongWithOurOwnSection) {
  ml::StudyConfig config = Config();
  config.mutable_vernier()->mutable_early_stopping()->set_rule("ASAH");
  EXPECT_EQ(FromMl(config).status().message(),
            "studyConfig.vernier.earlyStopping.rule must be one of AUTO, "
            "MEDIAN, DECAY_CURVE, ASHA, HYPERBAND, NONE: \"ASAH\"");
  config.mutable_vernier()->mutable_early_stopping()->set_rule("ASHA");
  config.mutable_vernier()->mutable_early_stopping()->set_reduction_factor(1);
  EXPECT_EQ(FromMl(config).status().message(),
            "reductionFactor must be > 1 and <= 100: 1");
  config = Config();
  config.mutable_vernier()->set_client_data(std::string((256 << 10) + 1, 'x'));
  EXPECT_EQ(FromMl(config).status().message(),
            "studyConfig.vernier.clientData must have at most 262144 bytes: it "
            "has 262145");
  config.mutable_vernier()->clear_client_data();
  config.mutable_vernier()->set_algorithm("MAGIC");
  EXPECT_EQ(FromMl(config).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(MlStudyMessageTest, AStudyOfAnotherFaceHasAnEquivalentConfig) {
  for (const StoppingRule rule :
       {StoppingRule::kNone, StoppingRule::kMedian, StoppingRule::kDecayCurve,
        StoppingRule::kAsha, StoppingRule::kHyperband, StoppingRule::kAuto}) {
    StudySnapshot study;
    StudySpec spec = Read(Config());
    spec.stopping_rule = rule;
    study.spec = std::make_shared<const StudySpec>(spec);
    EXPECT_EQ(Read(ToMl(ClientStudyOf(study)).study_config()).stopping_rule,
              rule);
  }
}

TEST(MlStudyMessageTest, AnEditedStudyHasItsPresentSpace) {
  ml::StudyConfig config = Config();
  config.mutable_vernier()->set_client_data("old");
  config.mutable_vernier()->set_per_cost(true);
  StudySnapshot study;
  StudySpec spec = Read(config);
  const auto before = std::make_shared<const StudySpec>(spec);
  spec.parameters[0].max_value = 0.5;
  study.spec = std::make_shared<const StudySpec>(spec);
  ClientRunOf(study).original = std::make_shared<const OriginalSpec>(
      OriginalSpec{kMlConfigFormat, config.SerializeAsString()});
  ClientRunOf(study).edits.push_back(
      std::make_shared<const SpecEdit>(SpecEdit{2, before, "", "new", {}}));
  const ml::StudyConfig printed = ToMl(ClientStudyOf(study)).study_config();
  EXPECT_EQ(printed.parameters(0).double_value_spec().max_value(), 0.5);
  EXPECT_EQ(printed.vernier().client_data(), "new");
  EXPECT_TRUE(printed.vernier().per_cost()) << "the rest is as it was";
}

TEST(MlStudyMessageTest, AStudyOfAnotherApiHasTheChoicesOfItsMetadata) {
  StudySnapshot study;
  const auto spec = std::make_shared<const StudySpec>(Read(Config()));
  study.spec = spec;
  study.metadata = std::make_shared<const Metadata>(
      Metadata{{{kChoicesNamespace, "flag"}, {true, "[true,false]"}}});
  const auto data = [&] {
    return ToMl(ClientStudyOf(study)).study_config().vernier().client_data();
  };
  EXPECT_EQ(data(), R"({"choices":{"flag":[true,false]}})");
  ClientRunOf(study).edits.push_back(
      std::make_shared<const SpecEdit>(SpecEdit{2, spec, "", "newer", {}}));
  EXPECT_EQ(data(), "newer");
}

}  // namespace
}  // namespace vernier
