#include "cli/imports/import_plan.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/python_json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "cli/imports/foreign_facts.h"
#include "cli/imports/left_out_trials.h"
#include "study/find_by_name.h"
#include "study/parameter_arrangement.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

constexpr std::size_t kLongestStudyName = 200;

// Numbers have nine digits here: the last ones differ where a range grew and
// its steps are counted anew.
std::string RoughText(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const ParsedNumber number = ParseNumber(*text);
    return number.problem == NumberProblem::kNone
               ? absl::StrFormat("%.9g", number.value)
               : *text;
  }
  const auto* whole = std::get_if<std::int64_t>(&value);
  return absl::StrFormat("%.9g", whole != nullptr ? static_cast<double>(*whole)
                                                  : std::get<double>(value));
}

// One digest of the point, and one of how the trial ended.
std::string DigestOfTrial(const ForeignTrial& trial) {
  std::map<std::string, std::string> parameters;
  for (const NamedValue& one : trial.parameters) {
    parameters[one.name] = RoughText(one.value);
  }
  std::string point;
  for (const auto& [name, value] : parameters) {
    absl::StrAppend(&point, name, "=", value, "\n");
  }
  std::string end = absl::StrCat(static_cast<int>(trial.state));
  if (trial.final_report.has_value()) {
    for (const MetricValue& one : trial.final_report->metrics) {
      absl::StrAppend(&end, "\n", absl::StrFormat("%.9g", one.value));
    }
  }
  return absl::StrCat(ShortDigest(point), ShortDigest(end));
}

std::string PointIn(const std::string& digest) {
  return digest.substr(0, digest.size() / 2);
}

// Moves what the space does not have out of the point, into attributes.
void MoveOthers(const std::vector<ParameterSpec>& space, ForeignTrial* trial,
                LeftOutTrials* left_out) {
  Parameters kept;
  for (NamedValue& one : trial->parameters) {
    const bool is_known = std::any_of(
        space.begin(), space.end(),
        [&](const ParameterSpec& spec) { return spec.name == one.name; });
    if (is_known) {
      kept.push_back(std::move(one));
      continue;
    }
    Json value;
    if (const auto* text = std::get_if<std::string>(&one.value)) {
      value = *text;
    } else if (const auto* whole = std::get_if<std::int64_t>(&one.value)) {
      value = *whole;
    } else {
      value = std::get<double>(one.value);
    }
    if (trial->attributes.count(one.name) != 0 ||
        !AddAttribute(one.name, DumpJson(value), &trial->attributes).empty()) {
      left_out->Add(absl::StrCat("without the value of ", ShowText(one.name)),
                    trial->id);
    }
  }
  trial->parameters = std::move(kept);
}

absl::Status CheckIsSame(const ForeignStudy& study, const std::string& name,
                         const ImportedStudy& present) {
  const auto found = present.attributes.find(kImportedAttribute);
  const auto origin = found == present.attributes.end()
                          ? std::nullopt
                          : ProvenanceFromJson(found->second);
  if (origin.has_value() && origin->tool == study.tool &&
      origin->study == study.name) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("there is a study \"", ShowText(name), "\" already, which ",
                   origin.has_value()
                       ? absl::StrCat("came from ", origin->tool, "'s study \"",
                                      ShowText(origin->study), "\"")
                       : std::string("was not imported"),
                   ": give this one another name with --as NAME"));
}

std::string MetricsOf(const StudySpec& spec) {
  std::vector<std::string> metrics;
  for (const MetricGoal& metric : spec.metrics) {
    metrics.push_back(
        absl::StrCat(ShowText(metric.name),
                     metric.goal == Goal::kMinimize ? ":min" : ":max"));
  }
  std::sort(metrics.begin(), metrics.end());
  return absl::StrJoin(metrics, ", ");
}

// Values of another metric, or of the other direction, would be taken for those
// of the study's own.
absl::Status CheckMetrics(const ForeignStudy& study, const std::string& name,
                          const ImportedStudy& present) {
  const std::string here = MetricsOf(present.spec);
  const std::string there = MetricsOf(study.spec);
  if (here == there) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the study \"", ShowText(name), "\" has the metrics ", here,
                   " here, and this import has ", there,
                   ": import them under another name with --as NAME"));
}

// Brings the trial into the form of the study's space; why not, if it has none.
absl::Status Fit(const StudySpec& spec, ForeignTrial* trial) {
  VERNIER_ASSIGN_OR_RETURN(
      trial->parameters,
      ArrangeParameters(spec.parameters, std::move(trial->parameters)));
  return CheckFitsSpace(spec.parameters, trial->parameters);
}

// Plans the study itself, without its trials.
absl::StatusOr<ImportPlan> PlanOfStudy(
    const ForeignStudy& study, const std::string& name,
    const std::optional<ImportedStudy>& present) {
  ImportPlan plan;
  plan.name = name;
  plan.is_new = !present.has_value();
  plan.notes = study.notes;
  if (present.has_value()) {
    VERNIER_RETURN_IF_ERROR(CheckIsSame(study, name, *present));
    VERNIER_RETURN_IF_ERROR(CheckMetrics(study, name, *present));
    plan.spec = present->spec;
    return plan;
  }
  plan.spec = study.spec;
  if (plan.spec.parameters.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        study.file, ": study \"", ShowText(study.name),
        "\" has no parameter that could be searched",
        study.no_parameters.empty() ? "" : ": ", study.no_parameters));
  }
  VERNIER_RETURN_IF_ERROR(ValidateStudySpec(plan.spec));
  plan.attributes = study.attributes;
  plan.typed_choices = study.typed_choices;
  plan.attributes[kImportedAttribute] =
      ProvenanceToJson({study.tool, study.file, study.name, "", "", "", ""});
  return plan;
}

