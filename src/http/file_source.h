#ifndef VERNIER_HTTP_FILE_SOURCE_H_
#define VERNIER_HTTP_FILE_SOURCE_H_

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/unique_fd.h"
#include "http/http_message.h"

namespace vernier {

/// A part of a file as a body. It is read while it is sent, so that a client
/// that does not read costs no memory. Fails if a program has shortened the
/// file meanwhile, since the rest cannot come. Not thread-safe.
class FileSource final : public ByteSource {
 public:
  /// The range of `offset` and `size` must be within the file.
  FileSource(UniqueFd file, std::int64_t offset, std::int64_t size)
      : file_(std::move(file)), offset_(offset), left_(size) {}

  bool Next(std::string* piece) override;

 private:
  const UniqueFd file_;
  std::int64_t offset_;
  std::int64_t left_;
};

inline bool FileSource::Next(std::string* piece) {
  constexpr std::int64_t kPieceBytes = 256 << 10;
  if (left_ == 0) return true;
  const auto wanted =
      static_cast<std::size_t>(std::min<std::int64_t>(left_, kPieceBytes));
  const std::size_t before = piece->size();
  piece->resize(before + wanted);
  ssize_t n = 0;
  do {
    n = ::pread(file_.get(), piece->data() + before, wanted, offset_);
  } while (n < 0 && errno == EINTR);
  piece->resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  if (n <= 0) return false;
  offset_ += n;
  left_ -= n;
  return true;
}

}  // namespace vernier

#endif  // VERNIER_HTTP_FILE_SOURCE_H_
