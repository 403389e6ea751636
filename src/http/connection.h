#ifndef VERNIER_HTTP_CONNECTION_H_
#define VERNIER_HTTP_CONNECTION_H_

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor_reserve.h"
#include "http/body_pace.h"
#include "http/body_reader.h"
#include "http/client_address.h"
#include "http/client_presence.h"
#include "http/contained_exchange.h"
#include "http/gzip.h"
#include "http/head_reader.h"
#include "http/header_text.h"
#include "http/last_answer.h"
#include "http/peer_subject.h"
#include "http/request_head.h"
#include "http/server_state.h"

namespace vernier {

using PlainStream = boost::beast::tcp_stream;
using TlsStream = boost::beast::ssl_stream<boost::beast::tcp_stream>;

/// One client's connection: it reads a head, hands the body to its exchange,
/// sends the answer, and repeats until one side closes. All its steps run on
/// the strand of its stream, one at a time.
///
/// The handlers of the step under way own it (hence shared): it ends when no
/// step follows. `Stream` is PlainStream or TlsStream.
template <typename Stream>
class Connection final
    : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  /// Borrows `state`, which outlives every connection.
  Connection(Stream stream, ServerState& state)
      : state_(state),
        stream_(std::move(stream)),
        // A head that is not whole, and what comes at once behind it.
        buffer_(state.options.max_head_bytes + kChunk) {
    buffer_.reserve(kChunk);
  }
  ~Connection() {
    if (number_ != 0) state_.Leave(number_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Begins; returns at once.
  void Start() {
    boost::beast::error_code error;
    const auto peer = Socket().socket().remote_endpoint(error);
    if (error) return;  // It has gone already.
    peer_ = peer.address().to_string() + ":" + std::to_string(peer.port());
    std::weak_ptr<Connection> weak = this->weak_from_this();
    number_ =
        state_.Enter(ClientAddress(*peer.data()),
                     IsInReserve(Socket().socket().native_handle()), [weak] {
                       if (auto self = weak.lock()) {
                         boost::asio::post(self->stream_.get_executor(),
                                           [self] { self->Close(); });
                       }
                     });
    if (number_ == 0) return TurnAway();
    boost::asio::post(stream_.get_executor(),
                      [self = this->shared_from_this()] { self->Greet(); });
  }

 private:
  // The library's conventional names, shortened.
  using Error = boost::beast::error_code;
  using SpanBody = boost::beast::http::span_body<const char>;
  using BufferBody = boost::beast::http::buffer_body;
  template <typename Body>
  using Message = boost::beast::http::response<Body>;

  static constexpr std::size_t kChunk = HeadReader<Stream>::kChunk;
  static constexpr std::size_t kGzipFrom = 1024;
  static constexpr std::size_t kLongestHeader = std::size_t{16} << 10;
  // A streamed body has progressed, in the sense of ConnectionTable, if this
  // many bytes have come; a few bytes do not count.
  static constexpr std::uint64_t kGetsOn = std::uint64_t{64} << 10;
  static constexpr std::chrono::milliseconds kLookAfterClient{200};

  PlainStream& Socket() { return boost::beast::get_lowest_layer(stream_); }

  template <typename Duration>
  void Within(Duration limit) {
    Socket().expires_after(limit);
  }

  // Sends 503 if that works at once. This connection is not counted, so it must
  // not last.
  void TurnAway() {
    if constexpr (std::is_same_v<Stream, PlainStream>) {
      const std::string text =
          LastAnswer(state_.handler.Malformed(503, "too many connections"));
      Error ignored;
      Socket().socket().non_blocking(true, ignored);
      Socket().socket().send(boost::asio::buffer(text), 0, ignored);
      Socket().socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send,
                                 ignored);
    }
  }

  void Greet() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      Within(state_.options.head_timeout);
      stream_.async_handshake(boost::asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](Error error) {
                                if (error) return;
                                self->ReadHead();
                              });
    } else {
      ReadHead();
    }
  }

  // The first byte is awaited by itself: an idle connection may be idle for
  // long, but a head that has begun has little time.
  void AwaitNext() {
    if (buffer_.size() > 0) return ReadHead();
    Within(state_.options.idle_timeout);
    stream_.async_read_some(
        buffer_.prepare(kChunk),
        [self = this->shared_from_this()](Error error, std::size_t size) {
          if (error) return self->HangUp();
          self->buffer_.commit(size);
          self->ReadHead();
        });
  }

  void ReadHead() {
    body_.reset();
    head_ = RequestHead{};
    is_head_ = false;
    exchange_.reset();
    received_ = 0;
    Within(state_.options.head_timeout);
    head_reader_.emplace(stream_, buffer_, state_.options.max_head_bytes);
    head_reader_->Read(
        [self = this->shared_from_this()](Error error, std::string_view text) {
          self->OnHead(error, text);
        });
  }

  // Answers bytes that are not a request and closes, since it is unknown where
  // the next request would begin.
  void Refuse(int status, const std::string& why) {
    must_close_ = true;
    Send(state_.handler.Malformed(status, why));
  }

  void OnHead(Error error, std::string_view text) {
    namespace http = boost::beast::http;
    if (error == http::error::end_of_stream) return HangUp();
    if (error == http::error::header_limit) {
      return Refuse(431, "the head of the request is too long");
    }
    if (error == http::error::bad_method) {
      return Refuse(400, "this is no request of HTTP/1.1");
    }
    if (error) return;  // Gone, or too slow.
    auto head = ParseRequestHead(text);
    if (!head.ok()) {
      return Refuse(400, std::string(head.status().message()));
    }
    buffer_.consume(text.size());
    head_ = *std::move(head);
    must_close_ = !head_.keeps_connection;
    is_head_ = head_.request.method == "HEAD";
    head_.request.peer = peer_;
    head_.request.peer_subject = PeerSubject();
    exchange_ = std::make_unique<ContainedExchange>(
        state_.handler.Begin(head_.request), state_.handler);
    if (head_.content_length.value_or(0) > exchange_->body_limit()) {
      return RefuseLongBody();
    }
    if (!head_.has_body()) return Finish();
    if (!GetOn()) return;
    pace_.emplace(PaceLimits());
    body_.emplace(stream_, buffer_, head_);
    if (head_.expects_continue) return SendContinue();
    ReadBody();
  }

  std::string PeerSubject() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      return SubjectOfPeer(stream_.native_handle());
    }
    return "";
  }

  // Tells the table that the body has progressed. Returns false if this
  // connection had to give way meanwhile; its descriptor may then belong to
  // another connection. A refused caller is closed before anybody whose body is
  // wanted.
  bool GetOn() {
    got_on_at_ = received_;
    return exchange_->is_refusal() || state_.BeginBody(number_);
  }

  BodyPace::Limits PaceLimits() const {
    const HttpServerOptions& options = state_.options;
    BodyPace::Limits limits{options.body_grace,
                            options.least_body_bytes_per_second, std::nullopt};
    if (!exchange_->streams()) limits.longest = options.body_timeout;
    return limits;
  }

  void RefuseLongBody() { Refuse(413, "the body of the request is too long"); }

  void SendContinue() {
    static constexpr char kContinue[] = "HTTP/1.1 100 Continue\r\n\r\n";
    Within(state_.options.stall_timeout);
    boost::asio::async_write(
        stream_, boost::asio::buffer(kContinue, sizeof(kContinue) - 1),
        [self = this->shared_from_this()](Error error, std::size_t) {
          if (!error) self->ReadBody();
        });
  }

  void ReadBody() {
    Within(state_.options.stall_timeout);
    waits_since_ = state_.clock.Steady();
    body_->Next(
        [self = this->shared_from_this()](Error error, std::string_view piece) {
          if (error == boost::beast::http::error::bad_chunk) {
            return self->Refuse(400, "the body of the request has a bad chunk");
          }
          if (!error) self->OnBody(piece);  // Else it was cut off.
        });
  }

  void OnBody(std::string_view piece) {
    received_ += piece.size();
    if (received_ > exchange_->body_limit()) return RefuseLongBody();
    const absl::Status pace =
        pace_->Add(state_.clock.Steady() - waits_since_, piece.size());
    if (!pace.ok()) return Refuse(408, std::string(pace.message()));
    // Only a streamed body counts as progress; one that is kept is useless
    // before it is complete.
    const bool gets_on =
        exchange_->streams() && received_ - got_on_at_ >= kGetsOn;
    if (gets_on && !GetOn()) return;
    if (piece.empty()) return AfterPiece(std::nullopt);
    if (!exchange_->receive_blocks()) {
      return AfterPiece(exchange_->Receive(piece));
    }
    state_.RunOnWorker(
        exchange_->caller(), [self = this->shared_from_this(), piece] {
          auto answer = std::make_shared<std::optional<HttpResponse>>(
              self->exchange_->Receive(piece));
          boost::asio::post(self->stream_.get_executor(), [self, answer] {
            self->AfterPiece(std::move(*answer));
          });
        });
  }

  void AfterPiece(std::optional<HttpResponse> answer) {
    if (answer.has_value()) {
      must_close_ = must_close_ || !body_->is_done();
      return Send(*std::move(answer));
    }
    if (body_->is_done()) return Finish();
    ReadBody();
  }

  void Finish() {
    if (!exchange_->is_refusal() && !state_.BeginRequest(number_)) return;
    // A worker is not limited in time here; its work has its own limits.
    Socket().expires_never();
    WatchClient();
    state_.RunOnWorker(exchange_->caller(), [self = this->shared_from_this()] {
      // The answer is passed by pointer, since a posted function must be
      // copyable.
      auto answer = std::make_shared<HttpResponse>(self->exchange_->Finish());
      self->Pack(answer.get());
      boost::asio::post(self->stream_.get_executor(), [self, answer] {
        self->client_timer_.reset();
        self->Send(std::move(*answer));
      });
    });
  }

  // Checks again and again whether the client still waits for the answer. No
  // event reports this: the end may lie behind bytes that nobody reads yet.
  void WatchClient() {
    client_timer_.emplace(stream_.get_executor(), kLookAfterClient);
    client_timer_->async_wait([self = this->shared_from_this()](Error error) {
      // The answer may have come while this waited for the strand.
      if (error || !self->client_timer_.has_value()) return;
      if (HasLeft(self->Socket().socket().native_handle())) {
        self->client_timer_.reset();
        self->exchange_->Abandon();
        return;
      }
      self->WatchClient();
    });
  }

  // Compresses on a worker, since that takes time.
  void Pack(HttpResponse* answer) {
    if (answer->source != nullptr || answer->text().size() < kGzipFrom ||
        HasHeader(*answer, "Content-Encoding") ||
        !AcceptsGzip(head_.request.Header("accept-encoding"))) {
      return;
    }
    answer->body = Gzip(answer->text());
    answer->shared_body.reset();
    answer->headers.emplace_back("Content-Encoding", "gzip");
    answer->headers.emplace_back("Vary", "Accept-Encoding");
  }

  template <typename Body>
  void SetHead(Message<Body>* message) {
    message->version(11);
    message->result(static_cast<unsigned>(answer_.status));
    for (const auto& [name, value] : answer_.headers) {
      // The last check: a header with forbidden characters is not sent.
      if (CanBeSent(name, value)) message->insert(name, value);
    }
    message->keep_alive(!must_close_);
  }

  static bool CanBeSent(std::string_view name, std::string_view value) {
    return IsHeaderName(name) && IsHeaderValue(value) &&
           value.size() <= kLongestHeader;
  }

  void Send(HttpResponse answer) {
    answer_ = std::move(answer);
    must_close_ = must_close_ || answer_.close;
    Within(state_.options.stall_timeout);
    if (answer_.source != nullptr) return SendSource();
    auto message = std::make_shared<Message<SpanBody>>();
    SetHead(message.get());
    const std::string_view text = answer_.text();
    const bool has_body = answer_.status != 204 && answer_.status != 304;
    if (has_body) message->content_length(text.size());
    // The serializer sends no body after the head that HEAD asks for.
    if (has_body && !is_head_) {
      message->body() =
          boost::beast::span<const char>(text.data(), text.size());
    }
    boost::beast::http::async_write(
        stream_, *message,
        [self = this->shared_from_this(), message](Error error, std::size_t) {
          self->OnSent(error);
        });
  }

  void OnSent(Error error) {
    answer_ = HttpResponse{};
    exchange_.reset();
    state_.EndRequest(number_);
    if (error) return;
    if (must_close_) return HangUp();
    AwaitNext();
  }

  void SendSource() {
    auto& message = streamed_.emplace();
    SetHead(&message);
    if (answer_.source_length.has_value()) {
      message.content_length(*answer_.source_length);
    } else {
      message.chunked(true);
    }
    message.body().data = nullptr;
    message.body().more = true;
    serializer_.emplace(message);
    boost::beast::http::async_write_header(
        stream_, *serializer_,
        [self = this->shared_from_this()](Error error, std::size_t) {
          if (error) return;
          if (self->is_head_) return self->OnSent(error);
          self->FetchPiece();
        });
  }

  void FetchPiece() {
    Socket().expires_never();
    state_.RunOnWorker(exchange_->caller(), [self = this->shared_from_this()] {
      self->piece_.clear();
      const bool is_good = self->FetchFromSource();
      const std::chrono::milliseconds pause = self->answer_.source->pause();
      boost::asio::post(self->stream_.get_executor(), [self, is_good, pause] {
        if (!is_good) return;
        self->pause_ = pause;
        if (self->piece_.empty() && pause.count() > 0) return self->Pause();
        self->SendPiece();
      });
    });
  }

  void Pause() {
    Socket().expires_never();
    pause_timer_.emplace(stream_.get_executor(), pause_);
    pause_timer_->async_wait([self = this->shared_from_this()](Error error) {
      // A server that stops has closed the socket meanwhile. A client that has
      // left would otherwise be noticed only by the next bytes.
      if (error || !self->Socket().socket().is_open()) return;
      if (!HasLeft(self->Socket().socket().native_handle())) self->FetchPiece();
    });
  }

  bool FetchFromSource() {
    try {
      return answer_.source->Next(&piece_);
    } catch (const std::exception&) {
      return false;  // What was sent so far cannot be taken back.
    }
  }

  void SendPiece() {
    auto& body = streamed_->body();
    body.data = piece_.empty() ? nullptr : piece_.data();
    body.size = piece_.size();
    body.more = !piece_.empty();
    Within(state_.options.stall_timeout);
    boost::beast::http::async_write(
        stream_, *serializer_,
        [self = this->shared_from_this()](Error error, std::size_t) {
          if (error && error != boost::beast::http::error::need_buffer) return;
          if (self->streamed_->body().more) {
            return self->pause_.count() > 0 ? self->Pause()
                                            : self->FetchPiece();
          }
          self->serializer_.reset();
          self->OnSent({});
        });
  }

  void Close() {
    Socket().close();
    if (client_timer_.has_value()) {
      client_timer_->cancel();
      exchange_->Abandon();
    }
    if (pause_timer_.has_value()) pause_timer_->cancel();
  }

  void HangUp() {
    Error ignored;
    Socket().socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send,
                               ignored);
    Within(std::chrono::seconds(1));
    Linger();
  }

  // Reads what the client still sends, for a while. Closing with unread bytes
  // would reset the connection, and the client could lose the answer.
  void Linger() {
    buffer_.clear();
    Socket().async_read_some(
        buffer_.prepare(kChunk),
        [self = this->shared_from_this()](Error error, std::size_t size) {
          self->lingered_ += size;
          if (!error && self->lingered_ < (kChunk << 6)) self->Linger();
        });
  }

  ServerState& state_;
  Stream stream_;
  std::string peer_;
  std::uint64_t number_ = 0;
  boost::beast::flat_buffer buffer_;
  std::size_t lingered_ = 0;
  bool must_close_ = false;
  bool is_head_ = false;
  // The state of the current request.
  std::optional<HeadReader<Stream>> head_reader_;
  RequestHead head_;
  std::optional<BodyReader<Stream>> body_;
  std::unique_ptr<HttpExchange> exchange_;
  std::optional<BodyPace> pace_;
  SteadyTime waits_since_;
  std::uint64_t received_ = 0;
  std::uint64_t got_on_at_ = 0;  // Of received_.
  HttpResponse answer_;
  std::string piece_;
  std::chrono::milliseconds pause_{0};  // Before the next piece.
  std::optional<boost::asio::steady_timer> pause_timer_;
  std::optional<boost::asio::steady_timer>
      client_timer_;  // While work is done.
  std::optional<Message<BufferBody>> streamed_;
  std::optional<boost::beast::http::response_serializer<BufferBody>>
      serializer_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONNECTION_H_
