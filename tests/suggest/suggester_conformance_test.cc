// What every suggester promises, whatever its algorithm.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "study/algorithm_name.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/space_membership.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

using testing::HasSubstr;

StudyView ConformanceView(std::vector<ParameterSpec> space,
                          std::uint64_t seed = 1) {
  StudyView view;
  view.space = std::move(space);
  view.seed = seed;
  return view;
}

// All types, but finite, so that grid search takes part.
std::vector<ParameterSpec> FiniteMixedSpace() {
  return {IntegerParameter("n", 1, 64, ScaleType::kLog),
          DiscreteParameter("d", {0.1, 0.2, 0.5}), CategoricalParameter("c", 3),
          IntegerParameter("fixed", 4, 4)};
}

double Bumpy(const Parameters& parameters) {
  double sum = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    double x = 0;
    if (const auto* text = std::get_if<std::string>(&parameters[i].value)) {
      x = text->back();
    } else {
      x = NumberOf(parameters, i);
    }
    sum += std::sin(x + static_cast<double>(i));
  }
  return sum;
}

class SuggesterConformanceTest : public testing::TestWithParam<Algorithm> {
 protected:
  std::unique_ptr<Suggester> suggester_ = MakeSuggester(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Algorithms, SuggesterConformanceTest,
                         testing::Values(Algorithm::kDefault,
                                         Algorithm::kGridSearch,
                                         Algorithm::kShuffledGridSearch,
                                         Algorithm::kRandomSearch,
                                         Algorithm::kQuasiRandomSearch),
                         [](const auto& instance) {
                           switch (instance.param) {
                             case Algorithm::kDefault:
                               return "Default";
                             case Algorithm::kGridSearch:
                               return "Grid";
                             case Algorithm::kShuffledGridSearch:
                               return "ShuffledGrid";
                             case Algorithm::kRandomSearch:
                               return "Random";
                             case Algorithm::kQuasiRandomSearch:
                               return "QuasiRandom";
                           }
                           return "Unknown";
                         });

TEST_P(SuggesterConformanceTest, GivesTheSamePointsForTheSameView) {
  StudyView view = ConformanceView(FiniteMixedSpace(), 17);
  view = RunStudy(*suggester_, view, 14, Bumpy);
  ASSERT_EQ(view.completed.size(), 14u);
  view.pending = {PointsOf(suggester_->Suggest(view, 1))->front()};
  ++view.trials_created;
  const auto first = PointsOf(suggester_->Suggest(view, 3));
  const auto second = PointsOf(MakeSuggester(GetParam())->Suggest(view, 3));
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(*first, *second);
}

// From the empty study through the initial design into the model.
TEST_P(SuggesterConformanceTest, GroupingCallsChangesNothing) {
  for (const int num_completed : {0, 1, 5, 12, 16}) {
    StudyView view = ConformanceView(FiniteMixedSpace(), 5);
    view = RunStudy(*suggester_, view, num_completed, Bumpy);
    if (num_completed > 0) view.completed[0].objective.reset();
    const auto together = PointsOf(suggester_->Suggest(view, 4));
    ASSERT_TRUE(together.ok());
    for (std::size_t k = 0; k < 4; ++k) {
      const auto single = PointsOf(suggester_->Suggest(view, 1));
      ASSERT_TRUE(single.ok());
      EXPECT_EQ(single->front(), (*together)[k]) << num_completed << "+" << k;
      view.pending.push_back(single->front());
      ++view.trials_created;
    }
  }
}

// A user stopped it, so that nothing is known of its value.
TEST_P(SuggesterConformanceTest, WhatWasGivenUpIsNotSuggestedAgain) {
  StudyView view = ConformanceView(
      {IntegerParameter("n", 0, 4), CategoricalParameter("c", 2)});
  const auto given_up = PointsOf(suggester_->Suggest(view, 2));
  ASSERT_TRUE(given_up.ok());
  view.given_up = *given_up;
  view.trials_created = 2;
  view = RunStudy(*suggester_, view, 20, Bumpy);
  std::set<std::string> seen;
  for (const Parameters& parameters : view.given_up) {
    seen.insert(ParametersToJson(parameters));
  }
  for (const Observation& observation : view.completed) {
    EXPECT_TRUE(seen.insert(ParametersToJson(observation.parameters)).second)
        << ParametersToJson(observation.parameters);
  }
  EXPECT_EQ(seen.size(), 10u);
}

TEST_P(SuggesterConformanceTest, VisitsEachConfigurationOfATreeOnce) {
  StudyView view = ConformanceView(
      {CategoricalParameter("a", 3),
       Below(IntegerParameter("b", 1, 4), 0, {Text("c1")}),
       Below(CategoricalParameter("c", 2), 1, {std::int64_t{3}}),
       Below(DiscreteParameter("b", {1, 2}), 0, {Text("c2")})});
  view = RunStudy(*suggester_, view, 20, Bumpy);
  std::set<std::string> seen;
  for (const Observation& observation : view.completed) {
    ASSERT_TRUE(CheckFitsSpace(view.space, observation.parameters).ok());
    seen.insert(ParametersToJson(observation.parameters));
  }
  EXPECT_EQ(view.completed.size(), 8u);
  EXPECT_EQ(seen.size(), 8u);
}

TEST_P(SuggesterConformanceTest, SuggestsActiveParametersOnly) {
  StudyView view = ConformanceView(ConditionalSpace(/*finite=*/true), 3);
  view = RunStudy(*suggester_, view, 25, Bumpy);
  ASSERT_EQ(view.completed.size(), 25u);
  for (const Observation& observation : view.completed) {
    const absl::Status fits =
        CheckFitsSpace(view.space, observation.parameters);
    EXPECT_TRUE(fits.ok()) << fits;
  }
}

TEST_P(SuggesterConformanceTest, VisitsEachConfigurationOnceThenIsExhausted) {
  StudyView view = ConformanceView({IntegerParameter("n", 0, 4),
                                    CategoricalParameter("c", 3),
                                    CategoricalParameter("one", 1)});
  view = RunStudy(*suggester_, view, 13, Bumpy);
  const auto rest = PointsOf(suggester_->Suggest(view, 5));
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(rest->size(), 2u);
  for (const Parameters& point : *rest) Complete(&view, point, 0);
  std::set<std::string> seen;
  for (const Observation& observation : view.completed) {
    seen.insert(ParametersToJson(observation.parameters));
  }
  EXPECT_EQ(seen.size(), 15u);
  EXPECT_EQ(PointsOf(suggester_->Suggest(view, 1)).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_P(SuggesterConformanceTest, SuggestsTheOnlyPointOfAFixedSpaceOnce) {
  StudyView view = ConformanceView(
      {DoubleParameter("x", 2, 2), CategoricalParameter("c", 1)});
  const auto point = PointsOf(suggester_->Suggest(view, 3));
  ASSERT_TRUE(point.ok());
  EXPECT_EQ(point->size(), 1u);
  view.pending = *point;
  EXPECT_EQ(PointsOf(suggester_->Suggest(view, 1)).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_P(SuggesterConformanceTest, SkipsWhatAnEarlierStudyMeasured) {
  StudyView view = ConformanceView({IntegerParameter("n", 0, 5)});
  for (const std::int64_t n : {0, 1, 4}) {
    view.completed.push_back({{{"n", n}}, 1.0 * static_cast<double>(n)});
  }
  const auto points = PointsOf(suggester_->Suggest(view, 9));
  ASSERT_TRUE(points.ok());
  std::set<double> seen;
  for (const Parameters& point : *points) seen.insert(NumberOf(point, 0));
  EXPECT_EQ(seen, (std::set<double>{2, 3, 5}));
}

TEST_P(SuggesterConformanceTest, RefusesWhatDoesNotFit) {
  const std::vector<ParameterSpec> space = FiniteMixedSpace();
  const Parameters good = {{"n", std::int64_t{3}},
                           {"d", 0.2},
                           {"c", std::string("c1")},
                           {"fixed", std::int64_t{4}}};
  struct Case {
    std::size_t parameter;
    NamedValue value;
    const char* message;
  };
  const Case cases[] = {
      {0, {"n", std::int64_t{65}}, "\"n\" must be in [1, 64]: 65"},
      {0, {"n", 3.0}, "is INTEGER"},
      {0, {"m", std::int64_t{3}}, "must be \"n\""},
      {1, {"d", 0.3}, "one of its 3 discrete values: 0.3"},
      {1, {"d", std::nan("")}, "discrete values"},
      {2, {"c", std::string("c9")}, "categories: \"c9\""},
      {2, {"c", std::int64_t{1}}, "is CATEGORICAL"},
      {3, {"fixed", std::int64_t{5}}, "[4, 4]: 5"},
  };
  for (const Case& c : cases) {
    Parameters bad = good;
    bad[c.parameter] = c.value;
    StudyView view = ConformanceView(space);
    view.completed = {{good, 1.0}, {bad, 2.0}};
    absl::Status status = PointsOf(suggester_->Suggest(view, 1)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
    EXPECT_THAT(std::string(status.message()), HasSubstr("completed[1]"));
    view.completed.clear();
    view.pending = {bad};
    status = PointsOf(suggester_->Suggest(view, 1)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("pending[0]"));
  }
  StudyView view = ConformanceView(space);
  EXPECT_EQ(PointsOf(suggester_->Suggest(view, 0)).status().code(),
            absl::StatusCode::kInvalidArgument);
  view.completed = {{{good[0]}, 1.0}};
  EXPECT_EQ(PointsOf(suggester_->Suggest(view, 1)).status().code(),
            absl::StatusCode::kInvalidArgument);
  view.completed = {{good, std::numeric_limits<double>::infinity()}};
  EXPECT_EQ(PointsOf(suggester_->Suggest(view, 1)).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      PointsOf(suggester_->Suggest(ConformanceView({}), 1)).status().code(),
      absl::StatusCode::kInvalidArgument);
}

// Random spaces of up to five parameters of every type and scale.
rc::Gen<ParameterSpec> AnyParameter(bool finite) {
  return rc::gen::exec([finite] {
    const int type = *rc::gen::inRange(finite ? 1 : 0, 4);
    const auto scale = static_cast<ScaleType>(*rc::gen::inRange(0, 4));
    const double low = *rc::gen::inRange(1, 1000);
    const double width = *rc::gen::inRange(0, 40);
    switch (type) {
      case 0:
        return DoubleParameter("p", low * 1e-6, (low + width) * 1e-3, scale);
      case 1:
        return IntegerParameter("p", low, low + width, scale);
      case 2:
        return CategoricalParameter("p", *rc::gen::inRange(1, 30));
      default: {
        std::vector<double> values;
        double next = low;
        for (int i = 0; i < *rc::gen::inRange(1, 8); ++i) {
          values.push_back(next);
          next *= *rc::gen::inRange(2, 9);
        }
        if (values.empty()) values.push_back(low);
        return DiscreteParameter("p", values, scale);
      }
    }
  });
}

std::vector<ParameterSpec> AnySpace(bool finite) {
  std::vector<ParameterSpec> space;
  const int size = *rc::gen::inRange(1, 6);
  for (int i = 0; i < size; ++i) {
    space.push_back(*AnyParameter(finite));
    space.back().name += std::to_string(i);
  }
  return space;
}

TEST_P(SuggesterConformanceTest, SuggestionsFitAnySpaceAndDiffer) {
  const bool finite = IsGrid(GetParam());
  const bool model = GetParam() == Algorithm::kDefault;
  rc::detail::TestParams params;
  params.seed = 20240607;
  params.maxSuccess = model ? 20 : 100;
  const auto result = rc::detail::checkTestable(
      [&] {
        StudyView view =
            ConformanceView(AnySpace(finite), *rc::gen::arbitrary<uint64_t>());
        if (*rc::gen::arbitrary<bool>()) view.goal = Goal::kMinimize;
        const auto small = UntriedConfigurations::Create(view.space);
        std::set<std::string> seen;
        while (view.trials_created < 14) {
          const auto points = PointsOf(suggester_->Suggest(view, 2));
          if (!points.ok()) {
            RC_ASSERT(points.status().code() ==
                      absl::StatusCode::kResourceExhausted);
            RC_ASSERT(small.has_value());
            RC_ASSERT(static_cast<std::int64_t>(seen.size()) ==
                      small->space().size());
            break;
          }
          for (const Parameters& point : *points) {
            RC_ASSERT(CheckFitsSpace(view.space, point).ok());
            const bool is_new = seen.insert(ParametersToJson(point)).second;
            RC_ASSERT(is_new || !small.has_value());
            std::optional<double> objective = Bumpy(point);
            if (*rc::gen::inRange(0, 4) == 0) objective.reset();
            Complete(&view, point, objective);
          }
        }
      },
      rc::detail::TestMetadata{}, params);
  std::ostringstream report;
  rc::detail::printResultMessage(result, report);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << report.str();
}

}  // namespace
}  // namespace vernier
