// vernier.parameterConstraints: constraints on the parameters' values together.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "study/constraint_parser.h"
#include "study/job_file/job_sections.h"

namespace vernier {
namespace {

constexpr std::string_view kConstraints = "parameterConstraints";

}  // namespace

std::vector<ParameterConstraint> ReadParameterConstraints(
    ObjectReader& section, const TrainingInput& input, SpaceKnowledge space,
    bool must_be_complete) {
  std::vector<ParameterConstraint> constraints;
  if (!section.Has(kConstraints) ||
      !section.HasAtMost(kConstraints, kMostParameterConstraints,
                         "constraints")) {
    return constraints;
  }
  const std::vector<std::string> texts = section.Strings(kConstraints);
  const auto& tuning = input.hyperparameters;
  if (!tuning.has_value()) {
    if (must_be_complete) {
      section.Error(kConstraints,
                    "must not be given without trainingInput.hyperparameters");
    }
    return constraints;
  }
  if (space == SpaceKnowledge::kBroken || tuning->params.empty()) {
    return constraints;
  }
  for (const std::string& text : texts) {
    auto constraint = ParseParameterConstraint(text, tuning->params);
    if (constraint.ok()) {
      constraints.push_back(*std::move(constraint));
    } else {
      section.Error(kConstraints, std::string(constraint.status().message()));
    }
  }
  return constraints;
}

}  // namespace vernier
