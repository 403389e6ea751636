#ifndef VERNIER_SUGGEST_INSIGHTS_POSTERIOR_DRAWS_H_
#define VERNIER_SUGGEST_INSIGHTS_POSTERIOR_DRAWS_H_

#include <Eigen/Core>
#include <random>

#include "suggest/gp/gaussian_process.h"

namespace vernier {

/// Returns the posterior mean of the latent function at m points (m x D), and
/// `num_draws` functions drawn from the posterior: m x (1 + num_draws).
///
/// A draw is a function of the prior, corrected by the data (Matheron's rule;
/// Wilson et al. 2020, "Efficiently sampling functions from Gaussian process
/// posteriors"). The prior's functions are sums of random waves (Rahimi and
/// Recht 2007), whose covariance is the kernel's up to about 6 %.
/// Deterministic, given `rng`. O(m n (D + num_draws) + n^2 num_draws).
Eigen::MatrixXd DrawPosterior(const GaussianProcess& gp,
                              const Eigen::Ref<const Eigen::MatrixXd>& points,
                              int num_draws, std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_POSTERIOR_DRAWS_H_