// The texts that a study has here if it was imported before choices were
// written as Python prints them: JSON, but for texts.
std::vector<std::string> FormerTexts(const std::string& typed_choices) {
  std::vector<std::string> texts;
  const auto choices = ParsePythonJson(typed_choices);
  if (!choices.ok() || !choices->is_array()) return texts;
  for (const Json& choice : *choices) {
    const bool is_text = choice.is_string() && !PythonNumber(choice);
    texts.push_back(is_text ? choice.get<std::string>()
                            : DumpPythonJson(choice));
  }
  return texts;
}

// Writes the choices of a study as the one that is there has them.
void WriteAsThere(const StudySpec& there, ForeignStudy* study) {
  for (const auto& [name, typed] : study->typed_choices) {
    const ParameterSpec* const ours = FindByName(study->spec.parameters, name);
    const ParameterSpec* const theirs = FindByName(there.parameters, name);
    if (ours == nullptr || theirs == nullptr) continue;
    const std::vector<std::string>& to = theirs->categorical_values;
    const std::vector<std::string>& from = ours->categorical_values;
    if (to == from || to != FormerTexts(typed)) continue;
    for (ForeignTrial& trial : study->trials) {
      for (NamedValue& one : trial.parameters) {
        if (one.name != name) continue;
        for (std::size_t i = 0; i < from.size(); ++i) {
          if (one.value == ParameterValue(from[i])) {
            one.value = to[i];
            break;
          }
        }
      }
    }
  }
}

absl::Status IsAnother(const ForeignStudy& study, const std::string& name,
                       const std::string& trial) {
  return absl::FailedPreconditionError(absl::StrCat(
      study.file, ": trial ", ShowText(trial), " of study \"",
      ShowText(study.name), "\" is another one than the trial ",
      ShowText(trial), " that \"", ShowText(name),
      "\" has here: if it is another study of the same name, give it another "
      "one with --as NAME"));
}

void AddToPlan(const ForeignTrial& trial, const Provenance& provenance,
               ImportPlan* plan, LeftOutTrials* left_out) {
  PlannedTrial planned{trial, provenance};
  MoveOthers(plan->spec.parameters, &planned.trial, left_out);
  if (const absl::Status fits = Fit(plan->spec, &planned.trial); !fits.ok()) {
    ++plan->left_out;
    left_out->Add(absl::StrCat("left out, as it has no place in the space: ",
                               std::string(fits.message())),
                  trial.id);
    return;
  }
  planned.trial.attributes[kImportedAttribute] = ProvenanceToJson(provenance);
  plan->to_add.push_back(std::move(planned));
}

}  // namespace

std::string ProvenanceToJson(const Provenance& provenance) {
  Json json = Json::object();
  json["tool"] = provenance.tool;
  json["file"] = provenance.file;
  json["study"] = provenance.study;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("trial", provenance.trial);
  add("started", provenance.started);
  add("ended", provenance.ended);
  add("digest", provenance.digest);
  return DumpJson(json);
}

std::optional<Provenance> ProvenanceFromJson(const std::string& json) {
  const auto parsed = ParseJson(json);
  if (!parsed.ok() || !parsed->is_object()) return std::nullopt;
  Provenance read{TextAt(*parsed, "tool"),   TextAt(*parsed, "file"),
                  TextAt(*parsed, "study"),  TextAt(*parsed, "trial"),
                  TextAt(*parsed, "digest"), TextAt(*parsed, "started"),
                  TextAt(*parsed, "ended")};
  if (read.tool.empty()) return std::nullopt;
  return read;
}

std::string StudyNameHere(const std::string& foreign) {
  std::string name = ValidUtf8(foreign);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/' || byte < 0x20 || byte == 0x7f) c = '_';
  }
  if (name.size() > kLongestStudyName) {
    name.resize(kLongestStudyName);
    name = ValidUtf8(name);
  }
  return name.empty() || name == "." || name == ".." ? "study" : name;
}

absl::StatusOr<ImportPlan> PlanImport(
    const ForeignStudy& from, const std::string& name,
    const std::optional<ImportedStudy>& present) {
  VERNIER_ASSIGN_OR_RETURN(ImportPlan plan, PlanOfStudy(from, name, present));
  ForeignStudy study = from;
  if (present.has_value()) WriteAsThere(present->spec, &study);
  std::map<std::string, std::string> known;
  if (present.has_value()) {
    for (const Provenance& one : present->trials) known[one.trial] = one.digest;
  }
  LeftOutTrials left_out;
  for (const ForeignTrial& trial : study.trials) {
    const std::string digest = DigestOfTrial(trial);
    if (const auto found = known.find(trial.id); found != known.end()) {
      if (PointIn(found->second) != PointIn(digest)) {
        return IsAnother(study, name, trial.id);
      }
      if (found->second != digest) {
        left_out.Add("ended otherwise than here, where it stays as it is",
                     trial.id);
      }
      ++plan.there_already;
      continue;
    }
    AddToPlan(trial,
              {study.tool, study.file, study.name, trial.id, digest,
               trial.started, trial.ended},
              &plan, &left_out);
  }
  for (std::string& line : left_out.Lines()) {
    plan.notes.push_back(std::move(line));
  }
  return plan;
}

}  // namespace vernier
