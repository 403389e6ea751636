#ifndef VERNIER_HTTP_HTTP_HANDLER_H_
#define VERNIER_HTTP_HTTP_HANDLER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/http_message.h"

namespace vernier {

/// One request in progress: it takes the body, then gives the answer. Calls
/// come one after the other, from changing threads. Not thread-safe.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  /// Returns the caller, so that workers are shared among callers. Empty if it
  /// is unknown, as for a caller without rights.
  virtual std::string_view caller() const { return ""; }
  /// Returns whether the exchange is for a caller without rights, who is only
  /// refused or shown public content. Its connection counts as idle and is the
  /// first to be closed when room is needed.
  virtual bool is_refusal() const { return false; }
  /// Returns the longest body that is accepted; a longer one is answered with
  /// 413.
  virtual std::uint64_t body_limit() const = 0;
  /// Returns whether the body is passed on as it comes, however long that
  /// takes. Otherwise it is kept until it is complete, within a time limit.
  virtual bool streams() const { return false; }
  /// Returns how many bytes of the body are in memory now.
  virtual std::uint64_t kept_bytes() const { return 0; }
  /// Returns whether Receive may wait, e.g. for a disk; it is then called on a
  /// worker.
  virtual bool receive_blocks() const { return false; }
  /// Takes the next bytes of the body. If it returns an answer, the exchange
  /// ends: the rest of the body is not read, and the connection is closed.
  virtual std::optional<HttpResponse> Receive(std::string_view piece) = 0;
  /// Gives the answer after the whole body. Called at most once, on a worker,
  /// where it may wait. If an exchange is destroyed before that, the request
  /// was cut off and must have no effect.
  virtual HttpResponse Finish() = 0;
  /// Called when the client has left, so that nobody will read the answer that
  /// Finish works on, or that waits for a worker. Any thread.
  virtual void Abandon() {}
};

/// An exchange that forwards to another one, except for what is overridden. Not
/// thread-safe, as any exchange.
class WrappedExchange : public HttpExchange {
 public:
  std::string_view caller() const override { return inner_->caller(); }
  bool is_refusal() const override { return inner_->is_refusal(); }
  std::uint64_t body_limit() const override { return inner_->body_limit(); }
  bool streams() const override { return inner_->streams(); }
  std::uint64_t kept_bytes() const override { return inner_->kept_bytes(); }
  bool receive_blocks() const override { return inner_->receive_blocks(); }
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    return inner_->Receive(piece);
  }
  HttpResponse Finish() override { return inner_->Finish(); }
  void Abandon() override { inner_->Abandon(); }

 protected:
  explicit WrappedExchange(std::unique_ptr<HttpExchange> inner)
      : inner_(std::move(inner)) {}

 private:
  const std::unique_ptr<HttpExchange> inner_;
};

/// The content of a server. Thread-safe.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  /// Begins the exchange for a request whose head has come. Called on an I/O
  /// thread, so it must not wait. Not null.
  virtual std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) = 0;
  /// Returns the answer to bytes that are not a request, e.g. 400 or 431.
  virtual HttpResponse Malformed(int status, const std::string& why) = 0;
};

/// Collects the body, of at most `body_limit` bytes, and calls a function.
class BufferedExchange final : public HttpExchange {
 public:
  using Answer = std::function<HttpResponse(std::string body)>;

  BufferedExchange(std::uint64_t body_limit, Answer answer)
      : body_limit_(body_limit), answer_(std::move(answer)) {}

  std::uint64_t body_limit() const override { return body_limit_; }
  std::uint64_t kept_bytes() const override { return body_.size(); }
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    body_.append(piece);
    return std::nullopt;
  }
  HttpResponse Finish() override { return answer_(std::move(body_)); }

 private:
  const std::uint64_t body_limit_;
  const Answer answer_;
  std::string body_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_HTTP_HANDLER_H_
