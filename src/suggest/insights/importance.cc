#include "suggest/insights/importance.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/rng.h"
#include "suggest/design/latin_hypercube.h"
#include "suggest/design/sobol_sequence.h"
#include "suggest/insights/functional_anova.h"
#include "suggest/insights/posterior_draws.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// A stream of the study's random generator; trials have 1, 2, ...
constexpr std::uint64_t kDesignStream = std::uint64_t{5} << 60;

constexpr int kMostPoints = 4096;
constexpr int kFewestPoints = 512;
constexpr int kNumDraws = 32;
constexpr int kDrawsOfWideSpace = 8;
constexpr std::size_t kWideSpace = 100;  // Coordinates.

constexpr std::size_t kMostSobolCoordinates = 20;

// The number of operations that the design may cost, about a tenth of a second.
// The more rows and columns the model has, the fewer points there are.
constexpr double kMostWork = 3e8;

// A number with at most this many values is grouped by them.
constexpr std::int64_t kMostGroupedSteps = 16;

constexpr std::size_t kMostPairedCoordinates = 20;
constexpr double kOutside = 0.05;  // Of draws, on each side of an interval.

int NumPoints(const ExaminedStudy& study) {
  const auto rows = static_cast<double>(study.model.gp.size());
  const auto columns = static_cast<double>(study.encoding.num_columns());
  const auto d = static_cast<double>(study.encoding.coordinates().size());
  const double work = rows * (columns + kNumDraws) + 60 * kNumDraws * d;
  int points = kMostPoints;
  while (points > kFewestPoints && points * work > kMostWork) points /= 2;
  return points;
}

// The first coordinates of a Sobol' sequence are also even in pairs, which
// makes errors several times smaller. Later ones are worse than random.
MatrixXd SpreadPoints(int count, std::size_t dimension, std::mt19937_64& rng) {
  if (dimension > kMostSobolCoordinates) {
    return LatinHypercube(count, static_cast<Index>(dimension), rng);
  }
  return ScrambledSobol(static_cast<int>(dimension), rng).Points(0, count);
}

bool IsGrouped(const Coordinate& coordinate) {
  return coordinate.kind == CoordinateKind::kCategorical ||
         (coordinate.kind == CoordinateKind::kStepped &&
          coordinate.num_levels <= kMostGroupedSteps);
}

std::vector<AnovaAxis> MakeAxes(const SearchSpaceEncoding& encoding,
                                const MatrixXd& units) {
  const auto& coordinates = encoding.coordinates();
  std::vector<AnovaAxis> axes(coordinates.size());
  for (std::size_t c = 0; c < axes.size(); ++c) {
    axes[c].unit = units.col(static_cast<Index>(c));
    if (!IsGrouped(coordinates[c])) continue;
    axes[c].num_levels = coordinates[c].num_levels;
    axes[c].levels.reserve(static_cast<std::size_t>(units.rows()));
  }
  for (Index i = 0; i < units.rows(); ++i) {
    // An inactive coordinate keeps its level: it is an input that has no
    // effect here, which keeps the inputs independent.
    const Eigen::RowVectorXd row = encoding.RawFromUnitCube(units.row(i));
    for (std::size_t c = 0; c < axes.size(); ++c) {
      if (axes[c].num_levels == 0) continue;
      axes[c].levels.push_back(encoding.Level(c, row));
    }
  }
  return axes;
}

// Returns the share of the mean, and its interval. Where there are no results a
// draw varies in ways that the mean does not, which would make all shares of a
// draw small. So a draw is only used for the size of this effect, which is
// compared with the other effects in the mean.
CoordinateShares::Main Summarize(std::size_t coordinate,
                                 const MainEffects& effects) {
  const Eigen::RowVectorXd shares =
      effects.shares.row(static_cast<Index>(coordinate));
  const double all_else = (1 - shares[0]) * effects.variances[0];
  std::vector<double> draws;
  for (Index k = 1; k < shares.size(); ++k) {
    const double effect = shares[k] * effects.variances[k];
    const double sum = effect + all_else;
    draws.push_back(sum > 0 ? effect / sum : 0);
  }
  std::sort(draws.begin(), draws.end());
  const auto last = static_cast<double>(draws.size() - 1);
  const auto at = [&](double part) {
    return draws[static_cast<std::size_t>(std::lround(part * last))];
  };
  return {coordinate, shares[0], std::min(at(kOutside), shares[0]),
          std::max(at(1 - kOutside), shares[0])};
}

template <typename Shares>
void SortByShare(Shares* shares) {
  std::stable_sort(
      shares->begin(), shares->end(),
      [](const auto& a, const auto& b) { return a.share > b.share; });
}

// The interactions of the coordinates that vary most by themselves are searched
// first. A coordinate that acts only by interactions has a share of 0 but a
// short length scale, so the length scale is the second criterion.
std::vector<std::size_t> PairedCoordinates(
    const ExaminedStudy& study,
    const std::vector<CoordinateShares::Main>& main) {
  std::vector<std::pair<double, std::size_t>> scores;
  for (const CoordinateShares::Main& entry : main) {
    const Coordinate& place = study.encoding.coordinates()[entry.coordinate];
    const double inverse =
        study.model.gp.inverse_length_scales()[place.first_column];
    scores.emplace_back(entry.share + std::min(1.0, 0.01 * inverse),
                        entry.coordinate);
  }
  std::stable_sort(
      scores.begin(), scores.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  if (scores.size() > kMostPairedCoordinates) {
    scores.resize(kMostPairedCoordinates);
  }
  std::vector<std::size_t> coordinates;
  coordinates.reserve(scores.size());
  for (const auto& [score, coordinate] : scores) {
    coordinates.push_back(coordinate);
  }
  std::sort(coordinates.begin(), coordinates.end());
  return coordinates;
}

}  // namespace

CoordinateShares EstimateImportance(const ExaminedStudy& study) {
  const std::size_t d = study.encoding.coordinates().size();
  std::mt19937_64 rng = MakeRng(study.view.seed, kDesignStream);
  const MatrixXd units = SpreadPoints(NumPoints(study), d, rng);
  MatrixXd rows(units.rows(), study.encoding.num_columns());
  for (Index i = 0; i < units.rows(); ++i) {
    rows.row(i) = study.encoding.FromUnitCube(units.row(i));
  }
  const int num_draws = d > kWideSpace ? kDrawsOfWideSpace : kNumDraws;
  const FunctionalAnova anova(MakeAxes(study.encoding, units));
  const MainEffects effects =
      anova.EstimateMain(DrawPosterior(study.model.gp, rows, num_draws, rng));
  CoordinateShares shares;
  for (std::size_t c = 0; c < d; ++c) {
    shares.main.push_back(Summarize(c, effects));
  }
  SortByShare(&shares.main);
  const std::vector<std::size_t> paired = PairedCoordinates(study, shares.main);
  for (std::size_t i = 0; i < paired.size(); ++i) {
    for (std::size_t j = i + 1; j < paired.size(); ++j) {
      shares.pairs.push_back({paired[i], paired[j],
                              anova.PairShare(effects, paired[i], paired[j])});
    }
  }
  SortByShare(&shares.pairs);
  return shares;
}

}  // namespace vernier
