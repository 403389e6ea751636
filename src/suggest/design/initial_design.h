#ifndef VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
#define VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <random>

#include "study/suggestion.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// Number of trials to start before a model is used: twice the number of
/// parameters that can vary, but 4 to 10.
int InitialDesignSize(const SearchSpaceEncoding& encoding);

/// True if the next trial should come from the design, because too few were
/// started or too few have ended to learn from.
bool BelongsToInitialDesign(const SearchSpaceEncoding& encoding,
                            std::size_t num_completed, std::size_t num_pending);

/// Row of the study's scrambled Sobol' sequence for trial number `trial` >= 1.
/// A function of its arguments alone, however calls are grouped.
Eigen::RowVectorXd SobolRow(const SearchSpaceEncoding& encoding,
                            std::uint64_t seed, std::int64_t trial);

/// The design's point for trial number `trial`: the defaults for the first, and
/// then SobolRow's, or an untried one in its place.
Suggestion DesignPoint(const StudyView& view,
                       const SearchSpaceEncoding& encoding, std::int64_t trial,
                       const TriedPoints& tried, std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
