#ifndef VERNIER_SERVER_STORAGE_ROUTE_H_
#define VERNIER_SERVER_STORAGE_ROUTE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

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

struct StorageRoute {
  StorageMethod method = StorageMethod::kListBuckets;
  std::string bucket;
  std::string object;
  std::string destination_bucket;  ///< Of a rewrite or copy.
  std::string destination_object;
};

/// Whether a path, still encoded, belongs to the storage API.
bool IsStoragePath(std::string_view path);

/// Finds the method that a request line names; each segment of the path is
/// decoded once. NOT_FOUND for a path, and UNIMPLEMENTED for a method, that
/// there is none of. Names are not checked. Pure.
absl::StatusOr<StorageRoute> ParseStorageRoute(std::string_view http_method,
                                               std::string_view path);

}  // namespace vernier

#endif  // VERNIER_SERVER_STORAGE_ROUTE_H_
