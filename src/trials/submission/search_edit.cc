#include "trials/submission/search_edit.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "store/metric_names.h"
#include "store/present_space.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/metric_renames.h"
#include "study/search_edit_plan.h"
#include "suggest/space/constrained_space.h"

namespace vernier {
namespace {

// Returns whether the mapping at `name` holds fields, each of which an edit
// replaces by itself, since a study file has a word for each. Any other mapping
// is a value, also an empty one.
bool IsSection(std::string_view name) {
  if (name.starts_with("trainingInput.")) {
    return !name.ends_with(".acceleratorConfig");
  }
  return name.empty() || name == "trainingInput" || name == "vernier" ||
         name == "vernier.objective";
}

void AppendFieldsOfEdit(const Json& edit, std::vector<std::string> path,
                        std::vector<FieldOverride>* fields) {
  const std::string name = absl::StrJoin(path, ".");
  if (!edit.is_object() || !IsSection(name)) {
    fields->push_back({std::move(path), DumpJson(edit), name});
    return;
  }
  for (const auto& [key, value] : edit.items()) {
    std::vector<std::string> below = path;
    below.push_back(key);
    AppendFieldsOfEdit(value, std::move(below), fields);
  }
}

// Returns the name by which others of the project refer to the study.
std::string NameInProject(const StudySnapshot& study) {
  const auto job = AsJob(study);
  return job.has_value() ? job->run().spec->job_id : DisplayNameOf(study);
}

// Returns whether a study with aims like this one's can learn from it.
bool CanBeMemory(const StudySnapshot& study) {
  StudySpec next = *study.spec;
  next.prior_studies = {};
  next.prior_studies.studies = {NameInProject(study)};
  return WhyNoPriorStudies(next).empty();
}

absl::Status CannotBeEdited(const StudySnapshot& study,
                            const absl::Status& why) {
  return absl::FailedPreconditionError(absl::StrCat(
      "the search of ", IsJob(study) ? "job" : "study", " \"",
      NameInProject(study), "\" cannot be edited so: ",
      std::string(why.message()), ". Otherwise ", NewSearchText(study)));
}

}  // namespace

absl::StatusOr<std::vector<FieldOverride>> FieldsOfEdit(
    const std::string& edit) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(edit));
  if (!json.is_object()) {
    return absl::InvalidArgumentError("an edit must be an object");
  }
  std::vector<FieldOverride> fields;
  AppendFieldsOfEdit(json, {}, &fields);
  return fields;
}

absl::StatusOr<FormerNames> RenamesOfEdit(const std::string& json) {
  VERNIER_ASSIGN_OR_RETURN(const Json map, ParseJson(json));
  FormerNames names;
  bool is_right = map.is_object();
  for (const auto& [name, olds] : map.items()) {
    is_right = is_right && olds.is_array();
    if (!is_right) break;
    for (const Json& old : olds) {
      is_right = is_right && old.is_string();
      if (is_right) names[name].push_back(old.get<std::string>());
    }
  }
  if (is_right) return names;
  return absl::InvalidArgumentError(
      absl::StrCat(kRenamedFrom,
                   " must be a mapping of new names of metrics to lists of "
                   "the names that they have"));
}

std::string WithSortedKeys(const std::string& edit) {
  const absl::StatusOr<Json> json = ParseJson(edit);
  if (!json.ok()) return edit;
  const nlohmann::json sorted = *json;  // Its objects are sorted by key.
  return DumpJson(Json(sorted));
}

std::string NewSearchText(const StudySnapshot& study) {
  constexpr char kOwnName[] = "a new search needs a name of its own";
  if (study.spec->parameters.empty()) return kOwnName;
  if (CanBeMemory(study)) {
    return absl::StrCat(
        kOwnName, ", and has this one as its memory with priorStudies: [",
        NameInProject(study), "] (prior_studies in study files and in Python)");
  }
  return absl::StrCat(kOwnName,
                      ", and may begin with the best trials of this one",
                      IsJob(study) ? " (vernier.initialPoints)" : "");
}

absl::StatusOr<std::vector<std::string>> PlanEditOf(const StudySnapshot& study,
                                                    const StudySpec& after) {
  const absl::Status has_room =
      CheckNotEmpty(after.parameters, after.parameter_constraints);
  if (!has_room.ok()) return CannotBeEdited(study, has_room);
  const absl::Status may_rename = CheckRenames(study, after);
  if (!may_rename.ok()) return CannotBeEdited(study, may_rename);
  auto edits = PlanSearchEdit(*study.spec, PresentSpace(study).edits(), after);
  if (!edits.ok()) return CannotBeEdited(study, edits.status());
  std::vector<std::string> all;
  for (const auto& [old, name] : RenamesBetween(*study.spec, after)) {
    all.push_back(
        absl::StrCat("metric ", ShowText(old), " -> ", ShowText(name)));
  }
  all.insert(all.end(), edits->begin(), edits->end());
  return all;
}

}  // namespace vernier
