#ifndef VERNIER_HTTP_CONTAINED_EXCHANGE_H_
#define VERNIER_HTTP_CONTAINED_EXCHANGE_H_

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/http_handler.h"

namespace vernier {

/// An exchange that may run out of memory, or throw what nobody foresaw: such a
/// request fails alone, with 503 or 500, and its connection is closed. Not
/// thread-safe, as any exchange.
class ContainedExchange final : public HttpExchange {
 public:
  /// Borrows `handler`.
  ContainedExchange(std::unique_ptr<HttpExchange> exchange,
                    HttpHandler& handler)
      : exchange_(std::move(exchange)), handler_(handler) {}

  bool is_refusal() const override { return exchange_->is_refusal(); }
  std::uint64_t body_limit() const override { return exchange_->body_limit(); }
  bool receive_blocks() const override { return exchange_->receive_blocks(); }
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    try {
      return exchange_->Receive(piece);
    } catch (const std::exception& error) {
      return Failed(error);
    }
  }
  HttpResponse Finish() override {
    try {
      return exchange_->Finish();
    } catch (const std::exception& error) {
      return Failed(error);
    }
  }

 private:
  HttpResponse Failed(const std::exception& error);

  const std::unique_ptr<HttpExchange> exchange_;
  HttpHandler& handler_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONTAINED_EXCHANGE_H_
