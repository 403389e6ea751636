#include "suggest/algorithms/large_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "study/constraint_parser.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/algorithms/study_parts.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/space_membership.h"
#include "suggest/space/tried_points.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

double FirstSquares(const Parameters& parameters) {
  double sum = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto* x = std::get_if<double>(&parameters[i].value);
    if (x == nullptr) continue;
    sum += static_cast<double>(i + 1) * (*x - 0.3) * (*x - 0.3);
  }
  return sum;
}

// Returns a study of `count` random points of `space`, whose objective is to be
// minimized.
template <typename Objective>
StudyView RandomStudy(std::vector<ParameterSpec> space, std::size_t count,
                      const Objective& objective) {
  StudyView view;
  view.space = std::move(space);
  view.goal = Goal::kMinimize;
  view.seed = 7;
  const SearchSpaceEncoding encoding(view.space);
  std::mt19937_64 rng = MakeRng(11, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Parameters parameters =
        encoding.Decode(encoding.FromUnitCube(DrawUnitPoint(encoding, rng)));
    Complete(&view, parameters, objective(parameters));
  }
  return view;
}

std::vector<ParameterSpec> CubeOf(int dimensions) {
  std::vector<ParameterSpec> space;
  for (int i = 0; i < dimensions; ++i) {
    space.push_back(DoubleParameter(absl::StrCat("x", i), 0, 1));
  }
  return space;
}

double LeastObjective(const StudyView& view) {
  double best = *view.completed.front().objective;
  for (const Observation& result : view.completed) {
    if (result.objective.has_value()) best = std::min(best, *result.objective);
  }
  return best;
}

TEST(LargeStudyTest, RefinesFarBelowTheResolutionOfTheWholeSpace) {
  StudyView view = RandomStudy(CubeOf(4), kMostModelled + 1, FirstSquares);
  EXPECT_GT(LeastObjective(view), 1e-3);
  const GaussianProcessSuggester suggester;
  for (int i = 0; i < 150; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    ASSERT_TRUE(points.ok()) << points.status();
    Complete(&view, points->front(), FirstSquares(points->front()));
  }
  EXPECT_LT(LeastObjective(view), 1e-8);
}

// Near the best all results have the same number of layers, from which nothing
// follows about the others.
TEST(LargeStudyTest, RefinesBesideAParameterThatStays) {
  std::vector<ParameterSpec> space = CubeOf(3);
  space.push_back(IntegerParameter("layers", 1, 9));
  const auto objective = [](const Parameters& parameters) {
    return FirstSquares(parameters) + std::abs(NumberOf(parameters, 3) - 4);
  };
  StudyView view = RandomStudy(space, kMostModelled + 1, objective);
  const GaussianProcessSuggester suggester;
  for (int i = 0; i < 150; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    ASSERT_TRUE(points.ok()) << points.status();
    Complete(&view, points->front(), objective(points->front()));
  }
  EXPECT_LT(LeastObjective(view), 1e-7);
}

TEST(LargeStudyTest, LeavesABasinThatIsNotTheBest) {
  // The wide basin is at 0.75, and nobody has seen the deep one at 0.25.
  const auto objective = [](const Parameters& parameters) {
    double wide = 0;
    double deep = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double x = NumberOf(parameters, i);
      wide += (x - 0.75) * (x - 0.75);
      deep += (x - 0.25) * (x - 0.25);
    }
    return std::min(wide, 20 * deep - 1);
  };
  StudyView view = RandomStudy(CubeOf(3), kMostModelled + 1, objective);
  std::erase_if(view.completed, [](const Observation& result) {
    return *result.objective < 0;
  });
  while (view.completed.size() <= kMostModelled) {
    view.completed.push_back(view.completed.front());
  }
  const GaussianProcessSuggester suggester;
  for (int i = 0; i < 300 && LeastObjective(view) > -0.9; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    ASSERT_TRUE(points.ok()) << points.status();
    Complete(&view, points->front(), objective(points->front()));
  }
  EXPECT_LT(LeastObjective(view), -0.9);
}

