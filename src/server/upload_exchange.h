#ifndef VERNIER_SERVER_UPLOAD_EXCHANGE_H_
#define VERNIER_SERVER_UPLOAD_EXCHANGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "buckets/object_hash.h"
#include "http/http_handler.h"

namespace vernier {

/// An exchange whose body goes to the disk, a megabyte at a time: a change of
/// threads for each piece that the network brings would cost more than the
/// writing. After a failure it reads a little
/// more, since many clients listen for an answer only when they have sent all;
/// a long rest is cut off. Not thread-safe, as any exchange.
class UploadExchange : public HttpExchange {
 public:
  std::uint64_t body_limit() const override;
  bool receive_blocks() const final;
  std::optional<HttpResponse> Receive(std::string_view piece) final;
  HttpResponse Finish() final;

 protected:
  /// Takes bytes; may wait. No more come after a failure.
  virtual absl::Status Take(std::string_view piece) = 0;
  /// The body is whole.
  virtual absl::StatusOr<HttpResponse> Complete() = 0;

 private:
  void Flush();

  std::string pending_;
  absl::Status failure_;
  std::uint64_t passed_over_ = 0;
};

/// An upload that fails from the start.
class RefusedUpload final : public UploadExchange {
 public:
  explicit RefusedUpload(absl::Status why) : why_(std::move(why)) {}

 protected:
  absl::Status Take(std::string_view) override { return why_; }
  absl::StatusOr<HttpResponse> Complete() override { return why_; }

 private:
  const absl::Status why_;
};

/// What the sender says of its bytes in "X-Goog-Hash: crc32c=...,md5=...".
void ReadHashHeader(const HttpRequest& request, ObjectHashes* expected);

}  // namespace vernier

#endif  // VERNIER_SERVER_UPLOAD_EXCHANGE_H_
