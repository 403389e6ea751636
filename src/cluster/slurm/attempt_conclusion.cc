#include "cluster/slurm/attempt_conclusion.h"

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;
using Stage = JobView::Stage;

constexpr char kStopped[] = "It was stopped on request.";

// Returns a sentence such as "Slurm ended job 17 on n2 as NODE_FAIL."
std::string DescribeJobEnd(const JobView& job) {
  const auto& listed = job.knowledge.job;
  if (!listed) return "Slurm does not know its job any more.";
  std::string text = absl::StrCat("Slurm ended job ", listed->number);
  if (!listed->nodes.empty()) absl::StrAppend(&text, " on ", listed->nodes);
  if (!IsFinal(listed->state)) {
    return absl::StrCat("Slurm does not know job ", listed->number,
                        " any more, which was last ", listed->word, ".");
  }
  absl::StrAppend(&text, " as ", listed->word);
  if (!listed->reason.empty() && listed->reason != listed->word) {
    absl::StrAppend(&text, " (", listed->reason, ")");
  }
  return text + ".";
}

EngineEnd EngineEndOf(const JobView& job) {
  if (!job.knowledge.job) return EngineEnd::kUnknown;
  switch (job.knowledge.job->state) {
    case SlurmState::kPreempted:
      return EngineEnd::kPreempted;
    case SlurmState::kTimeLimit:
      return EngineEnd::kTimeLimit;
    case SlurmState::kNodeFailed:
      return EngineEnd::kNodeFailed;
    default:
      return EngineEnd::kUnknown;
  }
}

AttemptConclusion Stopped(bool must_revoke) {
  AttemptConclusion conclusion;
  conclusion.must_revoke = must_revoke;
  conclusion.observation.kind = Kind::kEnded;
  conclusion.observation.stopped_by_request = true;
  conclusion.observation.message = kStopped;
  return conclusion;
}

// Concludes for a job that is over although nobody asked for its end.
AttemptConclusion ConcludeEnd(const AttemptEvidence& evidence) {
  AttemptConclusion conclusion;
  AttemptObservation& observation = conclusion.observation;
  const bool has_claim = evidence.claim == JobClaim::Kind::kHeld;
  conclusion.must_revoke = evidence.claim == JobClaim::Kind::kNone;
  const auto& listed = evidence.job.knowledge.job;
  if (!has_claim && !evidence.gang_ran &&
      (!listed || !IsFinal(listed->state))) {
    observation.kind = Kind::kNeverStarted;
    return conclusion;
  }
  observation.kind = Kind::kLost;
  observation.engine_end = EngineEndOf(evidence.job);
  observation.message = DescribeJobEnd(evidence.job);
  if (!evidence.preempted_at.empty()) {
    observation.engine_end = EngineEnd::kPreempted;
    observation.message =
        absl::StrCat("Slurm preempted its job at ", evidence.preempted_at, ". ",
                     observation.message);
  }
  if (!evidence.job_log.empty()) {
    absl::StrAppend(&observation.message, "\n", evidence.job_log);
  }
  if (listed && listed->state == SlurmState::kOutOfMemory) {
    observation.kind = Kind::kEnded;
    observation.out_of_memory = true;
  }
  return conclusion;
}

}  // namespace

bool IsJobOver(const JobView& job) {
  switch (job.stage) {
    case Stage::kWaiting:
    case Stage::kSubmitting:
      return false;
    case Stage::kRefused:
    case Stage::kWithdrawn:
      return true;
    case Stage::kInSlurm:
      break;
  }
  const JobTracker::Knowledge& knowledge = job.knowledge;
  if (knowledge.job && IsFinal(knowledge.job->state)) return true;
  return knowledge.is_gone && knowledge.is_accounted;
}

AttemptConclusion Conclude(const AttemptEvidence& evidence) {
  AttemptConclusion conclusion;
  AttemptObservation& observation = conclusion.observation;
  if (!IsJobOver(evidence.job) || evidence.may_have_record) {
    observation.kind = evidence.gang_ran ? Kind::kRunning : Kind::kStarting;
    return conclusion;
  }
  const bool is_unclaimed = evidence.claim == JobClaim::Kind::kNone;
  if (evidence.job.stage == Stage::kWithdrawn || evidence.is_killed) {
    return Stopped(is_unclaimed);
  }
  if (evidence.claim == JobClaim::Kind::kRevoked) {
    observation.kind = Kind::kNeverStarted;
    return conclusion;
  }
  if (evidence.job.stage == Stage::kRefused) {
    conclusion.must_revoke = is_unclaimed;
    observation.kind = Kind::kEnded;
    observation.launch_failed = true;
    observation.message =
        absl::StrCat("Slurm refused its job: ", evidence.job.words);
    return conclusion;
  }
  return ConcludeEnd(evidence);
}

std::string DescribeWait(const JobView& job) {
  std::string text;
  switch (job.stage) {
    case Stage::kWaiting:
      text = "waiting to be submitted to Slurm";
      if (!job.words.empty()) absl::StrAppend(&text, ": ", job.words);
      return text;
    case Stage::kSubmitting:
      return "being submitted to Slurm";
    case Stage::kInSlurm:
      break;
    case Stage::kRefused:
    case Stage::kWithdrawn:
      return "";
  }
  const auto& listed = job.knowledge.job;
  if (!listed) {
    text = "in Slurm, as far as is known";
    if (!job.words.empty()) absl::StrAppend(&text, ": ", job.words);
    return text;
  }
  if (listed->state != SlurmState::kPending) {
    return absl::StrCat("being started by Slurm as job ", listed->number);
  }
  text = absl::StrCat("in Slurm's queue as job ", listed->number);
  if (!listed->reason.empty()) {
    absl::StrAppend(&text, ": ", DescribePendingReason(listed->reason));
  }
  return text;
}

}  // namespace vernier
