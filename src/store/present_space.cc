#include "store/present_space.h"

#include <utility>
#include <vector>

namespace vernier {

PresentSpace::PresentSpace(const StudyRecord& study) : spec_(*study.spec) {
  const std::vector<ParameterSpec>* before = nullptr;
  const auto become = [&](const std::vector<ParameterSpec>& after) {
    if (before != nullptr) {
      edits_ = EditsAfter(std::move(edits_), *before, after);
    }
    before = &after;
  };
  if (IsJob(study)) {
    for (const auto& version : JobRunOf(study).earlier_versions) {
      become(SearchSpaceOf(*version->spec));
    }
  } else {
    for (const auto& edit : ClientRunOf(study).edits) {
      become(edit->replaced->parameters);
    }
  }
  become(spec_.parameters);
}

std::optional<Parameters> PresentSpace::Read(Parameters parameters) const {
  if (!edits_.has_value()) return parameters;
  return ParametersInSpace(spec_.parameters, *edits_, parameters);
}

}  // namespace vernier
