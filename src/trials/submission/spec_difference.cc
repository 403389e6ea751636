#include "trials/submission/spec_difference.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "store/objective_values.h"
#include "study/metric_renames.h"
#include "study/needed_metrics.h"
#include "trials/submission/search_edit.h"

namespace vernier {
namespace {

// The longest value that a message shows, in bytes.
constexpr std::size_t kLongestValue = 40;

// Returns whether the field is compared elsewhere, by its meaning.
bool IsLeftOut(const std::string& path) {
  static const auto* const kLeftOut = new std::set<std::string>{
      "jobId",
      "vernier.codeDir",
      "vernier.codeNotes",
      "vernier.seed",
      "trainingInput.hyperparameters.maxTrials",
      "trainingInput.hyperparameters.goal",
      "trainingInput.hyperparameters.params",
      "trainingInput.hyperparameters.resumePreviousJobId",
      "vernier.objectiveReduction",
      "vernier.renamedFrom",
      "vernier.parameterConstraints",
      "vernier.secretNames",  // secretsFile shows their changes.
  };
  return kLeftOut->count(path) > 0;
}

// Returns whether the field is a map whose names and values are the user's own,
// not settings.
bool IsMap(const std::string& path) {
  return path == "vernier.environment" || path == "vernier.callerEnvironment" ||
         path == "vernier.packageSha256" || path == "vernier.priorRename" ||
         path == "labels";
}

std::string ShortName(const std::string& path) {
  for (const char* prefix :
       {"trainingInput.hyperparameters.", "trainingInput.", "vernier."}) {
    if (path.rfind(prefix, 0) == 0) {
      return path.substr(std::string(prefix).size());
    }
  }
  return path;
}

const Json& Member(const Json& json, const std::string& key) {
  static const Json* const kNone = new Json();
  const auto found = json.find(key);
  return found == json.end() ? *kNone : *found;
}

std::set<std::string> KeysOf(const Json& a, const Json& b) {
  std::set<std::string> keys;
  for (const Json* json : {&a, &b}) {
    if (!json->is_object()) continue;
    for (const auto& [key, value] : json->items()) keys.insert(key);
  }
  return keys;
}

std::string ValueText(const Json& json) {
  return json.is_null() ? "unset" : PlainText(json);
}

bool IsTold(const Json& json) {
  return !json.is_structured() && ValueText(json).size() <= kLongestValue;
}

/// Walks both trees together and collects the differences.
class Comparison {
 public:
  void Compare(const std::string& path, const Json& before, const Json& after) {
    if (before == after || (before.empty() && after.empty())) return;
    if (IsLeftOut(path)) return;
    if (IsMap(path)) return CompareMaps(path, before, after);
    if (path == "vernier.secretsFile") {
      changes_.push_back("secrets changed");
      return;
    }
    const bool is_section = (before.is_object() || before.is_null()) &&
                            (after.is_object() || after.is_null());
    if (is_section) {
      for (const std::string& key : KeysOf(before, after)) {
        Compare(path.empty() ? key : absl::StrCat(path, ".", key),
                before.is_null() ? before : Member(before, key),
                after.is_null() ? after : Member(after, key));
      }
      return;
    }
    if (IsTold(before) && IsTold(after)) {
      changes_.push_back(absl::StrCat(ShortName(path), " ", ValueText(before),
                                      " -> ", ValueText(after)));
    } else {
      changes_.push_back(absl::StrCat(ShortName(path), " changed"));
    }
  }

  std::vector<std::string> Take() { return std::move(changes_); }

 private:
  // Only names are shown, because values may be secrets.
  void CompareMaps(const std::string& path, const Json& before,
                   const Json& after) {
    std::vector<std::string> names;
    for (const std::string& key : KeysOf(before, after)) {
      const Json none;
      const Json& a = before.is_object() ? Member(before, key) : none;
      const Json& b = after.is_object() ? Member(after, key) : none;
      if (a != b) names.push_back(key);
    }
    if (names.empty()) return;
    changes_.push_back(absl::StrCat(ShortName(path), " changed (",
                                    absl::StrJoin(names, ", "), ")"));
  }

