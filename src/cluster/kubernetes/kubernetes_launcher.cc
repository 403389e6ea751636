#include "cluster/kubernetes/kubernetes_launcher.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/attempt/ended_observation.h"
#include "cluster/attempt/engine.h"
#include "cluster/attempt/engine_launcher.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/gang/gang_setup.h"
#include "cluster/gang/work_folder.h"
#include "cluster/kubernetes/attempt_mark.h"
#include "cluster/kubernetes/gang_conclusion.h"
#include "cluster/kubernetes/kubernetes_jobs.h"
#include "cluster/kubernetes/object_names.h"
#include "cluster/lost_output.h"
#include "cluster/replica_log.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

// KubernetesJobs provides the cluster's view of each gang (GangView); this file
// turns it into reports. Once ConcludeGang finds an end, that is pending until
// nothing of the gang runs any more and its logs are read, or a limit has
// passed (Settle). An end of programs is written to the exit record before it
// is reported (Finish).

using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;
using State = AttemptMark::State;

constexpr int kMessageLines = 20;
constexpr std::size_t kMessageBytes = 4096;
constexpr int kTailLines = 200;
constexpr std::size_t kTailBytes = 16384;
// If a node does not answer, the service stops waiting for the end of a gang
// whose program has ended, or that was deleted, this long after its grace
// period.
constexpr std::chrono::seconds kEndMargin{60};

std::string LastLines(const std::string& attempt_dir, ReplicaId replica,
                      int lines, std::size_t bytes) {
  const std::string name = ReplicaName(replica);
  const auto begin = FindLastLines(attempt_dir, name, lines);
  if (!begin.ok()) return "";
  const auto part =
      ReadReplicaLog(attempt_dir, name, *begin, std::size_t{1} << 20);
  if (!part.ok()) return "";
  const std::string& data = part->data;
  return data.size() <= bytes ? data : data.substr(data.size() - bytes);
}

class KubernetesGang final : public EngineGang {
 public:
  KubernetesGang(const KubernetesSettings& settings, KubernetesJobs& jobs,
                 const Clock& clock, GangOwner owner, milliseconds kill_grace)
      : settings_(settings),
        jobs_(jobs),
        clock_(clock),
        owner_(std::move(owner)),
        kill_grace_(kill_grace) {}

  /// Ends the gang for a verdict of an earlier process of the service.
  void TakeVerdict(const KeptVerdict& verdict);

  GangReport Look(const EngineAttempt& attempt, SteadyTime now) override;
  void End(milliseconds grace) override {
    jobs_.End(owner_.name, grace, /*must_delete=*/true, std::nullopt);
  }
  void Drop() override { jobs_.Drop(owner_.name); }

 private:
  GangConclusion ConcludeNow(const EngineAttempt& attempt, const GangView& view,
                             bool gang_ran, SteadyTime now);
  std::optional<AttemptObservation> Settle(const EngineAttempt& attempt,
                                           const GangView& view,
                                           SteadyTime now) const;
  std::optional<AttemptObservation> Finish(const EngineAttempt& attempt,
                                           const GangView& view,
                                           SteadyTime now) const;
  ExitRecord RecordOf(const EngineAttempt& attempt, const GangView& view,
                      SteadyTime now) const;
  void AddOutput(const GangView& view, ExitRecord& record) const;
  bool HaveAllStarted(const GangView& view) const;

  const KubernetesSettings& settings_;
  KubernetesJobs& jobs_;
  const Clock& clock_;  // Thread-safe.
  const GangOwner owner_;
  const milliseconds kill_grace_;  // The job's.
  std::optional<SteadyTime> image_missing_since_;
  // The conclusion to report once nothing of the gang runs any more.
  std::optional<GangConclusion> pending_;
  SteadyTime end_limit_{};  // Of waiting for that, if a program decided.
};

void KubernetesGang::TakeVerdict(const KeptVerdict& verdict) {
  GangConclusion& pending = pending_.emplace();
  pending.kind = verdict.launch_failed ? Kind::kEnded : Kind::kLost;
  pending.launch_failed = verdict.launch_failed;
  pending.engine_end = verdict.engine_end;
  pending.message = verdict.message;
  pending.must_delete = true;
  jobs_.End(owner_.name, kill_grace_, /*must_delete=*/true, verdict);
}

