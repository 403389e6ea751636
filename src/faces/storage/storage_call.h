#ifndef VERNIER_FACES_STORAGE_STORAGE_CALL_H_
#define VERNIER_FACES_STORAGE_STORAGE_CALL_H_

#include <string>

#include "absl/status/statusor.h"
#include "buckets/bucket_store.h"
#include "faces/storage/storage_route.h"
#include "http/http_message.h"

namespace vernier {

/// One request to the storage API, and the objects that answer it.
struct StorageCall {
  BucketStore* buckets = nullptr;  ///< Never null; borrowed.
  BucketUser user;                 ///< Whose rights count.
  StorageRoute route;
  HttpRequest request;
  std::string base_url;  ///< As StorageApi::Begin takes it.
};

/// The bucket that the route names, if the call's user has the right to it that
/// the route's method needs. Errors as BucketStore::Find.
absl::StatusOr<BucketStore::BucketPtr> BucketOf(const StorageCall& call);

/// Answers a call whose whole body, of at most kMaxStorageJson bytes, has come:
/// all methods but uploads, resumed uploads and batches. May wait for the disk.
HttpResponse AnswerStorageCall(const StorageCall& call,
                               const std::string& body);

/// Returns the bytes of an object, or the part that a Range header asks for.
HttpResponse AnswerDownload(const StorageCall& call);

/// Answers each call in a multipart/mixed body as if it had come alone from the
/// same user. A batch cannot download objects.
HttpResponse AnswerBatch(const StorageCall& batch, const std::string& body);

inline constexpr std::size_t kMaxStorageJson = 1 << 20;
inline constexpr std::size_t kMaxBatchBytes = 10 << 20;

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_CALL_H_
