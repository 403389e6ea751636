#ifndef VERNIER_FACES_MESSAGES_JOB_MESSAGE_H_
#define VERNIER_FACES_MESSAGES_JOB_MESSAGE_H_

#include <vernier/v1/job.pb.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/study_kinds.h"
#include "study/job_file/job_parser.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

enum class TrialsInJob { kWith, kWithout };

/// Counts the trials of a job that is about to be shown with them; see
/// UseInCall.
absl::Status UseTrialsInCall(const StudySnapshot& study);

/// Returns the API's form of a job: AI Platform's Job, trials best first.
/// `hindrance` (reasons to wait) as for JobWaitsFor. `now` is for the time that
/// is left; without it that is left out. Pure.
v1::Job ToProto(JobRef study, TrialsInJob trials,
                const Hindrance& hindrance = {},
                std::optional<Timestamp> now = std::nullopt);

/// The API's form of a job that was parsed but not stored. Pure.
v1::Job ToProto(const ParsedJob& job);

/// Parses a job that came as a message, through the parser of job files. Fields
/// that are output only are ignored.
///
/// Errors: INVALID_ARGUMENT, one line per mistake.
absl::StatusOr<ParsedJob> FromProto(const v1::Job& job);

/// Fills an empty struct with the values of a point by name.
void FillPoint(const std::vector<ParameterSpec>& space, const Parameters& point,
               google::protobuf::Struct* to);

/// Prints a point as a JSON object. INVALID_ARGUMENT for NaN and infinity.
absl::StatusOr<std::string> PrintPoint(const google::protobuf::Struct& point);

/// Returns AI Platform's name for the state of a trial. It is RUNNING only
/// while an attempt runs; a trial that ended without a finite value counts as
/// SUCCEEDED, too.
v1::Job::State TrialStateInJob(const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_JOB_MESSAGE_H_
