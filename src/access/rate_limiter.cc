#include "access/rate_limiter.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

// Up to this many callers are always kept: forgetting them would cost more than
// it saves.
constexpr std::size_t kFewCallers = 1024;

}  // namespace

RateLimiter::RateLimiter(const Options& options, const Clock& clock)
    : rate_(options.requests_per_second),
      // A capacity below one would admit no call.
      most_(std::max(1.0, rate_ * options.burst_seconds)),
      clock_(clock),
      forget_at_(kFewCallers) {}

double RateLimiter::LeftAt(SteadyTime now, const Bucket& bucket) const {
  const std::chrono::duration<double> rest = now - bucket.filled;
  return std::min(most_, bucket.left + rest.count() * rate_);
}

absl::Status RateLimiter::Admit(const std::string& caller) {
  if (rate_ <= 0) return absl::OkStatus();
  const SteadyTime now = clock_.Steady();
  double missing = 0;
  {
    MutexLock lock(mu_);
    if (buckets_.size() >= forget_at_) ForgetWhoRests(now);
    Bucket& bucket =
        buckets_.try_emplace(caller, Bucket{most_, now}).first->second;
    bucket = {LeftAt(now, bucket), now};
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return absl::OkStatus();
    }
    missing = 1 - bucket.left;
  }
  const auto seconds =
      std::max(1, static_cast<int>(std::ceil(missing / rate_)));
  absl::Status status = absl::ResourceExhaustedError(
      absl::StrCat("token ", caller, " may make ", rate_,
                   " calls a second; try again in ", seconds, " s"));
  status.SetPayload(kRetryInfo, absl::Cord(absl::StrCat(seconds)));
  return status;
}

// Forgets callers with a full bucket: it is made again when the caller returns.
void RateLimiter::ForgetWhoRests(SteadyTime now) {
  std::erase_if(buckets_, [&](const auto& each) {
    return LeftAt(now, each.second) >= most_;
  });
  forget_at_ = std::max(kFewCallers, 2 * buckets_.size());
}

std::size_t RateLimiter::size() const {
  MutexLock lock(mu_);
  return buckets_.size();
}

int RetryAfter(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryInfo);
  if (!payload.has_value()) return 0;
  return static_cast<int>(ParseWholeNumber(std::string(*payload)).value_or(0));
}

}  // namespace vernier
