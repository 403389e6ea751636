#include "trials/submission/job_revision.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/counted_noun.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "store/objective_values.h"
#include "store/present_space.h"
#include "study/metric_renames.h"
#include "study/needed_metrics.h"
#include "study/search_edits.h"
#include "trials/submission/job_state_error.h"
#include "trials/submission/resumed_job.h"
#include "trials/submission/search_edit.h"
#include "trials/submission/spec_difference.h"

namespace vernier {
namespace {

// max_trials of a job's record is what users ask for plus made_up_trials, the
// trials that may run in place of ones that failed or were cancelled. Only the
// first part is compared with the maxTrials that a revision gives. A job that
// continues after an end or a pause (MakesUp) counts all trials so far that
// need a replacement anew, so no trial is replaced twice.

int CountMadeUpFor(JobRef job) {
  int count = 0;
  for (const auto& [cause, trials] : job->ended) {
    if (IsMadeUpFor(cause)) count += trials;
  }
  return count;
}

// Returns whether failed trials get replacements. A job that succeeded needs
// none, and a running one handles its failures itself.
bool MakesUp(JobRef job, const JobRevision& asked) {
  if (!asked.goes_on) return false;
  return IsTerminal(job.run().state) ? job.run().state != JobState::kSucceeded
                                     : job.run().wanted == JobWanted::kPause;
}

// Returns the initial points that the job did not have, in whatever space it
// had them.
std::vector<Parameters> NewPoints(JobRef job, const JobSpec& after) {
  const std::vector<ParameterSpec>& space = SearchSpaceOf(after);
  const auto edits =
      EditsAfter(PresentSpace(job).edits(), job->spec->parameters, space);
  std::vector<Parameters> points;
  std::vector<Parameters> old_points;
  for (const Parameters& point : job.run().spec->vernier.initial_points) {
    std::optional<Parameters> present = point;
    if (edits.has_value()) present = ParametersInSpace(space, *edits, point);
    if (present.has_value()) old_points.push_back(*std::move(present));
  }
  for (const Parameters& point : after.vernier.initial_points) {
    if (std::find(old_points.begin(), old_points.end(), point) ==
        old_points.end()) {
      points.push_back(point);
    }
  }
  return points;
}

absl::Status CheckRoom(JobRef job, const RevisionPlan& plan) {
  const std::size_t needed =
      job->trials.size() + job->queued.size() + plan.points.size();
  if (static_cast<std::size_t>(std::max(plan.max_trials, 0)) >= needed) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "job \"", job->name, "\" has ", Counted(job->trials.size(), "trial"),
      " already, and ", Counted(needed - job->trials.size(), "point"),
      " to try next: maxTrials must be at least ",
      static_cast<int>(needed) - plan.made_up_trials));
}

// Returns whether the revision leaves the stopping rule to the service, which
// the present version does not. A job of an earlier release that had the same
// field keeps its rule; see StudySpecOfStored.
bool LacksStoppingRule(const JobSpec& before, const JobSpec& after) {
  return AsksForOurStoppingRule(after) && !AsksForOurStoppingRule(before);
}

// If the search space is the same in another order, adds an override that
// restores the job's order, which its trials have.
absl::Status KeepOrderOfSpace(const JobRun& before, const JobSpec& after,
                              std::vector<FieldOverride>* overrides) {
  const auto& old_search = before.spec->training_input.hyperparameters;
  const auto& new_search = after.training_input.hyperparameters;
  if (!old_search.has_value() || !new_search.has_value() ||
      !IsSameSpaceReordered(old_search->params, new_search->params)) {
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(before.spec_json));
  const Json& search = job.at("trainingInput").at("hyperparameters");
  overrides->push_back({{"trainingInput", "hyperparameters", "params"},
                        DumpJson(search.at("params")),
                        "params"});
  return absl::OkStatus();
}

// Returns the names that the metrics of the job had before, once it is `given`,
// whose renamedFrom says which of the present metrics get new names. A metric
// that is gone takes its former names along; but an edit which says a former
// name in place of the present one must say that it renames the metric.
absl::StatusOr<FormerNames> FormerNamesAfter(JobRef job, const JobSpec& given,
                                             bool is_edit) {
  const std::vector<std::string> names = NeededMetrics(StudySpecOf(given));
  VERNIER_ASSIGN_OR_RETURN(
      const MetricRenames renames,
      PlanMetricRenames(*job->spec, given.vernier.renamed_from));
  FormerNames former = WithRenames(*job->spec, renames).renamed_from;
  std::erase_if(former, [&](const auto& each) {
    return std::find(names.begin(), names.end(), each.first) == names.end();
  });
  if (!is_edit) return former;
  for (const std::string& name : names) {
    const std::string* const metric = FindFormer(job->spec->renamed_from, name);
    const bool is_asked =
        std::any_of(renames.begin(), renames.end(),
                    [&](const auto& each) { return each.second == name; });
    if (metric == nullptr || *metric == name || is_asked ||
        former.count(*metric) > 0) {
      continue;
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "the metric \"", ShowText(name), "\" is called \"", ShowText(*metric),
        "\" now: say that, or rename it by renamedFrom: {", ShowText(name),
        ": [", ShowText(*metric), "]}"));
  }
  return former;
}

