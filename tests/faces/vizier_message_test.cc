#include "faces/messages/vizier_message.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "faces/vizier/vizier_handlers.h"

namespace vernier {
namespace {

using absl::StatusCode;
using google::protobuf::TextFormat;
using testing::HasSubstr;

vizier::StudySpec SpecOf(const std::string& text) {
  vizier::StudySpec spec;
  EXPECT_TRUE(TextFormat::ParseFromString(text, &spec));
  return spec;
}

// Every kind of parameter, each with a child of its own.
constexpr char kEverything[] = R"(
  algorithm: "RANDOM_SEARCH"
  observation_noise: HIGH
  default_stopping_spec {}
  metrics { metric_id: "acc" goal: MAXIMIZE }
  metrics { metric_id: "loss" goal: MINIMIZE }
  parameters {
    parameter_id: "layers"
    scale_type: UNIT_LINEAR_SCALE
    integer_value_spec { min_value: 1 max_value: 3 default_value { value: 2 } }
    conditional_parameter_specs {
      parent_int_values { values: 2 values: 3 }
      parameter_spec {
        parameter_id: "rate"
        scale_type: UNIT_LOG_SCALE
        double_value_spec {
          min_value: 0.001 max_value: 1 default_value { value: 0.1 }
        }
      }
    }
  }
  parameters {
    parameter_id: "kind"
    categorical_value_spec {
      values: "a" values: "b" default_value { value: "b" }
    }
    conditional_parameter_specs {
      parent_categorical_values { values: "b" }
      parameter_spec {
        parameter_id: "size"
        scale_type: UNIT_REVERSE_LOG_SCALE
        discrete_value_spec {
          values: 1 values: 2.5 default_value { value: 2.5 }
        }
        conditional_parameter_specs {
          parent_discrete_values { values: 2.5 }
          parameter_spec {
            parameter_id: "deep" double_value_spec { max_value: 1 }
          }
        }
      }
    }
  }
)";

TEST(VizierMessageTest, ASpecComesBackTheSame) {
  const vizier::StudySpec spec = SpecOf(kEverything);
  const auto study = FromVizier(spec);
  ASSERT_TRUE(study.ok()) << study.status();
  ASSERT_EQ(study->parameters.size(), 5u);
  EXPECT_EQ(study->parameters[1].condition->parent, 0u);
  EXPECT_EQ(study->parameters[4].condition->parent, 3u);
  EXPECT_EQ(study->parameters[4].condition->values,
            std::vector<ParameterValue>{2.5});
  EXPECT_EQ(study->metrics[1].goal, Goal::kMinimize);
  EXPECT_EQ(study->stopping_rule, StoppingRule::kAuto);
  EXPECT_EQ(study->noise, ObservationNoise::kHigh);
  EXPECT_EQ(ToVizier(*study).DebugString(), spec.DebugString());
}

// As every other face has it.
TEST(VizierMessageTest, AnIntegerReachesTo2ToThe53) {
  const auto read = FromVizier(
      SpecOf("metrics { metric_id: \"loss\" goal: MINIMIZE } parameters { "
             "parameter_id: \"x\" integer_value_spec { min_value: "
             "-9007199254740992 max_value: 9007199254740992 } }"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->parameters[0].max_value, 9007199254740992.0);
}

TEST(VizierMessageTest, NamesWhatIsWrongWithASpec) {
  const std::pair<const char*, const char*> wrong[] = {
      {"parameters { parameter_id: \"x\" }", "\"x\" has no values"},
      {"parameters { parameter_id: \"x\" integer_value_spec { max_value:"
       " 9007199254740993 } }",
       "within +-2^53"},
      {"parameters { parameter_id: \"x\" double_value_spec { max_value: 1 }"
       " scale_type: UNIT_LOG_SCALE }",
       "minimum > 0"},
      {"parameters { parameter_id: \"x\" double_value_spec { max_value: 1 }"
       " conditional_parameter_specs { parent_discrete_values { values: 1 }"
       " parameter_spec { parameter_id: \"y\" double_value_spec {} } } }",
       "which is DOUBLE"},
      {"parameters { parameter_id: \"x\" integer_value_spec { max_value: 1 }"
       " conditional_parameter_specs { parameter_spec { parameter_id: \"y\""
       " double_value_spec {} } } }",
       "values of its parent"},
      {"algorithm: \"NSGA2\"", "NSGA2 of OSS Vizier is not here"},
      {"algorithm: \"BEST\"", "unknown algorithm: \"BEST\""},
  };
  for (const auto& [text, part] : wrong) {
    vizier::StudySpec spec = SpecOf(text);
    spec.add_metrics()->set_metric_id("acc");
    const absl::Status status = FromVizier(spec).status();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), HasSubstr(part)) << text;
  }
}

