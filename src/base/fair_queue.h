#ifndef VERNIER_BASE_FAIR_QUEUE_H_
#define VERNIER_BASE_FAIR_QUEUE_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace vernier {

/// Returns whether a caller that holds `mine` of something may hold `more` of
/// it when `free` of it is left: never more than would then be left for others.
/// So the first caller gets a half at most, the second a third of the whole,
/// and there is always something left for one more. Pure.
constexpr bool LeavesAsMuch(std::size_t mine, std::size_t more,
                            std::size_t free) {
  return more <= free && mine + more <= free - more;
}

/// The rules by which callers share the threads of a pool.
struct ThreadShares {
  int threads = 1;  ///< >= 1.
  /// The most threads that one caller may use at once; >= 1. A caller also gets
  /// no more than would be left for others, but always one thread while there
  /// is one.
  int most_of_one = std::numeric_limits<int>::max();
  /// A caller for whom only that last rule holds.
  std::string trusted = {};
};

/// Work that waits for threads. Callers take turns, and the work of one caller
/// is done in the order of its arrival; a caller that queues much delays only
/// itself. The caller without a name is the program itself, to which no limit
/// applies. Not thread-safe: its pool guards it.
class FairQueue {
 public:
  using Work = std::function<void()>;
  struct Turn {
    std::string caller;
    Work work;
  };

  explicit FairQueue(ThreadShares shares) : shares_(std::move(shares)) {}

  void Add(const std::string& caller, Work work);
  /// Returns the work that a free thread does next; it counts as running until
  /// Ended. Nothing if none waits whose caller may have one more thread.
  std::optional<Turn> Next();
  /// Notes that the work that Next gave out for `caller` is done.
  void Ended(const std::string& caller);
  /// Returns whether nothing waits.
  bool is_empty() const { return turns_.empty(); }

 private:
  struct Caller {
    std::deque<Work> waiting;
    std::size_t running = 0;
  };
  bool MayRun(const std::string& name, const Caller& caller) const;

  const ThreadShares shares_;
  std::map<std::string, Caller> callers_;
  std::deque<std::string> turns_;  // Callers with waiting work, each once.
  std::size_t running_ = 0;
};

inline void FairQueue::Add(const std::string& caller, Work work) {
  Caller& of = callers_[caller];
  of.waiting.push_back(std::move(work));
  if (of.waiting.size() == 1) turns_.push_back(caller);
}

inline bool FairQueue::MayRun(const std::string& name,
                              const Caller& caller) const {
  const auto threads = static_cast<std::size_t>(shares_.threads);
  if (running_ >= threads) return false;
  if (name.empty() || caller.running == 0) return true;
  if (name != shares_.trusted &&
      caller.running >= static_cast<std::size_t>(shares_.most_of_one)) {
    return false;
  }
  return LeavesAsMuch(caller.running, 1, threads - running_);
}

inline std::optional<FairQueue::Turn> FairQueue::Next() {
  for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
    Caller& caller = callers_.at(*turn);
    if (!MayRun(*turn, caller)) continue;
    Turn next{*turn, std::move(caller.waiting.front())};
    caller.waiting.pop_front();
    ++caller.running;
    ++running_;
    // A caller that has had its turn comes after all others.
    turns_.erase(turn);
    if (!caller.waiting.empty()) turns_.push_back(next.caller);
    return next;
  }
  return std::nullopt;
}

inline void FairQueue::Ended(const std::string& caller) {
  const auto found = callers_.find(caller);
  --found->second.running;
  --running_;
  if (found->second.running == 0 && found->second.waiting.empty()) {
    callers_.erase(found);
  }
}

}  // namespace vernier

#endif  // VERNIER_BASE_FAIR_QUEUE_H_
