#ifndef VERNIER_TRIALS_JOBS_LAUNCHER_H_
#define VERNIER_TRIALS_JOBS_LAUNCHER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "study/devices/device.h"
#include "study/ids.h"
#include "study/job_id.h"
#include "study/job_spec.h"
#include "study/measurement.h"

namespace vernier {

/// Everything an attempt needs to start; the same for every launcher.
struct LaunchRequest {
  AttemptKey attempt;
  std::string nonce;                    ///< 32 hex digits.
  std::shared_ptr<const JobSpec> spec;  ///< Shared with the job's record.
  std::string spec_json;                ///< As in JobRun.
  int code_version = 1;  ///< The job's version that `spec` is of.
  /// The number of times that the trial's programs ran before, which becomes
  /// VERNIER_RESTART_COUNT.
  int restart_count = 0;
  /// Which trial of its point this one is, from 1, which becomes
  /// VERNIER_REPEAT; 0: the job repeats no points.
  int repeat = 0;
  Parameters parameters;  ///< Empty unless a tuning job.
  std::string project = std::string(kDefaultProject);  ///< The job's.
  std::string run_dir;   ///< Absolute, of this attempt; made if missing.
  std::string code_dir;  ///< Absolute, of the pinned code; empty: none.
  /// DeviceLeases of GPUs, split among the replicas.
  std::vector<std::string> devices;
};

/// An attempt that is not terminal in the store.
struct LiveAttempt {
  AttemptKey attempt;
  std::string nonce;
  std::string run_dir;
  /// The store knows that all its replicas ran, so the attempt cannot be one
  /// that never started.
  bool has_run = false;
  /// The time at which its launch was intended. Older files are not from this
  /// attempt.
  Timestamp intended_at{};
  std::string project = std::string(kDefaultProject);  ///< The job's.
};

/// The reason why a cluster's engine ended an attempt that left no exit record.
enum class EngineEnd {
  kUnknown,     ///< Or by some other fault of the cluster.
  kPreempted,   ///< To make room for other jobs.
  kTimeLimit,   ///< It ran as long as the engine allows.
  kNodeFailed,  ///< A machine it ran on was lost.
  kEvicted,     ///< Its machine lacked memory or disk space.
  kImagePull,   ///< An image could not be pulled.
};

/// A report of a metric that came after its last value but could not be read as
/// a number, so that the value is an older one.
struct LaterMiss {
  std::string metric;
  MetricRoad road = MetricRoad::kStdout;
  std::string text;  ///< Which line it was, and why it could not be read.
};

/// A launcher's present knowledge of a live attempt.
struct AttemptObservation {
  enum class Kind {
    kStarting,  ///< Accepted; not all replicas are up.
    kRunning,   ///< All replicas were started.
    kEnded,     ///< An exit record exists; the rest of this struct says how.
    kLost,      ///< Proven dead, no exit record. Devices are free.
    kNeverStarted,  ///< Proven never to start: its claim was revoked.
  };
  AttemptKey attempt;
  Kind kind = Kind::kStarting;
  std::optional<int> exit_code;     ///< Of the deciding replica.
  std::optional<int> signal;        ///< Likewise.
  bool out_of_memory = false;       ///< The kernel killed it for memory.
  bool launch_failed = false;       ///< A program could not be executed.
  bool stopped_by_request = false;  ///< It ended after a Kill.
  /// Set for kLost only; `message` then has the engine's own words.
  EngineEnd engine_end = EngineEnd::kUnknown;
  /// A message for people: which replica ended and how ("The replica master 0
  /// exited with a non-zero status of 7."), then the last lines of that
  /// replica's log. If it ended well, it is those lines alone.
  std::string message;
  /// More of that log's last lines, at most 16 KiB, for the patterns of
  /// EndRules.
  std::string log_tail;
  /// The number of bytes of the primary's output that its log lacks, because no
  /// room was left for them.
  std::int64_t lost_output = 0;
  /// MetricReading::full_disk of the last reading.
  std::string full_disk;
  /// MetricReading::later_misses of the last reading.
  std::vector<LaterMiss> later_misses;
  /// From the start of the gang to its end, or to now while it runs; 0 if it
  /// has not started.
  std::chrono::microseconds lasted{0};
};

/// Returns whether an attempt that was observed so uses no resources any more.
constexpr bool IsOver(AttemptObservation::Kind kind) {
  return kind != AttemptObservation::Kind::kStarting &&
         kind != AttemptObservation::Kind::kRunning;
}

/// Runs attempts somewhere: on this machine, on a cluster, or in a test.
/// Non-blocking: no method waits for an attempt. Not thread-safe: one
/// orchestrator owns one launcher; only Wake may come from any thread.
/// `tests/trials/jobs/launcher_conformance.h` is the specification.
class Launcher {
 public:
  virtual ~Launcher() = default;

