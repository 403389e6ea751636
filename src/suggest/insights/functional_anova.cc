#include "suggest/insights/functional_anova.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vernier {
namespace {

using Eigen::Index;

constexpr Index kDegree = 10;     // Enough to follow two periods of a sine.
constexpr Index kPairDegree = 5;  // Of each of the two.

// The inputs are nearly independent over the points, but not exactly. The
// second pass corrects what one main effect has taken from another.
constexpr int kSweeps = 2;

// The largest number of coefficients of all effects together, per point.
constexpr double kMostFreedom = 0.25;

// In a wide space, effects with a smaller share stay in the residuals.
constexpr double kNotable = 0.01;

// With more levels than this, two axes have too many cells for the points.
constexpr std::int64_t kMostPairLevels = 64;

// A smaller variance, relative to the squared mean, is only rounding.
constexpr double kMinRelativeVariance = 1e-20;

// Returns Legendre polynomials 1 to kDegree on [0, 1] with mean square 1, by
// Bonnet's recursion.
Eigen::MatrixXd Legendre(const Eigen::VectorXd& unit) {
  const Eigen::ArrayXd t = 2 * unit.array() - 1;
  Eigen::MatrixXd values(unit.size(), kDegree);
  Eigen::ArrayXd before = Eigen::ArrayXd::Ones(unit.size());
  Eigen::ArrayXd current = t;
  for (Index k = 1; k <= kDegree; ++k) {
    const auto degree = static_cast<double>(k);
    values.col(k - 1) = std::sqrt(2 * degree + 1) * current;
    const Eigen::ArrayXd next =
        ((2 * degree + 1) * t * current - degree * before) / (degree + 1);
    before = current;
    current = next;
  }
  return values;
}

}  // namespace

FunctionalAnova::FunctionalAnova(std::vector<AnovaAxis> axes)
    : axes_(std::move(axes)),
      polynomials_(axes_.size()),
      counts_(axes_.size()) {
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (!IsGrouped(a)) {
      polynomials_[a] = Legendre(axes_[a].unit);
      continue;
    }
    counts_[a] = Eigen::VectorXd::Zero(axes_[a].num_levels);
    for (const std::int64_t level : axes_[a].levels) counts_[a][level] += 1;
  }
}

Index FunctionalAnova::NumCoefficients(std::size_t axis) const {
  return IsGrouped(axis) ? axes_[axis].num_levels : kDegree;
}

double FunctionalAnova::Freedom(std::size_t axis) const {
  if (!IsGrouped(axis)) return static_cast<double>(kDegree);
  return static_cast<double>((counts_[axis].array() > 0).count() - 1);
}

void FunctionalAnova::Project(std::size_t axis, Eigen::MatrixXd* residuals,
                              Eigen::MatrixXd* coefficients) const {
  const auto n = static_cast<double>(residuals->rows());
  if (!IsGrouped(axis)) {
    const Eigen::MatrixXd step =
        polynomials_[axis].transpose() * *residuals / n;
    residuals->noalias() -= polynomials_[axis] * step;
    *coefficients += step;
    return;
  }
  const auto& levels = axes_[axis].levels;
  const Eigen::VectorXd& counts = counts_[axis];
  Eigen::MatrixXd means =
      Eigen::MatrixXd::Zero(counts.size(), residuals->cols());
  for (Index i = 0; i < residuals->rows(); ++i) {
    means.row(levels[static_cast<std::size_t>(i)]) += residuals->row(i);
  }
  means.array().colwise() /= counts.array().max(1.0);
  for (Index i = 0; i < residuals->rows(); ++i) {
    residuals->row(i) -= means.row(levels[static_cast<std::size_t>(i)]);
  }
  // This makes a squared coefficient a part of the variance.
  means.array().colwise() *= (counts.array() / n).sqrt();
  *coefficients += means;
}

std::vector<Eigen::MatrixXd> FunctionalAnova::ProjectTogether(
    MainEffects* main) const {
  std::vector<Eigen::MatrixXd> coefficients;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    coefficients.push_back(
        Eigen::MatrixXd::Zero(NumCoefficients(a), main->residuals.cols()));
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      Project(a, &main->residuals, &coefficients[a]);
    }
  }
  return coefficients;
}

