#include "cluster/slurm/slurm_jobs.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cluster/slurm/gang_files.h"

namespace vernier {
namespace {

// One thread does one piece of work at a time, the most urgent first
// (NextWork): a cancellation, then a submission, then a listing, then a
// question to the accounts. Only one squeue call lists all jobs, and it is made
// less often the longer it takes, so that the load on the controller is
// bounded. Whether a job exists is decided by listings alone, since the answer
// of sbatch may be lost: a job with an unknown answer that two listings do not
// have is submitted again.

using std::chrono::milliseconds;
using Stage = JobView::Stage;

constexpr milliseconds kCancelAgain{5000};
// Must be longer than the time between an older service's submission and the
// first poll of this one.
constexpr std::chrono::seconds kStrangerPatience{60};
constexpr std::size_t kAccountsAtOnce = 100;
constexpr milliseconds kIdleWait{60000};

bool HasEnded(const JobView& view) {
  if (view.stage == Stage::kRefused || view.stage == Stage::kWithdrawn) {
    return true;
  }
  if (view.stage != Stage::kInSlurm) return false;
  const JobTracker::Knowledge& knowledge = view.knowledge;
  return (knowledge.job && IsFinal(knowledge.job->state)) || knowledge.is_gone;
}

}  // namespace

SlurmJobs::SlurmJobs(Dependencies dependencies, const SlurmSettings& settings,
                     std::string prefix)
    : settings_(settings),
      prefix_(std::move(prefix)),
      client_(std::move(dependencies.client)),
      clock_(dependencies.clock),
      on_change_(std::move(dependencies.on_change)),
      log_(std::move(dependencies.log)),
      tracker_(settings.settle_time),
      rate_(settings.max_submissions_per_second) {}

SlurmJobs::~SlurmJobs() {
  {
    MutexLock lock(mu_);
    is_stopping_ = true;
  }
  client_->Stop();
  Wake();
  if (thread_.joinable()) thread_.join();
}

void SlurmJobs::Start(JobSubmission submission) {
  {
    MutexLock lock(mu_);
    const std::string name = submission.name;
    Job& job = jobs_[name];
    job.view.stage = Stage::kWaiting;
    job.submission = std::move(submission);
    waiting_.push_back(name);
  }
  Wake();
}

void SlurmJobs::Follow(const std::string& name) {
  {
    MutexLock lock(mu_);
    if (!jobs_.try_emplace(name).second) return;
    tracker_.Follow(name, clock_.Steady());
    listed_at_ = SteadyTime{};  // It is urgent to know.
  }
  Wake();
}

void SlurmJobs::Cancel(const std::string& name, CancelKind kind) {
  {
    MutexLock lock(mu_);
    const auto found = jobs_.find(name);
    if (found == jobs_.end()) return;
    Job& job = found->second;
    if (job.end_wanted == CancelKind::kEnd || job.end_wanted == kind) return;
    job.end_wanted = kind;
    job.cancel_at = clock_.Steady();
    if (job.view.stage == Stage::kWaiting) job.view.stage = Stage::kWithdrawn;
  }
  Wake();
}

void SlurmJobs::Drop(const std::string& name) {
  MutexLock lock(mu_);
  jobs_.erase(name);
  tracker_.Drop(name);
}

void SlurmJobs::CancelStrangers() {
  MutexLock lock(mu_);
  cancels_strangers_ = true;
}

JobView SlurmJobs::Of(const std::string& name) const {
  MutexLock lock(mu_);
  const auto found = jobs_.find(name);
  if (found == jobs_.end()) return {};
  JobView view = found->second.view;
  if (view.stage == Stage::kInSlurm) view.knowledge = tracker_.Of(name);
  if (view.words.empty()) view.words = trouble_;
  return view;
}

void SlurmJobs::Wake() {
  {
    MutexLock lock(mu_);
    if (!thread_.joinable() && !is_stopping_) {
      thread_ = std::thread([this] { Run(); });
    }
  }
  wake_.Set();
}

void SlurmJobs::Log(const std::string& line) {
  if (log_) log_(line);
}

void SlurmJobs::Run() {
  while (true) {
    milliseconds wait = kIdleWait;
    const Work work = NextWork(clock_.Steady(), &wait);
    {
      MutexLock lock(mu_);
      if (is_stopping_) return;
    }
    if (work) {
      work();
      continue;
    }
    wake_.WaitFor(wait);
    wake_.Clear();
  }
}

SlurmJobs::Work SlurmJobs::NextWork(SteadyTime now, milliseconds* wait) {
  MutexLock lock(mu_);
  if (jobs_.empty()) return nullptr;
  const auto until = [&](SteadyTime time) {
    const auto left = std::chrono::ceil<milliseconds>(time - now);
    *wait = std::clamp(left, milliseconds(1), *wait);
  };
  for (const auto& [name, job] : jobs_) {
    if (job.end_wanted && job.view.stage == Stage::kInSlurm) {
      until(job.cancel_at);
    }
  }
  if (const auto name = NextToCancel(now)) {
    return [this, name = *name] { CancelOne(name); };
  }
  if (MaySubmit(now)) {
    const std::string name = waiting_.front();
    waiting_.pop_front();
    Job& job = jobs_.at(name);
    job.view.stage = Stage::kSubmitting;
    job.view.words.clear();
    return [this, submission = *job.submission] { Submit(submission); };
  }
  if (!waiting_.empty()) until(rate_.next());
  if (now >= NextListing()) return [this] { List(); };
  until(NextListing());
  std::vector<std::string> names = tracker_.ToAccount(kAccountsAtOnce);
  if (names.empty()) return nullptr;
  if (!keeps_accounts_) {
    tracker_.TakeAccounts(names, {});
    return [this] { on_change_(); };
  }
  return [this, names = std::move(names)] { AskAccounts(names); };
}

std::optional<std::string> SlurmJobs::NextToCancel(SteadyTime now) {
  for (const auto& [name, job] : jobs_) {
    if (!job.end_wanted || now < job.cancel_at) continue;
    if (job.view.stage != Stage::kInSlurm) continue;
    JobView view = job.view;
    view.knowledge = tracker_.Of(name);
    if (!HasEnded(view)) return name;
  }
  for (const auto& [name, since] : strangers_) {
    if (cancels_strangers_ && now - since >= kStrangerPatience) return name;
  }
  return std::nullopt;
}

bool SlurmJobs::MaySubmit(SteadyTime now) {
  while (!waiting_.empty()) {
    const auto found = jobs_.find(waiting_.front());
    if (found != jobs_.end() && found->second.view.stage == Stage::kWaiting) {
      break;
    }
    waiting_.pop_front();  // Withdrawn, or forgotten.
  }
  if (waiting_.empty()) return false;
  // Jobs that were submitted since the last listing are not in it; they count
  // as pending.
  const int pending = tracker_.pending() + submitted_since_;
  if (pending >= settings_.max_pending) {
    jobs_.at(waiting_.front()).view.words =
        absl::StrCat(pending, " jobs of this service are pending in Slurm");
    return false;
  }
  return now >= rate_.next();
}

SteadyTime SlurmJobs::NextListing() const {
  if (listed_at_ == SteadyTime{}) return listed_at_;
  const bool is_urgent = tracker_.is_urgent() || submitted_since_ > 0;
  const std::chrono::microseconds period =
      is_urgent ? settings_.quick_list_period : settings_.list_period;
  // Without this bound, a listing that waited for a controller that was down
  // would delay the next one by an hour.
  const std::chrono::microseconds most = settings_.longest_list_period;
  const double fair = std::min(
      static_cast<double>(listing_took_.count()) / settings_.list_share,
      static_cast<double>(most.count()));
  return listed_at_ + std::max(period, std::chrono::microseconds(
                                           static_cast<std::int64_t>(fair)));
}

void SlurmJobs::Submit(const JobSubmission& submission) {
  // The mark is written first, because a submission that was started may
  // succeed even if this process dies.
  const absl::Status marked =
      WriteSubmissionMark(submission.run_dir, SubmissionMark::kBegun);
  SubmissionAnswer answer;
  if (!marked.ok()) {
    answer = {SubmissionAnswer::Kind::kThrottled, 0,
              std::string(marked.message())};
  } else {
    const auto result = client_->Submit(CallFor(submission));
    if (absl::IsCancelled(result.status())) return;  // The service ends.
    if (result.ok()) {
      answer = *result;
    } else {
      answer = {SubmissionAnswer::Kind::kThrottled, 0,
                std::string(result.status().message())};
    }
  }
  if (answer.kind == SubmissionAnswer::Kind::kAccepted) {
    // The mark is a hint: without it a restarted service waits longer for a
    // listing.
    WriteSubmissionMark(submission.run_dir, SubmissionMark::kSubmitted,
                        answer.number)
        .IgnoreError();
  } else {
    Log(absl::StrCat("sbatch of ", submission.name, ": ", answer.words));
  }
  TakeAnswer(submission.name, answer);
  on_change_();
}

bool SlurmJobs::AvoidsNodes(const Job& job) {
  return job.submission && !job.submission->avoided_nodes.empty();
}

void SlurmJobs::TakeAnswer(const std::string& name,
                           const SubmissionAnswer& answer) {
  MutexLock lock(mu_);
  const SteadyTime now = clock_.Steady();
  using Kind = SubmissionAnswer::Kind;
  if (answer.kind == Kind::kAccepted || answer.kind == Kind::kRefused) {
    rate_.NoteAnswered(now);
  } else {
    rate_.NoteTrouble(now);
  }
  const auto found = jobs_.find(name);
  if (found == jobs_.end()) return;  // A foreign job from now on.
  Job& job = found->second;
  job.view.words = answer.words;
  switch (answer.kind) {
    case Kind::kAccepted:
      job.submission.reset();
      [[fallthrough]];
    case Kind::kAmbiguous:
      // Only a listing that begins after this can show the job.
      job.view.stage = Stage::kInSlurm;
      tracker_.Restart(name, now);
      ++submitted_since_;
      break;
    case Kind::kRefused:
      if (AvoidsNodes(job)) {
        // There may be no other nodes, and one that has failed is better than
        // none.
        job.submission->avoided_nodes.clear();
        job.view.stage = job.end_wanted ? Stage::kWithdrawn : Stage::kWaiting;
        if (!job.end_wanted) waiting_.push_front(name);
        break;
      }
      job.view.stage = Stage::kRefused;
      job.submission.reset();
      break;
    case Kind::kThrottled:
      job.view.stage = job.end_wanted ? Stage::kWithdrawn : Stage::kWaiting;
      if (!job.end_wanted) waiting_.push_front(name);
      break;
  }
}

void SlurmJobs::List() {
  const SteadyTime began = clock_.Steady();
  const absl::StatusOr<JobListing> listing = client_->List(prefix_);
  std::string trouble;
  {
    MutexLock lock(mu_);
    const SteadyTime now = clock_.Steady();
    listed_at_ = now;
    if (listing.ok()) {
      listing_took_ = now - began;
      tracker_.TakeListing(*listing, began);
      submitted_since_ = 0;
      ResubmitMissing();
      NoteStrangers(now);
      trouble_.clear();
    } else {
      trouble = std::string(listing.status().message());
      std::swap(trouble, trouble_);
      trouble = trouble == trouble_ ? "" : trouble_;  // Said once.
    }
  }
  if (!trouble.empty()) Log(trouble);
  on_change_();
}

// Submits a job again if the outcome of its submission is unknown and two
// listings do not have it: then the submission failed.
void SlurmJobs::ResubmitMissing() {
  for (auto& [name, job] : jobs_) {
    if (!job.submission || job.view.stage != Stage::kInSlurm) continue;
    const JobTracker::Knowledge knowledge = tracker_.Of(name);
    if (knowledge.job) {
      job.submission.reset();
      job.view.words.clear();
      continue;
    }
    if (!knowledge.is_gone) continue;
    tracker_.Drop(name);
    job.view.stage = job.end_wanted ? Stage::kWithdrawn : Stage::kWaiting;
    if (!job.end_wanted) waiting_.push_front(name);
  }
}

void SlurmJobs::NoteStrangers(SteadyTime now) {
  std::map<std::string, SteadyTime> present;
  for (const std::string& name : tracker_.strangers()) {
    if (jobs_.count(name) > 0) continue;  // Being submitted.
    const auto known = strangers_.find(name);
    present[name] = known == strangers_.end() ? now : known->second;
  }
  strangers_ = std::move(present);
}

void SlurmJobs::AskAccounts(const std::vector<std::string>& names) {
  const absl::StatusOr<JobListing> accounts = client_->Accounts(names, prefix_);
  if (absl::IsCancelled(accounts.status())) return;
  {
    MutexLock lock(mu_);
    // Without accounts, the attempt's files must be sufficient.
    tracker_.TakeAccounts(names, accounts.ok() ? *accounts : JobListing{});
    if (absl::IsFailedPrecondition(accounts.status())) keeps_accounts_ = false;
  }
  if (!accounts.ok()) Log(std::string(accounts.status().message()));
  on_change_();
}

void SlurmJobs::CancelOne(const std::string& name) {
  std::optional<CancelKind> kind = CancelKind::kEnd;
  {
    MutexLock lock(mu_);
    const auto found = jobs_.find(name);
    if (found != jobs_.end()) {
      kind = found->second.end_wanted;
      found->second.cancel_at = clock_.Steady() + kCancelAgain;
    } else {
      // The waiting time starts again, so that it is not cancelled at every
      // turn.
      strangers_[name] = clock_.Steady();
    }
    listed_at_ = std::min(listed_at_, clock_.Steady() + -settings_.list_period +
                                          settings_.quick_list_period);
  }
  if (!kind) return;
  absl::Status cancelled = absl::OkStatus();
  if (kind == CancelKind::kAsk) {
    // A pending job has no process that could handle a signal, so it is
    // cancelled.
    cancelled = client_->Cancel(name, CancelKind::kIfPending);
  }
  if (cancelled.ok()) cancelled = client_->Cancel(name, *kind);
  if (!cancelled.ok() && !absl::IsCancelled(cancelled)) {
    Log(absl::StrCat(name, ": ", std::string(cancelled.message())));
  }
}

}  // namespace vernier
