#include "faces/suggest/suggest_session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/json_bounds.h"
#include "base/nearest_name.h"
#include "base/status_macros.h"
#include "cluster/metrics/python_json.h"
#include "edge/message_json.h"
#include "faces/messages/insights_message.h"
#include "faces/suggest/prior_studies.h"
#include "faces/suggest/suggest_request.h"
#include "study/parameter_object.h"
#include "suggest/insights/insights.h"
#include "trials/results/final_values.h"

namespace vernier {
namespace {

constexpr std::int64_t kMaxCount = 10'000;

constexpr double kMinLeaseSeconds = 1e-3;
constexpr double kMaxLeaseSeconds = 1e9;  // 32 years.

absl::StatusOr<TrialId> ReadId(const Json& request) {
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t id,
      Integer(request, "id", 1, std::numeric_limits<std::int64_t>::max()));
  return TrialId{id};
}

// Says whether a trial may have been stopped early, or else needs a value.
enum class MayBeStopped { kNo, kYes };

// Reads the field `values`: a number for each of the study's metrics.
absl::Status ReadValues(const Json& request, const StudySpec& spec,
                        TrialOutcome* outcome) {
  const auto found = request.find("values");
  if (found == request.end()) return absl::OkStatus();
  if (!found->is_object()) {
    return Invalid(
        absl::StrCat("values must be an object: ", DumpJson(*found)));
  }
  const std::vector<std::string> names = NeededMetrics(spec);
  VERNIER_RETURN_IF_ERROR(CheckFields(*found, {names.begin(), names.end()}));
  for (const std::string& name : names) {
    VERNIER_ASSIGN_OR_RETURN(const std::optional<double> value,
                             AnyNumber(*found, name.c_str()));
    if (!value.has_value()) {
      return Invalid(absl::StrCat("values must have ", name));
    }
    if (name == names.front()) {
      outcome->objective = value;
    } else {
      outcome->others.push_back({name, *value});
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<TrialOutcome> ReadOutcome(const Json& request,
                                         const StudySpec& spec,
                                         MayBeStopped may_be_stopped) {
  TrialOutcome outcome;
  VERNIER_ASSIGN_OR_RETURN(outcome.duration, Number(request, "duration"));
  if (HasOtherMetrics(spec)) {
    if (request.contains("value")) {
      return Invalid(
          "the study has several metrics: give \"values\", by their names");
    }
    VERNIER_RETURN_IF_ERROR(ReadValues(request, spec, &outcome));
  } else if (request.contains("values")) {
    return Invalid("the study has one metric: give \"value\"");
  } else {
    VERNIER_ASSIGN_OR_RETURN(outcome.objective, AnyNumber(request, "value"));
  }
  VERNIER_ASSIGN_OR_RETURN(outcome.variance, Number(request, "variance"));
  VERNIER_ASSIGN_OR_RETURN(const bool infeasible, ReadInfeasible(request));
  outcome.is_stopped_early = may_be_stopped == MayBeStopped::kYes &&
                             !request.contains("infeasible") &&
                             !outcome.objective.has_value();
  if (outcome.is_stopped_early) {
    if (!outcome.variance.has_value()) return outcome;
    return Invalid("a trial without a value has no variance");
  }
  if (infeasible == outcome.objective.has_value()) {
    return Invalid("give either a value or \"infeasible\": true");
  }
  if (infeasible && outcome.variance.has_value()) {
    return Invalid("an infeasible trial has no variance");
  }
  return outcome;
}

Json Describe(const AskTellStudy& study, const TrialRecord& trial) {
  const auto parameters =
      ParseJson(ParametersToObject(study.spec().parameters, trial.parameters));
  return {{"id", ToInt(trial.id)},
          {"parameters", parameters.ok() ? *parameters : Json::object()}};
}

// Describes a trial that is to be run.
Json DescribeAsked(const AskTellStudy& study, const TrialRecord& trial) {
  Json json = Describe(study, trial);
  const std::optional<PointRepeat>& repeat = trial.origin.record->repeat;
  if (repeat.has_value()) {
    json["repeatOf"] = repeat->trial;
    json["repeat"] = repeat->number;
  }
  if (!trial.origin.record->source.empty()) {
    json["source"] = trial.origin.record->source;
  }
  return json;
}

Json PointToJson(const PointMean& point) {
  Json json = {{"count", point.count}, {"mean", point.mean}};
  if (point.half_interval.has_value()) {
    json["low"] = point.mean - *point.half_interval;
    json["high"] = point.mean + *point.half_interval;
  }
  return json;
}

Json PredictionToJson(const Prediction& prediction) {
  return {{"mean", prediction.mean},
          {"low", prediction.low},
          {"high", prediction.high}};
}

Json Ok() { return {{"ok", true}}; }

absl::StatusOr<std::optional<AskTellStudy::Lease>> ReadLease(
    const Json& request, const Clock& clock) {
  VERNIER_ASSIGN_OR_RETURN(const std::optional<double> seconds,
                           Number(request, "leaseSeconds"));
  if (!seconds.has_value()) return std::nullopt;
  if (*seconds < kMinLeaseSeconds || *seconds > kMaxLeaseSeconds) {
    return Invalid(absl::StrCat("leaseSeconds must be in [", kMinLeaseSeconds,
                                ", ", kMaxLeaseSeconds, "]: ", *seconds));
  }
  const auto length = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double>(*seconds));
  return AskTellStudy::Lease{length, &clock};
}

absl::StatusOr<Json> Create(const Json& request, const Clock& clock,
                            std::optional<AskTellStudy>* study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(
      request,
      {"hyperparameters", "seed", "leaseSeconds", "earlyStopping", "objective",
       "objectives", "constraints", "repeats", "priorStudies", "beliefs"}));
  if (study->has_value()) {
    return absl::FailedPreconditionError(
        "there is a study already; one process serves one");
  }
  const auto found = request.find("hyperparameters");
  if (found == request.end() || !found->is_object()) {
    return Invalid("hyperparameters must be an object: a HyperparameterSpec");
  }
  std::int64_t seed = 0;
  if (request.contains("seed")) {
    VERNIER_ASSIGN_OR_RETURN(
        seed,
        Integer(request, "seed", 0, std::numeric_limits<std::int64_t>::max()));
  }
  Json hyperparameters = *found;
  // The goals are given with the objectives.
  if (request.contains("objectives") && !hyperparameters.contains("goal")) {
    hyperparameters["goal"] = "MAXIMIZE";
  }
  VERNIER_ASSIGN_OR_RETURN(StudySpec spec,
                           ReadHyperparameters(hyperparameters));
  VERNIER_RETURN_IF_ERROR(ReadMetrics(request, &spec));
  VERNIER_RETURN_IF_ERROR(ReadEarlyStopping(request, &spec));
  if (spec.metrics.size() > 1 && spec.stopping_rule != StoppingRule::kNone) {
    return Invalid(
        "earlyStopping is for one objective here, since a report has one "
        "value; jobs and studies of clients have it for several");
  }
  VERNIER_RETURN_IF_ERROR(ReadObjective(request, &spec));
  VERNIER_RETURN_IF_ERROR(ReadRepeats(request, &spec));
  VERNIER_RETURN_IF_ERROR(ReadBeliefs(request, &spec));
  if (spec.parameters.empty()) return Invalid("params must list a parameter");
  VERNIER_RETURN_IF_ERROR(ValidateMetrics(spec));
  VERNIER_RETURN_IF_ERROR(AskTellStudy::CheckSpace(spec));
  VERNIER_ASSIGN_OR_RETURN(auto priors, ReadPriorStudies(request, spec));
  VERNIER_ASSIGN_OR_RETURN(const std::optional<AskTellStudy::Lease> lease,
                           ReadLease(request, clock));
  study->emplace(std::move(spec), static_cast<std::uint64_t>(seed), lease);
  if (!priors->empty()) (*study)->SetPriors(std::move(priors));
  return Ok();
}

absl::StatusOr<Json> Ask(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {"count", "budgetLeft"}));
  std::int64_t count = 1;
  if (request.contains("count")) {
    VERNIER_ASSIGN_OR_RETURN(count, Integer(request, "count", 1, kMaxCount));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::optional<double> budget_left,
                           Number(request, "budgetLeft"));
  if (budget_left.has_value()) {
    if (*budget_left < 0 || *budget_left > 1) {
      return Invalid(absl::StrCat(
          "budgetLeft must be the part of a budget of time that is left, in "
          "[0, 1]: ",
          *budget_left));
    }
    study.SetTimeBudgetLeft(*budget_left);
  }
  VERNIER_ASSIGN_OR_RETURN(const auto trials,
                           study.Ask(static_cast<int>(count)));
  Json list = Json::array();
  for (const auto& trial : trials) {
    list.push_back(DescribeAsked(study, *trial));
  }
  return Json{{"trials", std::move(list)}};
}