std::vector<Eigen::MatrixXd> FunctionalAnova::ProjectApart(
    MainEffects* main) const {
  const auto n = static_cast<double>(main->residuals.rows());
  const Eigen::MatrixXd centred = main->residuals;
  std::vector<Eigen::MatrixXd> coefficients;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    Eigen::MatrixXd others = centred;
    coefficients.push_back(
        Eigen::MatrixXd::Zero(NumCoefficients(a), centred.cols()));
    Project(a, &others, &coefficients[a]);
    const double chance = Freedom(a) / n;
    const double energy = coefficients[a].col(0).squaredNorm();
    if (energy > (chance + kNotable) * main->variances[0]) {
      main->residuals -= centred - others;
    }
  }
  return coefficients;
}

MainEffects FunctionalAnova::EstimateMain(const Eigen::MatrixXd& values) const {
  const auto n = static_cast<double>(values.rows());
  const auto d = static_cast<Index>(axes_.size());
  double freedom = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) freedom += Freedom(a);
  MainEffects main;
  const Eigen::RowVectorXd means = values.colwise().mean();
  main.residuals = values.rowwise() - means;
  main.variances = (main.residuals.colwise().squaredNorm() / n).transpose();
  // With many coefficients for each point, effects that are fitted one after
  // the other would explain everything by chance.
  const bool is_wide = freedom > kMostFreedom * n;
  const std::vector<Eigen::MatrixXd> coefficients =
      is_wide ? ProjectApart(&main) : ProjectTogether(&main);
  // The variance that appears by chance in the coefficients.
  const Eigen::VectorXd unexplained =
      is_wide
          ? main.variances
          : Eigen::VectorXd(main.residuals.colwise().squaredNorm().transpose() /
                            (n - freedom));
  main.shares = Eigen::MatrixXd::Zero(d, values.cols());
  for (Index k = 0; k < values.cols(); ++k) {
    const double variance = main.variances[k];
    if (!(variance > kMinRelativeVariance * means[k] * means[k])) continue;
    for (Index a = 0; a < d; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const double chance = Freedom(axis) * unexplained[k] / n;
      const double energy = coefficients[axis].col(k).squaredNorm() - chance;
      main.shares(a, k) = std::clamp(energy / variance, 0.0, 1.0);
    }
  }
  return main;
}

Eigen::MatrixXd FunctionalAnova::PairBasis(std::size_t axis) const {
  if (!IsGrouped(axis)) return polynomials_[axis].leftCols(kPairDegree);
  const auto& levels = axes_[axis].levels;
  const auto n = std::ssize(levels);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(n, counts_[axis].size());
  for (Index i = 0; i < n; ++i) {
    const std::int64_t level = levels[static_cast<std::size_t>(i)];
    basis(i, level) = std::sqrt(static_cast<double>(n) / counts_[axis][level]);
  }
  return basis;
}

double FunctionalAnova::PairShare(const MainEffects& main, std::size_t first,
                                  std::size_t second) const {
  const double variance = main.variances[0];
  if (!(variance > 0) || axes_[first].num_levels > kMostPairLevels ||
      axes_[second].num_levels > kMostPairLevels) {
    return 0;
  }
  const Eigen::VectorXd residual = main.residuals.col(0);
  const auto n = static_cast<double>(residual.size());
  const Eigen::MatrixXd left = PairBasis(first);
  const Eigen::MatrixXd weighted = residual.asDiagonal() * PairBasis(second);
  const Eigen::MatrixXd coefficients = left.transpose() * weighted / n;
  const auto freedom = [&](std::size_t axis) {
    return IsGrouped(axis) ? Freedom(axis) : static_cast<double>(kPairDegree);
  };
  const double chance =
      freedom(first) * freedom(second) * residual.squaredNorm() / n / n;
  const double energy = coefficients.squaredNorm() - chance;
  return std::clamp(energy / variance, 0.0, 1.0);
}

}  // namespace vernier
