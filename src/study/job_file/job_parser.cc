#include "study/job_file/job_parser.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/config/config_reader.h"
#include "study/config/config_tree.h"
#include "study/config/object_reader.h"
#include "study/config/spec_diagnostics.h"
#include "study/former_names_rule.h"
#include "study/job_file/foreign_file.h"
#include "study/job_file/job_sections.h"
#include "study/job_id.h"
#include "study/job_name_rule.h"
#include "study/labels.h"
#include "study/needed_metrics.h"
#include "study/study_spec.h"

namespace vernier {
namespace {

// Fields that the service sets. A file that was copied from `describe` contains
// them, so they are accepted and left out.
constexpr std::string_view kOutputFields[] = {
    "createTime",     "startTime",        "endTime",      "state",      "etag",
    "trainingOutput", "predictionOutput", "errorMessage", "jobPosition"};

std::map<std::string, std::string> ReadLabels(ObjectReader& job) {
  const std::string rule(kLabelRule);
  std::map<std::string, std::string> labels =
      job.StringMap("labels", kMaxLabels);
  for (const auto& [key, value] : labels) {
    if (key.empty() || !IsLabelText(key)) {
      job.EntryError("labels", key, "the name " + rule);
    }
    if (!IsLabelText(value)) {
      job.EntryError("labels", key,
                     "the value " + rule + ": \"" + ShowText(value) + "\"");
    }
  }
  return labels;
}

std::string ReadJobId(ObjectReader& job, bool is_required) {
  std::string job_id = job.String("jobId").value_or("");
  if (!job_id.empty() && !IsJobName(job_id)) {
    job.ValueError("jobId", std::string(kJobNameRule));
  } else if (is_required && !job.Has("jobId")) {
    job.Error("jobId", "is required");
  }
  return job_id;
}

void CheckHasProgram(ObjectReader& training_input, const JobSpec& spec) {
  const TrainingInput& input = spec.training_input;
  const ReplicaConfig& master = input.master.config;
  if (!spec.vernier.command.empty() || !master.container_command.empty() ||
      !input.python_module.empty() || !master.image_uri.empty()) {
    return;
  }
  training_input.Error(
      "pythonModule",
      "there is no program to run; give it as vernier.command, "
      "trainingInput.masterConfig.containerCommand, "
      "trainingInput.masterConfig.imageUri or trainingInput.pythonModule");
}

// Checks that replicas that share a GPU have exactly one GPU each.
void CheckGpuShares(ObjectReader& vernier, const JobSpec& spec) {
  if (!spec.vernier.gpu_memory_mb.has_value()) return;
  const TrainingInput& input = spec.training_input;
  int most = 0;
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    if (role->count > 0) most = std::max(most, GpusPerReplica(spec, *role));
  }
  if (most == 1) return;
  vernier.Error("gpuMemoryPerReplica",
                absl::StrCat("is for replicas with one GPU, such as by "
                             "gpusPerReplica: 1; these have ",
                             most));
}

// Checks fields that are only for one metric, or only for tuning.
void CheckMetrics(ObjectReader& vernier, const JobSpec& spec) {
  const VernierSection& section = spec.vernier;
  if (!spec.training_input.hyperparameters.has_value()) {
    for (const char* key : {"objectives", "metricConstraints"}) {
      if (vernier.Has(key)) {
        vernier.Error(key, "is for a job with trainingInput.hyperparameters");
      }
    }
    return;
  }
  const bool has_others =
      section.objectives.size() > 1 || !section.metric_constraints.empty();
  if (!has_others) return;
  if (section.objective_reduction != ObjectiveReduction::kLast) {
    vernier.Error("objectiveReduction",
                  "must be LAST with several metrics or constraints: the best "
                  "values of each would be of different steps");
  }
  if (section.objectives.size() < 2) return;
  for (const auto& [field, is_given] :
       {std::pair("target", section.limits.target.has_value()),
        std::pair("noProgress", section.limits.no_progress.has_value())}) {
    if (!is_given) continue;
    vernier.Error("limits", absl::StrCat("has ", field,
                                         ", which is for one metric; this job "
                                         "has ",
                                         section.objectives.size()));
  }
}

void CheckRepeats(ObjectReader& vernier, const JobSpec& spec) {
  if (!IsRepeating(spec.vernier.repeats)) return;
  const std::string why = WhyNotRepeated(StudySpecOf(spec));
  if (!why.empty()) vernier.Error("repeats", why);
}

void CheckFormerNames(ObjectReader& vernier, const JobSpec& spec) {
  if (spec.vernier.renamed_from.empty()) return;
  const std::string why =
      WhyNoFormerNames(spec.vernier.renamed_from, NeededMetrics(spec));
  if (!why.empty()) vernier.Error("renamedFrom", why);
}

void CheckPriorStudies(ObjectReader& vernier, const JobSpec& spec) {
  const StudySpec study = StudySpecOf(spec);
  const std::string no_priors = WhyNoPriorStudies(study);
  if (!no_priors.empty()) vernier.Error("priorStudies", no_priors);
  const std::string no_rename = WhyNoPriorRename(study);
  if (!no_rename.empty()) vernier.Error("priorRename", no_rename);
}

// Returns all words of the job's commands, except its programs.
std::vector<std::string> CommandWords(const JobSpec& spec) {
  const TrainingInput& input = spec.training_input;
  std::vector<std::string> words = input.args;
  const auto add = [&words](const std::vector<std::string>& more,
                            std::size_t first) {
    for (std::size_t i = first; i < more.size(); ++i) words.push_back(more[i]);
  };
  add(spec.vernier.command, 1);
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    add(role->config.container_command, 1);
    add(role->config.container_args, 0);
  }
  return words;
}

