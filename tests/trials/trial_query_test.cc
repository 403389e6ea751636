#include "trials/trial_query.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/fakes/row_meter.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

/// Trial: 1 completed 0.5, x 0.2, sgd; 2 failed, x 0.4, adam; 3 active, last
/// value 0.1, x 0.1, adam; 4 completed 0.25, x 0.3, sgd; 5 requested, x 0.9,
/// adam.
StudySnapshot FiveTrials() {
  JobSpec spec = TuningSpec(10, 2);
  ParameterSpec optimizer;
  optimizer.name = "optimizer";
  optimizer.type = ParameterType::kCategorical;
  optimizer.categorical_values = {"sgd", "adam"};
  spec.training_input.hyperparameters->params.push_back(optimizer);
  StudyBuilder builder(spec);
  const auto set = [](double x, const char* name) {
    return [x, name](TrialRecord* trial) {
      trial->parameters = {{"x", x}, {"optimizer", std::string(name)}};
    };
  };
  builder.Completed(0.5).With(set(0.2, "sgd"));
  builder.Failed().With(set(0.4, "adam"));
  builder.Active().With(set(0.1, "adam")).With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{12, 0.1};
  });
  builder.Completed(0.25).With(set(0.3, "sgd"));
  builder.Requested().With(set(0.9, "adam"));
  return builder.Build();
}

std::string Select(const std::string& filter, const std::string& sort = "",
                   int limit = 0) {
  const auto selected = SelectTrials(FiveTrials(), {filter, sort, limit});
  if (!selected.ok()) return std::string(selected.status().message());
  std::string text;
  for (TrialId id : *selected) text += std::to_string(ToInt(id));
  return text;
}

TEST(TrialQueryTest, FiltersByStateValueAndParameter) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "12345"},
      {"state=completed", "14"},
      {"state=COMPLETED", "14"},
      {"state!=completed", "235"},
      {"objective<0.3", "34"},
      {"objective:*", "134"},
      {"step>=12", "3"},
      {"cause=user_error", "2"},
      {"cause:*", "124"},
      {"x<0.3", "13"},
      {"x<3e-1 AND optimizer=sgd", "1"},
      {"optimizer:ad", "235"},
      {"parameters.x>=0.4", "25"},
      {"trial>=3 AND trial<5", "34"},
      {"state=failed OR state=active", "23"},
      // A number's text is looked at only where the operand is one.
      {"x:0.2", "1"},
      {"x:*", "12345"},
      {"x<0.25 AND x:.1", "3"},
      {"objective:0.2*", "4"},
      {"trial:4", "4"},
      {"optimizer>b", "14"},
  };
  for (const auto& [filter, expected] : cases) {
    EXPECT_EQ(Select(filter), expected) << filter;
  }
}

// Beyond 2^53 several whole numbers have one double.
// As texts these would select all trials, or none, without a word.
TEST(TrialQueryTest, RefusesWhatAKeyCannotBe) {
  for (const char* key : {"x", "parameters.x", "objective", "step", "trial"}) {
    const std::string filter = std::string(key) + "<abc";
    EXPECT_EQ(Select(filter), "filter: " + std::string(key) +
                                  " is compared with \"abc\", which is no "
                                  "number");
  }
  EXPECT_EQ(Select("x==0.2"),
            "filter: x is compared with \"=0.2\", which is no number; what is "
            "equal is written with one =");
  EXPECT_EQ(Select("optimizer=adm"),
            "filter: unknown optimizer \"adm\"; did you mean adam?; known are "
            "sgd, adam");
  EXPECT_EQ(Select("optimizer=ADAM").substr(0, 32),
            "filter: unknown optimizer \"ADAM\"");
  EXPECT_EQ(Select("optimizer:zz").substr(0, 30),
            "filter: unknown optimizer \"zz\"");
}

TEST(TrialQueryTest, TrueAndFalseAreFoundInEitherSpelling) {
  for (const bool is_capital : {true, false}) {
    JobSpec spec = TuningSpec(10, 2);
    ParameterSpec flag;
    flag.name = "flag";
    flag.type = ParameterType::kCategorical;
    flag.categorical_values = is_capital
                                  ? std::vector<std::string>{"True", "False"}
                                  : std::vector<std::string>{"true", "false"};
    spec.training_input.hyperparameters->params = {flag};
    StudyBuilder builder(spec);
    for (const std::string& value : flag.categorical_values) {
      builder.Completed(0.5).With([&](TrialRecord* trial) {
        trial->parameters = {{"flag", value}};
      });
    }
    for (const char* filter : {"flag=true", "flag=True", "flag!=false"}) {
      EXPECT_EQ(SelectTrials(builder.Build(), {filter, "", 0}).value(),
                std::vector<TrialId>{TrialId{1}})
          << filter;
    }
  }
}

