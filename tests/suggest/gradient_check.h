#ifndef VERNIER_TESTS_SUGGEST_GRADIENT_CHECK_H_
#define VERNIER_TESTS_SUGGEST_GRADIENT_CHECK_H_

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "suggest/acquisition/acquisition_function.h"

namespace vernier {

/// Expects the gradients of `function` at `points` to be central differences of
/// its values.
inline void ExpectGradients(const AcquisitionFunction& function,
                            const Eigen::MatrixXd& points) {
  Eigen::VectorXd values;
  Eigen::MatrixXd gradients;
  function.Evaluate(points, &values, &gradients);
  constexpr double kStep = 1e-6;
  for (Eigen::Index j = 0; j < points.cols(); ++j) {
    Eigen::MatrixXd up = points;
    Eigen::MatrixXd down = points;
    up.col(j).array() += kStep;
    down.col(j).array() -= kStep;
    Eigen::VectorXd above;
    Eigen::VectorXd below;
    function.Evaluate(up, &above, nullptr);
    function.Evaluate(down, &below, nullptr);
    const Eigen::VectorXd expected = (above - below) / (2 * kStep);
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      EXPECT_NEAR(gradients(i, j), expected[i],
                  1e-5 * (1 + std::abs(expected[i])));
    }
  }
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUGGEST_GRADIENT_CHECK_H_
