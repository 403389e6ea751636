#include "access/sign_in_codes.h"

#include <algorithm>
#include <utility>

#include "access/token_text.h"

namespace vernier {

std::string SignInCodes::Issue(const Grant& grant) {
  std::string code = draw_();
  const SteadyTime now = clock_.Steady();
  MutexLock lock(mu_);
  std::erase_if(pending_, [now](const auto& each) {
    return now - each.second.issued_at > kValid;
  });
  if (pending_.size() >= kMost) {
    pending_.erase(std::min_element(
        pending_.begin(), pending_.end(), [](const auto& a, const auto& b) {
          return a.second.issued_at < b.second.issued_at;
        }));
  }
  pending_[HashToken(code)] = {grant, now};
  return code;
}

std::optional<SignInCodes::Grant> SignInCodes::Redeem(std::string_view code) {
  const SteadyTime now = clock_.Steady();
  MutexLock lock(mu_);
  const auto found = pending_.find(HashToken(code));
  if (found == pending_.end()) return std::nullopt;
  const Pending pending = std::move(found->second);
  pending_.erase(found);
  if (now - pending.issued_at > kValid) return std::nullopt;
  return pending.grant;
}

}  // namespace vernier
