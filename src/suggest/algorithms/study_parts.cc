#include "suggest/algorithms/study_parts.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "suggest/acquisition/acquisition_optimizer.h"
#include "suggest/gp/descending_order.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr std::size_t kBestResults = 128;
constexpr std::size_t kNewestResults = 128;
constexpr std::size_t kSpreadResults = 128;

// In distances a level or a category counts so much less than a number: that
// others are worse is known by the results there, which must not leave a part
// when it becomes small.
constexpr double kWeightOfLevels = 1e-3;

// Returns the weight of each column in distances between rows.
Eigen::RowVectorXd WeightsOf(const SearchSpaceEncoding& encoding) {
  Eigen::RowVectorXd weights = Eigen::RowVectorXd::Ones(encoding.num_columns());
  for (const Coordinate& coordinate : encoding.coordinates()) {
    const bool is_number = coordinate.kind == CoordinateKind::kContinuous ||
                           IsWidelyStepped(coordinate);
    if (is_number) continue;
    weights.segment(coordinate.first_column, coordinate.num_columns)
        .setConstant(kWeightOfLevels);
  }
  return weights;
}

// Returns the positions of the best `count` merits and perhaps of some that
// equal the last of them, ascending. O(n).
std::vector<std::size_t> BestPositions(std::span<const double> merits,
                                       std::size_t count) {
  std::vector<double> sorted(merits.begin(), merits.end());
  const auto last = sorted.begin() +
                    static_cast<std::ptrdiff_t>(std::min(count, merits.size()));
  std::nth_element(sorted.begin(), last - 1, sorted.end(), std::greater<>());
  const double bound = *(last - 1);
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < merits.size(); ++i) {
    if (merits[i] > bound || (merits[i] == bound && best.size() < count)) {
      best.push_back(i);
    }
  }
  return best;
}

}  // namespace

double MeritOf(const Observation& result, Goal goal) {
  return FullObjective(result, goal)
      .value_or(-std::numeric_limits<double>::infinity());
}

absl::StatusOr<StudyParts> StudyParts::Create(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    std::span<const double> merits) {
  const std::size_t num_results = merits.size();
  StudyParts parts(view, encoding);
  std::vector<std::size_t>& results = parts.results_;
  results = BestPositions(merits, kBestResults);
  for (std::size_t i = num_results - std::min(num_results, kNewestResults);
       i < num_results; ++i) {
    results.push_back(i);
  }
  for (std::size_t k = 0; k < kSpreadResults; ++k) {
    results.push_back(k * num_results / kSpreadResults);
  }
  std::sort(results.begin(), results.end());
  results.erase(std::unique(results.begin(), results.end()), results.end());
  std::stable_sort(
      results.begin(), results.end(),
      [&](std::size_t a, std::size_t b) { return merits[a] > merits[b]; });
  VERNIER_RETURN_IF_ERROR(parts.Read());
  return parts;
}

absl::Status StudyParts::Read() {
  rows_.resize(std::ssize(results_), encoding_->num_columns());
  for (std::size_t k = 0; k < results_.size(); ++k) {
    const Parameters& parameters = view_->completed[results_[k]].parameters;
    const absl::Status fits = CheckFitsSpace(view_->space, parameters);
    if (!fits.ok()) {
      return absl::Status(fits.code(), absl::StrCat("completed[", results_[k],
                                                    "]: ", fits.message()));
    }
    rows_.row(static_cast<Index>(k)) = encoding_->Encode(parameters);
  }
  return absl::OkStatus();
}

StudyParts::Ranks StudyParts::Near(std::size_t rank, std::size_t size) const {
  const Eigen::VectorXd distances =
      ((rows_.rowwise() - rows_.row(static_cast<Index>(rank)))
           .array()
           .rowwise() *
       WeightsOf(*encoding_).array())
          .matrix()
          .rowwise()
          .squaredNorm();
  Ranks near;
  for (const Index k : DescendingOrder(-distances, size)) {
    near.push_back(static_cast<std::size_t>(k));
  }
  return near;
}

StudyParts::Ranks StudyParts::Apart(double distance, std::size_t size) const {
  Ranks apart;
  Eigen::VectorXd nearest = Eigen::VectorXd::Constant(
      rows_.rows(), std::numeric_limits<double>::infinity());
  for (Index k = 0; k < rows_.rows() && apart.size() < size; ++k) {
    if (nearest[k] < distance * distance) continue;
    apart.push_back(static_cast<std::size_t>(k));
    nearest = nearest.cwiseMin(
        (rows_.rowwise() - rows_.row(k)).rowwise().squaredNorm());
  }
  return apart;
}

std::vector<std::size_t> StudyParts::Positions(const Ranks& ranks) const {
  std::vector<std::size_t> positions;
  positions.reserve(ranks.size());
  for (const std::size_t rank : ranks) positions.push_back(results_[rank]);
  std::sort(positions.begin(), positions.end());
  return positions;
}

StudyView StudyParts::Part(const Ranks& ranks) const {
  const std::vector<std::size_t> positions = Positions(ranks);
  StudyView part;
  part.space = view_->space;
  part.parameter_constraints = view_->parameter_constraints;
  part.goal = view_->goal;
  part.seed = view_->seed;
  part.pending = view_->pending;
  part.given_up = view_->given_up;
  part.trials_created = view_->trials_created;
  part.completed.reserve(positions.size());
  for (const std::size_t position : positions) {
    part.completed.push_back(view_->completed[position]);
  }
  return part;
}

}  // namespace vernier
