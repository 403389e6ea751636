#include "suggest/acquisition/acquisition_optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "base/rng.h"
#include "suggest/acquisition/candidate_pool.h"
#include "suggest/acquisition/projected_lbfgs.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

// -sum_j w_j (x_j - c_j)^2.
class Paraboloid final : public AcquisitionFunction {
 public:
  Paraboloid(Eigen::RowVectorXd centre, Eigen::RowVectorXd weights)
      : centre_(std::move(centre)), weights_(std::move(weights)) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override {
    const Eigen::MatrixXd gaps = points.rowwise() - centre_;
    *values = -(gaps.cwiseAbs2() * weights_.transpose());
    if (gradients != nullptr) {
      *gradients = -2 * gaps * weights_.asDiagonal();
    }
  }

 private:
  Eigen::RowVectorXd centre_;
  Eigen::RowVectorXd weights_;
};

Eigen::RowVectorXd Row(std::initializer_list<double> values) {
  Eigen::RowVectorXd row(std::ssize(values));
  std::copy(values.begin(), values.end(), row.begin());
  return row;
}

std::vector<std::vector<bool>> AllRows(const Eigen::MatrixXd& starts,
                                       const std::vector<bool>& is_free) {
  return std::vector<std::vector<bool>>(static_cast<std::size_t>(starts.rows()),
                                        is_free);
}

TEST(ProjectedLbfgsTest, ClimbsABadlyScaledHillToItsTop) {
  const Paraboloid hill(Row({0.3, 0.7, 0.5}), Row({1, 100, 3000}));
  Eigen::MatrixXd starts(3, 3);
  starts << 0, 0, 0, 1, 0.5, 0.2, 0.9, 0.9, 0.9;
  ProjectedLbfgsOptions options;
  const ClimbResult climb =
      ClimbTogether(hill, starts, AllRows(starts, {true, true, true}), options);
  EXPECT_GT(climb.values.minCoeff(), -1e-6);
}

TEST(ProjectedLbfgsTest, StopsAtTheFaceOfTheCube) {
  const Paraboloid hill(Row({1.5, -0.5, 0.25}), Row({1, 10, 5}));
  const ClimbResult climb =
      ClimbTogether(hill, Eigen::MatrixXd::Constant(1, 3, 0.5),
                    {{true, true, true}}, ProjectedLbfgsOptions{});
  EXPECT_EQ(climb.points(0, 0), 1);
  EXPECT_EQ(climb.points(0, 1), 0);
  EXPECT_NEAR(climb.points(0, 2), 0.25, 1e-3);
}

TEST(ProjectedLbfgsTest, LeavesFixedColumnsAlone) {
  const Paraboloid hill(Row({0.2, 0.2}), Row({1, 1}));
  Eigen::MatrixXd starts(1, 2);
  starts << 0.9, 0.707;
  const ClimbResult climb = ClimbTogether(
      hill, starts, AllRows(starts, {true, false}), ProjectedLbfgsOptions{});
  EXPECT_NEAR(climb.points(0, 0), 0.2, 1e-4);
  EXPECT_EQ(climb.points(0, 1), 0.707);
}

TEST(ProjectedLbfgsTest, AClimberDoesNotDependOnItsCompany) {
  const Paraboloid hill(Row({0.3, 0.7}), Row({1, 40}));
  Eigen::MatrixXd starts(3, 2);
  starts << 0.1, 0.2, 0.8, 0.9, 0.5, 0.1;
  const std::vector<bool> is_free(2, true);
  const ClimbResult together = ClimbTogether(
      hill, starts, AllRows(starts, is_free), ProjectedLbfgsOptions{});
  for (int i = 0; i < 3; ++i) {
    const ClimbResult alone =
        ClimbTogether(hill, starts.row(i), {is_free}, ProjectedLbfgsOptions{});
    EXPECT_LT((alone.points.row(0) - together.points.row(i)).norm(), 1e-9);
  }
}

struct Search {
  explicit Search(std::vector<ParameterSpec> space) {
    view.space = std::move(space);
  }

  Parameters Maximize(const AcquisitionFunction& function) {
    const SearchSpaceEncoding encoding(view.space);
    const TriedPoints tried(view, encoding);
    std::mt19937_64 rng = MakeRng(5, 1);
    const auto best = MaximizeAcquisition(encoding, function, encoding.Centre(),
                                          tried, BudgetFor(10), rng);
    return best.has_value() ? encoding.Decode(best->row) : Parameters{};
  }

