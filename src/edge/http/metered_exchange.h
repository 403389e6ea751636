#ifndef VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_
#define VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "edge/http/load_limiter.h"
#include "edge/http/rest_error.h"
#include "http/http_handler.h"

namespace vernier {

/// An exchange that holds a share of the service while it lives. It is refused
/// when the body that it keeps needs more memory than there is, or when there
/// is no room for an answer. Streamed bodies are not kept. Not thread-safe, as
/// any exchange.
class MeteredExchange final : public WrappedExchange {
 public:
  /// What a call changes nothing by is not begun once its client has left.
  enum class Effect { kNone, kSome };

  MeteredExchange(std::unique_ptr<LoadLimiter::Share> share, Effect effect,
                  std::unique_ptr<HttpExchange> exchange)
      : WrappedExchange(std::move(exchange)),
        share_(std::move(share)),
        effect_(effect) {}

  std::string_view caller() const override { return share_->caller(); }
  void Abandon() override { has_left_ = true; }

  std::optional<HttpResponse> Receive(std::string_view piece) override {
    if (!streams()) {
      const absl::Status status = share_->Hold(kept_bytes() + piece.size());
      if (!status.ok()) return ErrorResponse(status);
    }
    return WrappedExchange::Receive(piece);
  }
  HttpResponse Finish() override {
    if (has_left_ && effect_ == Effect::kNone) {
      return ErrorResponse(absl::CancelledError("its client has left"));
    }
    // Checked before the call has any effect, since a refused call must not
    // have had one.
    const absl::Status status = share_->CheckRoom();
    if (!status.ok()) return ErrorResponse(status);
    HttpResponse answer = WrappedExchange::Finish();
    // The body has been read; now only the answer takes memory, perhaps for
    // long.
    share_->Set(answer.text().size());
    return answer;
  }

 private:
  const std::unique_ptr<LoadLimiter::Share> share_;
  const Effect effect_;
  std::atomic<bool> has_left_ = false;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_
