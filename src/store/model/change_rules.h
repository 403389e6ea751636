#ifndef VERNIER_STORE_MODEL_CHANGE_RULES_H_
#define VERNIER_STORE_MODEL_CHANGE_RULES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/model/change_context.h"
#include "store/study_kinds.h"

namespace vernier {

/// One rule per change; internal to the model. Each rule checks first, then
/// edits the state and records rows and events. It is given the study as it is
/// before the change; what the rule has read there it does not read again after
/// its first edit.
absl::Status Apply(const CreateTrials& change, const StudySnapshot& before,
                   ChangeContext& context);
absl::Status Apply(const MoveTrial& change, const StudySnapshot& before,
                   ChangeContext& context);
absl::Status Apply(const AddMeasurements& change, const StudySnapshot& before,
                   ChangeContext& context);
absl::Status Apply(const ProposePoints& change, const StudySnapshot& before,
                   ChangeContext& context);
absl::Status Apply(const WriteNote& change, const StudySnapshot& before,
                   ChangeContext& context);
absl::Status Apply(const UpdateMetadata& change, const StudySnapshot& before,
                   ChangeContext& context);

/// Rules of jobs.
absl::Status Apply(const QueuePoints& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const IntendLaunch& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const ObserveAttempt& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const WantKill& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const EndAttempt& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const MoveJob& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const SetJobWanted& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const UpdateLabels& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const ExtendJob& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const ReviseJob& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const RestartOutdated& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const CheckpointJob& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const CountFailures& change, JobRef before,
                   ChangeContext& context);
absl::Status Apply(const DeleteJob& change, JobRef before,
                   ChangeContext& context);

/// Rules of studies that clients run.
absl::Status Apply(const MoveStudy& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const AssignTrial& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const DeleteTrial& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const ReviseStudy& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const GrowStudySpec& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const SetTrialParameter& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const RecordOperation& change, ClientStudyRef before,
                   ChangeContext& context);
absl::Status Apply(const DeleteStudy& change, ClientStudyRef before,
                   ChangeContext& context);

/// Queues points after the waiting ones. The caller has checked that the study
/// is known and that the request is not a repeated one.
absl::Status AppendToQueue(StudyId study, const std::vector<Parameters>& points,
                           ChangeContext& context);

/// True for a trial from a point that a user gave.
bool IsByHand(const SuggestionOrigin& origin);

/// The answer that is bound to `request_id`; null if the id is new, and then
/// its answer must be bound. INVALID_ARGUMENT if the id was used for another
/// request.
absl::StatusOr<const RememberedRequest*> FindAnswered(
    const ChangeContext& context, const std::string& request_id,
    std::uint64_t digest);

/// Binds a request id, if it is not empty, to its answer.
void Remember(const std::string& request_id, const RememberedRequest& answer,
              ChangeContext& context);

/// RESOURCE_EXHAUSTED if the project has `max_studies` jobs and studies or
/// more.
absl::Status CheckHasRoomForStudy(const std::string& project,
                                  const std::optional<int>& max_studies,
                                  const ChangeContext& context);

/// INVALID_ARGUMENT unless `parameters` survive being stored as text: no NaN,
/// and no name twice.
absl::Status CheckStorable(const Parameters& parameters);

/// INVALID_ARGUMENT unless `text` survives being stored in an event's payload.
absl::Status CheckUtf8(const std::string& what, const std::string& text);

/// NOT_FOUND if there is no such study. Not null.
absl::StatusOr<const StudySnapshot*> FindStudy(const ChangeContext& context,
                                               StudyId study);
/// NOT_FOUND if there is no such trial, or it was deleted. Not null.
absl::StatusOr<std::shared_ptr<const TrialRecord>> FindTrial(
    const ChangeContext& context, StudyId study, TrialId trial);
/// FindTrial, and NOT_FOUND if it has no such attempt.
absl::StatusOr<std::shared_ptr<const TrialRecord>> FindAttempt(
    const ChangeContext& context, const AttemptKey& attempt);

/// "study 3", "trial 3/17", "attempt 3/17/2": for messages.
std::string NameOf(StudyId study);
std::string NameOf(StudyId study, TrialId trial);
std::string NameOf(const AttemptKey& attempt);

/// The key of a row or an event about the study itself.
inline AttemptKey KeyOf(StudyId study) { return {study, TrialId{}, 0}; }

/// True if the trial's last attempt is alive.
bool HasLiveAttempt(const TrialRecord& trial);

/// Marks the row of a trial that has moved on from `from`, and records the
/// move.
void RecordTrialMove(StudyId study, TrialState from, const TrialRecord& trial,
                     ChangeContext& context);

/// Appends an event about the job, a trial or an attempt. The study must be
/// known; `key.trial` 0 and `key.number` 0 mean "not about one".
void RecordEvent(const AttemptKey& key, std::string kind, std::string payload,
                 ChangeContext& context);

}  // namespace vernier

#endif  // VERNIER_STORE_MODEL_CHANGE_RULES_H_
