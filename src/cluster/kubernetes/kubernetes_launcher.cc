#include "cluster/kubernetes/kubernetes_launcher.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/containers/container_engine.h"
#include "cluster/kubernetes/attempt_mark.h"
#include "cluster/kubernetes/object_names.h"
#include "cluster/local/attempt_inspection.h"
#include "cluster/local/gang_setup.h"
#include "cluster/local/kill_request.h"
#include "cluster/local/launch_file.h"
#include "cluster/local/launch_phase.h"
#include "cluster/local/work_folder.h"
#include "cluster/replica_log.h"
#include "cluster/small_file.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

// KubernetesJobs provides the cluster's view of each gang (GangView); this
// class turns it into observations. Once ConcludeGang finds an end, that is
// pending until nothing of the gang runs any more and its logs are read, or a
// limit has passed (Settle). An end of programs is written to the exit record
// before it is reported (Finish).

using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;
using State = AttemptMark::State;

constexpr std::int64_t kMinLogCap = 65536;
constexpr int kMessageLines = 20;
constexpr std::size_t kMessageBytes = 4096;
constexpr int kTailLines = 200;
constexpr std::size_t kTailBytes = 16384;
// If a node does not answer, the service stops waiting for the end of a gang
// whose program has ended, or that was deleted, this long after its grace
// period.
constexpr std::chrono::seconds kEndMargin{60};

absl::Status TryAgain(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return absl::UnavailableError(std::string(status.message()));
}

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

}  // namespace

absl::StatusOr<std::unique_ptr<KubernetesLauncher>> KubernetesLauncher::Create(
    Options options, std::unique_ptr<KubernetesApi> api, const Clock& clock) {
  VERNIER_RETURN_IF_ERROR(Validate(options.settings));
  if (options.log_cap_bytes < kMinLogCap) {
    return absl::InvalidArgumentError(absl::StrCat(
        "log_cap_bytes must be >= ", kMinLogCap, ": ", options.log_cap_bytes));
  }
  std::unique_ptr<KubernetesLauncher> launcher(
      new KubernetesLauncher(std::move(options), clock));
  VERNIER_RETURN_IF_ERROR(launcher->epoll_.Open());
  KubernetesLauncher* const self = launcher.get();
  const Options& kept = launcher->options_;
  launcher->jobs_ = std::make_unique<KubernetesJobs>(
      KubernetesJobs::Dependencies{std::move(api), clock,
                                   [self] {
                                     self->epoll_.Wake();
                                     if (self->options_.on_change) {
                                       self->options_.on_change();
                                     }
                                   },
                                   kept.log},
      KubernetesJobs::Options{kept.settings, kept.instance, kept.name_space,
                              kept.log_cap_bytes});
  return launcher;
}

KubernetesLauncher::KubernetesLauncher(Options options, const Clock& clock)
    : options_(std::move(options)), clock_(clock) {}

KubernetesLauncher::~KubernetesLauncher() = default;

GangOwner KubernetesLauncher::OwnerOf(const Attempt& attempt) const {
  return {attempt.name, attempt.identity.nonce, attempt.identity.run_dir,
          attempt.replicas};
}

absl::Status KubernetesLauncher::Launch(const LaunchRequest& request) {
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
  // An earlier process of the service may have begun or revoked the attempt.
  const auto mark = ReadAttemptMark(request.run_dir);
  VERNIER_RETURN_IF_ERROR(TryAgain(mark.status()));
  if (mark->state != State::kNone) return revoked(Find(identity));
  Attempt attempt;
  attempt.identity = identity;
  attempt.observation.attempt = request.attempt;
  attempt.name = GangName(options_.instance, request.nonce);
  VERNIER_RETURN_IF_ERROR(TryAgain(Submit(request, attempt)));
  attempts_.emplace(request.attempt, std::move(attempt));
  return absl::OkStatus();
}