// Checks that each place of a parameter can be filled. The parameters of a job
// that is resumed are not known yet.
void CheckPlaces(ObjectReader& vernier, const JobSpec& spec) {
  const std::vector<ParameterSpec>& space = SearchSpaceOf(spec);
  if (spec.vernier.arg_style != ArgStyle::kPlaceholders || space.empty()) {
    return;
  }
  const std::vector<std::string> words = CommandWords(spec);
  bool is_any = false;
  for (const ParameterSpec& parameter : space) {
    const std::string place = PlaceOf(parameter.name);
    const bool is_there = std::any_of(
        words.begin(), words.end(), [&place](const std::string& word) {
          return word.find(place) != std::string::npos;
        });
    is_any = is_any || is_there;
    if (!is_there || !parameter.condition.has_value()) continue;
    vernier.Error("command",
                  "must have no place " + ShowText(place) +
                      ", since the parameter is not always active; without "
                      "one it is appended where it is");
  }
  if (is_any) return;
  vernier.Error("argStyle",
                "is PLACEHOLDERS, but no word of the command is a place such "
                "as " +
                    ShowText(PlaceOf(space.front().name)));
}

// Constraints, points and beliefs are read last because they are about the
// parameters.
void ReadWhatIsAboutParameters(ObjectReader& vernier,
                               const SpecDiagnostics& diagnostics,
                               bool must_be_complete, JobSpec& spec) {
  const bool is_broken =
      diagnostics.HasErrorsBelow("trainingInput.hyperparameters.params");
  const SpaceKnowledge space =
      is_broken ? SpaceKnowledge::kBroken : SpaceKnowledge::kSound;
  spec.vernier.parameter_constraints = ReadParameterConstraints(
      vernier, spec.training_input, space, must_be_complete);
  spec.vernier.initial_points = ReadInitialPoints(
      vernier, spec.training_input, spec.vernier.parameter_constraints, space,
      must_be_complete);
  spec.vernier.beliefs =
      ReadBeliefs(vernier, spec.training_input, space, must_be_complete);
  const std::string no_beliefs = WhyNoBeliefs(StudySpecOf(spec));
  if (!no_beliefs.empty()) vernier.Error("beliefs", no_beliefs);
}

