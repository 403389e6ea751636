#include "trials/submission/study_revision.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "study/constraint_parser.h"
#include "study/find_by_name.h"
#include "study/job_file/job_parser.h"
#include "study/metric_renames.h"
#include "study/parameter_value.h"
#include "trials/client_data.h"
#include "trials/submission/search_edit.h"
#include "trials/submission/spec_difference.h"

namespace vernier {
namespace {

constexpr char kParams[] = "trainingInput.hyperparameters.params";
constexpr char kConstraints[] = "vernier.parameterConstraints";

// Returns the errors of a text without their places ("1:29: "), since users
// have not seen the text.
absl::Status WithoutPlaces(const absl::Status& errors) {
  std::vector<std::string> lines = absl::StrSplit(errors.message(), '\n');
  for (std::string& line : lines) {
    const std::size_t end = line.find(": ");
    const bool is_place =
        line.find_first_not_of("0123456789:") == end + 1 && end > 0;
    if (is_place && end != std::string::npos) line.erase(0, end + 2);
  }
  return absl::Status(errors.code(), absl::StrJoin(lines, "\n"));
}

absl::StatusOr<std::vector<ParameterSpec>> ReadSpace(const std::string& json) {
  auto read = ParseHyperparameters(
      absl::StrCat(R"({"goal":"MINIMIZE","params":)", json, "}"));
  if (!read.ok()) return WithoutPlaces(read.status());
  return std::move(read->params);
}

absl::StatusOr<std::vector<std::string>> ReadTexts(const char* field,
                                                   const std::string& json) {
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(json));
  std::vector<std::string> texts;
  for (const Json& each : list) {
    if (list.is_array() && each.is_string()) {
      texts.push_back(each.get<std::string>());
    }
  }
  if (list.is_array() && texts.size() == list.size()) return texts;
  return absl::InvalidArgumentError(
      absl::StrCat(field, " must be a list of texts"));
}

// Some APIs have no word for a default, and some say a linear scale. What is
// left out of a parameter stays, as far as it fits.
void KeepUnsaid(const std::vector<ParameterSpec>& before,
                std::vector<ParameterSpec>* after) {
  for (ParameterSpec& spec : *after) {
    const ParameterSpec* const old = FindByName(before, spec.name);
    if (old == nullptr || old->type != spec.type) continue;
    if (spec.scale == ScaleType::kNone && old->scale == ScaleType::kLinear) {
      spec.scale = ScaleType::kLinear;
    }
    if (!spec.default_value.has_value() && old->default_value.has_value() &&
        IsPossible(spec, *old->default_value)) {
      spec.default_value = old->default_value;
    }
  }
}

absl::StatusOr<StudySpec> SpecAfter(ClientStudyRef study,
                                    const std::string& edit) {
  StudySpec spec = *study->spec;
  std::vector<std::string> texts = TextsOf(spec.parameter_constraints);
  VERNIER_ASSIGN_OR_RETURN(const std::vector<FieldOverride> fields,
                           FieldsOfEdit(edit));
  for (const FieldOverride& field : fields) {
    if (field.flag == kParams) {
      VERNIER_ASSIGN_OR_RETURN(spec.parameters, ReadSpace(field.json_value));
    } else if (field.flag == kConstraints) {
      VERNIER_ASSIGN_OR_RETURN(texts,
                               ReadTexts(kConstraints, field.json_value));
    } else if (field.flag == kRenamedFrom) {
      VERNIER_ASSIGN_OR_RETURN(const FormerNames asked,
                               RenamesOfEdit(field.json_value));
      VERNIER_ASSIGN_OR_RETURN(const MetricRenames renames,
                               PlanMetricRenames(*study->spec, asked));
      spec = WithRenames(std::move(spec), renames);
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "an edit of a study that clients run changes parameters and the "
          "constraints between them, and names of metrics, not ",
          field.flag));
    }
  }
  KeepUnsaid(study->spec->parameters, &spec.parameters);
  if (IsSameSpaceReordered(study->spec->parameters, spec.parameters)) {
    spec.parameters = study->spec->parameters;
  }
  VERNIER_ASSIGN_OR_RETURN(spec.parameter_constraints,
                           ParseParameterConstraints(texts, spec.parameters));
  VERNIER_RETURN_IF_ERROR(ValidateStudySpec(spec));
  return spec;
}

}  // namespace

absl::StatusOr<StudyRevisionPlan> PlanStudyRevision(
    ClientStudyRef study, const StudyRevision& asked) {
  if (GrowsByTrials(study)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the trials of study \"", study->name,
        "\" declare its search space while they run: there is nothing to edit; "
        "change what the program suggests from"));
  }
  if (asked.client_data.size() > kMostClientData) {
    return absl::InvalidArgumentError(
        absl::StrCat("client_data must have at most ", kMostClientData,
                     " bytes: it has ", asked.client_data.size()));
  }
  VERNIER_ASSIGN_OR_RETURN(StudySpec after, SpecAfter(study, asked.edit));
  StudyRevisionPlan plan;
  VERNIER_ASSIGN_OR_RETURN(plan.changes, PlanEditOf(study, after));
  plan.change = {study->id,
                 SpecVersionOf(study.run()),
                 std::make_shared<const StudySpec>(std::move(after)),
                 absl::StrJoin(plan.changes, ", "),
                 asked.client_data.empty() && !study.run().edits.empty()
                     ? study.run().edits.back()->client_data
                     : asked.client_data,
                 asked.request_id,
                 DigestOf(study, asked)};
  return plan;
}

std::uint64_t DigestOf(const StudyRecord& study, const StudyRevision& asked) {
  return StableDigest(absl::StrCat("revision of ", ToInt(study.id), ":",
                                   WithSortedKeys(asked.edit), ":",
                                   asked.client_data));
}

}  // namespace vernier
