// Downloads of objects.

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "faces/storage/storage_call.h"
#include "faces/storage/storage_json.h"
#include "http/byte_range.h"
#include "http/file_source.h"

namespace vernier {
namespace {

std::string OrElse(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

HttpFields HeadersOf(const ObjectMetadata& metadata) {
  const ObjectAttributes& attributes = metadata.attributes;
  HttpFields headers = {
      {"Content-Type",
       OrElse(attributes.content_type, "application/octet-stream")},
      {"ETag", ObjectTag(metadata)},
      {"Accept-Ranges", "bytes"},
      {"X-Goog-Generation", absl::StrCat(metadata.generation)},
      {"X-Goog-Metageneration", absl::StrCat(metadata.metageneration)},
      {"X-Goog-Storage-Class", "STANDARD"},
      {"X-Goog-Stored-Content-Length", absl::StrCat(metadata.size)},
      {"X-Goog-Stored-Content-Encoding",
       OrElse(attributes.content_encoding, "identity")},
  };
  if (metadata.hashes) {
    headers.emplace_back("X-Goog-Hash",
                         absl::StrCat("crc32c=", metadata.hashes->crc32c,
                                      ",md5=", metadata.hashes->md5));
  }
  const std::pair<const char*, const std::string&> given[] = {
      {"Content-Encoding", attributes.content_encoding},
      {"Content-Disposition", attributes.content_disposition},
      {"Content-Language", attributes.content_language},
      {"Cache-Control", attributes.cache_control},
  };
  for (const auto& [name, value] : given) {
    if (!value.empty()) headers.emplace_back(name, value);
  }
  return headers;
}

absl::StatusOr<HttpResponse> Download(const StorageCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const BucketStore::BucketPtr bucket, BucketOf(call));
  VERNIER_ASSIGN_OR_RETURN(OpenObject object,
                           bucket->OpenObjectToRead(call.route.object));
  const ObjectMetadata& metadata = object.metadata;
  VERNIER_ASSIGN_OR_RETURN(const Preconditions conditions,
                           PreconditionsFrom(call.request));
  VERNIER_RETURN_IF_ERROR(CheckPreconditions(conditions, &metadata));
  const RangeAnswer answer =
      ResolveRange(call.request.Header("range"), metadata.size);
  if (answer.kind == RangeAnswer::Kind::kUnsatisfiable) {
    HttpResponse response =
        ErrorResponse(416, "requestedRangeNotSatisfiable",
                      absl::StrCat("the object has ", metadata.size, " bytes"));
    response.headers.emplace_back("Content-Range",
                                  absl::StrCat("bytes */", metadata.size));
    return response;
  }
  ByteRange range{0, metadata.size - 1};
  HttpResponse response;
  response.headers = HeadersOf(metadata);
  if (answer.kind == RangeAnswer::Kind::kPart) {
    range = answer.range;
    response.status = 206;
    response.headers.emplace_back(
        "Content-Range", absl::StrCat("bytes ", range.first, "-", range.last,
                                      "/", metadata.size));
  }
  if (metadata.size == 0) return response;
  response.source = std::make_unique<FileSource>(std::move(object.file),
                                                 range.first, range.size());
  response.source_length = static_cast<std::uint64_t>(range.size());
  return response;
}

}  // namespace

HttpResponse AnswerDownload(const StorageCall& call) {
  auto response = Download(call);
  return response.ok() ? *std::move(response)
                       : ErrorResponse(response.status());
}

}  // namespace vernier
