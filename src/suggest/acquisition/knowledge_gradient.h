#ifndef VERNIER_SUGGEST_ACQUISITION_KNOWLEDGE_GRADIENT_H_
#define VERNIER_SUGGEST_ACQUISITION_KNOWLEDGE_GRADIENT_H_

#include <Eigen/Core>

#include "suggest/gp/gaussian_process.h"

namespace vernier {

/// Returns E[max_i(means_i + slopes_i Z)] - max_i means_i for a standard normal
/// Z, >= 0 (Frazier et al. 2009, "The knowledge-gradient policy for correlated
/// normal beliefs", algorithm 1). O(k log k).
double ExpectedRiseOfMaximum(const Eigen::VectorXd& means,
                             const Eigen::VectorXd& slopes);

/// Returns for each of the k `rows` (k x D) by how much one more measurement
/// there is expected to raise the largest posterior mean of all of them, in the
/// model's units. A measurement has the noise of `gp`. Hallucinated points
/// count, so that what is being measured already is worth less. O(k n^2 + k^2
/// (n + log k)).
Eigen::VectorXd KnowledgeGradients(const GaussianProcess& gp,
                                   const Eigen::MatrixXd& rows);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_KNOWLEDGE_GRADIENT_H_
