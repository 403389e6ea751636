// vernier.initialPoints: points that the user wants tried first.

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "study/job_file/job_sections.h"
#include "study/job_file/parameter_section.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

constexpr std::string_view kPoints = "initialPoints";
constexpr std::size_t kMaxPoints = 1000;

// Limits how many mistakes are explained. Their number may be points times
// parameters, and the search for the value that was meant costs more than
// everything else.
class Explanations {
 public:
  bool Take() { return left_-- > 0; }

 private:
  static constexpr int kMost = 50;
  int left_ = kMost;
};

// Reads and reports one value; nullopt if it is wrong.
std::optional<ParameterValue> ReadValue(ObjectReader& point,
                                        const ParameterSpec& spec,
                                        Explanations& explanations) {
  // The text is made only for a mistake, because a parameter may have a
  // thousand values.
  const auto must_be = [&] {
    return explanations.Take() ? "must be " + DescribeValues(spec)
                               : std::string("must be one of its values");
  };
  if (spec.type != ParameterType::kCategorical) {
    const std::optional<double> number = point.Number(spec.name);
    if (!number) return std::nullopt;
    std::optional<ParameterValue> value = ValueOf(spec, *number);
    if (!value) point.ValueError(spec.name, must_be());
    return value;
  }
  const std::optional<std::string> text = point.String(spec.name);
  if (!text) return std::nullopt;
  std::optional<ParameterValue> value = ValueOf(spec, *text);
  if (!value) {
    const std::vector<std::string_view> values(spec.categorical_values.begin(),
                                               spec.categorical_values.end());
    const std::string meant =
        explanations.Take() ? DidYouMean(*text, values) : "";
    point.Error(spec.name, must_be() + ": \"" + ShowText(*text) + "\"" + meant);
  }
  return value;
}

// Reports names that a point must not have. With `is_whole` all its values were
// right, so it is known which parameters are active.
void CheckNames(ObjectReader& point, const std::vector<ParameterSpec>& space,
                const Parameters& parameters, bool is_whole,
                Explanations& explanations) {
  std::set<std::string_view> active;
  for (const NamedValue& parameter : parameters) active.insert(parameter.name);
  std::vector<std::string_view> names;
  names.reserve(space.size());
  for (const ParameterSpec& spec : space) names.push_back(spec.name);
  const std::set<std::string_view> known(names.begin(), names.end());
  for (const std::string_view key : point.Keys()) {
    if (point.is_full()) return;
    (void)point.Has(key);  // The call makes Finish not report it.
    if (known.count(key) == 0) {
      point.KeyError(key,
                     "the search space has no such parameter" +
                         (explanations.Take() ? DidYouMean(key, names) : ""));
    } else if (active.count(key) == 0 && is_whole) {
      point.KeyError(key, "is not active with the other values of this point");
    }
  }
}

Parameters ReadPoint(ObjectReader& point,
                     const std::vector<ParameterSpec>& space,
                     Explanations& explanations) {
  Parameters parameters;
  parameters.reserve(space.size());  // Pointers to values must stay valid.
  std::vector<const ParameterValue*> values(space.size(), nullptr);
  bool is_whole = true;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const ParameterSpec& spec = space[i];
    if (!IsActive(spec, values)) continue;
    std::optional<ParameterValue> value;
    if (point.Has(spec.name)) {
      value = ReadValue(point, spec, explanations);
    } else if (spec.default_value.has_value()) {
      value = spec.default_value;
    } else {
      point.Error(spec.name, "is required, since there is no defaultValue");
    }
    if (!value) {
      is_whole = false;
      continue;
    }
    parameters.push_back({spec.name, *std::move(value)});
    values[i] = &parameters.back().value;
  }
  CheckNames(point, space, parameters, is_whole, explanations);
  return parameters;
}

// Keeps the points as written until the space is known.
void CopyPoint(ObjectReader& point) {
  // Texts lose nothing, and numbers may be quoted.
  for (const std::string_view key : point.Keys()) point.String(key);
}

}  // namespace

std::vector<Parameters> ReadInitialPoints(
    ObjectReader& section, const TrainingInput& input,
    const std::vector<ParameterConstraint>& constraints, SpaceKnowledge space,
    bool must_be_complete) {
  std::vector<Parameters> points;
  if (!section.Has(kPoints)) return points;
  const auto& tuning = input.hyperparameters;
  if (!section.HasAtMost(kPoints, kMaxPoints, "points")) return points;
  std::vector<ObjectReader> readers = section.Children(kPoints);
  if (!tuning.has_value()) {
    if (must_be_complete) {
      section.Error(kPoints,
                    "must not be given without trainingInput.hyperparameters");
    }
    return points;
  }
  const int count = static_cast<int>(readers.size());
  if (must_be_complete && count > tuning->max_trials) {
    section.Error(kPoints, "must list at most maxTrials points: " +
                               std::to_string(count) + " > " +
                               std::to_string(tuning->max_trials));
  }
  if (space == SpaceKnowledge::kBroken) return points;
  Explanations explanations;
  for (ObjectReader& reader : readers) {
    if (const std::size_t size = reader.Keys().size(); size > kMaxParameters) {
      section.Error(kPoints, "must list points of at most " +
                                 std::to_string(kMaxParameters) +
                                 " values each: " + std::to_string(size));
      return points;
    }
    if (tuning->params.empty()) {
      CopyPoint(reader);
    } else if (reader.is_present()) {
      points.push_back(ReadPoint(reader, tuning->params, explanations));
      // A parameter that is missing from a point because of another mistake
      // does not count: no constraint on it applies.
      const ParameterConstraint* const violated =
          FirstViolated(constraints, points.back());
      if (violated != nullptr && !reader.is_full()) {
        section.Error(kPoints, "point " + std::to_string(points.size()) +
                                   " does not meet the constraint \"" +
                                   ShowText(violated->text) + "\"");
      }
    }
  }
  section.AttachList(kPoints, readers);
  return points;
}

}  // namespace vernier
