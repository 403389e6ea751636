#include "daemon/observers.h"

#include <unistd.h>

#include <utility>

#include "base/status_macros.h"
#include "daemon/call_span.h"
#include "http/client/curl_poster.h"
#include "notifications/job_end_command.h"
#include "notifications/webhook.h"
#include "telemetry/study_spans.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFollowPeriod{200};
constexpr milliseconds kRetryPeriod{2000};
constexpr milliseconds kFlushLimit{2000};

NoticeLog LogTo(ServerLog& log) {
  return [&log](bool is_trouble, const std::string& message,
                const std::vector<std::pair<std::string, std::string>>& texts) {
    std::vector<LogField> fields;
    fields.reserve(texts.size());
    for (const auto& [key, value] : texts) fields.push_back({key, value});
    log.Write(is_trouble ? LogLevel::kWarning : LogLevel::kInfo, message,
              fields);
  };
}

absl::StatusOr<std::vector<std::unique_ptr<Receiver>>> MakeReceivers(
    const ObserverSettings& settings, const Clock& clock) {
  std::vector<std::unique_ptr<Receiver>> receivers;
  for (const std::string& url : settings.webhooks) {
    VERNIER_ASSIGN_OR_RETURN(auto poster, CurlPoster::Create());
    receivers.push_back(std::make_unique<Webhook>(
        WebhookSettings{url, settings.webhook_secret_file}, std::move(poster),
        clock));
  }
  if (!settings.on_job_end.empty()) {
    Environment environment = AllowedEnvironment(environ);
    for (const auto& [name, value] : settings.program_environment) {
      environment[name] = value;
    }
    VERNIER_ASSIGN_OR_RETURN(
        auto command,
        JobEndCommand::Create(settings.on_job_end, std::move(environment)));
    receivers.push_back(std::move(command));
  }
  return receivers;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Observers>> Observers::Open(
    const ObserverSettings& settings, const std::string& folder,
    const Store& store, const Clock& clock, ServerLog& log) {
  std::unique_ptr<Observers> observers(new Observers(store, log));
  const EventSequence newest = store.LastEvent();
  EventSequence begin = newest;
  observers->traced_from_ = newest;
  if (settings.traces.has_value()) {
    VERNIER_RETURN_IF_ERROR(observers->OpenTraces(*settings.traces, clock));
  }
  if (settings.webhooks.empty() && settings.on_job_end.empty()) {
    Notifier::Forget(folder);
  } else {
    VERNIER_RETURN_IF_ERROR(observers->OpenNotices(settings, folder, clock));
    begin = observers->notifier_->begin();
  }
  if (observers->spans_ != nullptr || observers->notifier_ != nullptr) {
    observers->follower_ = std::make_unique<EventFollower>(store, begin);
    observers->follow_thread_ = std::make_unique<WorkerThread>(
        [raw = observers.get()] { return raw->Follow(); });
  }
  return observers;
}

absl::Status Observers::OpenTraces(const OtlpSettings& settings,
                                   const Clock& clock) {
  VERNIER_ASSIGN_OR_RETURN(poster_, CurlPoster::Create());
  spans_ = std::make_unique<SpanQueue>();
  exporter_ = std::make_unique<SpanExporter>(
      settings, *spans_, *poster_, clock, [this](const std::string& line) {
        log_.Write(LogLevel::kWarning, line);
      });
  export_thread_ =
      std::make_unique<WorkerThread>([this] { return exporter_->Step(); });
  log_.Write(LogLevel::kInfo, "traces are sent",
             {{"to", OriginOf(settings.url)}});
  return absl::OkStatus();
}

absl::Status Observers::OpenNotices(const ObserverSettings& settings,
                                    const std::string& folder,
                                    const Clock& clock) {
  VERNIER_ASSIGN_OR_RETURN(auto receivers, MakeReceivers(settings, clock));
  VERNIER_ASSIGN_OR_RETURN(
      notifier_, Notifier::Open(folder, store_.LastEvent(),
                                std::move(receivers), clock, LogTo(log_)));
  for (const auto& deliverer : notifier_->deliverers()) {
    delivery_threads_.push_back(std::make_unique<WorkerThread>(
        [raw = deliverer.get()] { return raw->Step(); }));
    log_.Write(LogLevel::kInfo, "ends of jobs are told",
               {{"to", deliverer->receiver().name()}});
  }
  return absl::OkStatus();
}

void Observers::Start() {
  is_started_ = true;
  if (follow_thread_ != nullptr) follow_thread_->Start();
  if (export_thread_ != nullptr) export_thread_->Start();
  for (const auto& thread : delivery_threads_) thread->Start();
}

void Observers::Stop() {
  if (!std::exchange(is_started_, false)) return;
  if (follow_thread_ != nullptr) {
    follow_thread_->Stop();
    Follow();  // What happened last; the store still answers.
  }
  if (notifier_ != nullptr) {
    for (const auto& deliverer : notifier_->deliverers()) deliverer->Stop();
  }
  for (const auto& thread : delivery_threads_) thread->Stop();
  if (export_thread_ == nullptr) return;
  poster_->Stop();
  export_thread_->Stop();
  // The old poster cannot be used after its Stop.
  const auto last = CurlPoster::Create();
  if (last.ok()) exporter_->Flush(**last, kFlushLimit);
}

milliseconds Observers::Follow() {
  const auto is_more =
      follower_->Step([this](const Event& event, const StudySnapshot* study) {
        return Visit(event, study);
      });
  if (!is_more.ok()) {
    log_.Write(LogLevel::kWarning, "events are followed later",
               {{"why", std::string(is_more.status().message())}});
    return kRetryPeriod;
  }
  return *is_more ? milliseconds(0) : kFollowPeriod;
}

absl::Status Observers::Visit(const Event& event, const StudySnapshot* study) {
  // This comes first, since it may fail and is then repeated.
  if (notifier_ != nullptr) {
    VERNIER_ASSIGN_OR_RETURN(const bool is_queued,
                             notifier_->Visit(event, study));
    if (is_queued) {
      for (const auto& thread : delivery_threads_) thread->Wake();
    }
  }
  if (spans_ == nullptr || study == nullptr || event.sequence <= traced_from_) {
    return absl::OkStatus();
  }
  for (TraceSpan& span : SpansOf(event, *study)) AddSpan(std::move(span));
  return absl::OkStatus();
}

void Observers::CallEnded(const CallRecord& call) {
  if (spans_ == nullptr) return;
  std::optional<TraceSpan> span = SpanOf(call, *store_.Snapshot());
  if (span.has_value()) AddSpan(*std::move(span));
}

// Queues a span; a full batch is sent at once.
void Observers::AddSpan(TraceSpan span) {
  if (spans_->Add(std::move(span)) == SpanExporter::kBatch) {
    export_thread_->Wake();
  }
}

std::string Observers::TraceParentFor(const LaunchRequest& request) const {
  if (spans_ == nullptr) return "";
  const auto snapshot = store_.Snapshot();
  const auto study = snapshot->find(request.attempt.study);
  if (study == snapshot->end()) return "";
  return TraceParentText(TraceOf(*study->second, request.attempt));
}

std::optional<SpanQueue::Counts> Observers::spans() const {
  if (spans_ == nullptr) return std::nullopt;
  return spans_->counts();
}

std::vector<Observers::NoticeCounts> Observers::notices() const {
  std::vector<NoticeCounts> all;
  if (notifier_ == nullptr) return all;
  for (const auto& deliverer : notifier_->deliverers()) {
    all.push_back({deliverer->receiver().kind(), deliverer->queue().size(),
                   deliverer->counts()});
  }
  return all;
}

}  // namespace vernier
