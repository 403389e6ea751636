#include "suggest/acquisition/candidate_pool.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "base/rng.h"
#include "suggest/design/sobol_sequence.h"
#include "suggest/space/tried_points.h"

namespace vernier {
namespace {

// Steps are 10 to the power of a uniform number between these.
constexpr double kMinLogStep = -3;
constexpr double kMaxLogStep = -0.7;

// About this many coordinates move at once, but at least a fifth of them.
constexpr double kMovedCoordinates = 8;
constexpr double kMinMoveProbability = 0.2;

constexpr int kMostSpread = 8;  // Points tried for one inside a region.
constexpr Eigen::Index kFewSpread = 64;

void Perturb(const SearchSpaceEncoding& encoding,
             const Eigen::RowVectorXd& factors, Eigen::RowVectorXd* row,
             std::mt19937_64& rng) {
  const auto& coordinates = encoding.coordinates();
  const std::vector<bool> active = encoding.ActiveCoordinates(*row);
  std::size_t num_active = 0;
  std::size_t num_categorical = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (!active[i]) continue;
    ++num_active;
    num_categorical +=
        coordinates[i].kind == CoordinateKind::kCategorical ? 1 : 0;
  }
  const double move_probability =
      std::clamp(kMovedCoordinates / static_cast<double>(num_active),
                 kMinMoveProbability, 1.0);
  const double step = std::pow(
      10.0, kMinLogStep + (kMaxLogStep - kMinLogStep) * UniformDouble(rng));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Coordinate& coordinate = coordinates[i];
    if (!active[i]) continue;
    if (coordinate.kind == CoordinateKind::kCategorical) {
      if (UniformInt(rng, num_categorical) != 0) continue;
      const std::uint64_t level =
          UniformInt(rng, static_cast<std::uint64_t>(coordinate.num_levels));
      encoding.SetLevel(i, static_cast<std::int64_t>(level), row);
    } else if (UniformDouble(rng) < move_probability) {
      double& unit = (*row)[coordinate.first_column];
      const double factor =
          factors.size() == 0 ? 1 : factors[coordinate.first_column];
      unit = std::clamp(unit + factor * step * Normal(rng), 0.0, 1.0);
    }
  }
  if (encoding.is_conditional()) {
    FillNewlyActive(encoding, active,
                    encoding.RawFromUnitCube(DrawUnitPoint(encoding, rng)),
                    row);
  } else {
    encoding.Snap(row);
  }
}

}  // namespace

void FillNewlyActive(const SearchSpaceEncoding& encoding,
                     const std::vector<bool>& before,
                     const Eigen::RowVectorXd& source,
                     Eigen::RowVectorXd* row) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i]) continue;
    const Coordinate& place = encoding.coordinates()[i];
    row->segment(place.first_column, place.num_columns) =
        source.segment(place.first_column, place.num_columns);
  }
  encoding.Snap(row);  // Imputes those that became inactive, too.
}

Eigen::MatrixXd SpreadOverSpace(const SearchSpaceEncoding& encoding, int count,
                                std::mt19937_64& rng) {
  const ScrambledSobol sobol(static_cast<int>(encoding.coordinates().size()),
                             rng);
  const Eigen::MatrixXd units = sobol.Points(0, count);
  Eigen::MatrixXd rows(count, encoding.num_columns());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = encoding.FromUnitCube(units.row(i));
  }
  return rows;
}

Eigen::MatrixXd SpreadOverRegion(const SearchSpaceEncoding& encoding,
                                 const FeasibleRegion& region, int count,
                                 std::mt19937_64& rng) {
  const ScrambledSobol sobol(static_cast<int>(encoding.coordinates().size()),
                             rng);
  Eigen::MatrixXd rows(count, encoding.num_columns());
  Eigen::Index size = 0;
  std::vector<Eigen::RowVectorXd> outside;
  for (int first = 0; first < kMostSpread * count && size < count;
       first += count) {
    const Eigen::MatrixXd units = sobol.Points(first, count);
    for (Eigen::Index i = 0; i < units.rows() && size < count; ++i) {
      Eigen::RowVectorXd row = encoding.FromUnitCube(units.row(i));
      if (region.Contains(row)) {
        rows.row(size++) = row;
      } else if (std::ssize(outside) < count) {
        outside.emplace_back(units.row(i));
      }
    }
  }
  // Each of these is expensive, so few are enough to begin with.
  const Eigen::Index most = std::max<Eigen::Index>(size, kFewSpread);
  for (const Eigen::RowVectorXd& unit : outside) {
    if (size >= std::min<Eigen::Index>(most, count)) break;
    const auto row = region.FromUnitCube(unit, rng);
    if (!row.has_value()) break;
    rows.row(size++) = *row;
  }
  rows.conservativeResize(size, Eigen::NoChange);
  return rows;
}

Eigen::MatrixXd MovedInto(const FeasibleRegion& region,
                          const Eigen::MatrixXd& rows, std::mt19937_64& rng) {
  Eigen::MatrixXd moved(rows.rows(), rows.cols());
  Eigen::Index size = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const auto row = region.Repair(rows.row(i), rng);
    if (row.has_value()) moved.row(size++) = *row;
  }
  moved.conservativeResize(size, Eigen::NoChange);
  return moved;
}

Eigen::MatrixXd SprayAround(const SearchSpaceEncoding& encoding,
                            const Eigen::MatrixXd& centres, int count,
                            const Eigen::RowVectorXd& factors,
                            std::mt19937_64& rng) {
  if (centres.rows() == 0) count = 0;
  Eigen::MatrixXd rows(count, encoding.num_columns());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    Eigen::RowVectorXd row = centres.row(i % centres.rows());
    Perturb(encoding, factors, &row, rng);
    rows.row(i) = row;
  }
  return rows;
}

std::vector<Eigen::Index> ChooseStarts(const Eigen::VectorXd& values,
                                       Eigen::Index first_spray, int count,
                                       std::mt19937_64& rng) {
  const Eigen::Index n = values.size();
  const double mean = values.mean();
  const double deviation = std::sqrt((values.array() - mean).square().mean());
  Eigen::Index best = 0;
  const double best_value = values.maxCoeff(&best);
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
  if (deviation > 0 && std::isfinite(deviation)) {
    weights = ((values.array() - best_value) / deviation).exp();
  }
  std::vector<Eigen::Index> starts;
  const auto take = [&](Eigen::Index i) {
    starts.push_back(i);
    weights[i] = 0;
  };
  take(best);
  if (first_spray < n && count > 1) {
    Eigen::Index best_spray = 0;
    values.tail(n - first_spray).maxCoeff(&best_spray);
    if (first_spray + best_spray != best) take(first_spray + best_spray);
  }
  while (std::ssize(starts) < std::min<Eigen::Index>(count, n)) {
    double left = UniformDouble(rng) * weights.sum();
    Eigen::Index chosen = -1;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!(weights[i] > 0)) continue;
      chosen = i;
      left -= weights[i];
      if (left < 0) break;
    }
    if (chosen < 0) break;  // All other weights underflowed.
    take(chosen);
  }
  return starts;
}

}  // namespace vernier
