#ifndef VERNIER_TESTS_CLUSTER_SLURM_FAKE_SLURM_CLIENT_H_
#define VERNIER_TESTS_CLUSTER_SLURM_FAKE_SLURM_CLIENT_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cluster/slurm/slurm_client.h"

namespace vernier {

/// A controller whose jobs are entries of a map. Its clients share it.
/// Thread-safe.
class FakeController {
 public:
  /// The answer to a submission. If it is accepted or ambiguous, it makes a job
  /// if `makes_job`.
  struct Scripted {
    SubmissionAnswer::Kind kind = SubmissionAnswer::Kind::kAccepted;
    std::string words;
    bool makes_job = true;
  };

  void Script(Scripted answer) {
    MutexLock lock(mu_);
    script_.push_back(std::move(answer));
  }
  void SetListingError(absl::Status error) {
    MutexLock lock(mu_);
    listing_error_ = std::move(error);
  }
  void SetState(const std::string& name, SlurmState state,
                const std::string& reason = "") {
    MutexLock lock(mu_);
    ListedJob& job = jobs_[name];
    job.number = job.number == 0 ? ++last_number_ : job.number;
    job.state = state;
    job.word = "WORD";
    job.reason = reason;
  }
  /// The next `count` cancellations fail.
  void FailCancels(int count) {
    MutexLock lock(mu_);
    failing_cancels_ = count;
  }
  void Lose(const std::string& name) {
    MutexLock lock(mu_);
    jobs_.erase(name);
  }

  SubmissionAnswer Submit(const std::string& name) {
    MutexLock lock(mu_);
    Scripted answer;
    if (!script_.empty()) {
      answer = script_.front();
      script_.pop_front();
    }
    ++submissions_[name];
    const bool may_make = answer.kind == SubmissionAnswer::Kind::kAccepted ||
                          answer.kind == SubmissionAnswer::Kind::kAmbiguous;
    if (may_make && answer.makes_job) {
      jobs_[name] = {++last_number_, SlurmState::kPending, "PENDING", "", ""};
    }
    return {answer.kind, last_number_, answer.words};
  }
  absl::StatusOr<JobListing> List() {
    MutexLock lock(mu_);
    ++listings_;
    if (!listing_error_.ok()) return listing_error_;
    return jobs_;
  }
  absl::Status Cancel(const std::string& name, CancelKind kind) {
    MutexLock lock(mu_);
    cancels_.emplace_back(name, kind);
    if (failing_cancels_ > 0) {
      --failing_cancels_;
      return absl::UnavailableError("scancel failed: busy");
    }
    const auto found = jobs_.find(name);
    if (found == jobs_.end()) return absl::OkStatus();
    const bool is_pending = found->second.state == SlurmState::kPending;
    if (kind == CancelKind::kEnd ||
        (kind == CancelKind::kIfPending && is_pending)) {
      found->second.state = SlurmState::kCancelled;
    }
    return absl::OkStatus();
  }

  int submissions(const std::string& name) const {
    MutexLock lock(mu_);
    const auto found = submissions_.find(name);
    return found == submissions_.end() ? 0 : found->second;
  }
  int listings() const {
    MutexLock lock(mu_);
    return listings_;
  }
  std::vector<std::pair<std::string, CancelKind>> cancels() const {
    MutexLock lock(mu_);
    return cancels_;
  }

 private:
  mutable Mutex mu_;
  JobListing jobs_ VERNIER_GUARDED_BY(mu_);
  std::deque<Scripted> script_ VERNIER_GUARDED_BY(mu_);
  absl::Status listing_error_ VERNIER_GUARDED_BY(mu_);
  std::map<std::string, int> submissions_ VERNIER_GUARDED_BY(mu_);
  std::vector<std::pair<std::string, CancelKind>> cancels_
      VERNIER_GUARDED_BY(mu_);
  int failing_cancels_ VERNIER_GUARDED_BY(mu_) = 0;
  std::int64_t last_number_ VERNIER_GUARDED_BY(mu_) = 0;
  int listings_ VERNIER_GUARDED_BY(mu_) = 0;
};

/// A client of a FakeController, which it borrows.
class FakeSlurmClient final : public SlurmClient {
 public:
  explicit FakeSlurmClient(FakeController& controller)
      : controller_(controller) {}

  absl::StatusOr<SubmissionAnswer> Submit(const SbatchCall& call) override {
    return controller_.Submit(call.name);
  }
  absl::StatusOr<JobListing> List(const std::string& /*prefix*/) override {
    return controller_.List();
  }
  absl::StatusOr<JobListing> Accounts(const std::vector<std::string>& /*names*/,
                                      const std::string& /*prefix*/) override {
    return absl::FailedPreconditionError("no accounts");
  }
  absl::Status Cancel(const std::string& name, CancelKind kind) override {
    return controller_.Cancel(name, kind);
  }
  void Stop() override {}

 private:
  FakeController& controller_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_SLURM_FAKE_SLURM_CLIENT_H_
