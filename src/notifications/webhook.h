#ifndef VERNIER_NOTIFICATIONS_WEBHOOK_H_
#define VERNIER_NOTIFICATIONS_WEBHOOK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "http/client/http_post.h"
#include "notifications/receiver.h"

namespace vernier {

struct WebhookSettings {
  std::string url;  ///< As CheckOutboundUrl wants it; may hold a secret.
  /// The file with the secret that signs notices; it is read for each one, so
  /// that it can be exchanged. If empty, they are not signed.
  std::string secret_file = "";
};

/// Returns the URL that a flag names: a URL, or "@FILE" whose first line is
/// one, since other users of the machine see the flags of a process.
/// INVALID_ARGUMENT, which does not repeat the URL, if the service may not send
/// to it.
absl::StatusOr<std::string> ReadWebhookUrl(const std::string& flag);

/// Returns OK if the file holds a secret that other users cannot read.
absl::Status CheckSecretFile(const std::string& path);

/// POSTs notices to a URL by Standard Webhooks
/// (https://www.standardwebhooks.com). Only 2xx means that a notice was taken;
/// redirects are not followed, and 410 (Gone) refuses for good.
class Webhook final : public Receiver {
 public:
  /// Borrows `clock`; it must outlive this object.
  Webhook(WebhookSettings settings, std::unique_ptr<HttpPoster> poster,
          const Clock& clock);

  Answer Deliver(const JobEndNotice& notice) override;
  void Stop() override { poster_->Stop(); }
  std::string name() const override;
  std::string kind() const override { return "webhook"; }
  std::string key() const override;
  int most_attempts() const override { return 30; }

 private:
  const WebhookSettings settings_;
  const std::unique_ptr<HttpPoster> poster_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_WEBHOOK_H_
