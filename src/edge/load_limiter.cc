#include "edge/load_limiter.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "access/rate_limiter.h"
#include "base/fair_queue.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Each caller's load and the total are counted under one lock. Requests and
// streams are divided by LeavesAsMuch: a caller that has some gets another one
// only if at least as many stay free for others as it then has. So a single
// caller may use many while nobody else needs them, and every other caller
// still finds room. Memory has a limit per caller and one for all; by the same
// rule, one answer of a caller at a time may exceed them (Reserve).

// Requests are short: a longer wait would be for load that has long ended.
constexpr int kRetrySeconds = 1;

// From this size on, returning freed memory to the system is worth the time.
constexpr std::uint64_t kMuch = std::uint64_t{32} << 20;

// Returns whether a caller that has `mine` of `all` things, of which `taken`
// are in use, may have one more.
bool MayHaveOneMore(int mine, int taken, int all) {
  if (mine == 0) return true;
  const int free = std::max(all - taken, 0);
  return LeavesAsMuch(static_cast<std::size_t>(mine), 1,
                      static_cast<std::size_t>(free));
}

absl::Status TryAgain(absl::Status status) {
  status.SetPayload(kRetryInfo, absl::Cord(absl::StrCat(kRetrySeconds)));
  return status;
}

}  // namespace

LoadLimiter::Share::~Share() { limiter_.Leave(*this); }

absl::Status LoadLimiter::Share::Hold(std::uint64_t bytes) {
  VERNIER_RETURN_IF_ERROR(limiter_.Hold(caller_, bytes_, bytes));
  bytes_ = bytes;
  return absl::OkStatus();
}

absl::Status LoadLimiter::Share::Reserve(std::uint64_t more) {
  VERNIER_RETURN_IF_ERROR(limiter_.Reserve(*this, more));
  bytes_ += more;
  return absl::OkStatus();
}

absl::Status LoadLimiter::Share::BecomeStream() {
  if (is_stream_) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(limiter_.AddStream(caller_));
  is_stream_ = true;
  return absl::OkStatus();
}

void LoadLimiter::Share::Set(std::uint64_t bytes) {
  limiter_.Set(*this, bytes);
  bytes_ = bytes;
}

absl::Status LoadLimiter::Share::CheckRoom() const {
  return limiter_.CheckRoom(caller_);
}

absl::StatusOr<std::unique_ptr<LoadLimiter::Share>> LoadLimiter::Admit(
    const std::string& caller, Counts counts) {
  MutexLock lock(mu_);
  Load& load = loads_[caller];
  if (counts == Counts::kYes) {
    const absl::Status room = CheckMayBegin(caller, load);
    if (!room.ok()) return room;
  }
  auto share = std::make_unique<Share>(*this, caller, counts);
  // Counted last, after everything that may throw.
  ++load.shares;
  if (counts == Counts::kYes) {
    ++load.requests;
    ++requests_;
  }
  return share;
}

absl::Status LoadLimiter::CheckMayBegin(const std::string& caller,
                                        const Load& load) const {
  if (load.requests >= options_.max_requests_per_caller) {
    return TryAgain(absl::ResourceExhaustedError(absl::StrCat(
        "token ", caller, " may have ", options_.max_requests_per_caller,
        " requests under way at once; try again when one has ended")));
  }
  if (!MayHaveOneMore(load.requests, requests_, options_.max_requests)) {
    return TryAgain(absl::ResourceExhaustedError(absl::StrCat(
        "token ", caller, " has ", load.requests, " requests under way, and ",
        requests_, " of ", options_.max_requests,
        " of all callers are; try again when some have ended")));
  }
  return absl::OkStatus();
}

absl::Status LoadLimiter::AddStream(const std::string& caller) {
  MutexLock lock(mu_);
  Load& load = loads_.at(caller);
  if (load.streams >= options_.max_streams_per_caller ||
      !MayHaveOneMore(load.streams, streams_, options_.max_streams)) {
    return TryAgain(absl::ResourceExhaustedError(absl::StrCat(
        "token ", caller, " has ", load.streams, " streams open (at most ",
        options_.max_streams_per_caller, "), and all callers have ", streams_,
        " of ", options_.max_streams,
        "; end a page, a watch or a followed log that is not needed")));
  }
  ++load.streams;
  ++streams_;
  return absl::OkStatus();
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

absl::Status LoadLimiter::Reserve(const Share& share, std::uint64_t more) {
  MutexLock lock(mu_);
  Load& load = loads_.at(share.caller_);
  Load grown = load;
  grown.bytes += more;
  const absl::Status room = CheckRoomFor(share.caller_, grown, bytes_ + more);
  if (!room.ok()) {
    const std::uint64_t free =
        options_.max_bytes - std::min(bytes_, options_.max_bytes);
    const bool is_its_turn = load.growing == nullptr || load.growing == &share;
    if (!is_its_turn || !LeavesAsMuch(load.bytes, more, free)) return room;
    grown.growing = &share;
  }
  load = grown;
  SetBytes(bytes_ + more);
  return absl::OkStatus();
}

absl::Status LoadLimiter::Hold(const std::string& caller, std::uint64_t before,
                               std::uint64_t after) {
  MutexLock lock(mu_);
  Load& load = loads_.at(caller);
  Load changed = load;
  changed.bytes += after - before;
  const std::uint64_t of_all = bytes_ - before + after;
  // Releasing memory must always be possible.
  if (after > before) {
    VERNIER_RETURN_IF_ERROR(CheckRoomFor(caller, changed, of_all));
  }
  load = changed;
  SetBytes(of_all);
  return absl::OkStatus();
}

void LoadLimiter::Set(const Share& share, std::uint64_t after) {
  MutexLock lock(mu_);
  Load& load = loads_.at(share.caller_);
  load.bytes += after - share.bytes_;
  if (load.growing == &share) load.growing = nullptr;
  SetBytes(bytes_ - share.bytes_ + after);
}

void LoadLimiter::SetBytes(std::uint64_t bytes) {
  bytes_ = bytes;
  peak_ = std::max(peak_, bytes);
}

absl::Status LoadLimiter::CheckRoom(const std::string& caller) const {
  MutexLock lock(mu_);
  return CheckRoomFor(caller, loads_.at(caller), bytes_);
}

void LoadLimiter::Leave(const Share& share) {
  bool is_relief = false;
  {
    MutexLock lock(mu_);
    const auto found = loads_.find(share.caller_);
    Load& load = found->second;
    bytes_ -= share.bytes_;
    load.bytes -= share.bytes_;
    if (load.growing == &share) load.growing = nullptr;
    if (share.counts_ == Counts::kYes) {
      --requests_;
      --load.requests;
    }
    if (share.is_stream_) {
      --streams_;
      --load.streams;
    }
    if (--load.shares == 0) loads_.erase(found);
    is_relief = peak_ >= kMuch && bytes_ <= peak_ / 4;
    if (is_relief) peak_ = bytes_;
  }
  if (is_relief && options_.on_relief) options_.on_relief();
}

std::uint64_t LoadLimiter::bytes() const {
  MutexLock lock(mu_);
  return bytes_;
}

}  // namespace vernier
