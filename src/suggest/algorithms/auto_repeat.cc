#include "suggest/algorithms/auto_repeat.h"

#include <cstddef>

#include "suggest/acquisition/knowledge_gradient.h"
#include "suggest/gp/descending_order.h"

namespace vernier {
namespace {

using Eigen::Index;

// Points beyond the best few are hardly ever recommended.
constexpr std::size_t kMostCandidates = 10;

// In targets, whose spread is about 1: a standard deviation of 3 %.
constexpr double kLeastNoise = 1e-3;

// Before the first repeat only the model says that there is noise, and with few
// results it takes for noise what it misjudges of an exact function. So it must
// be a standard deviation of 10 % until there are more, unless there is nothing
// else to try.
constexpr double kLeastNoiseOfFew = 1e-2;
constexpr std::size_t kFewPoints = 20;

// A new point teaches the search about its neighbours, too, which its gain does
// not count. So a repeat must promise more (bench/duel/RESULTS.md).
constexpr double kNewPointFactor = 2;

// Returns the encoded points that may be repeated, and in `positions` where
// they stand in the table.
Eigen::MatrixXd RowsOf(const PointTable& points,
                       const SearchSpaceEncoding& encoding,
                       std::vector<std::size_t>* positions) {
  for (std::size_t i = 0; i < points.points().size(); ++i) {
    const PointResults& point = points.points()[i];
    if (!point.is_ruled_out && point.count() > 0) positions->push_back(i);
  }
  Eigen::MatrixXd rows(static_cast<Index>(positions->size()),
                       encoding.num_columns());
  for (std::size_t k = 0; k < positions->size(); ++k) {
    rows.row(static_cast<Index>(k)) =
        encoding.Encode(points.points()[(*positions)[k]].parameters);
  }
  return rows;
}

// Returns the rows with the largest posterior means, the first of ties.
std::vector<Index> BestRows(const GaussianProcess& gp,
                            const Eigen::MatrixXd& rows) {
  return DescendingOrder(gp.PredictMean(rows, false).mean, kMostCandidates);
}

}  // namespace

std::optional<Suggestion> RepeatThatPays(
    const PointTable& points, const std::vector<int>& running, int trials,
    const SearchSpaceEncoding& encoding, const GaussianProcess& gp,
    const std::optional<Eigen::RowVectorXd>& point) {
  const bool has_repeats = points.degrees() > 0;
  if (has_repeats && points.noise_variance() == 0) return std::nullopt;
  const bool must_be_sure =
      !has_repeats && point.has_value() && points.points().size() < kFewPoints;
  if (gp.noise_variance() < (must_be_sure ? kLeastNoiseOfFew : kLeastNoise)) {
    return std::nullopt;
  }
  std::vector<std::size_t> positions;
  const Eigen::MatrixXd all = RowsOf(points, encoding, &positions);
  if (positions.empty()) return std::nullopt;
  const std::vector<Index> best = BestRows(gp, all);
  const Index count = static_cast<Index>(best.size());
  Eigen::MatrixXd rows(count + (point.has_value() ? 1 : 0), all.cols());
  rows.topRows(count) = all(best, Eigen::all);
  if (point.has_value()) rows.row(count) = *point;
  const Eigen::VectorXd gains = KnowledgeGradients(gp, rows);
  double least = point.has_value() ? kNewPointFactor * gains[count] : 0;
  std::optional<Suggestion> repeat;
  for (Index k = 0; k < count; ++k) {
    const std::size_t i =
        positions[static_cast<std::size_t>(best[static_cast<std::size_t>(k)])];
    const PointResults& candidate = points.points()[i];
    if (!(gains[k] > least) || candidate.count() + running[i] >= trials) {
      continue;
    }
    least = gains[k];
    repeat = RepeatOf(candidate, running[i], 0);
  }
  return repeat;
}

}  // namespace vernier
