#include "cluster/attempt_inspection.h"

#include <utility>

#include "cluster/exit_record.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

using Kind = AttemptInspection::Kind;

AttemptInspection Answer(Kind kind) {
  AttemptInspection inspection;
  inspection.kind = kind;
  return inspection;
}

AttemptInspection InspectDead(const LiveAttempt& attempt,
                              const ClaimContent& content,
                              const std::string& boot_id) {
  if (content.kind == ClaimContent::Kind::kClaimed &&
      content.claim.nonce != attempt.nonce) {
    return Answer(Kind::kNeverStarted);
  }
  const absl::StatusOr<ExitRecord> record = ReadExitRecord(attempt.run_dir);
  if (record.ok() && record->nonce == attempt.nonce) {
    AttemptInspection inspection = Answer(Kind::kEnded);
    inspection.observation = ObservationOf(attempt.attempt, *record);
    return inspection;
  }
  if (content.kind == ClaimContent::Kind::kClaimed &&
      content.claim.boot_id != boot_id) {
    return Answer(Kind::kLost);
  }
  return Answer(Kind::kOrphaned);
}

AttemptInspection Revoke(ClaimFile& claim) {
  // While it is not durable, a power cut could bring the attempt back.
  return Answer(claim.Revoke().ok() ? Kind::kNeverStarted : Kind::kUnknown);
}

}  // namespace

AttemptObservation ObservationOf(const AttemptKey& attempt,
                                 const ExitRecord& record) {
  AttemptObservation observation;
  observation.attempt = attempt;
  observation.kind = AttemptObservation::Kind::kEnded;
  if (record.deciding) {
    observation.exit_code = record.ends[*record.deciding].exit_code;
    observation.signal = record.ends[*record.deciding].signal;
  }
  observation.out_of_memory = record.out_of_memory;
  observation.launch_failed = record.launch_failed;
  observation.stopped_by_request = record.stopped_by_request;
  observation.message = record.message;
  observation.lasted = record.lasted;
  return observation;
}

AttemptInspection InspectAttempt(const LiveAttempt& attempt,
                                 const std::string& boot_id) {
  if (!MakeDirectories(attempt.run_dir).ok()) return Answer(Kind::kUnknown);
  absl::StatusOr<ClaimFile> claim = ClaimFile::Lock(attempt.run_dir);
  if (absl::IsUnavailable(claim.status())) {
    AttemptInspection inspection = Answer(Kind::kAlive);
    absl::StatusOr<ClaimContent> content = ReadClaim(attempt.run_dir);
    if (content.ok()) inspection.claim = *std::move(content);
    return inspection;
  }
  if (!claim.ok()) return Answer(Kind::kUnknown);
  const absl::StatusOr<ClaimContent> content = claim->Read();
  if (!content.ok()) return Answer(Kind::kUnknown);
  switch (content->kind) {
    case ClaimContent::Kind::kEmpty:
      return Revoke(*claim);
    case ClaimContent::Kind::kRevoked:
      return Answer(Kind::kNeverStarted);
    case ClaimContent::Kind::kClaimed:
    case ClaimContent::Kind::kUnreadable:
      return InspectDead(attempt, *content, boot_id);
  }
  return Answer(Kind::kUnknown);
}

}  // namespace vernier
