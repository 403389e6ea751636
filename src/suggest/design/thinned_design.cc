#include "suggest/design/thinned_design.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/rng.h"
#include "suggest/design/initial_design.h"
#include "suggest/design/sobol_sequence.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

constexpr int kAtOnce = 64;
constexpr int kMostPoints = 4096;
// Constraints between parameters move points, which takes longer.
constexpr int kMostMovedPoints = 512;

// Returns the rows of some of the sequence's points. A point that has to be
// moved into the constraints moves to the same place in every call, so that it
// is known once it was tried.
MatrixXd RowsOf(const MatrixXd& units, std::int64_t first,
                const StudyView& view, const SearchSpaceEncoding& encoding,
                const TriedPoints& tried) {
  MatrixXd rows(units.rows(), encoding.num_columns());
  for (Index i = 0; i < units.rows(); ++i) {
    std::mt19937_64 rng =
        MakeRng(view.seed, static_cast<std::uint64_t>(first + i + 1));
    rows.row(i) =
        AllowedRow(units.row(i).head(units.cols() - 1), encoding, tried, rng);
  }
  return rows;
}

}  // namespace

absl::StatusOr<Suggestion> ThinnedDesignPoint(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const TriedPoints& tried, const LogChance& log_chance,
    std::mt19937_64& rng) {
  // One more coordinate decides which points stay, so that those that do are
  // spread as evenly as the sequence.
  const Index dimension = std::ssize(encoding.coordinates());
  const ScrambledSobol sobol =
      StudySequence(static_cast<int>(dimension) + 1, view.seed);
  const int most = tried.region().is_whole() ? kMostPoints : kMostMovedPoints;
  RowVectorXd likeliest;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::int64_t first = DesignFor(view, encoding).size; first < most;
       first += kAtOnce) {
    const MatrixXd units = sobol.Points(first, kAtOnce);
    const MatrixXd rows = RowsOf(units, first, view, encoding, tried);
    const Eigen::VectorXd logs = log_chance(rows);
    for (Index i = 0; i < rows.rows(); ++i) {
      const bool stays = std::log(units(i, dimension)) < logs[i];
      // Resolve replaces the first row if all were tried.
      if (likeliest.size() == 0) likeliest = rows.row(i);
      if ((!stays && !(logs[i] > highest)) || tried.Contains(rows.row(i))) {
        continue;
      }
      if (stays) {
        return tried.Resolve(rows.row(i), SuggestionMethod::kDesign, rng);
      }
      highest = logs[i];
      likeliest = rows.row(i);
    }
  }
  return tried.Resolve(likeliest, SuggestionMethod::kDesign, rng);
}

}  // namespace vernier
