#include "faces/storage/upload_exchange.h"

#include <future>
#include <string>
#include <system_error>
#include <utility>

#include "faces/storage/storage_json.h"

namespace vernier {
namespace {

// Cloud Storage's own largest object.
constexpr std::uint64_t kMaxObjectBytes = std::uint64_t{5} << 40;
constexpr std::uint64_t kMaxPassedOver = 4 << 20;
constexpr std::size_t kBatchBytes = 1 << 20;

}  // namespace

std::uint64_t UploadExchange::body_limit() const { return kMaxObjectBytes; }

bool UploadExchange::receive_blocks() const {
  return pending_.size() >= kBatchBytes;
}

void UploadExchange::WaitForBatch() {
  if (!taking_.valid()) return;
  const absl::Status status = taking_.get();
  if (failure_.ok()) failure_ = status;
}

void UploadExchange::StartBatch() {
  WaitForBatch();
  batch_.swap(pending_);
  pending_.clear();
  if (!failure_.ok()) return;
  try {
    taking_ =
        std::async(std::launch::async, [this] { return sink_->Take(batch_); });
  } catch (const std::system_error&) {
    failure_ = sink_->Take(batch_);  // There is no thread to be had now.
  }
}

std::optional<HttpResponse> UploadExchange::Receive(std::string_view piece) {
  const bool may_wait = receive_blocks();
  if (failure_.ok()) {
    pending_.append(piece);
    if (may_wait) StartBatch();
  }
  if (failure_.ok()) return std::nullopt;
  passed_over_ += piece.size();
  if (passed_over_ <= kMaxPassedOver) return std::nullopt;
  return ErrorResponse(failure_);
}

HttpResponse UploadExchange::Finish() {
  WaitForBatch();
  if (failure_.ok()) failure_ = sink_->Take(pending_);
  if (!failure_.ok()) return ErrorResponse(failure_);
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
