#include "faces/suggest/prior_studies.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/status_macros.h"
#include "faces/suggest/suggest_request.h"
#include "study/find_by_name.h"
#include "study/parameter_object.h"

namespace vernier {
namespace {

using Renamed = std::map<std::string, std::string>;  // Its name to ours.

absl::Status At(const std::string& place, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(place, ": ", status.message()));
}

std::vector<std::string> NamesOf(const std::vector<ParameterSpec>& space) {
  std::vector<std::string> names;
  names.reserve(space.size());
  for (const ParameterSpec& parameter : space) names.push_back(parameter.name);
  return names;
}

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string Hint(const std::string& name,
                 const std::vector<std::string>& known) {
  return DidYouMean(name,
                    std::vector<std::string_view>(known.begin(), known.end()));
}

// Returns the study's own space; empty if it is not given.
absl::StatusOr<std::vector<ParameterSpec>> ReadSpace(const Json& json,
                                                     Goal goal) {
  const auto found = json.find("params");
  if (found == json.end()) return std::vector<ParameterSpec>();
  Json hyperparameters = Json::object();
  hyperparameters["goal"] = goal == Goal::kMaximize ? "MAXIMIZE" : "MINIMIZE";
  hyperparameters["params"] = *found;
  VERNIER_ASSIGN_OR_RETURN(StudySpec spec,
                           ReadHyperparameters(hyperparameters));
  return std::move(spec.parameters);
}

absl::StatusOr<Renamed> ReadRename(const Json& json, const StudySpec& spec,
                                   const std::vector<ParameterSpec>& space) {
  Renamed renamed;
  const auto found = json.find("rename");
  if (found == json.end()) return renamed;
  if (!found->is_object()) {
    return Invalid(
        absl::StrCat("rename must be an object: ", DumpJson(*found)));
  }
  const std::vector<std::string> ours = NamesOf(spec.parameters);
  const std::vector<std::string> theirs = NamesOf(space);
  for (const auto& [from, to] : found->items()) {
    if (!to.is_string()) {
      return Invalid(absl::StrCat("rename must have texts: ", DumpJson(to)));
    }
    const auto& name = to.get_ref<const std::string&>();
    if (!Has(ours, name)) {
      return Invalid(absl::StrCat(
          "rename gives the name here for the name there, and this study has "
          "no parameter ",
          name, Hint(name, ours)));
    }
    if (!theirs.empty() && !Has(theirs, from)) {
      return Invalid(absl::StrCat("rename: the study has no parameter ", from,
                                  Hint(from, theirs)));
    }
    const bool is_taken =
        std::any_of(renamed.begin(), renamed.end(),
                    [&](const auto& each) { return each.second == name; });
    if (is_taken) {
      return Invalid(absl::StrCat("rename gives the name ", name, " twice"));
    }
    renamed[from] = name;
  }
  return renamed;
}

// Returns the value that is written, without a space that says its type.
absl::StatusOr<ParameterValue> PlainValue(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean())
    return std::string(json.get<bool>() ? "true" : "false");
  return Invalid(
      absl::StrCat("a value must be a number or a text: ", DumpJson(json)));
}

absl::StatusOr<Parameters> ReadParameters(
    const Json& trial, const std::vector<ParameterSpec>& space) {
  const auto found = trial.find("parameters");
  if (found == trial.end() || !found->is_object()) {
    return Invalid("parameters must be an object");
  }
  if (!space.empty()) {
    return ParametersFromObject(space, DumpJson(*found));
  }
  Parameters parameters;
  for (const auto& [name, value] : found->items()) {
    VERNIER_ASSIGN_OR_RETURN(ParameterValue plain, PlainValue(value));
    parameters.push_back({name, std::move(plain)});
  }
  return parameters;
}

