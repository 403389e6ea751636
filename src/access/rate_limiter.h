#ifndef VERNIER_ACCESS_RATE_LIMITER_H_
#define VERNIER_ACCESS_RATE_LIMITER_H_

#include <cstddef>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace vernier {

/// Limits the calls of each caller with a token bucket: a call takes one token,
/// and time refills the bucket up to its capacity. Thread-safe; a call costs a
/// short lock and a look-up.
class RateLimiter {
 public:
  struct Options {
    /// The limit of one caller in the long run; > 0, or 0: no limit.
    double requests_per_second = 5000;
    /// The capacity of the bucket, as the time in which it fills; > 0.
    double burst_seconds = 2;
  };

  /// Borrows `clock`, which must outlive this object.
  RateLimiter(const Options& options, const Clock& clock);

  /// Returns OK, or RESOURCE_EXHAUSTED that says when to try again, also to
  /// RetryAfter.
  absl::Status Admit(const std::string& caller);

  /// Returns the number of callers that are remembered: the recent ones, and
  /// few more.
  std::size_t size() const;

 private:
  struct Bucket {
    double left = 0;
    SteadyTime filled{};
  };
  double LeftAt(SteadyTime now, const Bucket& bucket) const;
  void ForgetWhoRests(SteadyTime now) VERNIER_REQUIRES(mu_);

  const double rate_;
  const double most_;
  const Clock& clock_;
  mutable Mutex mu_;  // Held for look-ups and sums.
  std::map<std::string, Bucket> buckets_ VERNIER_GUARDED_BY(mu_);
  std::size_t forget_at_ VERNIER_GUARDED_BY(mu_);
};

/// Google's type of the error detail that says when to try again.
inline constexpr char kRetryInfo[] = "type.googleapis.com/google.rpc.RetryInfo";

/// Returns the whole seconds to wait, >= 1, if the status is RateLimiter's;
/// else 0.
int RetryAfter(const absl::Status& status);

}  // namespace vernier

#endif  // VERNIER_ACCESS_RATE_LIMITER_H_
