#include "trials/submission/resumed_job.h"

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "study/config/config_tree.h"
#include "study/job_id.h"
#include "trials/study_names.h"

namespace vernier {
namespace {

constexpr const char* kInherited[] = {"goal", "params",
                                      "hyperparameterMetricTag"};

absl::Status Differs(const std::string& field, const std::string& previous) {
  return absl::InvalidArgumentError(absl::StrCat(
      "trainingInput.hyperparameters.", field,
      " must be left out or equal that of the resumed job \"", previous, "\""));
}

absl::Status CheckEqual(const HyperparameterSpec& merged,
                        const HyperparameterSpec& old,
                        const std::string& previous) {
  if (merged.goal != old.goal) return Differs("goal", previous);
  if (merged.params != old.params) return Differs("params", previous);
  if (merged.metric_tag != old.metric_tag) {
    return Differs("hyperparameterMetricTag", previous);
  }
  return absl::OkStatus();
}

// As the parser has it: neither null nor empty text is a value.
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
  const auto& old = previous->run->spec->training_input.hyperparameters;
  if (!old.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat(field, ": that job has no hyperparameters"));
  }
  if (!IsTerminal(previous->run->state)) {
    return absl::FailedPreconditionError(
        absl::StrCat(field, ": that job is still ",
                     std::string(ToString(previous->run->state)),
                     "; cancel it or wait for its end"));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::vector<FieldOverride> overrides,
                           SearchToTakeOver(job, previous->run->spec_json));
  VERNIER_ASSIGN_OR_RETURN(ParsedJob completed, WithOverrides(job, overrides));
  VERNIER_RETURN_IF_ERROR(
      CheckEqual(*completed.spec.training_input.hyperparameters, *old, name));
  return completed;
}

absl::StatusOr<std::vector<FieldOverride>> SearchToTakeOver(
    const ParsedJob& job, const std::string& previous) {
  VERNIER_ASSIGN_OR_RETURN(const Json old_json, ParseJson(previous));
  const Json& source = old_json["trainingInput"]["hyperparameters"];
  const JobDocument document = DocumentOf(job);
  std::vector<FieldOverride> overrides;
  for (const char* key : kInherited) {
    const std::vector<std::string> path = {"trainingInput", "hyperparameters",
                                           key};
    if (IsUnset(document.Find(path)) && source.contains(key)) {
      overrides.push_back({path, DumpJson(source[key]), "the resumed job"});
    }
  }
  return overrides;
}

}  // namespace vernier
