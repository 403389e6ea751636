#ifndef VERNIER_FACES_STORAGE_STORAGE_ROUTE_H_
#define VERNIER_FACES_STORAGE_STORAGE_ROUTE_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "buckets/bucket_policy.h"

namespace vernier {

/// One of the storage API's methods that we serve.
enum class StorageMethod {
  kListBuckets,
  kInsertBucket,
  kGetBucket,
  kDeleteBucket,
  kGetStorageLayout,
  kListObjects,
  kListManagedFolders,  ///< There are none.
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

/// A method of the API: how it is called and what is told of it. Routing and
/// the description in OpenAPI both come from here.
struct StorageMethodRow {
  std::string_view http_method;
  std::string_view prefix;   ///< "/storage/v1/"
  std::string_view pattern;  ///< What follows: "B" and "O" stand for names.
  StorageMethod method;
  std::string_view id;  ///< "storage.objects.get"
  std::string_view summary;
  /// Query parameters, as "name" or "name:type", with spaces between.
  std::string_view query;
};

/// The whole table; constant.
std::span<const StorageMethodRow> StorageMethods();

/// What a method needs of the bucket that its path names first; kNone for those
/// that name none. Pure.
BucketRight RightNeededBy(StorageMethod method);

struct StorageRoute {
  StorageMethod method = StorageMethod::kListBuckets;
  std::string bucket;
  std::string object;
  std::string destination_bucket;  ///< Of a rewrite or copy.
  std::string destination_object;
};

/// Whether a path, still encoded, belongs to the storage API.
bool IsStoragePath(std::string_view path);

/// Payload of the error for a method that a path does not have: those that it
/// has, as in an Allow header.
inline constexpr char kAllowedMethods[] = "vernier/allowed-methods";

/// Finds the method that a request line names; each segment of the path is
/// decoded once. NOT_FOUND for a path, and UNIMPLEMENTED with kAllowedMethods
/// for a method, that there is none of. Names are not checked. Pure.
absl::StatusOr<StorageRoute> ParseStorageRoute(std::string_view http_method,
                                               std::string_view path);

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_ROUTE_H_
