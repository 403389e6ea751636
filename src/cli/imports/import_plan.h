#ifndef VERNIER_CLI_IMPORTS_IMPORT_PLAN_H_
#define VERNIER_CLI_IMPORTS_IMPORT_PLAN_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/foreign_study.h"

namespace vernier {

/// Where a study or a trial comes from; kept with it as the attribute
/// kImportedAttribute, by which it is found again.
struct Provenance {
  std::string tool;
  std::string file;
  std::string study;
  std::string trial;  ///< The tool's id; empty for a study.
  /// Of a trial's parameters, and of its state and values: tells another trial
  /// of the same id apart, and one that has ended otherwise since.
  std::string digest;
  std::string started;
  std::string ended;
};

std::string ProvenanceToJson(const Provenance& provenance);
/// nullopt for a text that ProvenanceToJson did not write.
std::optional<Provenance> ProvenanceFromJson(const std::string& json);

/// What the service has of the study.
struct ImportedStudy {
  StudySpec spec;
  std::map<std::string, std::string> attributes;
  /// The provenance of its trials that have one.
  std::vector<Provenance> trials;
};

/// A trial to add: its parameters are in the order of the study's space, and
/// fit it; its attributes have its provenance.
struct PlannedTrial {
  ForeignTrial trial;
  Provenance provenance;
};

struct ImportPlan {
  std::string name;    ///< Here.
  bool is_new = true;  ///< The study is to be made.
  /// Of a study that is there already: its own.
  StudySpec spec;
  std::map<std::string, std::string> attributes;
  /// Of a new study: ForeignStudy::typed_choices.
  std::map<std::string, std::string> typed_choices;
  std::vector<PlannedTrial> to_add;
  std::size_t there_already = 0;
  std::size_t left_out = 0;  ///< Trials that have ended and do not come.
  std::vector<std::string> notes;
};

/// Decides what of a study comes. `present` is the study of the name `name`, if
/// there is one. Pure.
///
/// FAILED_PRECONDITION if that is another one, so that it must have another
/// name here; INVALID_ARGUMENT if the service has no study like it.
absl::StatusOr<ImportPlan> PlanImport(
    const ForeignStudy& study, const std::string& name,
    const std::optional<ImportedStudy>& present);

/// Returns a name that a study may have here: without '/', control characters
/// and more than 200 bytes.
std::string StudyNameHere(const std::string& foreign);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_IMPORT_PLAN_H_
