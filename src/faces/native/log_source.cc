#include "faces/native/log_source.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/replica.h"
#include "cluster/replica_log.h"
#include "store/study_names.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/orchestrator.h"
#include "trials/submission/job_service.h"

namespace vernier {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} * 1024;
constexpr std::size_t kBytesAtOnce = std::size_t{128} * 1024;
constexpr std::size_t kTailsAtOnce = 256;
// The largest number of trials without any output that one call looks through.
constexpr int kRounds = 500;

absl::Status CheckReplica(JobRef job, const std::string& replica) {
  if (replica.empty()) return absl::OkStatus();
  std::string known;
  // Attempts of an earlier version may have had other replicas.
  for (int number = job.run().code_version; number >= 1; --number) {
    const JobVersion version = VersionOf(job, number);
    for (ReplicaId id : GangReplicas(version.spec->training_input)) {
      const std::string name = ReplicaName(id);
      if (name == replica) return absl::OkStatus();
      if (number < job.run().code_version) continue;
      absl::StrAppend(&known, known.empty() ? "" : ", ", name);
    }
  }
  return absl::NotFoundError(absl::StrCat("job ", job->name, " has no replica ",
                                          replica, "; it has ", known));
}

absl::Status CheckTrial(JobRef job, const v1::ReadLogRequest& request) {
  if (request.trial_id() > 0) {
    VERNIER_RETURN_IF_ERROR(CheckHasTrial(job, absl::StrCat("job ", job->name),
                                          request.trial_id()));
  }
  if (request.attempt() == 0) return absl::OkStatus();
  if (request.trial_id() == 0) {
    return absl::InvalidArgumentError("attempt needs a trial_id");
  }
  const std::size_t attempts =
      job->trials.Share(TrialId(request.trial_id()))->attempts.size();
  if (static_cast<std::size_t>(request.attempt()) > attempts) {
    return absl::NotFoundError(
        absl::StrCat("trial ", request.trial_id(), " has no attempt ",
                     request.attempt(), "; it has ", attempts));
  }
  return absl::OkStatus();
}