absl::StatusOr<Json> Report(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {"id", "step", "value"}));
  VERNIER_ASSIGN_OR_RETURN(const TrialId id, ReadId(request));
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t step,
      Integer(request, "step", 0, std::numeric_limits<std::int64_t>::max()));
  VERNIER_ASSIGN_OR_RETURN(const std::optional<double> value,
                           AnyNumber(request, "value"));
  if (!value.has_value()) return Invalid("value is required");
  VERNIER_ASSIGN_OR_RETURN(const std::string reason,
                           study.Report(id, step, *value));
  Json answer = Ok();
  answer["stop"] = !reason.empty();
  if (!reason.empty()) answer["reason"] = reason;
  return answer;
}

absl::StatusOr<Json> Tell(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(
      request,
      {"id", "value", "values", "infeasible", "variance", "duration"}));
  VERNIER_ASSIGN_OR_RETURN(const TrialId id, ReadId(request));
  VERNIER_ASSIGN_OR_RETURN(
      const TrialOutcome outcome,
      ReadOutcome(request, study.spec(), MayBeStopped::kYes));
  VERNIER_RETURN_IF_ERROR(study.Tell(id, outcome));
  return Ok();
}

absl::StatusOr<Json> Abandon(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {"id"}));
  VERNIER_ASSIGN_OR_RETURN(const TrialId id, ReadId(request));
  VERNIER_RETURN_IF_ERROR(study.Abandon(id));
  return Ok();
}

