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
#include "store/sqlite/schema.h"

namespace vernier {

/// The limits of a project, each >= 0; nullopt: no limit.
struct ProjectQuota {
  std::optional<int> max_parallel_trials;  ///< Live attempts of jobs.
  std::optional<int> max_gpus;             ///< Devices that they lease.
  /// The limit of jobs (final ones too) and of studies that clients run. A
  /// deleted one no longer counts.
  std::optional<int> max_studies;
  /// The limits of all buckets of the project together: of bytes, and of
  /// objects including their folders.
  std::optional<std::int64_t> max_bucket_bytes = std::nullopt;
  std::optional<std::int64_t> max_bucket_objects = std::nullopt;

  friend bool operator==(const ProjectQuota&, const ProjectQuota&) = default;
};

/// The schema of quotas.db.
const Schema& QuotasSchema();

/// The quotas that administrators gave to projects, in a database of their own.
/// It is small, and all of it is in memory. Thread-safe.
class QuotaStore {
 public:
  /// Errors: as OpenPrivateDatabase.
  static absl::StatusOr<std::unique_ptr<QuotaStore>> Open(
      const std::string& path);

  /// Replaces a project's quota. Durable when it returns. INVALID_ARGUMENT for
  /// a limit < 0 or a malformed project id.
  absl::Status Set(const std::string& project, const ProjectQuota& quota);
  /// The quota of a project; no limits if none was set.
  ProjectQuota Of(const std::string& project) const;
  /// The quotas of all projects that have a limit.
  std::map<std::string, ProjectQuota> All() const;
  /// A note about the end of the log when it was opened; nullopt: it was
  /// complete.
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
