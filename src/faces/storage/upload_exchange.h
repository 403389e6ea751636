#ifndef VERNIER_FACES_STORAGE_UPLOAD_EXCHANGE_H_
#define VERNIER_FACES_STORAGE_UPLOAD_EXCHANGE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "buckets/object_hash.h"
#include "http/http_handler.h"

namespace vernier {

/// Where a request's body goes. Calls come one after the other, from changing
/// threads. Destroyed without Complete, it leaves nothing.
class UploadSink {
 public:
  virtual ~UploadSink() = default;
  /// Takes the next bytes; may wait. No more come after a failure.
  virtual absl::Status Take(std::string_view bytes) = 0;
  /// The body is whole.
  virtual absl::StatusOr<HttpResponse> Complete() = 0;
};

/// An exchange whose body goes to a sink, beside what the network still brings:
/// hashing takes as long as receiving. It keeps what the sink has not come to
/// yet, some two megabytes at most, and next to nothing while its client sends
/// nothing. After a failure it reads a little more, since many clients listen
/// for an answer only when they have sent all; a long rest is cut off. Not
/// thread-safe, as any exchange.
class UploadExchange final : public HttpExchange {
 public:
  explicit UploadExchange(std::unique_ptr<UploadSink> sink)
      : sink_(std::move(sink)) {}
  ~UploadExchange() override;

  std::uint64_t body_limit() const override;
  bool streams() const override { return true; }
  std::uint64_t kept_bytes() const override;
  bool receive_blocks() const override;
  std::optional<HttpResponse> Receive(std::string_view piece) override;
  HttpResponse Finish() override;

 private:
  /// On a thread of its own; on this one if there is none and it may wait.
  void StartDraining(bool may_wait);
  /// Hands all that is kept to the sink, batch after batch.
  void Drain();
  /// What has been kept since the last batch. False if that is nothing, or the
  /// upload has failed: then nobody drains any more, and no memory is kept.
  bool NextBatch(std::string* batch);
  void Fail(absl::Status why);
  absl::Status failure() const;

  const std::unique_ptr<UploadSink> sink_;
  std::uint64_t passed_over_ = 0;
  mutable Mutex mu_;  // Held for copies.
  std::condition_variable_any taken_;
  std::string pending_ VERNIER_GUARDED_BY(mu_);
  std::size_t batch_bytes_ VERNIER_GUARDED_BY(mu_) = 0;  // In the sink's hands.
  bool is_draining_ VERNIER_GUARDED_BY(mu_) = false;
  absl::Status failure_ VERNIER_GUARDED_BY(mu_);
  std::future<void> drain_;  // Waits in its destructor: goes first.
};

/// An upload that fails from the start.
class RefusedUpload final : public UploadSink {
 public:
  explicit RefusedUpload(absl::Status why) : why_(std::move(why)) {}
  absl::Status Take(std::string_view) override { return why_; }
  absl::StatusOr<HttpResponse> Complete() override { return why_; }

 private:
  const absl::Status why_;
};

/// What the sender says of its bytes in "X-Goog-Hash: crc32c=...,md5=...".
void ReadHashHeader(const HttpRequest& request, ObjectHashes* expected);

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_UPLOAD_EXCHANGE_H_
