// The keys of `trials list --filter` and `--sort` that not every study has.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/trials/study_builder.h"
#include "trials/trial_keys.h"
#include "trials/trial_query.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Selected(const StudySnapshot& study, const std::string& filter,
                     const std::string& sort = "") {
  const auto selected = SelectTrials(study, {filter, sort, 0});
  if (!selected.ok()) return std::string(selected.status().message());
  std::string text;
  for (TrialId id : *selected) text += std::to_string(ToInt(id));
  return text;
}

ParameterSpec OneOf(const std::string& name,
                    std::vector<std::string> categories) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = ParameterType::kCategorical;
  spec.categorical_values = std::move(categories);
  return spec;
}

/// A job whose search was edited: `lr` and the value "False" of `flag` were
/// dropped. Trial: 1 with lr 0.02, False; 2 with lr 1, True; 3 with x, True.
StudySnapshot EditedStudy() {
  JobSpec before = TuningSpec(10, 2);
  ParameterSpec lr = before.training_input.hyperparameters->params[0];
  lr.name = "lr";
  auto& first = before.training_input.hyperparameters->params;
  first = {lr, OneOf("flag", {"True", "False"})};
  JobSpec after = TuningSpec(10, 2);
  after.training_input.hyperparameters->params.push_back(
      OneOf("flag", {"True"}));
  StudyBuilder builder(after);
  JobVersion version;
  version.spec = std::make_shared<const JobSpec>(before);
  builder.job().earlier_versions.push_back(
      std::make_shared<const JobVersion>(version));
  const auto add = [&](const char* name, double value, const char* flag) {
    builder.Completed(value).With([&](TrialRecord* trial) {
      trial->parameters = {{name, value}, {"flag", std::string(flag)}};
    });
  };
  add("lr", 0.02, "False");
  add("lr", 1, "True");
  add("x", 0.5, "True");
  return builder.Build();
}

TEST(TrialListKeysTest, WhatAnEditHasDroppedIsAKey) {
  const StudySnapshot study = EditedStudy();
  const std::pair<const char*, const char*> cases[] = {
      {"lr>0.03", "2"},    {"lr<0.03", "1"},
      {"lr:*", "12"},      {"parameters.lr=1", "2"},
      {"lr:0.02", "1"},    {"x:*", "3"},
      {"flag=false", "1"}, {"flag=False", "1"},
      {"flag!=true", "1"}, {"flag=true AND lr:*", "2"},
  };
  for (const auto& [filter, expected] : cases) {
    EXPECT_EQ(Selected(study, filter), expected) << filter;
  }
  EXPECT_EQ(Selected(study, "", "lr"), "123");
  EXPECT_EQ(Selected(study, "", "-lr"), "213");
  EXPECT_THAT(Selected(study, "lrr<1"),
              HasSubstr("unknown key \"lrr\"; did you mean lr?; known are "
                        "state, trial, objective, step, cause, x, flag, lr"));
  EXPECT_THAT(Selected(study, "flag=Fals"),
              HasSubstr("did you mean False?; known are True, False"));
  EXPECT_THAT(CategoriesOf(study, "flag"), ElementsAre("True", "False"));
  EXPECT_THAT(CategoriesOf(study, "lr"), IsEmpty());
}

TEST(TrialListKeysTest, WhatAnEditOfAClientStudyHasDroppedIsAKey) {
  StudyBuilder builder(TuningSpec(10, 2));
  StudyRecord& study = builder.record();
  StudySpec before = *study.spec;
  before.parameters[0].name = "lr";
  SpecEdit edit;
  edit.replaced = std::make_shared<const StudySpec>(before);
  study.run.emplace<ClientRun>().edits.push_back(
      std::make_shared<const SpecEdit>(edit));
  builder.Completed(0.5).With([](TrialRecord* trial) {
    trial->parameters = {{"lr", 0.25}};
  });
  builder.Completed(0.5);
  EXPECT_EQ(Selected(builder.Build(), "lr<1"), "1");
  EXPECT_THAT(NamesOfTrialKeys(study), ElementsAre("x", "lr"));
}

