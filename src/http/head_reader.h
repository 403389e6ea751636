#ifndef VERNIER_HTTP_HEAD_READER_H_
#define VERNIER_HTTP_HEAD_READER_H_

#include <boost/asio/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <cstddef>
#include <string_view>
#include <utility>

#include "http/header_text.h"
#include "http/request_head.h"

namespace vernier {

/// The content of a buffer, valid until the buffer changes.
inline std::string_view TextOf(const boost::beast::flat_buffer& buffer) {
  const auto bytes = buffer.cdata();
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads the head of one request from its connection into a buffer, which then
/// begins with that head. Not thread-safe: its connection owns it.
template <typename Stream>
class HeadReader {
 public:
  using Error = boost::beast::error_code;

  /// The most bytes of one read; the buffer has room for that and a head.
  static constexpr std::size_t kChunk = std::size_t{64} << 10;

  /// Borrows the first two until the head is read.
  HeadReader(Stream& stream, boost::beast::flat_buffer& buffer,
             std::size_t longest)
      : stream_(stream), buffer_(buffer), longest_(longest) {}

  /// Calls `handler(error, head)` once the head has come, perhaps at once.
  /// Errors of our own: end_of_stream if the client sends no more, header_limit
  /// if the head is too long, bad_method if it does not begin like a head.
  template <typename Handler>
  void Read(Handler handler) {
    // Some clients send an extra line end after a body.
    while (TextOf(buffer_).substr(0, 2) == "\r\n") buffer_.consume(2);
    const std::string_view text = TextOf(buffer_);
    if (!text.empty() && text != "\r" && !IsTokenCharacter(text.front())) {
      return Fail(boost::beast::http::error::bad_method, handler);
    }
    const auto end = FindHeadEnd(text, seen_);
    if (end.value_or(text.size()) > longest_) {
      return Fail(boost::beast::http::error::header_limit, handler);
    }
    if (end.has_value()) return handler(Error(), text.substr(0, *end));
    seen_ = text.size();
    stream_.async_read_some(
        buffer_.prepare(kChunk), [this, handler = std::move(handler)](
                                     Error error, std::size_t size) mutable {
          if (error == boost::asio::error::eof) {
            return Fail(boost::beast::http::error::end_of_stream, handler);
          }
          if (error) return handler(error, std::string_view());
          buffer_.commit(size);
          Read(std::move(handler));
        });
  }

 private:
  template <typename Handler>
  static void Fail(boost::beast::http::error error, Handler& handler) {
    handler(make_error_code(error), std::string_view());
  }

  Stream& stream_;
  boost::beast::flat_buffer& buffer_;
  const std::size_t longest_;
  std::size_t seen_ = 0;  // Bytes that hold no end.
};

}  // namespace vernier

#endif  // VERNIER_HTTP_HEAD_READER_H_