bool KubernetesGang::HaveAllStarted(const GangView& view) const {
  const auto started =
      std::count_if(view.pods.begin(), view.pods.end(),
                    [](const auto& pod) { return pod.has_started; });
  return !owner_.replicas.empty() &&
         started >= static_cast<std::ptrdiff_t>(owner_.replicas.size());
}

GangReport KubernetesGang::Look(const EngineAttempt& attempt, SteadyTime now) {
  GangReport report;
  report.runs = attempt.gang_ran;
  const GangView view = jobs_.Of(owner_.name);
  if (pending_.has_value()) {
    report.end = Settle(attempt, view, now);
    return report;
  }
  if (!report.runs && HaveAllStarted(view)) {
    report.runs = true;
    jobs_.NoteRuns(owner_.name);
  }
  GangConclusion conclusion = ConcludeNow(attempt, view, report.runs, now);
  if (!IsOver(conclusion.kind)) {
    report.runs = report.runs || conclusion.kind == Kind::kRunning;
    report.waits_for = DescribeGangWait(view);
    return report;
  }
  if (conclusion.kind == Kind::kNeverStarted) {
    report.end.emplace().kind = conclusion.kind;
    return report;
  }
  // An end is reported only once all of the gang has ended.
  end_limit_ = now + kill_grace_ + kEndMargin;
  if (conclusion.must_end) {
    std::optional<KeptVerdict> verdict;
    if (conclusion.must_delete) {
      verdict = KeptVerdict{conclusion.launch_failed, conclusion.engine_end,
                            conclusion.message};
    }
    jobs_.End(owner_.name, kill_grace_, conclusion.must_delete,
              std::move(verdict));
  }
  pending_ = std::move(conclusion);
  report.end = Settle(attempt, view, now);
  return report;
}

GangConclusion KubernetesGang::ConcludeNow(const EngineAttempt& attempt,
                                           const GangView& view, bool gang_ran,
                                           SteadyTime now) {
  const bool misses_image = std::any_of(
      view.pods.begin(), view.pods.end(),
      [](const auto& pod) { return MissesImage(pod) && !pod.is_over(); });
  if (!misses_image) image_missing_since_.reset();
  if (misses_image && !image_missing_since_) image_missing_since_ = now;
  GangEvidence evidence;
  evidence.view = view;
  evidence.name = owner_.name;
  evidence.replicas = owner_.replicas;
  evidence.is_killed = attempt.is_killed;
  evidence.gang_ran = gang_ran;
  if (misses_image) {
    evidence.image_missing_for =
        std::chrono::duration_cast<milliseconds>(now - *image_missing_since_);
  }
  evidence.image_patience = settings_.image_patience;
  evidence.node_patience = settings_.node_patience;
  evidence.now = clock_.Now();
  return ConcludeGang(evidence);
}

// Returns the end that was concluded, once nothing of the gang runs any more.
std::optional<AttemptObservation> KubernetesGang::Settle(
    const EngineAttempt& attempt, const GangView& view, SteadyTime now) const {
  const GangConclusion& end = *pending_;
  const bool is_in_cluster = view.stage == GangView::Stage::kInCluster ||
                             view.stage == GangView::Stage::kCreating;
  const bool is_over =
      !is_in_cluster || view.is_gone ||
      (!end.must_delete && !end.stopped_by_request &&
       std::all_of(view.pods.begin(), view.pods.end(),
                   [](const auto& pod) { return pod.is_over(); }) &&
       view.stage == GangView::Stage::kInCluster);
  // Kubernetes ends the processes of a lost node when the node is back.
  if (!is_over && now < end_limit_) return std::nullopt;
  if (!view.logs_are_read && now < end_limit_) return std::nullopt;
  return Finish(attempt, view, now);
}

std::optional<AttemptObservation> KubernetesGang::Finish(
    const EngineAttempt& attempt, const GangView& view, SteadyTime now) const {
  const GangConclusion& end = *pending_;
  if (end.kind == Kind::kLost) {
    AttemptObservation lost;
    lost.kind = Kind::kLost;
    lost.engine_end = end.engine_end;
    lost.message = end.message;
    lost.lasted = attempt.LastedUntil(now);
    return lost;
  }
  const ExitRecord record = RecordOf(attempt, view, now);
  // Without the record a restarted service would not know what was reported.
  if (!WriteExitRecord(owner_.attempt_dir, record).ok()) return std::nullopt;
  if (!settings_.data_claim.empty()) {
    const auto launch = ReadLaunchFile(owner_.attempt_dir);
    if (launch.ok()) TidyWorkFolder(launch->work_dir, launch->code_dir);
  }
  return ObservationOf(attempt.identity.attempt, record);
}

