#include "study/prior_study_settings.h"

#include "absl/strings/match.h"

namespace vernier {

bool FindsLikeStudies(const PriorStudySettings& settings) {
  return settings.studies.size() == 1 &&
         absl::EqualsIgnoreCase(settings.studies.front(),
                                {kLikeStudies.data(), kLikeStudies.size()});
}

}  // namespace vernier
