#ifndef VERNIER_BUCKETS_BUCKET_LEDGER_H_
#define VERNIER_BUCKETS_BUCKET_LEDGER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace vernier {

/// What a bucket, or all of a project's, hold.
struct BucketUse {
  std::int64_t bytes = 0;    ///< Of objects, and of uploads under way.
  std::int64_t objects = 0;  ///< Objects and folders.

  friend bool operator==(const BucketUse&, const BucketUse&) = default;
};

/// What a project's buckets may hold together, each >= 0; nullopt: no limit.
struct BucketQuota {
  std::optional<std::int64_t> max_bytes;
  std::optional<std::int64_t> max_objects;

  bool has_limit() const { return max_bytes || max_objects; }
};

/// Payload of an error: the HTTP status that says it best, e.g. "413".
inline constexpr char kHttpStatusPayload[] = "vernier/http-status";

/// Looks at all that lies in a bucket's folder, passing no link; what is ours
/// counts as far as it is an upload's bytes. Takes a while for many files. An
/// errno's code.
absl::StatusOr<BucketUse> MeasureBucket(const std::string& folder);

/// What the buckets of a service hold, by project, as far as a quota or a
/// question makes it necessary to know: until then nothing is counted, and
/// nothing costs anything. A bucket is measured once and again every few
/// minutes, because programs write into it directly; what goes through the
/// service is added in between. Thread-safe.
class BucketLedger {
 public:
  struct Counted {
    std::string bucket;
    std::string folder;
  };
  struct Dependencies {
    /// Whose a bucket is; empty if nobody knows. Any thread.
    std::function<std::string(const std::string& bucket)> project_of;
    /// The buckets of a project that count. Any thread.
    std::function<std::vector<Counted>(const std::string& project)> buckets_of;
    /// Null: there are none. Any thread.
    std::function<BucketQuota(const std::string& project)> quota_of;
  };

  /// Borrows `clock`.
  BucketLedger(Dependencies dependencies, const Clock& clock)
      : dependencies_(std::move(dependencies)), clock_(clock) {}

  /// Adds to a bucket, if its project's quota has room for that; taking away is
  /// always allowed. RESOURCE_EXHAUSTED, with kHttpStatusPayload, and nothing
  /// is added; an errno's code if a bucket cannot be measured.
  absl::Status Add(const std::string& bucket, const BucketUse& change);

  /// To be called when a bucket was made, deleted or given to another project.
  void BucketChanged(const std::string& bucket);

  /// What a project's buckets hold, measured lately. An errno's code.
  absl::StatusOr<BucketUse> UseOf(const std::string& project);

 private:
  struct Entry {
    std::optional<BucketUse> use;  // Null: not measured.
    SteadyTime measured_at{};
    bool is_being_measured = false;
    BucketUse added_meanwhile;
  };
  struct Names {
    std::vector<Counted> buckets;
    SteadyTime listed_at{};
  };

  absl::Status MeasureOlderThan(const std::string& project,
                                std::chrono::seconds age);
  absl::Status Measure(const Counted& counted);
  std::vector<Counted> BucketsOf(const std::string& project,
                                 std::chrono::seconds age);
  BucketUse Sum(const std::vector<Counted>& buckets) const
      VERNIER_REQUIRES(mu_);
  void AddTo(const std::string& bucket, const BucketUse& change)
      VERNIER_REQUIRES(mu_);
  absl::Status TryAdd(const std::string& project, const std::string& bucket,
                      const BucketUse& change, const BucketQuota& quota);

  const Dependencies dependencies_;
  const Clock& clock_;  // Thread-safe.
  Mutex measuring_;     // Held while folders are walked: one walk at a time.
  mutable Mutex mu_;    // Held for look-ups only.
  std::map<std::string, Entry> entries_ VERNIER_GUARDED_BY(mu_);
  std::map<std::string, Names> names_ VERNIER_GUARDED_BY(mu_);
};

/// The room of one bucket, asked before anything is written into it.
/// Thread-safe.
class BucketRoom {
 public:
  /// Borrows `ledger`; null: nothing is counted, and only the disk matters.
  BucketRoom(BucketLedger* ledger, std::string bucket)
      : ledger_(ledger), bucket_(std::move(bucket)) {}

  /// As BucketLedger::Add; RESOURCE_EXHAUSTED also if the disk that `folder`
  /// lies on would be left with less than is kept for the service itself: 1
  /// GiB, or a fiftieth of a small disk.
  absl::Status Take(int folder, const BucketUse& wanted) const;
  /// Whether so many bytes could be taken now.
  absl::Status Expect(int folder, std::int64_t bytes) const;
  void GiveBack(const BucketUse& given) const;

 private:
  absl::Status CheckDisk(int folder, std::int64_t bytes) const;

  BucketLedger* const ledger_;
  const std::string bucket_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_LEDGER_H_
