#ifndef VERNIER_TRIALS_ORCHESTRATOR_H_
#define VERNIER_TRIALS_ORCHESTRATOR_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "store/store.h"
#include "study/clock.h"
#include "suggest/suggester.h"
#include "trials/launcher.h"
#include "trials/plan.h"

namespace vernier {

/// Brings what runs into line with what is wanted. Nobody else changes trials
/// or attempts. Level-triggered: each Step looks at the whole present state, so
/// first start, steady state and restart are the same code.
///
/// Not thread-safe: one thread owns it and calls Step for ever.
class Orchestrator {
 public:
  struct Dependencies {
    Store& store;
    Launcher& launcher;
    MetricSource& metrics;
    const Clock& clock;
    /// 128 random bits as 32 hex digits, never the same twice.
    std::function<std::string()> make_nonce;
    /// One line for the log of the service.
    std::function<void(const std::string&)> log;
  };
  struct Options {
    /// How often programs' reports are looked for without a wake-up.
    std::chrono::milliseconds metric_poll{500};
    /// How often running times are stored, so that limits hold after a crash.
    std::chrono::milliseconds checkpoint_period{30000};
    PlanOptions plan;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object.
  Orchestrator(const Dependencies& dependencies, Options options);
  ~Orchestrator();

  /// Reads, plans, commits, acts; returns how long the caller may wait before
  /// the next Step if nothing happens. Zero: call again at once.
  ///
  /// The error is the store's, and final: the process should end.
  absl::StatusOr<std::chrono::milliseconds> Step();

 private:
  struct AttemptWatch;

  std::vector<LiveAttempt> ListLive(const StoreSnapshot& snapshot) const;
  void ReadMetrics(const StudySnapshot& study, const LiveAttempt& live,
                   bool final, std::vector<Change>* changes);
  absl::Status CommitMetrics(const StoreSnapshot& snapshot,
                             const std::vector<LiveAttempt>& live,
                             const std::vector<AttemptObservation>& seen);
  void FillSuggestions(const StoreSnapshot& snapshot, Plan* plan);
  void Act(const StoreSnapshot& snapshot, const Plan& plan);
  void AccrueTimes(const StoreSnapshot& snapshot);

  const Dependencies dependencies_;
  const Options options_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_ORCHESTRATOR_H_
