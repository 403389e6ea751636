#include "access/token_text.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "base/check.h"
#include "base/random_bits.h"
#include "buckets/sha256.h"

namespace vernier {

std::string DrawToken() { return "vernier_" + RandomHex() + RandomHex(); }

std::string HashToken(std::string_view token) {
  Sha256 hash;
  hash.Update(token);
  return hash.Hex();
}

std::string KeyedHash(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  VERNIER_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                     reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), digest.data(), &size) != nullptr);
  return absl::BytesToHexString(
      {reinterpret_cast<const char*>(digest.data()), size});
}

bool EqualsInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view BearerToken(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return "";
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const auto c = static_cast<unsigned char>(authorization[i]);
    if (absl::ascii_tolower(c) != kScheme[i]) return "";
  }
  authorization.remove_prefix(kScheme.size());
  while (!authorization.empty() && authorization.front() == ' ') {
    authorization.remove_prefix(1);
  }
  while (!authorization.empty() && authorization.back() == ' ') {
    authorization.remove_suffix(1);
  }
  return authorization;
}

}  // namespace vernier
