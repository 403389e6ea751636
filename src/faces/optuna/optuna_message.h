#ifndef VERNIER_FACES_OPTUNA_OPTUNA_MESSAGE_H_
#define VERNIER_FACES_OPTUNA_OPTUNA_MESSAGE_H_

#include <optuna/storage_service.pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/study_kinds.h"
#include "study/measurement.h"

namespace vernier {

/// An Optuna study is a client's study of ours whose search space grows
/// (GrowsByTrials), and its trials are ours. Metadata hold what only Optuna
/// knows, in the namespaces below: texts of attributes and distributions as
/// they came, and what an end of ours does not say.

/// The parent of the resource names of Optuna's studies.
inline constexpr char kOptunaParent[] = "owners/optuna";

inline constexpr char kUserSpace[] = ":optuna.user";
inline constexpr char kSystemSpace[] = ":optuna.system";
/// Of a trial: name -> internal value, and its distribution if that is not the
/// study's first of the name.
inline constexpr char kParameterSpace[] = ":optuna.parameter";
/// Of a study: name -> the first distribution that a trial declared.
inline constexpr char kDistributionSpace[] = ":optuna.distribution";
/// Of a trial: step -> a value that was reported before the trial began.
inline constexpr char kReportSpace[] = ":optuna.report";
/// Of a trial: the keys below.
inline constexpr char kTrialSpace[] = ":optuna.trial";
inline constexpr char kStartKey[] = "start";        ///< kNoTime: none.
inline constexpr char kCompleteKey[] = "complete";  ///< Likewise.
inline constexpr char kValuesKey[] = "values";      ///< Of an open trial.
/// "1" while the trial was given back to the queue after its start.
inline constexpr char kWaitingKey[] = "waiting";
inline constexpr char kNoTime[] = "-";

/// The system attribute of a trial whose values its client takes in place of
/// its sampler's.
inline constexpr char kFixedParams[] = "fixed_params";

/// Ids of trials are unique in the whole store and grow in a study:
/// the study's id times kTrialIdsOfStudy, plus our number.
inline constexpr std::int64_t kTrialIdsOfStudy = 1'000'000'000;
std::int64_t OptunaIdOf(StudyId study, TrialId trial);
StudyId StudyOfOptunaId(std::int64_t trial_id);
TrialId TrialOfOptunaId(std::int64_t trial_id);

/// Returns the resource name of the study that Optuna's clients call `name`,
/// which may be any text, also an empty or a very long one.
std::string ResourceNameOf(std::string_view name);

/// Returns the name and the directions that a study was made with.
optuna::Study OriginalOf(ClientStudyRef study);
/// Returns the whole study.
optuna::Study ToOptuna(ClientStudyRef study);

/// The name of the metric that stands for objective `index` of `count`.
std::string ObjectiveName(std::size_t index, std::size_t count);

/// Fills `map` with the texts of a namespace.
void FillTexts(const Metadata& metadata, std::string_view space,
               google::protobuf::Map<std::string, std::string>* map);
/// Returns the text under a key; null if there is none.
const std::string* FindText(const Metadata& metadata, std::string_view space,
                            std::string_view key);

/// A parameter as a trial declared it.
struct DeclaredParameter {
  double internal = 0;
  std::string distribution;
};
std::optional<DeclaredParameter> FindDeclared(const StudyRecord& study,
                                              const TrialRecord& trial,
                                              const std::string& name);

optuna::TrialState StateOf(const TrialRecord& trial);

/// Fills the whole trial. `reports` are its measurements in the store, by step
/// and time.
void FillTrial(const StudyRecord& study, const TrialRecord& trial,
               const std::vector<Measurement>& reports, optuna::Trial* to);

/// Numbers that are read back exactly, NaN and infinities included.
std::string ExactText(double value);
std::optional<double> FromExactText(std::string_view text);
/// Several of them, with blanks between.
std::string ExactTexts(const google::protobuf::RepeatedField<double>& values);
std::vector<double> FromExactTexts(std::string_view text);

/// Returns the local time as Python's clients read it.
std::string LocalTimeText(Timestamp time);
/// INVALID_ARGUMENT unless `text` is empty or such a time.
absl::Status CheckLocalTime(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_FACES_OPTUNA_OPTUNA_MESSAGE_H_
