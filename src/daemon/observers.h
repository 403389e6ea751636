#ifndef VERNIER_DAEMON_OBSERVERS_H_
#define VERNIER_DAEMON_OBSERVERS_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "daemon/observer_settings.h"
#include "daemon/server_log.h"
#include "daemon/worker_thread.h"
#include "edge/call_record.h"
#include "http/client/http_post.h"
#include "notifications/notifier.h"
#include "store/events/event_follower.h"
#include "store/store.h"
#include "telemetry/span_exporter.h"
#include "telemetry/span_queue.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Follows the events of the store and the calls, and reports them: traces to a
/// collector, ends of jobs to webhooks and a command. Nothing that makes an
/// event or a call waits for that. Thread-safe once it has started.
class Observers {
 public:
  /// Must be called before the first step of the orchestrator, so that nothing
  /// is missed. `folder` is for notices. Borrows `store`, `clock` and `log`.
  ///
  /// Errors: INVALID_ARGUMENT for a program that cannot be run;
  /// FAILED_PRECONDITION without libcurl where it is needed; those of files.
  static absl::StatusOr<std::unique_ptr<Observers>> Open(
      const ObserverSettings& settings, const std::string& folder,
      const Store& store, const Clock& clock, ServerLog& log);
  ~Observers() { Stop(); }

  void Start();
  /// Sends the waiting spans, for some seconds at most. Notices that were not
  /// delivered are delivered by the next service. Idempotent.
  void Stop();

  void CallEnded(const CallRecord& call);
  /// Returns TRACEPARENT for an attempt's programs; empty without traces.
  std::string TraceParentFor(const LaunchRequest& request) const;

  /// Returns the counts of spans; null if there are no traces.
  std::optional<SpanQueue::Counts> spans() const;
  struct NoticeCounts {
    std::string kind;  ///< "webhook" or "command".
    std::size_t pending = 0;
    Deliverer::Counts counts;
  };
  std::vector<NoticeCounts> notices() const;

 private:
  Observers(const Store& store, ServerLog& log) : store_(store), log_(log) {}

  absl::Status OpenTraces(const OtlpSettings& settings, const Clock& clock);
  absl::Status OpenNotices(const ObserverSettings& settings,
                           const std::string& folder, const Clock& clock);
  std::chrono::milliseconds Follow();
  absl::Status Visit(const Event& event, const StudySnapshot* study);
  void AddSpan(TraceSpan span);

  const Store& store_;
  ServerLog& log_;
  EventSequence traced_from_{};
  bool is_started_ = false;
  std::unique_ptr<HttpPoster> poster_;
  std::unique_ptr<SpanQueue> spans_;
  std::unique_ptr<SpanExporter> exporter_;
  std::unique_ptr<WorkerThread> export_thread_;
  std::unique_ptr<Notifier> notifier_;
  std::vector<std::unique_ptr<WorkerThread>> delivery_threads_;
  std::unique_ptr<EventFollower> follower_;
  std::unique_ptr<WorkerThread> follow_thread_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_OBSERVERS_H_
