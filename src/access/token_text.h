#ifndef VERNIER_ACCESS_TOKEN_TEXT_H_
#define VERNIER_ACCESS_TOKEN_TEXT_H_

#include <string>
#include <string_view>

namespace vernier {

/// Returns a new random token: "vernier_" and 256 random bits as 64 hex digits,
/// a form that scanners for leaked keys can recognise.
std::string DrawToken();

/// Returns the SHA-256 of a token as hex digits; only this is stored. 256
/// random bits need no slow hash (NIST SP 800-63B, 5.1.2.2).
std::string HashToken(std::string_view token);

/// Returns the hex digits of HMAC-SHA-256 (RFC 2104).
std::string KeyedHash(std::string_view key, std::string_view text);

/// Returns whether two texts are equal, in a time that does not depend on where
/// they differ.
bool EqualsInConstantTime(std::string_view a, std::string_view b);

/// Returns the token of an "Authorization: Bearer ..." header; empty if it has
/// none.
std::string_view BearerToken(std::string_view authorization);

}  // namespace vernier

#endif  // VERNIER_ACCESS_TOKEN_TEXT_H_
