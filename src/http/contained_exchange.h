#ifndef VERNIER_HTTP_CONTAINED_EXCHANGE_H_
#define VERNIER_HTTP_CONTAINED_EXCHANGE_H_

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/http_handler.h"

namespace vernier {

/// Wraps an exchange so that a request that runs out of memory or throws fails
/// alone, with 503 or 500; its connection is closed. Not thread-safe, as any
/// exchange.
class ContainedExchange final : public WrappedExchange {
 public:
  /// Borrows `handler`.
  ContainedExchange(std::unique_ptr<HttpExchange> exchange,
                    HttpHandler& handler)
      : WrappedExchange(std::move(exchange)), handler_(handler) {}

  std::optional<HttpResponse> Receive(std::string_view piece) override {
    try {
      return WrappedExchange::Receive(piece);
    } catch (const std::exception& error) {
      return Failed(error);
    }
  }
  HttpResponse Finish() override {
    try {
      return WrappedExchange::Finish();
    } catch (const std::exception& error) {
      return Failed(error);
    }
  }

 private:
  HttpResponse Failed(const std::exception& error);

  HttpHandler& handler_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONTAINED_EXCHANGE_H_
