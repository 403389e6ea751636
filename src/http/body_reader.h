#ifndef VERNIER_HTTP_BODY_READER_H_
#define VERNIER_HTTP_BODY_READER_H_

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace vernier {

/// Reads the body of one request from its connection, piece by piece. A body
/// whose length is known goes past the library's parser, which would copy it
/// once more and 64 KiB at a time. Not thread-safe: its connection owns it.
template <typename Stream>
class BodyReader {
 public:
  using Error = boost::beast::error_code;
  using Parser =
      boost::beast::http::request_parser<boost::beast::http::buffer_body>;

  /// `parser` has read the head, and `buffer` holds what came behind it.
  /// Borrows all three until the body is done.
  BodyReader(Stream& stream, boost::beast::flat_buffer& buffer, Parser& parser)
      : stream_(stream), buffer_(buffer), parser_(parser) {
    if (!parser_.chunked() && parser_.content_length().has_value()) {
      left_ = *parser_.content_length();
    }
  }

  bool is_done() const {
    return left_.has_value() ? *left_ == 0 : parser_.is_done();
  }

  /// Calls `handler(error, piece)` with the next bytes, maybe none, once they
  /// have come; they stay until the next call. One call at a time, and none
  /// when it is done.
  template <typename Handler>
  void Next(Handler handler) {
    if (!left_.has_value()) return NextOfChunks(std::move(handler));
    if (buffer_.size() > 0) {
      const auto bytes = buffer_.cdata();
      const std::size_t size = Bounded(bytes.size());
      *left_ -= size;
      // Only moves a mark: nothing is read into it before the next head.
      buffer_.consume(size);
      return handler(
          Error(),
          std::string_view(static_cast<const char*>(bytes.data()), size));
    }
    Reserve();
    stream_.async_read_some(
        boost::asio::buffer(space_.get(), Bounded(space_size_)),
        [this, handler = std::move(handler)](Error error, std::size_t size) {
          *left_ -= size;
          handler(error, std::string_view(space_.get(), size));
        });
  }

 private:
  static constexpr std::size_t kSpace = std::size_t{64} << 10;
  static constexpr std::size_t kLongSpace = std::size_t{256} << 10;

  template <typename Handler>
  void NextOfChunks(Handler handler) {
    Reserve();
    auto& body = parser_.get().body();
    body.data = space_.get();
    body.size = space_size_;
    body.more = true;
    boost::beast::http::async_read_some(
        stream_, buffer_, parser_,
        [this, handler = std::move(handler)](Error error, std::size_t) {
          // Its way of saying that the space is full.
          if (error == boost::beast::http::error::need_buffer) error = {};
          const std::size_t size = space_size_ - parser_.get().body().size;
          handler(error, std::string_view(space_.get(), size));
        });
  }

  // Most bodies come with their heads, and need none.
  void Reserve() {
    if (space_ != nullptr) return;
    space_size_ = left_.value_or(0) > kLongSpace ? kLongSpace : kSpace;
    space_ = std::make_unique_for_overwrite<char[]>(space_size_);
  }

  std::size_t Bounded(std::size_t size) const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(size, *left_));
  }

  Stream& stream_;
  boost::beast::flat_buffer& buffer_;
  Parser& parser_;
  std::optional<std::uint64_t> left_;  // Of a body whose length is known.
  std::unique_ptr<char[]> space_;
  std::size_t space_size_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_BODY_READER_H_