ExitRecord KubernetesGang::RecordOf(const EngineAttempt& attempt,
                                    const GangView& view,
                                    SteadyTime now) const {
  const GangConclusion& end = *pending_;
  ExitRecord record;
  record.nonce = owner_.nonce;
  record.replicas = owner_.replicas;
  record.ends = end.ends;
  record.ends.resize(record.replicas.size());
  record.deciding = end.deciding;
  record.out_of_memory = end.out_of_memory;
  record.launch_failed = end.launch_failed;
  record.stopped_by_request = end.stopped_by_request;
  record.message = end.launch_failed ? end.message : DescribeEnd(record);
  record.lasted = attempt.LastedUntil(now);
  for (const ObservedPod& pod : view.pods) {
    const auto replica = ReplicaOfJob(owner_.name, pod.job);
    if (!record.deciding || !pod.end || !pod.end->at || !pod.started_at ||
        replica != owner_.replicas[*record.deciding]) {
      continue;
    }
    // The cluster's own clock also covers the time when the service did not
    // watch.
    record.lasted = std::max<std::chrono::microseconds>(
        *pod.end->at - *pod.started_at, record.lasted);
    record.lasted =
        std::max<std::chrono::microseconds>(record.lasted, milliseconds(1));
  }
  if (record.deciding && !record.stopped_by_request) AddOutput(view, record);
  record.lost_output =
      ReadLostOutput(LogDirectory(owner_.attempt_dir), ReplicaName(ReplicaId{}))
          .bytes;
  return record;
}

// Adds the last lines of what the deciding replica printed.
void KubernetesGang::AddOutput(const GangView& view, ExitRecord& record) const {
  const ReplicaId replica = owner_.replicas[*record.deciding];
  if (!record.message.empty()) record.message += "\n";
  if (!view.log_trouble.empty()) {
    absl::StrAppend(&record.message,
                    "What it printed could not be read: ", view.log_trouble,
                    "\n");
  }
  record.message +=
      LastLines(owner_.attempt_dir, replica, kMessageLines, kMessageBytes);
  record.log_tail =
      LastLines(owner_.attempt_dir, replica, kTailLines, kTailBytes);
}

class KubernetesEngine final : public Engine {
 public:
  KubernetesEngine(KubernetesLauncherOptions options,
                   std::unique_ptr<KubernetesApi> api, const Clock& clock,
                   const std::function<void()>& on_change)
      : options_(std::move(options)),
        clock_(clock),
        jobs_({std::move(api), clock, on_change, options_.log},
              {options_.settings, options_.instance, options_.name_space,
               options_.log_cap_bytes}) {}

  absl::StatusOr<bool> HasMark(const std::string& run_dir) const override;
  absl::StatusOr<StartedGang> Start(const LaunchRequest& request) override;
  AdoptedGang Adopt(const EngineAttempt& attempt) override;
  void EndStrangers() override { jobs_.DeleteStrangers(); }

 private:
  /// An attempt's job, and the gang that was planned for it.
  struct Plan {
    std::vector<ReplicaId> replicas;
    milliseconds kill_grace{0};
    std::optional<PodGang> pods;
  };

  absl::StatusOr<PodGang> PlanPods(const LaunchFile& launch,
                                   const JobSpec& spec,
                                   const std::string& run_dir) const {
    return PlanPodGang(launch, spec, options_.settings,
                       {run_dir, options_.instance, options_.name_space},
                       environ);
  }
  Plan PlanAgain(const std::string& run_dir) const;
  GangOwner OwnerOf(const std::string& nonce, const std::string& run_dir,
                    std::vector<ReplicaId> replicas) const {
    return {GangName(options_.instance, nonce), nonce, run_dir,
            std::move(replicas)};
  }
  std::unique_ptr<KubernetesGang> MakeGang(GangOwner owner,
                                           milliseconds kill_grace) {
    return std::make_unique<KubernetesGang>(options_.settings, jobs_, clock_,
                                            std::move(owner), kill_grace);
  }

