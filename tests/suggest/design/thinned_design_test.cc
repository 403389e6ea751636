#include "suggest/design/thinned_design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "base/rng.h"
#include "study/constraint_parser.h"
#include "study/parameter_constraint.h"
#include "suggest/design/initial_design.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

StudyView View(std::vector<ParameterSpec> space) {
  StudyView view;
  view.space = std::move(space);
  view.seed = 7;
  return view;
}

// Runs `count` trials and returns the study.
StudyView RunThinned(StudyView view, int count, const LogChance& log_chance) {
  const SearchSpaceEncoding encoding(view.space);
  for (int i = 0; i < count; ++i) {
    const TriedPoints tried(view, encoding);
    if (tried.IsExhausted()) break;
    std::mt19937_64 rng =
        MakeRng(view.seed, static_cast<std::uint64_t>(view.trials_created + 1));
    const auto point =
        ThinnedDesignPoint(view, encoding, tried, log_chance, rng);
    EXPECT_TRUE(point.ok()) << point.status();
    if (!point.ok()) break;
    Complete(&view, point->parameters, std::nullopt);
  }
  return view;
}

std::size_t NumDistinct(const StudyView& view) {
  std::set<std::string> distinct;
  for (const Observation& trial : view.completed) {
    distinct.insert(ParametersToJson(trial.parameters));
  }
  return distinct.size();
}

Eigen::VectorXd Sure(const Eigen::Ref<const Eigen::MatrixXd>& rows) {
  return Eigen::VectorXd::Zero(rows.rows());
}

TEST(ThinnedDesignTest, IsTheSequenceWhereAllIsOfUse) {
  const StudyView view = RunThinned(View(UnitCubeSpace(3)), 20, Sure);
  const SearchSpaceEncoding encoding(view.space);
  const int design = DesignFor(view, encoding).size;
  for (int i = 0; i < 20; ++i) {
    const Parameters& point =
        view.completed[static_cast<std::size_t>(i)].parameters;
    const Eigen::RowVectorXd unit =
        SobolUnit(encoding, view.seed, design + i + 1);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(NumberOf(point, k), unit[static_cast<Eigen::Index>(k)], 1e-4);
    }
  }
}

// A quarter of the points in one half of the space is of use: of 100 points
// some 20 lie there, and both parts are covered evenly.
TEST(ThinnedDesignTest, KeepsPointsAsOftenAsTheyAreOfUse) {
  const auto log_chance = [](const Eigen::Ref<const Eigen::MatrixXd>& rows) {
    Eigen::VectorXd logs = Eigen::VectorXd::Zero(rows.rows());
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (rows(i, 0) > 0.5) logs[i] = std::log(0.25);
    }
    return logs;
  };
  const StudyView view = RunThinned(View(UnitCubeSpace(2)), 100, log_chance);
  int in_half = 0;
  int below = 0;
  for (const Observation& trial : view.completed) {
    in_half += NumberOf(trial.parameters, 0) > 0.5;
    below += NumberOf(trial.parameters, 1) < 0.5;
  }
  EXPECT_NEAR(in_half, 20, 4);
  EXPECT_NEAR(below, 50, 5);
  EXPECT_EQ(NumDistinct(view), 100u);
}

TEST(ThinnedDesignTest, TakesTheLikeliestWhereNothingIsLikely) {
  const StudyView view =
      RunThinned(View(UnitCubeSpace(2)), 10,
                 [](const Eigen::Ref<const Eigen::MatrixXd>& rows) {
                   return Eigen::VectorXd(-100 - rows.col(1).array());
                 });
  for (const Observation& trial : view.completed) {
    EXPECT_LT(NumberOf(trial.parameters, 1), 0.02);
  }
  EXPECT_EQ(NumDistinct(view), 10u);
}

TEST(ThinnedDesignTest, MeetsConstraintsBetweenParameters) {
  StudyView view = View(UnitCubeSpace(3));
  const auto constraint =
      ParseParameterConstraint("x0 + x1 + x2 <= 0.3", view.space);
  ASSERT_TRUE(constraint.ok()) << constraint.status();
  view.parameter_constraints = {*constraint};
  view = RunThinned(view, 20, Sure);
  EXPECT_EQ(NumDistinct(view), 20u);
  for (const Observation& trial : view.completed) {
    EXPECT_TRUE(Satisfies(*constraint, trial.parameters));
  }
}

TEST(ThinnedDesignTest, TriesAllOfASmallSpaceOnce) {
  const StudyView view = RunThinned(
      View({IntegerParameter("n", 1, 6), CategoricalParameter("c", 4)}), 40,
      Sure);
  EXPECT_EQ(view.completed.size(), 24u);
  EXPECT_EQ(NumDistinct(view), 24u);
}

}  // namespace
}  // namespace vernier
