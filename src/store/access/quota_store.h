#ifndef VERNIER_STORE_ACCESS_QUOTA_STORE_H_
#define VERNIER_STORE_ACCESS_QUOTA_STORE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "store/sqlite/private_database.h"

namespace vernier {

/// What a project may have at once, each >= 0; nullopt: no limit.
struct ProjectQuota {
  std::optional<int> max_parallel_trials;  ///< Of jobs: live attempts.
  std::optional<int> max_gpus;             ///< That those lease.
  /// Jobs, final ones too, and studies that clients run, until deleted.
  std::optional<int> max_studies;
  /// Bytes, and objects with their folders, of its buckets together.
  std::optional<std::int64_t> max_bucket_bytes = std::nullopt;
  std::optional<std::int64_t> max_bucket_objects = std::nullopt;

  friend bool operator==(const ProjectQuota&, const ProjectQuota&) = default;
};

/// The quotas that an administrator gave projects, in a database of their own.
/// Small, and all of it is in memory. Thread-safe.
class QuotaStore {
 public:
  /// Errors: as OpenPrivateDatabase.
  static absl::StatusOr<std::unique_ptr<QuotaStore>> Open(
      const std::string& path);

  /// Replaces a project's quota. Durable when it returns. INVALID_ARGUMENT for
  /// a limit < 0 or a project's id that is none.
  absl::Status Set(const std::string& project, const ProjectQuota& quota);
  /// No limits if none was given.
  ProjectQuota Of(const std::string& project) const;
  /// Of projects that have a limit.
  std::map<std::string, ProjectQuota> All() const;
  /// What opening found out about the end of the log; nullopt: all is there.
  const std::optional<LogNote>& log_note() const { return log_note_; }

 private:
  explicit QuotaStore(PrivateDatabase opened)
      : log_note_(std::move(opened.log_note)),
        database_(std::move(opened.database)) {}
  absl::Status Load();

  const std::optional<LogNote> log_note_;
  mutable Mutex mu_;
  const std::unique_ptr<SqliteDatabase> database_;  // Used under mu_.
  std::map<std::string, ProjectQuota> quotas_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_STORE_ACCESS_QUOTA_STORE_H_