absl::Status KubernetesLauncher::Submit(const LaunchRequest& request,
                                        Attempt& attempt) {
  const ContainerSettings no_containers;
  // The next process of the service reads it, too.
  VERNIER_RETURN_IF_ERROR(PrepareLaunch(
      request, {options_.resolve, /*machine_has_gpus=*/false,
                options_.log_cap_bytes, no_containers, Durability::kSynced}));
  VERNIER_ASSIGN_OR_RETURN(const LaunchFile launch,
                           ReadLaunchFile(request.run_dir));
  attempt.replicas = GangReplicas(request.spec->training_input);
  attempt.kill_grace = request.spec->vernier.kill_grace;
  absl::StatusOr<PodGang> gang =
      launch.failure.empty()
          ? PlanPodGang(
                launch, *request.spec, options_.settings,
                {request.run_dir, options_.instance, options_.name_space},
                environ)
          : absl::InvalidArgumentError(launch.failure);
  if (!gang.ok()) {
    ExitRecord record = FailedLaunch(gang.status());
    record.nonce = request.nonce;
    VERNIER_RETURN_IF_ERROR(WriteExitRecord(request.run_dir, record));
    attempt.observation = ObservationOf(request.attempt, record);
    return absl::OkStatus();
  }
  if (!options_.settings.data_claim.empty()) {
    VERNIER_RETURN_IF_ERROR(
        MakeAttemptFolders(request.run_dir, launch, *request.spec));
  }
  attempt.is_followed = true;
  jobs_->Start(OwnerOf(attempt), *std::move(gang));
  return absl::OkStatus();
}

KubernetesLauncher::Attempt& KubernetesLauncher::Find(
    const LiveAttempt& identity) {
  const auto [place, is_new] = attempts_.try_emplace(identity.attempt);
  Attempt& attempt = place->second;
  if (is_new) {
    attempt.identity = identity;
    attempt.observation.attempt = identity.attempt;
    attempt.name = GangName(options_.instance, identity.nonce);
    Adopt(attempt);
  }
  return attempt;
}

// Takes over an attempt of an earlier process of the service.
void KubernetesLauncher::Adopt(Attempt& attempt) {
  const std::string& run_dir = attempt.identity.run_dir;
  const auto record = ReadExitRecord(run_dir);
  if (record.ok() && record->nonce == attempt.identity.nonce) {
    attempt.observation = ObservationOf(attempt.identity.attempt, *record);
  }
  auto mark = ReadAttemptMark(run_dir);
  if (mark.ok() && mark->state == State::kNone && !record.ok()) {
    // No request was ever sent, and nobody else will send one.
    mark->state = State::kRevoked;
    if (!WriteAttemptMark(run_dir, *mark).ok()) mark->state = State::kNone;
  }
  if (mark.ok() && mark->state == State::kRevoked &&
      !IsOver(attempt.observation.kind)) {
    attempt.observation.kind = Kind::kNeverStarted;
  }
  // A mark that cannot be read now is read again after the next restart. Until
  // then its objects, if there are any, belong to no attempt.
  if (!mark.ok() || mark->state == State::kNone ||
      mark->state == State::kRevoked) {
    return;
  }
  const auto killed = ReadKillRequest(run_dir);
  attempt.is_killed = killed.ok() && killed->has_value();
  attempt.gang_ran = mark->gang_ran || attempt.identity.has_run;
  if (attempt.gang_ran) attempt.started = clock_.Steady();
  if (attempt.gang_ran && !IsOver(attempt.observation.kind)) {
    attempt.observation.kind = Kind::kRunning;
  }
  std::optional<PodGang> gang = PlanAgain(attempt);
  mark->gang_ran = attempt.gang_ran;
  attempt.is_followed = true;
  jobs_->Adopt(OwnerOf(attempt), *mark,
               mark->state == State::kBegun ? std::move(gang) : std::nullopt);
  if (attempt.is_killed) {
    jobs_->End(attempt.name, **killed, /*must_delete=*/true, std::nullopt);
  }
  if (mark->verdict.has_value()) {
    GangConclusion& pending = attempt.pending.emplace();
    pending.kind = mark->verdict->launch_failed ? Kind::kEnded : Kind::kLost;
    pending.launch_failed = mark->verdict->launch_failed;
    pending.engine_end = mark->verdict->engine_end;
    pending.message = mark->verdict->message;
    pending.must_delete = true;
    jobs_->End(attempt.name, attempt.kill_grace, true, mark->verdict);
  }
}

// Plans the gang again as the earlier process did; also sets the attempt's
// replicas and grace period.
std::optional<PodGang> KubernetesLauncher::PlanAgain(Attempt& attempt) const {
  const std::string& run_dir = attempt.identity.run_dir;
  const auto launch = ReadLaunchFile(run_dir);
  if (!launch.ok()) return std::nullopt;
  const auto job = ParseStoredJob(launch->spec_json);
  if (!job.ok()) return std::nullopt;
  attempt.replicas = GangReplicas(job->spec.training_input);
  attempt.kill_grace = job->spec.vernier.kill_grace;
  auto gang =
      PlanPodGang(*launch, job->spec, options_.settings,
                  {run_dir, options_.instance, options_.name_space}, environ);
  if (!gang.ok()) return std::nullopt;
  return *std::move(gang);
}

