#ifndef VERNIER_TRIALS_GIVEN_POINTS_H_
#define VERNIER_TRIALS_GIVEN_POINTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "study/study_spec.h"

namespace vernier {

/// The most points of one request.
inline constexpr std::size_t kMostGivenPoints = 1000;

/// Reads points that a user gives for a study, each a JSON object of names and
/// values; a parameter that is left out has its default. INVALID_ARGUMENT if
/// there is none, or if one does not fit the search space or meet its
/// constraints. Pure.
absl::StatusOr<std::vector<Parameters>> ReadGivenPoints(
    const StudySpec& study, const std::vector<std::string>& points);

}  // namespace vernier

#endif  // VERNIER_TRIALS_GIVEN_POINTS_H_
