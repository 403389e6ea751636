#ifndef VERNIER_HTTP_BODY_READER_H_
#define VERNIER_HTTP_BODY_READER_H_

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "http/chunked_body.h"
#include "http/head_reader.h"
#include "http/request_head.h"

namespace vernier {

/// Reads the body of one request from its connection, piece by piece. Not
/// thread-safe: its connection owns it.
template <typename Stream>
class BodyReader {
 public:
  using Error = boost::beast::error_code;

  /// `buffer` holds what came after `head`. Borrows the first two until the
  /// body is done.
  BodyReader(Stream& stream, boost::beast::flat_buffer& buffer,
             const RequestHead& head)
      : stream_(stream), buffer_(buffer) {
    if (!head.is_chunked) left_ = head.content_length.value_or(0);
  }

  bool is_done() const {
    return left_.has_value() ? *left_ == 0 : chunks_.is_done();
  }

  /// Calls `handler(error, piece)` once the next bytes, possibly none, have
  /// come; they stay valid until the next call. Make one call at a time, and
  /// none after the end. The error is bad_chunk for a malformed chunk.
  template <typename Handler>
  void Next(Handler handler) {
    if (!left_.has_value()) return NextOfChunks(std::move(handler));
    if (buffer_.size() > 0) {
      const std::string_view bytes = TextOf(buffer_);
      const std::size_t size = Bounded(bytes.size());
      *left_ -= size;
      // This only moves a mark; the bytes stay until the next head is read.
      buffer_.consume(size);
      return handler(Error(), bytes.substr(0, size));
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

  // The buffer is empty before each read and holds at most what one read
  // brings.
  template <typename Handler>
  void NextOfChunks(Handler handler) {
    if (buffer_.size() == 0) {
      return stream_.async_read_some(
          buffer_.prepare(kSpace),
          [this, handler = std::move(handler)](Error error, std::size_t size) {
            buffer_.commit(size);
            if (error) return handler(error, std::string_view());
            TakeOfChunks(handler);
          });
    }
    TakeOfChunks(handler);
  }

  // Joins the many small chunks that have come: one handler call for each would
  // nest too deeply.
  template <typename Handler>
  void TakeOfChunks(Handler& handler) {
    Reserve();
    std::string_view rest = TextOf(buffer_).substr(0, space_size_);
    const std::size_t available = rest.size();
    std::size_t size = 0;
    while (!rest.empty() && !chunks_.is_done()) {
      const auto piece = chunks_.Next(&rest);
      if (!piece.ok()) {
        return handler(make_error_code(boost::beast::http::error::bad_chunk),
                       std::string_view());
      }
      std::copy(piece->begin(), piece->end(), space_.get() + size);
      size += piece->size();
    }
    buffer_.consume(available - rest.size());
    handler(Error(), std::string_view(space_.get(), size));
  }

  // Most bodies come together with their heads and need no memory of their own.
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
  std::optional<std::uint64_t> left_;  // Of a body whose length is known.
  ChunkedBody chunks_;                 // Of one whose length is not.
  std::unique_ptr<char[]> space_;
  std::size_t space_size_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_BODY_READER_H_