absl::StatusOr<Parameters> ReadPoint(const Json& request,
                                     const AskTellStudy& study) {
  const auto found = request.find("parameters");
  if (found == request.end()) return Invalid("parameters is required");
  return ParametersFromObject(study.spec().parameters, DumpJson(*found));
}

absl::StatusOr<Json> Add(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(
      request,
      {"parameters", "value", "values", "infeasible", "variance", "duration"}));
  VERNIER_ASSIGN_OR_RETURN(Parameters parameters, ReadPoint(request, study));
  VERNIER_ASSIGN_OR_RETURN(
      const TrialOutcome outcome,
      ReadOutcome(request, study.spec(), MayBeStopped::kNo));
  VERNIER_ASSIGN_OR_RETURN(const TrialId id,
                           study.Add(std::move(parameters), outcome));
  Json answer = Ok();
  answer["id"] = ToInt(id);
  return answer;
}

absl::StatusOr<Json> Propose(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {"source", "parameters"}));
  const auto source = request.find("source");
  if (source == request.end() || !source->is_string()) {
    return Invalid("source is required: the name of who proposes the point");
  }
  VERNIER_ASSIGN_OR_RETURN(Parameters parameters, ReadPoint(request, study));
  VERNIER_RETURN_IF_ERROR(
      study.Propose(source->get<std::string>(), std::move(parameters)));
  return Ok();
}

