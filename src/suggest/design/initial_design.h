#ifndef VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
#define VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <random>

#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// Returns the number of trials to start before a model is used: twice the
/// number of parameters that can vary, but 4 to 10.
int InitialDesignSize(const SearchSpaceEncoding& encoding);

/// True if the next trial should come from the design, because too few were
/// started or too few have ended to learn from.
bool BelongsToInitialDesign(const SearchSpaceEncoding& encoding,
                            std::size_t num_completed, std::size_t num_pending);

/// Returns the point of the unit cube of the study's scrambled Sobol' sequence
/// for trial number `trial` >= 1. A function of its arguments alone, however
/// calls are grouped.
Eigen::RowVectorXd SobolUnit(const SearchSpaceEncoding& encoding,
                             std::uint64_t seed, std::int64_t trial);

/// Returns SobolUnit's point for trial number `trial`, moved into the
/// constraints (FeasibleRegion::FromUnitCube) if necessary, or an untried one
/// if it was tried. Errors of TriedPoints::Resolve.
absl::StatusOr<Suggestion> SobolPoint(const StudyView& view,
                                      const SearchSpaceEncoding& encoding,
                                      std::int64_t trial,
                                      const TriedPoints& tried,
                                      SuggestionMethod method,
                                      std::mt19937_64& rng);

/// Returns the design's point for trial number `trial`: for the first, the
/// defaults or an allowed point near them, and then SobolPoint's.
absl::StatusOr<Suggestion> DesignPoint(const StudyView& view,
                                       const SearchSpaceEncoding& encoding,
                                       std::int64_t trial,
                                       const TriedPoints& tried,
                                       std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
