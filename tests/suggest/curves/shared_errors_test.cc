#include "suggest/curves/shared_errors.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

TEST(SharedErrorsTest, FindsTheCausesOfACovarianceThatHasFew) {
  const Eigen::MatrixXd causes = RandomRegression(40, 3, 5).inputs;
  const Eigen::MatrixXd covariance = causes * causes.transpose();
  const Eigen::MatrixXd shared = SharedErrors(covariance);
  EXPECT_LE(shared.cols(), 3);
  const double largest = covariance.diagonal().maxCoeff();
  EXPECT_LT((shared * shared.transpose() - covariance).cwiseAbs().maxCoeff(),
            0.011 * largest);
}

TEST(SharedErrorsTest, NeverClaimsMoreThanThereIs) {
  const Eigen::MatrixXd causes = RandomRegression(40, 30, 5).inputs;
  const Eigen::MatrixXd covariance = causes * causes.transpose();
  const Eigen::MatrixXd shared = SharedErrors(covariance);
  EXPECT_EQ(shared.cols(), kMostSharedErrors);
  const Eigen::MatrixXd rest = covariance - shared * shared.transpose();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(rest)
                .eigenvalues()
                .minCoeff(),
            -1e-9);
}

TEST(SharedErrorsTest, NoVarianceHasNoCause) {
  EXPECT_EQ(SharedErrors(Eigen::MatrixXd::Zero(4, 4)).cols(), 0);
  EXPECT_EQ(SharedErrors(Eigen::MatrixXd(0, 0)).rows(), 0);
}

}  // namespace
}  // namespace vernier
