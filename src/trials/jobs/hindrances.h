#ifndef VERNIER_TRIALS_JOBS_HINDRANCES_H_
#define VERNIER_TRIALS_JOBS_HINDRANCES_H_

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "study/ids.h"

namespace vernier {

/// The reasons for a job to wait that its record does not show. Each is a text
/// for people, and empty if there is no such reason.
struct Hindrance {
  /// The room that the job needs to start a trial: in its project's quota (see
  /// QuotaBudget::WaitFor) or on the machine (ReplicaBudget::WaitFor).
  std::string room;
  /// The reason why the launcher could not start its next attempt for now.
  std::string launch;
  /// The trouble that keeps the whole service from storing anything, such as a
  /// full disk.
  std::string trouble;

  friend bool operator==(const Hindrance&, const Hindrance&) = default;
};

/// The reasons for jobs to wait. The orchestrator finds them, and calls that
/// ask what a job waits for read them. Thread-safe.
class Hindrances {
 public:
  /// `look` is called for each question about trouble, by any thread; it
  /// returns "" if there is none.
  explicit Hindrances(std::function<std::string()> look = nullptr)
      : look_(std::move(look)) {}

  /// Replaces the reasons of all jobs. Their `trouble` is not used.
  void Replace(std::map<StudyId, Hindrance> jobs) {
    MutexLock lock(mu_);
    jobs_ = std::move(jobs);
  }
  /// Sets the trouble that keeps the whole service from storing; empty if there
  /// is none.
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
