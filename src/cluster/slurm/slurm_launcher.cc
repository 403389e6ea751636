#include "cluster/slurm/slurm_launcher.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/containers/container_engine.h"
#include "cluster/launch_retry.h"
#include "cluster/local/attempt_inspection.h"
#include "cluster/local/exit_record.h"
#include "cluster/local/kill_request.h"
#include "cluster/local/launch_phase.h"
#include "cluster/slurm/attempt_conclusion.h"
#include "cluster/slurm/failed_nodes.h"
#include "cluster/slurm/gang_plan.h"
#include "cluster/slurm/job_identity.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

// The files in an attempt's folder decide, not Slurm: the job that holds the
// claim runs the attempt, and its exit record is the result. Slurm's view is
// used only if the job is over and there is no record. Conclude then decides,
// after a short wait for files that other nodes write. If no job holds the
// claim, it is revoked first, so that a job that starts late cannot run the
// attempt any more.

using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;

constexpr std::int64_t kMinLogCap = 65536;
// The pauses between polls of one attempt's files. They grow with the number of
// attempts, so that thousands cost no more than a few hundred polls a second.
constexpr milliseconds kLeastLook{200};
constexpr milliseconds kMostLook{20000};
constexpr milliseconds kLookPerAttempt{4};
constexpr std::size_t kJobLogTail = 1000;