// Returns the changes of the search, in words.
absl::StatusOr<std::vector<std::string>> PlanSearch(JobRef job,
                                                    const JobRevision& asked,
                                                    const JobSpec& after) {
  VERNIER_RETURN_IF_ERROR(CheckSameAim(job, after));
  if (asked.edit.empty()) {
    VERNIER_RETURN_IF_ERROR(CheckSameNames(job, after));
    VERNIER_RETURN_IF_ERROR(CheckSameSpace(job, after));
    return std::vector<std::string>{};
  }
  const StudySpec spec = StudySpecOf(after);
  if (spec.parameters.empty()) return std::vector<std::string>{};
  return PlanEditOf(job, spec);
}

// The fields of a job that say what its metrics are.
constexpr char kMetricTag[] =
    "trainingInput.hyperparameters.hyperparameterMetricTag";
constexpr char kObjectives[] = "vernier.objectives";
constexpr char kOutcomeConstraints[] = "vernier.metricConstraints";
constexpr const char* kMetricFields[] = {kMetricTag, kObjectives,
                                         kOutcomeConstraints};
// The one that says how its program prints them.
constexpr char kPatterns[] = "vernier.metricPatterns";

// Returns the value of a field in the JSON of a job; null if it has none.
Json* FindValue(Json& job, std::string_view field) {
  Json* value = &job;
  for (const absl::string_view key :
       absl::StrSplit(absl::string_view(field.data(), field.size()), '.')) {
    const auto found = value->find(std::string(key));
    if (found == value->end()) return nullptr;
    value = &*found;
  }
  return value;
}

// Gives a field of the job's JSON new names of metrics: a name, or mappings
// that may have a `metric`.
void RenameIn(const MetricRenames& renames, Json* value) {
  if (value->is_string()) {
    const auto found = renames.find(value->get<std::string>());
    if (found != renames.end()) *value = found->second;
  } else if (value->is_array()) {
    for (Json& each : *value) {
      const auto metric = each.find("metric");
      if (metric != each.end()) RenameIn(renames, &*metric);
    }
  }
}

// Returns the JSON of the present job, with the names of its metrics in it that
// `given` has: PlanSearch tells the renames.
absl::StatusOr<std::string> WithMetricsOf(JobRef job, const ParsedJob& given) {
  const MetricRenames renames =
      RenamesBetween(*job->spec, StudySpecOf(given.spec));
  if (renames.empty()) return job.run().spec_json;
  VERNIER_ASSIGN_OR_RETURN(Json before, ParseJson(job.run().spec_json));
  VERNIER_ASSIGN_OR_RETURN(Json after, ParseJson(given.json));
  for (const char* field : kMetricFields) {
    const std::vector<std::string> path = absl::StrSplit(field, '.');
    Json* section = &before;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      section = &(*section)[path[i]];
    }
    const Json* const value = FindValue(after, field);
    if (value != nullptr) {
      (*section)[path.back()] = *value;
    } else if (section->is_object()) {
      // A job of AI Platform's may have no section of ours, which is null then.
      section->erase(path.back());
    }
  }
  Json* const patterns = FindValue(before, kPatterns);
  if (patterns != nullptr) RenameIn(renames, patterns);
  return DumpJson(before);
}

const FieldOverride* FindField(const std::vector<FieldOverride>& fields,
                               std::string_view name) {
  const auto found = std::find_if(
      fields.begin(), fields.end(),
      [&](const FieldOverride& each) { return each.flag == name; });
  return found == fields.end() ? nullptr : &*found;
}

FieldOverride FieldOf(const FormerNames& names) {
  return {absl::StrSplit(kRenamedFrom, '.'), DumpJson(Json(names)),
          kRenamedFrom};
}

