#ifndef VERNIER_TESTS_SUGGEST_REGRESSION_EXAMPLES_H_
#define VERNIER_TESTS_SUGGEST_REGRESSION_EXAMPLES_H_

#include <cmath>
#include <cstdint>

#include "base/rng.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

/// n points of d columns, the last two of which share a length scale if d > 2;
/// a smooth function with a little noise; every third point measured twice.
inline RegressionData RandomRegression(int n, int d, std::uint64_t seed) {
  std::mt19937_64 rng = MakeRng(seed, 0);
  RegressionData data;
  data.inputs.resize(n, d);
  for (double& x : data.inputs.reshaped()) x = UniformDouble(rng);
  data.targets.resize(n);
  data.noise_scale = Eigen::VectorXd::Ones(n);
  for (int i = 0; i < n; ++i) {
    const double centre = (data.inputs.row(i).array() - 0.4).square().sum();
    data.targets[i] =
        std::sin(3 * data.inputs(i, 0)) - centre + 0.05 * Normal(rng);
    if (i % 3 == 0) data.noise_scale[i] = 0.5;
  }
  for (int j = 0; j < d; ++j) {
    data.groups.group_of_column.push_back(d > 2 && j == d - 1 ? d - 2 : j);
  }
  const int p = d > 2 ? d - 1 : d;
  for (int k = 0; k < p; ++k) {
    data.groups.is_categorical.push_back(d > 2 && k == p - 1);
  }
  return data;
}

inline LogHyperparameters RandomHyperparameters(const RegressionData& data,
                                                std::uint64_t seed) {
  std::mt19937_64 rng = MakeRng(seed, 1);
  LogHyperparameters theta(data.groups.size() + 2);
  for (double& x : theta) x = std::log(0.5) + 0.3 * Normal(rng);
  theta[theta.size() - 1] = -4;
  return theta;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUGGEST_REGRESSION_EXAMPLES_H_