  std::vector<std::string> changes_;
};

absl::Status DiffersFrom(JobRef job, const std::string& what) {
  return absl::FailedPreconditionError(absl::StrCat(
      "job \"", job.run().spec->job_id,
      "\" exists and searches otherwise: ", what, "; ", NewSearchText(job)));
}

absl::Status SearchesElsewhere(const JobSpec& job, const std::string& what) {
  return absl::FailedPreconditionError(absl::StrCat(
      "job \"", job.job_id, "\" exists and searches otherwise: ", what,
      "; a new search needs a name of its own, and this one is edited by "
      "`vernier jobs update ",
      job.job_id, " --config FILE`"));
}

std::string GoalName(Goal goal) {
  return goal == Goal::kMaximize ? "MAXIMIZE" : "MINIMIZE";
}

std::string SpaceDifference(const std::vector<ParameterSpec>& before,
                            const std::vector<ParameterSpec>& after) {
  std::vector<std::string> names;
  const auto collect = [&names](const auto& from, const auto& other) {
    for (const ParameterSpec& spec : from) {
      bool is_there = false;
      for (const ParameterSpec& each : other) is_there |= each == spec;
      if (is_there) continue;
      bool is_new = true;
      for (const std::string& name : names) is_new &= name != spec.name;
      if (is_new) names.push_back(spec.name);
    }
  };
  collect(before, after);
  collect(after, before);
  if (names.empty()) return "the params have another order";
  return absl::StrCat("params differ in ", absl::StrJoin(names, ", "));
}

// Returns those of `from` that are not in `in`.
template <typename T>
std::vector<T> Missing(const std::vector<T>& from, const std::vector<T>& in) {
  std::vector<T> found;
  for (const T& each : from) {
    if (std::find(in.begin(), in.end(), each) == in.end()) {
      found.push_back(each);
    }
  }
  return found;
}

std::string ConstraintDifference(
    const std::vector<ParameterConstraint>& before,
    const std::vector<ParameterConstraint>& after) {
  const auto gone = Missing(before, after);
  const auto added = Missing(after, before);
  if (gone.empty() && added.empty()) {
    return "the parameterConstraints have another order";
  }
  if (added.empty()) {
    return absl::StrCat("parameterConstraints has no ", QuotedTexts(gone),
                        " any more");
  }
  return absl::StrCat("parameterConstraints has ", QuotedTexts(added),
                      gone.empty() ? "" : " in place of ", QuotedTexts(gone));
}

// Says in which metrics two jobs differ, and how an edit says that a new name
// is of a metric that there is.
std::string MetricDifference(const JobSpec& before, const JobSpec& after) {
  std::string text = "vernier.metricConstraints are others";
  const auto& old_search = before.training_input.hyperparameters;
  const auto& new_search = after.training_input.hyperparameters;
  if (old_search->metric_tag != new_search->metric_tag) {
    text =
        absl::StrCat("hyperparameterMetricTag was \"", old_search->metric_tag,
                     "\" and is \"", new_search->metric_tag, "\"");
  } else if (before.vernier.objectives != after.vernier.objectives) {
    text = "vernier.objectives are others";
  }
  const std::vector<std::string> old_names = NeededMetrics(before);
  const std::vector<std::string> new_names = NeededMetrics(after);
  const auto gone = Missing(old_names, new_names);
  const auto added = Missing(new_names, old_names);
  if (gone.empty() || added.empty()) return text;
  return absl::StrCat(text, "; if ", added.front(),
                      gone.size() == 1 ? " is only a new name of "
                                       : " is only a new name of one of ",
                      absl::StrJoin(gone, ", "),
                      ", an edit says so by "
                      "vernier.renamedFrom: {",
                      added.front(), ": [", gone.front(), "]}");
}

// Returns whether two parameters are the same. The order of categories, and of
// a condition's values, does not matter. A condition refers to its parent by
// its position in the list.
bool IsSameParameter(const std::vector<ParameterSpec>& space,
                     const ParameterSpec& spec,
                     const std::vector<ParameterSpec>& other_space,
                     const ParameterSpec& other) {
  if (spec.name != other.name ||
      spec.condition.has_value() != other.condition.has_value()) {
    return false;
  }
  const auto plain = [](ParameterSpec parameter) {
    parameter.condition.reset();
    std::sort(parameter.categorical_values.begin(),
              parameter.categorical_values.end());
    return parameter;
  };
  if (plain(spec) != plain(other)) return false;
  if (!spec.condition.has_value()) return true;
  const auto& here = spec.condition->values;
  const auto& there = other.condition->values;
  return std::is_permutation(here.begin(), here.end(), there.begin(),
                             there.end()) &&
         IsSameParameter(space, space[spec.condition->parent], other_space,
                         other_space[other.condition->parent]);
}

}  // namespace

bool IsSameSpaceReordered(const std::vector<ParameterSpec>& before,
                          const std::vector<ParameterSpec>& after) {
  if (before == after || before.size() != after.size()) return false;
  std::vector<bool> is_taken(after.size(), false);
  for (const ParameterSpec& spec : before) {
    std::size_t i = 0;
    while (i < after.size() &&
           (is_taken[i] || !IsSameParameter(before, spec, after, after[i]))) {
      ++i;
    }
    if (i == after.size()) return false;
    is_taken[i] = true;
  }
  return true;
}

absl::StatusOr<std::vector<std::string>> DescribeDifference(
    const std::string& before, const std::string& after) {
  VERNIER_ASSIGN_OR_RETURN(const Json old_json, ParseJson(before));
  VERNIER_ASSIGN_OR_RETURN(const Json new_json, ParseJson(after));
  Comparison comparison;
  comparison.Compare("", old_json, new_json);
  return comparison.Take();
}

absl::Status CheckSameAim(JobRef job, const JobSpec& after) {
  const JobSpec& before = *job.run().spec;
  const auto& old_search = before.training_input.hyperparameters;
  const auto& new_search = after.training_input.hyperparameters;
  if (old_search.has_value() != new_search.has_value()) {
    return DiffersFrom(job, old_search.has_value()
                                ? "it had hyperparameters and has none now"
                                : "it had no hyperparameters and has some now");
  }
  if (!old_search.has_value()) return absl::OkStatus();
  if (old_search->goal != new_search->goal) {
    return DiffersFrom(job,
                       absl::StrCat("the goal was ", GoalName(old_search->goal),
                                    " and is ", GoalName(new_search->goal)));
  }
  if (!HaveSameMetrics(*job->spec, StudySpecOf(after)) && MayHaveValues(job)) {
    return DiffersFrom(job, MetricDifference(before, after));
  }
  if (old_search->resume_previous_job_id !=
      new_search->resume_previous_job_id) {
    return DiffersFrom(job, "resumePreviousJobId is another");
  }
  if (before.vernier.objective_reduction != after.vernier.objective_reduction) {
    return DiffersFrom(job, "vernier.objectiveReduction is another");
  }
  const auto& given = after.vernier.seed;
  if (given.has_value() && static_cast<std::uint64_t>(*given) != job->seed) {
    return DiffersFrom(
        job, absl::StrCat("the seed was ", job->seed, " and is ", *given));
  }
  return absl::OkStatus();
}

absl::Status CheckSameNames(JobRef job, const JobSpec& after) {
  const MetricRenames renames = RenamesBetween(*job->spec, StudySpecOf(after));
  if (renames.empty() || !MayHaveValues(job)) return absl::OkStatus();
  return SearchesElsewhere(
      *job.run().spec,
      absl::StrCat("the metric \"", ShowText(renames.begin()->first),
                   "\" is called \"", ShowText(renames.begin()->second), "\""));
}

absl::Status CheckSameSpace(JobRef job, const JobSpec& after) {
  const JobSpec& before = *job.run().spec;
  const auto& old_space = SearchSpaceOf(before);
  const auto& new_space = SearchSpaceOf(after);
  if (old_space != new_space) {
    return SearchesElsewhere(before, SpaceDifference(old_space, new_space));
  }
  if (before.vernier.parameter_constraints ==
      after.vernier.parameter_constraints) {
    return absl::OkStatus();
  }
  return SearchesElsewhere(
      before, ConstraintDifference(before.vernier.parameter_constraints,
                                   after.vernier.parameter_constraints));
}

}  // namespace vernier