// Returns the end of what the batch script, srun and Slurm itself printed.
std::string TailOfJobLog(const std::string& run_dir) {
  std::string text = ReadFileEnd(JobLogPath(run_dir), kJobLogTail).value_or("");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SlurmLauncher>> SlurmLauncher::Create(
    Options options, std::unique_ptr<SlurmClient> client, const Clock& clock) {
  VERNIER_RETURN_IF_ERROR(Validate(options.settings));
  if (options.log_cap_bytes < kMinLogCap) {
    return absl::InvalidArgumentError(absl::StrCat(
        "log_cap_bytes must be >= ", kMinLogCap, ": ", options.log_cap_bytes));
  }
  std::unique_ptr<SlurmLauncher> launcher(
      new SlurmLauncher(std::move(options), clock));
  VERNIER_RETURN_IF_ERROR(launcher->epoll_.Open());
  SlurmLauncher* const self = launcher.get();
  launcher->jobs_ = std::make_unique<SlurmJobs>(
      SlurmJobs::Dependencies{std::move(client), clock,
                              [self] { self->NoteChange(); },
                              launcher->options_.log},
      launcher->options_.settings, JobNamePrefix(launcher->options_.instance));
  return launcher;
}

SlurmLauncher::SlurmLauncher(Options options, const Clock& clock)
    : options_(std::move(options)), clock_(clock) {}

SlurmLauncher::~SlurmLauncher() = default;

void SlurmLauncher::BeginProbe(const std::string& data_dir,
                               const std::string& url,
                               std::unique_ptr<SlurmClient> client) {
  probe_ = std::make_unique<ClusterProbe>(
      ClusterProbe::Dependencies{std::move(client), clock_,
                                 [this] { NoteChange(); }, options_.log},
      ClusterProbe::Options{options_.settings, options_.instance, data_dir,
                            url});
}

absl::Status SlurmLauncher::MayLaunch() const {
  return probe_ ? probe_->MayLaunch() : absl::OkStatus();
}

void SlurmLauncher::NoteChange() {
  epoll_.Wake();
  if (options_.on_change) options_.on_change();
}

absl::Status SlurmLauncher::Launch(const LaunchRequest& request) {
  VERNIER_RETURN_IF_ERROR(CheckLaunchRequest(request));
  const LiveAttempt identity{request.attempt, request.nonce, request.run_dir};
  const auto revoked = [&](const Attempt& attempt) {
    const bool is_ours = attempt.identity.nonce == request.nonce &&
                         attempt.observation.kind != Kind::kNeverStarted;
    return is_ours ? absl::OkStatus()
                   : absl::InvalidArgumentError("the attempt was revoked");
  };
  if (const auto known = attempts_.find(request.attempt);
      known != attempts_.end()) {
    return revoked(known->second);
  }
  // An earlier process of the service may have submitted or revoked the
  // attempt.
  const auto mark = ReadSubmissionMark(request.run_dir);
  VERNIER_RETURN_IF_ERROR(TryAgain(mark.status()));
  const auto claim = ReadJobClaim(request.run_dir);
  VERNIER_RETURN_IF_ERROR(TryAgain(claim.status()));
  if (*mark != SubmissionMark::kNone || claim->kind != JobClaim::Kind::kNone) {
    return revoked(Find(identity));
  }
  VERNIER_RETURN_IF_ERROR(MayLaunch());
  Attempt attempt;
  attempt.identity = identity;
  attempt.observation.attempt = request.attempt;
  attempt.name = JobName(options_.instance, request.nonce);
  VERNIER_RETURN_IF_ERROR(TryAgain(Submit(request, attempt)));
  attempts_.emplace(request.attempt, std::move(attempt));
  return absl::OkStatus();
}

absl::Status SlurmLauncher::Submit(const LaunchRequest& request,
                                   Attempt& attempt) {
  const SlurmSettings& settings = options_.settings;
  VERNIER_RETURN_IF_ERROR(MakeSlurmFolder(request.run_dir));
  const ContainerSettings no_containers;
  VERNIER_RETURN_IF_ERROR(PrepareLaunch(
      request, {options_.resolve, /*machine_has_gpus=*/false,
                options_.log_cap_bytes, no_containers, Durability::kSynced}));
  JobSubmission submission;
  submission.name = attempt.name;
  submission.attempt = request.attempt;
  submission.run_dir = request.run_dir;
  submission.options =
      WithDefaults(request.spec->vernier.slurm, settings.defaults);
  submission.trial_time_limit = request.spec->vernier.trial_time_limit;
  auto components =
      ShapeGang(*request.spec, submission.options, settings.gpu_types);
  if (!components.ok()) {
    // It would fail at each try, so the attempt ends with a launch that failed.
    ExitRecord record = FailedLaunch(components.status());
    record.nonce = request.nonce;
    VERNIER_RETURN_IF_ERROR(WriteExitRecord(request.run_dir, record));
    attempt.observation = ObservationOf(request.attempt, record);
    return absl::OkStatus();
  }
  submission.components = *std::move(components);
  submission.avoided_nodes =
      FailedNodesBefore(request.attempt, request.run_dir);
  VERNIER_RETURN_IF_ERROR(WriteGangPlan(
      request.run_dir,
      PlanGang(settings.program, settings.address, submission.components)));
  VERNIER_RETURN_IF_ERROR(ReplaceFile(
      JobScriptPath(request.run_dir),
      JobScript(settings.program, request.run_dir), Durability::kVolatile));
  jobs_->Start(std::move(submission));
  return absl::OkStatus();
}

SlurmLauncher::Attempt& SlurmLauncher::Find(const LiveAttempt& identity) {
  const auto [place, is_new] = attempts_.try_emplace(identity.attempt);
  Attempt& attempt = place->second;
  if (is_new) {
    attempt.identity = identity;
    attempt.observation.attempt = identity.attempt;
    attempt.name = JobName(options_.instance, identity.nonce);
    Adopt(attempt);
  }
  return attempt;
}

// Takes over an attempt of an earlier process of the service.
void SlurmLauncher::Adopt(Attempt& attempt) {
  const std::string& run_dir = attempt.identity.run_dir;
  if (TakeRecord(attempt)) return;
  const auto mark = ReadSubmissionMark(run_dir);
  if (mark.ok() && *mark == SubmissionMark::kNone) {
    // sbatch was never started, and nobody else will start it.
    const auto claim =
        ClaimAttempt(run_dir, JobClaim{JobClaim::Kind::kRevoked, 0, ""});
    if (claim.ok() && claim->kind == JobClaim::Kind::kRevoked) {
      attempt.observation.kind = Kind::kNeverStarted;
      return;
    }
  }
  const auto killed = ReadKillRequest(run_dir);
  attempt.is_killed = killed.ok() && killed->has_value();
  TakeStart(attempt, clock_.Steady());
  jobs_->Follow(attempt.name);
}

bool SlurmLauncher::TakeRecord(Attempt& attempt) {
  const auto record = ReadExitRecord(attempt.identity.run_dir);
  if (!record.ok() || record->nonce != attempt.identity.nonce) return false;
  attempt.observation = ObservationOf(attempt.identity.attempt, *record);
  TellPhase(attempt, "");
  return true;
}

void SlurmLauncher::TakeStart(Attempt& attempt, SteadyTime now) {
  if (attempt.gang_ran || !GangRuns(attempt.identity.run_dir)) return;
  attempt.gang_ran = true;
  attempt.observation.kind = Kind::kRunning;
  // An adopted gang started earlier; only the wall clock could tell when.
  attempt.started = now;
  TellPhase(attempt, "");
}

absl::Status SlurmLauncher::Kill(const LiveAttempt& identity,
                                 milliseconds grace) {
  Attempt& attempt = Find(identity);
  if (IsOver(attempt.observation.kind)) return absl::OkStatus();
  if (attempt.kill_deadline) return absl::OkStatus();
  // The request is written before the signal is sent, so that a job which
  // starts in between finds it.
  VERNIER_RETURN_IF_ERROR(WriteKillRequest(identity.run_dir, grace));
  attempt.is_killed = true;
  attempt.kill_deadline =
      clock_.Steady() + grace + options_.settings.kill_margin;
  jobs_->Cancel(attempt.name, CancelKind::kAsk);
  return absl::OkStatus();
}

std::vector<AttemptObservation> SlurmLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  const SteadyTime now = clock_.Steady();
  std::vector<AttemptObservation> observations;
  observations.reserve(live.size());
  for (const LiveAttempt& identity : live) {
    Attempt& attempt = Find(identity);
    if (!IsOver(attempt.observation.kind)) {
      Look(attempt, now);
      EndByForce(attempt, now);
    }
    observations.push_back(attempt.observation);
    if (attempt.observation.kind == Kind::kRunning) {
      observations.back().lasted = now - attempt.started;
    }
    if (attempt.identity.nonce != identity.nonce) {
      observations.back() = AttemptObservation{};
      observations.back().attempt = identity.attempt;
      observations.back().kind = Kind::kNeverStarted;
    }
  }
  jobs_->CancelStrangers();
  return observations;
}

