#ifndef VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
#define VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <random>

#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/design/sobol_sequence.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// The points that a search begins with, before a model chooses them.
struct InitialDesign {
  int size = 0;      ///< Trials to start before a model is used.
  double reach = 1;  ///< What part of the distance from the defaults they keep.
};

/// Returns the design for a study's number of metrics.
///
/// For one metric it has 4 points, half of the way from the Sobol' sequence's
/// towards the defaults. A model of four results is poor, but what it chooses
/// is better than what a longer design would try, and at the ends of the ranges
/// of a training little is good and much fails. For several metrics, or with
/// constraints on them, it has ResultsToTrustModel points all over the box,
/// because a shorter one brought nothing there. bench/duel/RESULTS.md has the
/// measurements.
InitialDesign DesignFor(const StudyView& view,
                        const SearchSpaceEncoding& encoding);

/// Returns the number of results from which on a model is worth being looked
/// at, by a person or beside another model: twice the number of parameters
/// that can vary, but 4 to 10.
int ResultsToTrustModel(const SearchSpaceEncoding& encoding);

/// True if the next trial should come from the design, because too few were
/// started or too few have ended to learn from. `num_pending` counts those that
/// have no result yet, also the ones that were chosen since `view` was made.
bool BelongsToInitialDesign(const StudyView& view,
                            const SearchSpaceEncoding& encoding,
                            std::size_t num_pending);

/// Returns the study's scrambled Sobol' sequence. One of a higher dimension has
/// the same first coordinates.
ScrambledSobol StudySequence(int dimension, std::uint64_t seed);

/// Returns the point of the unit cube of the study's scrambled Sobol' sequence
/// for trial number `trial` >= 1. A function of its arguments alone, however
/// calls are grouped.
Eigen::RowVectorXd SobolUnit(const SearchSpaceEncoding& encoding,
                             std::uint64_t seed, std::int64_t trial);

/// Returns the row of a point of the unit cube, moved into the constraints
/// (FeasibleRegion::FromUnitCube) if necessary and possible.
Eigen::RowVectorXd AllowedRow(const Eigen::RowVectorXd& unit,
                              const SearchSpaceEncoding& encoding,
                              const TriedPoints& tried, std::mt19937_64& rng);

/// Returns SobolUnit's point for trial number `trial`, moved into the
/// constraints (FeasibleRegion::FromUnitCube) if necessary, or an untried one
/// if it was tried. Errors of TriedPoints::Resolve.
absl::StatusOr<Suggestion> SobolPoint(const StudyView& view,
                                      const SearchSpaceEncoding& encoding,
                                      std::int64_t trial,
                                      const TriedPoints& tried,
                                      SuggestionMethod method,
                                      std::mt19937_64& rng);

/// Returns the point of the study's design (DesignFor) for trial number
/// `trial`: for the first, the defaults or an allowed point near them; up to
/// the design's size, its points; and then SobolPoint's.
///
/// If something is believed (StudyView::beliefs), it takes the place of the
/// defaults in every second point, the first among them, and the second is the
/// defaults. So a wrong belief leaves half of a design, from which a model
/// learns that it is wrong.
absl::StatusOr<Suggestion> DesignPoint(const StudyView& view,
                                       const SearchSpaceEncoding& encoding,
                                       std::int64_t trial,
                                       const TriedPoints& tried,
                                       std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
