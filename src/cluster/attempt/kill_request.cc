#include "cluster/attempt/kill_request.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

std::string KillRequestPath(const std::string& attempt_dir) {
  return attempt_dir + "/kill";
}

}  // namespace

absl::Status WriteKillRequest(const std::string& attempt_dir,
                              std::chrono::milliseconds grace) {
  const std::string path = KillRequestPath(attempt_dir);
  if (::access(path.c_str(), F_OK) == 0) return absl::OkStatus();
  const std::string draft = path + ".new";
  VERNIER_RETURN_IF_ERROR(ReplaceFile(
      draft, std::to_string(grace.count()) + "\n", Durability::kVolatile));
  // Unlike rename, link keeps an earlier request.
  const int linked = ::link(draft.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(draft.c_str());
  if (linked == 0 || linked == EEXIST) return absl::OkStatus();
  return absl::ErrnoToStatus(linked, "cannot write " + path);
}

absl::StatusOr<std::optional<std::chrono::milliseconds>> ReadKillRequest(
    const std::string& attempt_dir) {
  using Grace = std::optional<std::chrono::milliseconds>;
  const absl::StatusOr<std::string> text =
      ReadSmallFile(KillRequestPath(attempt_dir), 64);
  if (absl::IsNotFound(text.status())) return Grace();
  std::int64_t grace = 0;
  if (text.ok()) {
    std::from_chars(text->data(), text->data() + text->size(), grace);
  } else if (!absl::IsOutOfRange(text.status()) &&
             !absl::IsDataLoss(text.status())) {
    return text.status();
  }  // An unreadable file asks for an end without grace.
  return Grace(std::chrono::milliseconds(grace));
}

}  // namespace vernier
