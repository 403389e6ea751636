#ifndef VERNIER_BUCKETS_RESUMABLE_UPLOADS_H_
#define VERNIER_BUCKETS_RESUMABLE_UPLOADS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "buckets/bucket_ledger.h"
#include "buckets/confined_folder.h"
#include "buckets/object_metadata.h"
#include "buckets/staged_file.h"

namespace vernier {

/// The most unfinished resumable uploads of a bucket.
inline constexpr int kMostUploads = 1000;

/// An upload that is continued over several requests. Not thread-safe: one
/// request at a time holds it.
struct ResumableUpload {
  std::string id;
  ObjectWrite write;
  StagedFile file;
};

/// The resumable uploads of one bucket. They survive restarts of the service,
/// up to the last Park, and a week without a request. Thread-safe.
class ResumableUploads {
 public:
  /// Borrows `root`, the bucket's folder, `clock` and `room`.
  ResumableUploads(const ConfinedFolder& root, const Clock& clock,
                   const BucketRoom& room,
                   std::function<std::string()> make_id);
  ~ResumableUploads();

  /// Removes the uploads without a request for a week. Call it now and then.
  void Sweep();

  /// Begins an upload and returns its id, which cannot be guessed; durable.
  /// RESOURCE_EXHAUSTED, with HTTP's 429, if kMostUploads are unfinished.
  absl::StatusOr<std::string> Begin(const ObjectWrite& write);

  /// Lends an upload to a request, which must return it with Park, Abandon or
  /// Drop. After a restart its file is read once. NOT_FOUND; UNAVAILABLE while
  /// another request holds it.
  absl::StatusOr<std::unique_ptr<ResumableUpload>> Take(const std::string& id);

  /// Makes the bytes so far durable.
  absl::Status Park(std::unique_ptr<ResumableUpload> upload);
  /// Drops the bytes since the last Park. Does not wait for the disk.
  void Abandon(std::unique_ptr<ResumableUpload> upload);
  /// Removes an upload that has ended, and its file unless that was published.
  void Drop(std::unique_ptr<ResumableUpload> upload);

 private:
  absl::StatusOr<std::unique_ptr<ResumableUpload>> Load(const std::string& id);
  absl::Status Save(const ResumableUpload& upload);
  absl::Status CheckCount() const;
  void SweepFile(const std::string& name, std::int64_t size);

  const ConfinedFolder& root_;
  const Clock& clock_;                          // Thread-safe.
  const BucketRoom& room_;                      // Thread-safe.
  const std::function<std::string()> make_id_;  // Thread-safe.
  Mutex mu_;                                    // Held for look-ups only.
  std::set<std::string> held_ VERNIER_GUARDED_BY(mu_);
  // These keep their checksums so far, so that no byte is read again.
  std::map<std::string, std::unique_ptr<ResumableUpload>> parked_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_RESUMABLE_UPLOADS_H_
