#include "telemetry/span_exporter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "telemetry/otlp_message.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{1000};

// By the protocol, these statuses may be retried; all others refuse for good.
bool MayBeSentAgain(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

}  // namespace

SpanExporter::SpanExporter(OtlpSettings settings, SpanQueue& queue,
                           HttpPoster& poster, const Clock& clock,
                           std::function<void(const std::string&)> log)
    : settings_(std::move(settings)),
      queue_(queue),
      poster_(poster),
      clock_(clock),
      log_(std::move(log)) {}

milliseconds SpanExporter::Step() {
  if (!batch_.empty()) {
    const auto left =
        std::chrono::ceil<milliseconds>(again_at_ - clock_.Steady());
    if (left > milliseconds(0)) return left;
  } else {
    batch_ = queue_.Take(kBatch);
  }
  if (batch_.empty()) return kPeriod;
  const std::size_t size = batch_.size();
  switch (Send(poster_, settings_.time_limit)) {
    case Result::kTaken:
      queue_.CountExported(size);
      break;
    case Result::kRefused:
      queue_.CountDropped(size);
      break;
    case Result::kLater:
      again_at_ = clock_.Steady() + wait_;
      return wait_;
  }
  batch_.clear();
  wait_ = milliseconds(0);
  return queue_.size() >= kBatch ? milliseconds(0) : kPeriod;
}

void SpanExporter::Flush(HttpPoster& poster, milliseconds limit) {
  const SteadyTime end = clock_.Steady() + limit;
  if (batch_.empty()) batch_ = queue_.Take(kBatch);
  while (!batch_.empty()) {
    const auto left = std::chrono::ceil<milliseconds>(end - clock_.Steady());
    // A collector that takes nothing must not delay the end of the service.
    if (left <= milliseconds(0) || is_in_trouble_ ||
        Send(poster, std::min(left, settings_.time_limit)) != Result::kTaken) {
      queue_.CountDropped(batch_.size());
    } else {
      queue_.CountExported(batch_.size());
    }
    batch_ = queue_.Take(kBatch);
  }
}

// Sends `batch_`.
SpanExporter::Result SpanExporter::Send(HttpPoster& poster,
                                        milliseconds limit) {
  const bool is_json = settings_.encoding == OtlpSettings::Encoding::kJson;
  HttpPost post;
  post.url = settings_.url;
  post.headers = settings_.headers;
  post.headers.emplace_back(is_json ? "Content-Type: application/json"
                                    : "Content-Type: application/x-protobuf");
  post.body = is_json ? OtlpJson(settings_.resource, batch_)
                      : OtlpProtobuf(settings_.resource, batch_);
  post.time_limit = limit;
  post.ca_file = settings_.ca_file;
  const auto answer = poster.Post(post);
  if (absl::IsCancelled(answer.status())) return Result::kLater;
  const bool is_ok =
      answer.ok() && answer->status >= 200 && answer->status < 300;
  if (is_ok) {
    if (std::exchange(is_in_trouble_, false)) {
      log_("traces: the collector takes spans again");
    }
    return Result::kTaken;
  }
  TellTrouble(answer.ok() ? absl::StrCat(OriginOf(settings_.url), " answered ",
                                         answer->status, ": ",
                                         ShowText(answer->beginning))
                          : std::string(answer.status().message()));
  if (answer.ok() && !MayBeSentAgain(answer->status)) return Result::kRefused;
  wait_ = std::clamp<milliseconds>(wait_ * 2, kFirstWait, kLongestWait);
  if (answer.ok()) {
    wait_ = std::clamp<milliseconds>(answer->retry_after, wait_, kLongestWait);
  }
  return Result::kLater;
}

// Once, and not for each batch.
void SpanExporter::TellTrouble(const std::string& why) {
  if (std::exchange(is_in_trouble_, true)) return;
  log_(absl::StrCat("traces: the collector takes no spans: ", why));
}

}  // namespace vernier