absl::StatusOr<PriorTrial> ReadTrial(const Json& json,
                                     const std::vector<ParameterSpec>& space,
                                     const Renamed& renamed,
                                     const std::vector<std::string>& ours) {
  if (!json.is_object()) return Invalid("it must be an object");
  VERNIER_RETURN_IF_ERROR(
      CheckFields(json, {"parameters", "value", "infeasible"}));
  PriorTrial trial;
  VERNIER_ASSIGN_OR_RETURN(Parameters parameters, ReadParameters(json, space));
  for (NamedValue& value : parameters) {
    const auto other = renamed.find(value.name);
    if (other != renamed.end()) value.name = other->second;
    if (!Has(ours, value.name)) continue;
    if (FindValue(trial.parameters, value.name) != nullptr) {
      return Invalid(absl::StrCat("two of its parameters have the name ",
                                  value.name, " here; rename one of them"));
    }
    trial.parameters.push_back(std::move(value));
  }
  VERNIER_ASSIGN_OR_RETURN(trial.objective, AnyNumber(json, "value"));
  VERNIER_ASSIGN_OR_RETURN(const bool is_infeasible, ReadInfeasible(json));
  if (is_infeasible == trial.objective.has_value()) {
    return Invalid("give either a value or \"infeasible\": true");
  }
  if (trial.objective.has_value() && !std::isfinite(*trial.objective)) {
    trial.objective.reset();
  }
  return trial;
}

absl::StatusOr<PriorStudy> ReadStudy(const Json& json, const StudySpec& spec) {
  if (!json.is_object()) return Invalid("it must be an object");
  VERNIER_RETURN_IF_ERROR(
      CheckFields(json, {"name", "goal", "params", "trials", "rename"}));
  PriorStudy study;
  const auto name = json.find("name");
  if (name != json.end() && !name->is_string()) {
    return Invalid(absl::StrCat("name must be a text: ", DumpJson(*name)));
  }
  if (name != json.end()) study.name = name->get<std::string>();
  study.goal = ObjectiveOf(spec).goal;
  if (json.contains("goal")) {
    VERNIER_ASSIGN_OR_RETURN(study.goal, ReadGoal(json));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::vector<ParameterSpec> space,
                           ReadSpace(json, study.goal));
  VERNIER_ASSIGN_OR_RETURN(const Renamed renamed,
                           ReadRename(json, spec, space));
  const auto trials = json.find("trials");
  if (trials == json.end() || !trials->is_array()) {
    return Invalid("trials must be a list");
  }
  const std::vector<std::string> ours = NamesOf(spec.parameters);
  study.trials.reserve(trials->size());
  for (const Json& each : *trials) {
    absl::StatusOr<PriorTrial> trial = ReadTrial(each, space, renamed, ours);
    if (!trial.ok()) {
      return At(absl::StrCat("trials[", study.trials.size(), "]"),
                trial.status());
    }
    study.trials.push_back(*std::move(trial));
  }
  return study;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const std::vector<PriorStudy>>> ReadPriorStudies(
    const Json& request, const StudySpec& spec) {
  auto studies = std::make_shared<std::vector<PriorStudy>>();
  const auto found = request.find("priorStudies");
  if (found == request.end()) return studies;
  if (!found->is_array() || found->size() > kMostPriorStudies) {
    return Invalid(absl::StrCat("priorStudies must be a list of at most ",
                                kMostPriorStudies, " studies"));
  }
  if (HasOtherMetrics(spec)) {
    return Invalid(
        "priorStudies is for one objective without constraints on results");
  }
  if (spec.algorithm != Algorithm::kDefault) {
    return Invalid(
        "priorStudies is for the default algorithm; the others learn nothing");
  }
  std::size_t num_trials = 0;
  for (const Json& each : *found) {
    const std::string place =
        absl::StrCat("priorStudies[", studies->size(), "]");
    absl::StatusOr<PriorStudy> study = ReadStudy(each, spec);
    if (!study.ok()) return At(place, study.status());
    num_trials += study->trials.size();
    if (num_trials > kMostPriorTrials) {
      return Invalid(absl::StrCat("priorStudies may have at most ",
                                  kMostPriorTrials, " trials together"));
    }
    if (study->name.empty()) study->name = absl::StrCat(studies->size() + 1);
    studies->push_back(*std::move(study));
  }
  return studies;
}

}  // namespace vernier
