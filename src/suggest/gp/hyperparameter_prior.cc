#include "suggest/gp/hyperparameter_prior.h"

namespace vernier {

Eigen::RowVectorXd InverseLengthScales(const LengthScaleGroups& groups,
                                       const LogHyperparameters& theta) {
  Eigen::RowVectorXd inverse(
      static_cast<Eigen::Index>(groups.group_of_column.size()));
  for (Eigen::Index j = 0; j < inverse.size(); ++j) {
    inverse[j] =
        std::exp(-theta[groups.group_of_column[static_cast<std::size_t>(j)]]);
  }
  return inverse;
}

HyperparameterPrior MakeHyperparameterPrior(const LengthScaleGroups& groups,
                                            ExpectedNoise noise) {
  const Eigen::Index p = groups.size();
  HyperparameterPrior prior;
  prior.mean.resize(p + 2);
  prior.deviation = Eigen::VectorXd::Ones(p + 2);
  prior.lower.resize(p + 2);
  prior.upper.resize(p + 2);
  const double log_sqrt_p = groups.LogTypicalDistance();
  prior.log_typical_distance = log_sqrt_p;
  for (Eigen::Index k = 0; k < p; ++k) {
    const bool categorical = groups.is_categorical[static_cast<std::size_t>(k)];
    prior.mean[k] = std::log(categorical ? 0.40 : 0.20) + log_sqrt_p;
  }
  prior.lower.head(p).setConstant(std::log(0.01));
  prior.upper.head(p).setConstant(std::log(100));
  prior.mean[p] = 0;
  prior.lower[p] = std::log(1e-2);
  prior.upper[p] = std::log(1e2);
  const bool is_usual = noise == ExpectedNoise::kUsual;
  prior.mean[p + 1] = is_usual ? -5 : -6;
  prior.lower[p + 1] = std::log(is_usual ? 1e-6 : 1e-8);
  prior.upper[p + 1] = 0;
  return prior;
}

std::vector<LogHyperparameters> StartingPoints(
    const HyperparameterPrior& prior) {
  const Eigen::Index p = prior.mean.size() - 2;
  const double log_sqrt_p = prior.log_typical_distance;
  LogHyperparameters smooth(p + 2);
  smooth.head(p).setConstant(std::log(0.4) + log_sqrt_p);
  smooth[p] = 0;
  smooth[p + 1] = std::log(1e-3);
  LogHyperparameters noisy = smooth;
  noisy.head(p).array() -= std::log(2.0);
  noisy[p + 1] = std::log(1e-1);
  std::vector<LogHyperparameters> starts{smooth, noisy};
  for (LogHyperparameters& start : starts) {
    start = start.cwiseMax(prior.lower).cwiseMin(prior.upper);
  }
  return starts;
}

}  // namespace vernier
