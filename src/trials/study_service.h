#ifndef VERNIER_TRIALS_STUDY_SERVICE_H_
#define VERNIER_TRIALS_STUDY_SERVICE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/access/quota_store.h"
#include "store/store.h"
#include "trials/client_trial_changes.h"
#include "trials/study_index.h"
#include "trials/suggestion_service.h"
#include "trials/user_attributes.h"

namespace vernier {

/// A study to make.
struct StudyRequest {
  /// "owners/alice", or "projects/p1/locations/l" with a project's id.
  std::string parent;
  /// The name in its parent: 1 to 512 bytes without '/' and control characters.
  std::string name;
  StudySpec spec;
  OriginalSpec original;
  Metadata metadata;
  std::optional<std::uint64_t> seed = std::nullopt;  ///< Unset: a random one.
};

/// Points that somebody proposes for a study.
struct ProposalRequest {
  StudyId study{};
  std::string source;               ///< Who proposes them; see CheckSource.
  std::vector<std::string> points;  ///< As to ReadGivenPoints.
  /// Repeating a non-empty one with the same points adds nothing.
  std::string request_id = "";
};

/// A trial, the study that it is in, and what was reported while it ran.
struct TrialWithMeasurements {
  std::shared_ptr<const StudySnapshot> study;
  TrialId trial{};
  std::vector<MetricReport> reports;  ///< In the order of their arrival.
  /// The trial, unpacked once. Shared with `study` while the trial is open.
  std::shared_ptr<const TrialRecord> whole = study->trials.Share(trial);

  const TrialRecord& record() const { return *whole; }
};

/// The operations on studies that clients run (ask and tell), for every API. A
/// study is named by its resource name, PARENT/studies/NAME. Thread-safe.
///
/// Errors: NOT_FOUND for an unknown study or trial, and a deleted one;
/// INVALID_ARGUMENT for a request that is never valid; FAILED_PRECONDITION for
/// one that is not in this state, above all if the study is not ACTIVE; those
/// of Store. After an error nothing has changed.
class StudyService {
 public:
  using StudyAnswer = absl::StatusOr<std::shared_ptr<const StudySnapshot>>;

  struct Dependencies {
    Store& store;
    const Clock& clock;
    StudyEngines& engines;
    SuggestionService& suggestions;
    /// Returns 64 random bits, for seeds. Any thread may call it.
    std::function<std::uint64_t()> random_seed;
    const QuotaStore* quotas = nullptr;  ///< Null: there are none.
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  explicit StudyService(const Dependencies& dependencies);

  /// Makes a study, or returns the one with this name, whatever its spec,
  /// because all workers of a study may try to make it at once. `*is_new`, if
  /// given, tells which. RESOURCE_EXHAUSTED if the project's quota allows no
  /// further one.
  StudyAnswer CreateStudy(const StudyRequest& request, bool* is_new = nullptr);
  StudyAnswer GetStudy(const std::string& study) const;
  /// Returns the studies with this parent, oldest first.
  std::vector<std::shared_ptr<const StudySnapshot>> ListStudies(
      const std::string& parent) const;
  absl::Status DeleteStudy(const std::string& study);
  StudyAnswer SetState(const std::string& study, StudyState state,
                       const std::string& reason);

  /// Changes the search of a study; see vernier::ReviseStudy. A study that was
  /// completed since every configuration had been tried is active again.
  StudyAnswer Revise(const ReviseStudy& change);

  /// Replaces the note of any study, a job's included, or of one of its trials.
  /// See vernier::WriteNote.
  StudyAnswer WriteNote(StudyId study, std::optional<TrialId> trial,
                        const std::string& note);
  /// Adds to the attributes of any study, a job's included, or of one of its
  /// trials, in any state: all or none. See AttributeUpdates.
  absl::Status SetAttributes(StudyId study, std::optional<TrialId> trial,
                             const UserAttributes& set);

