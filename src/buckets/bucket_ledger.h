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

/// The size of the contents of a bucket, or of all of a project's.
struct BucketUse {
  std::int64_t bytes = 0;    ///< Of objects, and of uploads under way.
  std::int64_t objects = 0;  ///< Objects and folders.

  friend bool operator==(const BucketUse&, const BucketUse&) = default;
};

/// The limits on the contents of all of a project's buckets together, each >=
/// 0; nullopt: no limit.
struct BucketQuota {
  std::optional<std::int64_t> max_bytes;
  std::optional<std::int64_t> max_objects;

  bool has_limit() const { return max_bytes || max_objects; }
};

/// Counts everything in a bucket's folder without following links. Of the
/// reserved folder only the bytes of uploads count. Takes a while for many
/// files. Errors are an errno's code.
absl::StatusOr<BucketUse> MeasureBucket(const std::string& folder);

/// Counts the contents of a service's buckets, by project. Nothing is counted,
/// at no cost, until a quota or a request needs the number. A bucket is
/// measured once and then again every few minutes, because programs write into
/// it directly; writes through the service are added in between. Thread-safe.
class BucketLedger {
 public:
  struct Counted {
    std::string bucket;
    std::string folder;
  };
  struct Dependencies {
    /// Returns the project that owns a bucket; empty if unknown. Any thread.
    std::function<std::string(const std::string& bucket)> project_of;
    /// Returns the buckets of a project that count towards its quota. Any
    /// thread.
    std::function<std::vector<Counted>(const std::string& project)> buckets_of;
    /// Returns the project's quota. Null if there are no quotas. Any thread.
    std::function<BucketQuota(const std::string& project)> quota_of;
  };

  /// Borrows `clock`.
  BucketLedger(Dependencies dependencies, const Clock& clock)
      : dependencies_(std::move(dependencies)), clock_(clock) {}

  /// Adds to a bucket if its project's quota has room; giving back is always
  /// allowed. RESOURCE_EXHAUSTED, with HTTP's 413, if there is no room, and
  /// then nothing is added; an errno's code if a bucket cannot be measured.
  absl::Status Add(const std::string& bucket, const BucketUse& change);

  /// Must be called when a bucket was made, deleted or moved to another
  /// project.
  void BucketChanged(const std::string& bucket);

  /// Returns the contents of a project's buckets from a recent measurement.
  /// Errors are an errno's code.
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

/// The room of one bucket; every write takes its bytes from it first.
/// Thread-safe.
class BucketRoom {
 public:
  /// Borrows `ledger`; null: only the disk's free space matters.
  BucketRoom(BucketLedger* ledger, std::string bucket)
      : ledger_(ledger), bucket_(std::move(bucket)) {}

  /// Does the same as BucketLedger::Add. RESOURCE_EXHAUSTED also if the disk of
  /// `folder` would be left with less than the reserve of the service itself: 1
  /// GiB, or a fiftieth of a small disk.
  absl::Status Take(int folder, const BucketUse& wanted) const;
  /// Returns whether Take would have room for this many bytes now.
  absl::Status Expect(int folder, std::int64_t bytes) const;
  void GiveBack(const BucketUse& given) const;

 private:
  absl::Status CheckDisk(int folder, std::int64_t bytes) const;

  BucketLedger* const ledger_;
  const std::string bucket_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_LEDGER_H_
