#include "edge/http/load_limiter.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "access/rate_limiter.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Requests are short: a longer wait would be for load that is long gone.
constexpr int kRetrySeconds = 1;

absl::Status TryAgain(absl::Status status) {
  status.SetPayload(kRetryInfo, absl::Cord(absl::StrCat(kRetrySeconds)));
  return status;
}

}  // namespace

LoadLimiter::Share::~Share() { limiter_.Leave(caller_, bytes_); }

absl::Status LoadLimiter::Share::Hold(std::uint64_t bytes) {
  VERNIER_RETURN_IF_ERROR(limiter_.Hold(caller_, bytes_, bytes));
  bytes_ = bytes;
  return absl::OkStatus();
}

void LoadLimiter::Share::Set(std::uint64_t bytes) {
  limiter_.Set(caller_, bytes_, bytes);
  bytes_ = bytes;
}

absl::Status LoadLimiter::Share::CheckRoom() const {
  return limiter_.CheckRoom(caller_);
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
  // Counted after everything that may throw.
  ++load.requests;
  return share;
}

absl::Status LoadLimiter::CheckRoomFor(const std::string& caller,
                                       const Load& load,
                                       std::uint64_t of_all) const {
  if (load.bytes > options_.max_bytes_per_caller) {
    return TryAgain(absl::ResourceExhaustedError(absl::StrCat(
        "token ", caller, " may have ", options_.max_bytes_per_caller >> 20,
        " MiB of bodies and answers in memory at once; try again when some "
        "requests have ended")));
  }
  if (of_all > options_.max_bytes) {
    return TryAgain(absl::UnavailableError(absl::StrCat(
        "all callers together may have ", options_.max_bytes >> 20,
        " MiB of bodies and answers in memory at once; try again")));
  }
  return absl::OkStatus();
}

absl::Status LoadLimiter::Hold(const std::string& caller, std::uint64_t before,
                               std::uint64_t after) {
  MutexLock lock(mu_);
  Load& load = loads_.at(caller);
  const Load changed{load.requests, load.bytes - before + after};
  const std::uint64_t of_all = bytes_ - before + after;
  // Giving back must always be possible.
  if (after > before) {
    VERNIER_RETURN_IF_ERROR(CheckRoomFor(caller, changed, of_all));
  }
  load = changed;
  bytes_ = of_all;
  return absl::OkStatus();
}

void LoadLimiter::Set(const std::string& caller, std::uint64_t before,
                      std::uint64_t after) {
  MutexLock lock(mu_);
  Load& load = loads_.at(caller);
  load.bytes = load.bytes - before + after;
  bytes_ = bytes_ - before + after;
}

absl::Status LoadLimiter::CheckRoom(const std::string& caller) const {
  MutexLock lock(mu_);
  return CheckRoomFor(caller, loads_.at(caller), bytes_);
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