// The best is in a corner, where nearly every part leads. A part of a hundred
// results is full of others near it after a while, and lacks most of those that
// were asked.
TEST(LargeStudyTest, AsksNoPointOfAnyResultAgain) {
  StudyView view = RandomStudy(CubeOf(2), kMostModelled + 1, [](const auto& p) {
    return NumberOf(p, 0) + NumberOf(p, 1);
  });
  std::set<std::string> points;
  for (const Observation& result : view.completed) {
    points.insert(ParametersToJson(result.parameters));
  }
  const GaussianProcessSuggester suggester;
  for (int i = 0; i < 60; ++i) {
    const auto next = PointsOf(suggester.Suggest(view, 1));
    ASSERT_TRUE(next.ok()) << next.status();
    EXPECT_TRUE(points.insert(ParametersToJson(next->front())).second)
        << ParametersToJson(next->front());
    Complete(&view, next->front(),
             NumberOf(next->front(), 0) + NumberOf(next->front(), 1));
  }
}

TEST(LargeStudyTest, DependsOnTheViewAlone) {
  StudyView view = RandomStudy(MixedSpace(), kMostModelled + 300, FirstSquares);
  view.pending = {view.completed[5].parameters};
  const GaussianProcessSuggester fresh;
  const GaussianProcessSuggester used;
  StudyView earlier = view;
  earlier.completed.resize(kMostModelled + 20);
  ASSERT_TRUE(used.Suggest(earlier, 1).ok());
  const auto together = PointsOf(fresh.Suggest(view, 6));
  ASSERT_TRUE(together.ok()) << together.status();
  ASSERT_EQ(together->size(), 6u);
  for (const Parameters& expected : *together) {
    const auto points = PointsOf(used.Suggest(view, 1));
    ASSERT_TRUE(points.ok()) << points.status();
    EXPECT_EQ(points->front(), expected);
    view.pending.push_back(points->front());
    ++view.trials_created;
  }
}

TEST(LargeStudyTest, AnEditedResultMakesAnotherFit) {
  StudyView view = RandomStudy(CubeOf(3), kMostModelled + 1, FirstSquares);
  const GaussianProcessSuggester used;
  ASSERT_TRUE(used.Suggest(view, 1).ok());
  for (Observation& result : view.completed) {
    result.objective = std::sin(9 * *result.objective);
  }
  EXPECT_EQ(PointsOf(used.Suggest(view, 1)).value(),
            PointsOf(GaussianProcessSuggester().Suggest(view, 1)).value());
}

TEST(LargeStudyTest, PointsFitEachKindOfSpace) {
  for (const auto& space : {MixedSpace(), ConditionalSpace()}) {
    StudyView view =
        RandomStudy(space, kMostModelled + 50,
                    [](const Parameters& parameters) -> std::optional<double> {
                      const double value = FirstSquares(parameters);
                      if (parameters.size() % 2 == 1 && value > 1)
                        return std::nullopt;
                      return value;
                    });
    const GaussianProcessSuggester suggester;
    for (int i = 0; i < 40; ++i) {
      const auto points = PointsOf(suggester.Suggest(view, 1));
      ASSERT_TRUE(points.ok()) << points.status();
      EXPECT_TRUE(CheckFitsSpace(view.space, points->front()).ok());
      Complete(&view, points->front(), FirstSquares(points->front()));
    }
  }
}

TEST(LargeStudyTest, MeetsConstraintsBetweenParameters) {
  StudyView view = RandomStudy(CubeOf(2), kMostModelled + 1, FirstSquares);
  auto constraint = ParseParameterConstraint("x0 + x1 >= 1.2", view.space);
  ASSERT_TRUE(constraint.ok()) << constraint.status();
  view.parameter_constraints = {*constraint};
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 40));
  ASSERT_TRUE(points.ok()) << points.status();
  for (const Parameters& point : *points) {
    EXPECT_GE(NumberOf(point, 0) + NumberOf(point, 1), 1.2);
  }
}

TEST(LargeStudyTest, EqualOrFailedResultsAreNoError) {
  for (const std::optional<double> value :
       {std::optional<double>(3), std::optional<double>()}) {
    const StudyView view = RandomStudy(
        CubeOf(2), kMostModelled + 1, [&](const Parameters&) { return value; });
    EXPECT_TRUE(GaussianProcessSuggester().Suggest(view, 21).ok());
  }
}

