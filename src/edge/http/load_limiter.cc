#include "edge/http/load_limiter.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "access/rate_limiter.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Requests are short, and whoever is told to wait longer would wait for what
// has long gone.
constexpr int kRetrySeconds = 1;

absl::Status TryAgain(absl::Status status) {
  status.SetPayload(kRetryInfo, absl::Cord(absl::StrCat(kRetrySeconds)));
  return status;
}

}  // namespace

LoadLimiter::Share::~Share() { limiter_.Leave(caller_, bytes_); }

absl::Status LoadLimiter::Share::Hold(std::uint64_t bytes) {
  VERNIER_RETURN_IF_ERROR(limiter_.Change(caller_, bytes_, bytes));
  bytes_ = bytes;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<LoadLimiter::Share>> LoadLimiter::Admit(
    const std::string& caller) {
  MutexLock lock(mu_);
  Load& load = loads_[caller];
  if (load.requests >= options_.max_requests_per_caller) {
    return TryAgain(absl::ResourceExhaustedError(absl::StrCat(
        "token ", caller, " may have ", options_.max_requests_per_caller,
        " requests under way at once; try again when one has ended")));
  }
  auto share = std::make_unique<Share>(*this, caller);
  // Behind what may throw.
  ++load.requests;
  return share;
}

absl::Status LoadLimiter::Change(const std::string& caller,
                                 std::uint64_t before, std::uint64_t after) {
  MutexLock lock(mu_);
  Load& load = loads_[caller];
  const std::uint64_t of_caller = load.bytes - before + after;
  const std::uint64_t of_all = bytes_ - before + after;
  if (after > before && of_caller > options_.max_bytes_per_caller) {
    return TryAgain(absl::ResourceExhaustedError(absl::StrCat(
        "token ", caller, " may send ", options_.max_bytes_per_caller >> 20,
        " MiB at once in bodies that are kept in memory; try again when some "
        "have been read")));
  }
  if (after > before && of_all > options_.max_bytes) {
    return TryAgain(absl::UnavailableError(absl::StrCat(
        "all callers together send more than ", options_.max_bytes >> 20,
        " MiB at once in bodies that are kept in memory; try again")));
  }
  load.bytes = of_caller;
  bytes_ = of_all;
  return absl::OkStatus();
}

void LoadLimiter::Leave(const std::string& caller, std::uint64_t bytes) {
  MutexLock lock(mu_);
  bytes_ -= bytes;
  const auto found = loads_.find(caller);
  found->second.bytes -= bytes;
  if (--found->second.requests == 0) loads_.erase(found);
}

std::uint64_t LoadLimiter::bytes() const {
  MutexLock lock(mu_);
  return bytes_;
}

}  // namespace vernier
