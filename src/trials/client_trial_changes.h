#ifndef VERNIER_TRIALS_CLIENT_TRIAL_CHANGES_H_
#define VERNIER_TRIALS_CLIENT_TRIAL_CHANGES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/change.h"
#include "store/store.h"

namespace vernier {

/// These functions make the changes for the store that begin and end trials of
/// studies that clients run. All of them are pure.

/// A trial that a client makes itself, or that it ran before.
struct TrialRequest {
  Parameters parameters;  ///< In any order; see ArrangeParameters.
  /// kRequested, kInfeasible, kCompleted or kStopped; the last two need
  /// `final_report`.
  TrialState state = TrialState::kRequested;
  std::vector<MetricReport> reports;
  std::optional<MetricReport> final_report;
  std::string infeasible_reason;
  Metadata metadata;
  /// Any text of at most 128 bytes that the client uses for no other trial of
  /// the study. With it, sending the same request again makes no other trial.
  std::string request_id = "";
};

/// The message of a trial whose client stops it without being told to.
inline constexpr char kStoppedByClientReason[] = "stopped by its client";

/// A client's request to end a trial.
struct TrialCompletion {
  std::optional<MetricReport> final_report;  ///< If unset, the last report.
  bool is_infeasible = false;
  std::string infeasible_reason;
  /// Not empty: ending a trial again in the same way is OK.
  std::string request_id = "";
};

/// Returns the key in the store for a study's trial with such a request id.
std::string RequestKeyOf(StudyId study, const std::string& request_id);

/// Returns whether `trial` has ended as `completion` would end it.
bool HasEndedSo(const TrialRecord& trial, const TrialCompletion& completion);

/// Returns INVALID_ARGUMENT unless there are metrics with distinct names, and
/// no more and no longer ones than kMaxMetricsSeen and kMaxMetricName allow.
absl::Status CheckReport(const MetricReport& report);

/// Does the same for the report at a trial's end, which must also have one of
/// the study's metrics, because otherwise it would say nothing.
absl::Status CheckFinalReport(const StudySpec& study,
                              const MetricReport& report);

/// Returns INVALID_ARGUMENT if a metric of the report is not one of the study's
/// while one of those is missing, which may be misspelt. The message names
/// both.
absl::Status CheckMetricsAreOfStudy(const StudySpec& study,
                                    const MetricReport& report);

/// Returns whether the trial's client runs it: it is active or stopping.
bool IsRunning(const TrialRecord& trial);

/// Returns the key under which measurements of a client's trial are stored. It
/// has no attempts, so the attempt's number is 0.
inline AttemptKey ReporterOf(StudyId study, TrialId trial) {
  return {study, trial, 0};
}

std::vector<Measurement> MeasurementsOf(const MetricReport& report,
                                        Timestamp now);

/// Makes the study's next trial. The store returns ABORTED if another trial
/// took its number. INVALID_ARGUMENT if the point does not fit the search
/// space, or the trial is to have ended well without a final report.
absl::StatusOr<std::vector<Change>> CreateTrialChanges(
    const StudySnapshot& study, const TrialRequest& request, Timestamp now);

/// Ends a running trial with the value of the study's first metric. A trial
/// that was stopping ends as stopped, and one with a metric of the study that
/// is not finite as infeasible.
MoveTrial CompleteTrialChange(const StudySnapshot& study,
                              const TrialRecord& trial,
                              const TrialCompletion& completion);

/// Ends a trial that is open, and leaves a tombstone.
std::vector<Change> DeleteTrialChanges(const StudySnapshot& study,
                                       const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENT_TRIAL_CHANGES_H_