TEST(LargeStudyTest, ServesOnlyWhatItsHeaderSays) {
  const StudyView view =
      RandomStudy(CubeOf(2), kMostModelled + 1, FirstSquares);
  const auto is_served = [](const StudyView& study) {
    return MeritsForParts(study, SearchSpaceEncoding(study.space)).has_value();
  };
  EXPECT_TRUE(is_served(view));
  StudyView other = view;
  other.completed.pop_back();
  EXPECT_FALSE(is_served(other));
  other = view;
  other.completed[9].is_stopped_early = true;
  EXPECT_FALSE(is_served(other));
  other = view;
  other.metrics.resize(2);
  EXPECT_FALSE(is_served(other));
  other = view;
  other.repeats.policy = RepeatPolicy::kAuto;
  EXPECT_FALSE(is_served(other));
  other = view;
  other.cost_weight = 0.5;
  EXPECT_FALSE(is_served(other));
  other = RandomStudy({IntegerParameter("n", 1, 50)}, kMostModelled + 1,
                      FirstSquares);
  EXPECT_FALSE(is_served(other));
}

TEST(LargeStudyTest, NamesAResultOutsideOfTheSpace) {
  StudyView view = RandomStudy(CubeOf(2), kMostModelled + 1, FirstSquares);
  view.completed.back().parameters[1].value = 2.0;
  absl::Status status = GaussianProcessSuggester().Suggest(view, 1).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_NE(status.message().find("completed[2000]"), std::string::npos)
      << status;
  view.completed.pop_back();
  Complete(&view, view.completed.front().parameters, 1);
  view.pending = {{}};
  status = GaussianProcessSuggester().Suggest(view, 1).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
}

std::vector<double> LossesAsMerits(const StudyView& view) {
  std::vector<double> merits;
  for (const Observation& result : view.completed) {
    merits.push_back(-*result.objective);
  }
  return merits;
}

TEST(StudyPartsTest, NearResultsAreTheNearest) {
  const StudyView view = RandomStudy(CubeOf(2), 150, FirstSquares);
  const SearchSpaceEncoding encoding(view.space);
  const auto parts = StudyParts::Create(view, encoding, LossesAsMerits(view));
  ASSERT_TRUE(parts.ok()) << parts.status();
  const StudyView part = parts->Part(parts->Near(0, 100));
  EXPECT_EQ(LeastObjective(part), LeastObjective(view));
  const auto best =
      std::min_element(view.completed.begin(), view.completed.end(),
                       [](const Observation& a, const Observation& b) {
                         return *a.objective < *b.objective;
                       });
  const auto distance = [&](const Observation& result) {
    return (encoding.Encode(result.parameters) -
            encoding.Encode(best->parameters))
        .norm();
  };
  std::vector<double> all;
  for (const Observation& result : view.completed) {
    all.push_back(distance(result));
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(part.completed.size(), 100u);
  for (const Observation& result : part.completed) {
    EXPECT_LE(distance(result), all[99]);
  }
}

TEST(StudyPartsTest, ApartResultsKeepTheirDistance) {
  const StudyView view = RandomStudy(CubeOf(2), 150, FirstSquares);
  const SearchSpaceEncoding encoding(view.space);
  const auto parts = StudyParts::Create(view, encoding, LossesAsMerits(view));
  ASSERT_TRUE(parts.ok()) << parts.status();
  const StudyView part = parts->Part(parts->Apart(0.2, 100));
  EXPECT_EQ(LeastObjective(part), LeastObjective(view));
  ASSERT_GT(part.completed.size(), 5u);
  for (std::size_t i = 0; i < part.completed.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE((encoding.Encode(part.completed[i].parameters) -
                 encoding.Encode(part.completed[j].parameters))
                    .norm(),
                0.2);
    }
  }
}

TEST(StudyPartsTest, ThePartKeepsTheOrderAndThePendingTrials) {
  StudyView view = RandomStudy(CubeOf(2), 400, FirstSquares);
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    view.completed[i].trial = static_cast<std::int64_t>(i) + 1;
  }
  view.pending = {view.completed[3].parameters};
  view.given_up = {view.completed[4].parameters};
  const SearchSpaceEncoding encoding(view.space);
  const auto parts = StudyParts::Create(view, encoding, LossesAsMerits(view));
  ASSERT_TRUE(parts.ok()) << parts.status();
  const StudyView part = parts->Part(parts->Near(2, 100));
  EXPECT_EQ(part.pending, view.pending);
  EXPECT_EQ(part.given_up, view.given_up);
  EXPECT_EQ(part.trials_created, view.trials_created);
  EXPECT_TRUE(std::is_sorted(part.completed.begin(), part.completed.end(),
                             [](const Observation& a, const Observation& b) {
                               return a.trial < b.trial;
                             }));
}

}  // namespace
}  // namespace vernier
