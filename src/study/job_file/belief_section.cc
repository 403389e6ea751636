// vernier.beliefs: where the best values are believed to lie.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "study/belief.h"
#include "study/job_file/job_sections.h"
#include "study/job_file/parameter_section.h"

namespace vernier {
namespace {

constexpr std::string_view kBeliefs = "beliefs";

// Reads the two fields as texts, since numbers may be quoted; nullopt if one is
// neither a text nor a number, which was reported.
std::optional<BeliefText> ReadFields(ObjectReader& belief) {
  const std::optional<std::string> near = belief.String("near");
  const std::optional<std::string> within = belief.String("within");
  if ((!near.has_value() && belief.Has("near")) ||
      (!within.has_value() && belief.Has("within"))) {
    return std::nullopt;
  }
  return BeliefText{near.value_or(""), within.value_or("")};
}

}  // namespace

std::vector<Belief> ReadBeliefs(ObjectReader& section,
                                const TrainingInput& input,
                                SpaceKnowledge space, bool must_be_complete) {
  std::vector<Belief> beliefs;
  if (!section.Has(kBeliefs)) return beliefs;
  ObjectReader reader = section.Child(kBeliefs);
  const auto& tuning = input.hyperparameters;
  if (!tuning.has_value() && must_be_complete) {
    section.Error(kBeliefs,
                  "must not be given without trainingInput.hyperparameters");
  }
  std::vector<std::string_view> names = reader.Keys();
  if (names.size() > kMaxParameters) {
    section.Error(kBeliefs, "must be about at most " +
                                std::to_string(kMaxParameters) +
                                " parameters: " + std::to_string(names.size()));
    return beliefs;
  }
  // The normal form has one order, however the file is written.
  std::sort(names.begin(), names.end());
  for (const std::string_view name : names) {
    ObjectReader belief = reader.Child(name);
    const std::optional<BeliefText> text = ReadFields(belief);
    reader.Attach(name, belief);
    if (!tuning.has_value() || space == SpaceKnowledge::kBroken ||
        tuning->params.empty() || !text.has_value() || belief.is_full() ||
        (reader.Has(name) && !belief.is_present())) {
      continue;
    }
    auto read = ReadBelief(tuning->params, std::string(name), *text);
    if (auto* const wrong = std::get_if<BeliefMistake>(&read)) {
      if (wrong->field.empty()) {
        reader.KeyError(name, std::move(wrong->message));
      } else {
        belief.Error(wrong->field, std::move(wrong->message));
      }
    } else {
      beliefs.push_back(std::get<Belief>(std::move(read)));
    }
  }
  section.Attach(kBeliefs, reader);
  return beliefs;
}

}  // namespace vernier
