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

  /// Sets the room that each job waits for, for all jobs.
  void Replace(std::map<StudyId, std::string> rooms) {
    MutexLock lock(mu_);
    rooms_ = std::move(rooms);
  }
  /// Sets what keeps the whole service from storing; empty: nothing.
  void SetTrouble(std::string trouble) {
    MutexLock lock(mu_);
    trouble_ = std::move(trouble);
  }

  Hindrance Of(StudyId study) const {
    Hindrance hindrance;
    hindrance.trouble = Trouble();
    MutexLock lock(mu_);
    const auto found = rooms_.find(study);
    if (found != rooms_.end()) hindrance.room = found->second;
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
  std::map<StudyId, std::string> rooms_ VERNIER_GUARDED_BY(mu_);
  std::string trouble_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_HINDRANCES_H_