/// Loss, latency and memory (<= 60). Trial: 1 meets the constraint; 2 breaks
/// it; 3 runs, with a last latency; 4 failed.
StudySnapshot StudyOfSeveralMetrics() {
  JobSpec spec = TuningSpec(10, 2);
  spec.vernier.objectives = {{"loss", Goal::kMinimize},
                             {"latency", Goal::kMinimize}};
  spec.vernier.metric_constraints = {{"memory", std::nullopt, 60}};
  StudyBuilder builder(spec);
  const auto add = [&](double loss, double latency, double memory) {
    builder.Completed(loss).With([&](TrialRecord* trial) {
      trial->final_report = MetricReport{};
      trial->final_report->metrics = {
          {"loss", loss}, {"latency", latency}, {"memory", memory}};
    });
  };
  add(0.1, 7, 50);
  add(0.2, 3, 70);
  builder.Active().With([](TrialRecord* trial) {
    MetricSummary latency;
    latency.last = FinalMeasurement{2, 4};
    trial->others["latency"] = latency;
  });
  builder.Failed();
  return builder.Build();
}

TEST(TrialListKeysTest, AMetricIsTheStudysOrTheTrialsOwn) {
  const StudySnapshot study = StudyOfSeveralMetrics();
  TrialRecord trial = study.trials.Get(TrialId{1});
  trial.metrics_seen = {{"speed", MetricRoad::kReport}};
  for (const char* metric : {"loss", "latency", "memory", "speed"}) {
    EXPECT_TRUE(CheckHasMetric(study, trial, metric).ok()) << metric;
  }
  const absl::Status unknown = CheckHasMetric(study, trial, "memry");
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(unknown.message(),
            "trial 1 has no metric \"memry\", but \"loss\", \"latency\", "
            "\"memory\", \"speed\"; did you mean memory?");
}

TEST(TrialListKeysTest, EachMetricThatAStudyNeedsIsAKey) {
  const StudySnapshot study = StudyOfSeveralMetrics();
  const std::pair<const char*, const char*> cases[] = {
      {"latency<5", "23"},
      {"latency:*", "123"},
      {"metrics.latency>5", "1"},
      {"memory>60", "2"},
      {"loss<0.15", "1"},
      {"breaksConstraint=true", "2"},
      {"breaksConstraint=True", "2"},
      {"NOT breaksConstraint=true", "134"},
      {"breaksConstraint=false AND latency:*", "13"},
  };
  for (const auto& [filter, expected] : cases) {
    EXPECT_EQ(Selected(study, filter), expected) << filter;
  }
  EXPECT_EQ(Selected(study, "", "latency"), "2314");
  EXPECT_EQ(Selected(study, "", "-metrics.memory"), "2134");
  EXPECT_THAT(Selected(study, "latencey<5"),
              HasSubstr("did you mean latency?; known are state, trial, "
                        "objective, step, cause, breaksConstraint, x, loss, "
                        "latency, memory"));
  EXPECT_THAT(Selected(study, "latency<low"), HasSubstr("which is no number"));
  EXPECT_THAT(Selected(study, "breaksConstraint=yes"),
              HasSubstr("known are true, false"));
}

TEST(TrialListKeysTest, AParameterComesBeforeAMetricOfItsName) {
  JobSpec spec = TuningSpec(10, 2);
  spec.training_input.hyperparameters->params[0].name = "loss";
  StudyBuilder builder(spec);
  builder.Completed(0.1).With([](TrialRecord* trial) {
    trial->parameters = {{"loss", 0.9}};
  });
  EXPECT_EQ(Selected(builder.Build(), "loss>0.5"), "1");
  EXPECT_EQ(Selected(builder.Build(), "metrics.loss>0.5"), "");
}

}  // namespace
}  // namespace vernier
