#ifndef VERNIER_FACES_STORAGE_STORAGE_API_H_
#define VERNIER_FACES_STORAGE_STORAGE_API_H_

#include <memory>
#include <string>

#include "buckets/bucket_store.h"
#include "http/http_handler.h"

namespace vernier {

/// Cloud Storage's JSON API over the buckets, as far as gcloud, gsutil and
/// google-cloud-storage use it; docs/buckets.md lists the methods. Bodies are
/// streamed in both directions. Thread-safe.
class StorageApi {
 public:
  /// `buckets` must outlive this object and every exchange.
  explicit StorageApi(BucketStore& buckets) : buckets_(buckets) {}

  /// Serves a request whose path IsStoragePath, for a caller who may read
  /// objects (GET) or write them (all other methods, even a batch of reads), in
  /// the buckets to which `user` has the right. It does not wait; the exchange
  /// does, on workers.
  ///
  /// `base_url` begins the links in answers: "http://HOST:PORT" and the prefix
  /// that was cut off the path.
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request,
                                      const BucketUser& user,
                                      const std::string& base_url);

 private:
  BucketStore& buckets_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_API_H_
