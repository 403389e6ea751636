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
#include "base/unique_fd.h"
#include "cluster/slurm/probe_report.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_settings.h"

namespace vernier {

/// Looks, by a small job at the start and until nothing is in the way, whether
/// the cluster's nodes can run this service's jobs. A thread of its own does
/// it, so nobody waits. Its job is cancelled at the end. Thread-safe.
class ClusterProbe {
 public:
  struct Dependencies {
    std::unique_ptr<SlurmClient> client;
    const Clock& clock;
    /// Called, without a lock, by the thread when MayLaunch may differ.
    std::function<void()> on_change;
    /// One line for the service's log; likewise. May be null.
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

  /// UNAVAILABLE, saying why, if jobs could not run, and for a short time while
  /// that is not known.
  absl::Status MayLaunch() const;

  /// What may be in the way of jobs, in words; may be empty.
  std::string Hindrance() const;

 private:
  void Run();
  ProbeFinding Probe(const ProbePlan& plan);
  ProbeFinding Await(const ProbePlan& plan);
  ProbePlan MakePlan() const;
  void CancelJob(const std::string& name);
  void CancelLeftovers();
  void Take(const ProbeFinding& finding);
  /// False once the probe is to end.
  bool Pause(std::chrono::milliseconds time);
  void Log(const std::string& line) const;

  const Options options_;
  const std::unique_ptr<SlurmClient> client_;  // Of the thread; Stop of any.
  const Clock& clock_;                         // Thread-safe.
  const std::function<void()> on_change_;
  const std::function<void(const std::string&)> log_;
  const std::string prefix_;  // Of its jobs' names.
  const SteadyTime began_;
  UniqueFd stop_;  // An eventfd: readable at the end.
  mutable Mutex mu_;
  bool is_known_ VERNIER_GUARDED_BY(mu_) = false;
  // Its job has ended: what it has found will be seen soon.
  bool is_report_due_ VERNIER_GUARDED_BY(mu_) = false;
  ProbeFinding finding_ VERNIER_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_CLUSTER_PROBE_H_
