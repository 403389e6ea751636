#ifndef VERNIER_CLI_IMPORTS_FOREIGN_STUDY_H_
#define VERNIER_CLI_IMPORTS_FOREIGN_STUDY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/metric_report.h"
#include "study/parameter.h"
#include "study/study_spec.h"

namespace vernier {

/// Bounds on what is read of other tools' files.
inline constexpr std::size_t kMostForeignStudies = 10'000;
inline constexpr std::size_t kMostForeignTrials = 200'000;
inline constexpr std::size_t kMostForeignParameters = 1'000;
/// Of one trial; what it reported beyond them is left out.
inline constexpr std::size_t kMostForeignReports = 10'000;
/// Of names and values of one trial's attributes, below what the service takes.
inline constexpr std::size_t kMostForeignAttributeBytes = 48 << 10;

/// A trial of another tool that has ended.
struct ForeignTrial {
  /// kCompleted and kStopped have a final report; kInfeasible may have one.
  enum class State { kCompleted, kStopped, kInfeasible };

  std::string id;         ///< The tool's own, distinct in its study.
  Parameters parameters;  ///< All that it had, in any order.
  State state = State::kCompleted;
  std::string reason;  ///< Why it is infeasible.
  std::vector<MetricReport> reports;
  std::optional<MetricReport> final_report;
  std::map<std::string, std::string> attributes;  ///< JSON values by name.
  /// As the tool wrote them: without a zone if it did not say which.
  std::string started;
  std::string ended;
};

/// A study of another tool, as a reader has understood it.
struct ForeignStudy {
  std::string tool;  ///< "optuna", "csv", ...
  std::string file;  ///< As the user named it.
  std::string name;  ///< The tool's; a file with one study: the file's.
  StudySpec spec;
  std::string no_parameters;  ///< Why it has none, if it has none; or empty.
  /// By parameter, of choices that are not all texts: JSON as Python writes it,
  /// in the order of the choices (kChoicesNamespace).
  std::map<std::string, std::string> typed_choices;
  std::map<std::string, std::string> attributes;  ///< JSON values by name.
  std::vector<ForeignTrial> trials;               ///< In the tool's order.
  /// What cannot be brought along, and why; whole clauses for people.
  std::vector<std::string> notes;
};

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_FOREIGN_STUDY_H_
