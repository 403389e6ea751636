#include "trials/submission/resumed_job.h"

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/config/config_tree.h"
#include "study/job_id.h"

namespace vernier {
namespace {

// Returns the paths of the fields that a job takes over from the one that it
// resumes.
const std::vector<std::vector<std::string>>& InheritedFields() {
  static const std::vector<std::vector<std::string>> kFields = {
      {"trainingInput", "hyperparameters", "goal"},
      {"trainingInput", "hyperparameters", "params"},
      {"trainingInput", "hyperparameters", "hyperparameterMetricTag"},
      {"vernier", "objectives"},
      {"vernier", "metricConstraints"},
      {"vernier", "renamedFrom"},
      {"vernier", "parameterConstraints"}};
  return kFields;
}

absl::Status Differs(const std::string& field, const std::string& previous) {
  return absl::InvalidArgumentError(absl::StrCat(
      field, " must be left out or equal that of the resumed job \"", previous,
      "\""));
}

absl::Status CheckEqual(const JobSpec& merged, const JobSpec& old,
                        const std::string& previous) {
  const HyperparameterSpec& tuning = *merged.training_input.hyperparameters;
  const HyperparameterSpec& before = *old.training_input.hyperparameters;
  const std::string section = "trainingInput.hyperparameters.";
  if (tuning.goal != before.goal) return Differs(section + "goal", previous);
  if (tuning.params != before.params) {
    return Differs(section + "params", previous);
  }
  if (tuning.metric_tag != before.metric_tag) {
    return Differs(section + "hyperparameterMetricTag", previous);
  }
  if (merged.vernier.objectives != old.vernier.objectives) {
    return Differs("vernier.objectives", previous);
  }
  if (merged.vernier.metric_constraints != old.vernier.metric_constraints) {
    return Differs("vernier.metricConstraints", previous);
  }
  if (merged.vernier.parameter_constraints !=
      old.vernier.parameter_constraints) {
    return Differs("vernier.parameterConstraints", previous);
  }
  return absl::OkStatus();
}

// Returns whether a field has no value. Neither null nor an empty text is one,
// as in the parser.
bool IsUnset(const ConfigNode* node) {
  return node == nullptr || node->kind == ConfigNode::Kind::kNull ||
         (node->kind == ConfigNode::Kind::kScalar && node->scalar.empty());
}

}  // namespace

absl::StatusOr<ParsedJob> CompleteResumedJob(const ParsedJob& job,
                                             const StoreSnapshot& snapshot,
                                             const std::string& project) {
  const auto& tuning = job.spec.training_input.hyperparameters;
  if (!tuning.has_value() || tuning->resume_previous_job_id.empty()) return job;
  const std::string& name = tuning->resume_previous_job_id;
  const std::string field = absl::StrCat(
      "trainingInput.hyperparameters.resumePreviousJobId \"", name, "\"");
  const auto previous = FindJob(snapshot, JobIdIn(project, name));
  if (previous == nullptr) {
    return absl::NotFoundError(absl::StrCat(field, ": there is no such job"));
  }
  const JobRun& run = JobOf(*previous).run();
  const JobSpec& old = *run.spec;
  if (!old.training_input.hyperparameters.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat(field, ": that job has no hyperparameters"));
  }
  if (!IsTerminal(run.state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        field, ": that job is still ", std::string(ToString(run.state)),
        "; cancel it or wait for its end"));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::vector<FieldOverride> overrides,
                           SearchToTakeOver(job, run.spec_json));
  VERNIER_ASSIGN_OR_RETURN(ParsedJob completed, WithOverrides(job, overrides));
  VERNIER_RETURN_IF_ERROR(CheckEqual(completed.spec, old, name));
  return completed;
}

absl::StatusOr<std::vector<FieldOverride>> SearchToTakeOver(
    const ParsedJob& job, const std::string& previous) {
  VERNIER_ASSIGN_OR_RETURN(const Json old_json, ParseJson(previous));
  const JobDocument document = DocumentOf(job);
  std::vector<FieldOverride> overrides;
  for (const std::vector<std::string>& path : InheritedFields()) {
    const Json* value = &old_json;
    for (const std::string& key : path) {
      const auto found = value->find(key);
      value = found == value->end() ? nullptr : &*found;
      if (value == nullptr) break;
    }
    if (value == nullptr || !IsUnset(document.Find(path))) continue;
    overrides.push_back({path, DumpJson(*value), "the resumed job"});
  }
  return overrides;
}

}  // namespace vernier
