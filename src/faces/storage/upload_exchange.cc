#include "faces/storage/upload_exchange.h"

#include <future>
#include <string>
#include <system_error>
#include <utility>

#include "base/contained_call.h"
#include "faces/storage/storage_json.h"

namespace vernier {
namespace {

// Cloud Storage's limit for an object.
constexpr std::uint64_t kMaxObjectBytes = std::uint64_t{5} << 40;
constexpr std::uint64_t kMaxPassedOver = 4 << 20;
// A batch of this size is worth a thread. Fewer bytes wait for more, or for the
// end.
constexpr std::size_t kBatchBytes = std::size_t{256} << 10;
// With more pending bytes than this, a sender that is faster than the sink
// waits.
constexpr std::size_t kMostPending = std::size_t{1} << 20;

}  // namespace

std::uint64_t UploadExchange::body_limit() const { return kMaxObjectBytes; }

UploadExchange::~UploadExchange() {
  // The upload was cut off, so bytes that the sink has not taken are dropped.
  Fail(absl::CancelledError("the upload was cut off"));
}

std::uint64_t UploadExchange::kept_bytes() const {
  MutexLock lock(mu_);
  return pending_.size() + batch_bytes_;
}

bool UploadExchange::receive_blocks() const {
  MutexLock lock(mu_);
  return pending_.size() >= kMostPending;
}

bool UploadExchange::NextBatch(std::string* batch) {
  MutexLock lock(mu_);
  batch->clear();
  batch->swap(pending_);
  const bool has_more = failure_.ok() && !batch->empty();
  batch_bytes_ = has_more ? batch->size() : 0;
  if (!has_more) {
    is_draining_ = false;
    // A quiet client must not hold memory for long.
    std::string().swap(pending_);
  }
  taken_.notify_all();
  return has_more;
}

void UploadExchange::Drain() {
  std::string batch;
  while (NextBatch(&batch)) {
    // If the thread threw, the threads that wait for it would wait forever.
    absl::Status status = RunContained([&] { return sink_->Take(batch); });
    if (!status.ok()) Fail(std::move(status));
  }
}

void UploadExchange::StartDraining(bool may_wait) {
  try {
    drain_ = std::async(std::launch::async, [this] { Drain(); });
  } catch (const std::system_error&) {
    // The system has no thread to spare now.
    if (may_wait) return Drain();
    MutexLock lock(mu_);
    is_draining_ = false;
  }
}

void UploadExchange::Fail(absl::Status why) {
  MutexLock lock(mu_);
  if (failure_.ok()) failure_ = std::move(why);
}

absl::Status UploadExchange::failure() const {
  MutexLock lock(mu_);
  return failure_;
}

std::optional<HttpResponse> UploadExchange::Receive(std::string_view piece) {
  bool may_wait = false;
  bool starts = false;
  {
    MutexLock lock(mu_);
    // receive_blocks returned this before; since then, the pending bytes can
    // only have become fewer.
    may_wait = pending_.size() >= kMostPending;
    while (failure_.ok() && is_draining_ && pending_.size() >= kMostPending) {
      taken_.wait(mu_);
    }
    if (failure_.ok()) {
      pending_.append(piece);
      starts = !is_draining_ && pending_.size() >= kBatchBytes;
      is_draining_ = is_draining_ || starts;
    }
  }
  if (starts) StartDraining(may_wait);
  const absl::Status failed = failure();
  if (failed.ok()) return std::nullopt;
  passed_over_ += piece.size();
  if (passed_over_ <= kMaxPassedOver) return std::nullopt;
  return ErrorResponse(failed);
}

HttpResponse UploadExchange::Finish() {
  if (drain_.valid()) drain_.get();
  Drain();
  const absl::Status failed = failure();
  if (!failed.ok()) return ErrorResponse(failed);
  auto response = sink_->Complete();
  return response.ok() ? *std::move(response)
                       : ErrorResponse(response.status());
}

void ReadHashHeader(const HttpRequest& request, ObjectHashes* expected) {
  for (const auto& [name, value] : request.headers) {
    if (name != "x-goog-hash") continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t end = rest.find(',');
      std::string_view item = rest.substr(0, end);
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
      while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
      constexpr std::string_view kCrc = "crc32c=";
      constexpr std::string_view kMd5 = "md5=";
      if (item.substr(0, kCrc.size()) == kCrc) {
        expected->crc32c = std::string(item.substr(kCrc.size()));
      } else if (item.substr(0, kMd5.size()) == kMd5) {
        expected->md5 = std::string(item.substr(kMd5.size()));
      }
    }
  }
}

}  // namespace vernier
