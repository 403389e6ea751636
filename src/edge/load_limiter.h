#ifndef VERNIER_EDGE_LOAD_LIMITER_H_
#define VERNIER_EDGE_LOAD_LIMITER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"

namespace vernier {

/// Limits how much of a service each caller, and all of them together, may use
/// at once, over HTTP and gRPC alike: running requests, including streams, and
/// memory for bodies and answers. Thread-safe; costs a short lock and a
/// look-up.
class LoadLimiter {
 public:
  struct Options {
    int max_requests_per_caller = 128;  ///< >= 1.
    /// The limit for all callers together. A caller gets more than one only if
    /// as much is left for others (see LeavesAsMuch). It is less than the
    /// number of connections of one address, so that there is always a
    /// connection that can give way to a new one.
    int max_requests = 384;
    /// The limit for streams, which last as long as their clients like. They
    /// count as requests, too.
    int max_streams_per_caller = 64;
    int max_streams = 256;                               ///< As max_requests.
    std::uint64_t max_bytes = std::uint64_t{256} << 20;  ///< Of all.
    std::uint64_t max_bytes_per_caller = std::uint64_t{64} << 20;
    /// Called when most of a large amount of memory has been released. Any
    /// thread; must not wait.
    std::function<void()> on_relief = nullptr;
  };

  /// Says whether a request counts as one, besides its memory. Requests that
  /// wait for others, and that clients make by the thousand, do not count.
  enum class Counts { kYes, kNo };

  /// The resources that one request uses until it ends. Not thread-safe: its
  /// request owns it.
  class Share {
   public:
    /// Called by Admit.
    Share(LoadLimiter& limiter, std::string caller, Counts counts)
        : limiter_(limiter), caller_(std::move(caller)), counts_(counts) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    const std::string& caller() const { return caller_; }

    /// Records how many bytes the request holds in memory from now on. A
    /// smaller number is always OK. On an error the old number stays:
    /// RESOURCE_EXHAUSTED if its caller holds too much, UNAVAILABLE if all
    /// together do. The error says when to try again, as RetryAfter reads it.
    absl::Status Hold(std::uint64_t bytes);
    /// As Hold, but for `more` bytes of an answer while it is made. One request
    /// of a caller at a time may exceed the limit if as much is left for
    /// others, so that of several large answers at least one succeeds.
    absl::Status Reserve(std::uint64_t more);
    /// As Hold, but never refused, for an answer that has been made already.
    void Set(std::uint64_t bytes);
    /// Declares that the request lasts as long as its client likes. Idempotent.
    /// RESOURCE_EXHAUSTED, as above, if there are too many such requests.
    absl::Status BecomeStream();
    /// Returns OK, or an error as Hold's if more is in memory than allowed.
    /// Then nothing should be made that needs memory.
    absl::Status CheckRoom() const;

   private:
    friend class LoadLimiter;

    LoadLimiter& limiter_;
    const std::string caller_;
    const Counts counts_;
    std::uint64_t bytes_ = 0;
    bool is_stream_ = false;
  };

  explicit LoadLimiter(Options options) : options_(std::move(options)) {}

  /// Returns a share for one more request; it must be destroyed before this
  /// object. Not null. RESOURCE_EXHAUSTED, as above, if the caller has too many
  /// running requests.
  absl::StatusOr<std::unique_ptr<Share>> Admit(const std::string& caller,
                                               Counts counts = Counts::kYes);

  /// Returns the bytes in memory for all requests.
  std::uint64_t bytes() const;

 private:
  struct Load {
    int shares = 0;
    int requests = 0;  // The shares that count.
    int streams = 0;
    std::uint64_t bytes = 0;
    const Share* growing = nullptr;  // The one that may pass the limit.
  };

  absl::Status CheckMayBegin(const std::string& caller, const Load& load) const
      VERNIER_REQUIRES(mu_);
  absl::Status CheckRoomFor(const std::string& caller, const Load& load,
                            std::uint64_t of_all) const;
  absl::Status Reserve(const Share& share, std::uint64_t more);
  absl::Status AddStream(const std::string& caller);
  absl::Status Hold(const std::string& caller, std::uint64_t before,
                    std::uint64_t after);
  void Set(const Share& share, std::uint64_t after);
  absl::Status CheckRoom(const std::string& caller) const;
  void Leave(const Share& share);
  void SetBytes(std::uint64_t bytes) VERNIER_REQUIRES(mu_);

  const Options options_;
  mutable Mutex mu_;  // Held for look-ups and sums.
  std::map<std::string, Load> loads_ VERNIER_GUARDED_BY(mu_);
  int requests_ VERNIER_GUARDED_BY(mu_) = 0;
  int streams_ VERNIER_GUARDED_BY(mu_) = 0;
  std::uint64_t bytes_ VERNIER_GUARDED_BY(mu_) = 0;
  std::uint64_t peak_ VERNIER_GUARDED_BY(mu_) = 0;  // Since the last relief.
};

}  // namespace vernier

#endif  // VERNIER_EDGE_LOAD_LIMITER_H_