  StudyView view;
};

TEST(AcquisitionOptimizerTest, FindsTheBestMixedConfiguration) {
  Search search({DoubleParameter("x", 0, 1), IntegerParameter("n", 0, 1000),
                 CategoricalParameter("c", 4),
                 DiscreteParameter("d", {1, 2, 4}),
                 DoubleParameter("y", 0, 1)});
  // Columns: x, n, 4 x c, d, y. Category 2 is the best one; d = 2 is at 1/3.
  const Paraboloid hill(Row({0.31, 0.6172, 0, 0, 0.8, 0, 0.3, 0.9}),
                        Row({5, 3, 1, 1, 1, 1, 2, 9}));
  const Parameters best = search.Maximize(hill);
  ASSERT_EQ(best.size(), 5u);
  EXPECT_NEAR(NumberOf(best, 0), 0.31, 1e-3);
  EXPECT_EQ(NumberOf(best, 1), 617);
  EXPECT_EQ(best[2].value, ParameterValue(std::string("c2")));
  EXPECT_EQ(NumberOf(best, 3), 2);
  EXPECT_NEAR(NumberOf(best, 4), 0.9, 1e-3);
}

TEST(AcquisitionOptimizerTest, EnumeratesASmallSpaceAndSkipsTheTried) {
  Search search({IntegerParameter("a", 0, 9), IntegerParameter("b", 0, 9)});
  const Paraboloid hill(Row({4.0 / 9, 0.7}), Row({1, 1}));
  const Parameters first = search.Maximize(hill);
  EXPECT_EQ(NumberOf(first, 0), 4);
  EXPECT_EQ(NumberOf(first, 1), 6);
  search.view.pending.push_back(first);
  const Parameters second = search.Maximize(hill);
  EXPECT_EQ(NumberOf(second, 0), 4);
  EXPECT_EQ(NumberOf(second, 1), 7);
}

TEST(AcquisitionOptimizerTest, NeverReturnsATriedPoint) {
  Search search({IntegerParameter("a", 0, 99999)});
  const Paraboloid hill(Row({0.5}), Row({1}));
  for (int i = 0; i < 5; ++i) {
    const Parameters point = search.Maximize(hill);
    ASSERT_EQ(point.size(), 1u);
    for (const Parameters& other : search.view.pending) {
      EXPECT_NE(point, other);
    }
    search.view.pending.push_back(point);
  }
}

TEST(AcquisitionOptimizerTest, BudgetShrinksWithTheModel) {
  EXPECT_EQ(BudgetFor(100).num_sobol, 512);
  EXPECT_LT(BudgetFor(500).num_sobol, 512);
  EXPECT_LT(BudgetFor(2000).max_enumerated, 2000);
  EXPECT_EQ(BudgetFor(0).max_enumerated, 20000);
}

TEST(CandidatePoolTest, StartsAreDistinctAndHoldTheBest) {
  std::mt19937_64 rng = MakeRng(1, 1);
  Eigen::VectorXd values(6);
  values << 1, 5, 2, -1e300, 3, 4;
  const auto starts = ChooseStarts(values, 3, 4, rng);
  EXPECT_EQ(starts[0], 1);
  EXPECT_EQ(starts[1], 5);
  EXPECT_EQ(std::set<Eigen::Index>(starts.begin(), starts.end()).size(),
            starts.size());
  EXPECT_EQ(ChooseStarts(Eigen::VectorXd::Zero(3), 3, 8, rng).size(), 3u);
}

TEST(CandidatePoolTest, SprayStaysInTheSpaceNearItsCentre) {
  const std::vector<ParameterSpec> space = MixedSpace();
  const SearchSpaceEncoding encoding(space);
  std::mt19937_64 rng = MakeRng(2, 1);
  const Eigen::MatrixXd rows =
      SprayAround(encoding, encoding.Centre(), 200, {}, rng);
  for (int i = 0; i < rows.rows(); ++i) {
    Eigen::RowVectorXd snapped = rows.row(i);
    encoding.Snap(&snapped);
    EXPECT_EQ(snapped, rows.row(i));
  }
  const double median_move = (rows.col(0).array() - 0.5).abs().mean();
  EXPECT_GT(median_move, 0);
  EXPECT_LT(median_move, 0.2);
  EXPECT_EQ(SprayAround(encoding, rows.topRows(0), 5, {}, rng).rows(), 0);
}

}  // namespace
}  // namespace vernier