  /// Starts an attempt's gang: all replicas or none. Idempotent by nonce: at
  /// most one gang ever starts for it, also across restarts of the service.
  ///
  /// Errors: INVALID_ARGUMENT if it can never run; UNAVAILABLE or
  /// RESOURCE_EXHAUSTED if it cannot be started now (try again later).
  virtual absl::Status Launch(const LaunchRequest& request) = 0;

  /// Asks every replica to end: SIGTERM now, SIGKILL after `grace`. OK if it
  /// has ended already. Idempotent; the first call's grace counts.
  virtual absl::Status Kill(const LiveAttempt& attempt,
                            std::chrono::milliseconds grace) = 0;

  /// Returns the state of each of `live`; that of an ended one stays the same
  /// until Forget. An attempt that this launcher has not seen (the service was
  /// restarted) is adopted if it is alive, and revoked if it never started.
  virtual std::vector<AttemptObservation> Observe(
      const std::vector<LiveAttempt>& live) = 0;

  /// Drops what is held in memory for an attempt whose end is stored.
  virtual void Forget(const AttemptKey& attempt) = 0;

  /// Returns the GPUs that there are. They stay the same while the service
  /// runs.
  virtual std::vector<Device> Devices() const = 0;

  /// Returns whether a device whose lease has ended is examined before it can
  /// be leased again.
  virtual bool ChecksDevices() const { return false; }

  /// Returns those of `free`, the devices without a lease, that must not be
  /// leased now: faulty ones, and ones that are not known to be free of earlier
  /// programs and of foreign ones. Once that is known, a Wait ends.
  virtual std::vector<UnusableDevice> UnusableDevices(
      const std::vector<std::string>& free) {
    static_cast<void>(free);
    return {};
  }

  /// Returns when something may have changed, at Wake, or after `timeout`.
  virtual void Wait(std::chrono::milliseconds timeout) = 0;

  /// Ends a Wait that is under way or comes next. Thread-safe.
  virtual void Wake() = 0;
};

/// The reports of a training program.
struct MetricReading {
  std::vector<Measurement> measurements;
  /// The places where programs went back to an earlier step.
  std::vector<CurveRestart> restarts;
  /// Reports that could not be parsed, in words with the text in question; each
  /// once, at most kMaxMetricProblems of an attempt.
  std::vector<std::string> problems;
  /// The attributes that the programs gave their trial: JSON values by name.
  /// After a restart they may come again.
  std::map<std::string, std::string> attributes;
  /// Some reports could not be read now, for lack of descriptors or memory; a
  /// later Read returns them.
  bool is_partial = false;
  /// There is more than one Read returns, so the caller should read again at
  /// once.
  bool has_more = false;
  /// More is being read elsewhere; a later Read returns it.
  bool is_pending = false;
  /// Names what a final reading found cut short because its disk is full ("its
  /// metric files"). Otherwise empty.
  std::string full_disk;
  /// The reports that a final reading found after a metric's last value and
  /// that could not be read.
  std::vector<LaterMiss> later_misses;
};

/// Reads what training programs report. Not thread-safe: owned by the
/// orchestrator, like Launcher.
class MetricSource {
 public:
  virtual ~MetricSource() = default;

  /// Returns the reports of `attempt`, which runs `spec`, that were not
  /// returned before; after a restart old reports may come again. `final` means
  /// that the attempt has ended, and all the rest is returned, if need be by
  /// further calls.
  virtual MetricReading Read(const LiveAttempt& attempt, const JobSpec& spec,
                             bool final) = 0;

  /// Drops what is held in memory for an attempt.
  virtual void Forget(const AttemptKey& attempt) = 0;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_LAUNCHER_H_