  const KubernetesLauncherOptions options_;
  const Clock& clock_;   // Thread-safe.
  KubernetesJobs jobs_;  // Does its own locking.
};

absl::StatusOr<bool> KubernetesEngine::HasMark(
    const std::string& run_dir) const {
  VERNIER_ASSIGN_OR_RETURN(const AttemptMark mark, ReadAttemptMark(run_dir));
  return mark.state != State::kNone;
}

absl::StatusOr<StartedGang> KubernetesEngine::Start(
    const LaunchRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(const LaunchFile launch,
                           ReadLaunchFile(request.run_dir));
  if (!launch.failure.empty()) {
    return StartedGang{nullptr, absl::InvalidArgumentError(launch.failure)};
  }
  absl::StatusOr<PodGang> pods =
      PlanPods(launch, *request.spec, request.run_dir);
  if (!pods.ok()) return StartedGang{nullptr, pods.status()};
  if (!options_.settings.data_claim.empty()) {
    VERNIER_RETURN_IF_ERROR(
        MakeAttemptFolders(request.run_dir, launch, *request.spec));
  }
  const GangOwner owner = OwnerOf(request.nonce, request.run_dir,
                                  GangReplicas(request.spec->training_input));
  StartedGang started;
  started.gang = MakeGang(owner, request.spec->vernier.kill_grace);
  jobs_.Start(owner, *std::move(pods));
  return started;
}

AdoptedGang KubernetesEngine::Adopt(const EngineAttempt& attempt) {
  const std::string& run_dir = attempt.identity.run_dir;
  AdoptedGang adopted;
  auto mark = ReadAttemptMark(run_dir);
  // A mark that cannot be read now is read again after the next restart. Until
  // then its objects, if there are any, belong to no attempt.
  if (!mark.ok()) return adopted;
  if (mark->state == State::kNone && !attempt.has_ended) {
    // No request was ever sent, and nobody else will send one.
    mark->state = State::kRevoked;
    if (!WriteAttemptMark(run_dir, *mark).ok()) mark->state = State::kNone;
  }
  adopted.is_revoked = mark->state == State::kRevoked;
  if (adopted.is_revoked || mark->state == State::kNone) return adopted;
  adopted.gang_ran = mark->gang_ran || attempt.identity.has_run;
  mark->gang_ran = adopted.gang_ran;
  Plan plan = PlanAgain(run_dir);
  const GangOwner owner =
      OwnerOf(attempt.identity.nonce, run_dir, std::move(plan.replicas));
  jobs_.Adopt(
      owner, *mark,
      mark->state == State::kBegun ? std::move(plan.pods) : std::nullopt);
  auto gang = MakeGang(owner, plan.kill_grace);
  if (mark->verdict.has_value()) gang->TakeVerdict(*mark->verdict);
  adopted.gang = std::move(gang);
  return adopted;
}

// Plans the gang again as the earlier process did, as far as that is known.
KubernetesEngine::Plan KubernetesEngine::PlanAgain(
    const std::string& run_dir) const {
  Plan plan;
  const auto launch = ReadLaunchFile(run_dir);
  if (!launch.ok()) return plan;
  const auto job = ParseStoredJob(launch->spec_json);
  if (!job.ok()) return plan;
  plan.replicas = GangReplicas(job->spec.training_input);
  plan.kill_grace = job->spec.vernier.kill_grace;
  auto pods = PlanPods(*launch, job->spec, run_dir);
  if (pods.ok()) plan.pods = *std::move(pods);
  return plan;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Launcher>> MakeKubernetesLauncher(
    KubernetesLauncherOptions options, std::unique_ptr<KubernetesApi> api,
    const Clock& clock) {
  VERNIER_RETURN_IF_ERROR(Validate(options.settings));
  EngineLauncher::Options common;
  common.resolve = options.resolve;
  common.log_cap_bytes = options.log_cap_bytes;
  common.on_change = options.on_change;
  return EngineLauncher::Create(
      std::move(common),
      [&](const std::function<void()>& on_change) {
        return std::make_unique<KubernetesEngine>(
            std::move(options), std::move(api), clock, on_change);
      },
      clock);
}

}  // namespace vernier