absl::StatusOr<Json> Why(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {"id"}));
  VERNIER_ASSIGN_OR_RETURN(const TrialId id, ReadId(request));
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial, study.Find(id));
  const SuggestionRecord& record = *trial->origin.record;
  Json answer = {{"id", ToInt(id)},
                 {"method", MethodName(record.method)},
                 {"text", DescribeSuggestion(record)},
                 {"numCompleted", record.num_completed},
                 {"numPending", record.num_pending}};
  if (record.num_fitted > 0) answer["numFitted"] = record.num_fitted;
  if (record.prediction.has_value()) {
    answer["prediction"] = PredictionToJson(*record.prediction);
  }
  if (record.repeat.has_value()) {
    answer["repeatOf"] = record.repeat->trial;
    answer["repeat"] = record.repeat->number;
  }
  if (record.success_probability.has_value()) {
    answer["successProbability"] = *record.success_probability;
  }
  if (!record.learned_from.empty()) {
    answer["learnedFrom"] = record.learned_from;
  }
  if (!record.source.empty()) answer["source"] = record.source;
  if (record.follows_beliefs) answer["followsBeliefs"] = true;
  if (record.acquisition.has_value()) {
    answer["acquisition"] = *record.acquisition;
  }
  if (!record.fallback.empty()) answer["fallback"] = record.fallback;
  return answer;
}

Json ValuesToJson(const StudySpec& spec, const TrialRecord& trial) {
  Json json = Json::object();
  for (const std::string& name : NeededMetrics(spec)) {
    const std::optional<double> value = FinalValueOf(spec, trial, name);
    if (value.has_value()) json[name] = *value;
  }
  return json;
}

absl::StatusOr<Json> DescribeFront(const AskTellStudy& study) {
  const std::optional<Front> front = study.FindFront();
  if (!front.has_value()) {
    return absl::NotFoundError(
        study.spec().constraints.empty()
            ? "no trial has all values yet"
            : "no trial has all values and meets all constraints yet");
  }
  Json trials = Json::array();
  for (const TrialId id : front->trials) {
    VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial, study.Find(id));
    Json json = Describe(study, *trial);
    json["values"] = ValuesToJson(study.spec(), *trial);
    trials.push_back(std::move(json));
  }
  Json reference = Json::object();
  for (std::size_t k = 0; k < front->reference.size(); ++k) {
    reference[study.spec().metrics[k].name] = front->reference[k];
  }
  Json answer = {{"front", std::move(trials)}};
  if (front->hypervolume.has_value()) {
    answer["hypervolume"] = *front->hypervolume;
  } else {
    answer["noHypervolume"] = front->why_no_hypervolume;
  }
  answer["reference"] = std::move(reference);
  return answer;
}

absl::StatusOr<Json> Best(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {}));
  if (study.spec().metrics.size() > 1) return DescribeFront(study);
  VERNIER_ASSIGN_OR_RETURN(const std::optional<AskTellStudy::Best> best,
                           study.FindBest());
  if (!best.has_value()) {
    return absl::NotFoundError(
        study.spec().constraints.empty()
            ? "no trial has a value yet"
            : "no trial has a value and meets all constraints yet");
  }
  const auto describe = [&](const TrialRecord& trial,
                            const std::optional<PointMean>& point) {
    Json json = Describe(study, trial);
    if (point.has_value()) json["point"] = PointToJson(*point);
    json["value"] = trial.final_measurement->value;
    if (HasOtherMetrics(study.spec())) {
      json["values"] = ValuesToJson(study.spec(), trial);
    }
    return json;
  };
  Json answer = {
      {"best", describe(*best->seen, best->seen_point)},
      {"recommended", describe(*best->recommended, best->recommended_point)}};
  if (best->prediction.has_value()) {
    answer["recommended"]["prediction"] = PredictionToJson(*best->prediction);
  }
  return answer;
}

// Reads the field `contours`: pairs of parameters.
absl::StatusOr<InsightsRequest> ReadContours(const Json& request) {
  InsightsRequest asked;
  const auto found = request.find("contours");
  if (found == request.end()) return asked;
  const auto is_pair = [](const Json& each) {
    return each.is_array() && each.size() == 2 && each[0].is_string() &&
           each[1].is_string();
  };
  if (!found->is_array() ||
      !std::all_of(found->begin(), found->end(), is_pair)) {
    return Invalid(absl::StrCat(
        "contours must list pairs of parameters, as in [[\"a\",\"b\"]]: ",
        DumpJson(*found)));
  }
  for (const Json& pair : *found) asked.contours.emplace_back(pair[0], pair[1]);
  return asked;
}

