#include "suggest/insights/posterior_draws.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kNumWaves = 256;

// The spectrum of a Matern-5/2 kernel is a t distribution with this many
// degrees of freedom (Rasmussen and Williams 2006, eq. 4.15).
constexpr int kDegreesOfFreedom = 5;

// The number of points whose kernel rows fit into the second-level cache.
constexpr Index kDrawRowsAtOnce = 128;

MatrixXd DrawNormals(Index rows, Index columns, std::mt19937_64& rng) {
  MatrixXd normals(rows, columns);
  for (double& normal : normals.reshaped()) normal = Normal(rng);
  return normals;
}

// Functions drawn from the prior, with mean 0.
class PriorFunctions {
 public:
  PriorFunctions(double signal_variance, Index num_columns, Index count,
                 std::mt19937_64& rng)
      : frequencies_(DrawNormals(num_columns, kNumWaves, rng)),
        weights_(DrawNormals(2 * kNumWaves, count, rng)) {
    for (Index wave = 0; wave < kNumWaves; ++wave) {
      double chi_squared = 0;
      for (int i = 0; i < kDegreesOfFreedom; ++i) {
        const double normal = Normal(rng);
        chi_squared += normal * normal;
      }
      frequencies_.col(wave) *= std::sqrt(kDegreesOfFreedom / chi_squared);
    }
    weights_ *= std::sqrt(signal_variance / static_cast<double>(kNumWaves));
  }

  // Returns their values at rows that are divided by the length scales.
  MatrixXd At(const Eigen::Ref<const MatrixXd>& scaled) const {
    const MatrixXd phases = scaled * frequencies_;
    MatrixXd waves(scaled.rows(), 2 * kNumWaves);
    waves.leftCols(kNumWaves) = phases.array().cos();
    waves.rightCols(kNumWaves) = phases.array().sin();
    return waves * weights_;
  }

 private:
  MatrixXd frequencies_;  // D x kNumWaves.
  MatrixXd weights_;      // Of cosines, then of sines; a column a function.
};

}  // namespace

MatrixXd DrawPosterior(const GaussianProcess& gp,
                       const Eigen::Ref<const MatrixXd>& points, int num_draws,
                       std::mt19937_64& rng) {
  const PriorFunctions prior(gp.signal_variance(), points.cols(), num_draws,
                             rng);
  // Simulated measurements of the prior's functions.
  MatrixXd measured = DrawNormals(gp.size(), num_draws, rng);
  measured.array().colwise() *= gp.noise_variances().array().sqrt();
  measured += prior.At(gp.scaled_inputs());
  const MatrixXd& shared = gp.shared_noise();
  if (shared.size() > 0) {
    measured.topRows(shared.rows()) +=
        shared * DrawNormals(shared.cols(), num_draws, rng);
  }
  MatrixXd weights(gp.size(), 1 + num_draws);
  weights.col(0) = gp.alpha();
  weights.rightCols(num_draws) =
      (-gp.Solve(measured)).colwise() + Eigen::VectorXd(gp.alpha());

  MatrixXd values(points.rows(), 1 + num_draws);
  for (Index first = 0; first < points.rows(); first += kDrawRowsAtOnce) {
    const Index count = std::min(kDrawRowsAtOnce, points.rows() - first);
    const MatrixXd rows = points.middleRows(first, count);
    values.middleRows(first, count).noalias() = gp.Covariance(rows) * weights;
    const MatrixXd scaled =
        rows.array().rowwise() * gp.inverse_length_scales().array();
    values.block(first, 1, count, num_draws) += prior.At(scaled);
  }
  values.array() += gp.mean();
  return values;
}

}  // namespace vernier
