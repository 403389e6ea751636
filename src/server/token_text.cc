#include "server/token_text.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "server/random_bits.h"
#include "study/check.h"

namespace vernier {
namespace {

using Digest = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string Hex(const Digest& digest, unsigned size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text.push_back(kDigits[digest[i] >> 4]);
    text.push_back(kDigits[digest[i] & 15]);
  }
  return text;
}

}  // namespace

std::string DrawToken() { return "vernier_" + RandomHex() + RandomHex(); }

std::string HashToken(std::string_view token) {
  Digest digest{};
  unsigned size = 0;
  VERNIER_CHECK(EVP_Digest(token.data(), token.size(), digest.data(), &size,
                           EVP_sha256(), nullptr) == 1);
  return Hex(digest, size);
}

std::string KeyedHash(std::string_view key, std::string_view text) {
  Digest digest{};
  unsigned size = 0;
  VERNIER_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                     reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), digest.data(), &size) != nullptr);
  return Hex(digest, size);
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
