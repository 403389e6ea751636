#ifndef VERNIER_CLUSTER_SLURM_CLUSTER_PROBE_H_
#define VERNIER_CLUSTER_SLURM_CLUSTER_PROBE_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/wake_event.h"
#include "cluster/slurm/probe_report.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_settings.h"

namespace vernier {

/// Checks by a small job whether the cluster's nodes can run this service's
/// jobs: once at the start, and again until there is nothing that prevents or
/// delays jobs. Its own thread does this, so no caller waits. The probe's job
/// is cancelled at the end. Thread-safe.
class ClusterProbe {
 public:
  struct Dependencies {
    std::unique_ptr<SlurmClient> client;
    const Clock& clock;
    /// Called by the thread, without a lock, when the result of MayLaunch may
    /// have changed.
    std::function<void()> on_change;
    /// Receives one line for the service's log; called likewise. May be null.
    std::function<void(const std::string&)> log;
  };
  struct Options {
    SlurmSettings settings;
    std::string instance;  ///< See SlurmLauncher.
    std::string data_dir;  ///< Absolute: what the nodes must see.
    std::string url;       ///< Of the service, for nodes; may be empty.
  };

  ClusterProbe(Dependencies dependencies, Options options);
  ~ClusterProbe();

  /// Returns UNAVAILABLE with the reason if jobs could not run, and for a short
  /// time while that is not known.
  absl::Status MayLaunch() const;

  /// Describes a reason why jobs may have to wait or fail; empty if there is
  /// none.
  std::string Hindrance() const;

 private:
  void Run();
  ProbeFinding Probe(const ProbePlan& plan);
  ProbeFinding Await(const ProbePlan& plan);
  ProbePlan MakePlan() const;
  void CancelJob(const std::string& name);
  void CancelLeftovers();
  void Take(const ProbeFinding& finding);
  /// Waits for `time`. Returns false once the probe must end.
  bool Pause(std::chrono::milliseconds time);
  void Log(const std::string& line) const;

  const Options options_;
  const std::unique_ptr<SlurmClient> client_;  // Of the thread; Stop of any.
  const Clock& clock_;                         // Thread-safe.
  const std::function<void()> on_change_;
  const std::function<void(const std::string&)> log_;
  const std::string prefix_;  // Of its jobs' names.
  const SteadyTime began_;
  const WakeEvent stop_;  // Set at the end.
  mutable Mutex mu_;
  bool is_known_ VERNIER_GUARDED_BY(mu_) = false;
  // The probe's job has ended, so its report will be visible soon.
  bool is_report_due_ VERNIER_GUARDED_BY(mu_) = false;
  ProbeFinding finding_ VERNIER_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_CLUSTER_PROBE_H_