TEST(VizierMessageTest, ADeepTreeIsRefused) {
  vizier::StudySpec spec = SpecOf("metrics { metric_id: \"acc\" }");
  auto* parameter = spec.add_parameters();
  for (int depth = 1; depth <= 20; ++depth) {
    parameter->set_parameter_id(std::string(1, static_cast<char>('a' + depth)));
    parameter->mutable_categorical_value_spec()->add_values("v");
    auto* child = parameter->add_conditional_parameter_specs();
    child->mutable_parent_categorical_values()->add_values("v");
    parameter = child->mutable_parameter_spec();
  }
  EXPECT_THAT(std::string(FromVizier(spec).status().message()),
              HasSubstr("nested deeper than"));
}

TEST(VizierMessageTest, AValueNeedsAKind) {
  vizier::Trial trial;
  auto* parameter = trial.add_parameters();
  parameter->set_parameter_id("x");
  EXPECT_EQ(FromVizier(trial).status().code(), StatusCode::kInvalidArgument);
  parameter->mutable_value()->set_bool_value(true);
  EXPECT_EQ(std::get<std::string>(FromVizier(trial)->parameters[0].value),
            "True");
}

TEST(VizierMessageTest, AMeasurementComesBackTheSame) {
  vizier::Measurement measurement;
  measurement.set_step_count(-2);
  measurement.mutable_elapsed_duration()->set_seconds(3);
  measurement.mutable_elapsed_duration()->set_nanos(500000000);
  auto* metric = measurement.add_metrics();
  metric->set_metric_id("acc");
  metric->set_value(0.1);
  const auto report = FromVizier(measurement);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->elapsed.count(), 3500000);
  EXPECT_EQ(ToVizier(*report).SerializeAsString(),
            measurement.SerializeAsString());
  measurement.mutable_elapsed_duration()->set_seconds(-1);
  EXPECT_EQ(FromVizier(measurement).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(VizierMessageTest, LongListsLoseMeasurementsButNotTheLast) {
  vizier::ListTrialsResponse response;
  for (int i = 0; i < 3; ++i) {
    vizier::Trial* trial = response.add_trials();
    for (int step = 1; step <= 100 * i; ++step) {
      trial->add_measurements()->set_step_count(step);
    }
  }
  const std::size_t before = response.ByteSizeLong();
  ThinMeasurements(before, response.mutable_trials(), response);
  EXPECT_EQ(response.ByteSizeLong(), before);
  ThinMeasurements(before / 4, response.mutable_trials(), response);
  EXPECT_LE(response.ByteSizeLong(), before / 4);
  EXPECT_EQ(response.trials(0).measurements_size(), 0);
  const auto& kept = response.trials(2).measurements();
  ASSERT_GT(kept.size(), 2);
  EXPECT_EQ(kept[kept.size() - 1].step_count(), 200);
  EXPECT_EQ(kept[1].step_count() - kept[0].step_count(),
            kept[2].step_count() - kept[1].step_count());
  ThinMeasurements(0, response.mutable_trials(), response);
  EXPECT_EQ(response.trials(2).measurements_size(), 1);
}

}  // namespace
}  // namespace vernier
