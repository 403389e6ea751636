#include "faces/suggest/suggest_request.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cluster/metrics/python_json.h"
#include "study/belief.h"
#include "study/constraint_parser.h"
#include "study/job_file/job_parser.h"
#include "study/stopping/stopping_rule_name.h"

namespace vernier {
namespace {

constexpr double kMostReduction = 100;
constexpr std::int64_t kMostBrackets = 10;

absl::Status ReadRule(const Json& name, StudySpec* spec) {
  for (const auto& [known, rule] : kStoppingRuleNames) {
    if (!name.is_string() ||
        !absl::EqualsIgnoreCase(name.get_ref<const std::string&>(),
                                {known.data(), known.size()})) {
      continue;
    }
    spec->stopping_rule = rule;
    return absl::OkStatus();
  }
  return Invalid(absl::StrCat(
      "earlyStopping must be AUTO, MEDIAN, DECAY_CURVE, ASHA, HYPERBAND or "
      "NONE, or an object with such a \"rule\": ",
      DumpJson(name)));
}

absl::Status ReadSteps(const Json& options, const char* key,
                       std::optional<std::int64_t>* steps) {
  if (!options.contains(key)) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(*steps,
                           Integer(options, key, 1, kMostTrainingSteps));
  return absl::OkStatus();
}

absl::Status ReadOptions(const Json& json, EarlyStoppingOptions* options) {
  VERNIER_RETURN_IF_ERROR(
      CheckFields(json, {"rule", "minSteps", "maxSteps", "reductionFactor",
                         "brackets", "minWinProbability"}));
  VERNIER_RETURN_IF_ERROR(ReadSteps(json, "minSteps", &options->min_steps));
  VERNIER_RETURN_IF_ERROR(ReadSteps(json, "maxSteps", &options->max_steps));
  if (options->max_steps.has_value() &&
      *options->max_steps < options->min_steps.value_or(1)) {
    return Invalid(
        absl::StrCat("maxSteps must be >= minSteps: ", *options->max_steps));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::optional<double> factor,
                           Number(json, "reductionFactor"));
  options->reduction_factor = factor.value_or(options->reduction_factor);
  if (!(options->reduction_factor > 1) ||
      options->reduction_factor > kMostReduction) {
    return Invalid(absl::StrCat(
        "reductionFactor must be > 1 and <= ", kMostReduction, ": ", *factor));
  }
  if (json.contains("brackets")) {
    VERNIER_ASSIGN_OR_RETURN(const std::int64_t brackets,
                             Integer(json, "brackets", 1, kMostBrackets));
    options->brackets = static_cast<int>(brackets);
  }
  VERNIER_ASSIGN_OR_RETURN(const std::optional<double> probability,
                           Number(json, "minWinProbability"));
  options->min_win_probability =
      probability.value_or(options->min_win_probability);
  if (!(options->min_win_probability > 0) ||
      !(options->min_win_probability < 1)) {
    return Invalid(
        absl::StrCat("minWinProbability must be > 0 and < 1: ", *probability));
  }
  return absl::OkStatus();
}

// Returns a list of objects, each with a metric's name; empty if it is missing.
absl::StatusOr<std::vector<Json>> ListOf(const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) return std::vector<Json>();
  if (!found->is_array() || found->empty()) {
    return Invalid(
        absl::StrCat(key, " must be a list of metrics: ", DumpJson(*found)));
  }
  std::vector<Json> items;
  for (const Json& item : *found) {
    if (!item.is_object() || !item.contains("metric") ||
        !item["metric"].is_string()) {
      return Invalid(
          absl::StrCat(key, "[", items.size(),
                       "] must be an object with a metric: ", DumpJson(item)));
    }
    items.push_back(item);
  }
  return items;
}

// Returns a field as text; empty if it is missing.
std::string TextOf(const Json& item, const char* key) {
  const auto found = item.find(key);
  return found == item.end() ? "" : PlainText(*found);
}

// Moves the texts of a mixed list, which are constraints between parameters,
// out of the request and into `spec`.
absl::Status TakeParameterConstraints(Json* request, StudySpec* spec) {
  const auto found = request->find("constraints");
  if (found == request->end() || !found->is_array()) return absl::OkStatus();
  std::vector<std::string> texts;
  Json others = Json::array();
  for (const Json& item : *found) {
    if (item.is_string()) {
      texts.push_back(item.get<std::string>());
    } else {
      others.push_back(item);
    }
  }
  if (texts.empty()) return absl::OkStatus();
  if (others.empty()) {
    request->erase("constraints");
  } else {
    *found = std::move(others);
  }
  VERNIER_ASSIGN_OR_RETURN(spec->parameter_constraints,
                           ParseParameterConstraints(texts, spec->parameters));
  return absl::OkStatus();
}

}  // namespace