/// Returns the number of bytes to send: whole lines only, unless a full piece
/// has no line end or the log has ended.
std::size_t SendableSize(const std::string& data, bool has_ended) {
  if (has_ended) return data.size();
  const std::size_t newline = data.rfind('\n');
  if (newline != std::string::npos) return newline + 1;
  return data.size() == kPieceBytes ? data.size() : 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogSource>> LogSource::Create(
    const Store& store, const v1::ReadLogRequest& request) {
  if (request.trial_id() < 0 || request.attempt() < 0 ||
      request.tail_lines() < 0) {
    return absl::InvalidArgumentError(
        "trial_id, attempt and tail_lines must be >= 0");
  }
  const auto study = FindJob(*store.Snapshot(), request.job_id());
  if (study == nullptr) {
    return absl::NotFoundError(absl::StrCat("no such job: ", request.job_id()));
  }
  const JobRef job = JobOf(*study);
  absl::Status valid = CheckTrial(job, request);
  if (valid.ok()) valid = CheckReplica(job, request.replica());
  if (!valid.ok()) return valid;
  return std::unique_ptr<LogSource>(new LogSource(store, request, study->id));
}

LogSource::LogSource(const Store& store, const v1::ReadLogRequest& request,
                     StudyId study)
    : store_(store),
      request_(request),
      study_(study),
      next_trial_(request.trial_id() == 0 ? 1 : request.trial_id()) {}

std::optional<absl::Status> LogSource::Next(
    std::deque<v1::LogChunk>* messages) {
  // The snapshot is taken before the files are read: if it shows that an
  // attempt has ended, the files hold all that it printed.
  const auto snapshot = store_.Snapshot();
  const auto found = snapshot->find(study_);
  if (found == snapshot->end()) return absl::OkStatus();  // Deleted.
  const JobRef job = JobOf(*found->second);
  bytes_ = 0;
  for (int round = 0; round < kRounds && messages->empty(); ++round) {
    AddTails(job);
    if (tails_.empty()) break;
    const std::size_t before = tails_.size();
    for (std::size_t i = 0; i < before && bytes_ < kBytesAtOnce; ++i) {
      // Trials take turns, so this one goes to the end of the list.
      Tail tail = std::move(tails_.front());
      tails_.pop_front();
      if (!ReadTail(job, &tail, messages)) tails_.push_back(std::move(tail));
    }
    if (tails_.size() == before) break;  // All wait for something.
  }
  if (messages->empty() && IsOver(job)) return absl::OkStatus();
  return std::nullopt;
}

void LogSource::AddTails(JobRef job) {
  const auto last = request_.trial_id() != 0
                        ? request_.trial_id()
                        : static_cast<std::int64_t>(job->trials.size());
  // Without following, trials come one after the other.
  const std::size_t most = request_.follow() ? kTailsAtOnce : 1;
  for (; next_trial_ <= last && tails_.size() < most; ++next_trial_) {
    Tail tail;
    tail.trial = TrialId(next_trial_);
    tail.attempt =
        request_.attempt() != 0
            ? request_.attempt()
            : static_cast<int>(job->trials.Share(tail.trial)->attempts.size());
    tails_.push_back(std::move(tail));
  }
}

bool LogSource::ReadTail(JobRef job, Tail* tail,
                         std::deque<v1::LogChunk>* messages) {
  const std::shared_ptr<const TrialRecord> shared =
      job->trials.Share(tail->trial);
  const TrialRecord& trial = *shared;
  const bool is_last_word = IsTerminal(trial.state) || !request_.follow();
  const int attempts = static_cast<int>(trial.attempts.size());
  if (tail->attempt == 0 && attempts > 0) tail->attempt = 1;
  if (tail->attempt == 0) return is_last_word;
  const AttemptRecord& attempt =
      trial.attempts[static_cast<std::size_t>(tail->attempt - 1)];
  const bool has_ended = IsTerminal(attempt.state);
  if (!ReadAttempt(job, tail, has_ended, messages)) return false;
  if (!request_.follow()) return true;
  if (!has_ended) return false;
  if (request_.attempt() != 0) return true;
  if (tail->attempt < attempts) {
    ++tail->attempt;
    tail->offsets.clear();
    return false;
  }
  return is_last_word;
}

bool LogSource::ReadAttempt(JobRef job, Tail* tail, bool has_ended,
                            std::deque<v1::LogChunk>* messages) {
  const std::string dir = AttemptDir(job, {study_, tail->trial, tail->attempt});
  for (const ReplicaLogInfo& log : ListReplicaLogs(dir)) {
    if (!request_.replica().empty() && log.replica != request_.replica()) {
      continue;
    }
    const auto [offset, is_new] = tail->offsets.try_emplace(log.replica, 0);
    if (is_new && request_.tail_lines() > 0) {
      offset->second =
          FindLastLines(dir, log.replica, request_.tail_lines()).value_or(0);
    }
    while (true) {
      if (bytes_ >= kBytesAtOnce) return false;
      absl::StatusOr<ReplicaLogPart> part =
          ReadReplicaLog(dir, log.replica, offset->second, kPieceBytes);
      // A log that cannot be read counts as empty, so that the others can be.
      if (!part.ok()) break;
      const std::size_t size =
          SendableSize(part->data, has_ended || !request_.follow());
      if (size == 0) break;
      v1::LogChunk& chunk = messages->emplace_back();
      chunk.set_trial_id(ToInt(tail->trial));
      chunk.set_attempt(tail->attempt);
      chunk.set_replica(log.replica);
      chunk.set_data(part->data.substr(0, size));
      offset->second = part->offset + static_cast<std::int64_t>(size);
      bytes_ += size;
    }
  }
  return true;
}

bool LogSource::IsOver(JobRef job) const {
  if (!tails_.empty()) return false;
  if (request_.trial_id() != 0) return true;
  return next_trial_ > static_cast<std::int64_t>(job->trials.size()) &&
         (!request_.follow() || IsTerminal(job.run().state));
}

}  // namespace vernier
