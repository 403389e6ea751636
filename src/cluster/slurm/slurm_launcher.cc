#include "cluster/slurm/slurm_launcher.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/ended_observation.h"
#include "cluster/attempt/engine.h"
#include "cluster/attempt/engine_launcher.h"
#include "cluster/slurm/attempt_conclusion.h"
#include "cluster/slurm/cluster_probe.h"
#include "cluster/slurm/failed_nodes.h"
#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/gang_plan.h"
#include "cluster/slurm/gang_shape.h"
#include "cluster/slurm/job_identity.h"
#include "cluster/slurm/job_submission.h"
#include "cluster/slurm/slurm_jobs.h"

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

// What all gangs of one cluster share.
struct SlurmAccess {
  SlurmSettings settings;
  std::unique_ptr<SlurmJobs> jobs;      // Does its own locking.
  std::unique_ptr<ClusterProbe> probe;  // Likewise; may be null.
  int gangs = 0;                        // The number of SlurmGangs.
};

class SlurmGang final : public EngineGang {
 public:
  SlurmGang(SlurmAccess& slurm, std::string name)
      : slurm_(slurm), name_(std::move(name)) {
    ++slurm_.gangs;
  }
  ~SlurmGang() override { --slurm_.gangs; }

  GangReport Look(const EngineAttempt& attempt, SteadyTime now) override;
  void End(milliseconds) override {
    // The kill request in the attempt's folder has the grace period.
    slurm_.jobs->Cancel(name_, CancelKind::kAsk);
  }
  void EndByForce() override { slurm_.jobs->Cancel(name_, CancelKind::kEnd); }
  void Drop() override { slurm_.jobs->Drop(name_); }

 private:
  std::string WaitOf(const JobView& job) const;
  bool IsBeating(const std::string& run_dir, SteadyTime now);
  std::optional<AttemptObservation> EndOf(const EngineAttempt& attempt,
                                          bool gang_ran, const JobView& job,
                                          SteadyTime now);

  SlurmAccess& slurm_;
  const std::string name_;  // Of its job.
  SteadyTime next_look_{};  // At its files.
  std::optional<SteadyTime> job_over_since_;
  std::string heartbeat_;  // The last that was seen once the job was over,
  SteadyTime beat_at_{};   // and when it was first seen.
};

GangReport SlurmGang::Look(const EngineAttempt& attempt, SteadyTime now) {
  GangReport report;
  report.runs = attempt.gang_ran;
  const JobView job = slurm_.jobs->Of(name_);
  const bool is_over = IsJobOver(job);
  // The files are polled at once when a job is found to be over for the first
  // time.
  if (is_over && !job_over_since_) {
    job_over_since_ = now;
    next_look_ = now;
  }
  if (!is_over) job_over_since_.reset();
  if (now >= next_look_) {
    next_look_ = now + std::clamp<milliseconds>(kLookPerAttempt * slurm_.gangs,
                                                kLeastLook, kMostLook);
    report.end = RecordedEnd(attempt.identity);
    if (report.end) return report;
    report.runs = report.runs || GangRuns(attempt.identity.run_dir);
    if (is_over) {
      report.end = EndOf(attempt, report.runs, job, now);
      return report;
    }
  }
  if (!is_over) report.waits_for = WaitOf(job);
  return report;
}

std::string SlurmGang::WaitOf(const JobView& job) const {
  const std::string hindrance = slurm_.probe ? slurm_.probe->Hindrance() : "";
  if (hindrance.empty()) return DescribeWait(job);
  return absl::StrCat(DescribeWait(job), "; ", hindrance);
}

// Returns whether the gang still shows signs of life. Slurm may have lost track
// of live processes, for instance when its controller was killed.
bool SlurmGang::IsBeating(const std::string& run_dir, SteadyTime now) {
  std::string heartbeat = LastHeartbeat(run_dir);
  if (heartbeat != heartbeat_) {
    heartbeat_ = std::move(heartbeat);
    beat_at_ = now;
  }
  return !heartbeat_.empty() &&
         now - beat_at_ < slurm_.settings.heartbeat_patience;
}

// Returns how an attempt whose job is over has ended; nullopt if that is not
// proven yet.
std::optional<AttemptObservation> SlurmGang::EndOf(const EngineAttempt& attempt,
                                                   bool gang_ran,
                                                   const JobView& job,
                                                   SteadyTime now) {
  const std::string& run_dir = attempt.identity.run_dir;
  const auto claim = ReadJobClaim(run_dir);
  if (!claim.ok() && !absl::IsDataLoss(claim.status())) return std::nullopt;
  AttemptEvidence evidence;
  evidence.job = job;
  evidence.claim = claim.ok() ? claim->kind : JobClaim::Kind::kHeld;
  evidence.gang_ran = gang_ran;
  evidence.is_killed = attempt.is_killed;
  // Files of other nodes may appear late, so the record of a job that is over
  // is awaited for some time.
  evidence.may_have_record =
      evidence.claim == JobClaim::Kind::kHeld &&
      (now - *job_over_since_ < slurm_.settings.record_patience ||
       IsBeating(run_dir, now));
  evidence.preempted_at = PreemptionTime(run_dir);
  evidence.job_log = TailOfJobLog(run_dir);
  AttemptConclusion conclusion = Conclude(evidence);
  if (conclusion.must_revoke) {
    const auto revoked =
        ClaimAttempt(run_dir, JobClaim{JobClaim::Kind::kRevoked, 0, ""});
    // A job was faster, or nothing is proven: the next poll decides.
    if (!revoked.ok() || revoked->kind != JobClaim::Kind::kRevoked) {
      return std::nullopt;
    }
  }
  if (!IsOver(conclusion.observation.kind)) return std::nullopt;
  const std::vector<std::string> blamed =
      NodesToBlame(job, gang_ran, evidence.job_log);
  if (conclusion.observation.kind == Kind::kLost && !blamed.empty()) {
    NoteFailedNodes(run_dir, blamed).IgnoreError();  // Only a wish.
  }
  conclusion.observation.lasted = attempt.LastedUntil(now);
  return std::move(conclusion.observation);
}