// Completes an edit that has kRenamedFrom: adds the fields that name metrics
// and that it leaves out, with the new names, and says all former names.
// Nothing is renamed twice if an edit comes again.
absl::Status AddMetricFields(const ParsedJob& job,
                             std::vector<FieldOverride>* fields) {
  const FieldOverride* const asked = FindField(*fields, kRenamedFrom);
  const auto& tuning = job.spec.training_input.hyperparameters;
  if (asked == nullptr || !tuning.has_value()) return absl::OkStatus();
  const auto is_given = [&](const char* name) {
    return FindField(*fields, name) != nullptr;
  };
  std::vector<const char*> left_out;
  if (!is_given(kPatterns)) left_out.push_back(kPatterns);
  if (!is_given(kOutcomeConstraints)) left_out.push_back(kOutcomeConstraints);
  // The tag is that of the first objective.
  if (!is_given(kMetricTag) && !is_given(kObjectives)) {
    left_out.insert(left_out.end(), {kMetricTag, kObjectives});
  }
  VERNIER_ASSIGN_OR_RETURN(const FormerNames names,
                           RenamesOfEdit(asked->json_value));
  const StudySpec before = StudySpecOf(job.spec);
  VERNIER_ASSIGN_OR_RETURN(const MetricRenames renames,
                           PlanMetricRenames(before, names));
  VERNIER_ASSIGN_OR_RETURN(Json json, ParseJson(job.json));
  // A job may leave it out whose metric has AI Platform's usual name.
  json["trainingInput"]["hyperparameters"]["hyperparameterMetricTag"] =
      tuning->metric_tag;
  for (const char* name : left_out) {
    Json* const value = FindValue(json, name);
    if (value == nullptr) continue;
    RenameIn(renames, value);
    fields->push_back({absl::StrSplit(name, '.'), DumpJson(*value), name});
  }
  fields->push_back(FieldOf(WithRenames(before, renames).renamed_from));
  return absl::OkStatus();
}

// Returns the present job with the fields of the edit.
absl::StatusOr<ParsedJob> Edited(const ParsedJob& job,
                                 const std::string& edit) {
  VERNIER_ASSIGN_OR_RETURN(std::vector<FieldOverride> fields,
                           FieldsOfEdit(edit));
  VERNIER_RETURN_IF_ERROR(AddMetricFields(job, &fields));
  if (!job.spec.vernier.renamed_from.empty()) {
    // FormerNamesAfter adds the present ones again.
    fields.insert(fields.begin(), FieldOf(FormerNames()));
  }
  for (const FieldOverride& field : fields) {
    if (field.path.back() != "packageUris" &&
        field.path.back() != "packageSha256" &&
        field.path.back() != "secretsFile") {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("no edit can change ", field.flag,
                     ": submit the whole job again, under its name"));
  }
  return WithOverrides(job, fields);
}

}  // namespace

absl::StatusOr<ParsedJob> CompleteRevision(JobRef job,
                                           const JobRevision& asked) {
  if (asked.job.has_value() &&
      asked.job->spec.job_id != job.run().spec->job_id) {
    return absl::InvalidArgumentError(
        absl::StrCat("job \"", job.run().spec->job_id, "\" keeps its name: \"",
                     asked.job->spec.job_id, "\""));
  }
  ParsedJob given = asked.job.has_value()
                        ? *asked.job
                        : ParsedJob{*job.run().spec, job.run().spec_json,
                                    job.run().ignored_fields};
  if (!asked.edit.empty()) {
    VERNIER_ASSIGN_OR_RETURN(given, Edited(given, asked.edit));
    if (given.spec.job_id != job.run().spec->job_id) {
      return absl::InvalidArgumentError(
          absl::StrCat("job \"", job.run().spec->job_id,
                       "\" keeps its name: \"", given.spec.job_id, "\""));
    }
  }
  std::vector<FieldOverride> overrides;
  if (!asked.edit.empty()) {
    VERNIER_RETURN_IF_ERROR(
        KeepOrderOfSpace(job.run(), given.spec, &overrides));
  }
  if (asked.job.has_value()) {
    const auto& tuning = asked.job->spec.training_input.hyperparameters;
    const auto& old = job.run().spec->training_input.hyperparameters;
    if (tuning.has_value() && old.has_value() &&
        !tuning->resume_previous_job_id.empty() &&
        tuning->resume_previous_job_id == old->resume_previous_job_id) {
      VERNIER_ASSIGN_OR_RETURN(overrides,
                               SearchToTakeOver(given, job.run().spec_json));
    } else {
      VERNIER_RETURN_IF_ERROR(
          KeepOrderOfSpace(job.run(), given.spec, &overrides));
    }
  }
  VERNIER_ASSIGN_OR_RETURN(
      const FormerNames former,
      FormerNamesAfter(job, given.spec, !asked.edit.empty()));
  if (former != given.spec.vernier.renamed_from) {
    overrides.push_back(FieldOf(former));
  }
  if (LacksStoppingRule(*job.run().spec, given.spec)) {
    overrides.push_back(
        {{"vernier", "earlyStopping"}, R"("AUTO")", "earlyStopping"});
  }
  if (!asked.code_dir.empty()) {
    overrides.push_back(
        {{"vernier", "codeDir"}, DumpJson(Json(asked.code_dir)), "codeDir"});
  }
  if (overrides.empty()) return given;
  return WithOverrides(given, overrides);
}

