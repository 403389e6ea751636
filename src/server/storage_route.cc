#include "server/storage_route.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "http/url.h"

namespace vernier {
namespace {

using Segments = std::vector<std::string>;

constexpr std::string_view kApi = "/storage/v1/";
constexpr std::string_view kDownload = "/download/storage/v1/";
constexpr std::string_view kBatchPath = "/batch/storage/v1";
// The second is what gsutil and older clients use.
constexpr std::string_view kUploads[] = {"/upload/storage/v1/",
                                         "/resumable/upload/storage/v1/"};

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

struct MethodRow {
  std::string_view http_method;
  // Of the segments; "B" and "O" stand for names.
  std::string_view pattern;
  StorageMethod method;
};

constexpr MethodRow kApiRows[] = {
    {"GET", "b", StorageMethod::kListBuckets},
    {"POST", "b", StorageMethod::kInsertBucket},
    {"GET", "b/B", StorageMethod::kGetBucket},
    {"DELETE", "b/B", StorageMethod::kDeleteBucket},
    {"GET", "b/B/storageLayout", StorageMethod::kGetStorageLayout},
    {"GET", "b/B/managedFolders", StorageMethod::kListManagedFolders},
    {"GET", "b/B/o", StorageMethod::kListObjects},
    {"GET", "b/B/o/O", StorageMethod::kGetObject},
    {"PATCH", "b/B/o/O", StorageMethod::kPatchObject},
    {"PUT", "b/B/o/O", StorageMethod::kUpdateObject},
    {"DELETE", "b/B/o/O", StorageMethod::kDeleteObject},
    {"POST", "b/B/o/O/compose", StorageMethod::kComposeObject},
    {"POST", "b/B/o/O/rewriteTo/b/B/o/O", StorageMethod::kRewriteObject},
    {"POST", "b/B/o/O/copyTo/b/B/o/O", StorageMethod::kCopyObject},
};
constexpr MethodRow kDownloadRows[] = {
    {"GET", "b/B/o/O", StorageMethod::kDownloadObject},
};
constexpr MethodRow kUploadRows[] = {
    {"POST", "b/B/o", StorageMethod::kUploadObject},
    {"PUT", "b/B/o", StorageMethod::kResumeUpload},
    {"DELETE", "b/B/o", StorageMethod::kCancelUpload},
};

// The names in `segments` in their order, or null if the pattern is another.
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

template <std::size_t n>
absl::StatusOr<StorageRoute> FindRow(const MethodRow (&rows)[n],
                                     std::string_view http_method,
                                     std::string_view path) {
  const auto segments = Split(path);
  bool is_known = false;
  for (const MethodRow& row : rows) {
    if (!segments) break;
    auto names = Match(row.pattern, *segments);
    if (!names) continue;
    is_known = true;
    // HEAD is GET without the body, which the server leaves out.
    if (row.http_method != (http_method == "HEAD" ? "GET" : http_method)) {
      continue;
    }
    names->resize(4);
    return StorageRoute{row.method, (*names)[0], (*names)[1], (*names)[2],
                        (*names)[3]};
  }
  if (is_known) {
    return absl::UnimplementedError(absl::StrCat(
        "this method is not served here: ", std::string(http_method)));
  }
  return absl::NotFoundError("Not Found");
}

}  // namespace

bool IsStoragePath(std::string_view path) {
  if (path == kBatchPath) return true;
  for (const std::string_view prefix : kUploads) {
    if (TakePrefix(prefix, &path)) return true;
  }
  return TakePrefix(kApi, &path) || TakePrefix(kDownload, &path);
}

absl::StatusOr<StorageRoute> ParseStorageRoute(std::string_view http_method,
                                               std::string_view path) {
  if (path == kBatchPath) {
    if (http_method == "POST")
      return StorageRoute{StorageMethod::kBatch, {}, {}, {}, {}};
    return absl::UnimplementedError("a batch is posted");
  }
  for (const std::string_view prefix : kUploads) {
    if (TakePrefix(prefix, &path))
      return FindRow(kUploadRows, http_method, path);
  }
  if (TakePrefix(kDownload, &path)) {
    return FindRow(kDownloadRows, http_method, path);
  }
  if (TakePrefix(kApi, &path)) return FindRow(kApiRows, http_method, path);
  return absl::NotFoundError("Not Found");
}

}  // namespace vernier