absl::Status KubernetesLauncher::Kill(const LiveAttempt& identity,
                                      milliseconds grace) {
  Attempt& attempt = Find(identity);
  if (IsOver(attempt.observation.kind)) return absl::OkStatus();
  if (attempt.is_killed) return absl::OkStatus();
  // The request is written first, so that a restarted service deletes the gang,
  // too.
  VERNIER_RETURN_IF_ERROR(WriteKillRequest(identity.run_dir, grace));
  attempt.is_killed = true;
  jobs_->End(attempt.name, grace, /*must_delete=*/true, std::nullopt);
  return absl::OkStatus();
}

std::vector<AttemptObservation> KubernetesLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  const SteadyTime now = clock_.Steady();
  std::vector<AttemptObservation> observations;
  observations.reserve(live.size());
  for (const LiveAttempt& identity : live) {
    Attempt& attempt = Find(identity);
    if (!IsOver(attempt.observation.kind)) Look(attempt, now);
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
  jobs_->DeleteStrangers();
  return observations;
}

void KubernetesLauncher::Look(Attempt& attempt, SteadyTime now) {
  if (!attempt.is_followed) return;
  GangEvidence evidence;
  evidence.view = jobs_->Of(attempt.name);
  if (attempt.pending.has_value()) return Settle(attempt, evidence.view, now);
  const bool misses_image = std::any_of(
      evidence.view.pods.begin(), evidence.view.pods.end(),
      [](const auto& pod) { return MissesImage(pod) && !pod.is_over(); });
  if (!misses_image) attempt.image_missing_since.reset();
  if (misses_image && !attempt.image_missing_since.has_value()) {
    attempt.image_missing_since = now;
  }
  TakeStart(attempt, evidence.view, now);
  evidence.name = attempt.name;
  evidence.replicas = attempt.replicas;
  evidence.is_killed = attempt.is_killed;
  evidence.gang_ran = attempt.gang_ran;
  if (misses_image) {
    evidence.image_missing_for = std::chrono::duration_cast<milliseconds>(
        now - *attempt.image_missing_since);
  }
  evidence.image_patience = options_.settings.image_patience;
  evidence.node_patience = options_.settings.node_patience;
  evidence.now = clock_.Now();
  GangConclusion conclusion = ConcludeGang(evidence);
  attempt.observation.kind = conclusion.kind;
  if (!IsOver(conclusion.kind)) {
    if (attempt.gang_ran) attempt.observation.kind = Kind::kRunning;
    return TellPhase(attempt,
                     attempt.gang_ran ? "" : DescribeGangWait(evidence.view));
  }
  if (conclusion.kind == Kind::kNeverStarted) return TellPhase(attempt, "");
  // An end is reported only once all of the gang has ended.
  attempt.observation.kind =
      attempt.gang_ran ? Kind::kRunning : Kind::kStarting;
  attempt.end_limit = now + attempt.kill_grace + kEndMargin;
  if (conclusion.must_end) {
    std::optional<KeptVerdict> verdict;
    if (conclusion.must_delete) {
      verdict = KeptVerdict{conclusion.launch_failed, conclusion.engine_end,
                            conclusion.message};
    }
    jobs_->End(attempt.name, attempt.kill_grace, conclusion.must_delete,
               std::move(verdict));
  }
  attempt.pending = std::move(conclusion);
  Settle(attempt, evidence.view, now);
}

void KubernetesLauncher::TakeStart(Attempt& attempt, const GangView& view,
                                   SteadyTime now) {
  if (attempt.gang_ran || attempt.replicas.empty()) return;
  const auto started =
      std::count_if(view.pods.begin(), view.pods.end(),
                    [](const auto& pod) { return pod.has_started; });
  if (started < static_cast<std::ptrdiff_t>(attempt.replicas.size())) return;
  attempt.gang_ran = true;
  attempt.started = now;
  jobs_->NoteRuns(attempt.name);
}

