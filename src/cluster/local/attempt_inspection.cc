#include "cluster/local/attempt_inspection.h"

#include <utility>

#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/ended_observation.h"
#include "cluster/attempt/exit_record.h"

namespace vernier {
namespace {

using Found = AttemptInspection::Kind;

AttemptInspection Answer(Found kind) {
  AttemptInspection inspection;
  inspection.kind = kind;
  return inspection;
}

AttemptInspection Tampered(const std::string& damage) {
  AttemptInspection inspection = Answer(Found::kTampered);
  inspection.damage = damage;
  return inspection;
}

AttemptInspection Revoke(ClaimFile& claim) {
  // The revocation must be durable: otherwise a power cut could undo it, and
  // the attempt could start after all.
  return Answer(claim.Revoke().ok() ? Found::kNeverStarted : Found::kUnknown);
}

// Returns the answer if the claim has another nonce or is damaged.
AttemptInspection InspectForeign(const LiveAttempt& attempt, Found otherwise) {
  if (!attempt.has_run) return Answer(otherwise);
  return Tampered("the file claim was overwritten while the attempt ran");
}

// Returns the answer if the exit record is missing, damaged or another
// attempt's, which `record` tells.
AttemptInspection InspectDead(const LiveAttempt& attempt,
                              const ClaimContent& content,
                              const absl::Status& record,
                              const std::string& boot_id) {
  if (content.kind == ClaimContent::Kind::kUnreadable) {
    return InspectForeign(attempt, Found::kOrphaned);
  }
  if (content.claim.nonce != attempt.nonce) {
    return InspectForeign(attempt, Found::kNeverStarted);
  }
  if (content.claim.boot_id != boot_id) return Answer(Found::kLost);
  if (absl::IsDataLoss(record)) return Tampered(std::string(record.message()));
  return Answer(Found::kOrphaned);
}

// Reads a claim whose lock was taken, or which is no longer a regular file.
absl::StatusOr<ClaimContent> Read(const absl::StatusOr<ClaimFile>& claim) {
  if (!absl::IsDataLoss(claim.status())) {
    VERNIER_RETURN_IF_ERROR(claim.status());
    return claim->Read();
  }
  ClaimContent overwritten;
  overwritten.kind = ClaimContent::Kind::kUnreadable;
  return overwritten;
}

// Returns the answer if no supervisor holds the claim.
AttemptInspection InspectUnheld(const LiveAttempt& attempt,
                                absl::StatusOr<ClaimFile>& claim,
                                const std::string& boot_id) {
  const absl::StatusOr<ClaimContent> content = Read(claim);
  if (!content.ok()) return Answer(Found::kUnknown);
  // The supervisor's exit record decides, even if its claim was overwritten.
  const absl::StatusOr<ExitRecord> record = ReadExitRecord(attempt.run_dir);
  if (record.ok() && record->nonce == attempt.nonce) {
    AttemptInspection inspection = Answer(Found::kEnded);
    inspection.observation = ObservationOf(attempt.attempt, *record);
    return inspection;
  }
  if (!record.ok() && !absl::IsNotFound(record.status()) &&
      !absl::IsDataLoss(record.status())) {
    return Answer(Found::kUnknown);
  }
  switch (content->kind) {
    case ClaimContent::Kind::kEmpty:
      return attempt.has_run ? InspectForeign(attempt, Found::kNeverStarted)
                             : Revoke(*claim);
    case ClaimContent::Kind::kRevoked:
      return InspectForeign(attempt, Found::kNeverStarted);
    case ClaimContent::Kind::kClaimed:
    case ClaimContent::Kind::kUnreadable:
      return InspectDead(attempt, *content, record.status(), boot_id);
  }
  return Answer(Found::kUnknown);
}

}  // namespace

AttemptInspection InspectAttempt(const LiveAttempt& attempt,
                                 const std::string& boot_id) {
  // The launch may not have made the folder yet, and a claim is revoked in it.
  if (!MakeDirectories(attempt.run_dir).ok()) return Answer(Found::kUnknown);
  // The kernel frees the lock however its holder ends, so the lock alone shows
  // whether the supervisor lives.
  absl::StatusOr<ClaimFile> claim = ClaimFile::Lock(attempt.run_dir);
  if (absl::IsUnavailable(claim.status())) {
    AttemptInspection inspection = Answer(Found::kAlive);
    absl::StatusOr<ClaimContent> content = ReadClaim(attempt.run_dir);
    if (content.ok()) inspection.claim = *std::move(content);
    return inspection;
  }
  return InspectUnheld(attempt, claim, boot_id);
}

}  // namespace vernier
