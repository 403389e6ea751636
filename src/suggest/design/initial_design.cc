#include "suggest/design/initial_design.h"

#include <algorithm>

#include "base/rng.h"
#include "suggest/design/sobol_sequence.h"

namespace vernier {
namespace {

// Trials use the streams 1, 2, ...; this one lies beyond them.
constexpr std::uint64_t kScrambleStream = std::uint64_t{1} << 63;

constexpr std::size_t kMinCompletedForModel = 3;

}  // namespace

int InitialDesignSize(const SearchSpaceEncoding& encoding) {
  const auto p = static_cast<int>(encoding.coordinates().size());
  return std::clamp(2 * p, 4, 10);
}

bool BelongsToInitialDesign(const SearchSpaceEncoding& encoding,
                            std::size_t num_completed,
                            std::size_t num_pending) {
  return num_completed < kMinCompletedForModel ||
         num_completed + num_pending <
             static_cast<std::size_t>(InitialDesignSize(encoding));
}

Eigen::RowVectorXd SobolUnit(const SearchSpaceEncoding& encoding,
                             std::uint64_t seed, std::int64_t trial) {
  std::mt19937_64 rng = MakeRng(seed, kScrambleStream);
  const ScrambledSobol sobol(static_cast<int>(encoding.coordinates().size()),
                             rng);
  return sobol.Points(trial - 1, 1).row(0);
}

absl::StatusOr<Suggestion> SobolPoint(const StudyView& view,
                                      const SearchSpaceEncoding& encoding,
                                      std::int64_t trial,
                                      const TriedPoints& tried,
                                      SuggestionMethod method,
                                      std::mt19937_64& rng) {
  const Eigen::RowVectorXd unit = SobolUnit(encoding, view.seed, trial);
  Eigen::RowVectorXd row = encoding.FromUnitCube(unit);
  if (!tried.untried().has_value() && !tried.region().Contains(row)) {
    row = tried.region().FromUnitCube(unit, rng).value_or(row);
  }
  return tried.Resolve(row, method, rng);
}

absl::StatusOr<Suggestion> DesignPoint(const StudyView& view,
                                       const SearchSpaceEncoding& encoding,
                                       std::int64_t trial,
                                       const TriedPoints& tried,
                                       std::mt19937_64& rng) {
  if (trial > 1 || !view.completed.empty()) {
    return SobolPoint(view, encoding, trial, tried, SuggestionMethod::kDesign,
                      rng);
  }
  Eigen::RowVectorXd row = encoding.Centre();
  if (!tried.region().Contains(row)) {
    row = tried.region().Repair(row, rng).value_or(row);
  }
  return tried.Resolve(row, SuggestionMethod::kDefaults, rng);
}

}  // namespace vernier