class SlurmEngine final : public Engine {
 public:
  SlurmEngine(SlurmLauncherOptions options, std::unique_ptr<SlurmClient> client,
              const Clock& clock, const std::function<void()>& on_change)
      : instance_(std::move(options.instance)) {
    slurm_.settings = options.settings;
    slurm_.jobs = std::make_unique<SlurmJobs>(
        SlurmJobs::Dependencies{std::move(client), clock, on_change,
                                options.log},
        options.settings, JobNamePrefix(instance_));
    if (!options.probe) return;
    slurm_.probe = std::make_unique<ClusterProbe>(
        ClusterProbe::Dependencies{std::move(options.probe->client), clock,
                                   on_change, options.log},
        ClusterProbe::Options{options.settings, instance_,
                              options.probe->data_dir, options.probe->url});
  }

  absl::Status MayStart() const override {
    return slurm_.probe ? slurm_.probe->MayLaunch() : absl::OkStatus();
  }
  absl::StatusOr<bool> HasMark(const std::string& run_dir) const override;
  absl::StatusOr<StartedGang> Start(const LaunchRequest& request) override;
  AdoptedGang Adopt(const EngineAttempt& attempt) override;
  void EndStrangers() override { slurm_.jobs->CancelStrangers(); }

 private:
  const std::string instance_;
  SlurmAccess slurm_;
};

absl::StatusOr<bool> SlurmEngine::HasMark(const std::string& run_dir) const {
  VERNIER_ASSIGN_OR_RETURN(const SubmissionMark mark,
                           ReadSubmissionMark(run_dir));
  VERNIER_ASSIGN_OR_RETURN(const JobClaim claim, ReadJobClaim(run_dir));
  return mark != SubmissionMark::kNone || claim.kind != JobClaim::Kind::kNone;
}

absl::StatusOr<StartedGang> SlurmEngine::Start(const LaunchRequest& request) {
  const SlurmSettings& settings = slurm_.settings;
  VERNIER_RETURN_IF_ERROR(MakeSlurmFolder(request.run_dir));
  JobSubmission submission;
  submission.name = JobName(instance_, request.nonce);
  submission.attempt = request.attempt;
  submission.run_dir = request.run_dir;
  submission.options =
      WithDefaults(request.spec->vernier.slurm, settings.defaults);
  submission.trial_time_limit = request.spec->vernier.trial_time_limit;
  auto components =
      ShapeGang(*request.spec, submission.options, settings.gpu_types);
  if (!components.ok()) return StartedGang{nullptr, components.status()};
  submission.components = *std::move(components);
  submission.avoided_nodes =
      FailedNodesBefore(request.attempt, request.run_dir);
  VERNIER_RETURN_IF_ERROR(WriteGangPlan(
      request.run_dir,
      PlanGang(settings.program, settings.address, submission.components)));
  VERNIER_RETURN_IF_ERROR(ReplaceFile(
      JobScriptPath(request.run_dir),
      JobScript(settings.program, request.run_dir), Durability::kVolatile));
  StartedGang started;
  started.gang = std::make_unique<SlurmGang>(slurm_, submission.name);
  slurm_.jobs->Start(std::move(submission));
  return started;
}

AdoptedGang SlurmEngine::Adopt(const EngineAttempt& attempt) {
  AdoptedGang adopted;
  // A job that has written its record ends by itself.
  if (attempt.has_ended) return adopted;
  const std::string& run_dir = attempt.identity.run_dir;
  const auto mark = ReadSubmissionMark(run_dir);
  if (mark.ok() && *mark == SubmissionMark::kNone) {
    // sbatch was never started, and nobody else will start it.
    const auto claim =
        ClaimAttempt(run_dir, JobClaim{JobClaim::Kind::kRevoked, 0, ""});
    adopted.is_revoked = claim.ok() && claim->kind == JobClaim::Kind::kRevoked;
    if (adopted.is_revoked) return adopted;
  }
  const std::string name = JobName(instance_, attempt.identity.nonce);
  adopted.gang = std::make_unique<SlurmGang>(slurm_, name);
  adopted.gang_ran = GangRuns(run_dir);
  slurm_.jobs->Follow(name);
  return adopted;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Launcher>> MakeSlurmLauncher(
    SlurmLauncherOptions options, std::unique_ptr<SlurmClient> client,
    const Clock& clock) {
  VERNIER_RETURN_IF_ERROR(Validate(options.settings));
  EngineLauncher::Options common;
  common.resolve = options.resolve;
  common.log_cap_bytes = options.log_cap_bytes;
  common.on_change = options.on_change;
  common.kill_margin = options.settings.kill_margin;
  return EngineLauncher::Create(
      std::move(common),
      [&](const std::function<void()>& on_change) {
        return std::make_unique<SlurmEngine>(
            std::move(options), std::move(client), clock, on_change);
      },
      clock);
}

}  // namespace vernier
