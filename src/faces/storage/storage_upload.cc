#include "faces/storage/storage_upload.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "faces/storage/storage_json.h"
#include "faces/storage/upload_exchange.h"
#include "http/multipart_reader.h"

namespace vernier {
namespace {

// Returns a lower bound of the object's size from the request's headers. A
// multipart body also contains the object's JSON, of which the largest size is
// subtracted; the rest is checked as the bytes arrive.
std::int64_t ExpectedBytes(const HttpRequest& request) {
  const std::int64_t length =
      ParseWholeNumber(request.Header("content-length")).value_or(0);
  if (request.Query("uploadType") == "media") return length;
  return length - static_cast<std::int64_t>(kMaxStorageJson);
}

/// Receives the bytes of an upload into an object.
class Intake {
 public:
  explicit Intake(const StorageCall& call) : call_(call) {}

  absl::Status Append(std::string_view bytes) {
    if (!file_) {
      VERNIER_ASSIGN_OR_RETURN(bucket_, BucketOf(call_));
      VERNIER_ASSIGN_OR_RETURN(StagedFile file,
                               bucket_->Stage(ExpectedBytes(call_.request)));
      file_.emplace(std::move(file));
    }
    return file_->Append(bytes);
  }

  absl::StatusOr<HttpResponse> Publish(ObjectWrite write) {
    // If the body was empty, no bytes have come, and this makes the file.
    VERNIER_RETURN_IF_ERROR(Append(""));
    if (const auto name = call_.request.Query("name")) {
      write.name = std::string(*name);
    }
    VERNIER_ASSIGN_OR_RETURN(write.preconditions,
                             PreconditionsFrom(call_.request));
    // The caller's right may have been withdrawn while the bytes arrived.
    VERNIER_RETURN_IF_ERROR(BucketOf(call_).status());
    VERNIER_ASSIGN_OR_RETURN(const ObjectMetadata metadata,
                             bucket_->Publish(*file_, write));
    return JsonResponse(
        200, ObjectToJson(bucket_->name(), metadata, call_.base_url));
  }

 private:
  const StorageCall& call_;
  BucketStore::BucketPtr bucket_;
  std::optional<StagedFile> file_;  // Destroyed before its bucket.
};

class MediaUpload final : public UploadSink {
 public:
  explicit MediaUpload(StorageCall call)
      : call_(std::move(call)), intake_(call_) {}

  absl::Status Take(std::string_view piece) override {
    return intake_.Append(piece);
  }
  absl::StatusOr<HttpResponse> Complete() override {
    ObjectWrite write;
    write.attributes.content_type =
        std::string(call_.request.Header("content-type"));
    write.attributes.content_encoding =
        call_.request.QueryText("contentEncoding");
    ReadHashHeader(call_.request, &write.expected);
    return intake_.Publish(std::move(write));
  }

 private:
  const StorageCall call_;
  Intake intake_;
};

class MultipartUpload final : public UploadSink, private MultipartSink {
 public:
  MultipartUpload(StorageCall call, const std::string& boundary)
      : call_(std::move(call)), intake_(call_), reader_(boundary, *this) {}

  absl::Status Take(std::string_view piece) override {
    return reader_.Feed(piece);
  }
  absl::StatusOr<HttpResponse> Complete() override {
    VERNIER_RETURN_IF_ERROR(reader_.End());
    if (parts_ != 2) return TwoParts();
    VERNIER_ASSIGN_OR_RETURN(ObjectWrite write, WriteFromJson(json_));
    if (write.attributes.content_type.empty()) {
      write.attributes.content_type = content_type_;
    }
    ReadHashHeader(call_.request, &write.expected);
    return intake_.Publish(std::move(write));
  }

 private:
  static absl::Status TwoParts() {
    return absl::InvalidArgumentError(
        "a multipart upload has two parts: JSON, then the bytes");
  }

  absl::Status BeginPart(const HttpFields& headers) override {
    if (++parts_ > 2) return TwoParts();
    for (const auto& [name, value] : headers) {
      if (name == "content-type" && parts_ == 2) content_type_ = value;
    }
    return absl::OkStatus();
  }
  absl::Status PartData(std::string_view data) override {
    if (parts_ == 2) return intake_.Append(data);
    json_.append(data);
    if (json_.size() <= kMaxStorageJson) return absl::OkStatus();
    return absl::InvalidArgumentError("the JSON part is too long");
  }
  absl::Status EndPart() override { return absl::OkStatus(); }

  const StorageCall call_;
  Intake intake_;
  MultipartReader reader_;
  int parts_ = 0;
  std::string json_;
  std::string content_type_;
};

}  // namespace

std::unique_ptr<HttpExchange> BeginUpload(StorageCall call) {
  const auto type = call.request.Query("uploadType");
  if (type == "media") {
    return std::make_unique<UploadExchange>(
        std::make_unique<MediaUpload>(std::move(call)));
  }
  const auto boundary = MultipartBoundary(call.request.Header("content-type"));
  if (type == "multipart" && boundary) {
    return std::make_unique<UploadExchange>(
        std::make_unique<MultipartUpload>(std::move(call), *boundary));
  }
  const absl::Status why =
      type == "multipart"
          ? absl::InvalidArgumentError("the Content-Type names no boundary")
          : absl::InvalidArgumentError(
                "uploadType must be media, multipart or resumable");
  return std::make_unique<UploadExchange>(std::make_unique<RefusedUpload>(why));
}

}  // namespace vernier
