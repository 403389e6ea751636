#ifndef VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_
#define VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_

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
  MeteredExchange(std::unique_ptr<LoadLimiter::Share> share,
                  std::unique_ptr<HttpExchange> exchange)
      : WrappedExchange(std::move(exchange)), share_(std::move(share)) {}

  std::optional<HttpResponse> Receive(std::string_view piece) override {
    if (!streams()) {
      const absl::Status status = share_->Hold(kept_bytes() + piece.size());
      if (!status.ok()) return ErrorResponse(status);
    }
    return WrappedExchange::Receive(piece);
  }
  HttpResponse Finish() override {
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
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_METERED_EXCHANGE_H_