TEST(TrialQueryTest, WholeNumbersCompareExactly) {
  StudyBuilder builder(TuningSpec(10, 2));
  const double near = 9007199254740992.0;  // 2^53.
  for (const double x : {near, near + 2, near - 1}) {
    builder.Completed(0.5).With([x](TrialRecord* trial) {
      trial->parameters = {{"x", x}};
      trial->final_measurement->step = 9007199254740993;
    });
  }
  builder.Completed(0.5).With([](TrialRecord* trial) {
    trial->parameters = {{"x", std::int64_t{9007199254740993}}};
    trial->final_measurement->step = 9007199254740992;
  });
  const StudySnapshot study = builder.Build();
  const std::pair<TrialQuery, const char*> cases[] = {
      {{"x=9007199254740993", "", 0}, "4"},
      {{"x=9007199254740992", "", 0}, "1"},
      {{"x!=9007199254740993", "", 0}, "123"},
      {{"x>9007199254740992", "", 0}, "24"},
      {{"x<=9007199254740992.0", "", 0}, "13"},
      {{"step=9007199254740992", "", 0}, "4"},
      {{"step=9007199254740993", "", 0}, "123"},
      {{"", "x", 0}, "3142"},
      {{"", "-x", 0}, "2413"},
      {{"", "step", 0}, "4123"},
  };
  for (const auto& [query, expected] : cases) {
    const auto selected = SelectTrials(study, query);
    ASSERT_TRUE(selected.ok()) << selected.status();
    std::string text;
    for (TrialId id : *selected) text += std::to_string(ToInt(id));
    EXPECT_EQ(text, expected) << query.filter << query.sort;
  }
}

TEST(TrialQueryTest, SortsWithMissingValuesLastAndTiesByNumber) {
  const std::pair<const char*, const char*> cases[] = {
      {"trial", "12345"},      {"-trial", "54321"}, {"objective", "34125"},
      {"-objective", "14325"}, {"x", "31425"},      {"-x", "52413"},
      {"optimizer", "23514"},  {"-state", "52143"}, {"best", "41235"},
  };
  for (const auto& [sort, expected] : cases) {
    EXPECT_EQ(Select("", sort), expected) << sort;
  }
}

// As BestFirst: what was stopped keeps its value, but is never the best.
TEST(TrialQueryTest, TheBestAreComplete) {
  StudyBuilder builder(TuningSpec(10, 2));
  const auto stop = [](TrialRecord* trial) {
    trial->state = TrialState::kStopped;
    trial->end_cause = TrialEndCause::kStoppedByUser;
  };
  builder.Completed(0.1).With(stop).Completed(0.5).Completed(0.25);
  builder.Failed().Completed(0.01).With(stop);
  std::string text;
  const auto found = SelectTrials(builder.Build(), {"", "best", 0});
  for (const TrialId id : found.value()) text += std::to_string(ToInt(id));
  EXPECT_EQ(text, "32514");
  const auto by_user =
      SelectTrials(builder.Build(), {"cause=stopped_by_user", "", 0});
  EXPECT_EQ(by_user.value().size(), 2u);
}

// Tables call it paused; the API has no such state.
TEST(TrialQueryTest, APausedTrialIsFoundByBothOfItsStates) {
  StudyBuilder builder(TuningSpec(10, 2));
  builder.Active().Active(AttemptState::kKilled).With([](TrialRecord* trial) {
    trial->attempts.back().end_cause = TrialEndCause::kStoppedEarly;
  });
  const auto select = [&](const char* filter) {
    std::string text;
    const auto selected = SelectTrials(builder.Build(), {filter, "", 0});
    EXPECT_TRUE(selected.ok()) << selected.status();
    for (TrialId id : *selected) text += std::to_string(ToInt(id));
    return text;
  };
  EXPECT_EQ(select("state=paused"), "2");
  EXPECT_EQ(select("state=PAUSED OR trial=1"), "12");
  EXPECT_EQ(select("state=active"), "12");
  EXPECT_EQ(select("state=active AND state!=paused"), "1");
  EXPECT_EQ(select("NOT state=paused"), "1");
}

