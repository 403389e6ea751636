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
  if (study.run.has_value()) {
    for (const auto& version : study.run->earlier_versions) {
      become(SearchSpaceOf(*version->spec));
    }
  }
  for (const auto& edit : study.edits) become(edit->replaced->parameters);
  become(spec_.parameters);
}

std::optional<Parameters> PresentSpace::Read(Parameters parameters) const {
  if (!edits_.has_value()) return parameters;
  return ParametersInSpace(spec_.parameters, *edits_, parameters);
}

}  // namespace vernier