absl::StatusOr<RevisionPlan> PlanRevision(JobRef job, const JobRevision& asked,
                                          const ParsedJob& given,
                                          bool has_new_code) {
  RevisionPlan plan;
  VERNIER_ASSIGN_OR_RETURN(plan.changes, PlanSearch(job, asked, given.spec));
  if (has_new_code) {
    const bool loses_code =
        given.spec.vernier.code_dir.empty() && !job.run().code_dir.empty();
    plan.changes.push_back(loses_code ? "no code folder" : "new code");
  }
  VERNIER_ASSIGN_OR_RETURN(const std::string before, WithMetricsOf(job, given));
  VERNIER_ASSIGN_OR_RETURN(std::vector<std::string> settings,
                           DescribeDifference(before, given.json));
  plan.changes.insert(plan.changes.end(), settings.begin(), settings.end());

  const int wanted_before = job.run().max_trials - job.run().made_up_trials;
  const int asked_for = MaxTrials(given.spec);
  int wanted = wanted_before;
  if (asked_for != MaxTrials(*job.run().spec) && asked_for != wanted_before) {
    // A job that has succeeded keeps its trials, so the number cannot fall.
    const bool is_kept =
        job.run().state == JobState::kSucceeded && asked_for < wanted_before;
    if (is_kept && !asked.edit.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat("job \"", job->name, "\" has succeeded with ",
                       Counted(wanted_before, "trial"),
                       ": maxTrials cannot fall to ", asked_for));
    }
    if (!is_kept) {
      plan.changes.push_back(
          absl::StrCat("maxTrials ", wanted_before, " -> ", asked_for));
      wanted = asked_for;
    }
  }
  plan.made_up_trials =
      MakesUp(job, asked) ? CountMadeUpFor(job) : job.run().made_up_trials;
  plan.max_trials = wanted + plan.made_up_trials;
  plan.points = NewPoints(job, given.spec);
  if (!plan.points.empty() && !asked.edit.empty() && !asked.goes_on &&
      IsTerminal(job.run().state)) {
    return WrongState(job,
                      "points to try first have no trial to come: extend or "
                      "resume it, then say them");
  }
  VERNIER_RETURN_IF_ERROR(CheckRoom(job, plan));
  return plan;
}

std::vector<Change> ChangesOf(const RevisionPlan& plan, JobRef job,
                              const JobRevision& asked, const ParsedJob& given,
                              const RevisedCode& code) {
  std::vector<Change> changes;
  if (!plan.changes.empty()) {
    const bool has_new_labels = given.spec.labels != job.run().spec->labels;
    changes.emplace_back(ReviseJob{
        job->id, job.run().code_version,
        std::make_shared<const JobSpec>(given.spec), given.json,
        given.ignored_fields, code.dir, code.digest,
        absl::StrJoin(plan.changes, ", "),
        has_new_labels ? given.spec.labels : job->labels, plan.max_trials,
        plan.made_up_trials, asked.request_id, DigestOf(job, asked)});
  } else if (plan.max_trials != job.run().max_trials ||
             plan.made_up_trials != job.run().made_up_trials) {
    changes.emplace_back(
        ExtendJob{job->id, plan.max_trials, plan.made_up_trials});
  }
  if (asked.restarts) changes.emplace_back(RestartOutdated{job->id});
  if (asked.goes_on && IsTerminal(job.run().state)) {
    changes.emplace_back(MoveJob{job->id, JobEvent::kReopen, ""});
  } else if (asked.goes_on && job.run().wanted == JobWanted::kPause) {
    changes.emplace_back(SetJobWanted{job->id, JobWanted::kRun,
                                      WantedCause::kUser, "resumed by a user"});
  }
  const bool takes_points = asked.goes_on || !IsTerminal(job.run().state);
  if (!plan.points.empty() && takes_points) {
    changes.emplace_back(QueuePoints{job->id, plan.points});
  }
  return changes;
}

bool NamesCode(const JobRevision& asked) {
  if (asked.job.has_value() || !asked.code_dir.empty()) return true;
  if (asked.edit.empty()) return false;
  const absl::StatusOr<Json> edit = ParseJson(asked.edit);
  return edit.ok() && edit->is_object() && edit->contains("vernier") &&
         edit->at("vernier").is_object() &&
         edit->at("vernier").contains("codeDir");
}

std::uint64_t DigestOf(JobRef job, const JobRevision& asked) {
  return StableDigest(absl::StrCat(
      "revision of ", ToInt(job->id), ":",
      asked.job.has_value() ? asked.job->json : WithSortedKeys(asked.edit), ":",
      asked.code_dir, ":", asked.goes_on ? "on" : "", ":",
      asked.restarts ? "restart" : ""));
}

}  // namespace vernier