JobSpec ReadJob(ObjectReader& job, const SpecDiagnostics& diagnostics,
                JobCompleteness completeness) {
  const bool must_be_complete = MustBeComplete(completeness);
  JobSpec spec;
  spec.job_id = ReadJobId(job, must_be_complete);
  spec.labels = ReadLabels(job);
  for (const std::string_view key : kOutputFields) job.SkipOutput(key);
  if (job.Has("predictionInput")) {
    job.Error("predictionInput",
              "only training is served here; give trainingInput");
  }
  // This section is read before trainingInput, whose rules depend on it, and
  // written after it.
  ObjectReader vernier = job.Child("vernier");
  spec.vernier = ReadVernierSection(vernier);
  ObjectReader training_input = job.Child("trainingInput");
  if (must_be_complete && !job.Has("trainingInput")) {
    job.Error("trainingInput", "is required");
  }
  spec.training_input =
      ReadTrainingInput(training_input, spec.vernier, completeness);
  if (must_be_complete && training_input.is_present()) {
    CheckHasProgram(training_input, spec);
  }
  // An edit need not repeat what these fields are about.
  if (completeness != JobCompleteness::kEdit) {
    CheckMetrics(vernier, spec);
    CheckRepeats(vernier, spec);
    CheckFormerNames(vernier, spec);
    CheckPriorStudies(vernier, spec);
  }
  CheckGpuShares(vernier, spec);
  if (must_be_complete) CheckPlaces(vernier, spec);
  ReadWhatIsAboutParameters(vernier, diagnostics, must_be_complete, spec);
  job.Attach("trainingInput", training_input);
  job.Attach("vernier", vernier);
  job.Finish();
  return spec;
}

absl::Status ToStatus(const std::vector<SpecError>& errors) {
  std::string message;
  for (const SpecError& error : errors) {
    if (!message.empty()) message += '\n';
    message += FormatSpecError(error);
  }
  return absl::InvalidArgumentError(message);
}

}  // namespace

absl::StatusOr<ParsedJob> ParseJob(std::string_view text,
                                   const ParseJobOptions& options,
                                   std::vector<SpecError>* errors) {
  return JobDocument(text, options.file_name)
      .ToJob(options.require_job_id ? JobCompleteness::kRequired
                                    : JobCompleteness::kMayBeAdded,
             errors);
}

absl::StatusOr<ParsedJob> ParseStoredJob(std::string_view json) {
  return JobDocument(json, "").ToJob(JobCompleteness::kStored);
}

absl::StatusOr<ParsedJob> JobDocument::ToJob(
    JobCompleteness completeness, std::vector<SpecError>* errors) const {
  SpecDiagnostics diagnostics = diagnostics_;
  if (completeness == JobCompleteness::kStored) diagnostics.MarkStored();
  ParsedJob parsed;
  // For a file of another tool, a list of all the job's fields that it has not
  // would not help.
  const std::string foreign = ForeignFileMessage(text_root_);
  if (!foreign.empty()) {
    diagnostics.AddError({}, "", foreign);
  } else if (is_readable_) {
    ObjectReader job(root_, {}, "", diagnostics);
    // For a file that is no mapping at all, missing fields are not reported.
    if (!diagnostics.has_errors() || job.is_present()) {
      parsed.spec = ReadJob(job, diagnostics, completeness);
    }
    parsed.json = job.json();
  }
  parsed.ignored_fields = diagnostics.TakeIgnored();
  parsed.notes = diagnostics.TakeNotes();
  std::vector<SpecError> found = diagnostics.TakeErrors();
  if (errors != nullptr) *errors = found;
  if (!found.empty()) return ToStatus(found);
  parsed.document = *this;
  return parsed;
}

JobDocument DocumentOf(const ParsedJob& job) {
  return job.document.has_value() ? *job.document : JobDocument(job.json, "");
}

absl::StatusOr<ParsedJob> WithOverrides(
    const ParsedJob& job, const std::vector<FieldOverride>& overrides) {
  JobDocument document = DocumentOf(job);
  document.Override(overrides);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob changed, document.ToJob());
  changed.secrets = job.secrets;
  return changed;
}

absl::StatusOr<HyperparameterSpec> ParseHyperparameters(std::string_view text) {
  SpecDiagnostics diagnostics("");
  ConfigTree tree;
  HyperparameterSpec spec;
  if (ReadConfig(text, tree, diagnostics)) {
    ObjectReader section(tree.root, {}, "", diagnostics);
    if (!diagnostics.has_errors() || section.is_present()) {
      spec = ReadHyperparameters(section, VernierSection{},
                                 {.with_additions = true});
      section.Finish();
    }
  }
  const std::vector<SpecError> found = diagnostics.TakeErrors();
  if (!found.empty()) return ToStatus(found);
  return spec;
}

}  // namespace vernier
