#ifndef VERNIER_TRIALS_RESOLVED_KEY_H_
#define VERNIER_TRIALS_RESOLVED_KEY_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "store/store.h"
#include "trials/filters/exact_number.h"
#include "trials/results/best_trials.h"
#include "trials/results/point_means.h"

namespace vernier {

/// The sort by which the best trials come first; no key of a filter.
inline constexpr std::string_view kBestFirst = "best";

/// The state that tables show for an active trial that is set aside.
inline constexpr std::string_view kPausedState = "paused";

/// The key of whether a trial breaks a constraint on a metric.
inline constexpr std::string_view kBreaksConstraintKey = "breaksConstraint";

/// OK if trials of the study can be filtered and sorted by the key; else
/// INVALID_ARGUMENT, with the keys that there are.
absl::Status CheckTrialKey(const StudyRecord& study, const std::string& key);

/// Returns the parameter that a key means, which may be none of the study: its
/// name, or "parameters.NAME".
std::string ParameterOfKey(const std::string& key);

/// Returns whether the key, which is known, means a parameter.
bool MeansParameter(const StudyRecord& study, const std::string& key);

/// The value of a key in one trial. A text is borrowed from the study.
struct KeyValue {
  ParameterView value;
  bool is_parameter = false;
  const ParameterSpec* spec = nullptr;  ///< If the space has it still.
};

/// Returns the number that a value is; nullopt for a text.
std::optional<ExactNumber> NumberOf(const ParameterView& value);

/// Returns the value as filters compare it: a parameter's as its program gets
/// it.
std::string TextOf(const KeyValue& of);

/// A key of a filter or a sort, resolved once for all trials of a study, so
/// that of each only what the key needs is decoded. Thread-compatible.
class ResolvedKey {
 public:
  /// The key must be known. Borrows the study.
  ResolvedKey(const StudySnapshot& study, const std::string& key)
      : ResolvedKey(study, key, KindOf(study, key)) {}

  /// Returns the key for the final value alone, by which the best trials are
  /// found.
  static ResolvedKey FinalValue(const StudySnapshot& study) {
    return ResolvedKey(study, std::string(kBestFirst), Kind::kFinalValue);
  }

  const std::string& name() const { return name_; }

  /// Returns the key's value in a trial, if it has one.
  std::optional<KeyValue> In(const TrialBrief& trial) const;

  /// Returns the trial's rank, by which trials are sorted before their values:
  /// if the best come first, those that may be the best.
  int RankOf(const TrialBrief& trial) const;

  /// Returns whether a sort by the best leaves the trial out: with several
  /// metrics if it is not on the front, otherwise if it breaks a constraint.
  bool LeavesOut(const TrialBrief& trial) const;

  /// The words for states and causes may be written in any case, as may true.
  bool ignores_case() const {
    return kind_ == Kind::kState || kind_ == Kind::kCause ||
           kind_ == Kind::kBreaksConstraint;
  }

  /// Returns whether this is the state of a trial that tables call paused.
  /// Active trials are held unpacked, so this costs little.
  bool IsOfPaused(const TrialBrief& trial) const;

 private:
  enum class Kind {
    kState,
    kTrial,
    kCause,
    kObjective,
    kStep,
    kFinalValue,
    kBreaksConstraint,
    kMetric,  // Another than the objective.
    kParameter
  };

  ResolvedKey(const StudySnapshot& study, const std::string& key, Kind kind);

  static Kind KindOf(const StudySnapshot& study, const std::string& key);

  // Returns the point by whose mean the trial counts; null if it counts by its
  // own value.
  const PointResults* PointOf(const TrialBrief& trial) const;
  void FindSpec();
  std::optional<KeyValue> Objective(
      const std::optional<FinalMeasurement>& measurement) const;
  // As the objective: the final value, or the last one while the trial is open.
  std::optional<KeyValue> Metric(const TrialBrief& brief) const;
  // As the API's breaksConstraint.
  bool Breaks(const TrialBrief& trial) const;
  std::optional<KeyValue> Parameter(TrialId id) const;
  // Returns that of several parameters with the name which these values make
  // active.
  const ParameterSpec* ActiveSpec(const Parameters& parameters) const;

  const StudySnapshot& study_;
  const std::string name_;
  const Kind kind_;
  std::string parameter_;
  const ParameterSpec* spec_ = nullptr;
  // True if the spec depends on other values.
  bool is_conditional_ = false;
  bool has_earlier_spaces_ = false;   // The search was edited.
  std::string metric_;                // For kMetric.
  std::optional<TrialRanks> ranks_;   // For kFinalValue.
  std::optional<PointTable> points_;  // Likewise, if the study repeats points.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESOLVED_KEY_H_