// Reports the end that was concluded, once nothing of the gang runs any more.
void KubernetesLauncher::Settle(Attempt& attempt, const GangView& view,
                                SteadyTime now) {
  const GangConclusion& end = *attempt.pending;
  const bool is_in_cluster = view.stage == GangView::Stage::kInCluster ||
                             view.stage == GangView::Stage::kCreating;
  const bool is_over =
      !is_in_cluster || view.is_gone ||
      (!end.must_delete && !end.stopped_by_request &&
       std::all_of(view.pods.begin(), view.pods.end(),
                   [](const auto& pod) { return pod.is_over(); }) &&
       view.stage == GangView::Stage::kInCluster);
  // Kubernetes ends the processes of a lost node when the node is back.
  if (!is_over && now < attempt.end_limit) return;
  if (!view.logs_are_read && now < attempt.end_limit) return;
  Finish(attempt, view, now);
}

void KubernetesLauncher::Finish(Attempt& attempt, const GangView& view,
                                SteadyTime now) {
  const GangConclusion& end = *attempt.pending;
  TellPhase(attempt, "");
  if (end.kind == Kind::kLost) return TakeLost(attempt, end);
  ExitRecord record;
  record.nonce = attempt.identity.nonce;
  record.replicas = attempt.replicas;
  record.ends = end.ends;
  record.ends.resize(record.replicas.size());
  record.deciding = end.deciding;
  record.out_of_memory = end.out_of_memory;
  record.launch_failed = end.launch_failed;
  record.stopped_by_request = end.stopped_by_request;
  record.message = end.launch_failed ? end.message : DescribeEnd(record);
  if (attempt.gang_ran) record.lasted = now - attempt.started;
  for (const ObservedPod& pod : view.pods) {
    const auto replica = ReplicaOfJob(attempt.name, pod.job);
    if (!record.deciding || !pod.end || !pod.end->at || !pod.started_at ||
        replica != attempt.replicas[*record.deciding]) {
      continue;
    }
    // The cluster's own clock also covers the time when the service did not
    // watch.
    record.lasted = std::max<std::chrono::microseconds>(
        *pod.end->at - *pod.started_at, record.lasted);
    record.lasted =
        std::max<std::chrono::microseconds>(record.lasted, milliseconds(1));
  }
  if (record.deciding && !record.stopped_by_request) {
    const ReplicaId replica = attempt.replicas[*record.deciding];
    const std::string& run_dir = attempt.identity.run_dir;
    if (!record.message.empty()) record.message += "\n";
    if (!view.log_trouble.empty()) {
      absl::StrAppend(&record.message,
                      "What it printed could not be read: ", view.log_trouble,
                      "\n");
    }
    record.message += LastLines(run_dir, replica, kMessageLines, kMessageBytes);
    record.log_tail = LastLines(run_dir, replica, kTailLines, kTailBytes);
  }
  record.lost_output = ReadLostOutput(LogDirectory(attempt.identity.run_dir),
                                      ReplicaName(ReplicaId{}))
                           .bytes;
  // Without the record a restarted service would not know what was reported.
  if (!WriteExitRecord(attempt.identity.run_dir, record).ok()) return;
  attempt.observation = ObservationOf(attempt.identity.attempt, record);
  if (options_.settings.data_claim.empty()) return;
  const auto launch = ReadLaunchFile(attempt.identity.run_dir);
  if (launch.ok()) TidyWorkFolder(launch->work_dir, launch->code_dir);
}

void KubernetesLauncher::TakeLost(Attempt& attempt, const GangConclusion& end) {
  attempt.observation.kind = Kind::kLost;
  attempt.observation.engine_end = end.engine_end;
  attempt.observation.message = end.message;
  if (attempt.gang_ran) {
    attempt.observation.lasted = clock_.Steady() - attempt.started;
  }
}

void KubernetesLauncher::TellPhase(Attempt& attempt, const std::string& phase) {
  if (phase == attempt.phase) return;
  attempt.phase = phase;
  NoteLaunchPhase(attempt.identity.run_dir, phase);
}

void KubernetesLauncher::Forget(const AttemptKey& key) {
  const auto found = attempts_.find(key);
  if (found == attempts_.end()) return;
  if (found->second.is_followed) jobs_->Drop(found->second.name);
  attempts_.erase(found);
}

void KubernetesLauncher::Wait(milliseconds timeout) {
  constexpr milliseconds kMost{std::numeric_limits<int>::max()};
  epoll_.Wait(
      static_cast<int>(std::clamp(timeout, milliseconds(0), kMost).count()));
}

void KubernetesLauncher::Wake() { epoll_.Wake(); }

}  // namespace vernier
