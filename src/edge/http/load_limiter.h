#ifndef VERNIER_EDGE_HTTP_LOAD_LIMITER_H_
#define VERNIER_EDGE_HTTP_LOAD_LIMITER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"

namespace vernier {

/// Limits how much of a service each caller, and all of them together, may use
/// at once: requests under way, and memory for their bodies and answers.
/// Thread-safe; costs a short lock and a look-up.
class LoadLimiter {
 public:
  struct Options {
    int max_requests_per_caller = 128;                   ///< >= 1.
    std::uint64_t max_bytes = std::uint64_t{256} << 20;  ///< Of all.
    std::uint64_t max_bytes_per_caller = std::uint64_t{64} << 20;
  };

  /// What one request uses, until it ends. Not thread-safe: its request owns
  /// it.
  class Share {
   public:
    /// Called by Admit.
    Share(LoadLimiter& limiter, std::string caller)
        : limiter_(limiter), caller_(std::move(caller)) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    const std::string& caller() const { return caller_; }

    /// Records that the request holds so many bytes in memory from now on. A
    /// smaller number is always OK. On an error it keeps its old number:
    /// RESOURCE_EXHAUSTED if its caller holds too much, UNAVAILABLE if all
    /// together do. The error says when to try again, as RetryAfter reads it.
    absl::Status Hold(std::uint64_t bytes);
    /// As Hold, but never refused, for what has been made already.
    void Set(std::uint64_t bytes);
    /// OK, or an error as Hold's if more is in memory than may be. Then nothing
    /// should be made that needs memory.
    absl::Status CheckRoom() const;

   private:
    LoadLimiter& limiter_;
    const std::string caller_;
    std::uint64_t bytes_ = 0;
  };

  explicit LoadLimiter(const Options& options) : options_(options) {}

  /// A share for one more request; it must be destroyed before this object. Not
  /// null. RESOURCE_EXHAUSTED, as above, if the caller has too many requests
  /// under way.
  absl::StatusOr<std::unique_ptr<Share>> Admit(const std::string& caller);

  /// Bytes in memory for all requests.
  std::uint64_t bytes() const;

 private:
  struct Load {
    int requests = 0;
    std::uint64_t bytes = 0;
  };

  absl::Status CheckRoomFor(const std::string& caller, const Load& load,
                            std::uint64_t of_all) const;
  absl::Status Hold(const std::string& caller, std::uint64_t before,
                    std::uint64_t after);
  void Set(const std::string& caller, std::uint64_t before,
           std::uint64_t after);
  absl::Status CheckRoom(const std::string& caller) const;
  void Leave(const std::string& caller, std::uint64_t bytes);

  const Options options_;
  mutable Mutex mu_;  // Held for look-ups and sums.
  std::map<std::string, Load> loads_ VERNIER_GUARDED_BY(mu_);
  std::uint64_t bytes_ VERNIER_GUARDED_BY(mu_) = 0;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_LOAD_LIMITER_H_
