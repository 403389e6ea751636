// Uploads that are continued over several requests.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "faces/storage/storage_json.h"
#include "faces/storage/storage_upload.h"
#include "faces/storage/upload_exchange.h"
#include "http/byte_range.h"
#include "http/url.h"

namespace vernier {
namespace {

// Cloud Storage's status for an upload that must be continued.
constexpr int kResumeIncomplete = 308;
constexpr int kClientClosedRequest = 499;  // As Cloud Storage.

std::string UploadId(const StorageCall& call) {
  return call.request.QueryText("upload_id");
}

HttpResponse Incomplete(std::int64_t size) {
  HttpResponse response;
  response.status = kResumeIncomplete;
  if (size > 0) {
    response.headers.emplace_back("Range", absl::StrCat("bytes=0-", size - 1));
  }
  return response;
}

class ResumedUpload final : public UploadSink {
 public:
  explicit ResumedUpload(StorageCall call) : call_(std::move(call)) {}
  ~ResumedUpload() override {
    if (upload_) bucket_->uploads().Abandon(std::move(upload_));
  }

  absl::Status Take(std::string_view piece) override {
    VERNIER_RETURN_IF_ERROR(Open());
    if (leaves_gap_ || !has_bytes_) return absl::OkStatus();
    // The client may send bytes again that are here already.
    const auto known = static_cast<std::size_t>(std::min<std::int64_t>(
        to_skip_, static_cast<std::int64_t>(piece.size())));
    to_skip_ -= static_cast<std::int64_t>(known);
    return upload_->file.Append(piece.substr(known));
  }

  absl::StatusOr<HttpResponse> Complete() override {
    VERNIER_RETURN_IF_ERROR(Open());
    const std::int64_t size = upload_->file.size();
    if (leaves_gap_) return ParkAt(size);
    if (range_.total && *range_.total < size) {
      return absl::InvalidArgumentError(
          absl::StrCat("more bytes have come than the whole has: ", size, " > ",
                       *range_.total));
    }
    if (range_.range && size != range_.range->last + 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("the body does not have the bytes of its Content-Range: "
                       "it ends at ",
                       size - 1, ", not ", range_.range->last));
    }
    const bool is_whole = ends_here_ || range_.total == size;
    if (!is_whole) return ParkAt(size);
    // The caller's right may have been withdrawn while the bytes arrived.
    VERNIER_RETURN_IF_ERROR(BucketOf(call_).status());
    ReadHashHeader(call_.request, &upload_->write.expected);
    const auto metadata = bucket_->Publish(upload_->file, upload_->write);
    // The upload is dropped even after a failure, since sending the rest again
    // would fail in the same way.
    bucket_->uploads().Drop(std::move(upload_));
    if (!metadata.ok()) return metadata.status();
    return JsonResponse(
        200, ObjectToJson(bucket_->name(), *metadata, call_.base_url));
  }

 private:
  absl::Status Open() {
    if (upload_) return absl::OkStatus();
    const std::string_view header = call_.request.Header("content-range");
    if (!header.empty()) {
      const auto range = ParseContentRange(header);
      if (!range) {
        return absl::InvalidArgumentError(
            absl::StrCat("bad Content-Range: ", std::string(header)));
      }
      range_ = *range;
    }
    VERNIER_ASSIGN_OR_RETURN(bucket_, BucketOf(call_));
    VERNIER_ASSIGN_OR_RETURN(upload_, bucket_->uploads().Take(UploadId(call_)));
    has_bytes_ = header.empty() || range_.range.has_value();
    ends_here_ = header.empty();
    const std::int64_t first = range_.range ? range_.range->first : 0;
    to_skip_ = upload_->file.size() - first;
    leaves_gap_ = has_bytes_ && to_skip_ < 0;
    return absl::OkStatus();
  }

  absl::StatusOr<HttpResponse> ParkAt(std::int64_t size) {
    VERNIER_RETURN_IF_ERROR(bucket_->uploads().Park(std::move(upload_)));
    return Incomplete(size);
  }

  const StorageCall call_;
  BucketStore::BucketPtr bucket_;
  std::unique_ptr<ResumableUpload> upload_;  // Destroyed before its bucket.
  ContentRange range_;
  bool has_bytes_ = false;
  bool ends_here_ = false;   // Without a Content-Range the body ends it.
  bool leaves_gap_ = false;  // The answer says where to continue.
  std::int64_t to_skip_ = 0;
};

absl::StatusOr<HttpResponse> Start(const StorageCall& call,
                                   const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const BucketStore::BucketPtr bucket, BucketOf(call));
  VERNIER_ASSIGN_OR_RETURN(ObjectWrite write, WriteFromJson(body));
  if (const auto name = call.request.Query("name")) {
    write.name = std::string(*name);
  }
  VERNIER_ASSIGN_OR_RETURN(write.preconditions,
                           PreconditionsFrom(call.request));
  if (write.attributes.content_type.empty()) {
    write.attributes.content_type =
        std::string(call.request.Header("x-upload-content-type"));
  }
  VERNIER_RETURN_IF_ERROR(bucket->CheckRoom(
      ParseWholeNumber(call.request.Header("x-upload-content-length"))
          .value_or(0)));
  VERNIER_ASSIGN_OR_RETURN(const std::string id,
                           bucket->uploads().Begin(write));
  HttpResponse response;
  response.headers.emplace_back(
      "Location", absl::StrCat(call.base_url, "/upload/storage/v1/b/",
                               bucket->name(), "/o?uploadType=resumable&name=",
                               PercentEncode(write.name), "&upload_id=", id));
  response.headers.emplace_back("X-GUploader-UploadID", id);
  return response;
}

absl::Status Cancel(const StorageCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const BucketStore::BucketPtr bucket, BucketOf(call));
  VERNIER_ASSIGN_OR_RETURN(auto upload, bucket->uploads().Take(UploadId(call)));
  bucket->uploads().Drop(std::move(upload));
  return absl::OkStatus();
}

}  // namespace

HttpResponse StartResumableUpload(const StorageCall& call,
                                  const std::string& body) {
  auto response = Start(call, body);
  return response.ok() ? *std::move(response)
                       : ErrorResponse(response.status());
}

std::unique_ptr<HttpExchange> ResumeUpload(StorageCall call) {
  return std::make_unique<UploadExchange>(
      std::make_unique<ResumedUpload>(std::move(call)));
}

HttpResponse CancelResumableUpload(const StorageCall& call) {
  const absl::Status status = Cancel(call);
  if (!status.ok()) return ErrorResponse(status);
  HttpResponse response;
  response.status = kClientClosedRequest;
  return response;
}

}  // namespace vernier
