#include "cluster/slurm/cluster_probe.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/random_bits.h"
#include "cluster/slurm/job_identity.h"

namespace vernier {
namespace {

// A probe submits a small job, whose script writes a report into a folder below
// the data folder, and polls that folder and Slurm's listing until there is a
// report or the job is over (JudgeProbe). Launches are held back only briefly
// while the first result is due, or while a probe has found an obstacle; in
// that case, and less often after a mere reason to wait, the probe is repeated.

using std::chrono::milliseconds;

// The pauses between polls of the probe's job; they grow while it is pending.
constexpr milliseconds kFirstLook{250};
constexpr milliseconds kLastLook{30000};
// A finding that does not stop launches is checked again less often than one
// that does.
constexpr int kHindrancePeriods = 10;
// A busy controller refuses a call now and then. The cancellation is retried,
// since no later service may come to do it.
constexpr int kCancelAttempts = 3;

}  // namespace

ClusterProbe::ClusterProbe(Dependencies dependencies, Options options)
    : options_(std::move(options)),
      client_(std::move(dependencies.client)),
      clock_(dependencies.clock),
      on_change_(std::move(dependencies.on_change)),
      log_(std::move(dependencies.log)),
      prefix_(JobNamePrefix(options_.instance) + "probe-"),
      began_(clock_.Steady()),
      thread_([this] { Run(); }) {}

ClusterProbe::~ClusterProbe() {
  stop_.Set();
  client_->Stop();
  thread_.join();
}

absl::Status ClusterProbe::MayLaunch() const {
  MutexLock lock(mu_);
  if (!finding_.obstacle.empty()) {
    return absl::UnavailableError("Slurm cannot run jobs of this service: " +
                                  finding_.obstacle);
  }
  const bool is_early =
      clock_.Steady() - began_ < options_.settings.probe_patience;
  if (is_known_ || (!is_early && !is_report_due_)) return absl::OkStatus();
  return absl::UnavailableError("a first job looks whether nodes are usable");
}

std::string ClusterProbe::Hindrance() const {
  MutexLock lock(mu_);
  return finding_.hindrance;
}

void ClusterProbe::Run() {
  // Cancels the jobs of an earlier service that was killed.
  CancelLeftovers();
  while (true) {
    const ProbePlan plan = MakePlan();
    const ProbeFinding finding = Probe(plan);
    std::error_code ignored;
    std::filesystem::remove_all(plan.folder, ignored);
    if (!finding.is_over) return;  // The service ends.
    Take(finding);
    if (finding.obstacle.empty() && finding.hindrance.empty()) return;
    const milliseconds period = options_.settings.probe_period;
    if (!Pause(finding.obstacle.empty() ? kHindrancePeriods * period
                                        : period)) {
      return;
    }
  }
}

ProbePlan ClusterProbe::MakePlan() const {
  ProbePlan plan;
  plan.nonce = RandomHex();
  plan.name = prefix_ + plan.nonce;
  plan.folder = absl::StrCat(options_.data_dir, "/slurm-probes/", plan.nonce);
  plan.program = options_.settings.program;
  plan.url = options_.url;
  return plan;
}

ProbeFinding ClusterProbe::Probe(const ProbePlan& plan) {
  ProbeFinding finding;
  finding.is_over = true;
  const absl::Status made = MakeProbeFolder(plan);
  if (!made.ok()) {
    finding.obstacle = std::string(made.message());
    return finding;
  }
  const absl::StatusOr<SubmissionAnswer> answer =
      client_->Submit(CallFor(plan, options_.settings.defaults));
  using Kind = SubmissionAnswer::Kind;
  if (absl::IsCancelled(answer.status())) {
    CancelJob(plan.name);  // It may have been submitted.
    return {};
  }
  if (!answer.ok()) {
    finding.hindrance = std::string(answer.status().message());
    return finding;
  }
  if (answer->kind == Kind::kRefused || answer->kind == Kind::kThrottled) {
    finding.hindrance = absl::StrCat(
        "sbatch does not take a job without demands: ", answer->words);
    return finding;
  }
  finding = Await(plan);
  if (!finding.is_over || answer->kind == Kind::kAmbiguous) {
    CancelJob(plan.name);
  }
  return finding;
}

ProbeFinding ClusterProbe::Await(const ProbePlan& plan) {
  bool is_over = false;  // Or not listed.
  SteadyTime over_since{};
  bool is_pending_told = false;
  for (milliseconds pause = kFirstLook; Pause(pause);
       pause = std::min(pause * 3 / 2, kLastLook)) {
    const auto report = ReadNodeReport(plan.folder);
    if (report) return JudgeProbe(plan, std::nullopt, report, false);
    const auto listing = client_->List(prefix_);
    if (!listing.ok()) continue;
    std::optional<ListedJob> job;
    const auto found = listing->find(plan.name);
    if (found != listing->end()) job = found->second;
    const SteadyTime now = clock_.Steady();
    const bool was_over = is_over;
    is_over = !job || IsFinal(job->state);
    if (is_over && !was_over) {
      over_since = now;
      pause = kFirstLook;
    }
    {
      MutexLock lock(mu_);
      is_report_due_ = is_over;
    }
    const ProbeFinding finding = JudgeProbe(
        plan, job, report,
        is_over && now - over_since >= options_.settings.record_patience);
    if (finding.is_over) return finding;
    if (!is_pending_told && now - began_ >= options_.settings.probe_patience) {
      is_pending_told = true;
      on_change_();  // Launches go ahead.
    }
  }
  return {};
}

void ClusterProbe::CancelJob(const std::string& name) {
  absl::Status cancelled;
  for (int attempt = 0; attempt < kCancelAttempts; ++attempt) {
    cancelled = client_->Cancel(name, CancelKind::kEnd);
    if (cancelled.ok()) return;
  }
  Log(absl::StrCat("Slurm: job ", name,
                   " may be left in the queue: ", cancelled.message()));
}

void ClusterProbe::CancelLeftovers() {
  const absl::StatusOr<JobListing> listing = client_->List(prefix_);
  if (!listing.ok()) return;
  for (const auto& [name, job] : *listing) {
    if (IsFinal(job.state)) continue;
    client_->Cancel(name, CancelKind::kEnd).IgnoreError();
  }
  std::error_code ignored;
  std::filesystem::remove_all(options_.data_dir + "/slurm-probes", ignored);
}

void ClusterProbe::Take(const ProbeFinding& finding) {
  bool differs = false;
  bool was_refused = false;
  {
    MutexLock lock(mu_);
    differs = !(finding == finding_);
    was_refused = !finding_.obstacle.empty();
    finding_ = finding;
    is_known_ = true;
  }
  if (differs && !finding.obstacle.empty()) {
    Log("no job is submitted to Slurm: " + finding.obstacle);
  } else if (differs && !finding.hindrance.empty()) {
    Log("Slurm: " + finding.hindrance);
  } else if (was_refused) {
    Log("Slurm's nodes can run jobs of this service");
  }
  on_change_();
}

bool ClusterProbe::Pause(milliseconds time) { return !stop_.WaitFor(time); }

void ClusterProbe::Log(const std::string& line) const {
  if (log_) log_(line);
}

}  // namespace vernier
