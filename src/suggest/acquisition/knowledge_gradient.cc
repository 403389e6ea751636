#include "suggest/acquisition/knowledge_gradient.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "suggest/gp/matern_kernel.h"
#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

using Eigen::Index;

struct Line {
  double mean;
  double slope;
  double from;  // Where it begins to be the largest.
};

// E[max(0, Z - c)] for c >= 0.
double ExpectedExcess(double c) {
  return NormalDensity(c) - c * NormalCumulative(-c);
}

// Returns the lines that are the largest somewhere, by slope.
std::vector<Line> UpperEnvelope(const Eigen::VectorXd& means,
                                const Eigen::VectorXd& slopes) {
  std::vector<Line> lines;
  for (Index i = 0; i < means.size(); ++i) {
    lines.push_back({means[i], slopes[i], 0});
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.mean < b.mean;
  });
  std::vector<Line> envelope;
  for (Line line : lines) {
    line.from = -std::numeric_limits<double>::infinity();
    while (!envelope.empty()) {
      const Line& last = envelope.back();
      if (last.slope < line.slope) {
        line.from = (last.mean - line.mean) / (line.slope - last.slope);
        if (line.from > last.from) break;
        line.from = -std::numeric_limits<double>::infinity();
      }
      envelope.pop_back();
    }
    envelope.push_back(line);
  }
  return envelope;
}

}  // namespace

double ExpectedRiseOfMaximum(const Eigen::VectorXd& means,
                             const Eigen::VectorXd& slopes) {
  const std::vector<Line> envelope = UpperEnvelope(means, slopes);
  double rise = 0;
  for (std::size_t i = 1; i < envelope.size(); ++i) {
    rise += (envelope[i].slope - envelope[i - 1].slope) *
            ExpectedExcess(std::abs(envelope[i].from));
  }
  return std::max(rise, 0.0);
}

Eigen::VectorXd KnowledgeGradients(const GaussianProcess& gp,
                                   const Eigen::MatrixXd& rows) {
  const Posterior posterior = gp.Predict(rows, false);
  const Eigen::MatrixXd scaled =
      rows.array().rowwise() *
      gp.inverse_length_scales().head(rows.cols()).array();
  const Eigen::MatrixXd known = gp.Covariance(rows);
  const Eigen::MatrixXd covariance =
      ComputeMatern52(scaled, scaled, gp.signal_variance()).value -
      known * gp.Solve(known.transpose());
  Eigen::VectorXd gradients(rows.rows());
  for (Index j = 0; j < rows.rows(); ++j) {
    const double deviation =
        std::sqrt(posterior.variance[j] + gp.noise_variance());
    gradients[j] =
        ExpectedRiseOfMaximum(posterior.mean, covariance.col(j) / deviation);
  }
  return gradients;
}

}  // namespace vernier
