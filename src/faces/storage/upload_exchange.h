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

/// Receives the body of a request. Calls come one after the other, from
/// changing threads. If it is destroyed without Complete, it leaves nothing.
class UploadSink {
 public:
  virtual ~UploadSink() = default;
  /// Takes the next bytes; may wait. No more come after a failure.
  virtual absl::Status Take(std::string_view bytes) = 0;
  /// The body is whole.
  virtual absl::StatusOr<HttpResponse> Complete() = 0;
};

/// An exchange that hands its body to a sink in parallel with receiving,
/// because hashing takes as long. It keeps the bytes that the sink has not
/// taken yet, some two megabytes at most, and nearly nothing while its client
/// is quiet. After a failure it reads a little more, since many clients read an
/// answer only after they have sent everything; a long rest is cut off. Not
/// thread-safe, like any exchange.
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
  /// Drains on a new thread; on this one if there is none and it may wait.
  void StartDraining(bool may_wait);
  /// Hands all pending bytes to the sink, batch after batch.
  void Drain();
  /// Takes the pending bytes. Returns false if there are none, or the upload
  /// has failed: then no thread drains any more, and no memory is kept.
  bool NextBatch(std::string* batch);
  void Fail(absl::Status why);
  absl::Status failure() const;

  const std::unique_ptr<UploadSink> sink_;
  std::uint64_t passed_over_ = 0;
  mutable Mutex mu_;  // Held for copies.
  std::condition_variable_any taken_;
  std::string pending_ VERNIER_GUARDED_BY(mu_);
  std::size_t batch_bytes_ VERNIER_GUARDED_BY(mu_) = 0;  // At the sink.
  bool is_draining_ VERNIER_GUARDED_BY(mu_) = false;
  absl::Status failure_ VERNIER_GUARDED_BY(mu_);
  std::future<void> drain_;  // Its destructor waits, so it is last.
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

/// Reads the checksums in "X-Goog-Hash: crc32c=...,md5=...".
void ReadHashHeader(const HttpRequest& request, ObjectHashes* expected);

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_UPLOAD_EXCHANGE_H_
