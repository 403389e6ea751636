#ifndef VERNIER_STUDY_STUDY_FILE_STUDY_FIELD_H_
#define VERNIER_STUDY_STUDY_FILE_STUDY_FIELD_H_

#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// The form in which a study file writes the value of a job file's field.
enum class FieldForm {
  kSame,       ///< As the job file does.
  kCommand,    ///< A list, or a text that is split into words.
  kDuration,   ///< "1h 30m" for "5400s".
  kUpper,      ///< "best" for "BEST"; a list likewise.
  kAlgorithm,  ///< "random" for "RANDOM_SEARCH".
  kStopEarly,  ///< true, false, a rule's name, or kSnake.
  kSnake,      ///< Mappings, whose fields are in snake_case.
  /// {NAME: maximize}, two fields of the job file; of several metrics, or with
  /// {goal: maximize, reference: 0.5} for one, vernier.objectives.
  kMetric,
  /// A mixed list: texts are vernier.parameterConstraints, and mappings are
  /// vernier.metricConstraints.
  kConstraints,
  kParameters,  ///< See parameter_words.h.
  kRoles,       ///< The kinds of replicas by name; see kRoleFields.
};

/// One field of a study file.
struct StudyField {
  std::string_view word;  ///< At the top of the study file.
  std::string_view path;  ///< In the job file, with dots.
  FieldForm form;
};

/// All fields of a study file, in the order in which it is written. Each field
/// of a job file that has an effect is the path of one, or lies below it.
std::span<const StudyField> StudyFields();

/// One kind of replica.
struct StudyRole {
  std::string_view word;  ///< "worker"; of `roles`.
  std::string_view name;  ///< "worker", as in workerType and workerConfig.
};
std::span<const StudyRole> StudyRoles();

/// The machine type that a study file need not name, since on one's own
/// machines it has no meaning.
inline constexpr std::string_view kUsualMachine = "n1-standard-4";

/// A field of one role of `roles`. The job file's path is "trainingInput." and
/// the role's name, and then `suffix`.
struct StudyRoleField {
  std::string_view word;
  std::string_view suffix;
  FieldForm form;
};
std::span<const StudyRoleField> StudyRoleFields();

/// True if a field of a job file's mappings holds a mapping whose keys are the
/// user's own, such as labels.
bool HasOwnKeys(std::string_view field);
/// True if it holds a duration.
bool IsDurationField(std::string_view field);

/// "max_time" -> "maxTime", and back.
std::string CamelCase(std::string_view word);
std::string SnakeCase(std::string_view field);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_STUDY_FIELD_H_
