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

/// How much of a service each caller, and all of them, may have at once:
/// requests under way, and memory for their bodies and answers. Thread-safe;
/// costs a short lock and a look-up.
class LoadLimiter {
 public:
  struct Options {
    int max_requests_per_caller = 128;                   ///< >= 1.
    std::uint64_t max_bytes = std::uint64_t{256} << 20;  ///< Of all.
    std::uint64_t max_bytes_per_caller = std::uint64_t{64} << 20;
  };

  /// What one request has, until it goes. Not thread-safe: its request owns it.
  class Share {
   public:
    /// For Admit.
    Share(LoadLimiter& limiter, std::string caller)
        : limiter_(limiter), caller_(std::move(caller)) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// It has so many bytes in memory from now on. Fewer than before are always
    /// OK. Errors, which say when to try again, as RetryAfter knows; it then
    /// has what it had: RESOURCE_EXHAUSTED if its caller has too much,
    /// UNAVAILABLE if all have.
    absl::Status Hold(std::uint64_t bytes);
    /// It has so many bytes from now on, whether or not there was room: what is
    /// made cannot be unmade.
    void Set(std::uint64_t bytes);
    /// OK, or an error as Hold's if there is more in memory than may be: then
    /// nothing should be made that needs some.
    absl::Status CheckRoom() const;

   private:
    LoadLimiter& limiter_;
    const std::string caller_;
    std::uint64_t bytes_ = 0;
  };

  explicit LoadLimiter(const Options& options) : options_(options) {}

  /// A share for one more request, which must go before this object does. Not
  /// null. RESOURCE_EXHAUSTED, as above, if the caller has too many under way.
  absl::StatusOr<std::unique_ptr<Share>> Admit(const std::string& caller);

  /// In memory for all requests.
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
