#include "faces/storage/storage_route.h"

#include <optional>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "http/url.h"

namespace vernier {
namespace {

using Segments = std::vector<std::string>;

constexpr std::string_view kApi = "/storage/v1/";
constexpr std::string_view kDownload = "/download/storage/v1/";
constexpr std::string_view kUpload = "/upload/storage/v1/";
constexpr std::string_view kBatch = "/batch/storage/v1";
// The path that gsutil and older clients use.
constexpr std::string_view kOldUpload = "/resumable/upload/storage/v1/";

bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

std::optional<Segments> Split(std::string_view path) {
  Segments segments;
  while (true) {
    const std::size_t slash = path.find('/');
    auto segment = PercentDecode(path.substr(0, slash), false);
    if (!segment) return std::nullopt;
    segments.push_back(*std::move(segment));
    if (slash == std::string_view::npos) return segments;
    path.remove_prefix(slash + 1);
  }
}

// Conditions on an object's state, which a method checks before it changes
// anything.
constexpr std::string_view kConditions =
    "ifGenerationMatch:integer ifGenerationNotMatch:integer "
    "ifMetagenerationMatch:integer ifMetagenerationNotMatch:integer "
    "generation:integer";

using M = StorageMethod;
constexpr StorageMethodRow kRows[] = {
    {"GET", kApi, "b", M::kListBuckets, "storage.buckets.list",
     "Lists buckets: a project's own, and those that were lent to it.",
     "project prefix"},
    {"POST", kApi, "b", M::kInsertBucket, "storage.buckets.insert",
     "Makes a bucket of a project.", "project"},
    {"GET", kApi, "b/B", M::kGetBucket, "storage.buckets.get",
     "Describes a bucket.", ""},
    {"DELETE", kApi, "b/B", M::kDeleteBucket, "storage.buckets.delete",
     "Deletes an empty bucket.", ""},
    {"GET", kApi, "b/B/storageLayout", M::kGetStorageLayout,
     "storage.buckets.getStorageLayout", "Tells where a bucket is.", ""},
    {"GET", kApi, "b/B/managedFolders", M::kListManagedFolders,
     "storage.managedFolders.list", "Lists managed folders: there are none.",
     ""},
    {"GET", kApi, "b/B/o", M::kListObjects, "storage.objects.list",
     "Lists objects.",
     "prefix delimiter startOffset endOffset maxResults:integer pageToken "
     "includeTrailingDelimiter:boolean softDeleted:boolean"},
    {"GET", kApi, "b/B/o/O", M::kGetObject, "storage.objects.get",
     "Describes an object; with alt=media, its bytes.", kConditions},
    {"PATCH", kApi, "b/B/o/O", M::kPatchObject, "storage.objects.patch",
     "Changes attributes of an object.", kConditions},
    {"PUT", kApi, "b/B/o/O", M::kUpdateObject, "storage.objects.update",
     "Replaces the attributes of an object.", kConditions},
    {"DELETE", kApi, "b/B/o/O", M::kDeleteObject, "storage.objects.delete",
     "Deletes an object.", kConditions},
    {"POST", kApi, "b/B/o/O/compose", M::kComposeObject,
     "storage.objects.compose", "Joins objects to a new one.", kConditions},
    {"POST", kApi, "b/B/o/O/rewriteTo/b/B/o/O", M::kRewriteObject,
     "storage.objects.rewrite", "Copies an object, in one step.", kConditions},
    {"POST", kApi, "b/B/o/O/copyTo/b/B/o/O", M::kCopyObject,
     "storage.objects.copy", "Copies an object.", kConditions},
    {"GET", kDownload, "b/B/o/O", M::kDownloadObject,
     "storage.objects.download",
     "The bytes of an object, or those that Range asks for.", kConditions},
    {"POST", kUpload, "b/B/o", M::kUploadObject, "storage.objects.insert",
     "Uploads an object: its bytes (uploadType=media), JSON and bytes "
     "(multipart), or begins a resumable upload, whose place is the answer's "
     "Location.",
     "uploadType name upload_id contentEncoding"},
    {"PUT", kUpload, "b/B/o", M::kResumeUpload, "storage.objects.resume",
     "Sends the next bytes of a resumable upload.", "upload_id"},
    {"DELETE", kUpload, "b/B/o", M::kCancelUpload, "storage.objects.cancel",
     "Gives up a resumable upload.", "upload_id"},
    {"POST", kBatch, "", M::kBatch, "storage.batch",
     "Answers up to 100 calls that move no bytes.", ""},
};

// Returns the names in `segments` in their order, or nullopt if the pattern
// does not match.
std::optional<Segments> Match(std::string_view pattern,
                              const Segments& segments) {
  Segments names;
  for (const std::string& segment : segments) {
    if (pattern.empty()) return std::nullopt;
    const std::size_t slash = pattern.find('/');
    const std::string_view part = pattern.substr(0, slash);
    if (part == "B" || part == "O") {
      if (segment.empty()) return std::nullopt;
      names.push_back(segment);
    } else if (part != segment) {
      return std::nullopt;
    }
    pattern = slash == std::string_view::npos ? "" : pattern.substr(slash + 1);
  }
  if (!pattern.empty()) return std::nullopt;
  return names;
}

absl::Status NotAllowed(std::string_view http_method,
                        const std::string& allowed) {
  absl::Status status = absl::UnimplementedError(absl::StrCat(
      "this method is not served here: ", std::string(http_method)));
  status.SetPayload(kAllowedMethods, absl::Cord(allowed));
  return status;
}

absl::StatusOr<StorageRoute> FindRow(std::string_view prefix,
                                     std::string_view http_method,
                                     std::string_view path) {
  const auto segments = Split(path);
  std::vector<std::string> allowed;
  for (const StorageMethodRow& row : kRows) {
    if (!segments) break;
    if (row.prefix != prefix) continue;
    auto names = Match(row.pattern, *segments);
    if (!names) continue;
    allowed.emplace_back(row.http_method);
    if (row.http_method == "GET") allowed.emplace_back("HEAD");
    // HEAD is GET without the body, which the server leaves out.
    if (row.http_method != (http_method == "HEAD" ? "GET" : http_method)) {
      continue;
    }
    names->resize(4);
    return StorageRoute{row.method, (*names)[0], (*names)[1], (*names)[2],
                        (*names)[3]};
  }
  if (allowed.empty()) return absl::NotFoundError("Not Found");
  return NotAllowed(http_method, absl::StrJoin(allowed, ", "));
}

}  // namespace

std::span<const StorageMethodRow> StorageMethods() { return kRows; }

BucketRight RightNeededBy(StorageMethod method) {
  switch (method) {
    case M::kListBuckets:
    case M::kInsertBucket:
    case M::kBatch:
      return BucketRight::kNone;
    case M::kGetBucket:
    case M::kGetStorageLayout:
    case M::kListObjects:
    case M::kListManagedFolders:
    case M::kGetObject:
    case M::kDownloadObject:
    // The path of a copy names the source first.
    case M::kRewriteObject:
    case M::kCopyObject:
      return BucketRight::kRead;
    case M::kUploadObject:
    case M::kResumeUpload:
    case M::kCancelUpload:
    case M::kPatchObject:
    case M::kUpdateObject:
    case M::kDeleteObject:
    case M::kComposeObject:
      return BucketRight::kWrite;
    case M::kDeleteBucket:
      return BucketRight::kOwn;
  }
  return BucketRight::kOwn;
}

bool IsStoragePath(std::string_view path) {
  if (path == kBatch) return true;
  for (const std::string_view prefix : {kApi, kDownload, kUpload, kOldUpload}) {
    if (TakePrefix(prefix, &path)) return true;
  }
  return false;
}

absl::StatusOr<StorageRoute> ParseStorageRoute(std::string_view http_method,
                                               std::string_view path) {
  if (path == kBatch) {
    if (http_method == "POST")
      return StorageRoute{StorageMethod::kBatch, {}, {}, {}, {}};
    return NotAllowed(http_method, "POST");
  }
  if (TakePrefix(kOldUpload, &path)) return FindRow(kUpload, http_method, path);
  for (const std::string_view prefix : {kApi, kDownload, kUpload}) {
    if (TakePrefix(prefix, &path)) return FindRow(prefix, http_method, path);
  }
  return absl::NotFoundError("Not Found");
}

}  // namespace vernier