  /// Adds points that `source` proposes to any study, a job's included; see
  /// ReadGivenPoints and ProposePoints. The search tries one when the source
  /// has earned it (ProposalSuggester). INVALID_ARGUMENT if the study's
  /// algorithm looks at no proposals.
  StudyAnswer Propose(const ProposalRequest& request);

  /// Calls SuggestionService::Suggest; NOT_FOUND also goes to `done`.
  void Suggest(const std::string& study, int count,
               const std::string& client_id, SuggestionService::Done done);
  /// Returns the answer of an earlier Suggest, with its trials in their present
  /// state and without deleted ones.
  absl::StatusOr<SuggestionService::Answer> FindOperation(
      const std::string& study, std::int64_t number) const;

  /// Returns the trial that an earlier request with this id made, in its
  /// present state; INVALID_ARGUMENT if that request was different.
  absl::StatusOr<TrialWithMeasurements> CreateTrial(
      const std::string& study, const TrialRequest& request);
  absl::StatusOr<TrialWithMeasurements> GetTrial(const std::string& study,
                                                 TrialId trial) const;
  /// Returns all trials by id, without deleted ones.
  absl::StatusOr<std::vector<TrialWithMeasurements>> ListTrials(
      const std::string& study) const;
  /// See OptimalTrials.
  absl::StatusOr<std::vector<TrialWithMeasurements>> ListOptimalTrials(
      const std::string& study) const;
  /// Ends the trial first if it is open.
  absl::Status DeleteTrial(const std::string& study, TrialId trial);

  /// Adds a report to an active or stopping trial; changes nothing for an
  /// infeasible one. The answer has all reports of the trial. Two reports of
  /// one step in one microsecond count as one. With a request id, so do two
  /// reports of one step with the same content, so that a report may be sent
  /// again.
  absl::StatusOr<TrialWithMeasurements> AddMeasurement(
      const std::string& study, TrialId trial, const MetricReport& report,
      const std::string& request_id = "");
  /// Ends an active or stopping trial. INVALID_ARGUMENT, unless the trial is
  /// infeasible, if neither the request nor the trial has a report, or if none
  /// of the report's metrics is one of the study's.
  absl::StatusOr<TrialWithMeasurements> CompleteTrial(
      const std::string& study, TrialId trial,
      const TrialCompletion& completion);
  /// An active trial becomes stopping; a stopping or completed one stays.
  absl::StatusOr<TrialWithMeasurements> StopTrial(const std::string& study,
                                                  TrialId trial);
  /// Returns why the study's rule stops the trial; nullopt if it does not, and
  /// always if the study has no stopping rule. A trial that is stopped becomes
  /// stopping, so the verdict stays, and the value with which it is completed
  /// counts as that of a training that was cut short. The trial must be active
  /// or stopping.
  absl::StatusOr<std::optional<std::string>> CheckEarlyStopping(
      const std::string& study, TrialId trial);

  /// Sets all or none.
  absl::Status UpdateMetadata(const std::string& study,
                              const std::vector<MetadataUpdate>& updates);

 private:
  using Snapshot = std::shared_ptr<const StudySnapshot>;

  // NOT_FOUND if the study, which there was before, is gone.
  StudyAnswer PresentStudy(StudyId study) const;
  absl::StatusOr<TrialWithMeasurements> FindTrial(const std::string& study,
                                                  TrialId trial) const;
  absl::StatusOr<TrialWithMeasurements> FindMadeTrial(
      const StudySnapshot& study, const std::string& request_id) const;
  absl::Status Commit(const std::vector<Change>& changes) const;
  absl::Status FillAllReports(
      std::vector<TrialWithMeasurements>* answers) const;
  absl::StatusOr<std::size_t> FillReports(
      std::span<TrialWithMeasurements> answers, std::size_t limit) const;
  absl::StatusOr<MetricReport> LastReport(
      const TrialWithMeasurements& answer) const;

  const Dependencies dependencies_;
  StudyIndex index_;  // Does its own locking.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_STUDY_SERVICE_H_
