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

Eigen::RowVectorXd SobolRow(const SearchSpaceEncoding& encoding,
                            std::uint64_t seed, std::int64_t trial) {
  std::mt19937_64 rng = MakeRng(seed, kScrambleStream);
  const ScrambledSobol sobol(static_cast<int>(encoding.coordinates().size()),
                             rng);
  return encoding.FromUnitCube(sobol.Points(trial - 1, 1).row(0));
}

Suggestion DesignPoint(const StudyView& view,
                       const SearchSpaceEncoding& encoding, std::int64_t trial,
                       const TriedPoints& tried, std::mt19937_64& rng) {
  if (trial == 1 && view.completed.empty()) {
    return tried.Resolve(encoding.Centre(), SuggestionMethod::kDefaults, rng);
  }
  return tried.Resolve(SobolRow(encoding, view.seed, trial),
                       SuggestionMethod::kDesign, rng);
}

}  // namespace vernier
