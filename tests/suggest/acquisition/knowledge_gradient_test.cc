#include "suggest/acquisition/knowledge_gradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vernier {
namespace {

using Eigen::Index;

// The same by the trapezoidal rule.
double ByQuadrature(const Eigen::VectorXd& means,
                    const Eigen::VectorXd& slopes) {
  constexpr int kSteps = 40000;
  constexpr double kEnd = 10;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = kEnd * (2.0 * i / kSteps - 1);
    const double density =
        std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    sum += density * (means + slopes * z).maxCoeff();
  }
  return sum * 2 * kEnd / kSteps - means.maxCoeff();
}

TEST(ExpectedRiseOfMaximumTest, AgreesWithQuadrature) {
  Eigen::VectorXd means(5);
  means << 0.1, 0.4, 0.35, -1, 0.4;
  Eigen::VectorXd slopes(5);
  slopes << 0.3, -0.1, 0.05, 2, 0.1;
  EXPECT_NEAR(ExpectedRiseOfMaximum(means, slopes), ByQuadrature(means, slopes),
              1e-6);
}

TEST(ExpectedRiseOfMaximumTest, IsZeroWhereNothingCanChange) {
  Eigen::VectorXd means(3);
  means << 1, 2, 2;
  EXPECT_EQ(ExpectedRiseOfMaximum(means, Eigen::VectorXd::Zero(3)), 0);
  EXPECT_EQ(ExpectedRiseOfMaximum(means, Eigen::VectorXd::Ones(3)), 0)
      << "all move together";
  EXPECT_EQ(ExpectedRiseOfMaximum(means.head(1), Eigen::VectorXd::Ones(1)), 0);
}

RegressionData Line(double noise_scale) {
  RegressionData data;
  data.inputs.resize(3, 1);
  data.inputs << 0.1, 0.5, 0.9;
  data.targets.resize(3);
  data.targets << 0, 0.5, 0.4;
  data.noise_scale = Eigen::VectorXd::Constant(3, noise_scale);
  data.groups.group_of_column = {0};
  data.groups.is_categorical = {false};
  return data;
}

GaussianProcess Process(double noise_variance, double noise_scale = 1) {
  LogHyperparameters theta(3);
  theta << std::log(0.1), 0, std::log(noise_variance);
  return *GaussianProcess::Create(Line(noise_scale), theta);
}

TEST(KnowledgeGradientsTest, WithoutNoiseOnlyNewPointsPay) {
  Eigen::MatrixXd rows(4, 1);
  rows << 0.1, 0.5, 0.9, 0.7;
  const Eigen::VectorXd gains = KnowledgeGradients(Process(1e-8), rows);
  EXPECT_LT(gains.head(3).maxCoeff(), 1e-3);
  EXPECT_GT(gains[3], 0.01);
}

TEST(KnowledgeGradientsTest, UnderNoiseTheRivalsOfTheBestPay) {
  Eigen::MatrixXd rows(3, 1);
  rows << 0.1, 0.5, 0.9;
  const Eigen::VectorXd gains = KnowledgeGradients(Process(0.1), rows);
  EXPECT_GT(gains[1], 1e-3);
  EXPECT_GT(gains[2], gains[0]) << "0.4 may beat 0.5, and 0 hardly";
  const Eigen::VectorXd sure = KnowledgeGradients(Process(0.1, 0.01), rows);
  EXPECT_LT(sure.maxCoeff(), gains.minCoeff() + 1e-3)
      << "what was measured a hundred times need not be again";
}

TEST(KnowledgeGradientsTest, WhatIsBeingMeasuredIsWorthLess) {
  Eigen::MatrixXd rows(2, 1);
  rows << 0.5, 0.9;
  GaussianProcess gp = Process(0.1);
  const double before = KnowledgeGradients(gp, rows)[0];
  gp.Hallucinate(rows.row(0));
  EXPECT_LT(KnowledgeGradients(gp, rows)[0], before);
}

TEST(KnowledgeGradientsTest, ColumnsThatRowsLackAreZero) {
  RegressionData data = Line(1);
  data.inputs.conservativeResize(3, 2);
  data.inputs.col(1) << 1, 0, 0;
  data.groups = {{0, 1}, {false, false}};
  LogHyperparameters theta(4);
  theta << std::log(0.3), 0, 0, std::log(0.05);
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok()) << gp.status();
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(2, 2);
  whole.col(0) << 0.2, 0.6;
  EXPECT_EQ(KnowledgeGradients(*gp, whole.leftCols(1)),
            KnowledgeGradients(*gp, whole));
}

}  // namespace
}  // namespace vernier
