#ifndef VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_
#define VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/calls/call_meter.h"
#include "base/clock.h"
#include "edge/call_budget.h"
#include "edge/http/rest_error.h"
#include "edge/load_limiter.h"
#include "http/http_handler.h"

namespace vernier {

/// An exchange that holds a share of the service while it lives. It is refused
/// when the body that it keeps needs more memory than there is, or when there
/// is no room for an answer, and its work has a CallBudget. Streamed bodies are
/// not kept. Not thread-safe, as any exchange.
class MeteredExchange final : public WrappedExchange {
 public:
  /// Says whether the call has an effect. One without is not begun once its
  /// client has left.
  enum class Effect { kNone, kSome };

  /// Borrows `clock`.
  MeteredExchange(std::unique_ptr<LoadLimiter::Share> share, Effect effect,
                  const Clock& clock, std::unique_ptr<HttpExchange> exchange)
      : WrappedExchange(std::move(exchange)),
        share_(std::move(share)),
        effect_(effect),
        budget_(share_.get(), clock) {}

  std::string_view caller() const override { return share_->caller(); }
  void Abandon() override { budget_.Abandon(); }

  std::optional<HttpResponse> Receive(std::string_view piece) override {
    if (!streams()) {
      const absl::Status status = share_->Hold(kept_bytes() + piece.size());
      if (!status.ok()) return ErrorResponse(status);
    }
    return WrappedExchange::Receive(piece);
  }
  HttpResponse Finish() override {
    if (budget_.is_abandoned() && effect_ == Effect::kNone) {
      return ErrorResponse(absl::CancelledError("its client has left"));
    }
    // This is checked before the call has any effect, since a refused call must
    // not have had one.
    const absl::Status status = share_->CheckRoom();
    if (!status.ok()) return ErrorResponse(status);
    HttpResponse answer = Work();
    if (answer.source != nullptr && answer.source->pause().count() > 0) {
      const absl::Status stream = share_->BecomeStream();
      if (!stream.ok()) answer = ErrorResponse(stream);
    }
    // The body has been read; now only the answer takes memory, perhaps for
    // long.
    share_->Set(answer.text().size());
    return answer;
  }

 private:
  HttpResponse Work() {
    const CallMeterScope scope(&budget_);
    budget_.Begin();
    return WrappedExchange::Finish();
  }

  const std::unique_ptr<LoadLimiter::Share> share_;
  const Effect effect_;
  CallBudget budget_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_
