#ifndef VERNIER_TRIALS_JOBS_HINDRANCES_H_
#define VERNIER_TRIALS_JOBS_HINDRANCES_H_

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "study/ids.h"

namespace vernier {

/// Reasons why a job does not continue that its record does not show; in words,
/// empty if there are none.
struct Hindrance {
  /// Room that the job needs to start a trial: in its project's quota (see
  /// QuotaBudget::WaitFor) or on the machine (ReplicaBudget::WaitFor).
  std::string room;
  /// Why the launcher could not start its next attempt for now.
  std::string launch;
  /// What keeps the whole service from storing anything, such as a full disk.
  std::string trouble;

  friend bool operator==(const Hindrance&, const Hindrance&) = default;
};

/// Reasons why jobs do not continue. The orchestrator finds them, and calls
/// that ask what a job waits for read them. Thread-safe.
class Hindrances {
 public:
  /// `look` checks for trouble at each question; it returns "" if there is
  /// none. Any thread calls it.
  explicit Hindrances(std::function<std::string()> look = nullptr)
      : look_(std::move(look)) {}

  /// Sets what each job waits for, for all jobs; `trouble` of them is not used.
  void Replace(std::map<StudyId, Hindrance> jobs) {
    MutexLock lock(mu_);
    jobs_ = std::move(jobs);
  }
  /// Sets what keeps the whole service from storing; empty: nothing.
  void SetTrouble(std::string trouble) {
    MutexLock lock(mu_);
    trouble_ = std::move(trouble);
  }

  Hindrance Of(StudyId study) const {
    const std::string trouble = Trouble();
    MutexLock lock(mu_);
    const auto found = jobs_.find(study);
    Hindrance hindrance = found == jobs_.end() ? Hindrance{} : found->second;
    hindrance.trouble = trouble;
    return hindrance;
  }
  std::string Trouble() const {
    {
      MutexLock lock(mu_);
      if (!trouble_.empty()) return trouble_;
    }
    return look_ ? look_() : "";
  }

 private:
  const std::function<std::string()> look_;
  mutable Mutex mu_;
  std::map<StudyId, Hindrance> jobs_ VERNIER_GUARDED_BY(mu_);
  std::string trouble_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_HINDRANCES_H_
