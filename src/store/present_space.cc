#include "store/present_space.h"

#include <utility>

namespace vernier {

PresentSpace::PresentSpace(const StudyRecord& study) : spec_(*study.spec) {
  if (!study.run.has_value()) return;
  const JobSpec* before = nullptr;
  for (const auto& version : study.run->earlier_versions) {
    if (before != nullptr) {
      edits_ = EditsAfter(std::move(edits_), SearchSpaceOf(*before),
                          SearchSpaceOf(*version->spec));
    }
    before = version->spec.get();
  }
  if (before != nullptr) {
    edits_ =
        EditsAfter(std::move(edits_), SearchSpaceOf(*before), spec_.parameters);
  }
}

std::optional<Parameters> PresentSpace::Read(Parameters parameters) const {
  if (!edits_.has_value()) return parameters;
  return ParametersInSpace(spec_.parameters, *edits_, parameters);
}

}  // namespace vernier