void SlurmLauncher::Look(Attempt& attempt, SteadyTime now) {
  const JobView job = jobs_->Of(attempt.name);
  const bool is_over = IsJobOver(job);
  // The files are polled at once when a job is found to be over for the first
  // time.
  if (is_over && !attempt.job_over_since) {
    attempt.job_over_since = now;
    attempt.next_look = now;
  }
  if (!is_over) attempt.job_over_since.reset();
  if (now >= attempt.next_look) {
    attempt.next_look =
        now + std::clamp<milliseconds>(
                  kLookPerAttempt * static_cast<int>(attempts_.size()),
                  kLeastLook, kMostLook);
    if (TakeRecord(attempt)) return;
    TakeStart(attempt, now);
    if (is_over) return TakeEnd(attempt, job, now);
  }
  if (!attempt.gang_ran && !is_over) TellPhase(attempt, WaitOf(job));
}

std::string SlurmLauncher::WaitOf(const JobView& job) const {
  const std::string hindrance = probe_ ? probe_->Hindrance() : "";
  if (hindrance.empty()) return DescribeWait(job);
  return absl::StrCat(DescribeWait(job), "; ", hindrance);
}

// Returns whether the gang still shows signs of life. Slurm may have lost track
// of live processes, for instance when its controller was killed.
bool SlurmLauncher::IsBeating(Attempt& attempt, SteadyTime now) {
  std::string heartbeat = LastHeartbeat(attempt.identity.run_dir);
  if (heartbeat != attempt.heartbeat) {
    attempt.heartbeat = std::move(heartbeat);
    attempt.beat_at = now;
  }
  return !attempt.heartbeat.empty() &&
         now - attempt.beat_at < options_.settings.heartbeat_patience;
}

void SlurmLauncher::TakeEnd(Attempt& attempt, const JobView& job,
                            SteadyTime now) {
  const std::string& run_dir = attempt.identity.run_dir;
  const auto claim = ReadJobClaim(run_dir);
  if (!claim.ok() && !absl::IsDataLoss(claim.status())) return;  // Later.
  AttemptEvidence evidence;
  evidence.job = job;
  evidence.claim = claim.ok() ? claim->kind : JobClaim::Kind::kHeld;
  evidence.gang_ran = attempt.gang_ran;
  evidence.is_killed = attempt.is_killed;
  // Files of other nodes may appear late, so the record of a job that is over
  // is awaited for some time.
  evidence.may_have_record =
      evidence.claim == JobClaim::Kind::kHeld &&
      (now - *attempt.job_over_since < options_.settings.record_patience ||
       IsBeating(attempt, now));
  evidence.preempted_at = PreemptionTime(run_dir);
  evidence.job_log = TailOfJobLog(run_dir);
  const AttemptConclusion conclusion = Conclude(evidence);
  if (conclusion.must_revoke) {
    const auto revoked =
        ClaimAttempt(run_dir, JobClaim{JobClaim::Kind::kRevoked, 0, ""});
    // A job was faster, or nothing is proven: the next poll decides.
    if (!revoked.ok() || revoked->kind != JobClaim::Kind::kRevoked) return;
  }
  const std::vector<std::string> blamed =
      NodesToBlame(job, attempt.gang_ran, evidence.job_log);
  if (conclusion.observation.kind == Kind::kLost && !blamed.empty()) {
    NoteFailedNodes(run_dir, blamed).IgnoreError();  // Only a wish.
  }
  const AttemptKey key = attempt.observation.attempt;
  attempt.observation = conclusion.observation;
  attempt.observation.attempt = key;
  if (IsOver(attempt.observation.kind)) {
    if (attempt.gang_ran) attempt.observation.lasted = now - attempt.started;
    TellPhase(attempt, "");
  }
}

void SlurmLauncher::TellPhase(Attempt& attempt, const std::string& phase) {
  if (phase == attempt.phase) return;
  attempt.phase = phase;
  NoteLaunchPhase(attempt.identity.run_dir, phase);
}

void SlurmLauncher::EndByForce(Attempt& attempt, SteadyTime now) {
  if (!attempt.kill_deadline || now < *attempt.kill_deadline) return;
  if (!IsOver(attempt.observation.kind)) {
    jobs_->Cancel(attempt.name, CancelKind::kEnd);
  }
}

void SlurmLauncher::Forget(const AttemptKey& key) {
  const auto found = attempts_.find(key);
  if (found == attempts_.end()) return;
  jobs_->Drop(found->second.name);
  attempts_.erase(found);
}

void SlurmLauncher::Wait(milliseconds timeout) {
  constexpr milliseconds kMost{std::numeric_limits<int>::max()};
  epoll_.Wait(
      static_cast<int>(std::clamp(timeout, milliseconds(0), kMost).count()));
}

void SlurmLauncher::Wake() { epoll_.Wake(); }

}  // namespace vernier