// What a filter looks at counts, whatever it selects.
TEST(TrialQueryTest, EndsWithTheRowsThatACallMayRead) {
  StudyBuilder builder(TuningSpec(10'000, 2));
  for (int i = 0; i < 5000; ++i) builder.Completed(0.5);
  const StudySnapshot study = builder.Build();
  RowMeter meter(4999);
  const CallMeterScope scope(&meter);
  for (const char* sort : {"", "best"}) {
    EXPECT_EQ(SelectTrials(study, {"x<0", sort, 1}).status().code(),
              absl::StatusCode::kResourceExhausted);
  }
}

TEST(TrialQueryTest, SelectsTheSameInParts) {
  StudyBuilder builder(TuningSpec(10'000, 2));
  for (int i = 0; i < 9000; ++i) builder.Completed(i % 7);
  const auto study = std::make_shared<const StudySnapshot>(builder.Build());
  for (const TrialQuery& query :
       {TrialQuery{"", "", 0}, TrialQuery{"objective<2", "-objective", 100},
        TrialQuery{"objective=3", "", 5000}, TrialQuery{"x<0", "", 0}}) {
    auto selection = TrialSelection::Begin(study, query);
    ASSERT_TRUE(selection.ok()) << selection.status();
    std::vector<TrialId> ids;
    int parts = 0;
    for (; !selection->is_done(); ++parts) {
      const std::vector<TrialId> found = selection->Next();
      ids.insert(ids.end(), found.begin(), found.end());
    }
    EXPECT_GE(parts, 3) << "no part looks at all";
    EXPECT_EQ(ids, SelectTrials(*study, query).value());
  }
}

TEST(TrialQueryTest, LimitsAfterSorting) {
  EXPECT_EQ(Select("state=completed", "-trial", 1), "4");
  EXPECT_EQ(Select("", "", 2), "12");
}

TEST(TrialQueryTest, FirstOfASortAreThoseOfTheWholeSort) {
  for (const char* sort : {"trial", "-trial", "objective", "-objective", "x",
                           "-x", "optimizer", "-state", "best"}) {
    const std::string all = Select("", sort);
    for (int limit = 1; limit <= 5; ++limit) {
      EXPECT_EQ(Select("", sort, limit),
                all.substr(0, static_cast<std::size_t>(limit)))
          << sort;
    }
  }
}

TEST(TrialQueryTest, AParameterCountsWhereItIsActive) {
  JobSpec spec = TuningSpec(10, 2);
  std::vector<ParameterSpec>& params =
      spec.training_input.hyperparameters->params;
  params[0].name = "kind";
  params[0].type = ParameterType::kCategorical;
  params[0].categorical_values = {"a", "b"};
  ParameterSpec rate;
  rate.name = "best";  // As the sort, which it is no key of.
  rate.max_value = 1;
  rate.condition = ParameterCondition{0, {std::string("a")}};
  params.push_back(rate);
  StudyBuilder builder(spec);
  const auto add = [&](double value, const char* kind) {
    builder.Completed(value).With([&](TrialRecord* trial) {
      trial->parameters = {{"kind", std::string(kind)}, {"best", value}};
    });
  };
  add(0.5, "a");
  add(0.2, "b");  // Its `best` does not belong there.
  add(0.3, "a");
  const auto select = [&](const char* filter, const char* sort) {
    std::string text;
    const auto selected = SelectTrials(builder.Build(), {filter, sort, 0});
    for (TrialId id : *selected) text += std::to_string(ToInt(id));
    return text;
  };
  EXPECT_EQ(select("best<1", ""), "13");
  EXPECT_EQ(select("best:0.3", ""), "3");
  EXPECT_EQ(select("", "parameters.best"), "312");
  EXPECT_EQ(select("", "best"), "231");
}

TEST(TrialQueryTest, ErrorsListTheKeysThereAre) {
  EXPECT_EQ(Select("lr<1"),
            "filter: unknown key \"lr\"; known are state, trial, objective, "
            "step, cause, x, optimizer");
  EXPECT_EQ(Select("", "lr"),
            "sort: unknown key \"lr\"; known are state, trial, objective, "
            "step, cause, x, optimizer, best");
  EXPECT_EQ(Select("", "", -1), "limit must be >= 0: -1");
}

TEST(TrialQueryTest, ErrorsListTheStatesAndCausesThereAre) {
  EXPECT_EQ(
      Select("state=complete"),
      "filter: unknown state \"complete\"; did you mean completed?; known "
      "are requested, active, stopping, completed, stopped, infeasible, "
      "failed, paused");
  EXPECT_EQ(Select("cause=user"),
            "filter: unknown cause \"user\"; did you mean user_error?; known "
            "are success, no_metric, not_finite, infeasible, out_of_memory, "
            "user_error, infrastructure, time_limit, cancelled, stopped_early, "
            "launch_failed, stopped_by_user");
  // What a part or a prefix fits is known.
  EXPECT_EQ(Select("state:complete"), Select("state=COMPLETED"));
  EXPECT_EQ(Select("state:COMP*"), Select("state=completed"));
}

}  // namespace
}  // namespace vernier
