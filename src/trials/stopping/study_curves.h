#ifndef VERNIER_TRIALS_STOPPING_STUDY_CURVES_H_
#define VERNIER_TRIALS_STOPPING_STUDY_CURVES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "absl/status/status.h"
#include "store/present_space.h"
#include "store/store.h"
#include "suggest/curves/curve_sample.h"
#include "suggest/curves/curve_study.h"

namespace vernier {

/// The curves that a study's trials have in one metric, for stopping rules and
/// for the model.
///
/// Each trial is read once from the store's measurements; what it reports
/// afterwards is added as it comes. A trial that lies outside of an edited
/// search space has no curve. A curve takes at most 3 KiB. There are
/// curves of the open trials, and of those ended trials that IsSampled picks
/// (6,144 of a million). The curves depend on what is stored alone, so that
/// those of another object are the same. Not thread-safe.
class StudyCurves {
 public:
  /// `metric` is its position among the study's metrics. Borrows `store`, which
  /// must outlive this object.
  explicit StudyCurves(const Store& store, std::size_t metric = 0)
      : store_(store), metric_(metric) {}

  /// Brings the curves up to date with `study`, which must be the same one at
  /// each call, in the same search space. A state that is older than an earlier
  /// call's changes nothing.
  ///
  /// Errors: those of Store::ListMeasurements and ListMeasurementsAfter; the
  /// next call tries again.
  absl::Status Update(const StudySnapshot& study);

  const CurveStudy& curves() const { return curves_; }
  /// Returns a number that grows whenever the curves change.
  std::uint64_t revision() const { return revision_; }

 private:
  // The sample of a trial's reports, and the state of the trial's summary that
  // it was made from.
  struct Source {
    CurveSample sample;
    std::optional<MetricRoad> road;
    int attempt = 0;
    std::int64_t finite_count = 0;
    Timestamp reported_at{};
    // The sample without the last report, once there are too many to read all.
    std::optional<CurveSample> full = std::nullopt;
  };

  // The name of the metric in `study`.
  const std::string& NameIn(const StudySnapshot& study) const {
    return study.spec->metrics[metric_].name;
  }
  // Returns what the trial has reported of the metric; nullopt: nothing. Once a
  // trial has ended, only the objective's summary is kept, and others are made
  // again from what is stored.
  absl::StatusOr<std::optional<MetricSummary>> SummaryOf(
      const StudySnapshot& study, const TrialRecord& trial) const;
  // Brings the curve of a trial up to date, read in the study's `space`.
  absl::Status Look(const StudySnapshot& study, const PresentSpace& space,
                    const TrialRecord& trial);
  // Stores the curve of a trial, whose summary of the metric has reports.
  absl::Status Follow(const StudySnapshot& study, const TrialRecord& trial,
                      const MetricSummary& summary);
  // Read all reports of one trial, or those that are new. ReadOn returns false
  // if the new ones do not suffice, so that all must be read.
  absl::Status ReadAgain(const StudySnapshot& study, const TrialRecord& trial,
                         const MetricSummary& summary, Source* source);
  absl::StatusOr<bool> ReadOn(const StudySnapshot& study,
                              const TrialRecord& trial,
                              const MetricSummary& summary, Source* source);

  const Store& store_;  // Does its own locking.
  const std::size_t metric_;
  CurveStudy curves_;
  std::uint64_t revision_ = 0;
  std::set<TrialId> open_;  // At the last Update.
  EventSequence last_event_{};
  std::size_t num_seen_ = 0;           // Trials 1 to num_seen_ were read.
  std::map<TrialId, Source> sources_;  // Of open trials.
};

/// Returns whether a rule compares with trial `id` once it has ended: all of 1
/// to 1,024, every second up to 2,048, every fourth up to 4,096, and so on.
bool IsSampled(TrialId id);

/// Returns whether the trial waits for a rule to resume it: its last attempt
/// was ended by a rule, and the trial was not.
bool IsPaused(const TrialRecord& trial);

/// Returns whether a rule has asked the trial's live attempt to end, and not
/// the trial.
bool IsPausing(const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_STUDY_CURVES_H_
