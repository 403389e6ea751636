#ifndef VERNIER_FACES_STORAGE_STORAGE_ROUTE_H_
#define VERNIER_FACES_STORAGE_STORAGE_ROUTE_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "buckets/bucket_policy.h"

namespace vernier {

/// The methods of the storage API that are served.
enum class StorageMethod {
  kListBuckets,
  kInsertBucket,
  kGetBucket,
  kDeleteBucket,
  kGetStorageLayout,
  kListObjects,
  kListManagedFolders,  ///< Always empty here.
  kUploadObject,        ///< Media, multipart or resumable.
  kResumeUpload,        ///< PUT to the URL of a resumable upload.
  kCancelUpload,
  kGetObject,  ///< Metadata, or the bytes with alt=media.
  kDownloadObject,
  kPatchObject,
  kUpdateObject,
  kDeleteObject,
  kRewriteObject,
  kCopyObject,
  kComposeObject,
  kBatch,
};

/// A row of the method table. Routing and the OpenAPI description are both made
/// from it.
struct StorageMethodRow {
  std::string_view http_method;
  std::string_view prefix;   ///< "/storage/v1/"
  std::string_view pattern;  ///< The rest: "B" and "O" stand for names.
  StorageMethod method;
  std::string_view id;  ///< "storage.objects.get"
  std::string_view summary;
  /// Query parameters, as "name" or "name:type", with spaces between.
  std::string_view query;
};

/// The whole table; constant.
std::span<const StorageMethodRow> StorageMethods();

/// Returns the right that a method needs to the bucket that its path names
/// first; kNone if it names none. Pure.
BucketRight RightNeededBy(StorageMethod method);

struct StorageRoute {
  StorageMethod method = StorageMethod::kListBuckets;
  std::string bucket;
  std::string object;
  std::string destination_bucket;  ///< Of a rewrite or a copy.
  std::string destination_object;
};

/// True if a path, still encoded, belongs to the storage API.
bool IsStoragePath(std::string_view path);

/// The payload of the error for a method that a path does not have: the methods
/// that it has, like in an Allow header.
inline constexpr char kAllowedMethods[] = "vernier/allowed-methods";

/// Finds the method that a request line names; each segment of the path is
/// decoded once. NOT_FOUND for an unknown path; UNIMPLEMENTED, with
/// kAllowedMethods, for a method that the path does not have. Names are not
/// checked. Pure.
absl::StatusOr<StorageRoute> ParseStorageRoute(std::string_view http_method,
                                               std::string_view path);

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_ROUTE_H_
