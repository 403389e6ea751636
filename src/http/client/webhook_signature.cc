#include "http/client/webhook_signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace vernier {

absl::StatusOr<std::string> ParseWebhookSecret(std::string_view text) {
  constexpr std::string_view kPrefix = "whsec_";
  constexpr std::size_t kShortest = 24;
  constexpr std::size_t kLongest = 64;
  std::string secret;
  const bool is_well_formed =
      text.substr(0, kPrefix.size()) == kPrefix &&
      absl::Base64Unescape(std::string(text.substr(kPrefix.size())), &secret);
  if (!is_well_formed || secret.size() < kShortest ||
      secret.size() > kLongest) {
    return absl::InvalidArgumentError(
        "must hold one line, whsec_ and the base64 of 24 to 64 bytes, as "
        "`echo whsec_$(openssl rand -base64 32)` makes it");
  }
  return secret;
}

std::string WebhookSignature(std::string_view secret, std::string_view id,
                             std::int64_t seconds, std::string_view body) {
  const std::string text =
      absl::StrCat(std::string(id), ".", seconds, ".", std::string(body));
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  VERNIER_CHECK(HMAC(EVP_sha256(), secret.data(),
                     static_cast<int>(secret.size()),
                     reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), digest.data(), &size) != nullptr);
  return absl::StrCat("v1,",
                      absl::Base64Escape(absl::string_view(
                          reinterpret_cast<const char*>(digest.data()), size)));
}

}  // namespace vernier
