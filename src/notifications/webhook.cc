#include "notifications/webhook.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/shown_text.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "http/client/webhook_signature.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxSecretFile = 4096;

absl::StatusOr<std::string> FirstLine(const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(std::string text,
                           ReadSmallFile(path, kMaxSecretFile));
  text.resize(std::min(text.find('\n'), text.size()));
  absl::StripAsciiWhitespace(&text);
  return text;
}

absl::StatusOr<std::string> ReadSecret(const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const std::string line, FirstLine(path));
  const auto secret = ParseWebhookSecret(line);
  if (secret.ok()) return secret;
  return absl::InvalidArgumentError(
      absl::StrCat(path, " ", std::string(secret.status().message())));
}

}  // namespace

absl::StatusOr<std::string> ReadWebhookUrl(const std::string& flag) {
  std::string url = flag;
  if (!flag.empty() && flag.front() == '@') {
    const auto line = FirstLine(flag.substr(1));
    if (!line.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--webhook ", flag, ": ", std::string(line.status().message())));
    }
    url = *line;
  }
  const absl::Status status = CheckOutboundUrl(url);
  if (status.ok()) return url;
  return absl::InvalidArgumentError(
      absl::StrCat("--webhook ", std::string(status.message())));
}

absl::Status CheckSecretFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && (info.st_mode & S_IROTH) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--webhook-secret-file ", path,
        " can be read by every user of this machine: chmod 600 it"));
  }
  const auto secret = ReadSecret(path);
  if (secret.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--webhook-secret-file ", std::string(secret.status().message())));
}

Webhook::Webhook(WebhookSettings settings, std::unique_ptr<HttpPoster> poster,
                 const Clock& clock)
    : settings_(std::move(settings)),
      poster_(std::move(poster)),
      clock_(clock) {}

Receiver::Answer Webhook::Deliver(const JobEndNotice& notice) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
                           clock_.Now().time_since_epoch())
                           .count();
  HttpPost post;
  post.url = settings_.url;
  post.body = notice.body;
  post.headers = {"Content-Type: application/json",
                  absl::StrCat("webhook-id: ", notice.id),
                  absl::StrCat("webhook-timestamp: ", seconds)};
  if (!settings_.secret_file.empty()) {
    const auto secret = ReadSecret(settings_.secret_file);
    if (!secret.ok()) {
      return {Result::kFailed, std::string(secret.status().message())};
    }
    post.headers.push_back(absl::StrCat(
        "webhook-signature: ",
        WebhookSignature(*secret, notice.id, seconds, notice.body)));
  }
  const auto answer = poster_->Post(post);
  if (absl::IsCancelled(answer.status())) return {Result::kStopped};
  if (!answer.ok()) {
    return {Result::kFailed, std::string(answer.status().message())};
  }
  if (answer->status >= 200 && answer->status < 300) return {Result::kTaken};
  constexpr int kGone = 410;
  return {answer->status == kGone ? Result::kRefused : Result::kFailed,
          absl::StrCat("it answered ", answer->status,
                       answer->beginning.empty() ? "" : ": ",
                       ShowText(answer->beginning)),
          answer->retry_after};
}

std::string Webhook::name() const {
  return "webhook " + OriginOf(settings_.url);
}

std::string Webhook::key() const {
  return absl::StrFormat("webhook-%08x", ExtendCrc32c(0, settings_.url));
}

}  // namespace vernier