// Reads the field `metric`: the position of one of the objectives.
absl::StatusOr<std::size_t> ReadMetric(const Json& request,
                                       const StudySpec& spec) {
  const auto found = request.find("metric");
  if (found == request.end()) return 0;
  const auto metric = std::find_if(
      spec.metrics.begin(), spec.metrics.end(),
      [&](const MetricGoal& each) { return *found == Json(each.name); });
  if (metric != spec.metrics.end()) return metric - spec.metrics.begin();
  return Invalid(absl::StrCat("metric must be the name of an objective: ",
                              DumpJson(*found)));
}

// The same answer as the service's GetInsights.
absl::StatusOr<Json> Examine(const Json& request, AskTellStudy& study) {
  VERNIER_RETURN_IF_ERROR(CheckFields(request, {"contours", "metric"}));
  VERNIER_ASSIGN_OR_RETURN(const InsightsRequest asked, ReadContours(request));
  VERNIER_ASSIGN_OR_RETURN(const std::size_t metric,
                           ReadMetric(request, study.spec()));
  VERNIER_ASSIGN_OR_RETURN(const auto insights, study.Examine(asked, metric));
  VERNIER_ASSIGN_OR_RETURN(const std::string json,
                           JsonOf(ToProto(study.snapshot(), *insights)));
  return ParseJson(json);
}

using Operation = absl::StatusOr<Json> (*)(const Json&, AskTellStudy&);

constexpr std::pair<std::string_view, Operation> kOperations[] = {
    {"ask", &Ask},         {"report", &Report}, {"tell", &Tell},
    {"abandon", &Abandon}, {"add", &Add},       {"propose", &Propose},
    {"why", &Why},         {"best", &Best},     {"insights", &Examine},
};

// Returns "create, ask, ... best or insights", with " or " as the last join.
std::string OperationNames(const char* last_join) {
  std::string names = "create";
  for (const auto& operation : kOperations) {
    const bool is_last = &operation == std::end(kOperations) - 1;
    absl::StrAppend(&names, is_last ? last_join : ", ",
                    std::string(operation.first));
  }
  return names;
}

// Parses a request; also accepts the tokens that Python writes for numbers that
// are not finite.
absl::StatusOr<Json> ReadRequest(std::string_view line) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(line));
  if (auto request = ParsePythonObject(TrimmedJson(line))) {
    return *std::move(request);
  }
  VERNIER_RETURN_IF_ERROR(ParseJson(line).status());
  return Invalid("a request must be an object");
}

absl::StatusOr<Json> Dispatch(std::string_view line, const Clock& clock,
                              std::optional<AskTellStudy>* study) {
  VERNIER_ASSIGN_OR_RETURN(const Json request, ReadRequest(line));
  const auto op = request.find("op");
  if (op == request.end() || !op->is_string()) {
    return Invalid(absl::StrCat("op is required: ", OperationNames(" or ")));
  }
  const std::string& name = op->get_ref<const std::string&>();
  if (name == "create") return Create(request, clock, study);
  for (const auto& [known, operation] : kOperations) {
    if (known != name) continue;
    if (!study->has_value()) {
      return absl::FailedPreconditionError(
          "there is no study yet; send create first");
    }
    return operation(request, **study);
  }
  return Invalid(absl::StrCat("unknown op \"", name, "\"; known are ",
                              OperationNames(" and ")));
}

}  // namespace

std::string SuggestSession::Answer(std::string_view line) {
  const absl::StatusOr<Json> answer = Dispatch(line, clock_, &study_);
  if (answer.ok()) return DumpJson(*answer);
  return DumpJson(
      Json{{"error",
            {{"code", absl::StatusCodeToString(answer.status().code())},
             {"message", std::string(answer.status().message())}}}});
}

bool SuggestSession::Prepare() {
  return study_.has_value() && study_->Prepare();
}

}  // namespace vernier
