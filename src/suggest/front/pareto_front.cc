#include "suggest/front/pareto_front.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

constexpr double kReferenceMargin = 0.1;

bool Dominates(const RowVectorXd& a, const RowVectorXd& b) {
  return (a.array() >= b.array()).all() && (a.array() > b.array()).any();
}

bool IsBefore(const RowVectorXd& a, const RowVectorXd& b) {
  return std::lexicographical_compare(b.begin(), b.end(), a.begin(), a.end());
}

MatrixXd ToMatrix(const std::vector<std::vector<double>>& rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  MatrixXd matrix(std::ssize(rows), static_cast<Index>(columns));
  for (Index row = 0; row < matrix.rows(); ++row) {
    for (Index column = 0; column < matrix.cols(); ++column) {
      matrix(row, column) =
          rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    }
  }
  return matrix;
}

// Slices the volume along the last metric, from the best value downwards. The
// slice between two neighbouring values is dominated in the other metrics by
// the rows that reach its upper end. `rows` is a front above the reference.
double SlicedVolume(MatrixXd rows, const RowVectorXd& reference) {
  const Index last = reference.size() - 1;
  if (rows.rows() == 0) return 0;
  if (last == 0) return rows.maxCoeff() - reference[0];
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return rows(a, last) > rows(b, last);
  });
  rows = MatrixXd(rows(order, Eigen::all));
  double volume = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    const double below =
        i + 1 < rows.rows() ? rows(i + 1, last) : reference[last];
    const double height = rows(i, last) - below;
    if (!(height > 0)) continue;
    const MatrixXd above = rows.topLeftCorner(i + 1, last);
    volume += height * SlicedVolume(above(NondominatedRows(above), Eigen::all),
                                    reference.head(last));
  }
  return volume;
}

using Rows =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Returns the number of rows that are at least as good as `point` everywhere.
int CountReaching(const Rows& rows, const RowVectorXd& point) {
  int count = 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    Index k = 0;
    while (k < rows.cols() && rows(row, k) >= point[k]) ++k;
    if (k == rows.cols()) ++count;
  }
  return count;
}

// Estimates the volume of the union of the boxes between the reference and the
// rows of a front: points are drawn from the boxes by their volumes, and one
// that lies in c boxes counts as 1/c (Karp, Luby, Madras 1989, "Monte-Carlo
// approximation algorithms for enumeration problems"). The draws are always the
// same.
double EstimatedVolume(const Rows& rows, const RowVectorXd& reference) {
  // The variance of the estimate is below f / draws of its square.
  constexpr Index kFewestDraws = 4096;
  constexpr Index kDrawsOfRow = 64;
  const Index draws = std::max(kFewestDraws, kDrawsOfRow * rows.rows());
  constexpr std::uint64_t kSeed = 20260101;
  std::vector<double> sums;
  for (Index row = 0; row < rows.rows(); ++row) {
    const double volume = (rows.row(row) - reference).prod();
    sums.push_back(volume + (sums.empty() ? 0 : sums.back()));
  }
  if (sums.empty() || !(sums.back() > 0) || !std::isfinite(sums.back())) {
    return sums.empty() ? 0 : sums.back();
  }
  std::mt19937_64 random(kSeed);
  // A fraction of 53 bits, which is the same with every standard library.
  const auto draw = [&random] {
    return static_cast<double>(random() >> 11) * 0x1p-53;
  };
  double share = 0;
  RowVectorXd point(reference.size());
  for (Index i = 0; i < draws; ++i) {
    const auto box =
        std::upper_bound(sums.begin(), sums.end() - 1, draw() * sums.back());
    const Index own = box - sums.begin();
    for (Index k = 0; k < point.size(); ++k) {
      point[k] = reference[k] + draw() * (rows(own, k) - reference[k]);
    }
    share += 1.0 / std::max(CountReaching(rows, point), 1);
  }
  return sums.back() * (share / static_cast<double>(draws));
}

}  // namespace

std::vector<Index> NondominatedRows(const MatrixXd& merits) {
  std::vector<Index> order(static_cast<std::size_t>(merits.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  // A row that dominates another one comes before it, so none leaves the front.
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return IsBefore(merits.row(a), merits.row(b));
  });
  std::vector<Index> front;
  for (const Index row : order) {
    const bool is_dominated =
        std::any_of(front.begin(), front.end(), [&](Index other) {
          return Dominates(merits.row(other), merits.row(row));
        });
    if (!is_dominated) front.push_back(row);
  }
  std::sort(front.begin(), front.end());
  return front;
}

MatrixXd FrontAbove(const MatrixXd& merits, const RowVectorXd& reference) {
  std::vector<Index> better;
  for (Index row = 0; row < merits.rows(); ++row) {
    if ((merits.row(row).array() > reference.array()).all()) {
      better.push_back(row);
    }
  }
  const MatrixXd above = merits(better, Eigen::all);
  return above(NondominatedRows(above), Eigen::all);
}

double Hypervolume(const MatrixXd& merits, const RowVectorXd& reference) {
  const MatrixXd front = FrontAbove(merits, reference);
  return static_cast<std::size_t>(reference.size()) <= kMostExactMetrics
             ? SlicedVolume(front, reference)
             : EstimatedVolume(front, reference);
}

std::vector<std::size_t> NondominatedRows(
    const std::vector<std::vector<double>>& merits) {
  const std::vector<Index> front = NondominatedRows(ToMatrix(merits));
  return {front.begin(), front.end()};
}

double Hypervolume(const std::vector<std::vector<double>>& merits,
                   const std::vector<double>& reference) {
  if (merits.empty()) return 0;
  return Hypervolume(
      ToMatrix(merits),
      Eigen::Map<const RowVectorXd>(reference.data(), std::ssize(reference)));
}

RowVectorXd InferReference(const MatrixXd& merits) {
  RowVectorXd reference = merits.colwise().minCoeff();
  for (Index k = 0; k < merits.cols(); ++k) {
    const double extent = merits.col(k).maxCoeff() - reference[k];
    reference[k] -= kReferenceMargin * (extent > 0 ? extent : 1.0);
  }
  return reference;
}

std::vector<double> InferReference(
    const std::vector<std::vector<double>>& front,
    const std::vector<std::vector<double>>& all) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const MatrixXd values = ToMatrix(front);
  const MatrixXd others = ToMatrix(all);
  std::vector<double> reference;
  for (Index k = 0; k < values.cols(); ++k) {
    const double worst = values.col(k).minCoeff();
    // A margin is computed of each end, because the extent of huge values
    // overflows.
    const auto margin_of = [&](const MatrixXd& rows) {
      return kReferenceMargin * rows.col(k).maxCoeff() -
             kReferenceMargin * rows.col(k).minCoeff();
    };
    double margin = margin_of(values);
    if (!(margin > 0)) margin = margin_of(others);
    if (!(margin > 0)) margin = kReferenceMargin * std::abs(worst);
    if (!(margin > 0)) margin = kReferenceMargin;
    reference.push_back(std::max(worst - margin, -kMax));
  }
  return reference;
}

}  // namespace vernier
