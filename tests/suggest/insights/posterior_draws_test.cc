#include "suggest/insights/posterior_draws.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

GaussianProcess ExampleProcess() {
  const RegressionData data = RandomRegression(30, 2, 4);
  return GaussianProcess::Create(data, RandomHyperparameters(data, 4)).value();
}

MatrixXd Places() {
  MatrixXd places(4, 2);
  places << 0.1, 0.2, 0.5, 0.5, 0.9, 0.1, 3, 3;  // The last is far away.
  return places;
}

TEST(PosteriorDrawsTest, TheFirstColumnIsTheMean) {
  const GaussianProcess gp = ExampleProcess();
  std::mt19937_64 rng = MakeRng(1, 1);
  const MatrixXd values = DrawPosterior(gp, Places(), 3, rng);
  ASSERT_EQ(values.cols(), 4);
  const Posterior posterior = gp.Predict(Places(), false);
  EXPECT_LT((values.col(0) - posterior.mean).norm(), 1e-10);
}

TEST(PosteriorDrawsTest, DrawsHaveThePosteriorsMeansAndDeviations) {
  const GaussianProcess gp = ExampleProcess();
  const Posterior posterior = gp.Predict(Places(), false);
  constexpr int kDraws = 2000;
  std::mt19937_64 rng = MakeRng(2, 1);
  const MatrixXd draws =
      DrawPosterior(gp, Places(), kDraws, rng).rightCols(kDraws);
  for (Index i = 0; i < draws.rows(); ++i) {
    const double mean = draws.row(i).mean();
    const double deviation =
        std::sqrt((draws.row(i).array() - mean).square().mean());
    const double expected = std::sqrt(posterior.variance[i]);
    EXPECT_NEAR(mean, posterior.mean[i], 0.1 * expected) << i;
    EXPECT_NEAR(deviation, expected, 0.15 * expected) << i;
  }
}

TEST(PosteriorDrawsTest, AreTheSameAgain) {
  const GaussianProcess gp = ExampleProcess();
  std::mt19937_64 first = MakeRng(3, 1);
  std::mt19937_64 second = MakeRng(3, 1);
  EXPECT_EQ(DrawPosterior(gp, Places(), 2, first),
            DrawPosterior(gp, Places(), 2, second));
}

}  // namespace
}  // namespace vernier
