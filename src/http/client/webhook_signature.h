#ifndef VERNIER_HTTP_CLIENT_WEBHOOK_SIGNATURE_H_
#define VERNIER_HTTP_CLIENT_WEBHOOK_SIGNATURE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns the bytes of a secret of Standard Webhooks
/// (https://www.standardwebhooks.com): "whsec_" and the base64 of 24 to 64
/// bytes. INVALID_ARGUMENT, which does not repeat the text, for anything else.
absl::StatusOr<std::string> ParseWebhookSecret(std::string_view text);

/// Returns the header `webhook-signature` of that standard: "v1," and the
/// base64 of the HMAC-SHA-256 of "ID.SECONDS.BODY".
std::string WebhookSignature(std::string_view secret, std::string_view id,
                             std::int64_t seconds, std::string_view body);

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_WEBHOOK_SIGNATURE_H_