absl::Status Invalid(const std::string& message) {
  return absl::InvalidArgumentError(message);
}

absl::Status CheckFields(const Json& request,
                         const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : request.items()) {
    bool is_known = key == "op";
    for (const std::string_view name : known) is_known |= key == name;
    if (is_known) continue;
    return Invalid(
        absl::StrCat("unknown field \"", key, "\"", DidYouMean(key, known)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> Integer(const Json& request, const char* key,
                                     std::int64_t low, std::int64_t high) {
  const auto found = request.find(key);
  if (found == request.end()) return Invalid(absl::StrCat(key, " is required"));
  const bool fits = found->is_number_integer() &&
                    (!found->is_number_unsigned() ||
                     found->get<std::uint64_t>() <=
                         static_cast<std::uint64_t>(
                             std::numeric_limits<std::int64_t>::max()));
  if (!fits || found->get<std::int64_t>() < low ||
      found->get<std::int64_t>() > high) {
    return Invalid(absl::StrCat(key, " must be an integer in [", low, ", ",
                                high, "]: ", DumpJson(*found)));
  }
  return found->get<std::int64_t>();
}

absl::StatusOr<std::optional<double>> Number(const Json& request,
                                             const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) return std::nullopt;
  if (!found->is_number() || !std::isfinite(found->get<double>())) {
    return Invalid(
        absl::StrCat(key, " must be a finite number: ", DumpJson(*found)));
  }
  return found->get<double>();
}

absl::StatusOr<std::optional<double>> AnyNumber(const Json& request,
                                                const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) return std::nullopt;
  const std::optional<double> number = NumberOf(*found);
  if (!number.has_value() || (found->is_string() && std::isfinite(*number))) {
    return Invalid(absl::StrCat(key, " must be a number: ", DumpJson(*found)));
  }
  return number;
}

absl::StatusOr<Goal> ReadGoal(const Json& json) {
  const auto found = json.find("goal");
  if (found != json.end() && found->is_string()) {
    const std::string& goal = found->get_ref<const std::string&>();
    if (absl::EqualsIgnoreCase(goal, "MAXIMIZE")) return Goal::kMaximize;
    if (absl::EqualsIgnoreCase(goal, "MINIMIZE")) return Goal::kMinimize;
  }
  return Invalid("goal must be MAXIMIZE or MINIMIZE");
}

absl::StatusOr<bool> ReadInfeasible(const Json& json) {
  const auto found = json.find("infeasible");
  if (found == json.end()) return false;
  if (found->is_boolean()) return found->get<bool>();
  return Invalid(
      absl::StrCat("infeasible must be true or false: ", DumpJson(*found)));
}

absl::StatusOr<StudySpec> ReadHyperparameters(const Json& hyperparameters) {
  JobSpec job;
  VERNIER_ASSIGN_OR_RETURN(job.training_input.hyperparameters,
                           ParseHyperparameters(DumpJson(hyperparameters)));
  return StudySpecOf(job);
}

absl::Status ReadEarlyStopping(const Json& request, StudySpec* spec) {
  const auto found = request.find("earlyStopping");
  if (found == request.end()) return absl::OkStatus();
  if (!found->is_object()) return ReadRule(*found, spec);
  spec->stopping_rule = StoppingRule::kAuto;
  if (found->contains("rule")) {
    VERNIER_RETURN_IF_ERROR(ReadRule((*found)["rule"], spec));
  }
  return ReadOptions(*found, &spec->stopping_options);
}

absl::Status ReadObjective(const Json& request, StudySpec* spec) {
  const auto found = request.find("objective");
  if (found == request.end()) return absl::OkStatus();
  if (!found->is_object()) {
    return Invalid(
        absl::StrCat("objective must be an object: ", DumpJson(*found)));
  }
  VERNIER_RETURN_IF_ERROR(CheckFields(*found, {"perCost"}));
  const auto per_cost = found->find("perCost");
  if (per_cost == found->end()) return absl::OkStatus();
  if (!per_cost->is_boolean()) {
    return Invalid(absl::StrCat("objective.perCost must be true or false: ",
                                DumpJson(*per_cost)));
  }
  spec->is_per_cost = per_cost->get<bool>();
  return absl::OkStatus();
}

absl::Status ReadRepeats(const Json& request, StudySpec* spec) {
  const auto found = request.find("repeats");
  if (found == request.end()) return absl::OkStatus();
  const bool is_fit = found->is_string() || found->is_number_integer();
  const std::optional<Repeats> repeats =
      !is_fit ? std::nullopt : RepeatsFromText(PlainText(*found));
  if (!repeats.has_value()) {
    return Invalid(absl::StrCat("repeats must be ", std::string(kRepeatsWanted),
                                ": ", DumpJson(*found)));
  }
  spec->repeats = *repeats;
  return absl::OkStatus();
}

absl::Status ReadBeliefs(const Json& request, StudySpec* spec) {
  const auto found = request.find("beliefs");
  if (found == request.end()) return absl::OkStatus();
  if (!found->is_object()) {
    return Invalid(
        absl::StrCat("beliefs must be an object: ", DumpJson(*found)));
  }
  for (const auto& [name, item] : found->items()) {
    const std::string where = absl::StrCat("beliefs.", ShowText(name));
    if (!item.is_object()) {
      return Invalid(absl::StrCat(
          where, " must be an object with \"near\": ", DumpJson(item)));
    }
    VERNIER_RETURN_IF_ERROR(CheckFields(item, {"near", "within"}));
    auto read = ReadBelief(spec->parameters, name,
                           {TextOf(item, "near"), TextOf(item, "within")});
    if (const auto* const wrong = std::get_if<BeliefMistake>(&read)) {
      return Invalid(absl::StrCat(where, wrong->field.empty() ? "" : ".",
                                  std::string(wrong->field), ": ",
                                  wrong->message));
    }
    spec->beliefs.push_back(std::get<Belief>(std::move(read)));
  }
  std::sort(spec->beliefs.begin(), spec->beliefs.end(),
            [](const Belief& a, const Belief& b) {
              return a.parameter < b.parameter;
            });
  return absl::OkStatus();
}

absl::Status ReadMetrics(const Json& request, StudySpec* spec) {
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Json> objectives,
                           ListOf(request, "objectives"));
  if (!objectives.empty()) spec->metrics.clear();
  for (const Json& item : objectives) {
    VERNIER_RETURN_IF_ERROR(CheckFields(item, {"metric", "goal", "reference"}));
    MetricGoal metric{item["metric"].get<std::string>()};
    const absl::StatusOr<Goal> goal = ReadGoal(item);
    if (!goal.ok()) {
      return Invalid(absl::StrCat("objective ", DumpJson(item["metric"]), ": ",
                                  goal.status().message()));
    }
    metric.goal = *goal;
    VERNIER_ASSIGN_OR_RETURN(metric.reference, Number(item, "reference"));
    spec->metrics.push_back(std::move(metric));
  }
  Json outcomes = request;
  VERNIER_RETURN_IF_ERROR(TakeParameterConstraints(&outcomes, spec));
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Json> constraints,
                           ListOf(outcomes, "constraints"));
  for (const Json& item : constraints) {
    VERNIER_RETURN_IF_ERROR(CheckFields(item, {"metric", "min", "max"}));
    OutcomeConstraint constraint{item["metric"].get<std::string>()};
    VERNIER_ASSIGN_OR_RETURN(constraint.min, Number(item, "min"));
    VERNIER_ASSIGN_OR_RETURN(constraint.max, Number(item, "max"));
    spec->constraints.push_back(std::move(constraint));
  }
  return absl::OkStatus();
}

}  // namespace vernier
