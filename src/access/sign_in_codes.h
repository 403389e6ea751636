#ifndef VERNIER_ACCESS_SIGN_IN_CODES_H_
#define VERNIER_ACCESS_SIGN_IN_CODES_H_

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "store/access/token_store.h"

namespace vernier {

/// One-time codes with which a browser signs in. Each stands for a token that
/// is made when the code is used, so the address that carries the code is
/// worthless afterwards. They are kept in memory only: after a restart a person
/// requests a new one. Thread-safe.
class SignInCodes {
 public:
  /// The permissions and lifetime of the token that a code stands for.
  struct Grant {
    TokenScope scope = TokenScope::kAdmin;
    std::string project;  ///< Empty for kAdmin.
    bool may_run = true;
    std::chrono::seconds lifetime = std::chrono::hours(12);
  };

  /// The time for which a code is valid.
  static constexpr std::chrono::seconds kValid{120};
  /// The most codes that are kept; for one more, the oldest is dropped.
  static constexpr std::size_t kMost = 64;

  /// `draw` makes a text that nobody can guess.
  SignInCodes(const Clock& clock, std::function<std::string()> draw)
      : clock_(clock), draw_(std::move(draw)) {}

  /// Returns a new code.
  std::string Issue(const Grant& grant);
  /// Returns what the code stands for, once; nullopt if the code is unknown,
  /// was used or is too old.
  std::optional<Grant> Redeem(std::string_view code);

 private:
  struct Pending {
    Grant grant;
    SteadyTime issued_at;
  };

  const Clock& clock_;
  const std::function<std::string()> draw_;
  Mutex mu_;
  // Keyed by the hash of the code, so that the time of a look-up reveals
  // nothing.
  std::map<std::string, Pending> pending_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_ACCESS_SIGN_IN_CODES_H_
