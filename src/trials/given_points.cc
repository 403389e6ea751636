#include "trials/given_points.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "study/parameter_object.h"
#include "suggest/space/constrained_space.h"
#include "suggest/space/space_membership.h"

namespace vernier {

absl::StatusOr<std::vector<Parameters>> ReadGivenPoints(
    const StudySpec& study, const std::vector<std::string>& points) {
  const std::vector<ParameterSpec>& space = study.parameters;
  if (points.empty() || points.size() > kMostGivenPoints) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there must be 1 to ", kMostGivenPoints, " points: ", points.size()));
  }
  std::vector<Parameters> list;
  for (const std::string& json : points) {
    auto point = ParametersFromObject(space, json, MissingValues::kTakeDefault);
    absl::Status status = point.status();
    if (status.ok()) status = CheckFitsSpace(space, *point);
    if (status.ok()) {
      status = CheckMeetsConstraints(study.parameter_constraints, *point);
    }
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          points.size() == 1
              ? std::string(status.message())
              : absl::StrCat("points[", list.size(), "]: ", status.message()));
    }
    list.push_back(*std::move(point));
  }
  return list;
}

}  // namespace vernier
